package interp

import (
	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/scope"
)

// Told registers a function that receives each error and warning of a cell with its hint and its
// fix.
func (s *Session) Told(f func(src *scope.Source, e check.Error, hint string)) {
	s.compiler.Advice.Told = f
}
