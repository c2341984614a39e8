package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestCompletionOverTheWire asks the kernel as a frontend does, with positions in code points: in
// whole cells, in invalid ones, and while a cell runs.
func TestCompletionOverTheWire(t *testing.T) {
	c := startKernel(t)
	const mark = "‸"
	complete := func(t *testing.T, code string) (matches []string, replaced string, types map[string]string) {
		t.Helper()
		before, after, _ := strings.Cut(code, mark)
		whole := []rune(before + after)
		r := c.Request("shell", "complete_request", map[string]any{"code": string(whole), "cursor_pos": len([]rune(before))}).Reply
		list, _ := r.Content["matches"].([]any)
		for _, m := range list {
			matches = append(matches, m.(string))
		}
		types = map[string]string{}
		if meta, ok := r.Content["metadata"].(map[string]any); ok {
			entries, _ := meta["_jupyter_types_experimental"].([]any)
			for _, e := range entries {
				e := e.(map[string]any)
				kind, _ := e["type"].(string)
				text, _ := e["text"].(string)
				signature, _ := e["signature"].(string)
				types[text] = strings.TrimSpace(kind + " " + signature)
			}
		}
		return matches, string(whole[r.Int("cursor_start"):r.Int("cursor_end")]), types
	}
	if e := c.Execute("type Point struct{ X, Y int }\nfunc (p Point) Norm() float64 { return 0 }\npt := Point{1, 2}"); e.Status() != "ok" {
		t.Fatal(traceback(e))
	}
	for _, tt := range []struct {
		code, first, replaced string
		kind                  string // of the first match, with its signature
	}{
		{"strings.ToUp‸", "ToUpper", "ToUp", "function (s string) string"},
		{"pt.N‸", "Norm", "N", "method () float64"},
		{"pt.No‸", "Norm", "No", "method () float64"},
		{"Point{‸", "X: ", "", "field int"},
		{"Point{X: 1, ‸}", "Y: ", "", "field int"},
		{"ml.SVC{‸", "C: ", "", "field float64  C is the penalty on margin violations; 0 means 1."},
		{"ml.SVC{C: 1, Ker‸}", "Kernel: ", "Ker", ""},
		{"func f(alpha int) {\n\tif alpha > 1 {\n\t\treturn al‸", "alpha", "al", "variable int"},
		{"beta := 1; for { be‸", "beta", "be", "variable int"},
		{"import \"encoding/js‸", "encoding/json", "encoding/js", "module package json"},
		{"import (\n\t\"net/htt‸\n)", "net/http", "net/htt", ""},
		{"%timei‸", "%timeit", "%timei", ""},
		{"%%ba‸", "%%bash", "%%ba", ""},
		{"\"😀é\" + strings.ToUp‸", "ToUpper", "ToUp", ""},
		{"größe := 1; grö‸", "größe", "grö", "variable int"},
		{"foo(bar, [strings.Fiel‸", "Fields", "Fiel", ""},
		{"x := )\nstrings.Fiel‸", "Fields", "Fiel", ""},
	} {
		t.Run(tt.code, func(t *testing.T) {
			matches, replaced, types := complete(t, tt.code)
			if len(matches) == 0 || matches[0] != tt.first || replaced != tt.replaced {
				t.Fatalf("got %.5q in place of %q, want %q in place of %q", matches, replaced, tt.first, tt.replaced)
			}
			if tt.kind != "" && types[tt.first] != tt.kind {
				t.Errorf("it is %q, want %q", types[tt.first], tt.kind)
			}
		})
	}
	for _, code := range []string{"\"str‸", "// str‸", "x.‸", "1.‸"} {
		if matches, _, _ := complete(t, code); len(matches) > 0 {
			t.Errorf("%s has completions: %.5q", code, matches)
		}
	}
}

// TestCompletionWhileACellRuns asks in a subshell, which is how a frontend asks
// while the main shell is busy.
func TestCompletionWhileACellRuns(t *testing.T) {
	c := startKernel(t)
	sub := c.Request("control", "create_subshell_request", map[string]any{}).Reply.Str("subshell_id")
	if sub == "" {
		t.Fatal("no subshell")
	}
	start := time.Now()
	id := c.Send("shell", "execute_request", map[string]any{"code": "ready := 1\nfor {}"})
	for tries := 0; ; tries++ {
		h := c.Header("complete_request")
		h.SubshellID = &sub
		req := c.SendFull("shell", h, nil, map[string]any{"code": "rea", "cursor_pos": 3}, nil)
		list, _ := c.Await("shell", req, start).Reply.Content["matches"].([]any)
		if slices.Contains(list, any("ready")) {
			break
		}
		if tries == 200 {
			t.Fatal("the names of the running cell are not among the completions")
		}
		time.Sleep(10 * time.Millisecond)
	}
	c.Send("control", "interrupt_request", map[string]any{})
	for {
		if m := c.Recv("shell"); m.ParentID == id {
			if got := m.Str("status"); got != "error" {
				t.Errorf("the interrupted cell is %s", got)
			}
			break
		}
	}
}
