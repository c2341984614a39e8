package score

import (
	"math"
	"strconv"

	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// feature is a column of the rows that a step or a model gets.
type feature struct {
	number  *lazy.Column // the values; nil for strings
	text    *lazy.Column // the names of levels
	name    string       // of the text
	levels  []string     // the names of the codes 0, 1, 2 ..., for a text
	hot     *hot         // set for an indicator of one level
	missing []condition  // when the value is missing
}

// hot is a value that is 1 if a feature has a level, and 0 if it has another one.
type hot struct {
	of    *lazy.Column // identifies the feature
	level *lazy.Column // the mask
}

// is returns the mask of the rows with a level.
func (f *feature) is(code int) *lazy.Column {
	if f.text == nil {
		return f.number.Equal(float64(code))
	}
	return f.text.Equal(f.levels[code])
}

// among returns the mask of the rows with one of the levels.
func (f *feature) among(codes []int) *lazy.Column {
	if len(codes) == 1 {
		return f.is(codes[0])
	}
	if f.text == nil {
		masks := make([]*lazy.Column, len(codes))
		for i, c := range codes {
			masks[i] = f.is(c)
		}
		return all(masks, (*lazy.Column).Or)
	}
	names := make([]string, len(codes))
	for i, c := range codes {
		names[i] = f.levels[c]
	}
	return lazy.In(f.text, names)
}

// value returns the feature as a number: for a text, the code of its level.
func (f *feature) value() *lazy.Column {
	if f.number == nil {
		var args []*lazy.Column
		for code := range f.levels {
			args = append(args, f.is(code), lazy.Literal(float64(code)))
		}
		f.number = lazy.Case(args...)
	}
	return f.number
}

// levelsOf is how a step or a model reads levels that Fit did not see.
type levelsOf int

const (
	refused levelsOf = iota // it refuses the row
	added                   // they are further levels
	missing                 // they are missing values
)

// arrive sets the levels of the features to those that a step or a model was fitted to.
func (w *writer) arrive(m any, features []feature, unseen levelsOf) []feature {
	out := append([]feature{}, features...)
	schema := model.Schema{}
	if s, ok := m.(interface{ Schema() model.Schema }); ok {
		schema = s.Schema()
	}
	if len(schema.Features) == len(out) {
		for j, c := range schema.Features {
			f := &out[j]
			if f.text == nil || len(c.Levels) == 0 {
				continue
			}
			f.levels = c.Levels
			known := lazy.In(f.text, c.Levels)
			switch unseen {
			case refused:
				w.refuse(condition{"unknown " + f.name + "\x00" + strconv.Itoa(len(c.Levels)), known.Not()})
			case missing:
				f.text = known.If(f.text, nil)
				f.missing = append(append([]condition{}, f.missing...), condition{"unknown " + f.name, known.Not()})
			}
		}
	}
	for j := range out {
		if f := &out[j]; f.text != nil && f.levels == nil && !passes(m) {
			w.fail("encode the column, or leave it out", "the column %q must have levels, but its values are texts", f.name)
		}
	}
	if !passes(m) && !model.TakesOf(m).Missing {
		for _, f := range out {
			w.refuse(f.missing...)
		}
	}
	return out
}

// passes reports whether a type leaves all decisions to the steps and models in it.
func passes(m any) bool {
	switch m.(type) {
	case *prep.Columns, *prep.Union:
		return true
	}
	return inner(m) != nil
}

// steps converts the steps before a model.
func (w *writer) steps(steps []model.Transformer, features []feature) []feature {
	for _, s := range steps {
		features = w.step(s, features)
	}
	return features
}

func (w *writer) step(step model.Transformer, in []feature) []feature {
	switch s := step.(type) {
	case *prep.OneHotEncoder:
		return w.oneHot(s, w.arrive(s, in, added))
	case *prep.Imputer:
		return w.impute(s, w.arrive(s, in, added))
	case *prep.UnknownAsMissing:
		return w.arrive(s, in, missing)
	}
	in = w.arrive(step, in, refused)
	each := func(fitted bool, f func(j int, v *lazy.Column) *lazy.Column) []feature {
		w.mustFit(step, fitted)
		for j := range in {
			x := &in[j]
			*x = feature{number: f(j, x.value()), missing: x.missing}
		}
		return in
	}
	switch s := step.(type) {
	case *prep.StandardScaler:
		return each(s.Mean != nil, func(j int, v *lazy.Column) *lazy.Column { return standardized(s, j, v) })
	case *prep.MinMaxScaler:
		low, high := s.Low, s.High
		if low == 0 && high == 0 {
			high = 1
		}
		return each(s.Min != nil, func(j int, v *lazy.Column) *lazy.Column {
			if width := s.Max[j] - s.Min[j]; width > 0 {
				return v.Minus(s.Min[j]).Times(high - low).Over(width).Plus(low)
			}
			return v.Minus(s.Min[j]).Times(0.0).Plus(low) // missing stays missing
		})
	case *prep.MaxAbsScaler:
		return each(s.MaxAbs != nil, func(j int, v *lazy.Column) *lazy.Column {
			if s.MaxAbs[j] > 0 {
				return v.Over(s.MaxAbs[j])
			}
			return v
		})
	case *prep.RobustScaler:
		return each(s.Center != nil, func(j int, v *lazy.Column) *lazy.Column {
			if !s.KeepCenter {
				v = v.Minus(s.Center[j])
			}
			if !s.KeepScale && s.Scale[j] > 0 {
				v = v.Over(s.Scale[j])
			}
			return v
		})
	case *prep.PolynomialFeatures:
		return w.polynomial(s, in)
	case *prep.Columns:
		w.mustFit(step, s.Taken != nil)
		var out []feature
		for k, taken := range s.Taken {
			part := pick(in, taken)
			if k < len(s.Steps) && len(taken) > 0 {
				part = w.steps(s.Steps[k].Steps, part)
			}
			out = append(out, part...)
		}
		return out
	case *prep.Union:
		w.mustFit(step, s.Columns != nil)
		var out []feature
		for _, t := range s.Steps {
			out = append(out, w.step(t, in)...)
		}
		return out
	case *prep.VarianceThreshold:
		return w.kept(step, in, s.Kept)
	case *prep.SelectKBest:
		return w.kept(step, in, s.Kept)
	case *prep.SelectPercentile:
		return w.kept(step, in, s.Kept)
	case *prep.SelectFromModel:
		return w.kept(step, in, s.Kept)
	case *prep.RFE:
		return w.kept(step, in, s.Kept)
	}
	w.unknown(step)
	return nil
}

func (w *writer) mustFit(m any, fitted bool) {
	if !fitted {
		w.fail("call its Fit method, or ml.Fit", "the %s must be fitted", model.NameOf(m))
	}
}

func pick(in []feature, columns []int) []feature {
	out := make([]feature, len(columns))
	for k, j := range columns {
		out[k] = in[j]
	}
	return out
}

func (w *writer) kept(step any, in []feature, columns []int) []feature {
	w.mustFit(step, columns != nil)
	return pick(in, columns)
}

func standardized(s *prep.StandardScaler, j int, v *lazy.Column) *lazy.Column {
	if !s.KeepMean {
		v = v.Minus(s.Mean[j])
	}
	switch {
	case s.SD[j] == 0 && !s.KeepMean: // constant in the training rows
		limit := 1e-14 * math.Abs(s.Mean[j])
		return lazy.Case(v.Between(-limit, limit), lazy.Literal(0.0), v)
	case s.SD[j] > 0 && !s.KeepScale:
		return v.Over(s.SD[j])
	}
	return v
}

func (w *writer) oneHot(e *prep.OneHotEncoder, in []feature) []feature {
	w.mustFit(e, e.Columns != nil)
	var out []feature
	columns := e.Schema().Features
	for j, f := range in {
		var c model.Column
		if j < len(columns) {
			c = columns[j]
		}
		if c.Kind != model.Nominal {
			out = append(out, f)
			continue
		}
		if len(c.Levels) == 0 {
			w.fail("name the levels", "the levels of column %q must have names", c.Name)
		}
		of := f.text
		if of == nil {
			of = f.number
		}
		for code := range c.Levels {
			level := f.is(code)
			out = append(out, feature{number: level.If(1.0, 0.0), missing: f.missing, hot: &hot{of, level}})
		}
	}
	return out
}

func (w *writer) impute(m *prep.Imputer, in []feature) []feature {
	w.mustFit(m, m.Values != nil)
	out := append([]feature{}, in...)
	for j := range out {
		f := &out[j]
		switch v := m.Values[j]; {
		case f.text != nil:
			if code := int(v); v >= 0 && code < len(f.levels) {
				f.text = f.text.FillMissing(f.levels[code])
			} else {
				w.fail("impute the most common level", "the value for the missing values of %q must be the index of a level, got %v", f.name, v)
			}
		default:
			f.number = f.number.FillMissing(v)
		}
		f.missing, f.hot = nil, nil
	}
	if m.Indicators {
		for _, j := range m.Missing {
			if len(in[j].missing) == 0 {
				out = append(out, feature{number: lazy.Literal(0.0)})
				continue
			}
			masks := make([]*lazy.Column, len(in[j].missing))
			for i, c := range in[j].missing {
				masks[i] = c.mask
			}
			out = append(out, feature{number: lazy.Case(all(masks, (*lazy.Column).Or), lazy.Literal(1.0), lazy.Literal(0.0))})
		}
	}
	return out
}

func (w *writer) polynomial(p *prep.PolynomialFeatures, in []feature) []feature {
	w.mustFit(p, p.Powers != nil)
	out := make([]feature, len(p.Powers))
	for k, factors := range p.Powers {
		f := feature{number: lazy.Literal(1.0)}
		for i, j := range factors {
			if i == 0 {
				f.number = in[j].value()
			} else {
				f.number = f.number.Times(in[j].value())
			}
			f.missing = append(f.missing, in[j].missing...)
		}
		out[k] = f
	}
	return out
}
