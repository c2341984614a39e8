package submissions

import "strings"

// Case is a submission of the homework.
type Case struct {
	Name    string
	First   string            // a cell before all others
	Answers map[string]string // by answer; others are right
	Many    int               // number of cells after all others
	// Lost lists the tasks whose answers earn nothing. All others earn their full points.
	Lost   []string
	Honest bool
	change func([]cell) []cell
}

// Answers to tasks that earn no points.
const (
	noRoot   = "func root(x float64) float64 { return 0 }"
	noSize   = "func size(text string) int { return 0 }"
	noTotal  = "func total(values []float64) float64 { return 0 }"
	noMirror = "func mirror(points []point) []point { return nil }"
	noTwice  = "func twice(f func(float64) float64, x float64) float64 { return 0 }"
)

// rootCase returns a case whose root is wrong, with a cell before it.
func rootCase(name, first, body string) Case {
	if body == "" {
		body = noRoot
	}
	return Case{Name: name, First: first, Answers: map[string]string{"root": body}, Lost: []string{"root-check"}}
}

// inRoot returns a case whose root executes statements and returns 0 or their result.
func inRoot(name, before, statements string) Case {
	return rootCase(name, before, "func root(x float64) float64 {\n"+statements+"\nreturn 0\n}")
}

// refusedPackages are packages that a submission may not import.
var refusedPackages = []string{"reflect", "unsafe", "runtime", "runtime/debug", "runtime/pprof", "os/exec", "os/signal", "net", "net/http", "syscall", "plugin", "log/syslog", "debug/elf", "go/types", "testing/iotest",
	"github.com/gokernel/gokernel/display/homework"}

// Cases returns all submissions of the homework.
func Cases() []Case {
	cases := append(honest(), declarations()...)
	cases = append(cases, reads()...)
	cases = append(cases, values()...)
	cases = append(cases, processes()...)
	cases = append(cases, notebooks()...)
	for _, path := range refusedPackages {
		cases = append(cases, rootCase("imports "+path, "", "import it \""+path+"\"\n"+noRoot))
	}
	return cases
}

// honest are submissions whose answers are right, or wrong in one task.
func honest() []Case {
	right := func(name string, first string, answers map[string]string) Case {
		return Case{Name: name, First: first, Answers: answers, Honest: true}
	}
	return []Case{
		right("the solutions", "", nil),
		right("Newton's method, another way", "", map[string]string{"root": "func root(x float64) (z float64) {\n\tfor z = x + 1; z*z-x > 1e-13*x; z = (z + x/z) / 2 {\n\t}\n\treturn z\n}"}),
		right("a helper in a cell of its own", "func half(x float64) float64 { return x / 2 }", map[string]string{"root": "func root(x float64) float64 {\n\tz := x\n\tfor range 80 {\n\t\tz = half(z + x/z)\n\t}\n\treturn z\n}"}),
		right("a type of its own", "type newton struct{ z float64 }\nfunc (n *newton) step(x float64) { n.z = (n.z + x/n.z) / 2 }", map[string]string{"root": "func root(x float64) float64 {\n\tn := &newton{1}\n\tfor range 60 {\n\t\tn.step(x)\n\t}\n\treturn n.z\n}"}),
		right("functions in variables", "", map[string]string{"size": "size := func(text string) int { return len(strings.Fields(text)) }", "total": "total := func(values []float64) float64 {\n\tsum := 0.0\n\tfor _, v := range values {\n\t\tsum += v\n\t}\n\treturn sum\n}"}),
		right("a named result type", "type number float64", map[string]string{"total": "func total(values []float64) number {\n\tsum := 0.0\n\tfor _, v := range values {\n\t\tsum += v\n\t}\n\treturn number(sum)\n}"}),
		right("prints while it works", "", map[string]string{"root": "func root(x float64) float64 {\n\tz := 1.0\n\tfor i := range 60 {\n\t\tz = (z + x/z) / 2\n\t\tfmt.Println(i, z)\n\t}\n\treturn z\n}"}),
		right("recovers from its own panic", "", map[string]string{"size": "func size(text string) (n int) {\n\tdefer func() { recover() }()\n\tn = len(strings.Fields(text))\n\tpanic(\"done\")\n}"}),
		right("goroutines", "", map[string]string{"total": "func total(values []float64) float64 {\n\tc := make(chan float64)\n\tgo func() {\n\t\tdefer close(c)\n\t\tfor _, v := range values {\n\t\t\tc <- v\n\t\t}\n\t}()\n\tsum := 0.0\n\tfor v := range c {\n\t\tsum += v\n\t}\n\treturn sum\n}"}),
		right("a function and an error more", "", map[string]string{"total": "func total(values []float64) (float64, error) {\n\tsum := 0.0\n\tfor _, v := range values {\n\t\tsum += v\n\t}\n\treturn sum, nil\n}"}),
		right("names that checks use as well", "want, reference, calls := 1, 2, 3\ncounted := \"mine\"", nil),
		right("a variable of the chart under another name too", "", map[string]string{"chart": "picture := Plot([]float64{1, 2, 3}, []float64{1, 4, 9}).Name(\"squares\").X(\"x\")\nfig := picture\nfig"}),
		{Name: "one task wrong", Answers: map[string]string{"total": "func total(values []float64) float64 { return values[0] }"}, Lost: []string{"total-check"}, Honest: true},
		{Name: "one task missing", Answers: map[string]string{"mirror": "// later"}, Lost: []string{"mirror-check"}, Honest: true},
		{Name: "does not compile", Answers: map[string]string{"size": "func size(text string) int { return len(text }"}, Lost: []string{"size-check"}, Honest: true},
		{Name: "another signature", Answers: map[string]string{"twice": "func twice(x float64, f func(float64) float64) float64 { return f(f(x)) }"}, Lost: []string{"twice-check"}, Honest: true},
	}
}

