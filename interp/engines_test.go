package interp_test

import (
	"testing"

	"github.com/gokernel/gokernel/interp"
	"github.com/gokernel/gokernel/interp/engines"
)

// engineCase is an engine that runs the test cells.
type engineCase struct {
	name      string
	byDefault bool // whether its outputs are the expected ones
}

var engineCases = []engineCase{{"ssa", true}, {"yaegi", false}}

func (e engineCase) open(tb testing.TB) *interp.Session {
	tb.Helper()
	s, err := interp.New(interp.Options{Engine: engines.ByName[e.name], Warn: true})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}
