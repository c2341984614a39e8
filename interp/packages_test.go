package interp_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/gokernel/gokernel/interp/modules/proxytest"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// published contains the modules on the proxy of these tests.
const published = `
-- example.com/greet@v1.0.0/go.mod --
module example.com/greet
go 1.21
-- example.com/greet@v1.0.0/greet.go --
// Package greet greets.
package greet
// Hello greets someone by name.
func Hello(name string) string { return "hello, " + name }
-- example.com/greet@v1.1.0/go.mod --
module example.com/greet
go 1.21
-- example.com/greet@v1.1.0/greet.go --
// Package greet greets.
package greet
// Hello greets someone by name.
func Hello(name string) string { return "good day, " + name }
-- example.com/greet@v1.2.0-rc.1/greet.go --
package greet
func Hello(name string) string { return "too early, " + name }
-- example.com/greet/v2@v2.0.0/go.mod --
module example.com/greet/v2
-- example.com/greet/v2@v2.0.0/greet.go --
package greet
func Hello(name string) string { return "hi, " + name }
-- example.com/party@v1.0.0/go.mod --
module example.com/party
go 1.21
require example.com/greet v1.0.0
-- example.com/party@v1.0.0/party.go --
package party
import (
	"strings"
	"example.com/greet"
	"example.com/party/internal/loud"
)
func All(names ...string) string {
	var list []string
	for _, n := range names { list = append(list, greet.Hello(n)) }
	return loud.Up(strings.Join(list, "; "))
}
-- example.com/party@v1.0.0/internal/loud/loud.go --
package loud
import "strings"
func Up(s string) string { return strings.ToUpper(s) }
-- example.com/odd.name@v0.1.0/go.mod --
module example.com/odd.name
-- example.com/odd.name@v0.1.0/a.go --
package even
const Two = 2
-- example.com/fork@v1.0.0/go.mod --
module example.com/original
-- example.com/fork@v1.0.0/f.go --
package original
const Whose = "of the fork"
`

// linked is a module with a package whose names other packages use through go:linkname.
const linked = `
-- go.mod --
module here
go 1.24
-- b/b.go --
package b
import ("strconv"; _ "unsafe")
func twice(x int) int { return 2 * x }
//go:linkname negate some.where/else.name
func negate(x int) int { return -x }
type Sum struct{ n int }
func (s *Sum) add(x int) int { s.n += x; return s.n + 1 }
func (s Sum) twice() int { return s.n * 2 }
var count = 7
func Count() int { return count }
type Pair struct{ N int; S string }
func whole(p Pair, q *Pair) (string, *Pair) { return p.S + strconv.Itoa(p.N), q }
`

// folder extracts an archive, changes to that folder and starts a proxy with the published modules.
func folder(t *testing.T, archive string) (*proxytest.Server, string) {
	t.Helper()
	p := proxytest.New(t, published)
	p.Setenv(t)
	t.Setenv("GODEBUG", "") // a session sets it from the go line
	dir := t.TempDir()
	writeFiles(t, dir, archive)
	t.Chdir(dir)
	return p, dir
}

// TestOtherPath imports a module by a path that differs from the one in its go.mod. The go command
// refuses that too.
func TestOtherPath(t *testing.T) {
	folder(t, "")
	_, _, err := open(t).eval(t.Context(), "import \"example.com/fork\"\noriginal.Whose")
	if err == nil || !strings.Contains(err.Error(), "declares the path example.com/original") {
		t.Errorf("got %v", err)
	}
}

