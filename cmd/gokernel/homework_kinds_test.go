package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

var updateReport = flag.Bool("update-homework", false, "write docs/reports/homework.md (grades all submissions)")

const reportPage = "../../docs/reports/homework.md"

// handed is a submission with the points that it deserves.
type handed struct {
	homework, kind string
	what           string // what the student did
	deserved       float64
	most           bool // it deserves at most these points
	change         func(c *notebook.Cell, file *ast.File) string
}

// offByOne lists solutions with one mistake, and the points of the checks whose data show it. The
// report has the first six; TestHomeworkAnswers tries all.
var offByOne = []struct {
	homework, old, new string
	lost               float64
}{
	{"nearest-neighbors", "return order[:k]\n", "return order[:k-1]\n", 2},
	{"what-is-machine-learning", "range level + 1 {", "range level {", 1},
	{"evaluation", "k <= min(b, c)", "k < min(b, c)", 1},
	{"perceptron", "made <= passes", "made < passes", 1},
	{"reinforcement-learning", "sum += weight * r\n\t\tweight *= gamma", "weight *= gamma\n\t\tsum += weight * r", 1},
	{"decision-trees", "for k := 1; k < len(order)", "for k := 2; k < len(order)", 1.6}, // the visible data hide it
	{"generative-models-and-policies", "for t := len(rewards) - 1; t >= 0; t--", "for t := len(rewards) - 1; t > 0; t--", 1},
	{"deep-networks", "last = t + 1", "last = max(t, 1)", 0.9},
}

// endless lists functions whose checks have a short time limit.
var endless = [][2]string{
	{"clustering", "kmeans"}, {"kernels", "train"}, {"perceptron", "train"}, {"reinforcement-learning", "solve"}, {"rules", "cover"}, {"online-learning", "repeats"},
}

// kinds are the ten kinds of submissions, in the order of the report.
var kinds = []string{"right", "alternative right", "off by one", "constants copied", "empty", "loops forever", "wrong type", "partly right", "forbidden function", "prints only"}

// worthOf computes the points of checks from the text of a source alone, without the grader.
type worthOf struct {
	t     *testing.T
	cells []*notebook.Cell
	uses  map[string]map[string]bool // the names that each answer uses
	draws map[string]bool            // names in answers that draw
}

func newWorth(t *testing.T, source *notebook.Notebook) worthOf {
	w := worthOf{t: t, cells: source.Cells, uses: map[string]map[string]bool{}, draws: map[string]bool{}}
	for _, c := range source.Cells {
		if c.Type != notebook.Code || !strings.Contains(c.Source, "BEGIN SOLUTION") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+c.Source, 0)
		if err != nil {
			if file, err = parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+c.Source+"\n}", 0); err != nil {
				t.Fatal(err)
			}
			names(file, w.draws)
			continue
		}
		for _, d := range file.Decls {
			fn := d.(*ast.FuncDecl)
			w.uses[fn.Name.Name] = map[string]bool{}
			names(fn.Body, w.uses[fn.Name.Name])
		}
	}
	return w
}

func names(node ast.Node, into map[string]bool) {
	ast.Inspect(node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			into[id.Name] = true
		}
		return true
	})
}

// points returns the points of the checks that no broken answer can fail: the check's function does
// not reach a broken answer that no earlier Given has replaced.
func (w worthOf) points(broken func(name string) bool) (sum float64) {
	replaced := map[string]bool{}
	var reaches func(name string, seen map[string]bool) bool
	reaches = func(name string, seen map[string]bool) bool {
		if replaced[name] || seen[name] {
			return false
		}
		seen[name] = true
		if broken(name) {
			return true
		}
		uses, ok := w.uses[name]
		if !ok {
			uses = w.draws
		}
		for other := range uses {
			if w.uses[other] != nil && reaches(other, seen) {
				return true
			}
		}
		return false
	}
	for _, c := range w.cells {
		if m, _ := c.Metadata["nbgrader"].(map[string]any); c.Type != notebook.Code || m["grade"] != true {
			continue
		}
		for line := range strings.Lines(c.Source) {
			if name, ok := strings.CutPrefix(line, "Given("); ok {
				name, _, _ = strings.Cut(name, ",")
				replaced[name] = true
			}
		}
		if strings.Contains(c.Source, "Given(") {
			continue
		}
		for _, check := range checksOf(w.t, c.Source) {
			// A check can call a function literal, which calls answers.
			called := map[string]bool{check.fn: true}
			if !token.IsIdentifier(check.fn) {
				expr, err := parser.ParseExpr(check.fn)
				if err != nil {
					w.t.Fatalf("%s: %v", check.fn, err)
				}
				called = map[string]bool{}
				names(expr, called)
				maps.DeleteFunc(called, func(name string, _ bool) bool { return w.uses[name] == nil })
			}
			lost := false
			for name := range called {
				lost = lost || reaches(name, map[string]bool{})
			}
			if !lost {
				sum += check.points
			}
		}
	}
	return sum
}

