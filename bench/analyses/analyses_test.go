package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestStatements(t *testing.T) {
	for src, want := range map[string]int{
		"x := 1\nx":                                       2,
		"f := 1\nf, f+1, f+2":                             2,
		"import \"math\"\nmath.Pi":                        1,
		"for i := 0; i < 3; i++ {\n\tprintln(i)\n}":       2,
		"if x := 1; x > 0 {\n\tprintln(x)\n} else {\n}":   2,
		"func f() int {\n\treturn 1\n}\nf()":              3,
		"var x int\nx":                                    2,
		"g := func() {\n\tx := 1\n\t_ = x\n}\ng()":        4,
		"switch 1 {\ncase 1:\n\tprintln()\ndefault:\n}":   2,
		"f :=\n\tml.Read(\n\t\t\"x.csv\")\nf.\n\tHead(3)": 2,
	} {
		c, err := parse(src)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := countCell(c); got != want {
			t.Errorf("%d statements, want %d, in\n%s", got, want, src)
		}
	}
}

func TestWrap(t *testing.T) {
	for src, want := range map[string]string{
		"f := 1\nf // what":   "f := 1\nanswer(3, f) // what",
		"f(1), f(\n\t2)":      "answer(3, f(1), f(\n\t2))",
		"x := 2\nx[0], \"µ\"": "x := 2\nanswer(3, x[0], \"µ\")",
	} {
		got, err := wrap(src, 3)
		if err != nil || got != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	for _, src := range []string{"x := 1", "var x int", "x := ("} {
		if got, err := wrap(src, 1); err == nil {
			t.Errorf("%q gives %q", src, got)
		}
	}
}

func TestCompare(t *testing.T) {
	base := func() [][][]any { return [][][]any{{{"a", "b"}, {1.0, nil}}, {{2.0}}} }
	if err := compare(base(), base(), 1e-6); err != nil {
		t.Error(err)
	}
	near := base()
	near[0][1][0] = 1 + 1e-7
	if err := compare(base(), near, 1e-6); err != nil {
		t.Error(err)
	}
	if err := compare(base(), near, 1e-8); err == nil {
		t.Error("a difference of 1e-7 passes with 1e-8")
	}
	for what, change := range map[string]func([][][]any) [][][]any{
		"1 values":                     func(a [][][]any) [][][]any { return a[:1] },
		"value 1 has 1 columns":        func(a [][][]any) [][][]any { a[0] = a[0][:1]; return a },
		"value 1, column 2 has 1 rows": func(a [][][]any) [][][]any { a[0][1] = a[0][1][:1]; return a },
		"column 1, row 2 is c":         func(a [][][]any) [][][]any { a[0][0][1] = "c"; return a },
		"column 2, row 2 is 0":         func(a [][][]any) [][][]any { a[0][1][1] = 0.0; return a },
		"column 2, row 1 is +Inf":      func(a [][][]any) [][][]any { a[0][1][0] = "+Inf"; return a },
	} {
		if err := compare(change(base()), base(), 1e-6); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %s", err, what)
		}
	}
}

// TestNotebooks checks that the questions of each notebook can be read, and that no output is
// stored.
func TestNotebooks(t *testing.T) {
	paths, err := filepath.Glob("*.ipynb")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		nb, err := readNotebook(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if n := len(nb.questions); n < 10 || n > 20 || nb.title == "" {
			t.Errorf("%s: %d questions, title %q", path, n, nb.title)
		}
		if _, err := nb.statements(); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		err = nb.each(func(number int, last bool, c *cell) error {
			if len(c.Outputs) > 0 {
				t.Errorf("%s: question %d has stored outputs", path, number)
			}
			if last {
				_, err := wrap(string(c.Source), number)
				return err
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestTolerance(t *testing.T) {
	for q, want := range map[question]float64{"What? [1e-4]": 1e-4, "What?": 1e-6, "[1e-4] what?": 1e-6} {
		if got := q.tolerance(); got != want {
			t.Errorf("%s: %g", q, got)
		}
	}
}
