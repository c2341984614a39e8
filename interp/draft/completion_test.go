package draft_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/draft"
)

// replaced returns the cells with another text of one of them.
func replaced(cells []draft.Cell, id, text string) []draft.Cell {
	var list []draft.Cell
	for _, c := range cells {
		if c.ID == id {
			c.Text = text
		}
		list = append(list, c)
	}
	return list
}

// typed returns the text up to the cursor in the last line that begins with the typed characters
// and continues with the rest of the wanted name, or "".
func typed(text, line, want string) (found string) {
	begun := 0
	for i := range want {
		if strings.HasSuffix(line, want[:i+1]) {
			begun = i + 1
		}
	}
	for at := 0; at < len(text); {
		end := at + strings.IndexByte(text[at:]+"\n", '\n') + 1
		indent := len(text[at:]) - len(strings.TrimLeft(text[at:], " \t"))
		if rest, ok := strings.CutPrefix(text[at+indent:], line); ok && strings.HasPrefix(rest, want[begun:]) {
			found = text[:at+indent+len(line)]
		}
		at = end
	}
	return found
}

// TestCompletionTable completes at positions in the notebooks of the course. A line of the table
// has the notebook, the cell, the line as typed so far and the wanted name, which must be among the
// first three. The line is in the cell, whose rest is not written yet; after a plus, it is a new
// line at the end of the cell. The first hundred lines are a random sample of the names that the
// notebooks use, after two letters, or one letter of a method.
func TestCompletionTable(t *testing.T) {
	table, err := os.ReadFile("testdata/completion.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(table), "\n"), "\n")
	if len(lines) < 150 {
		t.Fatalf("the table has %d lines, want at least 150", len(lines))
	}
	type opened struct {
		n     *draft.Notebook
		cells []draft.Cell
	}
	open := map[string]opened{}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			t.Fatalf("%q has %d fields, want 4", line, len(f))
		}
		nb, ok := open[f[0]]
		if !ok {
			file := filepath.Join(notebooks, f[0])
			if _, err := os.Stat(file); err != nil {
				file = filepath.Join(notebooks, "homework", f[0])
			}
			nb = opened{draft.New(filepath.Dir(file), packages()), cellsOf(t, file)}
			nb.n.Set(nb.cells)
			nb.n.Findings()
			open[f[0]] = nb
		}
		var text string
		for _, c := range nb.cells {
			if c.ID != f[1] {
				continue
			}
			if added, ok := strings.CutPrefix(f[2], "+"); ok {
				text = c.Text + "\n" + added
			} else {
				text = typed(c.Text, f[2], f[3])
			}
		}
		if text == "" {
			t.Errorf("%s: cell %s has no line %q", f[0], f[1], f[2])
			continue
		}
		nb.n.Set(replaced(nb.cells, f[1], text))
		got := nb.n.Complete(f[1], len(text)).Matches
		nb.n.Set(nb.cells)
		found := false
		var first []string
		for _, m := range got[:min(3, len(got))] {
			found = found || strings.TrimSuffix(m.Text, ": ") == f[3]
			first = append(first, m.Text)
		}
		if !found {
			t.Errorf("%s, cell %s: %q: %q come first, want %s among them", f[0], f[1], f[2], first, f[3])
		}
	}
}
