package interp_test

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/google/go-cmp/cmp"
)

// TestCellLanguagePage runs the examples of docs/reference/cell-language.md.
func TestCellLanguagePage(t *testing.T) { runPage(t, "../docs/reference/cell-language.md") }

// TestFramesPage runs the examples of docs/reference/frames.md.
func TestFramesPage(t *testing.T) { runPage(t, "../docs/reference/frames.md") }

// runPage runs the examples of a page: each block of Go is a cell, and the block of
// text below it, if there is one, is all that the notebook shows. A block of input
// between them is what the user types, and a cell marked as interrupted is. Blocks of
// Python are for comparison. A section is a session.
func runPage(t *testing.T, path string) {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	cells := 0
	for _, section := range strings.Split(string(b), "\n## ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		s := engineCases[0].open(t)
		number := 0
		var blocks [][2]string // kind and text
		for i, block := range strings.Split(text, "```") {
			if i%2 == 1 {
				if kind, text, _ := strings.Cut(block, "\n"); kind != "python" {
					blocks = append(blocks, [2]string{kind, text})
				}
			}
		}
		for len(blocks) > 0 {
			kind, code := blocks[0][0], blocks[0][1]
			blocks = blocks[1:]
			if !strings.HasPrefix(kind, "go") {
				t.Errorf("%s: a block of %s stands below no cell", title, kind)
				continue
			}
			out := &reader{recorder: &recorder{}}
			want := ""
			if len(blocks) > 0 && blocks[0][0] == "input" {
				out.stdin = strings.SplitAfter(blocks[0][1], "\n")
				blocks = blocks[1:]
			}
			if len(blocks) > 0 && blocks[0][0] == "text" {
				want = blocks[0][1]
				blocks = blocks[1:]
			}
			number++
			cells++
			ctx, cancel := context.WithCancel(context.Background())
			if kind == "go interrupted" {
				time.AfterFunc(100*time.Millisecond, cancel)
			}
			res, err := s.Eval(ctx, evaluator.Cell{Code: strings.TrimSuffix(code, "\n"), Number: number, AllowStdin: true}, out)
			cancel()
			if d := cmp.Diff(tookSeconds.ReplaceAllString(want, "$1 s"), tookSeconds.ReplaceAllString(all(out.recorder, res, err), "$1 s")); d != "" {
				t.Errorf("%s, cell %d (-page +session):\n%s\n%s", title, number, code, d)
			}
		}
	}
	if cells < 30 {
		t.Errorf("the page has only %d cells: is it being read right?", cells)
	}
}

// tookSeconds is how long a test took.
var tookSeconds = regexp.MustCompile(`(?m)( (?:pass|fail|skip) +)\d+\.\d\d s$`)

// reader shows pages and the user's answers as a notebook does: below the cell.
type reader struct{ *recorder }

func (r *reader) Page(b display.Bundle) error {
	text, _ := b.Data[display.MIMEText].(string)
	r.Stdout(strings.TrimSuffix(text, "\n") + "\n")
	return nil
}

func (r *reader) Input(ctx context.Context, prompt string, password bool) (string, error) {
	line, err := r.recorder.Input(ctx, "", false)
	if err == nil && prompt != "" {
		r.Stdout(prompt + line + "\n")
	}
	return line, err
}

// all returns what a notebook shows of a cell.
func all(out *recorder, res evaluator.Result, err error) string {
	out.mu.Lock()
	defer out.mu.Unlock()
	var b strings.Builder
	b.WriteString(out.stdout.String() + plain(out.stderr.String()))
	for _, s := range out.shown {
		b.WriteString(s + "\n")
	}
	if res.Value != nil {
		text, _ := res.Value.Data[display.MIMEText].(string)
		b.WriteString(text + "\n")
	}
	if e := (*evaluator.Error)(nil); errors.As(err, &e) {
		b.WriteString(plain(strings.Join(e.Traceback, "\n")) + "\n")
	}
	return b.String()
}
