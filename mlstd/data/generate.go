package data

import (
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// generated makes a data set of drawn rows with two or more classes.
func generated(name, description string, classes []string, x *mat.Dense, y []int) *Dataset {
	_, cols := x.Dims()
	columns := make([]model.Column, cols)
	for j := range columns {
		columns[j].Name = "x" + strconv.Itoa(j+1)
	}
	return &Dataset{
		Name: name, Description: description, Source: "drawn at random", License: "free to use",
		X: &model.Table{Dense: x, Columns: columns, Target: model.Column{Name: "class", Kind: model.Nominal, Levels: classes}},
		Y: y,
	}
}

func numbered(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = prefix + strconv.Itoa(i)
	}
	return names
}

func mustPositive(op, what string, n int) {
	if n < 1 {
		panic(model.Errorf(op, "%s must be at least 1, got %d", what, n))
	}
}

func mustNotNegative(op, what string, v float64) {
	if !(v >= 0) || math.IsInf(v, 0) {
		panic(model.Errorf(op, "%s must be finite and not negative, got %v", what, v))
	}
}

// UniformCube draws n points in the unit cube of dim dimensions, without classes.
//
// Course: CORE-26, NEAR-10.
func UniformCube(n, dim int, seed uint64) *mat.Dense {
	mustPositive("UniformCube", "n", n)
	mustPositive("UniformCube", "dim", dim)
	rng := model.Rand(seed, 0)
	x := mat.NewDense(n, dim, nil)
	for i := range n {
		for j := range dim {
			x.Set(i, j, rng.Float64())
		}
	}
	return x
}

// Blobs draws n points around each center, with normal noise of standard deviation sd in every
// direction; class c belongs to row c of centers, and the examples come in random order.
//
// Course: CORE-26.
func Blobs(n int, centers [][]float64, sd float64, seed uint64) *Dataset {
	const op = "Blobs"
	mustPositive(op, "n", n)
	mustNotNegative(op, "sd", sd)
	mu := Rows(centers)
	k, dim := mu.Dims()
	return draw("Blobs", "Normal clouds", numbered("", k), n*k, dim, seed, balanced(n, k),
		func(rng *rand.Rand, class int, row []float64) {
			for j := range row {
				row[j] = mu.At(class, j) + sd*rng.NormFloat64()
			}
		})
}

// balanced returns n classes of each of k kinds.
func balanced(n, k int) func(*rand.Rand) []int {
	return func(rng *rand.Rand) []int {
		y := make([]int, n*k)
		for i := range y {
			y[i] = i % k
		}
		rng.Shuffle(len(y), func(a, b int) { y[a], y[b] = y[b], y[a] })
		return y
	}
}

func draw(name, description string, classes []string, n, dim int, seed uint64, labels func(*rand.Rand) []int, fill func(rng *rand.Rand, class int, row []float64)) *Dataset {
	rng := model.Rand(seed, 0)
	y := labels(rng)
	x := mat.NewDense(n, dim, nil)
	for i, c := range y {
		fill(rng, c, x.RawRowView(i))
	}
	return generated(name, description, classes, x, y)
}

// GaussianClasses draws n examples of two classes, each with probability one
// half, around the means (8, 11) for the class "neg" and (−4, 10) for "pos", with
// the standard deviation sd in every direction. The class is drawn again for each
// example.
//
// Course: CORE-26.
func GaussianClasses(n int, sd float64, seed uint64) *Dataset {
	const op = "GaussianClasses"
	mustPositive(op, "n", n)
	mustNotNegative(op, "sd", sd)
	means := [2][2]float64{{8, 11}, {-4, 10}}
	return draw("GaussianClasses", "Two normal classes around (8, 11) and (−4, 10)", []string{"neg", "pos"}, n, 2, seed,
		func(rng *rand.Rand) []int {
			y := make([]int, n)
			for i := range y {
				y[i] = rng.IntN(2)
			}
			return y
		},
		func(rng *rand.Rand, class int, row []float64) {
			for j := range row {
				row[j] = means[class][j] + sd*rng.NormFloat64()
			}
		})
}