// declarations declare names that checks use.
func declarations() []Case {
	return []Case{
		rootCase("declares the reference", "func reference(x float64) float64 { return 0 }", "func root(x float64) float64 { return reference(x) }"),
		rootCase("declares the reference later", "", "func root(x float64) float64 { return reference(x) }\nfunc reference(x float64) float64 { return 0 }"),
		rootCase("declares the reference as a variable", "var reference = func(x float64) float64 { return 0 }", "func root(x float64) float64 { return reference(x) }"),
		rootCase("declares what is expected", "want := 0.0", ""),
		rootCase("declares math", "type mm struct{}\nfunc (mm) Sqrt(x float64) float64 { return 0 }\nfunc (mm) Abs(x float64) float64 { return 0 }\nfunc (mm) Exp(x float64) float64 { return 0 }\nvar math mm", ""),
		{Name: "declares len", First: "func len(x any) int { return 0 }", Answers: map[string]string{"size": noSize}, Lost: []string{"size-check"}},
		{Name: "declares append, true and float64", First: "func append(x ...any) int { return 0 }\nconst true = false\ntype float64 = string", Answers: map[string]string{
			"root": noRoot, "total": noTotal, "size": noSize, "mirror": noMirror, "twice": noTwice, "chart": "fig := 1"}, Lost: []string{"root-check", "size-check", "total-check", "mirror-check", "twice-check", "chart-check"}},
		rootCase("declares Check", "func Check(f any, args ...any) int { return 2 }", ""),
		rootCase("declares Checks as a type", "type Checks int", ""),
		rootCase("declares ml", "ml := 3", ""),
		rootCase("imports another package as math", "import math \"strings\"", ""),
		rootCase("imports another package as ml", "import ml \"strings\"", ""),
		{Name: "declares the type of the data again", First: "", Answers: map[string]string{"mirror": "type point struct{}\nfunc mirror(points []point) []point { return points }"}, Lost: []string{"mirror-check"}},
		{Name: "gives a type methods", Answers: map[string]string{"mirror": "func (p point) Equal(q point) bool { return true }\nfunc mirror(points []point) []point { return points }"}, Lost: []string{"mirror-check"}},
		{Name: "changes the data", Answers: map[string]string{"total": "xs = []float64{}\n" + noTotal}, Lost: []string{"total-check"}},
		{Name: "changes the data when it is called", Answers: map[string]string{"total": "func total(values []float64) float64 {\n\tfor i := range xs {\n\t\txs[i] = 0\n\t}\n\tclear(values)\n\treturn 0\n}"}, Lost: []string{"total-check"}},
		{Name: "changes the data behind its argument", Answers: map[string]string{"total": "func total(values []float64) float64 {\n\tclear(values)\n\treturn 0\n}"}, Lost: []string{"total-check"}},
		rootCase("Given", "Given(root, func(x float64) float64 { return 2 })", ""),
		rootCase("hides its own import", "import ǃhomework \"github.com/gokernel/gokernel/display/homework\"", ""),
		rootCase("generated names", "func ǃentry() {}", ""),
		rootCase("an alias of a package that is forbidden", "", "import m \"math\"\nfunc root(x float64) float64 { return m.Sqrt(x) }"),
		rootCase("an import without a name", "", "import . \"math\"\nfunc root(x float64) float64 { return Sqrt(x) }"),
		rootCase("a variable with what is forbidden", "sqrt := math.Sqrt", "func root(x float64) float64 { return sqrt(x) }"),
		rootCase("a variable that is set later", "var sqrt func(float64) float64", "func root(x float64) float64 { return sqrt(x) }\nsqrt = math.Sqrt"),
		rootCase("a map of what is forbidden", "table := map[string]func(float64) float64{\"s\": math.Sqrt}", "func root(x float64) float64 { return table[\"s\"](x) }"),
		rootCase("a method with what is forbidden", "type s struct{}\nfunc (s) r(x float64) float64 { return math.Sqrt(x) }", "func root(x float64) float64 { return s{}.r(x) }"),
		rootCase("an interface with what is forbidden", "type s struct{}\nfunc (s) r(x float64) float64 { return math.Sqrt(x) }\nvar i interface{ r(float64) float64 } = s{}", "func root(x float64) float64 { return i.r(x) }"),
	}
}

