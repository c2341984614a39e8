package cluster

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// KMeansInit determines the rows at which k-means starts.
type KMeansInit int

const (
	// InitPlusPlus is [PlusPlus]: rows far from the chosen rows are more likely to be chosen next.
	InitPlusPlus KMeansInit = iota
	// InitRandom draws different rows, each with the same probability.
	InitRandom
	// InitFurthest is [FurthestFirst] from a random row.
	InitFurthest
)

// String returns the name of the start.
func (i KMeansInit) String() string {
	switch i {
	case InitPlusPlus:
		return "k-means++"
	case InitRandom:
		return "random"
	case InitFurthest:
		return "furthest first"
	}
	return "unknown"
}

// FurthestFirst returns k rows of x. The first row is given. Each further row is the row furthest
// from its nearest chosen row; ties go to the row with the lowest index:
//
//	next = argmaxᵢ min over the chosen c of ‖xᵢ − x_c‖²
//
// Only the choice of the first row can be random. Outliers are chosen first, since they are far
// from all other rows. FurthestFirst returns fewer than k rows if x has fewer distinct rows.
//
// Cost: O(n·k·d).
//
// References: [Gonzalez1985]. Course: CLU-06.
func FurthestFirst(x mat.Matrix, k, first int) []int {
	const op = "FurthestFirst"
	d := mustStart(op, x, k)
	n, _ := d.Dims()
	if first < 0 || first >= n {
		panic(model.Errorf(op, "first must be a row index below %d, got %d", n, first))
	}
	rows, far := []int{first}, newAway(d)
	for far.add(first); len(rows) < k; {
		i := floats.MaxIdx(far.squares)
		if far.squares[i] == 0 {
			break
		}
		rows = append(rows, i)
		far.add(i)
	}
	return rows
}

// PlusPlusProbabilities returns, for each row of x, the probability that k-means++ chooses the row
// next, after the rows in chosen. The probability is the row's fraction of the squared distances,
//
//	P(i) = D(xᵢ)² / Σⱼ D(xⱼ)²,  D(x) = min over the chosen c of ‖x − x_c‖
//
// All probabilities are 0 when every row equals a chosen row.
//
// References: [ArthurVassilvitskii2007]. Course: CLU-07.
func PlusPlusProbabilities(x mat.Matrix, chosen ...int) []float64 {
	const op = "PlusPlusProbabilities"
	d := mustStart(op, x, 1)
	n, _ := d.Dims()
	if len(chosen) == 0 {
		panic(model.Errorf(op, "at least one row must be chosen already").WithHint("draw the first row uniformly"))
	}
	far := newAway(d)
	for _, i := range chosen {
		if i < 0 || i >= n {
			panic(model.Errorf(op, "chosen must have row indices below %d, got %d", n, i))
		}
		far.add(i)
	}
	if far.total > 0 {
		floats.Scale(1/far.total, far.squares)
	}
	return far.squares
}

// PlusPlus returns k rows of x to start k-means from: the first row is drawn uniformly, and each
// further row with [PlusPlusProbabilities]. Each time, PlusPlus draws several candidates and takes
// the candidate that leaves the smallest sum of squared distances. With 1 candidate, this is
// k-means++ as published; 0 means 2 + ⌊ln k⌋ candidates. PlusPlus returns fewer than k rows if x
// has fewer distinct rows.
//
// In expectation, not merely with high probability, the sum of squared distances φ is at most
// [PlusPlusBound] times the minimum, before any step of Lloyd's algorithm.
//
// Cost: O(n·k·d·candidates).
//
// References: [ArthurVassilvitskii2007]. Course: CLU-07.
func PlusPlus(x mat.Matrix, k, candidates int, seed uint64) []int {
	const op = "PlusPlus"
	d := mustStart(op, x, k)
	if candidates < 0 {
		panic(model.Errorf(op, "candidates must be at least 1, got %d", candidates))
	}
	return newAway(d).plusPlus(k, candidates, model.Rand(seed, 0))
}

// PlusPlusBound returns the factor 8·(ln k + 2) in the guarantee of k-means++,
//
//	E[φ] ≤ 8·(ln k + 2)·φ_opt
//
// which holds in expectation over its draws.
//
// References: [ArthurVassilvitskii2007]. Course: CLU-07.
func PlusPlusBound(k int) float64 {
	if k < 1 {
		panic(model.Errorf("PlusPlusBound", "k must be at least 1, got %d", k))
	}
	return 8 * (math.Log(float64(k)) + 2)
}

