package ssa_test

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// packageCell returns a package of the standard library as a cell: its files or its external test
// files, and a function main that runs its tests and examples.
func packageCell(t *testing.T, path string, external bool) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	p, err := build.ImportDir(filepath.Join(strings.TrimSpace(string(root)), "src", filepath.FromSlash(path)), 0)
	if err != nil {
		t.Fatal(err)
	}
	names := append(p.GoFiles, p.TestGoFiles...)
	if external {
		names = p.XTestGoFiles
	}
	s := newSession(t, engine.Hooks{})
	imports, decls := map[string]bool{`"testing"`: true}, ""
	var tests, examples string
	var files []*ast.File
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(s.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
		at := s.fset.File(f.Pos())
		for _, spec := range f.Imports {
			text := spec.Path.Value
			if spec.Name != nil {
				text = spec.Name.Name + " " + text
			}
			imports[text] = true
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok && len(d.Specs) > 0 {
				if _, isImport := d.Specs[0].(*ast.ImportSpec); isImport {
					continue
				}
			}
			decls += string(text[at.Offset(d.Pos()):at.Offset(d.End())]) + "\n"
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") && fn.Name.Name != "TestMain" {
				tests += fmt.Sprintf("{%q, %[1]s}, ", fn.Name.Name)
			}
		}
	}
	for _, e := range doc.Examples(files...) {
		if e.Output != "" || e.EmptyOutput {
			examples += fmt.Sprintf("{%q, Example%[1]s, %q, %v}, ", e.Name, e.Output, e.Unordered)
		}
	}
	if tests+examples == "" {
		t.Fatal("there is nothing to run")
	}
	head := ""
	for text := range imports {
		head += "import " + text + "\n"
	}
	return head + decls + `
func main() {
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{"Ran", func(*testing.T) { println("ran") }}, ` + tests + `}, nil, []testing.InternalExample{` + examples + `})
}`
}

// clearTestFlags resets the flags of package testing, so that tests in cells skip nothing. It also
// prevents tests in cells from closing the log of this test.
func clearTestFlags(t *testing.T) {
	for _, name := range []string{"test.run", "test.skip", "test.testlogfile"} {
		f := flag.Lookup(name)
		before := f.Value.String()
		f.Value.Set("")
		t.Cleanup(func() { f.Value.Set(before) })
	}
}

// Packages of the standard library pass their own tests as cells that are run twice.
func TestStandardPackagesAsCells(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the tests of packages")
	}
	clearTestFlags(t)
	for _, test := range []struct {
		path     string
		external bool
	}{
		{"container/heap", false}, {"encoding/csv", false}, {"go/constant", false}, {"testing/quick", false},
		{"container/ring", true}, {"text/tabwriter", true},
	} {
		name := test.path
		if test.external {
			name += "_test"
		}
		t.Run(name, func(t *testing.T) {
			cell := packageCell(t, test.path, test.external)
			s := newSession(t, engine.Hooks{})
			for range 2 {
				out, err := s.run(t.Context(), cell)
				var exit *engine.Exit
				if !errors.As(err, &exit) || exit.Code != 0 || !strings.Contains(out, "ran") {
					t.Fatalf("ended with %v and printed\n%s", err, out)
				}
			}
		})
	}
}

// The output of an example goes where package testing captures it, whichever way the example prints
// to standard output.
func TestExamplesPrintInCells(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	out, err := s.run(t.Context(), `import ("bufio"; "fmt"; "io"; "os"; "strings"; "testing"; "text/tabwriter")
func ExampleAll() {
	fmt.Println("one")
	fmt.Fprintln(os.Stdout, "two")
	io.Copy(os.Stdout, strings.NewReader("three\n"))
	w := bufio.NewWriter(os.Stdout)
	w.WriteString("four\n")
	w.Flush()
	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 1, ' ', 0)
	fmt.Fprintln(tw, "five")
	tw.Flush()
	io.Copy(io.MultiWriter(os.Stdout), io.TeeReader(strings.NewReader("six\n"), os.Stdout))
}
func main() {
	println(testing.RunExamples(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalExample{
		{"All", ExampleAll, "one\ntwo\nthree\nfour\nfive\nsix\nsix\n", false},
	}))
}`)
	if err != nil || strings.TrimSpace(out) != "true" {
		t.Errorf("ended with %v and printed\n%s", err, out)
	}
}

// A flag that is declared again replaces the old one, except within one cell.
func TestFlagsAreDeclaredAgain(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	for i := range 3 {
		s.want(fmt.Sprintf(`import ("flag"; "fmt")
var n = flag.Int("number", %d, "how many")
func main() { flag.CommandLine.Parse([]string{"-number=7"}); fmt.Println(*n, flag.Lookup("number").DefValue) }`, i), fmt.Sprint("7 ", i))
	}
	_, err := s.run(t.Context(), `import "flag"; func main() { var a, b bool; flag.BoolVar(&a, "yes", false, ""); flag.BoolVar(&b, "yes", false, "") }`)
	var p *engine.Panic
	if !errors.As(err, &p) || !strings.HasSuffix(p.Text, "flag redefined: yes") {
		t.Errorf("a flag declared twice ended with %v", err)
	}
	_, err = s.run(t.Context(), `import "flag"; func main() { f := flag.NewFlagSet("f", 0); f.String("s", "", ""); f.String("s", "", "") }`)
	if !errors.As(err, &p) || !strings.HasSuffix(p.Text, "flag redefined: s") {
		t.Errorf("a flag declared twice in a set ended with %v", err)
	}
}