// reads search for what the judge knows.
func reads() []Case {
	return []Case{
		inRoot("looks into the memory of the process", "", "\tb, _ := os.ReadFile(\"/proc/self/mem\")\n\tif len(b) > 0 {\n\t\treturn 2\n\t}"),
		inRoot("looks at files of the grader", "", "\tfor _, dir := range []string{\"..\", \"../checks\", \"/tmp\", \"/\"} {\n\t\tentries, _ := os.ReadDir(dir)\n\t\tfor _, e := range entries {\n\t\t\tif b, _ := os.ReadFile(dir + \"/\" + e.Name()); strings.Contains(string(b), \"HIDDEN\") {\n\t\t\t\treturn math.Inf(1)\n\t\t\t}\n\t\t}\n\t}"),
		inRoot("looks at processes", "", "\tfor pid := range 100000 {\n\t\tif b, err := os.ReadFile(fmt.Sprintf(\"/proc/%d/environ\", pid)); err == nil && len(b) > 0 {\n\t\t\treturn 1.4142135623730951\n\t\t}\n\t}"),
		rootCase("the shell", "!cat /proc/self/maps", ""),
		rootCase("a cell of bash", "%%bash\necho 2", ""),
		rootCase("a package of its own", "%%package math\nfunc Sqrt(x float64) float64 { return 0 }", ""),
		rootCase("asks for the source of the reference", "?? reference", ""),
		{Name: "keeps a function of the checks", First: "var kept func(float64) float64", Answers: map[string]string{"twice": "func twice(f func(float64) float64, x float64) float64 { kept = f; return 0 }"}, Lost: []string{"twice-check"}},
		{Name: "calls a function of the checks too often", Answers: map[string]string{"twice": "func twice(f func(float64) float64, x float64) float64 {\n\tfor range 2000 {\n\t\tx = f(x)\n\t}\n\treturn x\n}"}, Lost: []string{"twice-check"}},
		{Name: "calls a function of the checks with what it cannot take", Answers: map[string]string{"twice": "func twice(f func(float64) float64, x float64) float64 {\n\tdefer func() { recover() }()\n\treturn f(math.NaN()) * f(math.Inf(1))\n}"}, Lost: []string{"twice-check"}},
		{Name: "compares functions of the checks", Answers: map[string]string{"twice": "func twice(f func(float64) float64, x float64) float64 {\n\tif fmt.Sprintf(\"%p\", f) == \"\" {\n\t\treturn 4\n\t}\n\treturn f(x)\n}"}, Lost: []string{"twice-check"}},
	}
}

