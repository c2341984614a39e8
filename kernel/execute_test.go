package kernel_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/kernel/kerneltest"
)

func TestExecute(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	e := c.Execute("print hello\nvalue 42")
	if d := cmp.Diff([]string{"execute_input", "stream", "execute_result"}, e.Types()); d != "" {
		t.Errorf("outputs (-want +got):\n%s", d)
	}
	if e.Status() != "ok" || e.Reply.Int("execution_count") != 1 {
		t.Errorf("reply %v, want ok and 1", e.Reply)
	}
	if got := e.Text("stdout"); got != "hello\n" {
		t.Errorf("stdout %q, want %q", got, "hello\n")
	}
}
