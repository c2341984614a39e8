package ssa_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
)

// The error of a stopped cell contains its stack, innermost call first.
func TestStoppedCellsTellWhere(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		want string // function:line, innermost first, of the outer calls
	}{
		"empty loop":        {"func main() {\nx := 1\n_ = x\nfor {}\n}", "main:4"},
		"empty condition":   {"var on = true\nfunc main() {\nprint()\nfor on {}\n}", "main:4"},
		"only a loop":       {"func main() {\n\n\tfor {\n\n}\n}", "main:3"},
		"second loop":       {"func main() {\nfor i := 0; i < 3; i++ {}\nfor {}\n}", "main:3"},
		"counting":          {"func main() {\nn := 0\nfor i := 0; i < 1<<60; i++ {\nn += i\n}\n}", "main:4"},
		"body of lines":     {"var n int\nfunc main() {\nfor {\nn++\nn--\n}\n}", "main:4"},
		"called":            {"func spin(n int) int {\nfor n > 0 { n++; n-- }\nreturn n\n}\nfunc main() {\nprint()\nprint(spin(3))\n}", "spin:2 main:7"},
		"inlined":           {"var n int\nfunc abs(x int) int {\nif x < 0 { return -x }\nreturn x\n}\nfunc main() {\nfor {\nn += abs(n)\n}\n}", "main:8"},
		"closure":           {"func main() {\nf := func() {\nfor {\nprint()\n}\n}\nf()\n}", "func literal in main:4 main:7"},
		"range over func":   {"func seq(yield func() bool) { for yield() {} }\nfunc main() {\nn := 0\nfor range seq {\nn++\n}\n}", "seq:1 main:4"},
		"receive":           {"func main() {\ngo func() { for {} }()\nch := make(chan int)\n<-ch\n}", "main:4"},
		"select":            {"func main() {\ngo func() { for {} }()\nselect {\n}\n}", "main:3"},
		"sleep":             {"import \"time\"\nfunc nap() {\ntime.Sleep(time.Hour)\n}\nfunc main() {\nnap()\n}", "nap:3 main:6"},
		"lock":              {"import \"sync\"\nvar mu sync.Mutex\nfunc main() {\ngo func() { for {} }()\nmu.Lock()\nmu.Lock()\n}", "main:6"},
		"wait group":        {"import \"sync\"\nfunc main() {\ngo func() { for {} }()\nvar wg sync.WaitGroup\nwg.Add(1)\nwg.Wait()\n}", "main:6"},
		"compiled read":     {"import \"os\"\nfunc read() {\nr, _, _ := os.Pipe()\nr.Read(make([]byte, 1))\n}\nfunc main() {\nread()\n}", "read:4 main:7"},
		"by reflection":     {"import (\"os\"; \"reflect\")\nfunc main() {\nr, _, _ := os.Pipe()\nreflect.ValueOf(r.Read).Call([]reflect.Value{reflect.ValueOf(make([]byte, 1))})\n}", "main:4"},
		"through interface": {"import (\"io\"; \"os\")\nfunc main() {\nf, _, _ := os.Pipe()\nvar r io.Reader = f\nr.Read(make([]byte, 1))\n}", "main:5"},
		"compiled work":     {"import \"math/big\"\nfunc main() {\nn := new(big.Int)\nn.Exp(big.NewInt(3), big.NewInt(1<<23), nil)\n}", "main:4"},
		"callback":          {"import \"sort\"\nfunc main() {\nsort.Slice([]int{2, 1}, func(i, j int) bool {\nfor {\nprint()\n}\n})\n}", "func literal in main:5 main:3"},
		"deferred goes on":  {"func main() {\ndefer func() {\nfor {}\n}()\nfor {}\n}", "main:5"},
		"variable":          {"var x = func() int {\nfor {\nprint()\n}\n}()", "func literal in init:3 init:5"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, engine.Hooks{})
			s.want(`var kept = 7`, "")
			got := ""
			// On a busy machine, the cell may not have reached the place in time, so try again with
			// more time.
			for after := 100 * time.Millisecond; after < 5*time.Second && !strings.HasSuffix(got, " "+c.want); after *= 3 {
				ctx, cancel := context.WithTimeout(t.Context(), after)
				_, err := s.run(ctx, c.src)
				cancel()
				var stopped *engine.Stopped
				if !errors.As(err, &stopped) || !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("error is %v, want that of the context", err)
				}
				got = ""
				for _, f := range stopped.Stack {
					got += fmt.Sprintf(" %s:%d", f.Func, f.Pos.Line)
				}
			}
			if !strings.HasSuffix(got, " "+c.want) {
				t.Errorf("stopped in%s, want %s", got, c.want)
			}
			s.want(`func main() { print(kept) }`, "7")
		})
	}
}

// If a cell is stopped during a call of a compiled function, no code of the cell runs after the
// function returns.
func TestStoppedInCompiledCode(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	s.want(`import "os"; var r, w, _ = os.Pipe(); var went = make(chan int, 1)`, "")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := s.run(ctx, `func main() { r.Read(make([]byte, 1)); went <- 1 }`); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("error is %v, want that of the context", err)
	}
	s.want(`import "time"; func main() { w.Write([]byte{1}); time.Sleep(50*time.Millisecond); print(len(went)) }`, "0")
}

// A cell can be stopped while an abandoned cell is still running.
func TestStoppedBesideOneLeftBehind(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	s.want(`import "os"; var r, w, _ = os.Pipe()`, "")
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		s.wrote = func() { time.AfterFunc(20*time.Millisecond, cancel) } // line 2 runs
		_, err := s.run(ctx, "func main() {\nprint(0); r.Read(make([]byte, 1))\n}")
		s.wrote = nil
		var stopped *engine.Stopped
		if !errors.As(err, &stopped) || len(stopped.Stack) != 1 || stopped.Stack[0].Pos.Line != 2 {
			t.Errorf("got %+v, want it stopped at line 2", err)
		}
	}
}
