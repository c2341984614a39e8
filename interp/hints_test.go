package interp_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp"
	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"golang.org/x/tools/txtar"
)

// told is an error or warning of a cell with the code that its hint suggests.
type told struct {
	msg, hint string
	edits     []edit
}

// edit replaces the bytes between two offsets of a cell.
type edit struct {
	from, to int
	text     string
}

// hinted is a session that records the errors and warnings of its cells.
type hinted struct {
	*interp.Session
	n    int
	told []told // of the last cell
}

func openHinted(t *testing.T) *hinted {
	h := &hinted{Session: engineCases[0].open(t)}
	h.Told(func(src *scope.Source, e check.Error, hint string) {
		one := told{msg: e.Msg, hint: hint}
		for _, f := range e.Fix {
			one.edits = append(one.edits, edit{int(f.Pos - src.Base), int(f.End - src.Base), f.Text})
		}
		h.told = append(h.told, one)
	})
	return h
}

// outcome is the result of a cell.
type outcome struct {
	printed, shown, value, failed string
	compiled                      bool
	told                          []told
}

func (h *hinted) eval(code string) outcome {
	h.n++
	h.told = nil
	out := &recorder{}
	res, err := h.Eval(context.Background(), evaluator.Cell{Code: code, Number: h.n}, out)
	o := outcome{compiled: true, told: h.told}
	out.mu.Lock()
	o.printed, o.shown = out.stdout.String(), strings.Join(out.shown, "\n")
	out.mu.Unlock()
	if res.Value != nil {
		o.value, _ = res.Value.Data[display.MIMEText].(string)
	}
	var failed *evaluator.Error
	if errors.As(err, &failed) {
		o.failed, o.compiled = failed.Value, failed.Name != "compile error"
	}
	return o
}

// fixed returns a cell with the edits of all its hints applied; of overlapping edits it applies
// one.
func fixed(code string, list []told) string {
	var edits []edit
	for _, t := range list {
		for _, e := range t.edits {
			if !slices.ContainsFunc(edits, func(o edit) bool { return o == e || e.from < o.to && o.from < e.to }) {
				edits = append(edits, e)
			}
		}
	}
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].from > edits[j].from })
	for _, e := range edits {
		code = code[:e.from] + e.text + code[e.to:]
	}
	return code
}

func hasFix(list []told) bool {
	return slices.ContainsFunc(list, func(t told) bool { return len(t.edits) > 0 })
}

// TestFixesAreRight applies the fix of each hint to the cell that caused it. The fixed cell must
// not have that error, nor any new error. If a section "meant" has the code that the student means,
// both must have the same effect. The code after a line "// then" of the section runs as a separate
// cell after each of them.
func TestFixesAreRight(t *testing.T) {
	for _, file := range cellFiles(t) {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			first, second := openHinted(t), openHinted(t)
			var before []string
			for i, f := range ar.Files {
				if f.Name != "cell" {
					continue
				}
				code := strings.TrimSuffix(string(f.Data), "\n")
				o := first.eval(code)
				if hasFix(o.told) {
					checkFix(t, second, before, code, o.told, meantOf(ar, i), strings.HasPrefix(name, "student_"))
				} else {
					second.eval(code)
				}
				before = append(before, code)
			}
		})
	}
}

// meantOf returns the code meant by a cell, and the code that runs after it.
func meantOf(ar *txtar.Archive, cell int) *[2]string {
	for _, f := range ar.Files[cell+1:] {
		switch f.Name {
		case "cell":
			return nil
		case "meant":
			code, then, _ := strings.Cut(string(f.Data), "// then\n")
			return &[2]string{code, then}
		}
	}
	return nil
}

func checkFix(t *testing.T, s *hinted, before []string, code string, list []told, meant *[2]string, must bool) {
	t.Helper()
	text := fixed(code, list)
	if text == code {
		t.Errorf("%s\nthe fix changes nothing", code)
		return
	}
	got := s.eval(text)
	if problem(got, list) != "" || meant != nil { // the earlier fixes may interfere
		s = replay(t, before)
		got = s.eval(text)
	}
	if p := problem(got, list); p != "" {
		t.Errorf("%s\nthe hint %q makes of it\n%s\n%s", code, list[0].hint, text, p)
		return
	}
	if meant == nil {
		if must && !meansName(list) {
			t.Errorf("%s\nno section \"meant\" says what is meant; the hint makes of it\n%s", code, text)
		}
		return
	}
	if len(got.told) > 0 {
		t.Errorf("%s\nthe hint makes of it\n%s\nof which is told: %s", code, text, got.told[0].msg)
	}
	other := replay(t, before)
	want := other.eval(meant[0])
	if meant[1] != "" {
		got, want = s.eval(meant[1]), other.eval(meant[1])
	}
	got.told, want.told = nil, nil
	if !want.compiled || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s\nthe hint makes of it\n%s\nwhich gives\n%+v\nmeant is\n%s\nwhich gives\n%+v", code, text, got, meant[0], want)
	}
}

