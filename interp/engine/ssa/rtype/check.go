//go:build (linux || darwin) && (amd64 || arm64)

package rtype

import (
	"fmt"
	"runtime"
	"strings"
)

// versions lists the releases of Go whose internals this package mirrors.
var versions = []string{"go1.26"}

// Check says whether built types can be trusted in this binary: an error names
// the assumption about the runtime that does not hold, and then nothing else of
// this package may be used.
func Check() error {
	if !knownVersion(runtime.Version()) {
		return fmt.Errorf("rtype: built with %s; known are %s: see docs/engine-porting.md",
			runtime.Version(), strings.Join(versions, ", "))
	}
	return nil
}

func knownVersion(v string) bool {
	v, _, _ = strings.Cut(v, " ") // experiments follow
	for _, known := range versions {
		if v == known || strings.HasPrefix(v, known+".") {
			return true
		}
	}
	return false
}
