// Package difference compares two notebooks cell by cell. It compares what cells contain and show,
// not how the files are formatted.
package difference

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// Change is one difference: a heading, and the lines that differ, each with its sign, '-' or '+',
// or ' ' for an equal line.
type Change struct {
	About string
	Lines []string
}

// Options selects what to compare.
type Options struct {
	// If Sources is true, outputs and execution counts are ignored.
	Sources bool
}

// Notebooks returns the differences from a to b in the order of b's cells; cells that are only in a
// appear at their old positions.
func Notebooks(a, b *notebook.Notebook, opt Options) (changes []Change) {
	if d := values("notebook: metadata", a.Metadata, b.Metadata); d != nil {
		changes = append(changes, *d)
	}
	pairs := align(a.Cells, b.Cells)
	moved := outOfOrder(pairs)
	of := make(map[int]int, len(pairs)) // index in a, by the index in b
	gone := make(map[int]bool)
	for i := range a.Cells {
		gone[i] = true
	}
	for _, p := range pairs {
		of[p[1]] = p[0]
		delete(gone, p[0])
	}
	next := 0 // the cells of a before this index are reported
	remove := func(until int) {
		for ; next < until; next++ {
			if gone[next] {
				changes = append(changes, Change{About: title(a.Cells[next]) + ": removed", Lines: signed("-", lines(a.Cells[next].Source))})
			}
		}
	}
	for j, c := range b.Cells {
		i, ok := of[j]
		if !ok {
			changes = append(changes, Change{About: title(c) + ": added", Lines: signed("+", lines(c.Source))})
			continue
		}
		if moved[i] {
			where := "to the beginning"
			if j > 0 {
				where = "behind " + b.Cells[j-1].ID
			}
			changes = append(changes, Change{About: title(c) + ": moved " + where})
		} else {
			remove(i)
		}
		changes = append(changes, cells(a.Cells[i], c, opt)...)
	}
	remove(len(a.Cells))
	return changes
}

func title(c *notebook.Cell) string { return fmt.Sprintf("cell %s (%s)", c.ID, c.Type) }

// cells returns the differences of two cells.
func cells(a, b *notebook.Cell, opt Options) (changes []Change) {
	name := title(b)
	if a.ID != b.ID {
		changes = append(changes, Change{About: fmt.Sprintf("%s: was named %s", name, a.ID)})
	}
	if a.Type != b.Type {
		changes = append(changes, Change{About: fmt.Sprintf("%s: was %s", name, a.Type)})
	}
	if d := Lines(lines(a.Source), lines(b.Source)); d != nil {
		changes = append(changes, Change{About: name + ": source", Lines: d})
	}
	if d := values(name+": metadata", a.Metadata, b.Metadata); d != nil {
		changes = append(changes, *d)
	}
	if d := values(name+": attachments", a.Attachments, b.Attachments); d != nil {
		changes = append(changes, *d)
	}
	if opt.Sources {
		return changes
	}
	if a.Count != b.Count {
		changes = append(changes, Change{About: fmt.Sprintf("%s: execution count %s, was %s", name, count(b.Count), count(a.Count))})
	}
	if d := Lines(outputs(a), outputs(b)); d != nil {
		changes = append(changes, Change{About: name + ": outputs", Lines: d})
	}
	return changes
}

func count(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

// values compares values by their JSON.
func values(about string, a, b any) *Change {
	d := Lines(pretty(a), pretty(b))
	if d == nil {
		return nil
	}
	return &Change{About: about, Lines: d}
}

func pretty(v any) []string {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return []string{fmt.Sprint(v)}
	}
	if s := string(b); s != "null" && s != "{}" {
		return strings.Split(s, "\n")
	}
	return nil
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

func signed(sign string, list []string) []string {
	out := make([]string, len(list))
	for i, l := range list {
		out[i] = sign + l
	}
	return out
}

// outputs returns the lines of a cell's outputs: text as it is, and for other data the type, the
// size and a checksum.
func outputs(c *notebook.Cell) (list []string) {
	for _, o := range c.Outputs {
		switch o.Type {
		case notebook.Stream:
			list = append(list, "["+o.Name+"]")
			list = append(list, lines(o.Text)...)
			continue
		case notebook.Error:
			list = append(list, "[error] "+o.ErrorName+": "+o.ErrorValue)
			continue
		}
		var mimes []string
		for m := range o.Data {
			mimes = append(mimes, m)
		}
		slices.Sort(mimes)
		for _, m := range mimes {
			text, ok := o.Data[m].(string)
			if !ok {
				text = strings.Join(pretty(o.Data[m]), "\n")
			}
			if m == "text/plain" || m == "text/markdown" || m == "text/latex" {
				list = append(list, "["+m+"]")
				list = append(list, lines(text)...)
				continue
			}
			list = append(list, fmt.Sprintf("[%s] %d bytes, sum %08x", m, len(text), sum(text)))
		}
	}
	return list
}

// sum returns a short checksum of a text.
func sum(s string) uint32 {
	h := fnv.New32a()
	io.WriteString(h, s)
	return h.Sum32()
}
