// Command analyses compares analyses in gokernel with the same analyses in Python:
//
//	go run ./bench/analyses -program .build/gokernel -python PYTHON -vega DIR [-only penguins]
//
// Each data set has a notebook, and a twin that uses pandas, statsmodels, scipy and lifelines. Both
// have the same numbered questions. The value of the last cell of a question is its answer. The
// command runs both, compares the answers, counts the statements, and writes a table.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	program := flag.String("program", ".build/gokernel", "the gokernel that runs the notebooks")
	python := flag.String("python", "python3", "a Python with the packages of requirements.txt")
	source := flag.String("source", filepath.Join("bench", "analyses"), "the folder of the analyses")
	vega := flag.String("vega", "", "the folder data of npm's package vega-datasets")
	dir := flag.String("dir", filepath.Join(".build", "analyses", "run"), "the folder to run in")
	only := flag.String("only", "", "run only this data set")
	write := flag.String("write", "", "the file to write the table to (default: standard output)")
	flag.Parse()
	r := runner{*program, *python, *source, *vega, *dir}
	if err := r.run(*only, *write); err != nil {
		fmt.Fprintln(os.Stderr, "bench/analyses:", err)
		os.Exit(1)
	}
}

type runner struct{ program, python, source, vega, dir string }

// result is the result of the two analyses of a data set.
type result struct {
	name           string
	title          string
	questions      int
	figures        int
	own, peer      int // statements
	ownSec, twoSec float64
	differences    []string
}

// answer is the answer to a question. Without tables, it is a figure or a summary.
type answer struct {
	Question int
	Tables   [][][]any // values, columns, cells
}

func (r runner) run(only, write string) error {
	for _, p := range []*string{&r.program, &r.python, &r.source, &r.vega, &r.dir} {
		// The command of a Python environment is a symbolic link, so keep its path.
		if strings.ContainsRune(*p, filepath.Separator) {
			abs, err := filepath.Abs(*p)
			if err != nil {
				return err
			}
			*p = abs
		}
	}
	if err := os.MkdirAll(filepath.Join(r.dir, "data"), 0o755); err != nil {
		return err
	}
	if _, err := r.command(r.source, r.python, "-P", "data.py", r.vega, filepath.Join(r.dir, "data")); err != nil {
		return fmt.Errorf("copy the data sets: %w", err)
	}
	notebooks, err := filepath.Glob(filepath.Join(r.source, "*.ipynb"))
	if err != nil {
		return err
	}
	var results []result
	failed := 0
	for _, path := range notebooks {
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		if only != "" && only != name {
			continue
		}
		res, err := r.analysis(name)
		if err != nil {
			res.differences = append(res.differences, err.Error())
		}
		fmt.Fprintf(os.Stderr, "%-12s %2d questions, %3d and %3d statements, %d differences\n",
			name, res.questions, res.own, res.peer, len(res.differences))
		for _, d := range res.differences {
			fmt.Fprintln(os.Stderr, "    "+d)
		}
		failed += len(res.differences)
		results = append(results, res)
	}
	if len(results) == 0 {
		return fmt.Errorf("no notebook in %s matches -only %q", r.source, only)
	}
	text := page(results)
	if write == "" {
		fmt.Print(text)
	} else if err := os.WriteFile(write, []byte(text), 0o644); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d differences", failed)
	}
	return nil
}

// analysis runs the notebook and the twin of a data set, and compares their answers.
func (r runner) analysis(name string) (result, error) {
	res := result{name: name}
	nb, err := readNotebook(filepath.Join(r.source, name+".ipynb"))
	if err != nil {
		return res, err
	}
	res.title, res.questions = nb.title, len(nb.questions)
	if res.own, err = nb.statements(); err != nil {
		return res, err
	}
	answers := filepath.Join(r.dir, name+".go.jsonl")
	os.Remove(answers)
	input := filepath.Join(r.dir, name+".ipynb")
	if err := nb.write(input, answers); err != nil {
		return res, err
	}
	executed := filepath.Join(r.dir, name+".executed.ipynb")
	start := time.Now()
	_, err = r.command(r.dir, r.program, "run", input, "-o", executed)
	res.ownSec = time.Since(start).Seconds()
	if err != nil {
		return res, err
	}
	own, err := readAnswers(answers)
	if err != nil {
		return res, err
	}
	figures, err := readFigures(executed)
	if err != nil {
		return res, err
	}

	start = time.Now()
	out, err := r.command(r.dir, r.python, "-P", filepath.Join(r.source, "twin.py"), filepath.Join(r.source, name+".py"))
	res.twoSec = time.Since(start).Seconds()
	if err != nil {
		return res, err
	}
	var peer struct {
		Statements int
		Questions  []question
		Answers    []answer
	}
	if err := json.Unmarshal(out, &peer); err != nil {
		return res, fmt.Errorf("%s.py: %w", name, err)
	}
	res.peer = peer.Statements
	if len(peer.Questions) != len(nb.questions) {
		return res, fmt.Errorf("the twin has %d questions, the notebook %d", len(peer.Questions), len(nb.questions))
	}
	others := map[int]answer{}
	for _, a := range peer.Answers {
		others[a.Question] = a
	}
	for i, q := range nb.questions {
		fail := func(format string, args ...any) {
			res.differences = append(res.differences, fmt.Sprintf("question %d: ", i+1)+fmt.Sprintf(format, args...))
		}
		other, ok := others[i+1]
		mine, have := own[i+1]
		switch {
		case q != peer.Questions[i]:
			fail("the notebook asks %q, the twin %q", q, peer.Questions[i])
		case !ok || !have:
			fail("no answer (notebook: %t, twin: %t)", have, ok)
		case mine.Tables == nil && other.Tables == nil:
			res.figures++
			if !figures[i+1] {
				fail("the notebook shows no figure")
			}
		default:
			if err := compare(mine.Tables, other.Tables, q.tolerance()); err != nil {
				fail("%v", err)
			}
		}
	}
	return res, nil
}

// command runs a command in a folder and returns what it prints.
func (r runner) command(dir string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}
