package draft_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/gokernel/gokernel/interp/draft"
	"github.com/gokernel/gokernel/interp/modules"
	"github.com/gokernel/gokernel/interp/modules/proxytest"
)

const required = `
-- go.mod --
module here
go 1.24
require (
	example.com/shape v1.0.0
	example.com/go-odd v1.0.0
	example.com/fresh v1.0.0 // indirect
	example.com/deep v1.0.0 // indirect
	example.com/absent v1.0.0
)
replace (
	example.com/shape => ./shape
	example.com/go-odd => ./odd
	example.com/fresh => ./fresh
	example.com/deep => ./deep
)
-- shape/go.mod --
module example.com/shape
go 1.24
require example.com/deep v1.0.0
-- shape/shape.go --
// Package shape computes areas.
package shape
// Square is a square.
type Square struct{ Side float64 }
// Area returns the area.
func Area(s Square) float64 { return s.Side * s.Side }
-- shape/shapeutil/u.go --
package shapeutil
const Three = 3
-- shape/internal/shapehidden/h.go --
package shapehidden
-- shape/shapecmd/main.go --
package main
func main() {}
-- shape/shapeother/go.mod --
module example.com/shape/shapeother
-- shape/shapeother/o.go --
package shapeother
-- odd/go.mod --
module example.com/go-odd
-- odd/a.go --
//go:build ignore
package ignored
-- odd/b.go --
package odd
const Three = 3
-- fresh/go.mod --
module example.com/fresh
-- fresh/f.go --
package fresh
-- deep/go.mod --
module example.com/deep
-- deep/d.go --
package deepest
-- stats/s.go --
package statsmine
func Twice(x int) int { return 2 * x }
`

// inFolder returns a draft in a folder with the files of an archive, and the folder.
func inFolder(t *testing.T, archive string, texts ...string) (*draft.Notebook, string) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	n := draft.New(dir, packages())
	var cells []draft.Cell
	for i, text := range texts {
		cells = append(cells, draft.Cell{ID: string(rune('1' + i)), Text: text})
	}
	n.Set(cells)
	return n, dir
}

// imports returns the completions at the end of a cell that import a package, as "name path".
func imports(n *draft.Notebook, id string) string {
	var list []string
	for _, c := range n.Cells() {
		if c.ID != id {
			continue
		}
		for _, m := range n.Complete(id, len(c.Text)).Matches {
			if m.Import != "" {
				list = append(list, m.Text+" "+m.Import)
			}
		}
	}
	return strings.Join(list, ", ")
}

