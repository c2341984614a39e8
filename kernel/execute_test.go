package kernel_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel/kerneltest"
	"github.com/google/go-cmp/cmp"
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
		{"value beyond the limit", "hugevalue", []string{"execute_input", "error"}, "error"},
		{"display beyond the limit", "print a\nhuge", []string{"execute_input", "stream", "error"}, "error"},
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
	// The kernel must send back unusual spacing, an unknown field and an escape sequence unchanged.
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
	// The output of an expression must come before idle.
	for range 20 {
		e = c.Request("shell", "execute_request", map[string]any{"code": "keep output", "user_expressions": map[string]string{"a": "print"}})
		if got := e.Text("stdout"); got != "from an expression\n" {
			t.Errorf("the expression's output before idle is %q", got)
		}
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
	// Frontends show only the traceback, so there must be one.
	e = c.Execute("odd")
	if tb := e.Of("error")[0].Content["traceback"].([]any); len(tb) != 1 || tb[0] != "error: not a cell error" {
		t.Errorf("traceback is %q", tb)
	}
}

func TestStopOnError(t *testing.T) {
	for _, tt := range []struct {
		stop  any // nil means the default
		want  string
		types int // outputs of the cells after the failure
	}{{true, "aborted", 0}, {nil, "aborted", 0}, {false, "ok", 2}} {
		f, conn := start(t)
		c := kerneltest.Connect(t, conn)
		sub := createSubshell(c)
		request := map[string]any{"code": "gate\nfail x"}
		if tt.stop != nil {
			request["stop_on_error"] = tt.stop
		}
		failing := c.Send("shell", "execute_request", request)
		queued := []string{
			c.Send("shell", "execute_request", map[string]any{"code": "value 1"}),
			c.Send("shell", "execute_request", map[string]any{"code": "value 2"}),
		}
		other := c.Send("shell", "connect_request", map[string]any{})
		arrived(c, sub)
		f.gate <- struct{}{}
		if e := c.Await("shell", failing, time.Now()); e.Status() != "error" {
			t.Errorf("failing cell: %v, want an error", e.Reply)
		}
		for _, id := range queued {
			e := c.Await("shell", id, time.Now())
			if e.Status() != tt.want || len(e.Outputs) != tt.types {
				t.Errorf("stop_on_error=%v: %v with outputs %v, want %s and %d outputs", tt.stop, e.Reply, e.Types(), tt.want, tt.types)
			}
		}
		if e := c.Await("shell", other, time.Now()); e.Status() != "ok" {
			t.Errorf("connect_request after a failure: %v, want ok", e.Reply)
		}
		count := 2 // aborted cells do not increase the count
		if tt.want == "ok" {
			count = 4
		}
		if e := c.Execute("value 3"); e.Status() != "ok" || e.Reply.Int("execution_count") != count {
			t.Errorf("after the queue: %v, want ok as number %d", e.Reply, count)
		}
	}
}

// arrived returns when the kernel has read everything that c has sent on shell. The messages of
// one client come in order, and a subshell answers without delay.
func arrived(c *kerneltest.Client, subshell string) {
	id := sendTo(c, subshell, "kernel_info_request", map[string]any{})
	for m := c.Recv("shell"); m.ParentID != id; m = c.Recv("shell") {
	}
}

// TestStopOnErrorOfABurst sends the cells of a notebook one by one, as a frontend does when it runs
// all cells. The first cell fails before the others have arrived. If the burst is interrupted on a
// busy machine, the test tries again.
func TestStopOnErrorOfABurst(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	for range 20 {
		before := len(f.ran())
		ids := []string{c.Send("shell", "execute_request", map[string]any{"code": "fail x"})}
		for range 10 {
			time.Sleep(time.Millisecond)
			ids = append(ids, c.Send("shell", "execute_request", map[string]any{"code": "nothing"}))
		}
		aborted := 0
		for i, id := range ids {
			e := c.Await("shell", id, time.Now())
			switch {
			case i == 0 && e.Status() != "error":
				t.Errorf("the first cell: %v, want an error", e.Reply)
			case e.Status() == "aborted":
				aborted++
				if len(e.Outputs) > 0 {
					t.Errorf("cell %d was aborted but has the outputs %v", i, e.Types())
				}
			}
		}
		// A cell that is sent after the reply is not part of the burst.
		count := len(f.ran()) + 1
		if e := c.Execute("value 2"); e.Status() != "ok" || e.Reply.Int("execution_count") != count {
			t.Errorf("the next cell: %v, want it to run as number %d", e.Reply, count)
		}
		if aborted == len(ids)-1 && count-1-before == 1 {
			return
		}
	}
	t.Error("no attempt aborted all cells after the first")
}

