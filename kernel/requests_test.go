package kernel_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/kerneltest"
	"github.com/gokernel/gokernel/kernel/msg"
	"github.com/google/go-cmp/cmp"
)

func TestKernelInfo(t *testing.T) {
	_, conn := start(t, func(c *kernel.Config) {
		c.Info = kernel.Info{Implementation: "impl", Version: "1.2", LanguageVersion: "1.26.8", Banner: "hi", HelpLinks: []msg.Link{{Text: "Go", URL: "https://go.dev"}}}
	})
	c := kerneltest.Connect(t, conn)
	for _, channel := range []string{"shell", "control"} {
		e := c.Request(channel, "kernel_info_request", map[string]any{})
		want := map[string]any{
			"status": "ok", "protocol_version": "5.5", "implementation": "impl", "implementation_version": "1.2", "banner": "hi",
			"language_info": map[string]any{
				"name": "go", "version": "1.26.8", "mimetype": "text/x-go", "file_extension": ".go",
				"pygments_lexer": "go", "codemirror_mode": "go", "nbconvert_exporter": "script",
			},
			"help_links":         []any{map[string]any{"text": "Go", "url": "https://go.dev"}},
			"supported_features": []any{"kernel subshells"}, "debugger": false,
		}
		if d := cmp.Diff(want, e.Reply.Content); d != "" {
			t.Errorf("%s (-want +got):\n%s", channel, d)
		}
	}
}

func TestComplete(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	tests := []struct {
		name, code string
		cursor     any
		matches    []any
		start, end int
	}{
		{"ascii", "a foo b", 5, []any{"foofoo"}, 2, 5},
		{"after an emoji", "😀 é foo", 7, []any{"foofoo"}, 4, 7},
		{"nothing to offer", "a ", 2, []any{}, 2, 2},
		{"no cursor is the end", "😀 fo", nil, []any{"fofo"}, 2, 4},
		{"beyond the end", "fo", 99, []any{"fofo"}, 0, 2},
		{"before the start", "fo", -3, []any{}, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := map[string]any{"code": tt.code}
			if tt.cursor != nil {
				req["cursor_pos"] = tt.cursor
			}
			r := c.Request("shell", "complete_request", req).Reply
			if d := cmp.Diff(tt.matches, r.Content["matches"]); d != "" {
				t.Errorf("matches (-want +got):\n%s", d)
			}
			if r.Int("cursor_start") != tt.start || r.Int("cursor_end") != tt.end {
				t.Errorf("cursor %d to %d, want %d to %d", r.Int("cursor_start"), r.Int("cursor_end"), tt.start, tt.end)
			}
			types := r.Content["metadata"].(map[string]any)["_jupyter_types_experimental"].([]any)
			if len(types) != len(tt.matches) {
				t.Fatalf("%d types for %d matches", len(types), len(tt.matches))
			}
			for i, ty := range types {
				want := map[string]any{"start": float64(tt.start), "end": float64(tt.end), "text": tt.matches[i], "type": "function", "signature": "()"}
				if d := cmp.Diff(want, ty); d != "" {
					t.Errorf("type (-want +got):\n%s", d)
				}
			}
		})
	}
	if r := c.Request("shell", "complete_request", map[string]any{"code": "oops"}).Reply; r.Str("status") != "error" {
		t.Errorf("failed completion: %v, want an error", r)
	}
}

func TestInspect(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	r := c.Request("shell", "inspect_request", map[string]any{"code": "é😀x", "cursor_pos": 2, "detail_level": 1}).Reply
	want := map[string]any{"status": "ok", "found": true, "data": map[string]any{"text/plain": "é😀|1"}, "metadata": map[string]any{}}
	if d := cmp.Diff(want, r.Content); d != "" {
		t.Errorf("found (-want +got):\n%s", d)
	}
	r = c.Request("shell", "inspect_request", map[string]any{"code": "x", "cursor_pos": 0}).Reply
	want = map[string]any{"status": "ok", "found": false, "data": map[string]any{}, "metadata": map[string]any{}}
	if d := cmp.Diff(want, r.Content); d != "" {
		t.Errorf("not found (-want +got):\n%s", d)
	}
}

func TestIsComplete(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	for code, want := range map[string]map[string]any{
		"x := 1": {"status": "complete"},
		"for {":  {"status": "incomplete", "indent": "\t"},
		"?":      {"status": "unknown"},
	} {
		r := c.Request("shell", "is_complete_request", map[string]any{"code": code}).Reply
		if d := cmp.Diff(want, r.Content); d != "" {
			t.Errorf("%q (-want +got):\n%s", code, d)
		}
	}
}

