package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// notByHand lists functions of homework that are meant to use the library, or that only return
// results found with pencil and paper.
var notByHand = map[string]bool{
	"irisError": true, "choose": true, "malice": true, "rich": true, "poor": true, "and": true, "history": true,
	"wide": true, "narrow": true, "rules": true, "list": true, "changes": true,
}

// wholeNumbers lists functions that return zeros and ones, which are not rounded.
var wholeNumbers = map[string]bool{"malice": true, "hard": true}

// visibleShare is the maximum fraction of the checks' points that visible checks may decide.
const visibleShare = 0.2

// answers are the functions that a homework requires.
type answers struct {
	source, student *notebook.Notebook
	dir, name       string
	timeout         time.Duration // limit of a cell; 0 means the limit of release
}

// TestHomeworkAnswers grades each homework with answers of other students: right in another way,
// with a forbidden library, and with the numbers in the visible checks.
func TestHomeworkAnswers(t *testing.T) {
	files, err := notebook.Glob("../../notebooks/homework/*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no notebooks in ../../notebooks/homework", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".ipynb"), func(t *testing.T) {
			source, err := notebook.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			student, err := grading.Student(source)
			if err != nil {
				t.Fatal(err)
			}
			a := answers{source: source, student: student, dir: filepath.Dir(file), name: filepath.Base(file)}
			t.Run("alternatives", a.alternatives)
			if alike[strings.TrimSuffix(a.name, ".ipynb")] != nil {
				t.Run("otherwise", a.otherwise)
			}
			t.Run("mistake", a.mistake)
			t.Run("library", a.library)
			t.Run("constants", a.constants)
			t.Run("texts", a.texts)
		})
	}
}

// grade grades the solutions after change has replaced each answer that consists of functions.
// Other answers, which draw, are the solutions, or are omitted if change returns "".
func (a answers) grade(t *testing.T, checks *notebook.Notebook, change func(cell *notebook.Cell, file *ast.File) string) map[string]grading.Score {
	t.Helper()
	b, err := a.source.Encode()
	if err != nil {
		t.Fatal(err)
	}
	nb, err := notebook.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range nb.Cells {
		if c.Type == notebook.Code && strings.Contains(c.Source, "BEGIN SOLUTION") {
			file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+c.Source, parser.ParseComments)
			if err != nil {
				file = nil
			}
			c.Source = change(c, file)
		}
	}
	nb.Cells = late(nb.Cells)
	run := judging{log: slog.New(slog.DiscardHandler), checks: checks, solutions: checks, submitted: nb, from: a.dir, timeout: cmp.Or(a.timeout, 5*time.Minute)}
	res, err := run.judge(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]grading.Score{}
	for _, s := range res.Scores {
		if !s.Manual && s.Of > 0 {
			scores[s.ID] = s
		}
	}
	return scores
}

// late moves answers to the checks after them, where everything that the checks use is declared.
func late(cells []*notebook.Cell) (list []*notebook.Cell) {
	var waiting []*notebook.Cell
	for _, c := range cells {
		m, _ := c.Metadata["nbgrader"].(map[string]any)
		switch {
		case m["solution"] == true && c.Type == notebook.Code:
			waiting = append(waiting, c)
			continue
		case m["grade"] == true:
			list, waiting = append(list, waiting...), nil
		}
		list = append(list, c)
	}
	return append(list, waiting...)
}

func (a answers) full(t *testing.T, scores map[string]grading.Score) {
	t.Helper()
	for id, s := range scores {
		if s.Points < s.Of {
			t.Errorf("%s: a right answer earns %v of %v: %s", id, s.Points, s.Of, s.Note)
		}
	}
}

var given = regexp.MustCompile(`(?ms)^Given\((\w+), func(\(.*?\n\}|\([^\n]*\})\)$`)