// values return results that no honest answer returns.
func values() []Case {
	return []Case{
		inRoot("NaN", "", "\treturn math.NaN()"),
		rootCase("any", "", "func root(x float64) any { return struct{}{} }"),
		rootCase("a value that prints like the right one", "type fake struct{}\nfunc (fake) String() string { return \"1.4142135623730951\" }\nfunc (fake) Error() string { return \"1.4142135623730951\" }", "func root(x float64) any { return fake{} }"),
		rootCase("an error", "", "func root(x float64) error { return fmt.Errorf(\"%v\", 1.4142135623730951) }"),
		rootCase("a pointer to itself", "type ring struct{ next *ring }", "func root(x float64) *ring { r := &ring{}; r.next = r; return r }"),
		rootCase("a deep value", "type deep struct{ next *deep }", "func root(x float64) *deep {\n\tvar d *deep\n\tfor range 100000 {\n\t\td = &deep{d}\n\t}\n\treturn d\n}"),
		rootCase("a large value", "", "func root(x float64) []float64 { return make([]float64, 20_000_000) }"),
		rootCase("a channel", "", "func root(x float64) chan int { return make(chan int) }"),
		rootCase("a function", "", "func root(x float64) func() float64 { return func() float64 { return 1.4142135623730951 } }"),
		rootCase("a text", "", "func root(x float64) string { return \"1.4142135623730951\" }"),
		rootCase("a map whose keys are NaN", "", "func root(x float64) map[float64]int { return map[float64]int{math.NaN(): 1, math.NaN(): 2} }"),
		rootCase("nothing", "", "func root(x float64) {}"),
		rootCase("a variable", "", "root := 1.4142135623730951"),
		rootCase("a generic function", "", "func root[T any](x T) T { return x }"),
		rootCase("more parameters", "", "func root(x float64, more ...any) float64 { return 0 }"),
		{Name: "another type of the same form", Answers: map[string]string{"mirror": "type place struct{ x, y float64 }\nfunc mirror(points []place) []place { return points }"}, Lost: []string{"mirror-check"}},
		{Name: "an invalid picture", Answers: map[string]string{"chart": "type p struct{}\nfunc (p) Titles() any { return nil }\nfig := p{}"}, Lost: []string{"chart-check"}},
		{Name: "an empty picture", Answers: map[string]string{"chart": "fig := Plot([]float64{1}, []float64{1}).Name(\"squares\")"}, Lost: []string{"chart-check"}},
		{Name: "a struct with the fields of a picture", Answers: map[string]string{"chart": "type titles struct{ Title, X, Y string }\ntype series struct {\n\tKind, Name string\n\tX, Y []float64\n}\nfig := struct {\n\tTexts titles\n\tMarks []series\n}{titles{X: \"x\"}, []series{{\"line\", \"squares\", []float64{1, 2, 3}, []float64{0, 0, 0}}}}"}, Lost: []string{"chart-check"}},
	}
}

