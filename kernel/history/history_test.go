package history_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/kernel/history"
)

func open(t testing.TB, path string) *history.Store {
	t.Helper()
	s := history.New(path, slog.New(slog.NewTextHandler(t.Output(), nil)), nil)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// session records inputs as cells of a session and closes it.
func session(t testing.TB, path string, inputs ...string) {
	t.Helper()
	s := open(t, path)
	add(s, inputs...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func add(s *history.Store, inputs ...string) {
	for i, in := range inputs {
		s.Add(history.Entry{Line: i + 1, Input: in, Output: strings.ToUpper(in)})
	}
}

func entry(session int64, line int, input string) history.Entry {
	return history.Entry{Session: session, Line: line, Input: input, Output: strings.ToUpper(input)}
}

func TestQueries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "history.jsonl")
	session(t, path, "a1", "b", "a1")
	session(t, path, "a2", "[x]", "b")
	s := open(t, path)
	add(s, "a3", "é", "c\nd")

	tests := []struct {
		name string
		ask  func() ([]history.Entry, error)
		want []history.Entry
	}{
		{"tail", func() ([]history.Entry, error) { return s.Tail(4) },
			[]history.Entry{entry(2, 3, "b"), entry(3, 1, "a3"), entry(3, 2, "é"), entry(3, 3, "c\nd")}},
		{"tail of nothing", func() ([]history.Entry, error) { return s.Tail(0) }, nil},
		{"this session", func() ([]history.Entry, error) { return s.Range(0, 1, -1) },
			[]history.Entry{entry(3, 1, "a3"), entry(3, 2, "é"), entry(3, 3, "c\nd")}},
		{"part of this session", func() ([]history.Entry, error) { return s.Range(0, 2, 3) }, []history.Entry{entry(3, 2, "é")}},
		{"last session", func() ([]history.Entry, error) { return s.Range(-1, 1, 2) }, []history.Entry{entry(2, 1, "a2")}},
		{"first session", func() ([]history.Entry, error) { return s.Range(1, 2, 4) }, []history.Entry{entry(1, 2, "b"), entry(1, 3, "a1")}},
		{"session that never was", func() ([]history.Entry, error) { return s.Range(99, 1, -1) }, nil},
		{"search", func() ([]history.Entry, error) { return s.Search("a*", -1, false) },
			[]history.Entry{entry(1, 1, "a1"), entry(1, 3, "a1"), entry(2, 1, "a2"), entry(3, 1, "a3")}},
		{"search, unique", func() ([]history.Entry, error) { return s.Search("a*", -1, true) },
			[]history.Entry{entry(1, 3, "a1"), entry(2, 1, "a2"), entry(3, 1, "a3")}},
		{"search, newest two", func() ([]history.Entry, error) { return s.Search("a*", 2, false) },
			[]history.Entry{entry(2, 1, "a2"), entry(3, 1, "a3")}},
		{"question mark", func() ([]history.Entry, error) { return s.Search("?", -1, true) }, []history.Entry{entry(2, 3, "b"), entry(3, 2, "é")}},
		{"set", func() ([]history.Entry, error) { return s.Search("a[2-3]", -1, false) }, []history.Entry{entry(2, 1, "a2"), entry(3, 1, "a3")}},
		{"literal bracket", func() ([]history.Entry, error) { return s.Search("[[]x]", -1, false) }, []history.Entry{entry(2, 2, "[x]")}},
		{"across lines", func() ([]history.Entry, error) { return s.Search("c*d", -1, false) }, []history.Entry{entry(3, 3, "c\nd")}},
		{"no match", func() ([]history.Entry, error) { return s.Search("A*", -1, false) }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.ask()
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestMemory(t *testing.T) {
	s := open(t, "")
	add(s, "x")
	got, err := s.Tail(5)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]history.Entry{entry(1, 1, "x")}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestNothingIsOpenedEarly checks that a kernel that runs no cell creates no file.
func TestNothingIsOpenedEarly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	s := open(t, path)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("Stat: %v, want no file", err)
	}
}

// TestHold checks that cells are written soon after the last cell, or later if another cell runs.
// It also checks that only the function passed to New writes them.
func TestHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	synctest.Test(t, func(t *testing.T) {
		var writes atomic.Int32
		s := history.New(path, slog.New(slog.NewTextHandler(t.Output(), nil)), func(work func()) { writes.Add(1); work() })
		after := func(d time.Duration, want int) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if got := int(writes.Load()); got != want {
				t.Fatalf("written %d times, want %d", got, want)
			}
		}
		s.Hold() // nothing to hold
		add(s, "a")
		after(time.Second, 1)
		add(s, "b")
		s.Hold()
		after(4*time.Second, 1)
		after(2*time.Second, 2)
		add(s, "c")
		s.Hold()
		add(s, "d") // the cell has ended
		after(time.Second, 3)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
	s := open(t, path)
	got, err := s.Tail(4)
	want := []history.Entry{entry(1, 1, "a"), entry(1, 1, "b"), entry(1, 1, "c"), entry(1, 1, "d")}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("Tail: %v, -want +got:\n%s", err, diff)
	}
}

func TestPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("Windows: the modes of files are not those of Unix; they are not checked")
		return
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "history.jsonl")
	if err := os.WriteFile(path, nil, 0o644); err != nil { // as another tool may have left it
		t.Fatal(err)
	}
	s := open(t, path)
	add(s, "x")
	if _, err := s.Tail(1); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(path + "*")
	if err != nil || len(files) != 2 { // the journal and its lock
		t.Fatalf("files %q, %v", files, err)
	}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %o, want 600", f, mode)
		}
	}
}