// alternatives answers with the references of Given, which are written in another way, and with
// results whose last digits differ by rounding.
func (a answers) alternatives(t *testing.T) {
	references := map[string]string{}
	for _, c := range a.source.Cells {
		for _, m := range given.FindAllStringSubmatch(c.Source, -1) {
			if !strings.Contains(m[2], "ml.") && !strings.Contains(m[2], "stat.") {
				references[m[1]] = "func " + m[1] + m[2]
			}
		}
	}
	a.full(t, a.grade(t, a.source, func(c *notebook.Cell, file *ast.File) string {
		if file != nil && len(file.Decls) == 1 {
			if ref := references[file.Decls[0].(*ast.FuncDecl).Name.Name]; ref != "" {
				return ref
			}
		}
		return c.Source
	}))
	a.full(t, a.grade(t, a.source, func(c *notebook.Cell, file *ast.File) string {
		if file == nil {
			return c.Source
		}
		src := c.Source
		for _, d := range file.Decls {
			fn := d.(*ast.FuncDecl)
			types := resultTypes(t, fn)
			if !slices.ContainsFunc(types, isNumbers) || fn.Type.Params.NumFields() == 0 || wholeNumbers[fn.Name.Name] {
				continue
			}
			name := fn.Name.Name
			src = strings.Replace(src, "func "+name+"(", "func exactly"+name+"(", 1)
			var results, noisy []string
			for i, typ := range types {
				r := fmt.Sprint("result", i)
				results = append(results, r)
				if isNumbers(typ) {
					r = "rounded" + fmt.Sprint(strings.Count(typ, "[]")) + "(" + r + ")"
				}
				noisy = append(noisy, r)
			}
			src += fmt.Sprintf("\nfunc %s%s {\n\t%s := exactly%s(%s)\n\treturn %s\n}\n", name, signature(t, fn), strings.Join(results, ", "), name, strings.Join(parameters(fn), ", "), strings.Join(noisy, ", "))
		}
		return src + `
func rounded0(x float64) float64 { return x * (1 + 3e-13) }
func rounded1(x []float64) []float64 { return Map(x, rounded0) }
func rounded2(x [][]float64) [][]float64 { return Map(x, rounded1) }
`
	}))
}

// alike lists changes of solutions that are also right: the last of equally good choices instead of
// the first if that makes no difference, another order, sums with other rounding.
var alike = map[string][][2]string{
	"clustering": {{"; d < least {", "; d <= least {"}},
	"kernels":    {{"append(slices.Clone(p), q...)", "append(slices.Clone(q), p...)"}, {"for _, a := range p {\n\t\tfor _, b := range q {", "for _, a := range q {\n\t\tfor _, b := range p {"}, {"return all\n", "slices.Reverse(all)\n\treturn all\n"}},
	"evaluation": {{"sets[i%K] = append(sets[i%K], i)", "sets[i*K/n] = append(sets[i*K/n], n-1-i)"}},
	"deep-networks": {{"return (n+2*pad-k)/stride + 1,", "return (n + 2*pad - k + stride) / stride,"}, {"weight := math.Exp(scores[s] - top)", "weight := math.Exp(scores[s] - top + 1)"},
		{"loss += top + math.Log(sum) - row[truth[t]]", "loss -= row[truth[t]] - top - math.Log(sum)"}},
	"decompositions": {{"sum += s * s\n\t\tif sum >= share*total", "sum += s * s / total\n\t\tif sum >= share"}},
	"rules":          {{"return pairs\n", "slices.Reverse(pairs)\n\treturn pairs\n"}},
	"learning-theory": {{"return table(n, n-1, func(h, x int) bool { return x >= h })", "return table(n, n-1, func(h, x int) bool { return x < h })"},
		{"return table(1<<d, d, func(h, x int) bool { return h>>x&1 == 1 })", "return table(1<<d, d, func(h, x int) bool { return h>>x&1 == 0 })"}},
	"generative-models-and-policies": {{"for i := range t {\n\t\tbar *= alpha[i]", "for i := t - 1; i >= 0; i-- {\n\t\tbar *= alpha[i]"},
		{"g[i]*eps[i]*s/2+(s*s-1)/2", "(g[i]*eps[i]*s+math.Expm1(l[i]))/2"},
		{"top, sum := slices.Max(h), 0.0", "top, sum := slices.Max(h)-1, 0.0"}},
}

// otherwise answers with changed solutions.
func (a answers) otherwise(t *testing.T) {
	name := strings.TrimSuffix(a.name, ".ipynb")
	done := 0
	a.full(t, a.grade(t, a.source, func(c *notebook.Cell, _ *ast.File) string {
		src := c.Source
		for _, change := range alike[name] {
			if strings.Contains(src, change[0]) {
				src = strings.Replace(src, change[0], change[1], 1)
				done++
			}
		}
		return src
	}))
	if done < len(alike[name]) {
		t.Errorf("%d of %d changes were made", done, len(alike[name]))
	}
}

// mistake answers with each mistake of this homework in offByOne.
func (a answers) mistake(t *testing.T) {
	name := strings.TrimSuffix(a.name, ".ipynb")
	for _, m := range offByOne {
		if m.homework != name {
			continue
		}
		lost := 0.0
		for _, s := range a.grade(t, a.source, func(c *notebook.Cell, _ *ast.File) string { return strings.Replace(c.Source, m.old, m.new, 1) }) {
			lost += s.Of - s.Points
		}
		if cents(lost) != cents(m.lost) {
			t.Errorf("%q for %q loses %s points, and deserves to lose %s", m.new, m.old, grading.Number(cents(lost)), grading.Number(m.lost))
		}
	}
}

func isNumbers(typ string) bool { return strings.TrimLeft(typ, "[]") == "float64" }

