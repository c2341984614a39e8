package prep

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/model"
)

// PolynomialFeatures adds the products of columns up to a degree, such as a·b and a².
//
//	φ(x) = ( x₁^a₁ · … · x_d^a_d : Σ aⱼ ≤ Degree )
//
// A linear separator in φ(x) is a curved separator in x: points on a line that no threshold
// separates can be separable on the parabola (x, x²). There are C(d+p, p) distinct monomials of
// degree up to p in d variables ([DistinctMonomials]). This number grows quickly with d and p;
// kernel methods avoid computing the monomials.
//
// Columns are in order of degree, then in lexicographic order: 1, a, b, a², ab, b².
//
// Cost: O(n·C(d+p, p)).
//
// References: [Hastie2009].
// Course: CORE-23.
type PolynomialFeatures struct {
	// Degree is the maximum degree of a term; 0 means 2. A larger degree can fit more complex
	// shapes, but produces many more columns.
	Degree int
	// InteractionsOnly leaves out products with powers of a column. The remaining products of
	// distinct columns are conjunctions if the columns are 0 or 1.
	InteractionsOnly bool
	// NoConstant leaves out the column of ones.
	NoConstant bool

	// Columns are the columns of the result, named like "a·b²".
	Columns []model.Column
	// Powers[k] lists the columns of x whose product is column k; a column with power p is listed p
	// times.
	Powers [][]int

	width int

	model.Fitted // set by Fit: the columns that it was given
}

// maxPolynomial is the largest number of columns that the features may have.
const maxPolynomial = 1 << 20

// Fit learns the number of columns of x.
func (p *PolynomialFeatures) Fit(x mat.Matrix) error {
	model.NoteX(&p.Fitted, x)
	p.Columns, p.Powers, p.width = nil, nil, 0
	const op = "PolynomialFeatures.Fit"
	if p.Degree < 0 {
		return model.Errorf(op, "Degree must not be negative, got %d", p.Degree)
	}
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	_, cols := d.Dims()
	degree := p.degree()
	if n := DistinctMonomials(cols, degree); n.Cmp(big.NewInt(maxPolynomial)) > 0 && !p.InteractionsOnly {
		return model.Errorf(op, "the result would have too many columns: %v, from %d columns with degree %d", n, cols, degree).
			WithHint("use a polynomial kernel instead")
	}
	var powers [][]int
	var add func(from int, product []int, left int)
	add = func(from int, product []int, left int) {
		if left == 0 {
			powers = append(powers, append([]int(nil), product...))
			return
		}
		for j := from; j < cols && len(powers) <= maxPolynomial; j++ {
			next := j
			if p.InteractionsOnly {
				next = j + 1
			}
			add(next, append(product, j), left-1)
		}
	}
	for deg := range degree + 1 {
		if deg > 0 || !p.NoConstant {
			add(0, nil, deg)
		}
	}
	if len(powers) > maxPolynomial {
		return model.Errorf(op, "the result must have at most %[3]d columns, which degree %[1]d of %[2]d columns exceeds", degree, cols, maxPolynomial).
			WithHint("use a polynomial kernel instead")
	}
	if len(powers) == 0 {
		return model.Errorf(op, "Degree must be at least 1 without a constant, got %d", degree)
	}
	if k, i := overflow(d, powers); k >= 0 {
		return productOverflows(op, model.ColumnsOf(x), powers[k], i)
	}
	in := model.ColumnsOf(x)
	p.Powers, p.width = powers, cols
	for _, product := range powers {
		p.Columns = append(p.Columns, model.Column{Name: monomialName(in, product)})
	}
	return nil
}

func (p *PolynomialFeatures) degree() int {
	if p.Degree == 0 {
		return 2
	}
	return p.Degree
}

