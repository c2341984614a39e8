package kernel_test

import (
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel/kerneltest"
	"github.com/google/go-cmp/cmp"
)

// sendTo sends a shell request to a subshell.
func sendTo(c *kerneltest.Client, subshell, kind string, content any) string {
	h := c.Header(kind)
	h.SubshellID = &subshell
	return c.SendFull("shell", h, nil, content, nil)
}

func createSubshell(c *kerneltest.Client) string {
	return c.Request("control", "create_subshell_request", map[string]any{}).Reply.Str("subshell_id")
}

func listSubshells(c *kerneltest.Client) []any {
	return c.Request("control", "list_subshell_request", map[string]any{}).Reply.Content["subshell_id"].([]any)
}

func TestSubshellLife(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	if got := listSubshells(c); len(got) != 0 {
		t.Errorf("a new kernel has the subshells %v", got)
	}
	a, b := createSubshell(c), createSubshell(c)
	if a == "" || a == b {
		t.Fatalf("subshells %q and %q", a, b)
	}
	if got := listSubshells(c); len(got) != 2 {
		t.Errorf("subshells are %v, want two", got)
	}
	for _, want := range []string{"ok", "error"} { // the second time it does not exist
		if e := c.Request("control", "delete_subshell_request", map[string]any{"subshell_id": a}); e.Status() != want {
			t.Errorf("delete: %v, want %s", e.Reply, want)
		}
	}
	if d := cmp.Diff([]any{b}, listSubshells(c)); d != "" {
		t.Errorf("subshells (-want +got):\n%s", d)
	}
	for _, kind := range []string{"create_subshell_request", "delete_subshell_request", "list_subshell_request"} {
		if e := c.Request("shell", kind, map[string]any{"subshell_id": b}); e.Status() != "error" {
			t.Errorf("%s on shell: %v, want an error", kind, e.Reply)
		}
	}
}

// TestSubshellWhileRunning sends queries to a subshell while a cell runs in the main shell.
func TestSubshellWhileRunning(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	sub := createSubshell(c)
	c.Send("shell", "execute_request", map[string]any{"code": "wait"})
	f.running(t)
	for kind, content := range map[string]map[string]any{
		"complete_request":    {"code": "foo"},
		"comm_info_request":   {},
		"comm_open":           {"comm_id": "1", "target_name": "none"},
		"kernel_info_request": {},
	} {
		c.Await("shell", sendTo(c, sub, kind, content), time.Now())
	}
	if e := c.Await("shell", sendTo(c, "none", "complete_request", map[string]any{"code": "foo"}), time.Now()); e.Status() != "error" {
		t.Errorf("unknown subshell: %v, want an error", e.Reply)
	}

	// A cell of the subshell waits for its turn and has its own count.
	cell := sendTo(c, sub, "execute_request", map[string]any{"code": "print sub\nvalue 1"})
	time.Sleep(50 * time.Millisecond)
	if n := len(f.ran()); n != 1 {
		t.Errorf("%d cells run at once, want 1", n)
	}
	c.Send("control", "interrupt_request", map[string]any{})
	e := c.Await("shell", cell, time.Now())
	if e.Status() != "ok" || e.Reply.Int("execution_count") != 1 || e.Text("stdout") != "sub\n" {
		t.Errorf("cell of the subshell: %v with output %q", e.Reply, e.Text("stdout"))
	}
	if got := c.Execute("value 2").Reply.Int("execution_count"); got != 2 {
		t.Errorf("the main shell counts %d, want 2", got)
	}
	want := []any{[]any{1.0, 1.0, "wait"}, []any{1.0, 2.0, "value 2"}}
	if d := cmp.Diff(want, history(c, map[string]any{"hist_access_type": "tail"})); d != "" {
		t.Errorf("history (-want +got):\n%s", d)
	}
}

// TestSubshellDeleted checks that the waiting requests of a deleted subshell are still answered.
func TestSubshellDeleted(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	sub, other := createSubshell(c), createSubshell(c)
	cell := sendTo(c, sub, "execute_request", map[string]any{"code": "gate"})
	asked := sendTo(c, sub, "connect_request", map[string]any{})
	arrived(c, other)
	c.Send("control", "delete_subshell_request", map[string]any{"subshell_id": sub})
	if m := c.Recv("control"); m.Str("status") != "ok" {
		t.Errorf("delete: %v, want ok", m)
	}
	f.gate <- struct{}{}
	for _, id := range []string{cell, asked} {
		if e := c.Await("shell", id, time.Now()); e.Status() != "ok" {
			t.Errorf("reply %v, want ok", e.Reply)
		}
	}
}