// library answers correctly, but also calls the library.
func (a answers) library(t *testing.T) {
	byHand := map[string]bool{}
	scores := a.grade(t, a.source, func(c *notebook.Cell, file *ast.File) string {
		if file == nil {
			return c.Source
		}
		src := c.Source
		for _, d := range file.Decls {
			fn := d.(*ast.FuncDecl)
			if name := fn.Name.Name; !notByHand[name] {
				byHand[name] = true
				at := strings.Index(src, "func "+name+"(")
				end := at + strings.Index(src[at:], "{\n") + 2
				src = src[:end] + "\t_ = ml.Accuracy\n" + src[end:]
			}
		}
		return src
	})
	for _, c := range a.source.Cells {
		id := gradeID(c)
		s, ok := scores[id]
		if !ok {
			continue
		}
		free := 0.0 // points of functions that may use the library
		for _, check := range checksOf(t, c.Source) {
			if !byHand[check.fn] {
				free += check.points
			}
		}
		if s.Points > free+1e-9 {
			t.Errorf("%s: answers that call the library earn %v, and %v are for others: %s", id, s.Points, free, s.Note)
		}
	}
}

// constants answers with the results that the visible checks expect, and with nothing elsewhere.
func (a answers) constants(t *testing.T) {
	open := map[string]bool{} // autograder cells that accept no constants
	seen := a.grade(t, a.student, func(c *notebook.Cell, _ *ast.File) string { return c.Source })
	for _, c := range a.student.Cells {
		id := gradeID(c)
		if _, ok := seen[id]; !ok {
			continue
		}
		for _, check := range checksOf(t, c.Source) {
			if check.calls == nil {
				open[id] = true
			}
		}
	}
	scores := a.grade(t, a.source, a.copied(t, a.visibleConstants(t)))
	earned, of := 0.0, 0.0
	for id, s := range scores {
		visible := seen[id].Seen
		if s.Points < visible-1e-9 && !open[id] {
			t.Errorf("%s: the constants earn %v of %v visible points, so this test tries nothing: %s", id, s.Points, visible, s.Note)
		}
		if s.Points > visible+1e-9 {
			t.Errorf("%s: constants earn %v, more than the %v visible points", id, s.Points, visible)
		}
		earned, of = earned+max(s.Points, visible), of+s.Of
	}
	if earned > visibleShare*of+1e-9 {
		t.Errorf("what the visible checks show earns %v of %v points", earned, of)
	}
}

// visibleConstants returns the calls of the visible checks with the expected results, by function.
func (a answers) visibleConstants(t *testing.T) map[string][]constant {
	wants := map[string][]constant{}
	for _, c := range a.student.Cells {
		if m, _ := c.Metadata["nbgrader"].(map[string]any); c.Type == notebook.Code && m["grade"] == true && numberIn(m["points"]) > 0 {
			for _, check := range checksOf(t, c.Source) {
				wants[check.fn] = append(wants[check.fn], check.calls...)
			}
		}
	}
	return wants
}

func numberIn(v any) float64 {
	x := 0.0
	fmt.Sscan(fmt.Sprint(v), &x)
	return x
}

// copied replaces answers by functions that return the constants for their calls, and zero values
// otherwise.
func (a answers) copied(t *testing.T, wants map[string][]constant) func(c *notebook.Cell, file *ast.File) string {
	return func(c *notebook.Cell, file *ast.File) string {
		if file == nil {
			return ""
		}
		var b strings.Builder
		for _, d := range file.Decls {
			fn := d.(*ast.FuncDecl)
			name, types := fn.Name.Name, resultTypes(t, fn)
			fmt.Fprintf(&b, "func %s%s {\n\tasked := asked(%s)\n\t_ = asked\n", name, signature(t, fn), strings.Join(parameters(fn), ", "))
			var after strings.Builder
			for i, w := range wants[name] {
				fmt.Fprintf(&b, "\tif asked == asked%s%d() {\n\t\treturn want%s%d()\n\t}\n", name, i, name, i)
				fmt.Fprintf(&after, "func asked%s%d() string { return asked(%s) }\n", name, i, w.args)
				fmt.Fprintf(&after, "func want%s%d() (%s) { return %s }\n", name, i, strings.Join(types, ", "), w.want)
			}
			var zeros []string
			for i, typ := range types {
				fmt.Fprintf(&b, "\tvar zero%d %s\n", i, typ)
				zeros = append(zeros, fmt.Sprint("zero", i))
			}
			fmt.Fprintf(&b, "\treturn %s\n}\n%s", strings.Join(zeros, ", "), &after)
		}
		// Functions of the checks are different values in the process of the submission.
		b.WriteString("func asked(args ...any) string {\n\tfor i, a := range args {\n\t\tif strings.HasPrefix(fmt.Sprintf(\"%T\", a), \"func\") {\n\t\t\targs[i] = \"a function\"\n\t\t}\n\t}\n\treturn fmt.Sprint(args...)\n}\n")
		return b.String()
	}
}

