package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// An invalid mode of the JIT ends each command at its start.
func TestJITVariable(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"run", "none.ipynb"}, {"kernel", "-f", "none.json"}, {"evaluator"}} {
		t.Setenv(engine.JITVariable, "yes")
		root := newRoot()
		root.SetArgs(args)
		root.SetOut(io.Discard)
		if err := root.Execute(); err == nil || !strings.Contains(err.Error(), `GOKERNEL_JIT: the mode of the JIT must be off, on or force, got "yes"`) {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// A confined evaluator gets the mode of the JIT, although it gets no other variable of the user.
func TestJITVariableOfAConfinedEvaluator(t *testing.T) {
	t.Setenv(engine.JITVariable, "force")
	t.Setenv("SECRET", "x")
	env := sessionRules{dir: "/tmp"}.environment()
	if !slices.Contains(env, "GOKERNEL_JIT=force") || slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, "SECRET") }) {
		t.Errorf("got %q", env)
	}
}
