package prep

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// FeatureScore selects the statistic that scores a single column against the classes or the target.
type FeatureScore int

// These are the scores of columns; a better column has a larger score.
const (
	// FScore is an F statistic. For classes, it comes from the one-way analysis of variance; for a
	// target, it comes from the regression of the target on the column.
	FScore FeatureScore = iota
	// ChiSquareScore is the χ² statistic for a column of counts. It compares the sum of the counts
	// in each class with the sum expected under independence.
	ChiSquareScore
	// MutualInformationScore is the mutual information with the classes or the target, in nats. For
	// nominal columns, it is computed from counts; for numeric columns, it is estimated from
	// nearest-neighbor distances.
	MutualInformationScore
)

// String returns the name of the score.
func (f FeatureScore) String() string {
	switch f {
	case FScore:
		return "F"
	case ChiSquareScore:
		return "χ²"
	case MutualInformationScore:
		return "mutual information"
	}
	return "unknown"
}

// labels holds the labels that the columns are scored against: numbered classes or a target.
type labels struct {
	k     int
	class []int // nil for a target
	real  []float64
}

// scoresOf scores every column; the P values are nil if the score has none.
func scoresOf(op string, by FeatureScore, x mat.Matrix, d *mat.Dense, y labels) (scores, p []float64, err error) {
	n, cols := d.Dims()
	if y.class != nil && y.k < 2 {
		return nil, nil, model.Errorf(op, "y must have at least two classes, got one")
	}
	if n <= max(y.k, 2) && by == FScore {
		return nil, nil, model.Errorf(op, "FScore must have more examples than classes, and at least 3, got %d", n)
	}
	described := model.ColumnsOf(x)
	one := func(j int, column []float64) (float64, float64) { return 0, 1 }
	switch {
	case by == FScore && y.class != nil:
		one = func(_ int, c []float64) (float64, float64) { return betweenClasses(c, y) }
	case by == FScore:
		one = func(_ int, c []float64) (float64, float64) { return withTarget(c, y.real) }
	case by == ChiSquareScore && y.class == nil:
		return nil, nil, model.Errorf(op, "the target must be classes for ChiSquareScore").WithHint("use FScore or MutualInformationScore")
	case by == ChiSquareScore:
		for i := range n {
			if j := slices.IndexFunc(d.RawRowView(i), func(v float64) bool { return v < 0 }); j >= 0 {
				return nil, nil, model.Errorf(op, "x[%d][%d] must not be negative for ChiSquareScore, got %v", i, j, d.At(i, j))
			}
		}
		one = func(_ int, c []float64) (float64, float64) { return chiSquare(c, y) }
	case by == MutualInformationScore:
		one = func(j int, c []float64) (float64, float64) {
			return sharedInformation(c, described[j].Kind == model.Nominal, y), math.NaN()
		}
	default:
		return nil, nil, model.Errorf(op, "Score must be FScore, ChiSquareScore or MutualInformationScore, got %d", int(by))
	}
	scores, p = make([]float64, cols), make([]float64, cols)
	par.Range(cols, 1, func(lo, hi int) {
		for j := lo; j < hi; j++ {
			scores[j], p[j] = one(j, mat.Col(nil, j, d))
		}
	})
	if by == MutualInformationScore {
		p = nil
	}
	return scores, p, nil
}

// betweenClasses returns F of the one-way analysis of variance.
func betweenClasses(column []float64, y labels) (f, p float64) {
	n := float64(len(column))
	mean := floats.Sum(column) / n
	sums, counts := make([]float64, y.k), make([]float64, y.k)
	for i, c := range y.class {
		sums[c] += column[i] - mean
		counts[c]++
	}
	between, within := 0.0, 0.0
	for c, s := range sums {
		between += s * s / counts[c]
	}
	size := 0.0
	for i, c := range y.class {
		v := column[i] - mean
		size = max(size, math.Abs(v))
		v -= sums[c] / counts[c]
		within += v * v
	}
	if size <= 1e-14*math.Abs(mean) { // a constant
		return 0, 1
	}
	a, b := float64(y.k-1), n-float64(y.k)
	f = between / a / (within / b)
	return f, tails.F(f, a, b)
}

// withTarget returns F of the regression of the target on the column: r²(n−2)/(1−r²).
func withTarget(column, y []float64) (f, p float64) {
	n := float64(len(y))
	mx, my := floats.Sum(column)/n, floats.Sum(y)/n
	xx, yy, xy, most := 0.0, 0.0, 0.0, 0.0
	for i, v := range column {
		dx, dy := v-mx, y[i]-my
		most = max(most, math.Abs(dx))
		xx += dx * dx
		yy += dy * dy
		xy += dx * dy
	}
	if most <= 1e-14*math.Abs(mx) || yy == 0 {
		return 0, 1
	}
	r2 := min(xy/xx*(xy/yy), 1)
	f = r2 / (1 - r2) * (n - 2)
	return f, tails.F(f, 1, n-2)
}

// chiSquare compares the sums of a column by class with those expected under independence.
func chiSquare(column []float64, y labels) (chi2, p float64) {
	seen, counts, total := make([]float64, y.k), make([]float64, y.k), floats.Sum(column)
	if total == 0 {
		return 0, 1
	}
	for i, c := range y.class {
		seen[c] += column[i]
		counts[c]++
	}
	for c, s := range seen {
		want := total * counts[c] / float64(len(column))
		chi2 += (s - want) * (s - want) / want
	}
	return chi2, tails.ChiSquared(chi2, float64(y.k-1))
}

