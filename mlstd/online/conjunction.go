package online

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Conjunction is a conjunction of literals over Boolean variables x1 … xn: Positive lists the
// variables (from 0) that must be 1, and Negative the variables that must be 0.
type Conjunction struct {
	Positive, Negative []int
}

// Holds reports whether x, with entries 0 and 1, satisfies every literal.
func (c Conjunction) Holds(x []float64) bool {
	for _, j := range c.Positive {
		if x[j] == 0 {
			return false
		}
	}
	for _, j := range c.Negative {
		if x[j] != 0 {
			return false
		}
	}
	return true
}

// Label returns +1 if the conjunction holds and −1 otherwise.
func (c Conjunction) Label(x []float64) int {
	if c.Holds(x) {
		return 1
	}
	return -1
}

// String returns the conjunction as text with variables counted from 1, such as "x2∧¬x5".
func (c Conjunction) String() string {
	var s []string
	for _, j := range c.Positive {
		s = append(s, fmt.Sprintf("x%d", j+1))
	}
	for _, j := range c.Negative {
		s = append(s, fmt.Sprintf("¬x%d", j+1))
	}
	if s == nil {
		return "true"
	}
	return strings.Join(s, "∧")
}

// LTU returns the conjunction as a linear threshold unit: it holds exactly if w·x ≥ theta. An input
// that satisfies the conjunction has w·x = theta, so the unit must return +1 for equality.
//
// Course: ONL-05, ONL-09.
func (c Conjunction) LTU(n int) (w []float64, theta float64) {
	w = make([]float64, n)
	for _, j := range c.Positive {
		w[j] = 1
	}
	for _, j := range c.Negative {
		w[j] = -1
	}
	return w, float64(len(c.Positive))
}

// AtLeast returns the linear threshold unit "at least m of the variables", with weights 1 and theta
// m. For a conjunction, m is the number of variables; for a disjunction, m is 1.
//
// Course: ONL-09.
func AtLeast(m int, variables []int, n int) (w []float64, theta float64) {
	w = make([]float64, n)
	for _, j := range variables {
		w[j] = 1
	}
	return w, float64(m)
}

// QueryRun is the result of learning by membership queries.
type QueryRun struct {
	Found   Conjunction
	Queries int
	Asked   [][]float64
}

// LearnByQueries runs protocol I: the learner asks "is x positive?". For a monotone conjunction,
// the learner asks one query per variable, about the input with 0 for this variable and 1 for all
// others. The variable belongs to the target exactly if the answer is "no". For a general
// conjunction, the learner must know one positive example; it then flips one variable of the
// example at a time.
//
// positive is the positive example; nil means all ones, which every monotone conjunction accepts.
//
// Course: ONL-02, ONL-03.
func LearnByQueries(n int, ask func(x []float64) bool, positive []float64) QueryRun {
	if positive == nil {
		positive = slices.Repeat([]float64{1}, n)
	}
	if len(positive) != n {
		panic(model.Errorf("LearnByQueries", "the positive example must have %d entries, got %d", n, len(positive)))
	}
	var r QueryRun
	for j := range n {
		x := slices.Clone(positive)
		x[j] = 1 - x[j]
		r.Queries++
		r.Asked = append(r.Asked, x)
		if ask(x) {
			continue
		}
		if positive[j] != 0 {
			r.Found.Positive = append(r.Found.Positive, j)
		} else {
			r.Found.Negative = append(r.Found.Negative, j)
		}
	}
	return r
}

// TeachingSet returns the examples of protocol II, in which a helpful teacher teaches a monotone
// conjunction. The teacher shows one positive example with only the relevant variables on. Then,
// for each relevant variable, the teacher shows a negative example with all variables on except
// this one. For k relevant variables, these k + 1 examples determine the target.
//
// Course: ONL-02, ONL-04.
func TeachingSet(target Conjunction, n int) (x *mat.Dense, y []int) {
	if len(target.Negative) > 0 || len(target.Positive) == 0 {
		panic(model.Errorf("TeachingSet", "the target must be a monotone conjunction of at least one variable, got %v", target))
	}
	x = mat.NewDense(len(target.Positive)+1, n, nil)
	for _, j := range target.Positive {
		x.Set(0, j, 1)
	}
	y = append(y, 1)
	for i, j := range target.Positive {
		for v := range n {
			x.Set(i+1, v, 1)
		}
		x.Set(i+1, j, 0)
		y = append(y, -1)
	}
	return x, y
}

