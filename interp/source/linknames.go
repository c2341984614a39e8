//go:build (linux || darwin || windows) && (amd64 || arm64)

package source

import "github.com/gokernel/gokernel/interp/engine/ssa/rtype"

// runtimeLinks returns the functions of the runtime and of reflect that packages take with the
// directive go:linkname. The keys are the names that the linker uses.
func runtimeLinks() map[string]any { return rtype.Linknames() }
