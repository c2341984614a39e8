package bayesnet

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// NetworkScore is a measure of how well a graph fits examples; larger scores are better. All scores
// are sums over the families:
//
//	score(G, D) = Σᵢ score(Xᵢ, parents of Xᵢ : D)
type NetworkScore int

const (
	BICScore        NetworkScore = iota // log P(D|G, θ̂) − ½·log n·|θ|
	AICScore                            // log P(D|G, θ̂) − |θ|
	LikelihoodScore                     // log P(D|G, θ̂), which never decreases when an arrow is added
	BDeuScore                           // log P(D|G) under Dirichlet priors of one equivalent sample size
	K2Score                             // log P(D|G) under uniform priors
)

// String returns the name of the score.
func (s NetworkScore) String() string {
	switch s {
	case BICScore:
		return "BIC"
	case AICScore:
		return "AIC"
	case LikelihoodScore:
		return "log likelihood"
	case BDeuScore:
		return "BDeu"
	case K2Score:
		return "K2"
	}
	return "NetworkScore(" + strconv.Itoa(int(s)) + ")"
}

// Penalty returns f(n), the penalty per free parameter with n examples in the score log P(D) −
// f(n)·|θ|: 1 for AIC and ½·log n for BIC.
//
// References: [Akaike1974], [Schwarz1978]. Course: BN-15.
func (s NetworkScore) Penalty(n int) float64 {
	switch s {
	case AICScore:
		return 1
	case BICScore:
		return math.Log(float64(n)) / 2
	}
	return 0
}

// ScoreNetwork returns the score of a graph; the tables of the network are ignored. The equivalent
// sample size of BDeu is 10 unless you pass another size.
//
// Course: BN-14, BN-15.
func ScoreNetwork(n *BayesNetwork, x mat.Matrix, score NetworkScore, equivalent ...float64) (float64, error) {
	sum := 0.0
	local, err := LocalScores(n, x, score, equivalent...)
	for _, s := range local {
		sum += s
	}
	return sum, err
}

// LocalScores returns the term of each variable in the score of a graph. A change of one arrow
// changes only the terms of the two variables that the arrow joins.
//
//	log P(D|G, θ̂) = Σ n_{ijk}·log(n_{ijk}/n_{ij})
//	BDeu: Σⱼ log Γ(α/q) − log Γ(α/q + n_{ij}) + Σₖ log Γ(α/qr + n_{ijk}) − log Γ(α/qr)
//
// for q combinations j of the parents' states and r states k.
//
// References: [CooperHerskovits1992], [Heckerman1995]. Course: BN-14.
func LocalScores(n *BayesNetwork, x mat.Matrix, score NetworkScore, equivalent ...float64) ([]float64, error) {
	const op = "LocalScores"
	rows, err := n.read(op, x)
	if err != nil {
		return nil, err
	}
	ess := 0.0
	if len(equivalent) > 0 {
		ess = equivalent[0]
	}
	s, err := newScorer(op, rows, n.cards(), score, ess)
	if err != nil {
		return nil, err
	}
	for i, c := range rows.cols {
		if r := slices.Index(c, -1); r >= 0 {
			return nil, model.Errorf(op, "%s must have a value in every row, got a missing one in row %d", n.Nodes[i].Name, r).WithHint("fill it first, for example with Impute of the network")
		}
	}
	out := make([]float64, len(n.vars))
	for i, v := range n.vars {
		out[i] = s.local(i, v.parents)
	}
	return out, nil
}

func (n *BayesNetwork) cards() []int {
	cards := make([]int, len(n.vars))
	for i, v := range n.vars {
		cards[i] = v.card
	}
	return cards
}

// scorer computes local scores from complete rows.
type scorer struct {
	rows  *rows
	cards []int
	score NetworkScore
	ess   float64
}

func newScorer(op string, rows *rows, cards []int, score NetworkScore, ess float64) (*scorer, error) {
	if score < BICScore || score > K2Score {
		return nil, model.Errorf(op, "Score must be ml.BICScore, AICScore, LikelihoodScore, BDeuScore or K2Score, got %d", int(score))
	}
	if ess == 0 {
		ess = 10
	}
	if !(ess > 0) || math.IsInf(ess, 0) {
		return nil, model.Errorf(op, "the equivalent sample size must be positive (0 means 10), got %v", ess)
	}
	return &scorer{rows, cards, score, ess}, nil
}

// mostCells is the maximum size of a table of counts. For a larger table, only combinations of
// parents' states that occur are numbered.
const mostCells = 1 << 16

// mostConfigurations is the number of parent configurations above which a family is rejected.
const mostConfigurations = 1e15

// local returns the score of one family. It may be called from several goroutines.
func (s *scorer) local(i int, parents []int) float64 {
	r := s.cards[i]
	q := 1.0
	for _, p := range parents {
		q *= float64(s.cards[p])
	}
	if q > mostConfigurations {
		return math.Inf(-1)
	}
	counts := s.count(i, parents, q)
	a, b := 0.0, 0.0
	switch s.score {
	case BDeuScore:
		a, b = s.ess/q, s.ess/q/float64(r)
	case K2Score:
		a, b = float64(r), 1
	}
	ga, _ := math.Lgamma(a)
	gb, _ := math.Lgamma(b)
	sum := 0.0
	for at := 0; at < len(counts); at += r {
		row := counts[at : at+r]
		n := int32(0)
		for _, c := range row {
			n += c
		}
		if n == 0 {
			continue
		}
		if a > 0 {
			g, _ := math.Lgamma(a + float64(n))
			sum += ga - g
			for _, c := range row {
				if c > 0 {
					g, _ := math.Lgamma(b + float64(c))
					sum += g - gb
				}
			}
			continue
		}
		for _, c := range row {
			if c > 0 {
				sum += float64(c) * math.Log(float64(c)/float64(n))
			}
		}
	}
	return sum - s.score.Penalty(s.rows.n)*q*float64(r-1)
}

// count returns the counts of the states for each combination of the parents' states. If there are
// too many combinations, it counts only those that occur.
func (s *scorer) count(i int, parents []int, q float64) []int32 {
	r := s.cards[i]
	own := s.rows.cols[i]
	if len(parents) == 0 {
		counts := make([]int32, r)
		for _, k := range own {
			counts[k]++
		}
		return counts
	}
	index := make([]int64, s.rows.n)
	for _, p := range parents {
		card := int64(s.cards[p])
		for k, v := range s.rows.cols[p] {
			index[k] = index[k]*card + int64(v)
		}
	}
	if q*float64(r) <= mostCells {
		counts := make([]int32, int(q)*r)
		for k, v := range own {
			counts[int(index[k])*r+int(v)]++
		}
		return counts
	}
	seen := map[int64]int{}
	var counts []int32
	for k, v := range own {
		at, ok := seen[index[k]]
		if !ok {
			at = len(counts)
			seen[index[k]] = at
			counts = append(counts, make([]int32, r)...)
		}
		counts[at+int(v)]++
	}
	return counts
}
