package interp_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

const spinning = "func spin(n int) (x int) {\n\tfor i := 0; i < n; i++ {\n\t\tx += i % 7\n\t}\n\treturn x\n}"

func TestMagicPrun(t *testing.T) {
	n := open(t)
	n.must(spinning)
	// Enough iterations that each line has samples on any machine: a third of a second has 300.
	for _, cell := range []string{"%prun kept := spin(60_000_000)\nkept", "%%prun\nkept := spin(60_000_000)\nkept"} {
		value, out, err := n.eval(context.Background(), cell)
		if err != nil || value == "" {
			t.Fatalf("%s: %q, %v", cell, value, err)
		}
		shown := strings.Join(out.shown, "\n")
		for _, want := range []string{"spin", "cell [1]:2", "cell [1]:3", "for i := 0; i < n; i++ {", "of CPU time", "  spin"} {
			if !strings.Contains(shown, want) {
				t.Errorf("%s: %q is not in\n%s", cell, want, shown)
			}
		}
		if strings.Contains(shown, "ǃ") {
			t.Errorf("%s: generated names in\n%s", cell, shown)
		}
	}
	if got := n.must("kept"); got == "" {
		t.Error("what the statement declares is lost")
	}
}

// A cell that panics or is stopped shows its profile and leaves no profile running.
func TestMagicPrunOfCellsThatFail(t *testing.T) {
	n := open(t)
	n.must(spinning)
	_, out, err := n.eval(context.Background(), "%%prun\nspin(5_000_000)\npanic(1)")
	if err == nil || !strings.Contains(strings.Join(out.shown, ""), "spin") {
		t.Errorf("a panic: %v, shown %v", err, out.shown)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	_, out, err = n.eval(ctx, "%prun spin(1 << 60)")
	if err == nil || !strings.Contains(strings.Join(out.shown, ""), "spin") {
		t.Errorf("an interrupt: %v, shown %v", err, out.shown)
	}
	for _, tt := range []struct{ cell, want string }{
		{"%prun", "give a statement to run"},
		{"pprof.StartCPUProfile(io.Discard)\n%prun spin(1)", "cpu profiling already in use"},
	} {
		if _, _, err := n.eval(context.Background(), tt.cell); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.cell, err)
		}
	}
	n.must("pprof.StopCPUProfile()")
	if _, _, err := n.eval(context.Background(), "%prun spin(5_000_000)"); err != nil {
		t.Error(err)
	}
}

func TestMagicPrunOnThePortableEngine(t *testing.T) {
	s := engineCases[1].open(t)
	_, err := s.Eval(context.Background(), evaluator.Cell{Code: "%prun println(1)", Number: 1}, &recorder{})
	if err == nil || !strings.Contains(err.Error(), "the default engine can") {
		t.Errorf("it ended with %v", err)
	}
}
