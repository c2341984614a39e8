package survival

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/formula"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// KaplanMeierCurves are estimated survival functions, one for each group. As the last value of a
// cell, they are drawn as step functions.
type KaplanMeierCurves struct {
	Level  float64 // of the bands
	Curves []SurvivalCurve
}

// SurvivalCurve is an estimated survival function, which is a step function. Before the first time,
// S is 1.
type SurvivalCurve struct {
	Group         string // "" without groups
	Time          []float64
	AtRisk        []int // number at risk just before the time
	Events        []int
	Censored      []int
	S             []float64
	Low, High     []float64 // the band
	Median        float64   // the first time at which S is 0.5 or less, +Inf if there is none
	MedianLow     float64   // interval of Median: first times at which the band is 0.5 or less
	MedianHigh    float64
	N, TotalEvent int
}

// times reads Surv(time, event) of a formula, and reports which rows lack a value.
func times(op string, s *formula.Spec, f *frame.Frame) (time []float64, event []bool, gone []bool, err error) {
	r := s.Response
	if r == nil || r.Op != "call" || r.Text != "Surv" || len(r.Args) != 2 {
		return nil, nil, nil, model.Errorf(op, "the left side of %q must be Surv(time, event)", s.Text).WithHint("write \"Surv(weeks, arrest) ~ age\"")
	}
	if f == nil || f.Len() == 0 {
		return nil, nil, nil, model.Errorf(op, "the frame has no rows")
	}
	if time, err = formula.Numbers(op, r.Args[0], f); err != nil {
		return nil, nil, nil, err
	}
	e, err := formula.Numbers(op, r.Args[1], f)
	if err != nil {
		return nil, nil, nil, err
	}
	event, gone = make([]bool, len(e)), make([]bool, len(e))
	for i, v := range e {
		gone[i] = math.IsNaN(v) || math.IsNaN(time[i])
		switch {
		case gone[i]:
		case v != 0 && v != 1:
			return nil, nil, nil, model.Errorf(op, "the event must be 0 or 1, got %v in row %d", v, i).WithHint("use 1 or true for an event, 0 or false for censoring")
		case time[i] < 0 || math.IsInf(time[i], 0):
			return nil, nil, nil, model.Errorf(op, "the time must be finite and not negative, got %v in row %d", time[i], i).WithHint("leave such rows out with Where")
		}
		event[i] = v == 1
	}
	return time, event, gone, nil
}

// groupsOf returns the rows of each group. The right side of the formula is 1 or categories.
func groupsOf(op, text string, f *frame.Frame) (time []float64, event []bool, names []string, rows [][]int, err error) {
	s, err := formula.Parse(op, text)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	time, event, gone, err := times(op, s, f)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	var columns []*frame.Column
	for _, t := range s.Terms {
		if len(t.Factors) != 1 || !f.Has(t.Factors[0]) {
			return nil, nil, nil, nil, model.Errorf(op, "the grouping term must be a column, got %s", t).WithHint("write \"Surv(time, event) ~ group\", or ~ 1 for one curve")
		}
		columns = append(columns, f.Col(t.Factors[0]))
	}
	at := map[string]int{}
	first := map[string]int{}
	for i := range f.Len() {
		key := ""
		for k, c := range columns {
			gone[i] = gone[i] || c.IsMissing(i)
			if k > 0 {
				key += ", "
			}
			key += c.Text(i)
		}
		if gone[i] {
			continue
		}
		k, ok := at[key]
		if !ok {
			k = len(names)
			at[key], first[key] = k, i
			names, rows = append(names, key), append(rows, nil)
		}
		rows[k] = append(rows[k], i)
	}
	if len(names) == 0 {
		return nil, nil, nil, nil, model.Errorf(op, "at least one of the %d rows must have a time, an event and a group", f.Len())
	}
	if len(names) > 100 {
		return nil, nil, nil, nil, model.Errorf(op, "there must be at most 100 groups, got %d", len(names)).WithHint("bin numbers first: f[\"age\"].Cut(...)")
	}
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return names[order[a]] < names[order[b]] })
	var sortedNames []string
	var sortedRows [][]int
	for _, k := range order {
		sortedNames, sortedRows = append(sortedNames, names[k]), append(sortedRows, rows[k])
	}
	return time, event, sortedNames, sortedRows, nil
}

// KaplanMeier estimates the survival function from censored times:
//
//	S(t) = Π_{tᵢ ≤ t} (1 − dᵢ/nᵢ)
//
// with dᵢ events among nᵢ at risk. The formula is "Surv(time, event) ~ group", or "~ 1" for one
// curve. The confidence bands, 95 % by default, use Greenwood's variance of log(−log S), which
// keeps the bands between 0 and 1.
//
// References: [KaplanMeier1958], [KalbfleischPrentice2002].
func KaplanMeier(f *frame.Frame, text string, confidence ...float64) (*KaplanMeierCurves, error) {
	const op = "KaplanMeier"
	level := 0.95
	if len(confidence) > 0 {
		level = confidence[0]
	}
	if !(level > 0 && level < 1) {
		return nil, model.Errorf(op, "the confidence must be between 0 and 1, got %v", level)
	}
	time, event, names, rows, err := groupsOf(op, text, f)
	if err != nil {
		return nil, err
	}
	out := &KaplanMeierCurves{Level: level}
	z := -mathext.NormalQuantile((1 - level) / 2)
	for k, name := range names {
		c := curve(time, event, rows[k], z)
		c.Group = name
		out.Curves = append(out.Curves, c)
	}
	return out, nil
}

