//go:build !((linux || darwin || windows) && (amd64 || arm64))

package engines

import (
	"fmt"
	"runtime"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/symbols"
)

func checkSSA() error {
	return fmt.Errorf("the default engine runs on linux, darwin and windows, amd64 and arm64, not on %s/%s", runtime.GOOS, runtime.GOARCH)
}

// SSA fails because the platform has no default engine.
func SSA(engine.Hooks, *symbols.Importer) (engine.Engine, error) { return nil, checkSSA() }
