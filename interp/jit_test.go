package interp_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// growing declares spin, which is compiled as a whole, and grow, which calls append.
const growing = spinning + "\nfunc grow(n int) (l []int) {\n\tfor i := range n {\n\t\tl = append(l, spin(i))\n\t}\n\treturn l\n}"

// jitted runs a magic and returns all that it has shown and written, or its error.
func jitted(t *testing.T, n *notebook, code string) string {
	t.Helper()
	_, out, err := n.eval(context.Background(), code)
	if err != nil {
		return "error: " + err.Error()
	}
	return out.stdout.String() + strings.Join(out.shown, "\n")
}

// wantAll checks that a text has all parts.
func wantAll(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s: %q is not in\n%s", what, p, text)
		}
	}
}

func TestMagicJIT(t *testing.T) {
	t.Setenv(engine.JITVariable, "off")
	n := open(t)
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		wantAll(t, "without a JIT", jitted(t, n, "%jit on"), "needs the default engine on linux")
		return
	}
	n.must(growing)
	n.must("len(grow(10))")
	wantAll(t, "off", jitted(t, n, "%jit"), "the JIT is off; %jit on turns it on")
	n.must("%jit force")
	n.must("len(grow(10))")
	wantAll(t, "forced", jitted(t, n, "%jit"), "mode force", "spin", "cell [1] line 1", "grow", "line 9: calls append", "interpreted")
	n.must("%jit off")
	if shown := jitted(t, n, "%jit"); strings.Contains(shown, "spin") {
		t.Errorf("code was not dropped:\n%s", shown)
	}
	n.must("%jit on")
	wantAll(t, "on", jitted(t, n, "%jit"), "mode on", "no function has run for long enough")
	for args, want := range map[string]string{
		"all":        `must be off, on or force, got "all"`,
		"On":         `must be off, on or force, got "On"`,
		"-why":       "give one function after -why",
		"-why f g":   "give one function after -why",
		"off nobody": "there is no function nobody",
		"-why none":  "there is no function none",
		"force spin": "the arguments must be",
		"off a b":    "the arguments must be",
	} {
		wantAll(t, args, jitted(t, n, "%jit "+args), "error: ", want)
	}
}
