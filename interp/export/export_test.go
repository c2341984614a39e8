package export

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the expected programs anew")

// TestNotebook compares the programs for small notebooks with the test files.
func TestNotebook(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := &txtar.Archive{Comment: ar.Comment}
			var cells []Cell
			opt := Options{Module: "example.com/notebook", Dir: t.TempDir(), TestFile: true}
			for _, f := range ar.Files {
				switch f.Name {
				case "cell", "prose":
					cells = append(cells, Cell{Text: string(f.Data), Prose: f.Name == "prose"})
				case "fails":
					cells = append(cells, Cell{Text: string(f.Data), Fails: true})
				case "package":
					opt.Package = strings.TrimSpace(string(f.Data))
				case "go.mod", "a.txt", "b.txt": // beside the notebook
					if err := os.WriteFile(filepath.Join(opt.Dir, f.Name), f.Data, 0o666); err != nil {
						t.Fatal(err)
					}
				default:
					continue
				}
				got.Files = append(got.Files, f)
			}
			p, err := Notebook(t.Context(), cells, opt)
			if err != nil {
				got.Files = append(got.Files, txtar.File{Name: "error", Data: []byte(err.Error() + "\n")})
			} else {
				for _, name := range []string{"main.go", "main_test.go", "scores/scores.go", "scores/scores_test.go"} {
					if text, ok := p.Files[name]; ok {
						got.Files = append(got.Files, txtar.File{Name: name, Data: text})
					}
				}
				if len(p.Notes) > 0 {
					got.Files = append(got.Files, txtar.File{Name: "notes", Data: []byte(strings.Join(p.Notes, "\n") + "\n")})
				}
			}
			text := txtar.Format(got)
			if string(text) == string(txtar.Format(ar)) {
				return
			}
			if *update {
				if err := os.WriteFile(file, text, 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			t.Errorf("%s differs; -update writes it anew:\n%s", file, text)
		})
	}
}

// TestProse wraps and cleans Markdown.
func TestProse(t *testing.T) {
	got := comment(prose("## A *title*\n\n<!-- hidden -->\nSee **this** [page](https://go.dev/) and [that](x.ipynb).\n\n- one\n  more\n2. two\n\n$$\nx^2\n$$\n\n> quoted\n\n```go\nx := 1\n```\n"))
	want := `// # A *title*
//
// See this page (https://go.dev/) and that.
//
//   - one more
//   2. two
//
//	x^2
//
// quoted
//
//	x := 1
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
