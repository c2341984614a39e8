//go:build linux && (amd64 || arm64)

package interp_test

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// TestJITPage runs the examples of docs/how-to/jit.md.
func TestJITPage(t *testing.T) { runPage(t, "../docs/how-to/jit.md", 3) }

// A function that is switched off is interpreted, also where others call it or inline it, and after
// it is declared again.
func TestMagicJITOfAFunction(t *testing.T) {
	t.Setenv(engine.JITVariable, "force")
	n := open(t)
	const small = "func small(x int) int { return x + %s }"
	n.must(strings.Replace(small, "%s", "1", 1))
	n.must("type T struct{ n int }\nfunc (t *T) add(n int) { for i := range n { t.n += small(i) } }\nfunc run() int { t := &T{}; t.add(5); return t.n }")
	if out := n.must("run()"); !strings.Contains(out, "15") {
		t.Errorf("got %s", out)
	}
	wantAll(t, "forced", jitted(t, n, "%jit -why T.add"), "was compiled to", "t.n += small(i)", "machine code")
	n.must("%jit off T.add")
	wantAll(t, "off", jitted(t, n, "%jit"), "all: it is switched off")
	wantAll(t, "off", jitted(t, n, "%jit -why T.add"), "is interpreted: it is switched off")
	n.must("run()")
	n.must("%jit on T.add")
	n.must("%jit off small")
	n.must("run()")
	wantAll(t, "a callee that is off", jitted(t, n, "%jit -why T.add"), "was compiled to", "machine code")
	wantAll(t, "a callee that is off", jitted(t, n, "%jit -why small"), "is interpreted: it is switched off")
	n.must("%jit on small")
	n.must("run()")
	wantAll(t, "a callee that is on again", jitted(t, n, "%jit -why T.add"), "was compiled to", "machine code")
	n.must("%jit off small")
	n.must(strings.Replace(small, "%s", "2", 1))
	if out := n.must("run()"); !strings.Contains(out, "20") {
		t.Errorf("got %s", out)
	}
	wantAll(t, "declared again", jitted(t, n, "%jit -why small"), "is interpreted: it is switched off")
}

// An explanation compiles a function that has not run.
func TestMagicJITExplains(t *testing.T) {
	t.Setenv(engine.JITVariable, "off")
	n := open(t)
	n.must(growing)
	wantAll(t, "a function that has not run", jitted(t, n, "%jit -why grow"),
		"grow (cell [1] line 7) can be compiled to", "l = append(l, spin(i))", "and the interpreter: calls append")
	n.must("func both(n int) (s int) {\n\tf := func(k int) int {\n\t\tfor k > 9 {\n\t\t\tk /= 2\n\t\t}\n\t\treturn k\n\t}\n\tfor i := range n {\n\t\ts += f(i)\n\t}\n\treturn s\n}")
	wantAll(t, "a function literal", jitted(t, n, "%jit -why both"), "both (cell", "func literal in both (cell", "k /= 2")
	wantAll(t, "compiled Go", jitted(t, n, "%jit -why strings.Index"), "there is no function strings.Index in cells or packages from source")
}
