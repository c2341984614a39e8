//go:build !((linux || darwin || windows) && (amd64 || arm64))

package rtype

import (
	"fmt"
	"runtime"
)

// Check says why built types cannot be used here.
func Check() error {
	return fmt.Errorf("rtype: the default engine runs on linux, darwin and windows, amd64 and arm64, not on %s/%s",
		runtime.GOOS, runtime.GOARCH)
}

// Linknames returns nothing here.
func Linknames() map[string]any { return nil }