func mustStart(op string, x mat.Matrix, k int) *mat.Dense {
	d, err := checkRows(op, x)
	if err != nil {
		panic(err)
	}
	n, _ := d.Dims()
	if err := checkK(op, k, n); err != nil {
		panic(err)
	}
	return d
}

// startRows returns the rows that one start of k-means begins with.
func startRows(d *mat.Dense, k int, init KMeansInit, seed, stream uint64) []int {
	rng := model.Rand(seed, stream)
	n, _ := d.Dims()
	switch init {
	case InitRandom:
		return rng.Perm(n)[:k]
	case InitFurthest:
		return FurthestFirst(d, k, rng.IntN(n))
	}
	return newAway(d).plusPlus(k, 0, rng)
}

// plusPlus returns k rows as [PlusPlus] does.
func (a *away) plusPlus(k, candidates int, rng *rand.Rand) []int {
	if candidates == 0 {
		candidates = 2 + int(math.Log(float64(k)))
	}
	a.reset()
	n, _ := a.d.Dims()
	rows := []int{rng.IntN(n)}
	a.add(rows[0])
	drawn := make([]int, candidates)
	for len(rows) < k && a.total > 0 {
		for c := range drawn {
			drawn[c] = a.draw(rng)
		}
		rows = append(rows, a.addBest(drawn))
	}
	return rows
}

// away holds the squared distance from each row to the nearest chosen row.
type away struct {
	d       *mat.Dense
	squares []float64 // padded with zeros to whole panels
	total   float64
	parts   []float64 // the sums of awayGrain squares each

	points *linalg.Points               // the rows, once there are candidates
	with   [linalg.Candidates][]float64 // the squares after adding each of several candidates
	best   []float64                    // the squares with the best candidate so far
}

const awayGrain = 4096

func newAway(d *mat.Dense) *away {
	n, _ := d.Dims()
	a := &away{d: d, squares: make([]float64, n), parts: make([]float64, (n+awayGrain-1)/awayGrain)}
	a.reset()
	return a
}

// reset forgets the chosen rows.
func (a *away) reset() {
	for i := range a.squares {
		a.squares[i] = math.Inf(1)
	}
}

// add marks a row as chosen.
func (a *away) add(row int) {
	center := a.d.RawRowView(row)
	par.Range(len(a.squares), awayGrain, func(lo, hi int) {
		sum := 0.0
		for i := lo; i < hi; i++ {
			v := min(a.squares[i], squared(a.d.RawRowView(i), center))
			a.squares[i] = v
			sum += v
		}
		a.parts[lo/awayGrain] = sum
	})
	a.total = floats.Sum(a.parts)
}

// addBest marks as chosen the row among rows that leaves the smallest sum, and returns it.
func (a *away) addBest(rows []int) int {
	n, cols := a.d.Dims()
	if a.points == nil {
		a.points = linalg.PackPoints(a.d.RawMatrix().Data, n, cols, make([]float64, cols))
		a.squares = append(a.squares, make([]float64, a.points.Size()-n)...)[:n]
		for c := range a.with {
			a.with[c] = make([]float64, a.points.Size())
		}
		a.best = make([]float64, a.points.Size())
	}
	chosen, least := -1, math.Inf(1)
	for first := 0; first < len(rows); first += linalg.Candidates {
		var points [linalg.Candidates][]float64
		some := rows[first:min(first+linalg.Candidates, len(rows))]
		for c := range points {
			points[c] = a.d.RawRowView(some[min(c, len(some)-1)])
		}
		sums := a.points.Closer(&a.with, a.squares[:a.points.Size()], &points)
		for c, row := range some {
			if chosen < 0 || sums[c] < least {
				chosen, least = row, sums[c]
				a.best, a.with[c] = a.with[c], a.best
			}
		}
	}
	a.squares, a.best = a.best[:n], a.squares[:a.points.Size()]
	par.Range(n, awayGrain, func(lo, hi int) { a.parts[lo/awayGrain] = floats.Sum(a.squares[lo:hi]) })
	a.total = floats.Sum(a.parts)
	return chosen
}

// draw returns a random row, with a probability proportional to its square.
func (a *away) draw(rng *rand.Rand) int {
	u := rng.Float64() * a.total
	last := -1
	for p, sum := range a.parts {
		if u >= sum && p < len(a.parts)-1 {
			u -= sum
			continue
		}
		for i := p * awayGrain; i < min((p+1)*awayGrain, len(a.squares)); i++ {
			v := a.squares[i]
			if v == 0 {
				continue
			}
			last = i
			if u -= v; u < 0 {
				return i
			}
		}
	}
	if last >= 0 { // rounding has left a little of u
		return last
	}
	for last = len(a.squares) - 1; a.squares[last] == 0; last-- {
	}
	return last
}
