package fault

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// maxFrames is the maximum number of stack frames to show.
const maxFrames = 8

// Panic describes a panic that ended the cell or something the cell started. Where describes what
// panicked, and is "" for the cell itself.
func Panic(p *engine.Panic, where string, src Sources) *evaluator.Error {
	if p.Overflow != "" {
		return overflow(p, where, src)
	}
	e := &evaluator.Error{Name: p.Kind(), Value: FirstLine(p.Text)}
	head := bold + e.Name + reset + ": " + p.Text
	if where != "" {
		head += faint + " (" + where + ")" + reset
	}
	add(e, head)
	stack(e, p.Stack, src)
	if hint := advice(p.Text); hint != "" {
		add(e, hintLine(hint))
	}
	if p.Fatal {
		add(e, "  the variables are kept")
	}
	return e
}

// Failed describes an error returned by a call at the top level of the cell.
func Failed(text string, frames []engine.Frame, src Sources) *evaluator.Error {
	e := &evaluator.Error{Name: "error", Value: FirstLine(text)}
	add(e, bold+e.Name+reset+": "+text)
	if hint := advice(text); hint != "" {
		add(e, hintLine(hint))
	}
	stack(e, frames, src)
	return e
}

// Misuse describes an error with which a library rejected a call: the message and the line of the
// cell, without the calls in between.
func Misuse(text string, frames []engine.Frame, src Sources) *evaluator.Error {
	e := &evaluator.Error{Name: "error", Value: FirstLine(text)}
	what, hint, _ := strings.Cut(text, "; ")
	add(e, bold+e.Name+reset+": "+what)
	if hint != "" {
		add(e, "  "+bold+"hint: "+reset+hint)
	}
	stack(e, frames, src)
	return e
}

// At describes an error at one position of a cell.
func At(name, msg string, d Diagnostic, frames []engine.Frame, src Sources) *evaluator.Error {
	e := &evaluator.Error{Name: name, Value: FirstLine(msg)}
	add(e, bold+name+reset+": "+msg)
	add(e, faint+Place(d.Pos)+reset)
	add(e, Excerpt(d.Pos, d.Len, src)...)
	if d.Hint != "" {
		add(e, hintLine(d.Hint))
	}
	if len(frames) > 1 {
		stack(e, frames[1:], src)
	}
	return e
}

// Plain describes an error without a position in the cell.
func Plain(name, msg string, more ...string) *evaluator.Error {
	e := &evaluator.Error{Name: name, Value: FirstLine(msg)}
	add(e, bold+name+reset+": "+msg)
	add(e, more...)
	return e
}

// Stopped returns the error of a cell that was stopped. The error has the line and the stack trace
// at which the cell was stopped, if they are known. More contains additional lines.
func Stopped(name, msg string, frames []engine.Frame, src Sources, more ...string) *evaluator.Error {
	for _, f := range frames {
		if _, ok := src(f.Pos.Filename); ok {
			msg += fmt.Sprintf(" at %s line %d", f.Pos.Filename, f.Pos.Line)
			break
		}
	}
	e := &evaluator.Error{Name: name, Value: FirstLine(msg)}
	add(e, bold+name+reset+": "+msg)
	stack(e, frames, src)
	for _, line := range more {
		add(e, "  "+line)
	}
	return e
}

func overflow(p *engine.Panic, where string, src Sources) *evaluator.Error {
	name := strings.ReplaceAll(shortFunc(p.Overflow), "ǃcell", "the cell")
	value := fmt.Sprintf("%s called itself more than %s times", name, thousands(p.Depth/1000*1000))
	e := &evaluator.Error{Name: "stack overflow", Value: value}
	head := bold + e.Name + reset + ": " + value
	if len(p.Stack) > 0 {
		f := p.Stack[0]
		head += fmt.Sprintf(", last at %s line %d", f.Pos.Filename, f.Pos.Line)
	}
	if where != "" {
		head += faint + " (" + where + ")" + reset
	}
	add(e, head)
	if len(p.Stack) > 0 {
		add(e, Excerpt(p.Stack[0].Pos, 0, src)...)
	}
	add(e, hintLine("add a case in which the function returns without calling itself"))
	add(e, "  the variables are kept")
	return e
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// shortFunc returns the name of a function as written in the cell.
func shortFunc(s string) string {
	s, _, _ = strings.Cut(strings.TrimPrefix(s, "main."), "#") // without the number of init
	return strings.ReplaceAll(s, "(*main.", "(*")
}

// library is the path prefix of the files of this module's generic functions, which cells get as
// source.
const library = "github.com/gokernel/gokernel/"

// stack adds the calls, with the line of the innermost one. It shows consecutive calls of one
// function at one position once. It omits calls inside the library and calls without a position,
// such as the initialization of a package.
func stack(e *evaluator.Error, frames []engine.Frame, src Sources) {
	frames = slices.DeleteFunc(slices.Clone(frames), func(f engine.Frame) bool {
		return strings.HasPrefix(f.Pos.Filename, library) || !f.Pos.IsValid()
	})
	shown := 0
	for i := 0; i < len(frames); {
		f := frames[i]
		j := i + 1
		for j < len(frames) && frames[j].Func == f.Func && frames[j].Pos.Line == f.Pos.Line {
			j++
		}
		if shown == maxFrames && j < len(frames) {
			add(e, fmt.Sprintf("  %s... and %d more calls%s", faint, len(frames)-i, reset))
			return
		}
		where := Place(f.Pos)
		if fn := shortFunc(f.Func); fn != "" && !strings.HasPrefix(fn, "ǃ") {
			where += ", in " + strings.ReplaceAll(fn, "ǃcell", "the cell")
		}
		if i > 0 {
			where = "called from " + where
		}
		if n := j - i; n > 1 {
			where += fmt.Sprintf(" (%s times)", thousands(n))
		}
		add(e, faint+where+reset)
		if shown < 3 {
			add(e, Excerpt(f.Pos, 0, src)...)
		}
		shown++
		i = j
	}
}