// TestCompletionImports completes packages of required modules and their names.
func TestCompletionImports(t *testing.T) {
	proxytest.New(t, "").Setenv(t)
	withoutAbsent := strings.Replace(required, "	example.com/absent v1.0.0\n", "", 1)
	for _, tt := range []struct{ name, cell, want string }{
		{"required module", "x := 1\nshape", "shape example.com/shape, shapeutil example.com/shape/shapeutil"},
		{"name unlike the path, ignored file", "od", "odd example.com/go-odd"},
		{"package of the module itself", "statsm", "statsmine here/stats"},
		{"added by go get", "fresh", "fresh example.com/fresh"},
		{"needed by another module only", "deepes", ""},
		{"members", "shape.", "Area example.com/shape, Square example.com/shape"},
		{"imported by the cell", "import \"example.com/shape\"\nshap", "shapeutil example.com/shape/shapeutil"},
		{"members of an import", "import \"example.com/shape\"\nshape.", ""},
		{"name of the cell", "shape := 1\nshap", "shapeutil example.com/shape/shapeutil"},
		{"text", "%%html\nshape", ""},
		{"members in text", "%%html\nshape.", ""},
		{"package of cells", "%%package p\nfunc f() { shape", "shape example.com/shape, shapeutil example.com/shape/shapeutil"},
		{"whole program", "package main\nfunc main() { shape", "shape example.com/shape, shapeutil example.com/shape/shapeutil"},
	} {
		n, _ := inFolder(t, withoutAbsent, tt.cell)
		if got := imports(n, "1"); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	// An import in an earlier cell holds for later ones.
	n, _ := inFolder(t, withoutAbsent, "import \"example.com/shape\"", "shape.Ar")
	if got := imports(n, "2"); got != "" {
		t.Errorf("imported by an earlier cell: got %s, want no imports", got)
	}
	// If a requirement can't be read without fetching, no import of a module works.
	n, _ = inFolder(t, required, "shap")
	if got := imports(n, "1"); got != "" {
		t.Errorf("a module that needs fetching: got %s, want no imports", got)
	}
}

// TestCompletionOfVendored completes packages of the vendor folder.
func TestCompletionOfVendored(t *testing.T) {
	proxytest.New(t, "").Setenv(t)
	n, _ := inFolder(t, `
-- go.mod --
module here
go 1.24
require example.com/shape v1.0.0
require example.com/shapes v1.0.0 // indirect
-- vendor/modules.txt --
# example.com/shape v1.0.0
## explicit; go 1.24
example.com/shape
example.com/shape/internal/shapehidden
# example.com/shapes v1.0.0
## explicit
example.com/shapes
-- vendor/example.com/shape/s.go --
package shape
-- vendor/example.com/shape/internal/shapehidden/h.go --
package shapehidden
-- vendor/example.com/shapes/s.go --
package shapes
`, "shap")
	if got, want := imports(n, "1"), "shape example.com/shape"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestImportAction fixes an undeclared name that is the name of a package.
func TestImportAction(t *testing.T) {
	proxytest.New(t, "").Setenv(t)
	files := strings.Replace(required, "	example.com/absent v1.0.0\n", "", 1)
	cell := "side := 2.0\nshape.Area(shape.Square{side})"
	n, _ := inFolder(t, files, cell)
	actions := n.Actions("1", 14, 14)
	if len(actions) == 0 || actions[0].Title != `Import "example.com/shape"` || actions[0].Kind != "quickfix" || actions[0].Finding == nil {
		t.Fatalf("got %+v, want an import first", actions)
	}
	e := actions[0].Edits[0]
	n.Set([]draft.Cell{{ID: "1", Text: cell[:e.Start] + e.Text + cell[e.End:]}})
	if got := n.Findings()["1"]; len(got) > 0 {
		t.Errorf("after the import: %+v, want no findings", got)
	}
	n, _ = inFolder(t, files, "side := 2.0\nsphere.Area(side)")
	for _, a := range n.Actions("1", 14, 14) {
		if strings.HasPrefix(a.Title, "Import") {
			t.Errorf("a name that no package has: got %+v, want no import", a)
		}
	}
}

// TestCompletionSeesChanges adds a requirement and a package while a notebook is open.
func TestCompletionSeesChanges(t *testing.T) {
	proxytest.New(t, "").Setenv(t)
	n, dir := inFolder(t, "-- go.mod --\nmodule here\ngo 1.24\n", "fre")
	if got := imports(n, "1"); got != "" {
		t.Errorf("got %s, want no imports", got)
	}
	for name, text := range map[string]string{
		"go.mod": "module here\ngo 1.24\nrequire example.com/fresh v1.0.0\nreplace example.com/fresh => ./fresh\n", "fresh/go.mod": "module example.com/fresh\n",
		"fresh/f.go": "package fresh\n", "fresher/f.go": "package fresher\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := imports(n, "1"), "fresh example.com/fresh, fresher here/fresher"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestCompletionOfGot completes packages of a module in the module cache that %get names, without
// fetching.
func TestCompletionOfGot(t *testing.T) {
	p := proxytest.New(t, "-- example.com/party@v1.0.0/go.mod --\nmodule example.com/party\n-- example.com/party@v1.0.0/p.go --\npackage party\n-- example.com/party@v1.0.0/guests/g.go --\npackage guests\nfunc Count() int { return 3 }\n")
	p.Setenv(t)
	n, _ := inFolder(t, "", "%get example.com/party", "guest")
	if got := imports(n, "2"); got != "" || len(p.Requests()) > 0 {
		t.Errorf("not in the cache: got %s after the requests %q, want no imports and no requests", got, p.Requests())
	}
	fill(t, "example.com/party", "v1.0.0")
	if got, want := imports(n, "2"), "guests example.com/party/guests"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// fill fetches a module into the module cache.
func fill(t *testing.T, path, version string) {
	t.Helper()
	b, err := modules.Open(t.TempDir(), modules.ReadEnv(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Get(t.Context(), path, version); err != nil {
		t.Fatal(err)
	}
}

// TestImportEdit applies the edit that imports a package.
func TestImportEdit(t *testing.T) {
	for _, tt := range []struct{ cell, want string }{
		{"f()", "import \"p\"\nf()"},
		{"%%time\nf()", "%%time\nimport \"p\"\nf()"},
		{"\n %%time\nf()", "\n %%time\nimport \"p\"\nf()"},
		{"%%time f()", "%%time f()\nimport \"p\""},
		{"%get p\n// f\nf()", "import \"p\"\n%get p\n// f\nf()"},
		{"// Program\npackage main // run\nfunc main() {}", "// Program\npackage main // run\nimport \"p\"\nfunc main() {}"},
		{"package main; func main() {}", "package main; import \"p\"; func main() {}"},
		{"package main", "package main\nimport \"p\""},
	} {
		n := open(tt.cell)
		e, ok := n.Import("1", "p")
		if got := tt.cell[:e.Start] + e.Text + tt.cell[e.End:]; !ok || got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.cell, got, tt.want)
		}
	}
}
