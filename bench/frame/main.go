// Command frame compares package frame with pandas and Polars. It uses the ten group-by and five
// join questions of H2O's database benchmark, which DuckDB maintains, and reads its table of
// groups from CSV:
//
//	go run ./bench/frame -python /path/to/python [-rows 1000000] [-write docs/reports/frame-benchmarks.md]
//
// The data have the distributions of the benchmark's generators. The three tools take turns on
// each question, and the minimum time counts. The answers are compared by their number of rows
// and the sums of their value columns.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
)

func main() {
	python := flag.String("python", "python3", "a Python with pandas and Polars")
	script := flag.String("script", filepath.Join("bench", "frame", "peers.py"), "the script that measures them")
	rows := flag.Int("rows", 1_000_000, "rows of the tables")
	turns := flag.Int("turns", 3, "how often each question is asked")
	only := flag.String("only", "", "read, group or join; empty means all")
	write := flag.String("write", "", "file to write the section to")
	flag.Parse()
	if err := run(*python, *script, *only, *rows, *turns, *write); err != nil {
		fmt.Fprintln(os.Stderr, "bench/frame:", err)
		os.Exit(1)
	}
}

// answer is the result of one tool for a question.
type answer struct {
	Seconds float64
	Rows    int
	Sums    []float64
}

// result is a question and the answers of the three tools.
type result struct {
	question            question
	own, pandas, polars answer
}

func run(python, script, only string, rows, turns int, write string) error {
	dir, err := os.MkdirTemp("", "bench-frame")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var results []result
	var versions string
	for _, part := range parts {
		if only != "" && part != only {
			continue
		}
		tables, err := generate(part, rows, dir)
		if err != nil {
			return err
		}
		some, said, err := measure(python, script, part, dir, tables, turns)
		if err != nil {
			return err
		}
		results, versions = append(results, some...), said
		runtime.GC()
	}
	page := section(results, rows, turns, versions)
	fmt.Print(page)
	if write == "" {
		return nil
	}
	f, err := os.OpenFile(write, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString("\n" + page)
	return errors.Join(err, f.Close())
}

// measure asks the questions of a part in turns.
func measure(python, script, part, dir string, tables map[string]*frame.Frame, turns int) (results []result, versions string, err error) {
	var peers [2]*peer
	for i, tool := range []string{"pandas", "polars"} {
		if peers[i], err = start(python, script, tool, dir); err != nil {
			return nil, "", err
		}
		defer peers[i].stop()
	}
	versions = peers[0].version + ", " + peers[1].version
	for _, q := range questionsOf(part, dir) {
		r := result{question: q}
		for range turns {
			keep(&r.own, ask(q, tables))
			for i, best := range []*answer{&r.pandas, &r.polars} {
				a, err := peers[i].ask(part + " " + q.name)
				if err != nil {
					return nil, "", err
				}
				keep(best, a)
			}
		}
		for _, other := range []answer{r.pandas, r.polars} {
			if err := r.own.differs(other); err != nil {
				return nil, "", fmt.Errorf("%s %s: %w", part, q.name, err)
			}
		}
		fmt.Fprintf(os.Stderr, "%-60s %8.4f  pandas %8.4f (%5.2f)  polars %8.4f (%5.2f)  %d rows\n", part+" "+q.name+" "+q.text,
			r.own.Seconds, r.pandas.Seconds, r.pandas.Seconds/r.own.Seconds, r.polars.Seconds, r.polars.Seconds/r.own.Seconds, r.own.Rows)
		results = append(results, r)
	}
	return results, versions, nil
}

// keep replaces best by a if a is the first or a faster answer.
func keep(best *answer, a answer) {
	if best.Sums == nil || a.Seconds < best.Seconds {
		*best = a
	}
}

// ask times package frame.
func ask(q question, tables map[string]*frame.Frame) answer {
	runtime.GC()
	began := time.Now()
	f := q.do(tables)
	a := answer{Seconds: time.Since(began).Seconds(), Rows: f.Len()}
	for _, name := range q.sums {
		a.Sums = append(a.Sums, f.Col(name).Sum())
	}
	return a
}

// differs returns the difference between two answers, if there is one.
func (a answer) differs(b answer) error {
	if a.Rows != b.Rows || len(a.Sums) != len(b.Sums) {
		return fmt.Errorf("the answers have %d and %d rows", a.Rows, b.Rows)
	}
	for i, x := range a.Sums {
		if math.Abs(x-b.Sums[i]) > 1e-9*math.Abs(x)+1e-9 {
			return fmt.Errorf("the sums of column %d are %v and %v", i, x, b.Sums[i])
		}
	}
	return nil
}

// peer is a Python process that answers questions with one tool.
type peer struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	version string
}

func start(python, script, tool, dir string) (*peer, error) {
	p := &peer{cmd: exec.Command(python, script, tool, dir)}
	p.cmd.Stderr = os.Stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := p.out.ReadString('\n')
	p.version = strings.TrimSpace(line)
	return p, err
}

func (p *peer) ask(question string) (answer, error) {
	var a answer
	if _, err := fmt.Fprintln(p.in, question); err != nil {
		return a, err
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return a, fmt.Errorf("%s: %w", question, err)
	}
	return a, json.Unmarshal(line, &a)
}

func (p *peer) stop() {
	p.in.Close()
	p.cmd.Wait()
}
