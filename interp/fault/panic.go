package fault

import (
	"fmt"
	"strings"

	"github.com/gokernel/gokernel/interp/engine"
)

// maxFrames is how many calls of a stack are shown.
const maxFrames = 8

// Panic presents a panic that ended the cell or something that it has started:
// where says what, and is empty for the cell.
func Panic(p *engine.Panic, where string, src Sources) *Error {
	if p.Overflow != "" {
		return overflow(p, where, src)
	}
	e := &Error{Name: p.Kind(), Value: firstLine(p.Text)}
	head := red + bold + e.Name + reset + ": " + p.Text
	if where != "" {
		head += faint + " (" + where + ")" + reset
	}
	e.add(head)
	e.stack(p.Stack, 0, src)
	if hint := advice(p.Text); hint != "" {
		e.add("  " + cyan + "hint: " + hint + reset)
	}
	if p.Fatal {
		e.add("  the variables are kept")
	}
	return e
}

// Failed presents an error that a call at the top level of the cell returned.
func Failed(err error, stack []engine.Frame, src Sources) *Error {
	e := &Error{Name: "error", Value: firstLine(err.Error())}
	e.add(red + bold + e.Name + reset + ": " + err.Error())
	e.stack(stack, 0, src)
	return e
}

// Misuse presents an error with which a library refused a call: its words and
// the line of the cell, without the calls in between.
func Misuse(err error, stack []engine.Frame, src Sources) *Error {
	e := &Error{Name: "error", Value: firstLine(err.Error())}
	what, hint, _ := strings.Cut(err.Error(), "; ")
	e.add(red + bold + e.Name + reset + ": " + what)
	if hint != "" {
		e.add("  " + cyan + "hint: " + hint + reset)
	}
	e.stack(stack, 0, src)
	return e
}

// At presents a failure at one place of a cell.
func At(name, msg string, d Diagnostic, stack []engine.Frame, src Sources) *Error {
	e := &Error{Name: name, Value: firstLine(msg)}
	e.add(red + bold + name + reset + ": " + msg)
	e.add(faint + Place(d.Pos) + reset)
	e.add(Excerpt(d.Pos, d.Len, src)...)
	if len(stack) > 1 {
		e.stack(stack[1:], 0, src)
	}
	return e
}

// Plain presents a failure that has no place in the cell.
func Plain(name, msg string, more ...string) *Error {
	e := &Error{Name: name, Value: firstLine(msg)}
	e.add(red + bold + name + reset + ": " + msg)
	e.add(more...)
	return e
}

// Stopped presents the end of a cell that was told to stop, with what it was doing,
// if that is known; more is what to tell besides.
func Stopped(name, msg string, stack []engine.Frame, src Sources, more ...string) *Error {
	for _, f := range stack {
		if _, ok := src(f.Pos.Filename); ok {
			msg += fmt.Sprintf(" at %s line %d", f.Pos.Filename, f.Pos.Line)
			break
		}
	}
	e := &Error{Name: name, Value: firstLine(msg)}
	e.add(red + bold + name + reset + ": " + msg)
	e.stack(stack, 0, src)
	for _, line := range more {
		e.add("  " + line)
	}
	return e
}

func overflow(p *engine.Panic, where string, src Sources) *Error {
	name := shortFunc(p.Overflow)
	value := fmt.Sprintf("%s called itself more than %s times", name, thousands(p.Depth/1000*1000))
	e := &Error{Name: "stack overflow", Value: value}
	head := red + bold + e.Name + reset + ": " + value
	if len(p.Stack) > 0 {
		f := p.Stack[0]
		head += fmt.Sprintf(", last at %s line %d", f.Pos.Filename, f.Pos.Line)
	}
	if where != "" {
		head += faint + " (" + where + ")" + reset
	}
	e.add(head)
	if len(p.Stack) > 0 {
		e.add(Excerpt(p.Stack[0].Pos, 0, src)...)
	}
	e.add("  the variables are kept")
	return e
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// shortFunc gives the name of a function as the cell has it.
func shortFunc(s string) string {
	s = strings.TrimPrefix(s, "main.")
	return strings.ReplaceAll(s, "(*main.", "(*")
}

// stack adds the calls with the line of the innermost; a run of calls of one
// function at one place is told once.
func (e *Error) stack(frames []engine.Frame, markLen int, src Sources) {
	shown := 0
	for i := 0; i < len(frames); {
		f := frames[i]
		j := i + 1
		for j < len(frames) && frames[j].Func == f.Func && frames[j].Pos.Line == f.Pos.Line {
			j++
		}
		if shown == maxFrames && j < len(frames) {
			e.add(fmt.Sprintf("  %s... and %d more calls%s", faint, len(frames)-i, reset))
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
		e.add(faint + where + reset)
		if shown == 0 || shown < 3 {
			e.add(Excerpt(f.Pos, markLen, src)...)
		}
		shown++
		i = j
	}
}
