package prob

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// IndependenceTable holds the mutual information of each pair of columns, in bits, unconditionally
// and given the class. Naive Bayes assumes that the mutual information given the class is zero.
//
// Course: PROB-29.
type IndependenceTable struct {
	Names       []string
	Marginal    *mat.Dense // I(Xᵢ;Xⱼ); on the diagonal H(Xᵢ)
	Conditional *mat.Dense // I(Xᵢ;Xⱼ|Y); on the diagonal H(Xᵢ|Y)
}

// CheckIndependence computes the mutual information of each pair of columns of x, unconditionally
// and given the class. The values of x must be 0, 1, 2 and so on.
//
//	I(Xᵢ;Xⱼ|Y) = Σ p(xᵢ,xⱼ,y) log₂ p(xᵢ,xⱼ|y) / (p(xᵢ|y)·p(xⱼ|y))
//
// In small samples, both values are larger than zero even for independent columns. Two dependent
// columns may be independent given the class, and two independent columns may be dependent given
// the class.
//
// Course: PROB-04, PROB-29.
func CheckIndependence(x mat.Matrix, y []int) (*IndependenceTable, error) {
	const op = "CheckIndependence"
	d, err := model.Takes{Nominal: true}.CheckXY(op, x, y)
	if err != nil {
		return nil, err
	}
	n, p := d.Dims()
	columns := make([][]int, p)
	t := &IndependenceTable{Marginal: mat.NewDense(p, p, nil), Conditional: mat.NewDense(p, p, nil)}
	for j, c := range model.ColumnsOf(x) {
		t.Names = append(t.Names, c.Name)
		columns[j] = make([]int, n)
		for i := range n {
			v := d.At(i, j)
			if v < 0 || !isWhole(v) || v > 1e6 {
				return nil, model.Errorf(op, "x[%d][%d] must be one of 0, 1, 2 ..., got %v", i, j, v).WithHint("bin real-valued columns first")
			}
			columns[j][i] = int(v)
		}
	}
	_, class := model.Classes(y)
	for a := range p {
		for b := a; b < p; b++ {
			j, err := CountJoint([]string{"a", "b", "y"}, columns[a], columns[b], class)
			if err != nil {
				return nil, err
			}
			marginal, conditional := j.MutualInformation("a", "b"), j.ConditionalMutualInformation("a", "b", "y")
			for _, at := range [][2]int{{a, b}, {b, a}} {
				t.Marginal.Set(at[0], at[1], marginal)
				t.Conditional.Set(at[0], at[1], conditional)
			}
		}
	}
	return t, nil
}
