package ssa

import (
	"github.com/gokernel/gokernel/interp/engine/ssa/gossa"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// Check returns an error if the engine cannot run in this binary. The error names the part of the
// runtime or of go/ssa that is missing or has changed. The first call does the work, in less than a
// millisecond.
func Check() error {
	if err := rtype.Check(); err != nil {
		return err
	}
	return gossa.Check()
}
