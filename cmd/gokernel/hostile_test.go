package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gokernel/gokernel/bench/escape/submissions"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

var (
	allAttacks = flag.Bool("attacks", false, "let each homework meet all attacks")
	onlyCase   = flag.String("case", "", "grade only submissions whose names contain this text")
)

// judgeOnce grades a submission with the limits of a test.
func judgeOnce(ctx context.Context, source, submitted *notebook.Notebook, dir string) (*grading.Result, error) {
	return judging{
		log: slog.New(slog.NewTextHandler(io.Discard, nil)), checks: source, solutions: source, submitted: submitted, from: dir,
		confined: true, memory: 256, timeout: 4 * time.Second, limit: 2 * time.Minute,
	}.judge(ctx)
}

// inParallel runs f for the numbers up to n, two at a time.
func inParallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range 2 {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// TestHostileSubmissions grades submissions that try to earn points without the work: each earns
// exactly the points of its answers.
func TestHostileSubmissions(t *testing.T) {
	source, err := notebook.Decode(submissions.Source())
	if err != nil {
		t.Fatal(err)
	}
	if problems := grading.Check(source); len(problems) > 0 {
		t.Fatal(problems)
	}
	cases := slices.DeleteFunc(submissions.Cases(), func(c submissions.Case) bool { return !strings.Contains(c.Name, *onlyCase) })
	inParallel(len(cases), func(i int) {
		c := cases[i]
		submitted, err := notebook.Decode(c.Submission())
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			return
		}
		start := time.Now()
		res, err := judgeOnce(t.Context(), source, submitted, "")
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			return
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Logf("%s took %v", c.Name, took)
		}
		scores := map[string]grading.Score{}
		for _, s := range res.Scores {
			if _, twice := scores[s.ID]; twice {
				t.Errorf("%s: %s is counted twice", c.Name, s.ID)
			}
			scores[s.ID] = s
		}
		for _, id := range submissions.Tasks() {
			s, lost := scores[id], slices.Contains(c.Lost, id)
			switch {
			case s.Of != 2:
				t.Errorf("%s: %s is worth %v points", c.Name, id, s.Of)
			case lost && s.Points != 0:
				t.Errorf("%s: %s earns %v points without the work", c.Name, id, s.Points)
			case !lost && s.Points != 2:
				t.Errorf("%s: %s earns %v of 2 points: %s %q", c.Name, id, s.Points, s.Note, res.Notes)
			}
		}
		if _, of, _ := res.Points(); of != float64(2*len(submissions.Tasks())) {
			t.Errorf("%s: it is worth %v points", c.Name, of)
		}
	})
}

// attacks lists code before worthless answers, and statements within their functions.
var attacks = []struct{ name, first, body string }{
	{"nothing", "", ""},
	{"declarations", "type mm struct{}\nfunc (mm) Abs(x float64) float64 { return 0 }\nfunc (mm) Sqrt(x float64) float64 { return 0 }\nfunc (mm) Log(x float64) float64 { return 0 }\nfunc (mm) Exp(x float64) float64 { return 0 }\nfunc (mm) Inf(int) float64 { return 0 }\nfunc (mm) IsNaN(x float64) bool { return true }\nvar math, stat, slices, floats mm", ""},
	{"universe", "func len(x any) int { return 0 }\nfunc append(x ...any) int { return 0 }\nconst true = false", ""},
	{"panics", "", "panic(\"right\")"},
	{"exits", "", "os.Exit(0)"},
	{"calls itself", "", "defer func() { recover() }()\nfmt.Println(\"12\")\nShow(Text(\"12\"))"},
}

// TestHostileHomework answers each homework with worthless functions and attacks: no attack earns
// more than the answers earn without it. With -short, each homework gets one attack.
func TestHostileHomework(t *testing.T) {
	files, err := notebook.Glob("../../notebooks/homework/*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no notebooks in ../../notebooks/homework", err)
	}
	inParallel(len(files), func(i int) {
		source, err := notebook.Read(files[i])
		if err != nil {
			t.Error(err)
			return
		}
		earned := func(first, body string) float64 {
			nb, err := hostile(t, source, first, body)
			if err != nil {
				t.Error(err)
				return 0
			}
			res, err := judgeOnce(t.Context(), source, nb, filepath.Dir(files[i]))
			if err != nil {
				t.Errorf("%s: %v", files[i], err)
				return 0
			}
			points, _, _ := res.Points()
			return points
		}
		nothing := earned("", "")
		for k, a := range attacks[1:] {
			if !*allAttacks && k != i%(len(attacks)-1) {
				continue
			}
			if points := earned(a.first, a.body); points > nothing {
				t.Errorf("%s: %s earns %v points, and the answers are worth %v", files[i], a.name, points, nothing)
			}
		}
	})
}

// hostile returns a submission whose functions return zeros, with a first cell and with statements
// in each function.
func hostile(t *testing.T, source *notebook.Notebook, first, body string) (*notebook.Notebook, error) {
	nb, err := grading.Student(source)
	if err != nil {
		return nil, err
	}
	for i, c := range nb.Cells {
		if c.Type != notebook.Code || !strings.Contains(source.Cells[i].Source, "BEGIN SOLUTION") {
			continue
		}
		c.Source = ""
		for _, fn := range functions(t, source.Cells[i].Source) {
			c.Source += fmt.Sprintf("func %s%s {\n%s\n\treturn %s\n}\n", fn.name, fn.signature, body, strings.Join(fn.zeros, ", "))
		}
	}
	if first != "" {
		nb.Cells = append([]*notebook.Cell{{ID: "first", Type: notebook.Code, Source: first, Metadata: map[string]any{}}}, nb.Cells...)
	}
	return nb, nil
}