// replay opens a session in which the cells have run.
func replay(t *testing.T, cells []string) *hinted {
	t.Helper()
	s := openHinted(t)
	for _, c := range cells {
		s.eval(c)
	}
	return s
}

// problem describes what is wrong with a fixed cell.
func problem(got outcome, before []told) string {
	open := 0
	for _, b := range before {
		if len(b.edits) == 0 {
			open++
		}
	}
	if got.compiled {
		return ""
	}
	for _, g := range got.told {
		if strings.HasPrefix(g.msg, "declared and not used") {
			continue // the earlier errors hid it
		}
		if meansName(before) && !strings.HasPrefix(g.msg, "undefined") {
			continue // the name is right, and the code around it is another mistake
		}
		if open == 0 {
			return "does not compile: " + g.msg
		}
		i := slices.IndexFunc(before, func(b told) bool { return b.msg == g.msg })
		if i < 0 {
			return "has a new error: " + g.msg
		}
		if len(before[i].edits) > 0 {
			return "has the error still: " + g.msg
		}
	}
	return ""
}

// meansName reports whether a hint only suggests which name was meant.
func meansName(list []told) bool {
	return slices.ContainsFunc(list, func(t told) bool { return strings.HasPrefix(t.hint, "did you mean") })
}

// hintFolders lists the packages with hints, other than mlstd and display.
var hintFolders = []string{"advice", "split", "fault", "vet", "rewrite", "pipeline", "check", "."}

// literals returns the strings of a package's sources that contain marked code.
func literals(t *testing.T, folder string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil && strings.ContainsAny(s, "‹›") && len(s) > len("‹") {
					list[s] = fset.Position(lit.Pos()).String()
				}
			}
			return true
		})
	}
	return list
}

// surroundings declares the names that examples in hints use.
const surroundings = `
n, i, k, total := 3, 1, 2, 0.0
x, y := 1.5, 2.5
xs := []float64{1, 2, 3}
ints := []int{1, 2}
bools := []bool{true}
a, b := []int{1}, []int{2}
s := "text"
m := map[string]int{"a": 1}
type T struct{ A int }
type Point struct{ X, Y float64 }
var holder any = 1.5
chars := []rune("ab")
d := ml.Iris()
f := ml.ReadText("name,age\na,30\n")
mask := f["age"] > 1
model := &ml.KNN{K: 3}
model.Fit(d.X, d.Y)
file := os.Stdin
var found error
`

// TestExamplesOfHintsCompile compiles the code of all hints that show an example.
func TestExamplesOfHintsCompile(t *testing.T) {
	t.Chdir(t.TempDir())
	examples := 0
	for _, folder := range hintFolders {
		for text, at := range literals(t, filepath.Join(sourceFolder, folder)) {
			for _, part := range strings.Split(text, "‹")[1:] {
				code, _, whole := strings.Cut(part, "›")
				if !whole || code == "_" || strings.HasPrefix(code, "%") {
					continue
				}
				examples++
				h := openHinted(t)
				if o := h.eval(surroundings); o.failed != "" {
					t.Fatalf("the surroundings: %s", o.failed)
				}
				if o := h.eval("func _() {\n" + code + "\n}"); o.compiled {
					continue
				}
				if o := h.eval(code); !o.compiled {
					t.Errorf("%s: the example %q does not compile: %s", at, code, o.failed)
				}
			}
		}
	}
	if examples < 50 {
		t.Errorf("found %d examples only", examples)
	}
}

// sourceFolder returns the folder of this package, even after a test has changed the working
// directory.
var sourceFolder = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}()

// TestEachHintWithCodeIsTried requires that, for each hint with code for the current cell, a cell
// of testdata/cells triggers the hint. TestFixesAreRight then tries it.
func TestEachHintWithCodeIsTried(t *testing.T) {
	var all strings.Builder
	for _, file := range cellFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	shown := all.String()
	for _, folder := range hintFolders {
		for text, at := range literals(t, folder) {
			if strings.Count(text, "‹") == strings.Count(text, "›") && !strings.HasPrefix(text, "›") {
				continue // an example
			}
			if words := fault.Unmarked(text); len(words) > 1 && !strings.Contains(shown, words) {
				t.Errorf("%s: no cell provokes the hint %q", at, text)
			}
		}
	}
}
