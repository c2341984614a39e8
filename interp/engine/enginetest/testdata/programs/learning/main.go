// A student's types as those that gonum and the course library take.
package main

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// hilbert is a matrix that is computed when it is asked for.
type hilbert int

func (h hilbert) Dims() (r, c int)    { return int(h), int(h) }
func (h hilbert) At(i, j int) float64 { return 1 / float64(i+j+1) }
func (h hilbert) T() mat.Matrix       { return mat.Transpose{Matrix: h} }

// nearest is the nearest-centroid classifier.
type nearest struct {
	centers map[int][]float64
	order   []int
}

func (n *nearest) Fit(x mat.Matrix, y []int) error {
	rows, cols := x.Dims()
	if rows != len(y) {
		return fmt.Errorf("%d rows, %d labels", rows, len(y))
	}
	n.centers, n.order = map[int][]float64{}, nil
	count := map[int]float64{}
	for i := range rows {
		c, ok := n.centers[y[i]]
		if !ok {
			c = make([]float64, cols)
			n.centers[y[i]] = c
			n.order = append(n.order, y[i])
		}
		for j := range cols {
			c[j] += x.At(i, j)
		}
		count[y[i]]++
	}
	for k, c := range n.centers {
		for j := range c {
			c[j] /= count[k]
		}
	}
	return nil
}

func (n *nearest) Predict(x mat.Matrix) []int {
	rows, cols := x.Dims()
	out := make([]int, rows)
	for i := range out {
		best := math.Inf(1)
		for _, k := range n.order {
			d := 0.0
			for j := range cols {
				d += math.Pow(x.At(i, j)-n.centers[k][j], 2)
			}
			if d < best {
				best, out[i] = d, k
			}
		}
	}
	return out
}

func main() {
	h := hilbert(3)
	var prod mat.Dense
	prod.Mul(h, h.T())
	fmt.Printf("%.4f\n", mat.Formatted(&prod))
	fmt.Printf("%.6g %.4f\n", mat.Det(h), mat.Norm(h, 2))
	var inv mat.Dense
	fmt.Println(inv.Inverse(h))
	fmt.Printf("%.2f\n", mat.Formatted(&inv))

	var c model.Classifier = &nearest{}
	x := mat.NewDense(6, 2, []float64{0, 0, 1, 0, 0, 1, 9, 9, 8, 9, 9, 8})
	y := []int{3, 3, 3, 7, 7, 7}
	fmt.Println(c.Fit(x, y), c.Predict(x), c.Fit(x, y[:2]))
	acc := 0
	for i, p := range c.Predict(x) {
		if p == y[i] {
			acc++
		}
	}
	fmt.Println(acc)

	p := optimize.Problem{
		Func: func(x []float64) float64 { return math.Pow(x[0]-1, 2) + 10*math.Pow(x[1]+2, 2) },
		Grad: func(g, x []float64) { g[0], g[1] = 2*(x[0]-1), 20*(x[1]+2) },
	}
	res, err := optimize.Minimize(p, []float64{5, 5}, nil, &optimize.BFGS{})
	fmt.Printf("%.3f %v %v\n", res.X, err, res.Status)
	var m mat.Dense
	m.Apply(func(i, j int, v float64) float64 { return v * float64(10*i+j) }, h)
	fmt.Printf("%.3f\n", mat.Formatted(&m, mat.Prefix("  ")))
}
