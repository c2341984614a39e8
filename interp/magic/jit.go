package magic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/interp/engine"
)

// jit shows and switches the JIT compiler.
func jit(_ context.Context, c Call) error {
	j, ok := c.Session.JIT()
	if !ok {
		return fmt.Errorf("%%jit: %w", engine.ErrNoJIT)
	}
	var err error
	switch args := strings.Fields(c.Args); {
	case len(args) == 0:
		err = listJIT(c, j)
	case args[0] == "-why":
		if len(args) != 2 {
			return errors.New("%jit: give one function after -why, such as %jit -why f or %jit -why T.m")
		}
		err = explainJIT(c, j, args[1])
	case len(args) == 1:
		var mode engine.JITMode
		if mode, err = engine.ParseJITMode(args[0]); err == nil {
			err = j.SetJIT(mode)
		}
	case len(args) == 2 && (args[0] == "on" || args[0] == "off"):
		if !j.SwitchJIT(args[1], args[0] == "on") && c.Session.Function(args[1]) == nil {
			j.SwitchJIT(args[1], true)
			err = fmt.Errorf("there is no function %s: %%jit without arguments lists those that ran", args[1])
		}
	default:
		return fmt.Errorf("%%jit: the arguments must be a mode, a function after on or off, or a function after -why, got %q", c.Args)
	}
	if err != nil {
		return fmt.Errorf("%%jit: %w", err)
	}
	return nil
}

// listJIT shows the mode and the functions that were JIT-compiled.
func listJIT(c Call, j engine.JIT) error {
	mode, list, err := j.JIT()
	if err != nil {
		return err
	}
	if mode == engine.JITOff {
		c.Out.Stdout("the JIT is off; %jit on turns it on\n")
	} else {
		c.Out.Stdout(fmt.Sprintf("the JIT is in the mode %s\n", mode))
	}
	// Initializers without code of the user have no position.
	list = slices.DeleteFunc(list, func(f engine.JITFunction) bool { return !f.Pos.IsValid() })
	if len(list) == 0 {
		if mode != engine.JITOff {
			c.Out.Stdout("no function has run for long enough to be compiled\n")
		}
		return nil
	}
	slices.SortFunc(list, func(a, b engine.JITFunction) int {
		return cmp.Or(cmp.Compare(b.Entered, a.Entered), strings.Compare(a.Func, b.Func), a.Pos.Line-b.Pos.Line)
	})
	rows := [][]string{{"function", "place", "bytes", "entered", "interpreted"}}
	for _, f := range list {
		row := []string{jitName(f), fmt.Sprintf("%s line %d", f.Pos.Filename, f.Pos.Line), "", "", interpreted(f)}
		if f.Size > 0 {
			row[2], row[3] = fmt.Sprint(f.Size), fmt.Sprint(f.Entered)
		}
		rows = append(rows, row)
	}
	return c.Out.Display(rowsTable(rows))
}

func jitName(f engine.JITFunction) string { return strings.ReplaceAll(f.Func, "ǃcell", "cell") }

// interpreted explains why a function is interpreted, or at which lines its code takes side exits.
func interpreted(f engine.JITFunction) string {
	var parts []string
	if f.Off {
		parts = append(parts, "all: it is switched off")
	} else if f.Why != "" {
		parts = append(parts, "all: "+f.Why)
	}
	for _, x := range f.Exits {
		text := fmt.Sprintf("line %d: %s", x.Pos.Line, x.Why)
		if !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "; ")
}

// explainJIT shows how each line of a function runs: as machine code or in the interpreter.
func explainJIT(c Call, j engine.JIT, name string) error {
	list := j.ExplainJIT(name, c.Session.Function(name))
	if len(list) == 0 {
		return fmt.Errorf("there is no function %s in cells or packages from source: %%jit without arguments lists those that ran", name)
	}
	for _, f := range list {
		c.Out.Stdout(jitTitle(f) + "\n")
		if len(f.Lines) == 0 {
			continue
		}
		text, _ := c.Session.SourceOf(f.Pos.Filename)
		source := strings.Split(text, "\n")
		rows := [][]string{{"line", "source", "runs as"}}
		for n := f.Lines[0].Line; n <= f.Lines[len(f.Lines)-1].Line; n++ {
			row := []string{fmt.Sprint(n), "", ""}
			if n <= len(source) {
				row[1] = strings.ReplaceAll(source[n-1], "\t", "    ")
			}
			if i := slices.IndexFunc(f.Lines, func(l engine.JITLine) bool { return l.Line == n }); i >= 0 {
				row[2] = jitLine(f, f.Lines[i])
			}
			rows = append(rows, row)
		}
		if err := c.Out.Display(rowsTable(rows)); err != nil {
			return err
		}
	}
	return nil
}

// jitTitle says what has become of a function.
func jitTitle(f engine.JITFunction) string {
	title := jitName(f)
	if f.Pos.IsValid() {
		title += fmt.Sprintf(" (%s line %d)", f.Pos.Filename, f.Pos.Line)
	}
	switch {
	case f.Off:
		return title + " is interpreted: it is switched off"
	case f.Why != "":
		return title + " is interpreted: " + f.Why
	case f.Entered == 0:
		return fmt.Sprintf("%s can be compiled to %d bytes, but its machine code has not run yet", title, f.Size)
	}
	return fmt.Sprintf("%s was compiled to %d bytes and entered %d times", title, f.Size, f.Entered)
}

// jitLine says how a line of a function runs.
func jitLine(f engine.JITFunction, l engine.JITLine) string {
	var why []string
	for _, x := range f.Exits {
		if x.Pos.Line == l.Line && x.Pos.Filename == f.Pos.Filename && !slices.Contains(why, x.Why) {
			why = append(why, x.Why)
		}
	}
	switch {
	case len(why) > 0 && l.Compiled:
		return "machine code and the interpreter: " + strings.Join(why, ", ")
	case l.Compiled:
		return "machine code"
	case len(why) > 0:
		return "interpreter: " + strings.Join(why, ", ")
	case f.Why != "":
		return "interpreter"
	}
	return "interpreter: this line is outside the compiled loops and functions"
}
