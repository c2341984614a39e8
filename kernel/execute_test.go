package kernel_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/kernel/kerneltest"
)

func TestExecute(t *testing.T) {
	_, conn := start(t)
	tests := []struct {
		name, code string
		types      []string
		status     string
	}{
		{"nothing", "nothing", []string{"execute_input"}, "ok"},
		{"value", "value 42", []string{"execute_input", "execute_result"}, "ok"},
		{"stream before value", "print hello\nvalue 42", []string{"execute_input", "stream", "execute_result"}, "ok"},
		{"stream before display", "print a\ndisplay x\nprint b", []string{"execute_input", "stream", "display_data", "stream"}, "ok"},
		{"stream before error", "print a\nfail x", []string{"execute_input", "stream", "error"}, "error"},
		{"stream before clear", "print a\nclear\nprint b", []string{"execute_input", "stream", "clear_output", "stream"}, "ok"},
		{"streams in order", "print a\neprint b\nprint c", []string{"execute_input", "stream", "stream", "stream"}, "ok"},
		{"update", "display x\nupdate y", []string{"execute_input", "display_data", "update_display_data"}, "ok"},
		{"remove", "print a\ndisplay x\nprint b\nremove d1", []string{"execute_input", "stream", "display_data", "stream", "clear_output", "stream", "stream"}, "ok"},
		{"remove the only output", "display x\nremove d1", []string{"execute_input", "display_data", "clear_output"}, "ok"},
		{"remove what is not there", "display x\nremove y", []string{"execute_input", "display_data", "update_display_data"}, "ok"},
		{"remove after clear", "display x\nclear\nprint a\nremove d1", []string{"execute_input", "display_data", "clear_output", "stream", "update_display_data"}, "ok"},
		{"update without id", "update", []string{"execute_input", "error"}, "error"},
		{"empty bundle", "bare", []string{"execute_input", "display_data"}, "ok"},
		{"foreign error", "odd", []string{"execute_input", "error"}, "error"},
		{"evaluator panic", "crash now", []string{"execute_input", "error"}, "error"},
		{"value that cannot be encoded", "badvalue", []string{"execute_input", "error"}, "error"},
	}
	c := kerneltest.Connect(t, conn)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := c.Execute(tt.code)
			if d := cmp.Diff(tt.types, e.Types()); d != "" {
				t.Errorf("outputs (-want +got):\n%s", d)
			}
			if e.Status() != tt.status {
				t.Errorf("reply %v, want %s", e.Reply, tt.status)
			}
			if got := e.Reply.Int("execution_count"); got != i+1 {
				t.Errorf("execution_count %d, want %d", got, i+1)
			}
			if _, err := time.Parse(time.RFC3339Nano, e.Reply.Metadata["started"].(string)); err != nil {
				t.Errorf("metadata.started: %v", err)
			}
		})
	}
}

