package inference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// AdjustP returns P values adjusted for multiple testing. Reject the hypotheses whose adjusted
// value is below the level. Each method bounds one of these error rates by the level:
//
//   - the probability of any false rejection: "bonferroni", and "holm", which rejects more;
//   - the false discovery rate, which is the expected fraction of rejections that are false: "bh"
//     (Benjamini and Hochberg) for independent or positively dependent tests, and "by" (Benjamini
//     and Yekutieli) for any dependence.
//
// References: [Holm1979], [BenjaminiHochberg1995], [BenjaminiYekutieli2001].
func AdjustP(p []float64, method string) []float64 {
	const op = "AdjustP"
	m := float64(len(p))
	order := make([]int, len(p))
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			panic(model.Errorf(op, "p[%d] must be between 0 and 1, got %v", i, v).WithHint("pass p-values"))
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	out := make([]float64, len(p))
	factor := 1.0
	switch method {
	case "bonferroni":
		for i, v := range p {
			out[i] = min(1, v*m)
		}
	case "holm":
		most := 0.0
		for k, i := range order {
			most = max(most, min(1, p[i]*(m-float64(k))))
			out[i] = most
		}
	case "by", "bh":
		if method == "by" {
			factor = 0
			for k := range p {
				factor += 1 / float64(k+1)
			}
		}
		least := 1.0
		for k := len(order) - 1; k >= 0; k-- {
			i := order[k]
			least = min(least, p[i]*m/float64(k+1)*factor)
			out[i] = least
		}
	default:
		panic(model.Errorf(op, "method must be bonferroni, holm, bh or by, got %q", method).WithHint("use bh to control the false discovery rate, holm to control the family-wise error rate"))
	}
	return out
}

// TukeyHSD compares the group means of a column for all pairs of groups, with simultaneous 95 %
// intervals and P values. It computes Tukey's honestly significant differences, in Kramer's form
// for groups of different sizes:
//
//	q = |x̄ᵢ − x̄ⱼ| / √(s²/2·(1/nᵢ + 1/nⱼ)), compared with the studentized range of k groups
//
// The groups are assumed to have equal variances. You can pass a confidence other than 0.95 as the
// last argument.
//
// References: [Tukey1949], [Kramer1956].
func TukeyHSD(f *frame.Frame, y, group string, confidence ...float64) (*frame.Frame, error) {
	const op = "TukeyHSD"
	level := 0.95
	if len(confidence) > 0 {
		level = confidence[0]
	}
	if !(level > 0 && level < 1) {
		return nil, model.Errorf(op, "the confidence must be between 0 and 1, got %v", level)
	}
	names, groups := grouped(op, f, y, group)
	n, within := 0.0, 0.0
	for _, g := range groups {
		n += float64(len(g))
		if len(g) > 1 {
			within += variance(g) * float64(len(g)-1)
		}
	}
	k := float64(len(groups))
	if n <= k {
		return nil, model.Errorf(op, "at least one group must have 2 values, got %v values in %v groups", n, k).WithHint("pass more values per group")
	}
	s2 := within / (n - k)
	q := tails.QuantileStudentizedRange(1-level, k, n-k)
	var first, second []string
	var cols [4][]float64
	for i := range groups {
		for j := i + 1; j < len(groups); j++ {
			d := stat.Mean(groups[j], nil) - stat.Mean(groups[i], nil)
			se := math.Sqrt(s2 / 2 * (1/float64(len(groups[i])) + 1/float64(len(groups[j]))))
			p := 1.0
			if d != 0 {
				p = tails.StudentizedRange(math.Abs(d)/se, k, n-k)
			}
			first, second = append(first, names[i]), append(second, names[j])
			for c, v := range []float64{d, d - q*se, d + q*se, p} {
				cols[c] = append(cols[c], v)
			}
		}
	}
	return frame.New(frame.StringColumn("group", first), frame.StringColumn("compared with", second),
		frame.FloatColumn("difference", cols[0]), frame.FloatColumn("low", cols[1]), frame.FloatColumn("high", cols[2]), frame.FloatColumn("P", cols[3]))
}
