package interp_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp"
)

// TestCells runs the sessions of testdata/cells on each engine. A file holds
// cells, each followed by what it prints ("stdout", "stderr"), shows ("shown"),
// is worth ("out") and by its error ("error"). With -update the outputs of the
// default engine are written anew.
func TestCells(t *testing.T) {
	for _, e := range engineCases {
		t.Run(e.name, func(t *testing.T) {
			for _, file := range cellFiles(t) {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
					runFile(t, e, file)
				})
			}
		})
	}
}

func cellFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../testdata/cells/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cells: %v", err)
	}
	return files
}

func runFile(t *testing.T, e engineCase, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if reason := exception(ar, e.name); reason != "" {
		t.Logf("not on %s: %s", e.name, reason)
		return
	}
	file, err = filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	s := e.open(t)
	got := &txtar.Archive{Comment: ar.Comment}
	add := func(name, text string) {
		if text != "" {
			if !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			got.Files = append(got.Files, txtar.File{Name: name, Data: []byte(text)})
		}
	}
	n := 0
	for i, f := range ar.Files {
		switch f.Name {
		case "cell":
		case "stdin":
			got.Files = append(got.Files, f)
			continue
		default:
			continue
		}
		n++
		out := &recorder{}
		if i > 0 && ar.Files[i-1].Name == "stdin" {
			out.stdin = strings.SplitAfter(string(ar.Files[i-1].Data), "\n")
		}
		res, err := s.Eval(context.Background(), interp.Cell{Code: strings.TrimSuffix(string(f.Data), "\n"), Number: n, AllowStdin: true}, out)
		got.Files = append(got.Files, f)
		out.mu.Lock()
		add("stdout", out.stdout.String())
		add("stderr", plain(out.stderr.String()))
		add("shown", strings.Join(out.shown, "\n"))
		out.mu.Unlock()
		if res.Value != nil {
			text, _ := res.Value.Data[display.MIMEText].(string)
			add("out", text)
		}
		var failed *interp.Error
		switch {
		case errors.As(err, &failed):
			add("error", plain(strings.Join(failed.Traceback, "\n")))
		case err != nil:
			t.Errorf("cell %d: %v is not an *interp.Error", n, err)
		}
	}
	want, have := string(txtar.Format(ar)), string(txtar.Format(got))
	if want == have {
		return
	}
	if *update && e.byDefault {
		if err := os.WriteFile(file, []byte(have), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s differs (-want +got):\n%s", filepath.Base(file), cmp.Diff(strings.Split(want, "\n"), strings.Split(have, "\n")))
}

var update = flag.Bool("update-cells", false, "write the expected outputs of cells anew")

var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

// plain takes out of text what differs from run to run: colors and times.
func plain(s string) string { return ansi.ReplaceAllString(s, "") }

// exception gives the reason for which an engine is not given a file: a line
// "not NAME: reason" of its comment.
func exception(ar *txtar.Archive, engine string) string {
	for line := range strings.Lines(string(ar.Comment)) {
		if r, ok := strings.CutPrefix(line, "not "+engine+": "); ok {
			return strings.TrimSpace(r)
		}
	}
	return ""
}

// recorder keeps what a cell shows.
type recorder struct {
	mu             sync.Mutex
	stdout, stderr strings.Builder
	shown          []string
	stdin          []string
}

func (r *recorder) Stdout(s string) { r.mu.Lock(); defer r.mu.Unlock(); r.stdout.WriteString(s) }
func (r *recorder) Stderr(s string) { r.mu.Lock(); defer r.mu.Unlock(); r.stderr.WriteString(s) }

func (r *recorder) Display(b display.Bundle) error { return r.add("", b) }
func (r *recorder) Update(b display.Bundle) error  { return r.add("update ", b) }
func (r *recorder) Page(b display.Bundle) error    { return r.add("page ", b) }
func (r *recorder) Clear(wait bool) error {
	return r.add(fmt.Sprintf("clear %v", wait), display.Bundle{})
}
func (r *recorder) SetNextInput(text string, replace bool) error {
	return r.add(fmt.Sprintf("next input (replace %v): %s", replace, text), display.Bundle{})
}

func (r *recorder) add(what string, b display.Bundle) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	text, _ := b.Data[display.MIMEText].(string)
	r.shown = append(r.shown, what+text)
	return nil
}

// Input gives the lines of the file's "stdin" section, one a call.
func (r *recorder) Input(_ context.Context, prompt string, password bool) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.stdin) == 0 || r.stdin[0] == "" {
		return "", io.EOF
	}
	line := strings.TrimSuffix(r.stdin[0], "\n")
	r.stdin = r.stdin[1:]
	if prompt != "" || password {
		r.shown = append(r.shown, fmt.Sprintf("input %q password=%v", prompt, password))
	}
	return line, nil
}