func curve(time []float64, event []bool, rows []int, z float64) SurvivalCurve {
	rows = slices.Clone(rows)
	sort.SliceStable(rows, func(a, b int) bool { return time[rows[a]] < time[rows[b]] })
	c := SurvivalCurve{N: len(rows)}
	s, green := 1.0, 0.0
	for i := 0; i < len(rows); {
		t, d, w := time[rows[i]], 0, 0
		risk := len(rows) - i
		for ; i < len(rows) && time[rows[i]] == t; i++ {
			if event[rows[i]] {
				d++
			} else {
				w++
			}
		}
		s *= 1 - float64(d)/float64(risk)
		if d > 0 {
			green += float64(d) / (float64(risk) * float64(risk-d))
		}
		low, high := s, s
		if s > 0 && s < 1 {
			half := z * math.Sqrt(green) / math.Abs(math.Log(s))
			low, high = math.Pow(s, math.Exp(half)), math.Pow(s, math.Exp(-half))
		}
		c.Time, c.AtRisk, c.Events, c.Censored = append(c.Time, t), append(c.AtRisk, risk), append(c.Events, d), append(c.Censored, w)
		c.S, c.Low, c.High = append(c.S, s), append(c.Low, low), append(c.High, high)
		c.TotalEvent += d
	}
	first := func(v []float64) float64 {
		for i, p := range v {
			if p <= 0.5 {
				return c.Time[i]
			}
		}
		return math.Inf(1)
	}
	c.Median, c.MedianLow, c.MedianHigh = first(c.S), first(c.Low), first(c.High)
	return c
}

// At returns the probability of surviving beyond the given time.
func (c SurvivalCurve) At(time float64) float64 {
	k := sort.Search(len(c.Time), func(i int) bool { return c.Time[i] > time })
	if k == 0 {
		return 1
	}
	return c.S[k-1]
}

// Frame returns the curves as a frame with one row for each time of each group.
func (k *KaplanMeierCurves) Frame() *frame.Frame {
	var group []string
	var time, s, low, high []float64
	var risk, events []int64
	for _, c := range k.Curves {
		for i, t := range c.Time {
			group, time, s = append(group, c.Group), append(time, t), append(s, c.S[i])
			low, high = append(low, c.Low[i]), append(high, c.High[i])
			risk, events = append(risk, int64(c.AtRisk[i])), append(events, int64(c.Events[i]))
		}
	}
	f, err := frame.New(frame.StringColumn("group", group), frame.FloatColumn("time", time), frame.IntColumn("at risk", risk),
		frame.IntColumn("events", events), frame.FloatColumn("survival", s), frame.FloatColumn("low", low), frame.FloatColumn("high", high))
	if err != nil {
		panic(err)
	}
	return f
}

// LogRank tests whether groups have the same survival function. It compares the number of events in
// each group with the number that is expected if all groups have the same survival function. The
// formula is "Surv(time, event) ~ group". The statistic is compared with χ²; the degrees of freedom
// are the number of groups minus one.
//
// References: [Mantel1966], [KalbfleischPrentice2002].
func LogRank(f *frame.Frame, text string) (eval.TestResult, error) {
	const op = "LogRank"
	time, event, names, rows, err := groupsOf(op, text, f)
	if err != nil {
		return eval.TestResult{}, err
	}
	k := len(names)
	if k < 2 {
		return eval.TestResult{}, model.Errorf(op, "there must be at least 2 groups, got %d", k)
	}
	type row struct {
		t     float64
		event bool
		group int
	}
	var all []row
	for g, list := range rows {
		for _, i := range list {
			all = append(all, row{time[i], event[i], g})
		}
	}
	sort.SliceStable(all, func(a, b int) bool { return all[a].t < all[b].t })
	risk := make([]float64, k)
	for g := range rows {
		risk[g] = float64(len(rows[g]))
	}
	u, v := make([]float64, k-1), mat.NewSymDense(k-1, nil)
	for i := 0; i < len(all); {
		j, d := i, make([]float64, k)
		left := make([]float64, k)
		n, sum := float64(len(all)-i), 0.0
		for ; j < len(all) && all[j].t == all[i].t; j++ {
			left[all[j].group]++
			if all[j].event {
				d[all[j].group]++
				sum++
			}
		}
		if sum > 0 {
			for a := range k - 1 {
				u[a] += d[a] - sum*risk[a]/n
			}
			if n > 1 {
				c := sum * (n - sum) / (n - 1)
				for a := range k - 1 {
					for b := a; b < k-1; b++ {
						x := -risk[a] * risk[b] / (n * n)
						if a == b {
							x += risk[a] / n
						}
						v.SetSym(a, b, v.At(a, b)+c*x)
					}
				}
			}
		}
		for g, l := range left {
			risk[g] -= l
		}
		i = j
	}
	var c mat.Cholesky
	if !c.Factorize(v) {
		return eval.TestResult{}, model.Errorf(op, "every group must have rows at risk when events happen").WithHint("leave out groups without such rows")
	}
	var s mat.VecDense
	uv := mat.NewVecDense(k-1, u)
	if err := c.SolveVecTo(&s, uv); err != nil && math.IsInf(c.Cond(), 1) {
		return eval.TestResult{}, model.Errorf(op, "the covariance of the groups could not be inverted")
	}
	r := eval.TestResult{Name: "log-rank test", Statistic: mat.Dot(uv, &s), DF: float64(k - 1)}
	r.P = tails.ChiSquared(r.Statistic, r.DF)
	return r, nil
}
