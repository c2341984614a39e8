package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/gokernel/gokernel/bench/internal/gocell"
	"github.com/gokernel/gokernel/interp/engine"
)

// evaluatorPercent is the garbage collector's percentage with which a heap of the runtime's
// initial size has as much space for garbage as in an evaluator (cmd/gokernel/collector.go).
const evaluatorPercent = 200

// runInside evaluates a program as a cell in this process and prints what the compiled program
// would print.
func runInside(name, set string, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("-inside needs a program and a number of calls, got %q", args)
	}
	ps := load(set, args[:1])
	if len(ps) != 1 {
		return fmt.Errorf("unknown program %q", args[0])
	}
	debug.SetGCPercent(evaluatorPercent)
	var printed bytes.Buffer
	s, err := gocell.New(name, engine.Hooks{Stdout: func(_ int, text []byte) { printed.Write(text) }})
	if err != nil {
		return err
	}
	// Both parts are one cell: each is a file of its package.
	if err := s.Run(ps[0].goSrc, timing("calls := "+args[1])); err != nil {
		return err
	}
	_, err = os.Stdout.Write(printed.Bytes())
	return err
}
