package split

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// describe returns the parts of a cell, each with its text.
func describe(c *Cell) string {
	var b strings.Builder
	text := func(n ast.Node) string {
		return strings.Join(strings.Fields(c.Src[n.Pos()-c.Base:n.End()-c.Base]), " ")
	}
	if c.Whole != nil {
		fmt.Fprintf(&b, "whole %s %q %q\n", c.Whole.Name, c.Whole.Args, c.Whole.Body)
	}
	for _, i := range c.Imports {
		fmt.Fprintf(&b, "import %s\n", text(i))
	}
	for _, d := range c.Decls {
		fmt.Fprintf(&b, "decl %s\n", text(d))
	}
	magics := map[ast.Stmt]*Magic{}
	for _, m := range c.Lines {
		if m.Stmt != nil && !m.Code {
			magics[m.Stmt] = m
		} else {
			fmt.Fprintf(&b, "code magic %s\n", m.Name)
		}
	}
	for _, s := range c.Stmts {
		if m := magics[s]; m != nil {
			fmt.Fprintf(&b, "magic %s %q\n", m.Name, m.Args)
			continue
		}
		fmt.Fprintf(&b, "stmt %s\n", text(s))
	}
	if c.Hidden {
		b.WriteString("hidden\n")
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"empty", "", ""},
		{"comment", "// nothing", ""},
		{"expression", "x + 1", "stmt x + 1\n"},
		{"hidden", "x + 1;", "stmt x + 1\nhidden\n"},
		{"hidden before a comment", "x; // why", "stmt x\nhidden\n"},
		{"any order", "x := 1\nfunc f() {}\nimport \"fmt\"\ny := 2\ntype T int",
			"import \"fmt\"\ndecl func f() {}\ndecl type T int\nstmt x := 1\nstmt y := 2\n"},
		{"one line", "x := 1; type T int; y := T(x)", "decl type T int\nstmt x := 1\nstmt y := T(x)\n"},
		{"variables before statements", "var a = 1\nvar b = 2\nb++\nvar c = 3",
			"decl var a = 1\ndecl var b = 2\nstmt b++\nstmt var c = 3\n"},
		{"method", "func (p *P) M(x int) int { return x }", "decl func (p *P) M(x int) int { return x }\n"},
		{"generic function", "func F[T any](x T) T { return x }", "decl func F[T any](x T) T { return x }\n"},
		{"function literal", "func(a int) int { return a }(3)", "stmt func(a int) int { return a }(3)\n"},
		{"literal with a named result type", "func(a int) T { return T{} }(3)", "stmt func(a int) T { return T{} }(3)\n"},
		{"for header", "for i := 0; i < 3; i++ {\n\tprintln(i)\n}", "stmt for i := 0; i < 3; i++ { println(i) }\n"},
		{"package clause", "package main\nfunc main() {}", "decl func main() {}\n"},
		{"import group", "import (\n\t\"fmt\"\n\tm \"math\"\n)\nfmt.Println()", "import \"fmt\"\nimport m \"math\"\nstmt fmt.Println()\n"},
		{"line magic", "%cd /tmp\nx := 1\n%who", "magic cd \"/tmp\"\nstmt x := 1\nmagic who \"\"\n"},
		{"shell with quotes", "!echo \"it's\"\nx", "magic ! \"echo \\\"it's\\\"\"\nstmt x\n"},
		{"modulo on a new line", "a := 7\n\nb := a %\n 4", "stmt a := 7\nstmt b := a % 4\n"},
		{"not in a condition", "ok := a &&\n\t!b", "stmt ok := a && !b\n"},
		{"magic in a raw string", "s := `\n%who\n!ls\n`", "stmt s := ` %who !ls `\n"},
		{"magic in a block is Go", "if true {\n\t!x\n}", "stmt if true { !x }\n"},
		{"time", "%time f(1)", "code magic time\nstmt f(1)\n"},
		{"time a definition", "%time x := f(1)\nx", "code magic time\nstmt x := f(1)\nstmt x\n"},
		{"question", "?strings.Cut", "magic ? \"strings.Cut\"\n"},
		{"question behind", "strings.Cut?", "magic ? \"strings.Cut\"\n"},
		{"two questions", "x := 1\nf??\nx", "stmt x := 1\nmagic ?? \"f\"\nstmt x\n"},
		{"whole", "%%bash -e\nls | wc\n", "whole bash \"-e\" \"ls | wc\\n\"\n"},
		{"whole time", "%%time\nx := 1", "code magic time\nstmt x := 1\n"},
		{"label", "again:\n\tx++\n\tgoto again", "stmt again: x++\nstmt goto again\n"},
		{"unicode", "größe := \"é😀\"; größe", "stmt größe := \"é😀\"\nstmt größe\n"},
		{"no newline in struct", "type P struct{ X, Y int }; p := P{1, 2}", "decl type P struct{ X, Y int }\nstmt p := P{1, 2}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fset := token.NewFileSet()
			Reserve(fset, "before", "x")
			f := Reserve(fset, "cell", tt.src)
			c, errs := Parse(tt.src, token.Pos(f.Base()))
			if len(errs) > 0 {
				t.Errorf("errors: %v", errs)
			}
			if d := cmp.Diff(tt.want, describe(c)); d != "" {
				t.Errorf("parts (-want +got):\n%s", d)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"f(", "1:2 '(' is never closed"},
		{"x)", "1:2 ')' closes nothing"},
		{"f(1]", "1:4 ']' where ')' is expected"},
		{"x := 1\ny = = 2", "2:5 expected operand, found '='"},
		{"package foo", "1:9 a cell cannot be package foo"},
		{"func f() {\n\treturn +\n}", "3:1 expected operand, found '}'"},
		{"import fmt", "1:11 missing import path"},
		{"if x > 1\n{\n}", "1:9 unexpected newline, expecting { after if clause"},
		{"s := 'abc'", "1:6 illegal rune literal"},
		{"x := \"abc", "1:6 string literal not terminated"},
	} {
		fset := token.NewFileSet()
		f := Reserve(fset, "cell", tt.src)
		_, errs := Parse(tt.src, token.Pos(f.Base()))
		if len(errs) == 0 {
			t.Errorf("%q: no error, want %s", tt.src, tt.want)
			continue
		}
		p := fset.Position(errs[0].Pos)
		if got := fmt.Sprintf("%d:%d %s", p.Line, p.Column, errs[0].Msg); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.src, got, tt.want)
		}
	}
}