// TwoMoons draws n points on each of two interleaved half circles of radius 1 and adds normal noise
// to both coordinates; the argument noise is its standard deviation. The center of the upper moon
// is (0, 0), and the center of the lower moon is (1, 1/2).
//
// Course: CORE-26, LAT-13.
func TwoMoons(n int, noise float64, seed uint64) *Dataset {
	mustPositive("TwoMoons", "n", n)
	mustNotNegative("TwoMoons", "noise", noise)
	return draw("TwoMoons", "Two interleaved half circles", []string{"upper", "lower"}, 2*n, 2, seed, balanced(n, 2),
		func(rng *rand.Rand, class int, row []float64) {
			a := math.Pi * rng.Float64()
			row[0], row[1] = math.Cos(a), math.Sin(a)
			if class == 1 {
				row[0], row[1] = 1-row[0], 0.5-row[1]
			}
			row[0] += noise * rng.NormFloat64()
			row[1] += noise * rng.NormFloat64()
		})
}

// Discs draws n points in a disc ("inside", radius 1) and n points in the ring around it
// ("outside", radius from 1 + gap to 2 + gap), both uniformly over their area. No line separates
// the two classes, but the circle x₁² + x₂² = 1 does.
//
// Course: CORE-26, KER-02.
func Discs(n int, gap float64, seed uint64) *Dataset {
	mustPositive("Discs", "n", n)
	mustNotNegative("Discs", "gap", gap)
	return draw("Discs", "A disc and the ring around it", []string{"inside", "outside"}, 2*n, 2, seed, balanced(n, 2),
		func(rng *rand.Rand, class int, row []float64) {
			in, out := 0.0, 1.0
			if class == 1 {
				in, out = 1+gap, 2+gap
			}
			r := math.Sqrt(in*in + (out*out-in*in)*rng.Float64())
			a := 2 * math.Pi * rng.Float64()
			row[0], row[1] = r*math.Cos(a), r*math.Sin(a)
		})
}

// NoisyXOR draws n points in the unit square of each of the four quadrants; the class is 1 where
// the signs of the two coordinates differ. Each class is then reversed with probability flip.
//
// Course: CORE-26, TREE-16.
func NoisyXOR(n int, flip float64, seed uint64) *Dataset {
	mustPositive("NoisyXOR", "n", n)
	if !(flip >= 0 && flip <= 1) {
		panic(model.Errorf("NoisyXOR", "flip must be a probability between 0 and 1, got %v", flip))
	}
	d := draw("NoisyXOR", "Exclusive or of two signs", []string{"same", "different"}, 4*n, 2, seed, balanced(n, 4),
		func(rng *rand.Rand, quadrant int, row []float64) {
			row[0], row[1] = rng.Float64(), rng.Float64()
			if quadrant&1 == 1 {
				row[0] = -row[0]
			}
			if quadrant&2 == 2 {
				row[1] = -row[1]
			}
		})
	rng := model.Rand(seed, 1)
	for i, q := range d.Y {
		d.Y[i] = q&1 ^ q>>1
		if rng.Float64() < flip {
			d.Y[i] = 1 - d.Y[i]
		}
	}
	return d
}

// HiddenConjunction draws n examples, each with dim Boolean features. The class of an example is
// the conjunction of the given features (numbered from 0). Half of the examples are positive: the
// features of the conjunction are set, and the other features are fair coins. The other half is
// negative, drawn from all examples that do not satisfy the conjunction.
//
// Course: CORE-26, ONL-02, ONL-05.
func HiddenConjunction(n, dim int, features []int, seed uint64) *Dataset {
	const op = "HiddenConjunction"
	mustPositive(op, "n", n)
	mustPositive(op, "dim", dim)
	mustPositive(op, "the number of features", len(features))
	for _, j := range features {
		if j < 0 || j >= dim {
			panic(model.Errorf(op, "features must be between 0 and %d, got %d", dim-1, j))
		}
	}
	return draw("HiddenConjunction", "Boolean examples of a hidden conjunction", []string{"false", "true"}, n, dim, seed,
		func(rng *rand.Rand) []int {
			y := make([]int, n)
			for i := range y {
				y[i] = i % 2
			}
			rng.Shuffle(n, func(a, b int) { y[a], y[b] = y[b], y[a] })
			return y
		},
		func(rng *rand.Rand, class int, row []float64) {
			for {
				all := true
				for j := range row {
					row[j] = float64(rng.IntN(2))
				}
				for _, j := range features {
					if class == 1 {
						row[j] = 1
					}
					all = all && row[j] == 1
				}
				if all == (class == 1) {
					return
				}
			}
		})
}

