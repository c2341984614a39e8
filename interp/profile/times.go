package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
)

// kind is the origin of a function.
type kind int

const (
	ofCells    kind = iota
	ofPackages      // functions of packages that run from source
	ofKernel        // functions compiled into the kernel
)

// kinds are the names of the kinds.
var kinds = []string{"cells", "packages from source", "compiled"}

// function is a function with its name for users.
type function struct {
	name, file string
	kind       kind
}

// functionOf names the function of a call. The statements of a cell form a function of their own.
func functionOf(c engine.Call) function {
	f := function{name: strings.ReplaceAll(c.Func, "ǃcell", c.Pos.Filename), file: c.Pos.Filename}
	switch {
	case f.file == "":
		f.kind = ofKernel
	case !strings.HasPrefix(c.Symbol, "main."):
		f.kind = ofPackages
		f.name = c.Symbol[strings.LastIndexByte(c.Symbol, '/')+1:]
	}
	return f
}

// times contains the time in a function or line itself, and the time including its calls.
type times struct{ self, total time.Duration }

// row is a row of a table.
type row struct {
	times
	function
	line int // 0 for a function
}

// where formats the position of a line.
func (r row) where() string {
	if r.file == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", r.file, r.line)
}

// rows adds up the samples for each row. The second argument is a function that returns the row of
// a call. The rows are in descending order of their own time. A function that calls itself counts
// once per sample.
func rows(p *engine.Profile, of func(c engine.Call) (row, bool)) []row {
	sums := map[row]times{}
	for _, s := range p.Samples {
		seen := map[row]bool{}
		for i, c := range s.Calls {
			r, ok := of(c)
			if !ok {
				continue
			}
			t := sums[r]
			if i == 0 {
				t.self += s.Time
			}
			if !seen[r] {
				t.total += s.Time
			}
			seen[r] = true
			sums[r] = t
		}
	}
	var list []row
	for r, t := range sums {
		r.times = t
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.self, a.self), cmp.Compare(b.total, a.total), cmp.Compare(a.name, b.name), cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	return list
}

// functions returns the times of functions.
func functions(p *engine.Profile) []row {
	return rows(p, func(c engine.Call) (row, bool) { return row{function: functionOf(c)}, true })
}

// lines returns the times of lines. The time of kernel functions counts as time of the line that
// calls them.
func lines(p *engine.Profile) []row {
	own := &engine.Profile{}
	for _, s := range p.Samples {
		for len(s.Calls) > 0 && s.Calls[0].Pos.Line == 0 {
			s.Calls = s.Calls[1:]
		}
		own.Samples = append(own.Samples, s)
	}
	return rows(own, func(c engine.Call) (row, bool) {
		return row{function: function{file: c.Pos.Filename}, line: c.Pos.Line}, c.Pos.Line > 0
	})
}

// node is a function at a position in the call tree, with its calls.
type node struct {
	times
	function
	below []*node
}

// tree returns the calls of the samples as a tree whose root represents all of them.
func tree(p *engine.Profile) *node {
	root := &node{function: function{name: "all"}}
	for _, s := range p.Samples {
		at := root
		at.total += s.Time
		for i := len(s.Calls) - 1; i >= 0; i-- {
			at = at.child(functionOf(s.Calls[i]))
			at.total += s.Time
		}
		at.self += s.Time
	}
	root.sort()
	return root
}

func (n *node) child(f function) *node {
	for _, c := range n.below {
		if c.function == f {
			return c
		}
	}
	c := &node{function: f}
	n.below = append(n.below, c)
	return c
}

// sort sorts the calls in descending order of their time.
func (n *node) sort() {
	slices.SortFunc(n.below, func(a, b *node) int {
		return cmp.Or(cmp.Compare(b.total, a.total), cmp.Compare(a.name, b.name), cmp.Compare(a.file, b.file))
	})
	for _, c := range n.below {
		c.sort()
	}
}