func TestConnect(t *testing.T) {
	_, conn := start(t)
	r := kerneltest.Connect(t, conn).Request("shell", "connect_request", map[string]any{}).Reply
	want := map[string]any{
		"status": "ok", "shell_port": float64(conn.ShellPort), "iopub_port": float64(conn.IOPubPort),
		"stdin_port": float64(conn.StdinPort), "control_port": float64(conn.ControlPort), "hb_port": float64(conn.HBPort),
	}
	if d := cmp.Diff(want, r.Content); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestUsage(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	r := c.Request("control", "usage_request", map[string]any{}).Reply
	if r.Int("pid") != os.Getpid() || r.Int("cpu_count") != runtime.NumCPU() || r.Int("kernel_memory") < 1<<20 {
		t.Errorf("usage is %v", r.Content)
	}
	// Use some CPU time; the next reading must show it.
	for start := time.Now(); time.Since(start) < 150*time.Millisecond; {
		_ = fmt.Sprint(start)
	}
	r = c.Request("control", "usage_request", map[string]any{}).Reply
	if runtime.GOOS == "linux" && r.Content["kernel_cpu"].(float64) <= 0 {
		t.Errorf("kernel_cpu is %v after a busy loop, want more than 0", r.Content["kernel_cpu"])
	}
}

func TestDebug(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	r := c.Request("control", "debug_request", map[string]any{"seq": 7, "type": "request", "command": "initialize"}).Reply
	if r.Content["success"] != false || r.Int("request_seq") != 7 || r.Str("command") != "initialize" {
		t.Errorf("debug_reply is %v", r.Content)
	}
}

func TestUnknownTypes(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	for _, channel := range []string{"shell", "control"} {
		for _, kind := range []string{"strange", "comm_strange"} {
			if e := c.Request(channel, kind, map[string]any{}); len(e.Outputs) != 0 {
				t.Errorf("%s on %s led to %v, want busy and idle only", kind, channel, e.Types())
			}
		}
	}
	id := c.Send("shell", "strange_request", map[string]any{})
	c.Allow("strange_reply", "shell")
	if e := c.Await("shell", id, time.Now()); e.Status() != "error" || !strings.Contains(e.Reply.Str("evalue"), "strange_request") {
		t.Errorf("strange_request is answered by %v, want an error that names it", e.Reply)
	}
}

func TestExecuteOnControlIsRefused(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	c.Allow("execute_reply", "control")
	if e := c.Request("control", "execute_request", map[string]any{"code": "value 1"}); e.Status() != "error" {
		t.Errorf("reply %v, want an error", e.Reply)
	}
	if len(f.ran()) != 0 {
		t.Error("the cell ran")
	}
}

// TestControlWhileRunning sends every type of control request while a cell runs on shell.
func TestControlWhileRunning(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	id := c.Send("shell", "execute_request", map[string]any{"code": "wait"})
	f.running(t)
	for kind, content := range map[string]map[string]any{
		"kernel_info_request": {}, "usage_request": {}, "connect_request": {}, "comm_info_request": {},
		"debug_request":       {"seq": 1, "command": "x"},
		"complete_request":    {"code": "a"},
		"inspect_request":     {"code": "a"},
		"is_complete_request": {"code": "a"},
		"history_request":     {"hist_access_type": "tail"},
	} {
		e := c.Request("control", kind, content)
		if e.Reply.Type() == "" || e.Status() == "error" {
			t.Errorf("%s: %v", kind, e.Reply)
		}
	}
	if e := c.Request("control", "interrupt_request", map[string]any{}); e.Status() != "ok" {
		t.Errorf("interrupt: %v", e.Reply)
	}
	for {
		m := c.Recv("shell")
		if m.ParentID == id {
			if m.Str("ename") != "interrupted" {
				t.Errorf("the cell ends with %v, want interrupted", m)
			}
			return
		}
	}
}

// TestInterruptOfNothing checks that an interrupt between cells is answered and does not affect
// the next cell.
func TestInterruptOfNothing(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	for _, channel := range []string{"control", "shell"} {
		if e := c.Request(channel, "interrupt_request", map[string]any{}); e.Status() != "ok" {
			t.Errorf("%s: %v, want ok", channel, e.Reply)
		}
	}
	if e := c.Execute("value 1"); e.Status() != "ok" || f.interrupted() != 0 {
		t.Errorf("the next cell: %v after %d interrupts of the evaluator, want ok and 0", e.Reply, f.interrupted())
	}
}

func TestHeartbeat(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	c.Ping("ping")
	c.Send("shell", "execute_request", map[string]any{"code": "wait"})
	f.running(t)
	c.Ping("while a cell runs")
}