func writeFiles(t *testing.T, dir, archive string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The session finds packages in the module of the notebook's folder, its requirements,
// replacements, vendor folder and workspace, and in folders without a module. Packages run as the
// go command runs them.
func TestImportsFromSource(t *testing.T) {
	for _, tt := range []struct{ name, files, cell, want string }{
		{"package of the module", "-- go.mod --\nmodule here\ngo 1.24\n-- stats/stats.go --\npackage stats\nfunc Twice(x int) int { return 2 * x }\n",
			"import \"here/stats\"\nstats.Twice(21)", "42"},
		{"relative path in a module", "-- go.mod --\nmodule here\ngo 1.24\n-- stats/stats.go --\npackage stats\ntype T struct{}\n",
			"import \"./stats\"\nfmt.Sprint(reflect.TypeFor[stats.T]().PkgPath())", `"here/stats"`},
		{"folder without a module", "-- stats/stats.go --\npackage stats\nimport \"../util\"\nfunc Twice(x int) int { return util.Mul(2, x) }\n-- util/u.go --\npackage util\nfunc Mul(a, b int) int { return a * b }\n",
			"import \"./stats\"\nstats.Twice(21)", "42"},
		{"requirement", "-- go.mod --\nmodule here\ngo 1.24\nrequire example.com/greet v1.0.0\n",
			"import \"example.com/greet\"\ngreet.Hello(\"Ada\")", `"hello, Ada"`},
		{"minimal version selection", "-- go.mod --\nmodule here\ngo 1.24\nrequire (\n\texample.com/greet v1.1.0\n\texample.com/party v1.0.0\n)\n",
			"import \"example.com/party\"\nparty.All(\"Ada\", \"Bob\")", `"GOOD DAY, ADA; GOOD DAY, BOB"`},
		{"the newest release without a module", "",
			"import \"example.com/greet\"\ngreet.Hello(\"Ada\")", `"good day, Ada"`},
		{"requirements of requirements", "",
			"import \"example.com/party\"\nparty.All(\"Ada\")", `"HELLO, ADA"`},
		{"two major versions", "",
			"import \"example.com/greet\"\nimport two \"example.com/greet/v2\"\ngreet.Hello(\"a\") + two.Hello(\"b\")", `"good day, ahi, b"`},
		{"a name that the path does not tell", "", "import \"example.com/odd.name\"\neven.Two", "2"},
		{"replacement by a folder", "-- go.mod --\nmodule here\ngo 1.24\nrequire example.com/greet v1.0.0\nreplace example.com/greet => ./my\n-- my/go.mod --\nmodule example.com/greet\n-- my/g.go --\npackage greet\nfunc Hello(string) string { return \"mine\" }\n",
			"import \"example.com/greet\"\ngreet.Hello(\"\")", `"mine"`},
		{"replacement by a version", "-- go.mod --\nmodule here\ngo 1.24\nrequire example.com/greet v1.0.0\nreplace example.com/greet v1.0.0 => example.com/greet v1.1.0\n",
			"import \"example.com/greet\"\ngreet.Hello(\"Ada\")", `"good day, Ada"`},
		{"replacement by a fork", "-- go.mod --\nmodule here\ngo 1.24\nrequire example.com/original v1.0.0\nreplace example.com/original => example.com/fork v1.0.0\n",
			"import \"example.com/original\"\noriginal.Whose", `"of the fork"`},
		{"exclusion", "-- go.mod --\nmodule here\ngo 1.24\nexclude example.com/greet v1.1.0\n",
			"import \"example.com/greet\"\ngreet.Hello(\"Ada\")", `"hello, Ada"`},
		{"vendor folder", "-- go.mod --\nmodule here\ngo 1.24\nrequire example.com/greet v1.0.0\n-- vendor/modules.txt --\n# example.com/greet v1.0.0\n## explicit\nexample.com/greet\n-- vendor/example.com/greet/g.go --\npackage greet\nfunc Hello(string) string { return \"vendored\" }\n",
			"import \"example.com/greet\"\ngreet.Hello(\"\")", `"vendored"`},
		{"the language of vendored modules", "-- go.mod --\nmodule here\ngo 1.24\nrequire (\n\texample.com/greet v1.0.0\n\texample.com/party v1.0.0\n)\n-- vendor/modules.txt --\n# example.com/greet v1.0.0\n## explicit; go 1.24\nexample.com/greet\n# example.com/party v1.0.0\n## explicit; go 1.20\nexample.com/party\n" +
			"-- vendor/example.com/greet/g.go --\npackage greet\nfunc F[T any](x T) (list []func() int) { for i := range 3 { list = append(list, func() int { return i }) }; return }\n" +
			"-- vendor/example.com/party/p.go --\npackage party\nfunc F() (list []func() int) { for i := 0; i < 3; i++ { list = append(list, func() int { return i }) }; return }\n",
			"import (\"example.com/greet\"; \"example.com/party\")\nfmt.Sprint(greet.F(1)[0](), party.F()[0]())", `"0 3"`},
		{"the folder of a replacement is the module", "-- go.mod --\nmodule here\ngo 1.24\nrequire example.com/greet v1.0.0\nreplace example.com/greet => ./my\n-- my/go.mod --\nmodule example.com/greet\n-- my/g.go --\npackage greet\ntype T int\n",
			"import (a \"example.com/greet\"; b \"./my\")\nvar x a.T = b.T(3)\nint(x)", "3"},
		{"workspace", "-- go.work --\ngo 1.24\nuse ./other\n-- other/go.mod --\nmodule example.org/other\ngo 1.24\n-- other/o.go --\npackage other\nconst Name = \"of the workspace\"\n",
			"import \"example.org/other\"\nother.Name", `"of the workspace"`},
		{"order of initialization", "-- a/a.go --\npackage a\nimport \"../b\"\nvar X = Y + b.B\nvar Y = f()\nfunc f() int { return 10 }\nfunc init() { X++ }\n-- a/z.go --\npackage a\nfunc init() { X *= 2 }\n-- b/b.go --\npackage b\nvar B = 1\nfunc init() { B = 100 }\n",
			"import \"./a\"\na.X", "222"},
		{"order of packages", "-- go.mod --\nmodule here\n-- l/l.go --\npackage l\nvar All string\n-- a/a.go --\npackage a\nimport (\"here/l\"; _ \"here/z\")\nfunc init() { l.All += \"a\" }\n-- b/b.go --\npackage b\nimport \"here/l\"\nfunc init() { l.All += \"b\" }\n-- c/c.go --\npackage c\nimport \"here/l\"\nfunc init() { l.All += \"c\" }\n-- z/z.go --\npackage z\nimport \"here/l\"\nfunc init() { l.All += \"z\" }\n",
			"import (_ \"./c\"; _ \"./a\"; _ \"./b\"; \"./l\")\nl.All", `"bcza"`}, // as compiled by Go 1.26
		{"embedded files", "-- e/e.go --\npackage e\nimport \"embed\"\n//go:embed a.txt\nvar Text string\n//go:embed a.txt\nvar Bytes []byte\n//go:embed *.txt\nvar FS embed.FS\nvar Size = len(Text)\n-- e/a.txt --\nsome text\n-- e/b.txt --\nb\n",
			"import \"./e\"\nlist, _ := e.FS.ReadDir(\".\")\nfmt.Sprint(e.Text, string(e.Bytes), e.Size, len(list))", "`some text\nsome text\n10 2`"},
		{"build constraints", "-- c/c_linux.go --\npackage c\nconst OS = \"linux\"\n-- c/c_darwin.go --\npackage c\nconst OS = \"darwin\"\n-- c/asm.go --\n//go:build !purego\npackage c\nfunc F() string\n-- c/f.s --\n// assembly\n-- c/pure.go --\n//go:build purego\npackage c\nfunc F() string { return \"pure\" }\n",
			"import \"./c\"\nc.F() + fmt.Sprint(c.OS == runtime.GOOS)", `"puretrue"`},
		{"a form for other processors", "-- c/f_amd64.go --\npackage c\nfunc F() string\n-- c/f_amd64.s --\n// F\n-- c/f_arm64.go --\npackage c\nfunc F() string\n-- c/f_arm64.s --\n// F\n-- c/f_other.go --\n//go:build !amd64 && !arm64\npackage c\nfunc F() string { return \"plain\" }\n",
			"import \"./c\"\nc.F()", `"plain"`},
		{"a form without the linker", "-- c/fast.go --\n//go:build !safe\npackage c\nimport \"unsafe\"\n//go:linkname mallocgc runtime.mallocgc\nfunc mallocgc(size uintptr, typ unsafe.Pointer, zero bool) unsafe.Pointer\nfunc New() *int { return (*int)(mallocgc(8, nil, true)) }\n-- c/safe.go --\n//go:build safe\npackage c\nfunc New() *int { return new(int) }\n",
			"import \"./c\"\n*c.New()", "0"},
		{"loop variables of an older version", "-- go.mod --\nmodule here\ngo 1.20\n-- l/l.go --\npackage l\nfunc F() (list []func() int) { for i := 0; i < 3; i++ { list = append(list, func() int { return i }) }; return }\n",
			"import \"here/l\"\nl.F()[0]()", "3"},
		{"generic functions and types", "-- g/g.go --\npackage g\nimport \"cmp\"\ntype Tree[K cmp.Ordered] struct{ l, r *Tree[K]; k K }\nfunc (t *Tree[K]) Add(k K) *Tree[K] { if t == nil { return &Tree[K]{k: k} }; if k < t.k { t.l = t.l.Add(k) } else { t.r = t.r.Add(k) }; return t }\nfunc (t *Tree[K]) Walk(f func(K)) { if t != nil { t.l.Walk(f); f(t.k); t.r.Walk(f) } }\nfunc Map[A, B any](xs []A, f func(A) B) (ys []B) { for _, x := range xs { ys = append(ys, f(x)) }; return }\n",
			"import \"./g\"\nvar t *g.Tree[string]\nfor _, s := range []string{\"b\", \"a\"} { t = t.Add(s) }\nall := \"\"\nt.Walk(func(s string) { all += s })\nall + fmt.Sprint(g.Map([]int{1, 2}, func(i int) float64 { return float64(i) / 2 }))", `"ab[0.5 1]"`},
		{"function literals that a generic method calls", "-- g/g.go --\npackage g\ntype List[T any] struct{ items []T }\nfunc (l *List[T]) Add(xs ...T) int { add := func(x T) { l.items = append(l.items, x) }; all := func(xs []T) { for _, x := range xs { add(x) } }; all(xs); return len(l.items) }\nfunc Twice[T any](x T) (n int) { l := &List[T]{}; func() { n = l.Add(x, x) }(); return n }\n",
			"import \"./g\"\nl := &g.List[string]{}\nfmt.Sprint(l.Add(\"a\", \"b\"), g.Twice(1.5))", `"2 2"`},
		{"types of compiled packages", "-- m/m.go --\npackage m\nimport \"gonum.org/v1/gonum/mat\"\nfunc Eye() *mat.Dense { return mat.NewDense(2, 2, []float64{1, 0, 0, 1}) }\n",
			"import \"./m\"\nvar d *mat.Dense = m.Eye()\nmat.Sum(d)", "2"},
		{"hidden names, methods in interfaces", "-- h/h.go --\npackage h\nimport \"fmt\"\ntype shape interface{ area() float64 }\ntype Square float64\nfunc (s Square) area() float64 { return float64(s * s) }\nfunc (s Square) String() string { return fmt.Sprintf(\"square of %g\", float64(s)) }\nfunc Area(s any) float64 { return s.(shape).area() }\n",
			"import \"./h\"\nfmt.Sprint(h.Area(h.Square(3)), h.Square(2))", `"9 square of 2"`},
		{"what Go keeps for go:linkname", "-- k/k.go --\npackage k\nimport (\"reflect\"; \"unsafe\")\ntype T struct{ N int }\ntype iter struct{ key, elem, typ, it unsafe.Pointer }\n//go:linkname newOf reflect.unsafe_New\nfunc newOf(t unsafe.Pointer) unsafe.Pointer\n//go:linkname elem reflect.(*rtype).Elem\nfunc elem(t unsafe.Pointer) reflect.Type\n//go:linkname set reflect.mapassign\nfunc set(t, m, key, value unsafe.Pointer)\n//go:linkname start reflect.mapiterinit\nfunc start(t, m unsafe.Pointer, it *iter)\n//go:linkname next reflect.mapiternext\nfunc next(it *iter)\nfunc words(v any) [2]unsafe.Pointer { return *(*[2]unsafe.Pointer)(unsafe.Pointer(&v)) }\nfunc Put(m map[string]T, key string, v T) { w := words(m); set(w[0], w[1], unsafe.Pointer(&key), unsafe.Pointer(&v)) }\nfunc Sum(m map[string]T) (n int) { w := words(m); var it iter; for start(w[0], w[1], &it); it.key != nil; next(&it) { n += (*T)(it.elem).N + len(*(*string)(it.key)) }; return n }\nfunc Elem(v any) string { return elem(words(v)[0]).String() }\nfunc New() *T { p := (*T)(newOf(words(T{})[0])); p.N++; return p }\n",
			"import \"./k\"\nm := map[string]k.T{\"a\": {1}}\nk.Put(m, \"bc\", k.T{20})\nfmt.Sprint(k.Sum(m), k.Elem([]k.T{}), *k.New())", `"24k.T{1}"`},
		{"the clock of traces by go:linkname", "-- c/c.go --\npackage c\nimport _ \"unsafe\"\n//go:linkname now runtime.traceClockNow\nfunc now() int64\n//go:linkname advance runtime.traceAdvance\nfunc advance(stop bool)\nfunc Goes() bool { a := now(); for range 1000 { if b := now(); b > a { return true } }; advance(false); return false }\n",
			"import \"./c\"\nc.Goes()", "true"},
		{"a function taken by go:linkname", linked + "-- a/a.go --\npackage a\nimport (_ \"here/b\"; _ \"unsafe\")\n//go:linkname twice here/b.twice\nfunc twice(x int) (y int)\nfunc F() (n int) { f := twice; done := make(chan int, 1); go func() { done <- twice(1) }(); defer func() { n += twice(100) }(); return f(20) + <-done }\n",
			"import \"here/a\"\na.F()", "242"},
		{"a function given by go:linkname", "-- go.mod --\nmodule here\n-- a/a.go --\npackage a\nfunc hidden(x int) int\nfunc F() int { return hidden(4) }\n-- a/empty.s --\n-- b/b.go --\npackage b\nimport (_ \"here/a\"; _ \"unsafe\")\n//go:linkname given here/a.hidden\nfunc given(x int) int { return x * x }\n",
			"import \"here/a\"\nimport _ \"here/b\"\na.F()", "16"},
		{"a function taken under the name that it is given", linked + "-- a/a.go --\npackage a\nimport _ \"unsafe\"\n//go:linkname f some.where/else.name\nfunc f(x int) int\nfunc F() int { return f(5) }\n",
			"import \"here/a\"\nimport _ \"here/b\"\na.F()", "-5"},
		{"methods taken by go:linkname", linked + "-- a/a.go --\npackage a\nimport (\"here/b\"; _ \"unsafe\")\n//go:linkname add here/b.(*Sum).add\nfunc add(s *b.Sum, x int) int\n//go:linkname twice here/b.Sum.twice\nfunc twice(s b.Sum) int\nfunc F() int { var s b.Sum; add(&s, 3); f := add; g := twice; return f(&s, 4) * 1000 + twice(s) * 100 + g(s) }\n",
			"import \"here/a\"\na.F()", "9414"},
		{"a variable taken by go:linkname", linked + "-- a/a.go --\npackage a\nimport (\"here/b\"; _ \"unsafe\")\n//go:linkname count here/b.count\nvar count int\nfunc F() int { count += 10; return b.Count() }\n",
			"import \"here/a\"\na.F()", "17"},
		{"a type of its own by go:linkname", linked + "-- a/a.go --\npackage a\nimport (_ \"here/b\"; \"unsafe\")\ntype pair struct{ a int; b string }\n//go:linkname whole here/b.whole\nfunc whole(p pair, q unsafe.Pointer) (string, *pair)\nfunc F() string { p := pair{7, \"x\"}; s, q := whole(p, unsafe.Pointer(&p)); p.b = \"y\"; f := whole; t, _ := f(p, nil); return s + q.b + t }\n",
			"import \"here/a\"\na.F()", `"x7yy7"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder(t, tt.files)
			n := open(t)
			if got := n.must(tt.cell); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// The session refuses code that can't run from source before any part of the cell runs. The error
// names the file and what it needs, and the session continues.
func TestImportsRefused(t *testing.T) {
	for _, tt := range []struct{ name, files, path, want string }{
		{"assembly, and numbers of a system for other processors", "-- p/f_amd64.go --\npackage p\nfunc F() int\n-- p/f_amd64.s --\n// F\n-- p/f_arm64.go --\npackage p\nfunc F() int\n-- p/f_arm64.s --\n// F\n-- p/f_other.go --\n//go:build !amd64 && !arm64\npackage p\nimport \"syscall\"\nfunc F() int { return syscall.SYS_READ }\n", "./p", "which is written in assembly"},
		{"assembly that other processors lack", "-- p/p.go --\npackage p\nfunc F() int\n-- p/p_amd64.s --\n// F\n-- p/p_arm64.s --\n// F\n", "./p", "p.go declares F, which is written in assembly"},
		{"assembly", "-- p/p.go --\npackage p\nfunc F() int\n-- p/p.s --\nTEXT ·F(SB), 4, $0-8\n\tRET\n", "./p", "p.go declares F, which is written in assembly"},
		{"linkname", "-- p/p.go --\npackage p\nimport _ \"unsafe\"\n//go:linkname f runtime.gopanic\nfunc f(any)\nfunc F() { f(1) }\n", "./p", "p.go declares f, which is linked to runtime.gopanic by go:linkname"},
		{"linked variable", "-- p/p.go --\npackage p\nimport _ \"unsafe\"\n//go:linkname v runtime.zerobase\nvar v uintptr\n", "./p", "p.go declares v, which is linked to runtime.zerobase by go:linkname"},
		{"linkname with another type", linked + "-- a/a.go --\npackage a\nimport (_ \"here/b\"; _ \"unsafe\")\n//go:linkname twice here/b.twice\nfunc twice(x string) int\n", "here/a", "a.go declares twice, which is linked to here/b.twice by go:linkname, but with another type: func(x string) int here, func(x int) int there"},
		{"linkname of a package that is not loaded", linked + "-- a/a.go --\npackage a\nimport _ \"unsafe\"\n//go:linkname twice here/b.twice\nfunc twice(x int) int\n", "here/a", "a.go declares twice, which is linked to here/b.twice by go:linkname, which only the linker can provide"},
		{"a function that nobody gives", "-- p/p.go --\npackage p\nfunc F() int\n-- p/p.s --\n", "./p", "p.go declares F, which has no body, and no loaded package provides one"},
		{"a circle of linknames", "-- go.mod --\nmodule here\n-- a/a.go --\npackage a\nimport (_ \"here/b\"; _ \"unsafe\")\n//go:linkname f here/b.f\nfunc f()\n-- b/b.go --\npackage b\nimport _ \"unsafe\"\n//go:linkname f here/a.f\nfunc f()\n", "here/a", "by go:linkname, which only the linker can provide"},
		{"cgo", "-- p/p.go --\npackage p\nimport \"C\"\n", "./p", "needs cgo (p.go)"},
		{"another system", "-- p/p_plan9.go --\npackage p\n", "./p", "has no Go files for"},
		{"program", "-- p/p.go --\npackage main\nfunc main() {}\n", "./p", "is a program, not a package"},
		{"type error", "-- p/p.go --\npackage p\nvar X int = \"x\"\n", "./p", "p/p.go:2:13: cannot use"},
		{"syntax error", "-- p/p.go --\npackage p\nfunc F( {\n", "./p", "p.go:2"},
		{"cycle", "-- p/p.go --\npackage p\nimport _ \"../q\"\n-- q/q.go --\npackage q\nimport _ \"../p\"\n", "./p", "import cycle: ./p imports ./q imports ./p"},
		{"internal", "-- go.mod --\nmodule here\n", "example.com/party/internal/loud", "is internal: a cell may not import it"},
		{"no folder", "", "./nothing", "there is no folder"},
		{"a version", "", "example.com/greet@v1.0.0", `import "example.com/greet", and choose the version with %get example.com/greet@v1.0.0`},
		{"an address", "", "https://example.com/greet", `an import path must not be an address: import "example.com/greet"`},
		{"no module", "", "example.org/nothing", "no module has the package example.org/nothing"},
		{"no such package in the module", "-- go.mod --\nmodule here\n-- go.go --\npackage here\n", "here/nothing", "module here has no package here/nothing: there are no Go files in "},
		{"no such package in a module with a host", "-- go.mod --\nmodule here.org/m\n-- go.go --\npackage here\n", "here.org/m/nothing", "module here.org/m has no package here.org/m/nothing: there are no Go files in "},
		{"no such package in the module of a vendor folder", "-- go.mod --\nmodule here\ngo 1.24\n-- vendor/modules.txt --\n", "here/nothing", "module here has no package here/nothing: there are no Go files in "},
		{"name of a folder", "-- p/p.go --\npackage p\n", "/p", "an import path must not be an absolute path: write the path relative to the notebook"},
		{"cgo in the cell", "", "C", "cells cannot use cgo"},
		{"a version that is yet to come", "-- go.mod --\nmodule here\ngo 1.999\n-- p/p.go --\npackage p\n", "here/p", "module here requires go1.999 in its go.mod, but this kernel supports Go only up to 1."},
		{"errors below", "-- p/p.go --\npackage p\nimport _ \"../q\"\n-- q/q.go --\npackage q\nvar X int = \"x\"\nvar Y int = \"y\"\n", "./p", "could not import ./p (package ./q cannot be compiled: q/q.go:2:13: cannot use \"x\" (untyped string constant) as int value in"},
		{"not in vendor", "-- go.mod --\nmodule here\ngo 1.24\n-- vendor/modules.txt --\n", "example.com/greet", "is not in the vendor folder"},
		{"broken go.mod", "-- go.mod --\nmodul here\n", "example.com/greet", "unknown directive: modul"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder(t, tt.files)
			n := open(t)
			n.must("kept := 1")
			_, out, err := n.eval(context.Background(), "import _ \""+tt.path+"\"\nkept = 2\nfmt.Println(\"ran\")")
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") || out.stdout.Len() > 0 {
				t.Errorf("got %v and printed %q, want an error with %q", err, out.stdout.String(), tt.want)
			}
			if got := n.must("kept"); got != "1" {
				t.Errorf("kept is %s after the error", got)
			}
		})
	}
}

// After a change of a local package, a cell that uses it runs the new code. Earlier cells also run
// the new code if the types are the same; otherwise a note reports it.
func TestLocalPackageChanges(t *testing.T) {
	_, dir := folder(t, "-- stats/stats.go --\npackage stats\nfunc Twice(x int) int { return 2 * x }\ntype T struct{ A int }\nfunc New() T { return T{1} }\n")
	n := open(t)
	n.must("import \"./stats\"\nfunc six() int { return stats.Twice(3) }\nvar old = stats.New()")
	if got := n.must("six()"); got != "6" {
		t.Fatal(got)
	}
	writeFiles(t, dir, "-- stats/stats.go --\npackage stats\nfunc Twice(x int) int { return 20 * x }\ntype T struct{ A, B int }\nfunc New() T { return T{1, 2} }\n")
	got, out, err := n.eval(context.Background(), "fmt.Sprint(stats.Twice(1), six(), stats.New().B, old.A)")
	if err != nil || got != `"20 60 2 1"` {
		t.Errorf("got %s, %v", got, err)
	}
	if want := "note: package ./stats has changed and was loaded again; old of earlier cells continue to use the older code"; !strings.Contains(out.stderr.String(), want) {
		t.Errorf("the note is %q", out.stderr.String())
	}
	writeFiles(t, dir, "-- stats/stats.go --\npackage stats\nfunc Twice(x int) int { return }\n")
	if got := n.must("1 + 1"); got != "2" {
		t.Error(got)
	}
	if _, _, err := n.eval(context.Background(), "stats.Twice(1)"); err == nil || !strings.Contains(err.Error(), "not enough return values") {
		t.Errorf("a broken package gives %v", err)
	}
}

// A package whose initialization panics fails its cell with the position in the package's file. The
// next cell that imports the package initializes it again; an initialized package is not
// initialized again.
func TestInitializationFails(t *testing.T) {
	folder(t, "-- p/p.go --\npackage p\nimport (\"os\"; \"./../q\")\nvar X = q.Count\nfunc init() { if os.Getenv(\"GOOD\") == \"\" { panic(\"not good\") } }\n-- q/q.go --\npackage q\nvar Count int\nfunc init() { Count++ }\n")
	n := open(t)
	n.must("kept := 1")
	_, _, err := n.eval(context.Background(), "import \"./p\"\np.X")
	var e *evaluator.Error
	if !errors.As(err, &e) || e.Value != "not good" || !strings.Contains(strings.Join(e.Traceback, "\n"), "p/p.go") {
		t.Errorf("got %v", err)
	}
	if got := n.must("kept"); got != "1" {
		t.Errorf("kept is %s", got)
	}
	t.Setenv("GOOD", "1")
	if got := n.must("import \"./p\"\np.X"); got != "1" {
		t.Errorf("X is %s: q was initialized again", got)
	}
}

// The fallback engine refuses packages from source with a clear error.
func TestPortableEngineRefusesSource(t *testing.T) {
	folder(t, "-- p/p.go --\npackage p\nconst X = 1\n")
	n := &notebook{Session: engineCases[1].open(t), tb: t}
	_, _, err := n.eval(context.Background(), "import \"./p\"\np.X")
	if err == nil || !strings.Contains(err.Error(), "the fallback engine runs no packages from source") {
		t.Errorf("got %v", err)
	}
}

// Completion and inspection know import paths, members, documentation and source of packages from
// source, even before the cell has run. They fetch nothing.
func TestSourceAtCursor(t *testing.T) {
	p, _ := folder(t, "-- go.mod --\nmodule here.org/nb\n\ngo 1.24\n-- stats/stats.go --\n// Package stats counts.\npackage stats\n\n// A Pair is two.\ntype Pair struct {\n\tLeft int // the first\n}\n\n// Sum adds.\nfunc (p *Pair) Sum() int { return p.Left }\n-- stats/deep/d.go --\npackage deep\n")
	open(t).must("import \"example.com/greet\"\nimport \"example.com/party\"\ngreet.Hello(\"\") + party.All(\"\")")
	os.Remove("go.sum")
	writeFiles(t, ".", "-- go.mod --\nmodule here.org/nb\n\ngo 1.24\n")
	p.Requests()
	n := open(t)
	complete := func(code string) string {
		t.Helper()
		c, err := n.Complete(context.Background(), code, len(code))
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, m := range c.Matches {
			list = append(list, m.Text)
		}
		return strings.Join(list, " ")
	}
	for code, want := range map[string]string{
		`import "example.com/`:                     "example.com/greet example.com/greet/ example.com/party example.com/party/",
		`import "example.com/gr`:                   "example.com/greet example.com/greet/",
		`import "here.org/nb/st`:                   "here.org/nb/stats here.org/nb/stats/",
		`import "./`:                               "./stats ./stats/",
		`import "./stats/`:                         "./stats/deep",
		"import \"example.com/greet\"\ngreet.He":   "Hello",
		"import \"./stats\"\nvar p stats.Pair\np.": "Left Sum",
	} {
		if got := complete(code); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
	inspect := func(code string, detail int) string {
		t.Helper()
		b, ok, err := n.Inspect(context.Background(), code, len(code), detail)
		if !ok || err != nil {
			t.Fatalf("%s: %v, %v", code, ok, err)
		}
		text, _ := b.Data["text/plain"].(string)
		return text
	}
	n.must("import \"./stats\"\nvar pair stats.Pair")
	for code, want := range map[string]string{
		"import \"example.com/greet\"\ngreet.Hello": "Hello greets someone by name.",
		"stats":      "Package stats counts.",
		"stats.Pair": "A Pair is two.",
		"pair.Sum":   "Sum adds.",
		"pair.Left":  "the first",
	} {
		if got := inspect(code, 0); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
	if got := inspect("pair.Sum", 1); !strings.Contains(got, "func (p *Pair) Sum() int { return p.Left }") {
		t.Errorf("the source of pair.Sum is %s", got)
	}
	if got := complete("sta"); !strings.Contains(got, "stats") {
		t.Errorf("names: %s", got)
	}
	if list := p.Requests(); len(list) > 0 {
		t.Errorf("the proxy was asked for %v", list)
	}
}

// BenchmarkImportFromSource imports a package in a new session, as a second kernel does.
func BenchmarkImportFromSource(b *testing.B) {
	for _, path := range []string{"github.com/google/uuid", "gopkg.in/yaml.v3", "github.com/klauspost/compress/zstd"} {
		b.Run(path, func(b *testing.B) {
			b.Chdir(b.TempDir())
			b.ReportAllocs()
			for b.Loop() {
				n := open(b)
				n.must("import _ \"" + path + "\"")
			}
		})
	}
}

// A //go:debug line in a cell sets GODEBUG for this cell and later ones. The environment takes
// precedence, as in a program.
func TestSettingsOfCells(t *testing.T) {
	t.Setenv("GODEBUG", "")
	n := open(t)
	const recovers = "func() (s string) { defer func() { s = fmt.Sprint(recover()) }(); panic(nil) }()"
	if got := n.must("// text: //go:debug panicnil=1\n" + recovers); !strings.Contains(got, "panic called with nil argument") {
		t.Errorf("at first it is %s", got)
	}
	if _, _, err := n.eval(context.Background(), "//go:debug panicnil=1\nundefined()"); err == nil {
		t.Error("a cell without meaning has run")
	}
	if got := n.must(recovers); !strings.Contains(got, "panic called with nil argument") {
		t.Errorf("a cell that has not run has set it: %s", got)
	}
	if got := n.must("//go:debug panicnil=1\n" + recovers); got != `"<nil>"` {
		t.Errorf("set, it is %s", got)
	}
	if got := n.must(recovers); got != `"<nil>"` {
		t.Errorf("in the next cell it is %s", got)
	}
	t.Setenv("GODEBUG", "panicnil=0")
	if got := n.must("//go:debug panicnil=1\n" + recovers); !strings.Contains(got, "panic called with nil argument") {
		t.Errorf("against the environment it is %s", got)
	}
	for code, want := range map[string]string{
		"//go:debug nonsense=1\n1":  "//go:debug nonsense: there is no such setting",
		"//go:debug default=1.20":   `//go:debug default: "1.20" is not a version of Go up to go1.`,
		"//go:debug default=go9.9":  `//go:debug default: "go9.9" is not a version of Go up to go1.`,
		"//go:debug fips140=on":     "//go:debug fips140: it takes effect only when a program starts",
		"//go:debug gotypesalias=0": "//go:debug gotypesalias: the kernel itself checks cells with go/types",
		"//go:debug panicnil\n1":    "invalid //go:debug",
		"//go:debug a=1,panicnil=1": "invalid //go:debug",
	} {
		if _, _, err := n.eval(context.Background(), code); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want an error with %q", code, err, want)
		}
	}
}

// The go line and the godebug lines of the notebook's module or workspace set GODEBUG as in a
// program. Cells and the environment take precedence.
func TestSettingsOfModules(t *testing.T) {
	const panics = "func() (s string) { defer func() { s = fmt.Sprint(recover()) }(); panic(nil) }()"
	const old, now = `"<nil>"`, `"panic called with nil argument"`
	for _, tt := range []struct{ name, archive, env, before, want string }{
		{"none", "", "", "", now},
		{"an older go line", "-- go.mod --\nmodule here\ngo 1.20\n", "", "", old},
		{"a patch of an older version", "-- go.mod --\nmodule here\ngo 1.20.5\n", "", "", old},
		{"no go line", "-- go.mod --\nmodule here\n", "", "", old},
		{"a newer go line", "-- go.mod --\nmodule here\ngo 1.21\n", "", "", now},
		{"a go line that is yet to come", "-- go.mod --\nmodule here\ngo 1.999\n", "", "", now},
		{"a godebug line", "-- go.mod --\nmodule here\ngo 1.24\ngodebug panicnil=1\n", "", "", old},
		{"a godebug line against the go line", "-- go.mod --\nmodule here\ngo 1.20\ngodebug panicnil=0\n", "", "", now},
		{"another default", "-- go.mod --\nmodule here\ngo 1.24\ngodebug (\n\tdefault=go1.20\n)\n", "", "", old},
		{"a directive against it", "-- go.mod --\nmodule here\ngo 1.24\ngodebug panicnil=1\n", "", "//go:debug panicnil=0\n1", now},
		{"a default of a cell", "-- go.mod --\nmodule here\ngo 1.24\n", "", "//go:debug default=go1.20\n1", old},
		{"the environment against it", "-- go.mod --\nmodule here\ngo 1.20\n", "panicnil=0", "", now},
		{"a cell sets the environment", "-- go.mod --\nmodule here\ngo 1.20\n", "", `os.Setenv("GODEBUG", "panicnil=0")`, now},
		{"a cell sets another setting", "-- go.mod --\nmodule here\ngo 1.20\n", "", `os.Setenv("GODEBUG", "randseednop=0")`, old},
		{"a workspace", "-- go.work --\ngo 1.20\nuse ./m\n-- m/go.mod --\nmodule m\ngo 1.20\ngodebug panicnil=0\n", "", "", old},
		{"a workspace without a go line", "-- go.work --\nuse ./m\n-- m/go.mod --\nmodule m\ngo 1.24\n", "", "", old},
		{"a godebug line of a workspace", "-- go.work --\ngo 1.24\ngodebug panicnil=1\nuse ./m\n-- m/go.mod --\nmodule m\ngo 1.24\n", "", "", old},
		{"a go.mod that cannot be read", "-- go.mod --\nnonsense\n", "", "", now},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder(t, tt.archive)
			t.Setenv("GODEBUG", tt.env)
			n := open(t)
			if tt.before != "" {
				n.must(tt.before)
			}
			if got := n.must(panics); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// The session reports once each setting of a go.mod that it can't apply.
func TestSettingsOfModulesRefused(t *testing.T) {
	folder(t, "-- go.mod --\nmodule here\ngo 1.24\ngodebug (\n\tnonsense=1\n\tpanicnil=1\n\tfips140=on\n)\n")
	n := open(t)
	_, out, err := n.eval(context.Background(), "1")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"godebug nonsense=1 of ", "go.mod is left out: there is no such setting; go.dev/doc/godebug lists", "godebug fips140=on of "} {
		if !strings.Contains(out.stderr.String(), want) {
			t.Errorf("%q lacks %q", out.stderr.String(), want)
		}
	}
	if _, out, err = n.eval(context.Background(), "2"); err != nil || strings.Contains(out.stderr.String(), "godebug") {
		t.Errorf("the next cell gives %q, %v", out.stderr.String(), err)
	}
}

// The session knows all settings whose defaults changed between Go versions.
func TestDefaultsOfVersions(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "src", "internal", "godebugs", "table.go"))
	if err != nil {
		t.Fatal(err)
	}
	folder(t, "-- go.mod --\nmodule here\ngo 1.16\n")
	open(t).must("1")
	set := strings.Split(os.Getenv("GODEBUG"), ",")
	left := []string{"containermaxprocs", "decoratemappings", "updatemaxprocs", "tracebacklabels", "gotypesalias"}
	entries := regexp.MustCompile(`\{Name: "(\w+)", Package: "([^"]+)".*Changed: \d+, Old: "(\w+)"`).FindAllSubmatch(table, -1)
	if len(entries) < 20 {
		t.Fatalf("the table has %d entries", len(entries))
	}
	for _, e := range entries {
		name, want := string(e[1]), string(e[1])+"="+string(e[3])
		if string(e[2]) != "cmd/go" && !slices.Contains(left, name) && !slices.Contains(set, want) {
			t.Errorf("a module of go 1.16 does not get %s", want)
		}
	}
}