// TestInterruptAndTheQueue interrupts a cell while another one waits. The interrupt stops only the
// first. The second cell is aborted or runs, depending on stop_on_error.
func TestInterruptAndTheQueue(t *testing.T) {
	for stop, want := range map[bool]string{true: "aborted", false: "ok"} {
		f, conn := start(t)
		c := kerneltest.Connect(t, conn)
		sub := createSubshell(c)
		running := c.Send("shell", "execute_request", map[string]any{"code": "wait", "stop_on_error": stop})
		<-f.waiting
		queued := c.Send("shell", "execute_request", map[string]any{"code": "value 1"})
		other := c.Send("shell", "connect_request", map[string]any{})
		arrived(c, sub)
		c.Send("control", "interrupt_request", map[string]any{})
		if e := c.Await("shell", running, time.Now()); e.Reply.Str("ename") != "interrupted" || len(e.Of("error")) != 1 {
			t.Errorf("the running cell: %v with %v, want interrupted", e.Reply, e.Types())
		}
		if e := c.Await("shell", queued, time.Now()); e.Status() != want {
			t.Errorf("stop_on_error=%v: the queued cell: %v, want %s", stop, e.Reply, want)
		}
		if e := c.Await("shell", other, time.Now()); e.Status() != "ok" {
			t.Errorf("connect_request after them: %v, want ok", e.Reply)
		}
		if n := f.interrupted(); n != 1 {
			t.Errorf("the evaluator was interrupted %d times, want once", n)
		}
	}
}

// TestInterruptAtOnce interrupts each cell as soon as the client can know that it runs.
func TestInterruptAtOnce(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	for range 200 {
		id := c.Send("shell", "execute_request", map[string]any{"code": "wait", "stop_on_error": false})
		for m := c.IOPub(); m.Type() != "execute_input" || m.ParentID != id; m = c.IOPub() {
		}
		c.Send("control", "interrupt_request", map[string]any{})
		if m := c.Recv("shell"); m.ParentID != id || m.Str("ename") != "interrupted" {
			t.Fatalf("got %v, want the cell interrupted", m)
		}
		<-f.waiting
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

// TestIdleIsLast runs cells that end in each possible way while output is pending. No message of a
// cell may come after its idle, and all its outputs must come before its reply.
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

// TestFinishedCellsHoldNoText runs cells that print and show a lot, and checks that the kernel
// keeps little memory for them.
func TestFinishedCellsHoldNoText(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	heap := func() int64 {
		var m runtime.MemStats
		for range 2 { // the second collection empties pools
			runtime.GC()
		}
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	const cells, size = 50, 900_000
	before := heap()
	for range cells {
		// The fake evaluator retains the cell's Output (the writer), so that goroutines can print
		// after the cell.
		if e := c.Execute(fmt.Sprintf("keep output\nbytes %d\ndisplay x", size)); e.Status() != "ok" {
			t.Fatal(e.Reply)
		}
	}
	if grown := heap() - before; grown > cells*size/5 {
		t.Errorf("%d cells that printed %d bytes each keep %d bytes in memory", cells, size, grown)
	}
	runtime.KeepAlive(f)
}

// history returns the entries of a history_reply.
func history(c *kerneltest.Client, request map[string]any) []any {
	h, _ := c.Request("shell", "history_request", request).Reply.Content["history"].([]any)
	return h
}
