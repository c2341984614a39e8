package history

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestMain also runs in the child processes of TestProcesses.
func TestMain(m *testing.M) {
	if path := os.Getenv("HISTORY_TEST"); path != "" {
		if err := writeMany(path, os.Getenv("HISTORY_TEST_NAME")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

const manyCells = 300

func writeMany(path, name string) error {
	j := &journal{path: path, limit: 20_000}
	id, err := j.begin()
	if err != nil {
		return err
	}
	for i := range manyCells {
		if err := j.add([]Entry{{Session: id, Line: i + 1, Input: name, Output: strings.Repeat("x", 50)}}); err != nil {
			return err
		}
	}
	return nil
}

// TestProcesses makes several processes write one journal, which is compacted repeatedly. No line
// may be torn, and no session may hold cells of two processes.
func TestProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	var running []*exec.Cmd
	for i := range 3 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "HISTORY_TEST="+path, fmt.Sprint("HISTORY_TEST_NAME=", i))
		cmd.Stderr = t.Output()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	j := &journal{path: path, limit: 20_000}
	names := map[int64]string{}
	lines := map[int64]int{}
	cells := 0
	err := j.newest(func(e Entry) bool {
		cells++
		if n, ok := names[e.Session]; ok && n != e.Input {
			t.Fatalf("session %d holds cells of %s and %s", e.Session, n, e.Input)
		}
		if l, ok := lines[e.Session]; ok && l != e.Line+1 {
			t.Fatalf("line %d of session %d comes before %d", e.Line, e.Session, l)
		}
		names[e.Session], lines[e.Session] = e.Input, e.Line
		return true
	})
	if err != nil || cells < 50 {
		t.Fatalf("%d cells are left, %v, want about 100", cells, err)
	}
	text, err := os.ReadFile(path)
	if err != nil || len(text) > 25_000 {
		t.Errorf("the journal has %d bytes, %v, want at most a little over 20000", len(text), err)
	}
	if got := strings.Count(string(text), "\n") - strings.Count(string(text), `"start"`) - 1; got != cells {
		t.Errorf("got %d lines, %d of them cells", got, cells)
	}
	if id, err := j.begin(); err != nil || id != 4 {
		t.Errorf("the next session is %d, %v, want 4", id, err)
	}
}

func store(t *testing.T, path string) *Store {
	t.Helper()
	s := New(path, slog.New(slog.NewTextHandler(t.Output(), nil)), nil)
	t.Cleanup(func() { s.Close() })
	return s
}

func inputs(t *testing.T, s *Store) string {
	t.Helper()
	es, err := s.Tail(100)
	if err != nil {
		t.Fatal(err)
	}
	var in []string
	for _, e := range es {
		in = append(in, e.Input)
	}
	return strings.Join(in, " ")
}

// TestCorruptLines checks that lines that a crash or an editor has damaged do not affect other
// lines.
func TestCorruptLines(t *testing.T) {
	for name, tt := range map[string]struct{ tail, want string }{
		"none":             {"", "a b c"},
		"cut short":        {`{"session":1,"line":3,"input":"lo`, "a b c"},
		"cut in the start": {`{"session":2,"sta`, "a b c"},
		"junk":             {"\x00\x00\xff\n\n[]\n{\"session\":\"x\"}\n", "a b c"},
		"long junk":        {strings.Repeat("x", 3*block) + "\n", "a b c"},
		"no number":        {`{"line":7,"input":"z"}` + "\n", "a b c"},
		"one more":         {`{"session":1,"line":3,"input":"z"}` + "\n", "a b z c"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "history.jsonl")
			s := store(t, path)
			s.Add(Entry{Line: 1, Input: "a"})
			s.Add(Entry{Line: 2, Input: "b"})
			s.Close()
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString(tt.tail); err != nil {
				t.Fatal(err)
			}
			f.Close()
			s = store(t, path)
			s.Add(Entry{Line: 1, Input: "c"})
			if got := inputs(t, s); got != tt.want {
				t.Errorf("cells %q, want %q", got, tt.want)
			}
			if s.session != 2 {
				t.Errorf("the session is %d, want 2", s.session)
			}
		})
	}
}