// RandomExamples draws the examples of protocol III: each variable is on with probability p, and
// the target labels the examples.
//
// Course: ONL-02.
func RandomExamples(label func(x []float64) int, n, m int, p float64, seed uint64) (x *mat.Dense, y []int) {
	rng := model.Rand(seed, 0)
	x = mat.NewDense(m, n, nil)
	for i := range m {
		row := x.RawRowView(i)
		for j := range row {
			if rng.Float64() < p {
				row[j] = 1
			}
		}
		y = append(y, label(row))
	}
	return x, y
}

// Elimination learns a conjunction from positive examples: it starts from all literals and drops
// those that a positive example contradicts. It ignores negative examples, and makes mistakes only
// on positive examples. It makes at most n mistakes for monotone conjunctions, and at most n + 1 if
// it starts from all 2n literals.
//
// Course: ONL-05.
type Elimination struct {
	keepPos, keepNeg []bool
	Sizes            []int // literals left after each example
}

// NewElimination returns a learner that starts with all n variables and, unless monotone is set,
// also with their negations.
func NewElimination(n int, monotone bool) *Elimination {
	return &Elimination{keepPos: slices.Repeat([]bool{true}, n), keepNeg: slices.Repeat([]bool{!monotone}, n)}
}

// Hypothesis returns the conjunction of the remaining literals.
func (e *Elimination) Hypothesis() Conjunction {
	var c Conjunction
	for j := range e.keepPos {
		if e.keepPos[j] {
			c.Positive = append(c.Positive, j)
		}
		if e.keepNeg[j] {
			c.Negative = append(c.Negative, j)
		}
	}
	return c
}

// Guess returns the label that the hypothesis predicts.
func (e *Elimination) Guess(x []float64) int { return e.Hypothesis().Label(x) }

// Learn drops the literals that a positive example contradicts.
func (e *Elimination) Learn(x []float64, y int) {
	if y > 0 {
		for j, v := range x {
			if v == 0 {
				e.keepPos[j] = false
			} else {
				e.keepNeg[j] = false
			}
		}
	}
	h := e.Hypothesis()
	e.Sizes = append(e.Sizes, len(h.Positive)+len(h.Negative))
}

// VersionSpace learns from a finite class by keeping the hypotheses that agree with all examples so
// far. With Halving it predicts by majority vote (a tie is −1). Each mistake removes at least half
// of the hypotheses, so the learner makes at most ⌊log₂|C|⌋ mistakes. Without Halving, the learner
// is the algorithm CON, which predicts with a random consistent hypothesis and makes at most |C| −
// 1 mistakes.
//
// References: [Littlestone1988]. Course: ONL-06, ONL-07.
type VersionSpace struct {
	Halving bool
	Left    []Conjunction // consistent hypotheses
	Sizes   []int         // how many were left after each example

	rng     *rand.Rand
	current int // CON's hypothesis
}

// NewVersionSpace returns a learner that starts with the whole class.
func NewVersionSpace(class []Conjunction, halving bool, seed uint64) *VersionSpace {
	if len(class) == 0 {
		panic(model.Errorf("NewVersionSpace", "the class must not be empty"))
	}
	v := &VersionSpace{Halving: halving, Left: slices.Clone(class), rng: model.Rand(seed, 0)}
	v.current = v.rng.IntN(len(v.Left))
	return v
}

// Guess returns the label of the majority, or of CON's hypothesis.
func (v *VersionSpace) Guess(x []float64) int {
	if len(v.Left) == 0 {
		return -1
	}
	if !v.Halving {
		return v.Left[v.current].Label(x)
	}
	sum := 0
	for _, c := range v.Left {
		sum += c.Label(x)
	}
	if sum > 0 {
		return 1
	}
	return -1
}

// Learn removes the hypotheses that are wrong on the example. If no hypothesis is left, the target
// was not in the class.
func (v *VersionSpace) Learn(x []float64, y int) {
	wrong := len(v.Left) > 0 && v.Left[v.current].Label(x) != y
	kept := v.Left[:0]
	at := 0
	for i, c := range v.Left {
		if c.Label(x) == y {
			if i == v.current {
				at = len(kept)
			}
			kept = append(kept, c)
		}
	}
	v.Left, v.current = kept, at
	if wrong && len(kept) > 0 {
		v.current = v.rng.IntN(len(kept))
	}
	v.Sizes = append(v.Sizes, len(v.Left))
}

