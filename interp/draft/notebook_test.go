package draft_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/gokernel/gokernel/interp/draft"
	"github.com/gokernel/gokernel/interp/symbols"
)

var packages = sync.OnceValue(symbols.NewImporter)

// cellsOf returns the code cells of a notebook of the repository.
func cellsOf(t testing.TB, file string) []draft.Cell {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var nb struct {
		Cells []struct {
			Type   string          `json:"cell_type"`
			Source json.RawMessage `json:"source"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(data, &nb); err != nil {
		t.Fatal(err)
	}
	var cells []draft.Cell
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		var lines []string
		if json.Unmarshal(c.Source, &lines) != nil {
			lines = make([]string, 1)
			if err := json.Unmarshal(c.Source, &lines[0]); err != nil {
				t.Fatal(err)
			}
		}
		cells = append(cells, draft.Cell{ID: fmt.Sprint(len(cells) + 1), Text: strings.Join(lines, "")})
	}
	return cells
}

const notebooks = "../../notebooks"

// open returns a draft with the given cells, whose IDs count from 1.
func open(texts ...string) *draft.Notebook {
	var cells []draft.Cell
	for i, text := range texts {
		cells = append(cells, draft.Cell{ID: fmt.Sprint(i + 1), Text: text})
	}
	n := draft.New("", packages())
	n.Set(cells)
	return n
}

// TestLecturesHaveNoErrors drafts the notebooks of the course, which all run without an error.
func TestLecturesHaveNoErrors(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(notebooks, "*.ipynb"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d notebooks: %v", len(files), err)
	}
	more, _ := filepath.Glob(filepath.Join(notebooks, "homework", "*.ipynb"))
	for _, file := range append(files, more...) {
		n := draft.New(filepath.Dir(file), packages())
		cells := cellsOf(t, file)
		n.Set(cells)
		for id, findings := range n.Findings() {
			for _, f := range findings {
				if !f.Warning {
					t.Errorf("%s, cell %s: %s\n%s", filepath.Base(file), id, f.Message, f.Hint)
				}
			}
		}
	}
}

// TestSnippetsOfVSCode checks the snippets of the extension for VS Code, with the texts that they
// begin with.
func TestSnippetsOfVSCode(t *testing.T) {
	data, err := os.ReadFile("../../install/vscode/src/snippets.json")
	if err != nil {
		t.Fatal(err)
	}
	var snippets map[string]struct{ Title, Body string }
	if err := json.Unmarshal(data, &snippets); err != nil || len(snippets) == 0 {
		t.Fatalf("%d snippets: %v", len(snippets), err)
	}
	filled := regexp.MustCompile(`\$\{\d+:([^}]*)\}|\$\d`)
	for name, s := range snippets {
		text := filled.ReplaceAllString(s.Body, "$1")
		n := open("data := ml.Iris()\ntrain, test := data.Split(0.3, 1)\nxs := []float64{1}\n_, _ = train, test\nxs", text)
		for id, found := range n.Findings() {
			for _, f := range found {
				t.Errorf("%s: cell %s: %s\n%s", name, id, f.Message, text)
			}
		}
	}
}
