package kernel_test

import (
	"path/filepath"
	"testing"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/kerneltest"
	"github.com/google/go-cmp/cmp"
)

// TestHistory requests the cells of two sessions with each kind of history_request.
func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	withHistory := func(c *kernel.Config) { c.HistoryPath = path }
	run := func(c *kerneltest.Client, codes ...string) {
		for _, code := range codes {
			c.Execute(code)
		}
	}
	t.Run("an earlier session", func(t *testing.T) { // its kernel ends with the subtest
		_, conn := start(t, withHistory)
		run(kerneltest.Connect(t, conn), "value a", "nothing", "value a")
	})
	_, conn := start(t, withHistory)
	c := kerneltest.Connect(t, conn)
	run(c, "value b", "fail x", "value a", "print <&>")

	type d = map[string]any
	cell := func(session, line float64, input any) any { return []any{session, line, input} }
	pair := func(input string, output any) any { return []any{input, output} }
	for _, tt := range []struct {
		name    string
		request d
		want    []any
	}{
		{"tail", d{"hist_access_type": "tail", "n": 2}, []any{cell(2, 3, "value a"), cell(2, 4, "print <&>")}},
		{"tail over sessions", d{"hist_access_type": "tail", "n": 5, "raw": true},
			[]any{cell(1, 3, "value a"), cell(2, 1, "value b"), cell(2, 2, "fail x"), cell(2, 3, "value a"), cell(2, 4, "print <&>")}},
		{"tail without a number", d{"hist_access_type": "tail"},
			[]any{cell(1, 1, "value a"), cell(1, 2, "nothing"), cell(1, 3, "value a"), cell(2, 1, "value b"), cell(2, 2, "fail x"), cell(2, 3, "value a"), cell(2, 4, "print <&>")}},
		{"tail of none", d{"hist_access_type": "tail", "n": 0}, []any{}},
		{"tail with outputs", d{"hist_access_type": "tail", "n": 2, "output": true},
			[]any{cell(2, 3, pair("value a", "a")), cell(2, 4, pair("print <&>", nil))}},
		{"range of this session", d{"hist_access_type": "range", "session": 0, "start": 2, "stop": 4}, []any{cell(2, 2, "fail x"), cell(2, 3, "value a")}},
		{"range to the end", d{"hist_access_type": "range", "start": 3}, []any{cell(2, 3, "value a"), cell(2, 4, "print <&>")}},
		{"range from line 0, which is none", d{"hist_access_type": "range", "start": 0, "stop": 2}, []any{cell(2, 1, "value b")}},
		{"range of the last session", d{"hist_access_type": "range", "session": -1, "start": 1, "stop": 3, "output": true},
			[]any{cell(1, 1, pair("value a", "a")), cell(1, 2, pair("nothing", nil))}},
		{"range of a session by number", d{"hist_access_type": "range", "session": 1, "start": 3}, []any{cell(1, 3, "value a")}},
		{"range of a session that never was", d{"hist_access_type": "range", "session": 77}, []any{}},
		{"search", d{"hist_access_type": "search", "pattern": "value*"},
			[]any{cell(1, 1, "value a"), cell(1, 3, "value a"), cell(2, 1, "value b"), cell(2, 3, "value a")}},
		{"search for unique cells", d{"hist_access_type": "search", "pattern": "value*", "unique": true}, []any{cell(2, 1, "value b"), cell(2, 3, "value a")}},
		{"search for one", d{"hist_access_type": "search", "pattern": "value*", "n": 1, "unique": true}, []any{cell(2, 3, "value a")}},
		{"search with outputs", d{"hist_access_type": "search", "pattern": "value ?", "n": 1, "output": true}, []any{cell(2, 3, pair("value a", "a"))}},
		{"search without a pattern", d{"hist_access_type": "search", "n": 1}, []any{cell(2, 4, "print <&>")}},
		{"search in vain", d{"hist_access_type": "search", "pattern": "VALUE*"}, []any{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, history(c, tt.request)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	for _, bad := range []d{{}, {"hist_access_type": "all"}, {"hist_access_type": "tail", "n": -1}, {"hist_access_type": "range", "session": "x"}} {
		if r := c.Request("shell", "history_request", bad).Reply; r.Str("status") != "error" {
			t.Errorf("%v is answered by %v, want an error", bad, r)
		}
	}
}