func TestIsComplete(t *testing.T) {
	for _, tt := range []struct{ src, status, indent string }{
		{"", "complete", ""},
		{"x := 1", "complete", ""},
		{"func f() {", "incomplete", "\t"},
		{"func f() {\n\tif x {", "incomplete", "\t\t"},
		{"func f() {\n\tif x {\n\t}", "incomplete", "\t"},
		{"func f() {\n}", "complete", ""},
		{"x := 1 +", "incomplete", "\t"},
		{"x := `abc", "incomplete", ""},
		{"/* abc", "incomplete", ""},
		{"f(1,\n", "incomplete", "\t"},
		{"x := )", "invalid", ""},
		{"x = = 1", "invalid", ""},
		{"%who", "complete", ""},
		{"%%bash\nls (", "complete", ""},
		{"!echo (", "complete", ""},
		{"strings.Cut?", "complete", ""},
		{"i++", "complete", ""},
	} {
		if got := IsComplete(tt.src); got.Status != tt.status || got.Indent != tt.indent {
			t.Errorf("IsComplete(%q): got %s %q, want %s %q", tt.src, got.Status, got.Indent, tt.status, tt.indent)
		}
	}
}

// FuzzParse checks that no text makes splitting panic, that the parts have the positions of their
// texts, and that IsComplete agrees with Parse.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"x := 1\nfunc f() { return }\nimport \"fmt\"", "%time x\n!ls\n?a.b\nc?", "%%bash\nls", "for i := 0; i < 3; i++ {}",
		"func (a T) m() {}", "`raw\n%x`", "L: x; y;", "package main;var a = 1;a", "f(\n", "'", "/*", "type T[P any] struct{}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		fset := token.NewFileSet()
		file := Reserve(fset, "cell", src)
		c, errs := Parse(src, token.Pos(file.Base()))
		complete := IsComplete(src)
		if len(errs) > 0 {
			if complete.Status == "complete" {
				t.Errorf("complete, with the error %v", errs[0])
			}
			for _, e := range errs {
				if off := int(e.Pos - c.Base); off < 0 || off > len(src) {
					t.Errorf("error %q at offset %d of %d", e.Msg, off, len(src))
				}
			}
			return
		}
		check := func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name != "" {
				start := int(id.Pos() - c.Base)
				if start < 0 || start+len(id.Name) > len(src) || src[start:start+len(id.Name)] != id.Name {
					t.Errorf("%q is not at offset %d", id.Name, start)
				}
			}
			return true
		}
		for _, d := range c.Decls {
			ast.Inspect(d, check)
		}
		for _, s := range c.Stmts {
			ast.Inspect(s, check)
		}
	})
}
