package series

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// AutoARIMA chooses the order of an ARIMA model and fits it. It chooses the number of differences
// with [KPSS], and the number of seasonal differences from the strength of the season in [STL]. It
// chooses the other orders with a stepwise search for the smallest AICc. The argument period is the
// number of values in a season; 0 or 1 means no season.
//
// References: [HyndmanKhandakar2008].
func AutoARIMA(x []float64, period int) (*ARIMAModel, error) {
	const op = "AutoARIMA"
	if period < 0 {
		return nil, model.Errorf(op, "period must not be negative, got %d", period)
	}
	if err := check(op, x, 8); err != nil {
		return nil, err
	}
	base := ARIMAOrder{}
	w := x
	if period > 1 && len(x) >= 3*period {
		base.Period = period
		d, err := STL{Period: period, Seasonal: 11}.Decompose(x)
		if err != nil {
			return nil, err
		}
		if _, season := d.Strength(); season > 0.64 {
			base.SD = 1
			w = difference(w, period)
		}
	}
	for base.D < 2 {
		k, err := KPSS(w, "c")
		if err != nil || k.P > 0.05+1e-12 {
			break
		}
		base.D++
		w = difference(w, 1)
	}
	base.Constant = base.D+base.SD <= 1
	tried := map[ARIMAOrder]bool{}
	var best *ARIMAModel
	try := func(o ARIMAOrder) bool {
		if o.P < 0 || o.Q < 0 || o.SP < 0 || o.SQ < 0 || o.P > 5 || o.Q > 5 || o.SP > 2 || o.SQ > 2 || tried[o] || o.Period == 0 && o.SP+o.SQ > 0 {
			return false
		}
		tried[o] = true
		m, err := arima(op, x, o, 2)
		if err != nil || best != nil && !(m.AICc < best.AICc) || nearUnit(m) {
			return false
		}
		best = m
		return true
	}
	with := func(p, q, sp, sq int) ARIMAOrder {
		o := base
		o.P, o.Q = p, q
		if base.Period > 0 {
			o.SP, o.SQ = sp, sq
		}
		return o
	}
	var control model.Control
	run := control.Begin(op, 100)
	defer run.End()
	for _, o := range []ARIMAOrder{with(2, 2, 1, 1), with(0, 0, 0, 0), with(1, 0, 1, 0), with(0, 1, 0, 1)} {
		try(o)
	}
	if best == nil {
		return nil, model.Errorf(op, "no order could be fitted to the %d values", len(x))
	}
	for k := 1; ; k++ {
		if err := run.Step(k, best.AICc); err != nil {
			return nil, err
		}
		o, found := best.Order, false
		var next []ARIMAOrder
		for _, d := range [][4]int{{1, 0, 0, 0}, {-1, 0, 0, 0}, {0, 1, 0, 0}, {0, -1, 0, 0}, {0, 0, 1, 0}, {0, 0, -1, 0}, {0, 0, 0, 1}, {0, 0, 0, -1},
			{1, 1, 0, 0}, {-1, -1, 0, 0}, {0, 0, 1, 1}, {0, 0, -1, -1}} {
			n := o
			n.P, n.Q, n.SP, n.SQ = n.P+d[0], n.Q+d[1], n.SP+d[2], n.SQ+d[3]
			next = append(next, n)
		}
		if base.D+base.SD <= 1 {
			n := o
			n.Constant = !n.Constant
			next = append(next, n)
		}
		for _, n := range next {
			if try(n) {
				found = true
				break
			}
		}
		if !found {
			return arima(op, x, best.Order, 12)
		}
	}
}

// nearUnit reports whether a coefficient polynomial has a root so near 1 that the model should have
// one more or one fewer difference.
func nearUnit(m *ARIMAModel) bool {
	for _, c := range m.Coefficients {
		if c.Name != "constant" && (math.IsNaN(c.StdErr) || math.Abs(c.Estimate) > 0.999 && m.Order.P+m.Order.Q > 1) {
			return true
		}
	}
	return false
}