func monomialName(in []model.Column, product []int) string {
	if len(product) == 0 {
		return "1"
	}
	var parts []string
	for k := 0; k < len(product); {
		e := k
		for e < len(product) && product[e] == product[k] {
			e++
		}
		name := in[product[k]].Name
		switch e - k {
		case 1:
		case 2:
			name += "²"
		case 3:
			name += "³"
		default:
			name += "^" + strconv.Itoa(e-k)
		}
		parts = append(parts, name)
		k = e
	}
	return strings.Join(parts, "·")
}

// Transform returns the features of each row.
func (p *PolynomialFeatures) Transform(x mat.Matrix) *model.Table {
	const op = "PolynomialFeatures.Transform"
	x = model.MustRead(op, &p.Fitted, x)
	if p.Powers == nil {
		panic(model.NotFitted(op))
	}
	d := model.MustRows(op, x, p.width)
	if k, i := overflow(d, p.Powers); k >= 0 {
		panic(productOverflows(op, model.ColumnsOf(x), p.Powers[k], i))
	}
	out := eachRow(d, len(p.Powers), func(in, out []float64) {
		for k, product := range p.Powers {
			out[k] = productOf(in, product)
		}
	})
	return model.Named(x, out, p.Columns)
}

func productOf(row []float64, product []int) float64 {
	v := 1.0
	for _, j := range product {
		v *= row[j]
	}
	return v
}

// overflow returns a product of columns that overflows and the first row in which it does, or -1 if
// there is none. It inspects a column only if a power of the largest value overflows, and rows only
// if a product of the columns' largest values does.
func overflow(d *mat.Dense, products [][]int) (product, row int) {
	degree := 0
	for _, product := range products {
		degree = max(degree, len(product))
	}
	if !math.IsInf(math.Pow(max(1, finite.Largest(d.RawMatrix().Data)), float64(degree)), 1) {
		return -1, -1
	}
	n, cols := d.Dims()
	largest := make([]float64, cols)
	for i := range n {
		for j, v := range d.RawRowView(i) {
			largest[j] = max(largest[j], math.Abs(v))
		}
	}
	for k, product := range products {
		if !math.IsInf(productOf(largest, product), 0) && !math.IsNaN(productOf(largest, product)) {
			continue
		}
		for i := range n {
			if v := productOf(d.RawRowView(i), product); math.IsInf(v, 0) || math.IsNaN(v) {
				return k, i
			}
		}
	}
	return -1, -1
}

func productOverflows(op string, columns []model.Column, product []int, row int) error {
	return model.Errorf(op, "%s of row %d overflowed", monomialName(columns, product), row).WithHint("scale the columns first")
}

// DistinctMonomials returns the number of distinct monomials of degree at most p in d variables,
// C(d+p, p). For d = p = 3, it is 20.
//
// Course: CORE-23.
func DistinctMonomials(d, p int) *big.Int {
	return new(big.Int).Binomial(int64(d)+int64(p), int64(p))
}

// OrderedMonomials returns the number of products of at most p of d variables if the order of the
// factors matters: 1 + d + d² + … + dᵖ. For d = p = 3, it is 40; for d = 1000 and p = 3, it is
// 1,001,001,001. This number is the length of the feature vector whose inner products are 1 + s +
// s² + … + sᵖ with s = x·z.
//
// Course: CORE-23.
func OrderedMonomials(d, p int) *big.Int {
	sum, power := new(big.Int), big.NewInt(1)
	for range p + 1 {
		sum.Add(sum, power)
		power = new(big.Int).Mul(power, big.NewInt(int64(d)))
	}
	return sum
}

