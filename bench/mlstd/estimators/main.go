// Command estimators measures estimators of mlstd against scikit-learn on the
// same data in one run and prints the ratios:
//
//	go run ./bench/mlstd/estimators -python /path/to/python
//
// Each case is fitted three times by both, in turns, and the best time counts,
// once on the clock and once as time of all processors (on a machine with other
// work only the second can be compared). A ratio above 1 means that mlstd is
// faster. Equal quality is part of the table: the accuracy, or R², on rows that
// neither has seen.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/svm"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// bench is one row of the table. The name is that of the case in the script.
type bench struct {
	name          string
	n, test, cols int
	classifier    func() model.Classifier
	regressor     func() model.Regressor
}

var cases = []bench{
	{name: "linear regression", n: 100000, test: 10000, cols: 50, regressor: func() model.Regressor { return &linear.LinearRegression{} }},
	{name: "ridge", n: 100000, test: 10000, cols: 50, regressor: func() model.Regressor { return &linear.Ridge{} }},
	{name: "lasso", n: 100000, test: 10000, cols: 50, regressor: func() model.Regressor { return &linear.Lasso{Lambda: 0.01, Tol: 1e-4} }},
	{name: "logistic regression", n: 100000, test: 10000, cols: 50, classifier: func() model.Classifier { return &linear.LogisticRegression{} }},
	{name: "linear SVC", n: 100000, test: 10000, cols: 50, classifier: func() model.Classifier { return &svm.LinearSVC{} }},
	{name: "decision tree, depth 12", n: 20000, test: 10000, cols: 30, classifier: func() model.Classifier { return &tree.DecisionTree{MaxDepth: 12} }},
	{name: "5 nearest neighbors", n: 20000, test: 5000, cols: 20, classifier: func() model.Classifier { return &neighbors.KNN{} }},
	{name: "SVC", n: 5000, test: 5000, cols: 20, classifier: func() model.Classifier { return &svm.SVC{} }},
	{name: "SVR", n: 5000, test: 5000, cols: 20, regressor: func() model.Regressor { return &svm.SVR{} }},
	{name: "kernel ridge", n: 2000, test: 2000, cols: 20, regressor: func() model.Regressor { return &kernel.KernelRidge{Kernel: kernel.RBF(0.05)} }},
}

// result is what either side measures of one fit: seconds on the clock and of
// all processors.
type result struct{ Fit, FitCPU, Predict, PredictCPU, Score float64 }

func main() {
	python := flag.String("python", "python3", "a Python with scikit-learn")
	script := flag.String("script", filepath.Join("bench", "mlstd", "estimators", "sklearn_estimators.py"), "the script that measures scikit-learn")
	only := flag.String("run", "", "measure the cases that match this regular expression")
	flag.Parse()
	if err := run(*python, *script, *only); err != nil {
		fmt.Fprintln(os.Stderr, "estimators:", err)
		os.Exit(1)
	}
}

func run(python, script, only string) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "estimators")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	peer, err := start(python, script)
	if err != nil {
		return err
	}
	defer peer.stop()
	fmt.Printf("%-34s %8s %8s %6s %6s   %9s %8s %6s %6s   %s\n", "case (train rows x columns)",
		"fit s", "sklearn", "ratio", "cpu", "predict s", "sklearn", "ratio", "cpu", "score (sklearn)")
	for _, c := range cases {
		if !match.MatchString(c.name) {
			continue
		}
		x, target := curved(c.n+c.test, c.cols)
		path := filepath.Join(dir, "data.bin")
		if err := write(path, x, target); err != nil {
			return err
		}
		inf := math.Inf(1)
		own, theirs := result{inf, inf, inf, inf, 0}, result{inf, inf, inf, inf, 0}
		for range 3 {
			r, err := c.measure(x, target)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			own.best(r)
			if r, err = peer.measure(path, c); err != nil {
				return fmt.Errorf("%s by scikit-learn: %w", c.name, err)
			}
			theirs.best(r)
		}
		fmt.Printf("%-34s %8.3f %8.3f %6.2f %6.2f   %9.4f %8.4f %6.2f %6.2f   %.4f (%.4f)\n", fmt.Sprintf("%s, %d x %d", c.name, c.n, c.cols),
			own.Fit, theirs.Fit, theirs.Fit/own.Fit, theirs.FitCPU/own.FitCPU,
			own.Predict, theirs.Predict, theirs.Predict/own.Predict, theirs.PredictCPU/own.PredictCPU, own.Score, theirs.Score)
	}
	return nil
}

func (r *result) best(s result) {
	r.Fit, r.FitCPU = min(r.Fit, s.Fit), min(r.FitCPU, s.FitCPU)
	r.Predict, r.PredictCPU, r.Score = min(r.Predict, s.Predict), min(r.PredictCPU, s.PredictCPU), s.Score
}

// curved draws rows of a function that is partly linear and partly not, with
// noise; its sign is the class.
func curved(n, cols int) (*mat.Dense, []float64) {
	rng := model.Rand(7, 0)
	x, target := mat.NewDense(n, cols, nil), make([]float64, n)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = rng.NormFloat64()
			target[i] += row[j] / float64(j+1)
		}
		target[i] += row[0]*row[1] + math.Sin(2*row[2]) + 0.3*rng.NormFloat64()
	}
	return x, target
}

func write(path string, x *mat.Dense, target []float64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	for _, v := range [][]float64{x.RawMatrix().Data, target} {
		if err := binary.Write(w, binary.LittleEndian, v); err != nil {
			return err
		}
	}
	return w.Flush()
}

func (c bench) measure(x *mat.Dense, target []float64) (result, error) {
	train, test := x.Slice(0, c.n, 0, c.cols), x.Slice(c.n, c.n+c.test, 0, c.cols)
	var r result
	watch := stopwatch()
	if c.regressor != nil {
		m := c.regressor()
		if err := m.Fit(train, target[:c.n]); err != nil {
			return r, err
		}
		r.Fit, r.FitCPU = watch()
		watch = stopwatch()
		p := m.Predict(test)
		r.Predict, r.PredictCPU = watch()
		r.Score = eval.R2(target[c.n:], p)
		return r, nil
	}
	y := make([]int, len(target))
	for i, v := range target {
		if v > 0 {
			y[i] = 1
		}
	}
	m := c.classifier()
	watch = stopwatch()
	if err := m.Fit(train, y[:c.n]); err != nil {
		return r, err
	}
	r.Fit, r.FitCPU = watch()
	watch = stopwatch()
	p := m.Predict(test)
	r.Predict, r.PredictCPU = watch()
	r.Score = eval.Accuracy(y[c.n:], p)
	return r, nil
}

// stopwatch starts; what it gives tells the seconds since then.
func stopwatch() func() (clock, cpu float64) {
	begin, used := time.Now(), cpuTime()
	return func() (float64, float64) { return time.Since(begin).Seconds(), (cpuTime() - used).Seconds() }
}

// peer is the Python process.
type peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
}

func start(python, script string) (*peer, error) {
	cmd := exec.Command(python, script)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &peer{cmd, in, json.NewDecoder(out)}, cmd.Start()
}

func (p *peer) measure(path string, c bench) (result, error) {
	var r result
	if _, err := fmt.Fprintf(p.in, "%s\t%s\t%d\t%d\t%d\n", path, c.name, c.n, c.test, c.cols); err != nil {
		return r, err
	}
	return r, p.out.Decode(&r)
}

func (p *peer) stop() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}
