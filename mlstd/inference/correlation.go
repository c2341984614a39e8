package inference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// PearsonTest tests whether the correlation of two samples is 0:
//
//	t = r·√((n − 2)/(1 − r²)), n − 2 degrees of freedom
//
// The interval of r uses Fisher's transformation: artanh r ± z/√(n − 3).
//
// References: [Fisher1925].
func PearsonTest(x, y []float64) eval.TestResult {
	const op = "PearsonTest"
	mustPairs(op, 3, x, y)
	mustVary(op, x, y)
	r := min(1, max(-1, stat.Correlation(x, y, nil)))
	return correlated("Pearson correlation", r, len(x), 1)
}

// SpearmanTest tests whether the ranks of two samples correlate. P is from the t distribution, as
// in SciPy; the interval is computed from artanh ρ ± z·√((1 + ρ²/2)/(n − 3)).
//
// References: [Spearman1904], [BonettWright2000].
func SpearmanTest(x, y []float64) eval.TestResult {
	const op = "SpearmanTest"
	mustPairs(op, 3, x, y)
	mustVary(op, x, y)
	a, _ := ranks(x)
	b, _ := ranks(y)
	r := min(1, max(-1, stat.Correlation(a, b, nil)))
	return correlated("Spearman correlation", r, len(x), 1+r*r/2)
}

func mustVary(op string, samples ...[]float64) {
	for k, s := range samples {
		if slices.Min(s) == slices.Max(s) {
			panic(model.Errorf(op, "sample %d must vary, got only %v", k+1, s[0]).WithHint("leave the sample out"))
		}
	}
}

func correlated(name string, r float64, n int, spread float64) eval.TestResult {
	df := float64(n - 2)
	t := r * math.Sqrt(df/((1-r)*(1+r)))
	out := eval.TestResult{Name: name, Statistic: t, DF: df, P: tails.TwoSidedT(t, df), Of: "correlation"}
	out.Estimate = eval.Estimate{Value: r, Low: -1, High: 1}
	if n > 3 {
		z, half := math.Atanh(r), z975*math.Sqrt(spread/float64(n-3))
		out.Estimate.Low, out.Estimate.High = math.Tanh(z-half), math.Tanh(z+half)
	}
	return out
}

// KendallTest tests whether two samples tend to order pairs of rows in the same way. τ_b is the
// number of concordant pairs minus the number of discordant pairs, normalized and corrected for
// ties. P is exact for up to 33 values without ties, and otherwise from the normal approximation.
// The interval is computed from artanh τ ± z·√(0.437/(n − 4)).
//
// Cost: O(n log n).
//
// References: [Kendall1970], [BonettWright2000].
func KendallTest(x, y []float64) eval.TestResult {
	const op = "KendallTest"
	mustPairs(op, 3, x, y)
	mustVary(op, x, y)
	n := len(x)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b] || x[a] == x[b] && y[a] < y[b]:
			return -1
		case x[a] == x[b] && y[a] == y[b]:
			return 0
		}
		return 1
	})
	seq := make([]float64, n)
	for i, k := range order {
		seq[i] = y[k]
	}
	both := 0.0
	for i := 0; i < n; {
		j := i
		for j < n && x[order[j]] == x[order[i]] && y[order[j]] == y[order[i]] {
			j++
		}
		both += float64(j-i) * float64(j-i-1) / 2
		i = j
	}
	dis := float64(inversions(seq, make([]float64, n)))
	x0, x1, xt := tieSums(x)
	y0, y1, yt := tieSums(y)
	nf := float64(n)
	total := nf * (nf - 1) / 2
	excess := total - xt - yt + both - 2*dis
	tau := min(1, max(-1, excess/math.Sqrt(total-xt)/math.Sqrt(total-yt)))
	out := eval.TestResult{Name: "Kendall correlation", Of: "τ", Estimate: eval.Estimate{Value: tau, Low: -1, High: 1}}
	if n > 4 {
		z, half := math.Atanh(tau), z975*math.Sqrt(0.437/float64(n-4))
		out.Estimate.Low, out.Estimate.High = math.Tanh(z-half), math.Tanh(z+half)
	}
	if xt == 0 && yt == 0 && (n <= 33 || min(dis, total-dis) <= 1) {
		counts := mahonian(n, int(min(dis, total-dis)))
		sum := 0.0
		for _, c := range counts {
			sum += c
		}
		out.Statistic, out.P = excess, min(1, 2*sum)
		return out
	}
	m := nf * (nf - 1)
	v := (m*(2*nf+5)-x1-y1)/18 + 2*xt*yt/m + x0*y0/(9*m*(nf-2))
	out.Statistic = excess / math.Sqrt(v)
	out.P = math.Erfc(math.Abs(out.Statistic) / math.Sqrt2)
	return out
}

func tieSums(v []float64) (third, fifth, pairs float64) {
	s := sortedCopy(v)
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] == s[i] {
			j++
		}
		t := float64(j - i)
		third += t * (t - 1) * (t - 2)
		fifth += t * (t - 1) * (2*t + 5)
		pairs += t * (t - 1) / 2
		i = j
	}
	return third, fifth, pairs
}

// inversions returns the number of pairs in the wrong order, and sorts v.
func inversions(v, help []float64) int {
	if len(v) < 2 {
		return 0
	}
	mid := len(v) / 2
	count := inversions(v[:mid], help[:mid]) + inversions(v[mid:], help[mid:])
	copy(help, v)
	a, b := help[:mid], help[mid:len(v)]
	for k := range v {
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			v[k], a = a[0], a[1:]
		} else {
			v[k], b = b[0], b[1:]
			count += len(a)
		}
	}
	return count
}

// mahonian returns the fractions of the permutations of n values that have 0 … c inversions.
func mahonian(n, c int) []float64 {
	p := make([]float64, c+1)
	p[0] = 1
	for k := 2; k <= n; k++ {
		next := make([]float64, c+1)
		sum := 0.0
		for j := range next {
			sum += p[j]
			if j >= k {
				sum -= p[j-k]
			}
			next[j] = sum / float64(k)
		}
		p = next
	}
	return p
}