// processes end, block or fill a process.
func processes() []Case {
	return []Case{
		inRoot("exits", "", "\tos.Exit(0)"),
		inRoot("panics", "", "\tpanic(1.4142135623730951)"),
		inRoot("panics with nil memory", "", "\tvar p *float64\n\treturn *p"),
		inRoot("calls itself without end", "", "\treturn root(x)"),
		inRoot("an endless loop", "", "\tfor {\n\t}"),
		inRoot("waits forever", "", "\tselect {}"),
		inRoot("two writers of a map", "", "\tm := map[int]int{}\n\tfor range 8 {\n\t\tgo func() {\n\t\t\tfor i := range 100_000_000 {\n\t\t\t\tm[i%10] = i\n\t\t\t}\n\t\t}()\n\t}\n\ttime.Sleep(time.Second)"),
		inRoot("takes all memory", "", "\tvar keep [][]byte\n\tfor {\n\t\tkeep = append(keep, bytes.Repeat([]byte{1}, 32<<20))\n\t}"),
		inRoot("prints without end", "", "\tfor range 300_000 {\n\t\tfmt.Println(\"1.4142135623730951 1.4142135623730951 1.4142135623730951\")\n\t}"),
		inRoot("writes to the pipes of the process", "", "\tfor fd := uintptr(0); fd < 12; fd++ {\n\t\tos.NewFile(fd, \"\").Write([]byte(strings.Repeat(\"2\", 64)))\n\t}"),
		inRoot("closes the pipes of the process", "", "\tfor fd := uintptr(0); fd < 12; fd++ {\n\t\tos.NewFile(fd, \"\").Close()\n\t}"),
		rootCase("exits in init", "func init() { os.Exit(0) }", ""),
		rootCase("leaves goroutines behind", "go func() {\n\tfor {\n\t\ttime.Sleep(time.Millisecond)\n\t}\n}()", ""),
		rootCase("a last value that exits", "type bad struct{}\nfunc (bad) String() string { os.Exit(0); return \"\" }\nbad{}", ""),
	}
}

// notebooks differ from the notebook that the lecturer has released.
func notebooks() []Case {
	with := func(name string, change func(cells []cell) []cell) Case {
		c := rootCase(name, "", "")
		c.change = change
		return c
	}
	return []Case{
		with("points instead of checks", func(cells []cell) []cell {
			for i := range cells {
				if cells[i].role == "tests" {
					cells[i].source = "2"
				}
			}
			return cells
		}),
		with("prints points", func(cells []cell) []cell {
			return append([]cell{{id: "print", source: "fmt.Println(2)\nShow(Text(\"2\"))\n2"}}, cells...)
		}),
		with("points of its own", func(cells []cell) []cell {
			return append(cells, cell{id: "extra", role: "tests", points: 100, source: "100"})
		}),
		with("more points for a task", func(cells []cell) []cell {
			for i := range cells {
				cells[i].points *= 100
			}
			return cells
		}),
		with("a check twice", func(cells []cell) []cell {
			for _, c := range cells {
				if c.id == "size-check" {
					cells = append(cells, c, c)
				}
			}
			return cells
		}),
		with("a check without points", func(cells []cell) []cell {
			for i := range cells {
				if cells[i].id == "root-check" {
					cells[i].points, cells[i].role = 0, "locked"
				}
			}
			return cells
		}),
		with("without checks and data", func(cells []cell) []cell {
			var left []cell
			for _, c := range cells {
				if c.role == "answer" {
					left = append(left, c)
				}
			}
			return left
		}),
		with("the checks last", func(cells []cell) []cell {
			var first, last []cell
			for _, c := range cells {
				if c.role == "tests" {
					last = append(last, c)
				} else {
					first = append(first, c)
				}
			}
			return append(first, last...)
		}),
		with("an answer that calls itself a check", func(cells []cell) []cell {
			return append([]cell{{id: "root-check", role: "tests", points: 2, source: "2"}}, cells...)
		}),
		{Name: "many cells", Many: 1500, Answers: map[string]string{"root": noRoot}, Lost: []string{"root-check"}},
		{Name: "a cell of a megabyte", First: "// " + strings.Repeat("x", 1<<20), Answers: map[string]string{"root": noRoot}, Lost: []string{"root-check"}},
	}
}
