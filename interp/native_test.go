package interp_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
)

func TestMagicNative(t *testing.T) {
	if _, _, err := open(t).eval(context.Background(), "%native"); err == nil || !strings.Contains(err.Error(), "GOKERNEL_NATIVE=on") {
		t.Errorf("where there is none: %v", err)
	}
	t.Setenv("GOKERNEL_NATIVE", "force")
	n := open(t)
	n.must(spinning + "\nfunc grow(n int) (l []int) {\n\tfor i := range n {\n\t\tl = append(l, spin(i))\n\t}\n\treturn l\n}")
	n.must("len(grow(10))")
	_, out, err := n.eval(context.Background(), "%native")
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		if err == nil {
			t.Error("machine code where there is none")
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	shown := strings.Join(out.shown, "\n")
	for _, want := range []string{"spin", "cell [1] line 1", "grow", "line 9: calls append", "left to the interpreter"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not in\n%s", want, shown)
		}
	}
	if _, _, err := n.eval(context.Background(), "%native all"); err == nil || !strings.Contains(err.Error(), "takes no arguments") {
		t.Errorf("with an argument: %v", err)
	}
}