// TestNoRegularFile checks that history is kept in memory if its file is a device or a directory.
func TestNoRegularFile(t *testing.T) {
	device := filepath.Join(t.TempDir(), "device")
	if err := os.Symlink(os.DevNull, device); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{t.TempDir(), device} {
		j := &journal{path: path, limit: 20_000}
		for _, err := range []error{j.check(), j.add([]Entry{{Session: 1, Line: 1, Input: "1"}})} {
			if err == nil || !strings.Contains(err.Error(), "must be a regular file") {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

// TestTornHeader checks that a journal whose first line was cut short is started again.
func TestTornHeader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	if err := os.WriteFile(path, header[:10], 0o600); err != nil {
		t.Fatal(err)
	}
	s := store(t, path)
	s.Add(Entry{Line: 1, Input: "a"})
	if got := inputs(t, s); got != "a" {
		t.Errorf("cells %q, want a", got)
	}
	if s.Close(); inputs(t, store(t, path)) != "a" {
		t.Error("the cell is not in the file")
	}
}

// TestLongCells checks that a long result is cut, and that a cell that is too long is not kept.
func TestLongCells(t *testing.T) {
	s := store(t, filepath.Join(t.TempDir(), "history.jsonl"))
	s.Add(Entry{Line: 1, Input: "a", Output: strings.Repeat("é", maxOutput)})
	s.Add(Entry{Line: 2, Input: strings.Repeat("x", maxInput+1)})
	s.Add(Entry{Line: 3, Input: strings.Repeat("y", maxInput)})
	got, err := s.Tail(10)
	if err != nil || len(got) != 2 || got[1].Line != 3 || len(got[1].Input) != maxInput {
		t.Fatalf("%d cells, %v, want the first and the third", len(got), err)
	}
	if out := got[0].Output; out != strings.Repeat("é", maxOutput/2)+"…" {
		t.Errorf("the result has %d bytes and ends in %q", len(out), out[len(out)-5:])
	}
}

// full is a file on a disk that has room for only half of the written bytes.
type full struct{ *os.File }

func (f full) Write(b []byte) (int, error) {
	n, err := f.File.Write(b[:len(b)/2])
	return n, errors.Join(err, syscall.ENOSPC)
}

// TestFullDisk checks that no line is kept if not all lines could be written, because all of them
// will be written again.
func TestFullDisk(t *testing.T) {
	f, err := os.OpenFile(filepath.Join(t.TempDir(), "history.jsonl"), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := write(f, []byte("one\n")); err != nil {
		t.Fatal(err)
	}
	if err := write(full{f}, []byte("two\nthree\n")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v, want an error that the disk is full", err)
	}
	if err := write(f, []byte("two\nthree\n")); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(f.Name()); err != nil || string(b) != "one\ntwo\nthree\n" {
		t.Errorf("the file is %q, %v", b, err)
	}
}

// TestCompact checks that compaction keeps the newest cells and the number of the last session.
func TestCompact(t *testing.T) {
	j := &journal{path: filepath.Join(t.TempDir(), "history.jsonl"), limit: 2000}
	if _, err := j.begin(); err != nil {
		t.Fatal(err)
	}
	id, err := j.begin()
	if err != nil || id != 2 {
		t.Fatalf("session %d, %v, want 2", id, err)
	}
	for i := range 200 {
		if err := j.add([]Entry{{Session: id, Line: i + 1, Input: "cell"}}); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(j.path); err != nil || info.Size() > j.limit {
			t.Fatalf("after %d cells: %v, %v", i+1, info.Size(), err)
		}
	}
	next := 200
	err = j.newest(func(e Entry) bool {
		if e.Line != next || e.Session != 2 {
			t.Fatalf("cell %d of session %d, want %d", e.Line, e.Session, next)
		}
		next--
		return true
	})
	if err != nil || next > 185 || next == 0 {
		t.Errorf("cells after %d are missing, %v", next, err)
	}
	if id, err := j.latest(); err != nil || id != 2 {
		t.Errorf("the last session is %d, %v, want 2", id, err)
	}
	if left, err := filepath.Glob(j.path + ".new"); err != nil || len(left) > 0 {
		t.Errorf("the files %v are left, %v", left, err)
	}
}

func TestGlob(t *testing.T) {
	for _, tt := range []struct {
		glob, text string
		want       bool
	}{
		{"", "", true}, {"", "x", false}, {"*", "", true}, {"*", "a\nb", true}, {"?", "é", true}, {"?", "ab", false},
		{"a.c", "abc", false}, {"a.c", "a.c", true}, {"a*c", "abbc\n", false}, {"(x+)$", "(x+)$", true},
		{"[abc]", "b", true}, {"[a-c]", "b", true}, {"[a-c]", "d", false}, {"[^a-c]", "d", true}, {"[^a-c]", "b", false},
		{"[]]", "]", true}, {"[^]]", "]", false}, {"[[]", "[", true}, {"[a-]", "-", true}, {"[-a]", "-", true}, {"[z-a]", "b", false},
		{`[\]`, `\`, true}, {`\*`, `\x`, true}, {"[ab", "[ab", true}, {"x[", "x[", true}, {"[", "[", true}, {"[^", "[^", true},
		{"[a-c]x*[0-9]", "bx then 7", true}, {"[é-ü]", "ö", true}, {"[a^]", "^", true}, {"[[:alpha:]]", ":]", true},
	} {
		expr, err := compileGlob(tt.glob)
		if err != nil {
			t.Errorf("%q: %v", tt.glob, err)
			continue
		}
		if got := expr.MatchString(tt.text); got != tt.want {
			t.Errorf("%q matches %q: %v, want %v (%s)", tt.glob, tt.text, got, tt.want, expr)
		}
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("a[^]b-c]*?[", "x")
	f.Fuzz(func(t *testing.T, glob, text string) {
		expr, err := compileGlob(glob)
		if err != nil {
			t.Fatalf("%q: %v", glob, err)
		}
		expr.MatchString(text)
		if !strings.ContainsAny(glob, "*?[") && strings.ToValidUTF8(glob, "") == glob && !expr.MatchString(glob) {
			t.Errorf("%q does not match itself", glob)
		}
	})
}