// ConjunctionFeatures replaces Boolean columns (0 or 1) with all conjunctions of at most Size
// literals.
//
//	χ(x) = ( l₁ ∧ … ∧ l_m : m ≤ Size ),   l = xⱼ or ¬xⱼ
//
// A linear threshold function of these conjunctions can express any Boolean formula in disjunctive
// normal form with terms of at most Size literals. With negations, there are Σ_m C(d, m)·2ᵐ
// conjunctions; without negations, there are Σ_m C(d, m). The empty conjunction, which is always
// true, comes first.
//
// Cost: O(n·d^Size).
//
// References: [Mitchell1997].
// Course: CORE-23.
type ConjunctionFeatures struct {
	// Size is the maximum number of literals of a conjunction; 0 means 2.
	Size int
	// Monotone leaves out negated literals.
	Monotone bool

	// Columns are the columns of the result, named like "a ∧ ¬b".
	Columns []model.Column

	terms [][]literal
	width int

	model.Fitted // set by Fit: the columns that it was given
}

type literal struct {
	column  int
	negated bool
}

// Fit learns the number of columns of x. It returns an error for a value other than 0 and 1.
func (c *ConjunctionFeatures) Fit(x mat.Matrix) error {
	model.NoteX(&c.Fitted, x)
	c.Columns, c.terms, c.width = nil, nil, 0
	const op = "ConjunctionFeatures.Fit"
	if c.Size < 0 {
		return model.Errorf(op, "Size must not be negative, got %d", c.Size)
	}
	d, err := c.Takes().CheckX(op, x)
	if err != nil {
		return err
	}
	_, cols := d.Dims()
	for i, v := range d.RawMatrix().Data {
		if v != 0 && v != 1 {
			return model.Errorf(op, "x[%d][%d] must be 0 or 1, got %v", i/cols, i%cols, v).
				WithHint("encode other columns first")
		}
	}
	size := c.Size
	if size == 0 {
		size = 2
	}
	total, choose := 0.0, 1.0
	for m := 0; m <= min(size, cols); m++ {
		total += choose
		choose *= float64(cols-m) / float64(m+1)
		if !c.Monotone {
			choose *= 2
		}
	}
	if total > maxPolynomial || math.IsInf(total, 0) {
		return model.Errorf(op, "the result would have too many columns: %.4g, from %d columns with size %d", total, cols, size).
			WithHint("set a smaller Size, or use a kernel of Boolean features")
	}
	in := model.ColumnsOf(x)
	var terms [][]literal
	var add func(from int, term []literal, left int)
	add = func(from int, term []literal, left int) {
		if left == 0 {
			terms = append(terms, append([]literal(nil), term...))
			return
		}
		for j := from; j < cols; j++ {
			add(j+1, append(term, literal{j, false}), left-1)
			if !c.Monotone {
				add(j+1, append(term, literal{j, true}), left-1)
			}
		}
	}
	for m := range size + 1 {
		add(0, nil, m)
	}
	c.terms, c.width = terms, cols
	for _, term := range terms {
		var parts []string
		for _, l := range term {
			name := in[l.column].Name
			if l.negated {
				name = "¬" + name
			}
			parts = append(parts, name)
		}
		name := "true"
		if len(parts) > 0 {
			name = strings.Join(parts, " ∧ ")
		}
		c.Columns = append(c.Columns, model.Column{Name: name})
	}
	return nil
}

// Takes reports that the transformer takes nominal columns, which must have two levels.
func (c *ConjunctionFeatures) Takes() model.Takes { return model.Takes{Nominal: true} }

// Leaves reports that the result is numeric.
func (c *ConjunctionFeatures) Leaves() model.Takes { return model.Takes{} }

// Transform returns 1 for each conjunction that holds; any value but 0 counts as
// true.
func (c *ConjunctionFeatures) Transform(x mat.Matrix) *model.Table {
	const op = "ConjunctionFeatures.Transform"
	x = model.MustRead(op, &c.Fitted, x)
	if c.terms == nil {
		panic(model.NotFitted(op))
	}
	d := eachRow(model.MustRows(op, x, c.width), len(c.terms), func(in, out []float64) {
		for k, term := range c.terms {
			out[k] = 1
			for _, l := range term {
				if (in[l.column] != 0) == l.negated {
					out[k] = 0
					break
				}
			}
		}
	})
	return model.Named(x, d, c.Columns)
}
