package bayesnet

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// rows holds examples by column, as states; -1 is missing.
type rows struct {
	n    int
	cols [][]int32
}

var takes = model.Takes{Missing: true, Nominal: true}

// read reads examples for the variables of a network. It matches columns of a Table by name, if it
// has names, and other columns by position.
func (n *BayesNetwork) read(op string, x mat.Matrix) (*rows, error) {
	if n == nil || len(n.vars) == 0 {
		return nil, model.Errorf(op, "the network must not be empty").WithHint("create one with ml.NewBayesNetwork")
	}
	d, err := takes.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	r, c := d.Dims()
	out := &rows{n: r, cols: make([][]int32, len(n.vars))}
	if !model.Described(x) {
		if c != len(n.vars) {
			return nil, model.Errorf(op, "x must have %d columns (the number of variables), got %d", len(n.vars), c).
				WithHint("pass one column per variable, in order, or a table with their names; set the column of a hidden variable to NaN")
		}
		for i := range n.vars {
			if out.cols[i], err = states(op, d, i, nil, n.Nodes[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	used := 0
	for i := range n.vars {
		j := slices.IndexFunc(model.ColumnsOf(x), func(c model.Column) bool { return c.Name == n.Nodes[i].Name })
		if j < 0 {
			out.cols[i] = slices.Repeat([]int32{-1}, r) // hidden
			continue
		}
		used++
		if out.cols[i], err = states(op, d, j, model.ColumnsOf(x)[j].Levels, n.Nodes[i]); err != nil {
			return nil, err
		}
	}
	if used == 0 {
		return nil, model.Errorf(op, "x must have a column with the name of a variable, got none").WithHint("the variables are %s", n.list())
	}
	return out, nil
}

// states converts a column to positions in c.States.
func states(op string, d *mat.Dense, j int, levels []string, c CPT) ([]int32, error) {
	r, _ := d.Dims()
	out := make([]int32, r)
	translate := make([]int32, len(levels))
	for l, name := range levels {
		translate[l] = int32(slices.Index(c.States, name))
	}
	for i := range out {
		v := d.At(i, j)
		if math.IsNaN(v) {
			out[i] = -1
			continue
		}
		k := int(v)
		ok := v >= 0 && float64(k) == v
		if ok && levels != nil {
			if ok = k < len(levels) && translate[k] >= 0; ok {
				k = int(translate[k])
			}
		}
		if !ok || k >= len(c.States) {
			said := strconv.FormatFloat(v, 'g', -1, 64)
			if kk := int(v); levels != nil && v >= 0 && kk < len(levels) {
				said = levels[kk]
			}
			return nil, model.Errorf(op, "x[%d][%d] must be a state of %s, got %s", i, j, c.Name, said).
				WithHint("use one of %v, or its index from 0 to %d", c.States, len(c.States)-1)
		}
		out[i] = int32(k)
	}
	return out, nil
}

// variables describes the columns of x as variables, for learning a graph. The states are the
// levels, or the whole numbers from 0 to the largest. Missing values are an error.
func variables(op string, x mat.Matrix) ([]CPT, *rows, error) {
	d, err := model.Takes{Nominal: true}.CheckX(op, x)
	if err != nil {
		return nil, nil, err
	}
	r, c := d.Dims()
	columns := model.ColumnsOf(x)
	vars := make([]CPT, c)
	out := &rows{n: r, cols: make([][]int32, c)}
	for j := range c {
		states := columns[j].Levels
		most := len(states) - 1
		out.cols[j] = make([]int32, r)
		for i := range r {
			v := d.At(i, j)
			k := int(v)
			if v < 0 || float64(k) != v || k > mostStates {
				return nil, nil, model.Errorf(op, "x[%d][%d], of %s, must be the index of a state (0, 1, 2 ...), got %v", i, j, columns[j].Name, v).
					WithHint("bin a continuous column first")
			}
			if states != nil && k > most {
				return nil, nil, model.Errorf(op, "x[%d][%d], of %s, must be below %d (the number of levels), got %v", i, j, columns[j].Name, len(states), v)
			}
			most = max(most, k)
			out.cols[j][i] = int32(k)
		}
		if states == nil {
			for k := range most + 1 {
				states = append(states, strconv.Itoa(k))
			}
		}
		vars[j] = CPT{Name: columns[j].Name, States: states}
	}
	return vars, out, nil
}

// mostStates is the maximum number of states of a numeric column.
const mostStates = 1000