// ConjunctionClass lists every conjunction over n variables: 2ⁿ monotone ones, 3ⁿ
// with negations.
//
// Course: ONL-07, ONL-08.
func ConjunctionClass(n int, monotone bool) []Conjunction {
	if n < 0 || n > 12 {
		panic(model.Errorf("ConjunctionClass", "n must be between 0 and 12, got %d", n))
	}
	all := []Conjunction{{}}
	for j := range n {
		var next []Conjunction
		for _, c := range all {
			next = append(next, c, Conjunction{append(slices.Clone(c.Positive), j), c.Negative})
			if !monotone {
				next = append(next, Conjunction{c.Positive, append(slices.Clone(c.Negative), j)})
			}
		}
		all = next
	}
	return all
}

// LogConjunctions returns log₂ of the number of conjunctions over n variables: n·log₂3 with
// negations, n without.
//
// Course: ONL-08.
func LogConjunctions(n int, monotone bool) float64 {
	if monotone {
		return float64(n)
	}
	return float64(n) * math.Log2(3)
}

// LogKConjunctions returns log₂ of C(n, k)·2^k, the number of conjunctions of exactly k literals.
// It is O(k log n).
//
// Course: ONL-08.
func LogKConjunctions(n, k int) float64 {
	if k < 0 || k > n {
		panic(model.Errorf("LogKConjunctions", "k and n must satisfy 0 ≤ k ≤ n, got %d and %d", k, n))
	}
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return (a-b-c)/math.Ln2 + float64(k)
}

// GreedyConjunction finds a short monotone conjunction that is consistent with the examples by
// greedy set cover: it repeatedly adds the candidate variable that rejects the most negative
// examples not yet rejected. Finding a shortest conjunction is NP-hard; the greedy conjunction is
// at most 1 + ln(#negatives) times as long as a shortest one.
//
// Course: ONL-11.
func GreedyConjunction(x mat.Matrix, y []int) (Conjunction, error) {
	d, cand, err := coverProblem("GreedyConjunction", x, y)
	if err != nil {
		return Conjunction{}, err
	}
	left := map[int]bool{}
	for i, v := range y {
		if v < 0 {
			left[i] = true
		}
	}
	var c Conjunction
	for len(left) > 0 {
		best, most := -1, 0
		for _, j := range cand {
			n := 0
			for i := range left {
				if d.At(i, j) == 0 {
					n++
				}
			}
			if n > most {
				best, most = j, n
			}
		}
		if best < 0 {
			return Conjunction{}, model.Errorf("GreedyConjunction", "no monotone conjunction agrees with all examples")
		}
		c.Positive = append(c.Positive, best)
		for i := range left {
			if d.At(i, best) == 0 {
				delete(left, i)
			}
		}
	}
	slices.Sort(c.Positive)
	return c, nil
}

// ShortestConjunction finds a shortest monotone conjunction consistent with the examples by trying
// all subsets of the candidate variables. There must be at most 20 candidates.
//
// References: [Haussler1988]. Course: ONL-11.
func ShortestConjunction(x mat.Matrix, y []int) (Conjunction, error) {
	const op = "ShortestConjunction"
	d, cand, err := coverProblem(op, x, y)
	if err != nil {
		return Conjunction{}, err
	}
	if len(cand) > 20 {
		return Conjunction{}, model.Errorf(op, "there must be at most 20 candidate variables to try all subsets, got %d", len(cand)).WithHint("use GreedyConjunction")
	}
	best, size := -1, len(cand)+1
	for m := range 1 << len(cand) {
		if bits.OnesCount(uint(m)) >= size {
			continue
		}
		ok := true
		for i, v := range y {
			if v < 0 && !rejects(d.RawRowView(i), cand, m) {
				ok = false
				break
			}
		}
		if ok {
			best, size = m, bits.OnesCount(uint(m))
		}
	}
	if best < 0 {
		return Conjunction{}, model.Errorf(op, "no monotone conjunction agrees with all examples")
	}
	var c Conjunction
	for k, j := range cand {
		if best>>k&1 == 1 {
			c.Positive = append(c.Positive, j)
		}
	}
	return c, nil
}

func rejects(row []float64, cand []int, m int) bool {
	for k, j := range cand {
		if m>>k&1 == 1 && row[j] == 0 {
			return true
		}
	}
	return false
}

// coverProblem returns the variables that are on in every positive example. Only these variables
// can be in a consistent conjunction.
func coverProblem(op string, x mat.Matrix, y []int) (*mat.Dense, []int, error) {
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return nil, nil, err
	}
	mustLabels(op, y, len(y))
	_, n := d.Dims()
	var cand []int
	for j := range n {
		ok := true
		for i, v := range y {
			if v > 0 && d.At(i, j) == 0 {
				ok = false
				break
			}
		}
		if ok {
			cand = append(cand, j)
		}
	}
	return d, cand, nil
}
