package anomaly

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// IsolationNode is a node of an isolation tree: a random cut, or a leaf.
type IsolationNode struct {
	Column      int     // of the cut; −1 in a leaf
	Cut         float64 // rows with at most this value go left
	Left, Right int     // positions of the nodes below
	Rows        int     // number of rows that reached the node
}

// IsolationForest scores a row by the number of random cuts that separate it from all other rows. A
// row that few cuts separate is likely an anomaly.
//
//	score(x) = 2^(−E[h(x)]/c(ψ)),  c(ψ) = 2·H(ψ−1) − 2(ψ−1)/ψ
//
// h(x) is the depth of the leaf that x reaches, plus c(m) if the leaf has m training rows. Here
// c(m) is the mean depth of an unsuccessful search in a binary search tree of m rows, and H is the
// harmonic number. Each tree cuts a sample of ψ rows, down to depth log₂ψ. A cut is at a random
// value between the minimum and the maximum of a random column. Rows with scores well above ½ are
// anomalies; if all scores are near ½, no row is a clear anomaly.
//
// Cost: O(Trees·ψ·log ψ) to fit, O(Trees·log ψ) per row.
//
// References: [LiuTingZhou2008].
// Course: DEC-12.
type IsolationForest struct {
	model.Control

	// Trees is the number of trees; 0 means 100. With more trees, the scores vary less, but Fit and
	// Score take longer.
	Trees int
	// Sample is ψ, the number of rows of a tree; 0 means 256, or all rows if there are fewer.
	Sample int
	// Contamination is the fraction of anomalies among the training rows; 0 means 0.1.
	// A larger value lowers the threshold, so that more rows are anomalies.
	Contamination float64
	// Seed is the seed of the samples and cuts.
	Seed uint64

	Members   [][]IsolationNode // set by Fit: the trees, their roots first
	Width     int               // set by Fit: the number of columns
	Drawn     int               // set by Fit: ψ
	Threshold float64           // set by Fit and Tune

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Detector = (*IsolationForest)(nil)

// IsolationDepth returns c(n), the mean depth at which an unsuccessful search in a
// binary search tree of n rows ends.
//
//	c(n) = 2·(ln(n−1) + γ) − 2(n−1)/n,  c(2) = 1,  c(1) = 0
//
// where γ is Euler's constant. The forest uses this c.
func IsolationDepth(n int) float64 {
	const euler = 0.5772156649015329
	switch {
	case n <= 1:
		return 0
	case n == 2:
		return 1
	}
	return 2*(math.Log(float64(n-1))+euler) - 2*float64(n-1)/float64(n)
}

// Fit grows the trees.
func (f *IsolationForest) Fit(x mat.Matrix) error {
	const op = "IsolationForest.Fit"
	model.NoteX(&f.Fitted, x)
	f.Members, f.Width, f.Drawn, f.Threshold = nil, 0, 0, 0
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	trees, err := model.Iterations(op, "Trees", f.Trees, 100)
	if err != nil {
		return err
	}
	size, err := model.Iterations(op, "Sample", f.Sample, 256)
	if err != nil {
		return err
	}
	size = min(size, n)
	run := f.Begin("IsolationForest", 1)
	defer run.End()
	members := make([][]IsolationNode, trees)
	par.Range(trees, 4, func(lo, hi int) {
		for t := lo; t < hi; t++ {
			g := isolator{d: d, rng: model.Rand(f.Seed, uint64(t)), most: int(math.Ceil(math.Log2(float64(max(2, size)))))}
			g.grow(g.draw(n, size), 0)
			members[t] = g.nodes
		}
	})
	if err := run.Step(1, math.NaN()); err != nil {
		return err
	}
	fresh := IsolationForest{Members: members, Width: cols, Drawn: size}
	threshold, err := thresholdOf(op, f.Contamination, fresh.Score(d))
	if err != nil {
		return err
	}
	f.Members, f.Width, f.Drawn, f.Threshold = members, cols, size, threshold
	return nil
}

// isolator grows one tree.
type isolator struct {
	d   *mat.Dense
	rng interface {
		IntN(n int) int
		Float64() float64
	}
	most  int
	nodes []IsolationNode
}

// draw returns size of n rows, each at most once.
func (g *isolator) draw(n, size int) []int {
	rows := make([]int, 0, size)
	if size*4 < n { // few of many: redraw until new
		seen := make(map[int]bool, size)
		for j := n - size; j < n; j++ {
			i := g.rng.IntN(j + 1)
			if seen[i] {
				i = j
			}
			seen[i] = true
			rows = append(rows, i)
		}
		return rows
	}
	for i := range n {
		rows = append(rows, i)
	}
	for i := range size {
		j := i + g.rng.IntN(n-i)
		rows[i], rows[j] = rows[j], rows[i]
	}
	return rows[:size]
}

// grow adds the tree of rows, and returns the position of its root.
func (g *isolator) grow(rows []int, depth int) int {
	at := len(g.nodes)
	g.nodes = append(g.nodes, IsolationNode{Column: -1, Rows: len(rows)})
	if len(rows) <= 1 || depth >= g.most {
		return at
	}
	_, cols := g.d.Dims()
	column, low, high := -1, 0.0, 0.0
	for from, tried := g.rng.IntN(cols), 0; tried < cols; tried++ {
		j := from
		if tried > 0 {
			j = (from + tried) % cols // the next ones, where a column is constant
		}
		low, high = math.Inf(1), math.Inf(-1)
		for _, i := range rows {
			v := g.d.At(i, j)
			low, high = min(low, v), max(high, v)
		}
		if low < high {
			column = j
			break
		}
	}
	if column < 0 {
		return at
	}
	cut := low + g.rng.Float64()*(high-low)
	if cut >= high { // by rounding
		cut = low
	}
	left := 0
	for i, row := range rows {
		if g.d.At(row, column) <= cut {
			rows[i], rows[left] = rows[left], rows[i]
			left++
		}
	}
	l := g.grow(rows[:left], depth+1)
	r := g.grow(rows[left:], depth+1)
	node := &g.nodes[at]
	node.Column, node.Cut, node.Left, node.Right = column, cut, l, r
	return at
}

// Score returns 2^(−E[h]/c(ψ)) of each row.
func (f *IsolationForest) Score(x mat.Matrix) []float64 {
	const op = "IsolationForest.Score"
	x = model.MustRead(op, &f.Fitted, x)
	if f.Members == nil {
		panic(model.NotFitted(op))
	}
	d := model.MustRows(op, x, f.Width)
	n, _ := d.Dims()
	out := make([]float64, n)
	rest := make([]float64, f.Drawn+1)
	for i := range rest {
		rest[i] = IsolationDepth(i)
	}
	scale := max(rest[f.Drawn], 0x1p-52) * float64(len(f.Members))
	par.Range(n, 256, func(lo, hi int) {
		// Tree by tree, so that its nodes stay in the cache.
		for _, tree := range f.Members {
			for i := lo; i < hi; i++ {
				row, at, depth := d.RawRowView(i), 0, 0
				for tree[at].Column >= 0 {
					node := &tree[at]
					if row[node.Column] <= node.Cut {
						at = node.Left
					} else {
						at = node.Right
					}
					depth++
				}
				out[i] += float64(depth) + rest[tree[at].Rows]
			}
		}
		for i := lo; i < hi; i++ {
			out[i] = math.Exp2(-out[i] / scale)
		}
	})
	return out
}

// Predict reports whether the score of each row is above the threshold.
func (f *IsolationForest) Predict(x mat.Matrix) []bool {
	x = model.MustRead("IsolationForest.Predict", &f.Fitted, x)
	return above(f.Score(x), f.Threshold)
}

// Tune sets the threshold that has the best F1 score on x, where anomaly[i] reports whether row i
// is an anomaly.
func (f *IsolationForest) Tune(x mat.Matrix, anomaly []bool) (*F1Choice, error) {
	x, err := model.Read("IsolationForest.Tune", &f.Fitted, x)
	if err != nil {
		return nil, err
	}
	return tuned(f, "IsolationForest.Tune", x, anomaly, &f.Threshold)
}