// near is the number of neighbors whose distance estimates a density.
const near = 3

// sharedInformation returns the mutual information of a column and the labels, in nats.
func sharedInformation(column []float64, nominal bool, y labels) float64 {
	switch {
	case nominal && y.class != nil:
		return countedInformation(column, y)
	case nominal:
		levels, class := levelsOf(column)
		return max(0, mixedInformation(y.real, class, levels))
	case y.class != nil:
		return max(0, mixedInformation(column, y.class, y.k))
	}
	return max(0, realInformation(column, y.real))
}

// levelsOf numbers the values of a nominal column.
func levelsOf(column []float64) (k int, class []int) {
	values := slices.Compact(slices.Sorted(slices.Values(column)))
	class = make([]int, len(column))
	for i, v := range column {
		class[i], _ = slices.BinarySearch(values, v)
	}
	return len(values), class
}

func countedInformation(column []float64, y labels) float64 {
	levels, level := levelsOf(column)
	n := float64(len(column))
	joint, a, b := make([]float64, levels*y.k), make([]float64, levels), make([]float64, y.k)
	for i, l := range level {
		joint[l*y.k+y.class[i]]++
		a[l]++
		b[y.class[i]]++
	}
	sum := 0.0
	for at, c := range joint {
		if c > 0 {
			sum += c / n * math.Log(c*n/(a[at/y.k]*b[at%y.k]))
		}
	}
	return max(0, sum)
}

// mixedInformation returns the mutual information of numbers and classes by Ross's estimator:
//
//	ψ(n) + mean ψ(k) − mean ψ(n_class) − mean ψ(m)
//
// m counts the numbers nearer than the k-th neighbor in the class. Classes with only one example
// are left out.
func mixedInformation(values []float64, class []int, classes int) float64 {
	parts := make([][]float64, classes)
	for i, c := range class {
		parts[c] = append(parts[c], values[i])
	}
	var all []float64
	for _, part := range parts {
		if len(part) > 1 {
			slices.Sort(part)
			all = append(all, part...)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	n, sum := float64(len(all)), 0.0
	for _, part := range parts {
		if len(part) < 2 {
			continue
		}
		k := min(near, len(part)-1)
		sum += float64(len(part)) * (mathext.Digamma(float64(k)) - mathext.Digamma(float64(len(part))))
		for i := range part {
			sum -= mathext.Digamma(float64(within(all, part[i], kthDistance(part, i, k))))
		}
	}
	return mathext.Digamma(n) + sum/n
}

// kthDistance returns the distance from value i of an ascending list to its k-th nearest neighbor.
func kthDistance(sorted []float64, i, k int) float64 {
	lo, hi, d := i, i, 0.0
	for range k {
		left, right := math.Inf(1), math.Inf(1)
		if lo > 0 {
			left = sorted[i] - sorted[lo-1]
		}
		if hi < len(sorted)-1 {
			right = sorted[hi+1] - sorted[i]
		}
		if left <= right {
			lo, d = lo-1, left
		} else {
			hi, d = hi+1, right
		}
	}
	return d
}

// within counts the values of an ascending list that are nearer to v than d, including v itself and
// values equal to it.
func within(sorted []float64, v, d float64) int {
	d = math.Nextafter(d, 0)
	lo, _ := slices.BinarySearchFunc(sorted, v, func(u, v float64) int {
		if v-u > d {
			return -1
		}
		return 1
	})
	hi, _ := slices.BinarySearchFunc(sorted, v, func(u, v float64) int {
		if u-v <= d {
			return -1
		}
		return 1
	})
	return hi - lo
}

// realInformation returns the mutual information of two lists of numbers by the estimator of
// Kraskov, Stögbauer and Grassberger:
//
//	ψ(n) + ψ(k) − mean ψ(n_x) − mean ψ(n_y)
//
// n_x and n_y count the numbers nearer in one list than the k-th neighbor in both.
func realInformation(x, y []float64) float64 {
	x, y = unitSpread(x), unitSpread(y)
	n := len(x)
	k := min(near, n-1)
	if k < 1 {
		return 0
	}
	xs, ys := slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))
	sum, nearest := 0.0, make([]float64, 0, near+1)
	for i := range n {
		nearest = nearest[:0]
		for j := range n {
			if j == i {
				continue
			}
			d := max(math.Abs(x[j]-x[i]), math.Abs(y[j]-y[i]))
			if len(nearest) == k && d >= nearest[k-1] {
				continue
			}
			at, _ := slices.BinarySearch(nearest, d)
			nearest = slices.Insert(nearest, at, d)
			nearest = nearest[:min(len(nearest), k)]
		}
		d := nearest[k-1]
		sum += mathext.Digamma(float64(within(xs, x[i], d))) + mathext.Digamma(float64(within(ys, y[i], d)))
	}
	return mathext.Digamma(float64(n)) + mathext.Digamma(float64(k)) - sum/float64(n)
}

// unitSpread divides by the standard deviation, unless it is 0.
func unitSpread(v []float64) []float64 {
	mean, sd := columnMoments(mat.NewDense(len(v), 1, v), 0)
	if constant(mean, sd) {
		return v
	}
	out := make([]float64, len(v))
	floats.ScaleTo(out, 1/sd, v)
	return out
}