// TestShared lets several kernels write and read one file at once.
func TestShared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	const kernels, cells = 5, 20
	var g sync.WaitGroup
	for k := range kernels {
		s := open(t, path)
		g.Go(func() {
			for i := range cells {
				s.Add(history.Entry{Line: i + 1, Input: fmt.Sprintf("k%d", k)})
				if _, err := s.Range(0, 1, -1); err != nil { // this writes, too
					t.Error(err)
				}
			}
		})
	}
	g.Wait()
	got, err := open(t, path).Tail(1000)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != kernels*cells {
		t.Errorf("%d cells were kept, want %d", len(got), kernels*cells)
	}
	owner := map[int64]string{}
	for _, e := range got {
		if o, ok := owner[e.Session]; ok && o != e.Input {
			t.Errorf("session %d holds cells of %s and %s", e.Session, o, e.Input)
		}
		owner[e.Session] = e.Input
	}
}

// TestForeignFile checks that history is kept in memory if its file is not a journal, and that
// the file, which someone may need, is not changed.
func TestForeignFile(t *testing.T) {
	for name, text := range map[string]string{
		"junk":      strings.Repeat("this is not a history\n", 500),
		"SQLite":    "SQLite format 3\x00\x10\x00\x02\x02",
		"JSON":      `{"session":1,"line":1,"input":"x"}` + "\n",
		"of later":  `{"format":"gokernel history","version":2}` + "\n",
		"directory": "",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "history.jsonl")
			if name == "directory" {
				if err := os.Mkdir(path, 0o700); err != nil {
					t.Fatal(err)
				}
			} else if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			s := open(t, path)
			add(s, "x")
			if got, err := s.Tail(5); err != nil || len(got) != 1 {
				t.Errorf("Tail returns %v, %v, want the cell", got, err)
			}
			if got, err := s.Range(0, 1, -1); err != nil || len(got) != 1 {
				t.Errorf("Range returns %v, %v, want the cell", got, err)
			}
			if name == "directory" {
				return
			}
			if b, err := os.ReadFile(path); err != nil || string(b) != text {
				t.Errorf("the file was changed: %v", err)
			}
		})
	}
}

// TestQueryBeginsNoSession checks that a kernel that only queries the history starts no session.
func TestQueryBeginsNoSession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	session(t, path, "a")
	asks := open(t, path)
	if got, err := asks.Range(-1, 1, -1); err != nil || len(got) != 1 || got[0].Input != "a" {
		t.Errorf("the previous session has %v, %v, want a", got, err)
	}
	if got, err := asks.Range(0, 1, -1); err != nil || len(got) != 0 {
		t.Errorf("the current session has %v, %v, want nothing", got, err)
	}
	session(t, path, "b")
	if got, err := asks.Tail(1); err != nil || len(got) != 1 || got[0].Session != 2 {
		t.Errorf("the next session is %v, %v, want 2", got, err)
	}
}

func TestAfterClose(t *testing.T) {
	s := open(t, "")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	add(s, "x")
	if _, err := s.Tail(1); err == nil {
		t.Error("a closed store returns no error")
	}
}

func BenchmarkAdd(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "history.jsonl"))
	for b.Loop() {
		s.Add(history.Entry{Line: 1, Input: "x := 1"})
	}
}

// filled returns a journal of n cells.
func filled(b *testing.B, n int) *history.Store {
	s := open(b, filepath.Join(b.TempDir(), "history.jsonl"))
	for i := range n {
		s.Add(history.Entry{Line: i + 1, Input: fmt.Sprintf("x%d := []float64{1, 2, 3}\nfmt.Println(x%d, \"and so on\")", i, i), Output: "1 2 3"})
		if i%5000 == 0 {
			if _, err := s.Tail(1); err != nil { // writes
				b.Fatal(err)
			}
		}
	}
	return s
}

func BenchmarkTail(b *testing.B) {
	s := filled(b, 20_000)
	for b.Loop() {
		if got, err := s.Tail(100); err != nil || len(got) != 100 {
			b.Fatal(len(got), err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	s := filled(b, 20_000)
	for b.Loop() {
		if got, err := s.Search("*x1999[0-9]*", -1, true); err != nil || len(got) != 10 {
			b.Fatal(len(got), err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	s := filled(b, 20_000)
	for b.Loop() {
		s.Add(history.Entry{Line: 1, Input: "x := 1"})
		if _, err := s.Tail(1); err != nil {
			b.Fatal(err)
		}
	}
}
