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

// native shows the functions that were JIT-compiled, and why others were not.
func native(_ context.Context, c Call) error {
	if c.Args != "" {
		return fmt.Errorf("%%native: it takes no arguments, and got %q", c.Args)
	}
	list, err := c.Session.Native()
	if err == engine.ErrNoNative {
		return errors.New("%native: no machine code is made of cells: start the kernel with GOKERNEL_NATIVE=on in its environment, on linux, amd64 or arm64")
	}
	if err != nil {
		return fmt.Errorf("%%native: %w", err)
	}
	if len(list) == 0 {
		c.Out.Stdout("no function has run for long enough\n")
		return nil
	}
	slices.SortFunc(list, func(a, b engine.NativeFunction) int {
		return cmp.Or(cmp.Compare(b.Entered, a.Entered), strings.Compare(a.Func, b.Func), a.Pos.Line-b.Pos.Line)
	})
	rows := [][]string{{"function", "place", "bytes", "entered", "left to the interpreter"}}
	for _, f := range list {
		row := []string{strings.ReplaceAll(f.Func, "ǃcell", "cell"), "", "", "", why(f)}
		if f.Pos.IsValid() {
			row[1] = fmt.Sprintf("%s line %d", f.Pos.Filename, f.Pos.Line)
		}
		if f.Size > 0 {
			row[2], row[3] = fmt.Sprint(f.Size), fmt.Sprint(f.Entered)
		}
		rows = append(rows, row)
	}
	return c.Out.Display(rowsTable(rows))
}

// why explains why a function was not JIT-compiled, or at which lines it deoptimizes.
func why(f engine.NativeFunction) string {
	var parts []string
	if f.Why != "" {
		parts = append(parts, "all: "+f.Why)
	}
	for _, l := range f.Leaves {
		text := fmt.Sprintf("line %d: %s", l.Pos.Line, l.Why)
		if !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "; ")
}