// ThresholdOfMany draws n examples of dim Boolean features. In each example, features chosen at
// random are on; the argument active is their number. The class is an l-of-m function ("10 of 100
// of n") of the first m features, where m is the argument relevant and l is the argument least. An
// example is positive if at least l of these m features are on. The other features are irrelevant.
// Half of the examples are positive.
//
// Course: CORE-26, ONL-32.
func ThresholdOfMany(n, dim, relevant, least, active int, seed uint64) *Dataset {
	const op = "ThresholdOfMany"
	mustPositive(op, "n", n)
	if least < 1 || least > relevant || relevant > dim || active < least || active > dim ||
		active-(least-1) > dim-relevant {
		panic(model.Errorf(op, "the arguments must satisfy 1 ≤ least ≤ relevant ≤ dim, least ≤ active ≤ dim and active < least + dim − relevant, got least = %d, relevant = %d, active = %d and dim = %d",
			least, relevant, active, dim))
	}
	return draw("ThresholdOfMany", "At least l of m relevant Boolean features", []string{"false", "true"}, n, dim, seed,
		func(rng *rand.Rand) []int {
			y := make([]int, n)
			for i := range y {
				y[i] = i % 2
			}
			rng.Shuffle(n, func(a, b int) { y[a], y[b] = y[b], y[a] })
			return y
		},
		func(rng *rand.Rand, class int, row []float64) {
			lo, hi := max(0, active-(dim-relevant)), least-1
			if class == 1 {
				lo, hi = least, min(relevant, active)
			}
			on := lo + rng.IntN(hi-lo+1)
			choose(rng, row[:relevant], on)
			choose(rng, row[relevant:], active-on)
		})
}

// choose sets k of the values to 1 (Floyd's sampling, in order of the positions).
func choose(rng *rand.Rand, row []float64, k int) {
	for j := len(row) - k; j < len(row); j++ {
		if t := rng.IntN(j + 1); row[t] == 0 {
			row[t] = 1
		} else {
			row[j] = 1
		}
	}
}

// Coins tosses two independent coins n times: the feature A and the class B are independent,
// although they look dependent in small samples.
//
// Course: CORE-26, TREE-07.
func Coins(n int, seed uint64) *Dataset {
	mustPositive("Coins", "n", n)
	d := TwoCoins()
	rng := model.Rand(seed, 0)
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i % 4
	}
	d = d.Subset(rows)
	for i := range n {
		d.X.Set(i, 0, float64(rng.IntN(2)))
		d.Y[i] = rng.IntN(2)
	}
	d.Name, d.Description, d.Source = "Coins", "Two independent coins", "drawn at random"
	return d
}

// NoisyPlane draws n examples of a linear function with noise. Rows come from the standard normal
// distribution. The target is w·x + b plus normal noise; the argument noise is its standard
// deviation.
//
// Course: CORE-02, CORE-26.
func NoisyPlane(n int, w []float64, b, noise float64, seed uint64) *Dataset {
	mustPositive("NoisyPlane", "n", n)
	mustPositive("NoisyPlane", "the number of weights", len(w))
	mustNotNegative("NoisyPlane", "noise", noise)
	rng := model.Rand(seed, 0)
	x := mat.NewDense(n, len(w), nil)
	y := make([]float64, n)
	for i := range n {
		y[i] = b
		for j := range w {
			v := rng.NormFloat64()
			x.Set(i, j, v)
			y[i] += w[j] * v
		}
		y[i] += noise * rng.NormFloat64()
	}
	d := generated("NoisyPlane", "A linear function with noise", nil, x, nil)
	d.X.Target = model.Column{Name: "y"}
	d.Target = y
	return d
}

// NoisyCurve draws n examples of a function of one variable with noise. x is uniform between lo and
// hi. The target is f(x) plus normal noise; the argument noise is its standard deviation.
//
// Course: CORE-26, EVAL-35.
func NoisyCurve(n int, f func(x float64) float64, lo, hi, noise float64, seed uint64) *Dataset {
	mustPositive("NoisyCurve", "n", n)
	mustNotNegative("NoisyCurve", "noise", noise)
	if !(lo < hi) {
		panic(model.Errorf("NoisyCurve", "lo must be less than hi, got %v and %v", lo, hi))
	}
	rng := model.Rand(seed, 0)
	x := mat.NewDense(n, 1, nil)
	y := make([]float64, n)
	for i := range n {
		v := lo + (hi-lo)*rng.Float64()
		x.Set(i, 0, v)
		y[i] = f(v) + noise*rng.NormFloat64()
	}
	d := generated("NoisyCurve", "A curve with noise", nil, x, nil)
	d.X.Columns[0].Name = "x"
	d.X.Target = model.Column{Name: "y"}
	d.Target = y
	return d
}
