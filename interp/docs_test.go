package interp_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp"
)

// TestCellLanguagePage runs the examples of docs/cell-language.md: each block of
// Go is a cell, and the block of text below it, if there is one, is all that the
// notebook shows. A section is a session.
func TestCellLanguagePage(t *testing.T) {
	b, err := os.ReadFile("../docs/cell-language.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	cells := 0
	for _, section := range strings.Split(string(b), "\n## ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		s := engineCases[0].open(t)
		number := 0
		blocks := strings.Split(text, "```")
		for i := 1; i < len(blocks); i += 2 {
			kind, code, _ := strings.Cut(blocks[i], "\n")
			if kind != "go" {
				continue
			}
			want := ""
			if i+2 < len(blocks) {
				if kind, text, _ := strings.Cut(blocks[i+2], "\n"); kind == "text" {
					want = text
				}
			}
			number++
			cells++
			out := &recorder{}
			res, err := s.Eval(context.Background(), interp.Cell{Code: strings.TrimSuffix(code, "\n"), Number: number}, out)
			if d := cmp.Diff(want, all(out, res, err)); d != "" {
				t.Errorf("%s, cell %d (-page +session):\n%s\n%s", title, number, code, d)
			}
		}
	}
	if cells < 30 {
		t.Errorf("the page has only %d cells: is it being read right?", cells)
	}
}

// all gives what a notebook shows of a cell.
func all(out *recorder, res interp.Result, err error) string {
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
	if e := (*interp.Error)(nil); errors.As(err, &e) {
		b.WriteString(plain(strings.Join(e.Traceback, "\n")) + "\n")
	}
	return b.String()
}