// texts checks that students get no text that is untrue for them.
func (a answers) texts(t *testing.T) {
	for i, c := range a.student.Cells {
		if c.Type == notebook.Code && strings.Contains(c.Source, "From here on") {
			t.Errorf("%s speaks of a reference that the students' notebook does not have: %s", c.ID, c.Source)
		}
		if strings.Contains(a.source.Cells[i].Source, "\nGiven(") && !strings.Contains(c.Source, "Grading replaces ") {
			t.Errorf("%s does not say what becomes of the answer above when it is graded: %s", c.ID, c.Source)
		}
	}
}

func gradeID(c *notebook.Cell) string {
	m, _ := c.Metadata["nbgrader"].(map[string]any)
	id, _ := m["grade_id"].(string)
	return id
}

// constant is a call in a check with the expected result.
type constant struct{ args, want string }

// oneCheck is a check of a cell; calls is nil for a check of a property or a chart.
type oneCheck struct {
	fn     string
	calls  []constant
	points float64
}

// checksOf reads the checks of a cell.
func checksOf(t *testing.T, src string) (all []oneCheck) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", "package p\nfunc _() {\n"+src+"\n}", 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	text := func(list []ast.Expr) string {
		var parts []string
		for _, e := range list {
			var b strings.Builder
			if err := format.Node(&b, fset, e); err != nil {
				t.Fatal(err)
			}
			parts = append(parts, b.String())
		}
		return strings.Join(parts, ", ")
	}
	body := file.Decls[0].(*ast.FuncDecl).Body.List
	if len(body) == 0 {
		return nil
	}
	last, ok := body[len(body)-1].(*ast.ExprStmt)
	if !ok {
		return nil
	}
	list := []ast.Expr{last.X}
	if c, ok := last.X.(*ast.CallExpr); ok {
		if id, ok := c.Fun.(*ast.Ident); ok && id.Name == "Checks" {
			list = c.Args
		}
	}
	for _, e := range list {
		var links []*ast.CallExpr // the last one comes first
		for {
			c, ok := e.(*ast.CallExpr)
			if !ok {
				break
			}
			links = append(links, c)
			sel, ok := c.Fun.(*ast.SelectorExpr)
			if !ok {
				break
			}
			e = sel.X
		}
		slices.Reverse(links)
		check := oneCheck{points: 1, calls: []constant{}}
		open := false
		for _, l := range links {
			name := ""
			switch f := l.Fun.(type) {
			case *ast.Ident:
				name = f.Name
			case *ast.SelectorExpr:
				name = f.Sel.Name
			}
			switch name {
			case "Check":
				check.fn = text(l.Args[:1])
				check.calls = append(check.calls, constant{args: text(l.Args[1:])})
			case "Call":
				check.calls = append(check.calls, constant{args: text(l.Args)})
			case "Is":
				check.calls[len(check.calls)-1].want = text(l.Args)
			case "Points":
				fmt.Sscan(text(l.Args), &check.points)
			case "CheckPlot", "CheckText":
				check.fn, open = text(l.Args[:1]), true
			case "That", "Like":
				open = true
			}
		}
		if open {
			check.calls = nil
		}
		all = append(all, check)
	}
	return all
}

func resultTypes(t *testing.T, fn *ast.FuncDecl) (types []string) {
	for _, f := range fn.Type.Results.List {
		var b strings.Builder
		if err := format.Node(&b, token.NewFileSet(), f.Type); err != nil {
			t.Fatal(err)
		}
		for range max(1, len(f.Names)) {
			types = append(types, b.String())
		}
	}
	return types
}

func parameters(fn *ast.FuncDecl) (names []string) {
	for _, f := range fn.Type.Params.List {
		for _, n := range f.Names {
			names = append(names, n.Name)
		}
	}
	return names
}

// signature returns the parameters and results of a function, without names of results.
func signature(t *testing.T, fn *ast.FuncDecl) string {
	var b strings.Builder
	if err := format.Node(&b, token.NewFileSet(), &ast.FuncType{Params: fn.Type.Params}); err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(b.String(), "func") + " (" + strings.Join(resultTypes(t, fn), ", ") + ")"
}

// function is a function that an answer declares.
type function struct {
	name, signature string
	zeros           []string // zero values of its results
}

// functions returns the functions of an answer, or none if it draws.
func functions(t *testing.T, src string) (list []function) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+src, 0)
	if err != nil {
		return nil
	}
	for _, d := range file.Decls {
		fn := d.(*ast.FuncDecl)
		f := function{name: fn.Name.Name, signature: signature(t, fn)}
		for _, typ := range resultTypes(t, fn) {
			f.zeros = append(f.zeros, "*new("+typ+")")
		}
		list = append(list, f)
	}
	return list
}