// submission makes the j-th of the six submissions of a kind.
func (a answers) submission(t *testing.T, kind string, j int) (s handed) {
	w := newWorth(t, a.source)
	all := w.points(func(string) bool { return false })
	name := strings.TrimSuffix(a.name, ".ipynb")
	s = handed{homework: name, kind: kind, change: func(c *notebook.Cell, _ *ast.File) string { return c.Source }}
	without := func(fn string) { s.deserved = w.points(func(n string) bool { return n == fn }) }
	switch kind {
	case "right":
		s.what, s.deserved = "the solutions", all
	case "alternative right":
		s.what, s.deserved = "other choices among equals, another order, other rounding", all
		s.change = func(c *notebook.Cell, _ *ast.File) string {
			src := c.Source
			for _, change := range alike[name] {
				src = strings.Replace(src, change[0], change[1], 1)
			}
			return src
		}
	case "off by one":
		m := offByOne[j]
		s.what, s.deserved = fmt.Sprintf("`%s` for `%s`", oneLine(m.new), oneLine(m.old)), all-m.lost
		s.change = func(c *notebook.Cell, _ *ast.File) string { return strings.Replace(c.Source, m.old, m.new, 1) }
	case "constants copied":
		s.what, s.most, s.deserved = "returns what the visible checks expect", true, visibleShare*all
		s.change = a.copied(t, a.visibleConstants(t))
	case "empty":
		s.what = "the student version as it is"
		s.change = func(c *notebook.Cell, _ *ast.File) string { return a.stub(c) }
	case "loops forever":
		fn := endless[j][1]
		s.what = fmt.Sprintf("`%s` never returns", fn)
		without(fn)
		s.change = a.replace(t, fn, func(fn *ast.FuncDecl) string { return signature(t, fn) + " {\n\tfor {\n\t}\n}" })
	case "wrong type":
		fn := a.first(t, func(string) bool { return true })
		s.what = fmt.Sprintf("`%s` returns a string", fn)
		without(fn)
		s.change = a.replace(t, fn, func(fn *ast.FuncDecl) string {
			sig := signature(t, fn)
			return sig[:strings.LastIndex(sig, " (")] + " string {\n\treturn \"1\"\n}"
		})
	case "partly right":
		var code []*notebook.Cell
		for _, c := range a.source.Cells {
			if c.Type == notebook.Code && strings.Contains(c.Source, "BEGIN SOLUTION") {
				code = append(code, c)
			}
		}
		broken := map[string]bool{}
		for _, c := range code[len(code)/2:] {
			for _, fn := range functions(t, c.Source) {
				broken[fn.name] = true
			}
		}
		s.what = fmt.Sprintf("the first %d of %d answers", len(code)/2, len(code))
		s.deserved = w.points(func(n string) bool { return broken[n] || w.uses[n] == nil })
		s.change = func(c *notebook.Cell, _ *ast.File) string {
			if slices.ContainsFunc(code[len(code)/2:], func(b *notebook.Cell) bool { return b.ID == c.ID }) {
				return a.stub(c)
			}
			return c.Source
		}
	case "forbidden function":
		fn := a.first(t, func(n string) bool { return !notByHand[n] })
		s.what = fmt.Sprintf("`%s` is right, and uses the library", fn)
		without(fn)
		s.change = func(c *notebook.Cell, _ *ast.File) string {
			at := strings.Index(c.Source, "func "+fn+"(")
			if at < 0 {
				return c.Source
			}
			end := at + strings.Index(c.Source[at:], "{\n") + 2
			return c.Source[:end] + "\t_ = ml.Accuracy\n" + c.Source[end:]
		}
	case "prints only":
		s.what = "prints right results and returns zeros"
		s.change = func(c *notebook.Cell, file *ast.File) string {
			if file == nil {
				return "fmt.Println(\"figure\")"
			}
			src := c.Source
			for _, d := range file.Decls {
				fn := d.(*ast.FuncDecl)
				name := fn.Name.Name
				src = strings.Replace(src, "func "+name+"(", "func right"+name+"(", 1)
				var zeros []string
				for _, typ := range resultTypes(t, fn) {
					zeros = append(zeros, "*new("+typ+")")
				}
				src += fmt.Sprintf("\nfunc %s%s {\n\tfmt.Println(right%s(%s))\n\treturn %s\n}\n", name, signature(t, fn), name, strings.Join(parameters(fn), ", "), strings.Join(zeros, ", "))
			}
			return src
		}
	}
	return s
}

func oneLine(code string) string { return strings.Join(strings.Fields(code), " ") }

// stub returns the text of an answer in the student version.
func (a answers) stub(c *notebook.Cell) string {
	for _, s := range a.student.Cells {
		if s.ID == c.ID {
			return s.Source
		}
	}
	return c.Source
}