func TestBundleOnTheWire(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	got := c.Execute("display x").Of("display_data")[0].Content
	want := map[string]any{
		"data": map[string]any{
			"text/html":        "<b>x</b>",
			"image/png":        "UE5H", // "PNG" in base64
			"image/svg+xml":    "<svg/>",
			"application/json": map[string]any{"nan": nil, "n": 1.0},
		},
		"metadata":  map[string]any{"image/png": map[string]any{"width": 4.0}},
		"transient": map[string]any{"display_id": "d1"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("display_data (-want +got):\n%s", d)
	}
}

func TestParentHeaderIsVerbatim(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	// Odd spacing, an unknown field and an escape must come back as they are.
	header := `{"msg_id": "v1",  "session":"s", "username":"\u00fc<&>", "date":"2026-01-01T00:00:00Z", "msg_type":"execute_request", "version":"5.5", "x": [1, 2]}`
	c.SendRaw("shell", header, `{}`, `{}`, `{"code": "value 1"}`)
	for range 4 { // busy, execute_input, execute_result, idle
		if m := c.IOPub(); string(m.Parent) != header {
			t.Errorf("%s has parent %s, want %s", m.Type(), m.Parent, header)
		}
	}
	if m := c.Recv("shell"); string(m.Parent) != header {
		t.Errorf("reply has parent %s, want %s", m.Parent, header)
	}
}

func TestSilent(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	c.Execute("nothing")
	e := c.Request("shell", "execute_request", map[string]any{"code": "print a\ndisplay x\nvalue 1", "silent": true, "store_history": true})
	if len(e.Outputs) != 0 || e.Status() != "ok" || e.Reply.Int("execution_count") != 1 {
		t.Errorf("silent cell gave %v and %v, want no output and execution_count 1", e.Types(), e.Reply)
	}
	if !f.ran()[1].Silent {
		t.Error("the evaluator was not told that the cell is silent")
	}
	e = c.Request("shell", "execute_request", map[string]any{"code": "fail x", "silent": true})
	if len(e.Outputs) != 0 || e.Status() != "error" {
		t.Errorf("silent failing cell gave %v and %v, want an error reply only", e.Types(), e.Reply)
	}
	if h := history(c, map[string]any{"hist_access_type": "tail", "n": 10}); len(h) != 1 {
		t.Errorf("history is %v, want the first cell only", h)
	}
}

func TestStoreHistory(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	c.Execute("value 1")
	e := c.Request("shell", "execute_request", map[string]any{"code": "value 2", "store_history": false})
	if d := cmp.Diff([]string{"execute_input", "execute_result"}, e.Types()); d != "" {
		t.Errorf("outputs (-want +got):\n%s", d)
	}
	if got := e.Reply.Int("execution_count"); got != 1 {
		t.Errorf("execution_count %d, want the counter to stay at 1", got)
	}
	if got := c.Execute("value 3").Reply.Int("execution_count"); got != 2 {
		t.Errorf("the next cell has execution_count %d, want 2", got)
	}
	want := []any{[]any{1.0, 1.0, "value 1"}, []any{1.0, 2.0, "value 3"}}
	if d := cmp.Diff(want, history(c, map[string]any{"hist_access_type": "tail", "n": 10})); d != "" {
		t.Errorf("history (-want +got):\n%s", d)
	}
}

func TestUserExpressions(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	exprs := map[string]string{"a": "x", "b": "bad"}
	e := c.Request("shell", "execute_request", map[string]any{"code": "nothing", "user_expressions": exprs})
	want := map[string]any{
		"a": map[string]any{"status": "ok", "data": map[string]any{"text/plain": "=x"}, "metadata": map[string]any{}},
		"b": map[string]any{"status": "error", "ename": "undefined", "evalue": "bad", "traceback": []any{"undefined: bad"}},
	}
	if d := cmp.Diff(want, e.Reply.Content["user_expressions"]); d != "" {
		t.Errorf("user_expressions (-want +got):\n%s", d)
	}
	e = c.Request("shell", "execute_request", map[string]any{"code": "fail x", "user_expressions": exprs})
	if got := e.Reply.Content["user_expressions"]; len(got.(map[string]any)) != 0 {
		t.Errorf("user_expressions of a failed cell are %v, want none", got)
	}
}

func TestError(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	e := c.Execute("fail too bad")
	want := map[string]any{"ename": "panic", "evalue": "too bad", "traceback": []any{"panic: too bad", "cell 1, line 1"}}
	if d := cmp.Diff(want, e.Of("error")[0].Content); d != "" {
		t.Errorf("error (-want +got):\n%s", d)
	}
	for k, v := range want {
		if d := cmp.Diff(v, e.Reply.Content[k]); d != "" {
			t.Errorf("reply %s (-want +got):\n%s", k, d)
		}
	}
	// Front ends show the traceback and nothing else: there is always one.
	e = c.Execute("odd")
	if tb := e.Of("error")[0].Content["traceback"].([]any); len(tb) != 1 || tb[0] != "error: not a cell error" {
		t.Errorf("traceback is %q", tb)
	}
}

func TestStopOnError(t *testing.T) {
	for _, tt := range []struct {
		stop  any // nil: the default
		want  string
		types int // outputs of the cells behind the failure
	}{{true, "aborted", 0}, {nil, "aborted", 0}, {false, "ok", 2}} {
		_, conn := start(t)
		c := kerneltest.Connect(t, conn)
		request := map[string]any{"code": "sleep 300ms\nfail x"}
		if tt.stop != nil {
			request["stop_on_error"] = tt.stop
		}
		failing := c.Send("shell", "execute_request", request)
		queued := []string{
			c.Send("shell", "execute_request", map[string]any{"code": "value 1"}),
			c.Send("shell", "execute_request", map[string]any{"code": "value 2"}),
		}
		info := c.Send("shell", "kernel_info_request", map[string]any{})
		if e := c.Await("shell", failing, time.Now()); e.Status() != "error" {
			t.Errorf("failing cell: %v, want an error", e.Reply)
		}
		for _, id := range queued {
			e := c.Await("shell", id, time.Now())
			if e.Status() != tt.want || len(e.Outputs) != tt.types {
				t.Errorf("stop_on_error=%v: %v with outputs %v, want %s and %d outputs", tt.stop, e.Reply, e.Types(), tt.want, tt.types)
			}
		}
		if e := c.Await("shell", info, time.Now()); e.Status() != "ok" {
			t.Errorf("kernel_info behind a failure: %v, want ok", e.Reply)
		}
		if e := c.Execute("value 3"); e.Status() != "ok" {
			t.Errorf("after the queue: %v, want ok", e.Reply)
		}
	}
}

func TestPayload(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	e := c.Execute("page manual\nnext x := 1")
	want := []any{
		map[string]any{"source": "page", "data": map[string]any{"text/plain": "manual"}, "start": 0.0},
		map[string]any{"source": "set_next_input", "text": "x := 1", "replace": true},
	}
	if d := cmp.Diff(want, e.Reply.Content["payload"]); d != "" {
		t.Errorf("payload (-want +got):\n%s", d)
	}
	if e := c.Execute("nothing"); len(e.Reply.Content["payload"].([]any)) != 0 {
		t.Errorf("the next cell has the payload %v", e.Reply.Content["payload"])
	}
}

// TestIdleIsLast runs cells that end in every way with output pending: nothing
// of a cell may come after its idle, and the reply not before its outputs.
func TestIdleIsLast(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	for range 50 {
		for _, code := range []string{"print a\nvalue 1", "print a\nfail x", "lines 3000", "print a\neprint b", "raw \"\\xe4\""} {
			c.Execute(code)
		}
	}
	if m, ok := c.RecvWithin("iopub", 300*time.Millisecond); ok {
		t.Errorf("%v comes after the last idle", m)
	}
}

// history returns the elements of a history_reply.
func history(c *kerneltest.Client, request map[string]any) []any {
	h, _ := c.Request("shell", "history_request", request).Reply.Content["history"].([]any)
	return h
}
