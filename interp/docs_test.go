package interp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/google/go-cmp/cmp"
)

// pagesWithCells are the pages of docs whose blocks of Go are run as cells, with the smallest
// number of cells that a page must have.
var pagesWithCells = map[string]int{
	"guide/data-frames.md":         15,
	"guide/machine-learning.md":    25,
	"guide/plotting.md":            25,
	"guide/probability.md":         10,
	"guide/statistics.md":          20,
	"guide/supervised.md":          18,
	"guide/unsupervised.md":        10,
	"how-to/databases.md":          6,
	"how-to/homework.md":           2,
	"how-to/larger-than-memory.md": 7,
	"how-to/outgrow.md":            3,
	"reference/cell-language.md":   30,
	"reference/frames.md":          30,
	"tutorial/first-notebook.md":   14,
	"tutorial/go-for-notebooks.md": 22,
}

// notRun are the pages whose blocks of Go TestPages does not run, with the reason.
var notRun = map[string]string{
	"how-to/jit.md":         "TestJITPage runs them, on linux",
	"reference/packages.md": "fetches modules from the network",
}

// TestPages runs the cells of the pages.
func TestPages(t *testing.T) {
	for name, cells := range pagesWithCells {
		t.Run(name, func(t *testing.T) { runPage(t, filepath.Join("../docs", name), cells) })
	}
}

// TestEachPageWithCellsIsRun reports pages with blocks of Go that no table here lists.
func TestEachPageWithCellsIsRun(t *testing.T) {
	docs := os.DirFS("../docs")
	for name := range notRun {
		if _, err := fs.Stat(docs, name); err != nil {
			t.Errorf("notRun: %v", err)
		}
	}
	err := fs.WalkDir(docs, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".md" || pagesWithCells[name] > 0 || notRun[name] != "" {
			return err
		}
		b, err := fs.ReadFile(docs, name)
		if bytes.Contains(b, []byte("\n```go")) {
			t.Errorf("docs/%s has cells that no test runs: add it to pagesWithCells, or to notRun with the reason", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// pageBlock is a fenced block of a page with the offsets of its text, or a link to a picture
// between blocks.
type pageBlock struct {
	kind, text string
	from, to   int
}

// blocksOf returns the blocks and pictures of a section. It omits blocks of Python, shell commands
// and JSON, which are not cells.
func blocksOf(section string) []pageBlock {
	var parts []pageBlock
	at := 0
	for i, block := range strings.Split(section, "```") {
		if i%2 == 1 {
			kind, text, _ := strings.Cut(block, "\n")
			if kind != "python" && kind != "sh" && kind != "json" {
				parts = append(parts, pageBlock{kind, text, at + len(kind) + 1, at + len(block)})
			}
		} else if m := figureLink.FindStringSubmatch(block); m != nil {
			parts = append(parts, pageBlock{kind: "picture", text: m[1]})
		}
		at += len(block) + len("```")
	}
	return parts
}

// figureLink is a link to a figure that a cell of the page draws.
var figureLink = regexp.MustCompile(`!\[[^\]]*\]\(\.\./images/((?:guide|tutorial)-[a-z-]+\.svg)\)`)

// runPage runs the examples of a page. Each Go block is a cell, and the text block below it, if
// any, is all that the notebook shows. For a block marked as a figure, the text is the figure's
// description, and a picture linked below it is the figure as SVG. An input block below a cell is
// what the user types. A cell marked as interrupted is interrupted. A cell marked as changing shows
// something that depends on the version of the engine. A section is a session, and so is a whole
// tutorial or docs/how-to/jit.md. The flag -update-cells rewrites the existing text blocks and the
// pictures.
func runPage(t *testing.T, path string, least int) {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	images := filepath.Join(filepath.Dir(file), "..", "images")
	t.Chdir(t.TempDir())
	cells := 0
	page := strings.Split(string(b), "\n## ")
	whole := strings.Contains(path, "/tutorial/") || strings.HasSuffix(path, "/how-to/jit.md")
	s, number := engineCases[0].open(t), 0
	for i, section := range page[1:] {
		title, _, _ := strings.Cut(section, "\n")
		if i > 0 && !whole {
			s, number = engineCases[0].open(t), 0
		}
		changed, moved := section, 0
		parts := blocksOf(section)
		for len(parts) > 0 {
			kind, code := parts[0].kind, parts[0].text
			parts = parts[1:]
			if !strings.HasPrefix(kind, "go") {
				t.Errorf("%s: a block of %s follows no cell", title, kind)
				continue
			}
			out := &reader{recorder: &recorder{}}
			if len(parts) > 0 && parts[0].kind == "input" {
				out.stdin = strings.SplitAfter(parts[0].text, "\n")
				parts = parts[1:]
			}
			var want *pageBlock
			if len(parts) > 0 && parts[0].kind == "text" {
				want, parts = &parts[0], parts[1:]
			}
			picture := ""
			if len(parts) > 0 && parts[0].kind == "picture" {
				picture, parts = parts[0].text, parts[1:]
			}
			number++
			cells++
			ctx, cancel := context.WithCancel(context.Background())
			if kind == "go interrupted" {
				time.AfterFunc(100*time.Millisecond, cancel)
			}
			res, err := s.Eval(ctx, evaluator.Cell{Code: strings.TrimSuffix(code, "\n"), Number: number, AllowStdin: true}, out)
			cancel()
			got := all(out.recorder, res, err)
			if kind == "go changing" {
				if err != nil || got == "" {
					t.Errorf("%s, cell %d shows nothing or fails: %v\n%s", title, number, err, code)
				}
				continue
			}
			if kind == "go figure" {
				got, _, _ = strings.Cut(got, "\n\n")
				got = strings.TrimSuffix(got, "\n") + "\n"
				if res.Value == nil || res.Value.Data[display.MIMESVG] == nil {
					t.Errorf("%s, cell %d shows no figure:\n%s", title, number, got)
				} else if picture != "" {
					samePicture(t, filepath.Join(images, picture), fmt.Sprint(res.Value.Data[display.MIMESVG]))
				}
			}
			if *update && want != nil {
				changed = changed[:want.from+moved] + got + changed[want.to+moved:]
				moved += len(got) - (want.to - want.from)
				continue
			}
			text := ""
			if want != nil {
				text = want.text
			}
			if d := cmp.Diff(tookSeconds.ReplaceAllString(text, "$1 s"), tookSeconds.ReplaceAllString(got, "$1 s")); d != "" {
				t.Errorf("%s, cell %d (-page +session):\n%s\n%s", title, number, code, d)
			}
		}
		page[i+1] = changed
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(page, "\n## ")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if cells < least {
		t.Errorf("the page has only %d cells, want %d: is it being read right?", cells, least)
	}
}

// samePicture compares a figure with a file of the documentation, or writes the file.
func samePicture(t *testing.T, file, svg string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(svg), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != svg {
		t.Errorf("%s is not the figure of the cell above it (%v): run go test ./interp -run Page -update-cells and look at it", file, err)
	}
}

// tookSeconds matches the duration of a test.
var tookSeconds = regexp.MustCompile(`(?m)( (?:pass|fail|skip) +)\d+\.\d\d s$`)

// reader shows pages and the user's answers below the cell, as a notebook does.
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

// all returns what a notebook shows for a cell.
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