// first returns the first function of the homework's answers that fits.
func (a answers) first(t *testing.T, fits func(name string) bool) string {
	for _, c := range a.source.Cells {
		if c.Type == notebook.Code && strings.Contains(c.Source, "BEGIN SOLUTION") {
			for _, fn := range functions(t, c.Source) {
				if fits(fn.name) {
					return fn.name
				}
			}
		}
	}
	t.Fatalf("%s has no such function", a.name)
	return ""
}

// replace replaces the text of a function after its name.
func (a answers) replace(t *testing.T, name string, with func(fn *ast.FuncDecl) string) func(c *notebook.Cell, file *ast.File) string {
	return func(c *notebook.Cell, file *ast.File) string {
		if file == nil {
			return c.Source
		}
		for _, d := range file.Decls {
			if fn := d.(*ast.FuncDecl); fn.Name.Name == name {
				const before = len("package p\n") + 1 // positions start at 1
				return c.Source[:int(fn.Pos())-before] + "func " + name + with(fn) + c.Source[int(fn.End())-before:]
			}
		}
		return c.Source
	}
}

// homeworkOf returns the homework of the j-th submission of a kind: together they cover all.
func homeworkOf(kind string, j int, files []string) string {
	named := func(name string) string { return filepath.Join("../../notebooks/homework", name+".ipynb") }
	k := slices.Index(kinds, kind)
	switch kind {
	case "alternative right":
		var list []string
		for name := range alike {
			list = append(list, name)
		}
		slices.Sort(list)
		return named(list[j])
	case "off by one":
		return named(offByOne[j].homework)
	case "loops forever":
		return named(endless[j][0])
	}
	return files[(k+5*j)%len(files)]
}

// TestKindsOfSubmissions grades 60 submissions of ten kinds. Each earns the points that it
// deserves: the points of the checks that its mistake cannot reach, computed from the text of the
// source. Copied constants earn at most a fifth. By default, one submission of each kind is graded
// and compared with the report; -attacks grades all, and -update-homework also writes the report.
func TestKindsOfSubmissions(t *testing.T) {
	files, err := notebook.Glob("../../notebooks/homework/*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no notebooks in ../../notebooks/homework", err)
	}
	page, err := os.ReadFile(reportPage)
	if err != nil && !*updateReport {
		t.Fatal(err)
	}
	each := 1
	if *allAttacks || *updateReport {
		each = 6
	}
	rows := make([]string, len(kinds)*each)
	covered := map[string]bool{}
	inParallel(len(rows), func(i int) {
		kind, j := kinds[i/each], i%each
		file := homeworkOf(kind, j, files)
		source, err := notebook.Read(file)
		if err != nil {
			t.Error(err)
			return
		}
		student, err := grading.Student(source)
		if err != nil {
			t.Error(err)
			return
		}
		a := answers{source: source, student: student, dir: filepath.Dir(file), name: filepath.Base(file), timeout: 20 * time.Second}
		s := a.submission(t, kind, j)
		earned, of := 0.0, 0.0
		for _, score := range a.grade(t, a.source, s.change) {
			earned, of = earned+score.Points, of+score.Of
		}
		earned, of, deserved := cents(earned), cents(of), cents(s.deserved)
		if earned > deserved || earned < deserved && !s.most {
			t.Errorf("%s, %s (%s): it earns %s of %s points, and deserves %s", s.homework, s.kind, s.what, grading.Number(earned), grading.Number(of), grading.Number(deserved))
		}
		most := ""
		if s.most {
			most = "≤ "
		}
		rows[i] = fmt.Sprintf("| %s | %s | %s | %s | %s%s | %s |\n", s.kind, s.homework, s.what, grading.Number(of), most, grading.Number(deserved), grading.Number(earned))
	})
	if t.Failed() {
		return
	}
	for _, row := range rows {
		covered[strings.Split(row, " | ")[1]] = true
		if !*updateReport && !strings.Contains(string(page), row) {
			t.Errorf("%s lacks the line\n%s\nwrite it with go test ./cmd/gokernel -run %s -update-homework", reportPage, row, t.Name())
		}
	}
	if each == 6 && len(covered) != len(files) {
		t.Errorf("the submissions are of %d of %d homework assignments", len(covered), len(files))
	}
	if *updateReport {
		const begin, end = "<!-- submissions -->\n\n", "\n<!-- end of submissions -->"
		before, rest, ok := strings.Cut(string(page), begin)
		_, after, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatalf("%s has no place for the table", reportPage)
		}
		text := before + begin + "| kind | homework | what the student did | of | deserved | given |\n|---|---|---|---:|---:|---:|\n" + strings.Join(rows, "") + end + after
		if err := os.WriteFile(reportPage, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// cents rounds points to a hundredth, so that sums of decimal fractions can be compared.
func cents(points float64) float64 {
	var x float64
	fmt.Sscanf(fmt.Sprintf("%.2f", points), "%g", &x)
	return x
}
