// Command trees measures package tree against scikit-learn on the same data in one
// run and prints the ratios:
//
//	go run ./bench/mlstd/trees -python /path/to/python
//
// Each case is fitted three times by both, in turns, and the best time counts.
// Equal quality is part of the table: the accuracy (R² for regression) on rows
// that neither has seen.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

type result struct{ Fit, Predict, Score float64 }

func main() {
	python := flag.String("python", "python3", "a Python with scikit-learn")
	script := flag.String("script", filepath.Join("bench", "mlstd", "trees", "sklearn_trees.py"), "the script that measures scikit-learn")
	flag.Parse()
	if err := run(*python, *script); err != nil {
		fmt.Fprintln(os.Stderr, "trees:", err)
		os.Exit(1)
	}
}

func run(python, script string) error {
	fmt.Printf("%-34s %9s %9s %7s   %9s %9s %7s   %s\n", "case", "fit s", "sklearn", "ratio", "predict s", "sklearn", "ratio", "score (sklearn)")
	for _, c := range []struct {
		name, kind string
		n, cols    int
		depth      int
	}{
		{"entropy, 1,500 x 10, no limit", "entropy", 1500, 10, 0},
		{"entropy, 100,000 x 50, depth 12", "entropy", 100000, 50, 12},
		{"gini, 100,000 x 50, depth 12", "gini", 100000, 50, 12},
		{"regression, 100,000 x 50, depth 12", "regression", 100000, 50, 12},
	} {
		x, y, target := noisyPlane(2*c.n, c.cols)
		path := filepath.Join(os.TempDir(), fmt.Sprintf("trees-%d.bin", os.Getpid()))
		if err := write(path, x, target); err != nil {
			return err
		}
		var own, theirs result
		own.Fit, own.Predict, theirs.Fit, theirs.Predict = math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)
		for range 3 {
			r, err := measure(c.kind, x, y, target, c.n, c.depth)
			if err != nil {
				return err
			}
			own = best(own, r)
			out, err := exec.Command(python, script, path, c.kind, fmt.Sprint(c.n), fmt.Sprint(c.cols), fmt.Sprint(c.depth)).Output()
			if err != nil {
				return fmt.Errorf("%s %s: %w", python, script, err)
			}
			if err := json.Unmarshal(out, &r); err != nil {
				return err
			}
			theirs = best(theirs, r)
		}
		if err := os.Remove(path); err != nil {
			return err
		}
		fmt.Printf("%-34s %9.4f %9.4f %6.1fx   %9.4f %9.4f %6.1fx   %.4f (%.4f)\n", c.name, own.Fit, theirs.Fit, theirs.Fit/own.Fit,
			own.Predict, theirs.Predict, theirs.Predict/own.Predict, own.Score, theirs.Score)
	}
	return nil
}

func best(a, b result) result {
	return result{min(a.Fit, b.Fit), min(a.Predict, b.Predict), b.Score}
}

func measure(kind string, x *mat.Dense, y []int, target []float64, n, depth int) (r result, err error) {
	_, cols := x.Dims()
	train, test := x.Slice(0, n, 0, cols), x.Slice(n, 2*n, 0, cols)
	start := time.Now()
	if kind == "regression" {
		m := &tree.RegressionTree{MaxDepth: depth}
		err = m.Fit(train, target[:n])
		r.Fit = time.Since(start).Seconds()
		if err != nil {
			return r, err
		}
		start = time.Now()
		p := m.Predict(test)
		r.Predict = time.Since(start).Seconds()
		r.Score = eval.R2(target[n:], p)
		return r, nil
	}
	m := &tree.DecisionTree{MaxDepth: depth}
	if kind == "gini" {
		m.Criterion = tree.Gini
	}
	err = m.Fit(train, y[:n])
	r.Fit = time.Since(start).Seconds()
	if err != nil {
		return r, err
	}
	start = time.Now()
	p := m.Predict(test)
	r.Predict = time.Since(start).Seconds()
	r.Score = eval.Accuracy(y[n:], p)
	return r, nil
}

// noisyPlane draws rows of normal values; the target is a blurred sum of the first
// ten columns, the class its sign.
func noisyPlane(n, cols int) (*mat.Dense, []int, []float64) {
	rng := model.Rand(1, 0)
	x := mat.NewDense(n, cols, nil)
	y, target := make([]int, n), make([]float64, n)
	for i := range n {
		target[i] = rng.NormFloat64()
		for j := range cols {
			v := rng.NormFloat64()
			x.Set(i, j, v)
			if j < 10 {
				target[i] += v
			}
		}
		if target[i] > 0 {
			y[i] = 1
		}
	}
	return x, y, target
}

// write stores the rows and then the targets as float64, little-endian.
func write(path string, x *mat.Dense, target []float64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	if err := binary.Write(w, binary.LittleEndian, x.RawMatrix().Data); err != nil {
		return err
	}
	if err := binary.Write(w, binary.LittleEndian, target); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
