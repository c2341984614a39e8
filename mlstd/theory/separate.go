package theory

// separate finds w with y·(w·x + w_last) > 0 for all points, y = ±1 by the label, as
// the solution of a linear program:
//
//	max t  so that  yᵢ·(w·xᵢ + b) ≥ t,  Σ|wⱼ| + |b| ≤ 1
//
// The points can be separated exactly if the largest t is positive. negative names
// coefficients that must not be positive; it may be nil.
func separate(points [][]float64, labels []bool, negative func(j int) bool) ([]float64, bool) {
	d := len(points[0]) + 1
	// Columns: the positive and the negative part of each coefficient, then t; the
	// slack of each row is implied by the basis.
	columns := 2*d + 1
	t := newTableau(len(points)+1, columns)
	for i, x := range points {
		sign := 1.0
		if !labels[i] {
			sign = -1
		}
		for j := range d {
			v := 1.0
			if j < len(x) {
				v = x[j]
			}
			if negative == nil || !negative(j) {
				t.a[i][j] = -sign * v
			}
			t.a[i][d+j] = sign * v
		}
		t.a[i][2*d] = 1
	}
	last := t.a[len(points)]
	for j := range 2 * d {
		last[j] = 1
	}
	t.b[len(points)] = 1
	t.c[2*d] = 1
	best := t.maximize()
	if best < 1e-9 {
		return nil, false
	}
	x := t.solution()
	w := make([]float64, d)
	for j := range w {
		w[j] = x[j] - x[d+j]
	}
	return w, true
}

// tableau is a linear program max c·x, A·x ≤ b, x ≥ 0 with b ≥ 0, in the form of the
// simplex method: variables 0 … n−1 are x, the others the slacks.
type tableau struct {
	a     [][]float64
	b, c  []float64
	basis []int // the variable of each row
	out   []int // the variable of each column
	value float64
}

func newTableau(rows, columns int) *tableau {
	t := &tableau{a: make([][]float64, rows), b: make([]float64, rows), c: make([]float64, columns)}
	for i := range t.a {
		t.a[i] = make([]float64, columns)
		t.basis = append(t.basis, columns+i)
	}
	for j := range columns {
		t.out = append(t.out, j)
	}
	return t
}

// tiny is the value below which a pivot counts as zero.
const tiny = 1e-11

// maximize pivots by Bland's rule, which never cycles.
func (t *tableau) maximize() float64 {
	for {
		enter := -1
		for j, c := range t.c {
			if c > tiny && (enter < 0 || t.out[j] < t.out[enter]) {
				enter = j
			}
		}
		if enter < 0 {
			return t.value
		}
		leave := -1
		for i := range t.a {
			if t.a[i][enter] <= tiny {
				continue
			}
			if leave < 0 {
				leave = i
				continue
			}
			r, best := t.b[i]/t.a[i][enter], t.b[leave]/t.a[leave][enter]
			if r < best-tiny || (r <= best+tiny && t.basis[i] < t.basis[leave]) {
				leave = i
			}
		}
		if leave < 0 {
			return t.value // cannot happen: the coefficients are bounded
		}
		t.pivot(leave, enter)
	}
}

func (t *tableau) pivot(r, s int) {
	p := t.a[r][s]
	for j := range t.a[r] {
		if j != s {
			t.a[r][j] /= p
		}
	}
	t.a[r][s] = 1 / p
	t.b[r] /= p
	for i := range t.a {
		f := t.a[i][s]
		if i == r || f == 0 {
			continue
		}
		for j := range t.a[i] {
			if j != s {
				t.a[i][j] -= f * t.a[r][j]
			}
		}
		t.a[i][s] = -f / p
		t.b[i] -= f * t.b[r]
	}
	f := t.c[s]
	for j := range t.c {
		if j != s {
			t.c[j] -= f * t.a[r][j]
		}
	}
	t.c[s] = -f / p
	t.value += f * t.b[r]
	t.basis[r], t.out[s] = t.out[s], t.basis[r]
}

// solution returns the variables x.
func (t *tableau) solution() []float64 {
	x := make([]float64, len(t.c))
	for i, v := range t.basis {
		if v < len(x) {
			x[v] = t.b[i]
		}
	}
	return x
}
