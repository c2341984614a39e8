package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
	"unicode"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/execute"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/mattn/go-isatty"
)

// progress shows the progress of a run, with a line for each cell.
type progress struct {
	w        io.Writer
	terminal bool
	color    bool
	total    int // cells to run
	failed   int // the number of the last cell that failed, from 1
}

func newProgress(w io.Writer, nb *notebook.Notebook) *progress {
	p := &progress{w: w, total: len(execute.Cells(nb))}
	if f, ok := w.(*os.File); ok {
		// Not all Windows consoles support escape sequences.
		p.terminal = isatty.IsTerminal(f.Fd()) && runtime.GOOS != "windows"
		p.color = p.terminal && os.Getenv("NO_COLOR") == ""
	}
	return p
}

// line returns the line about a cell, with space for its state.
func (p *progress) line(index int, c *notebook.Cell, state string) string {
	width := len(fmt.Sprint(p.total))
	src, _, _ := strings.Cut(strings.TrimSpace(c.Source), "\n")
	src = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' ' // a tab would shift the line, and an escape sequence would color it
		}
		return r
	}, src)
	if r := []rune(src); len(r) > 48 {
		src = string(r[:47]) + "…"
	}
	return fmt.Sprintf("  [%*d/%d] %s  %s", width, index+1, p.total, state, src)
}

func (p *progress) begin(index int, c *notebook.Cell) {
	if p.terminal {
		fmt.Fprint(p.w, p.line(index, c, "        ..... "))
	}
}

func (p *progress) end(index int, c *notebook.Cell, took time.Duration, err error) {
	state, paint := "ok   ", "32"
	switch {
	case err != nil && c.Tagged("raises-exception"):
		state = "error, as expected"
	case err != nil:
		state, paint = "ERROR", "31"
		p.failed = index + 1
	}
	if p.color {
		state = "\x1b[" + paint + "m" + state + "\x1b[0m"
	}
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	fmt.Fprintln(p.w, p.line(index, c, fmt.Sprintf("%7.2fs %s", took.Seconds(), state)))
	if err == nil || c.Tagged("raises-exception") {
		return
	}
	text := err.Error()
	if ce := (*evaluator.Error)(nil); errors.As(err, &ce) && len(ce.Traceback) > 0 {
		text = strings.Join(ce.Traceback, "\n")
	}
	fmt.Fprintln(p.w, "    "+strings.ReplaceAll(p.harmless(text), "\n", "\n    "))
}

// moved reports that the controls of a cell's figure have been moved for the page.
func (p *progress) moved(index int, c *notebook.Cell, frames int, took time.Duration) {
	state := fmt.Sprintf("%7.2fs %d frames for the page", took.Seconds(), frames)
	if frames == 0 {
		state = fmt.Sprintf("%7.2fs no frames for the page", took.Seconds())
	}
	fmt.Fprintln(p.w, p.line(index, c, state))
}

// summary reports how the run ended; err is what ended it early.
func (p *progress) summary(res execute.Result, took time.Duration, err error) {
	took = took.Round(10 * time.Millisecond)
	switch left := p.total - res.Cells; {
	case err != nil:
		fmt.Fprintf(p.w, "interrupted: %d of %d cells did not run\n", left, p.total)
	case p.total == 0:
		fmt.Fprintln(p.w, "the notebook has no code cells")
	case left > 0:
		fmt.Fprintf(p.w, "cell %d failed: %d of %d cells did not run; give --allow-errors to continue after a failure\n", p.failed, left, p.total)
	case res.Failed > 0:
		fmt.Fprintf(p.w, "%d of %d cells failed, in %v\n", res.Failed, p.total, took)
	case p.total == 1:
		fmt.Fprintf(p.w, "the cell ran in %v\n", took)
	default:
		fmt.Fprintf(p.w, "all %d cells ran in %v\n", p.total, took)
	}
}

// escapes matches the sequences that color text on a terminal.
var escapes = pattern.New("\x1b\\[[0-9;]*m")

// harmless removes control characters from a text of the notebook, because a cell could use them to
// change the terminal's title or settings, or to make the terminal send input. It keeps colors if
// they are shown.
func (p *progress) harmless(text string) string {
	plain := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsControl(r) && r != '\n' && r != '\t' {
				return unicode.ReplacementChar
			}
			return r
		}, s)
	}
	var b strings.Builder
	for at := 0; ; {
		found := escapes().FindStringIndex(text[at:])
		if found == nil {
			b.WriteString(plain(text[at:]))
			return b.String()
		}
		b.WriteString(plain(text[at : at+found[0]]))
		if p.color {
			b.WriteString(text[at+found[0] : at+found[1]])
		}
		at += found[1]
	}
}
