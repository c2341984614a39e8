package modeltest

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// hugeScales are factors that lead to numbers whose squares, or differences, overflow.
var hugeScales = []float64{1e160, 1e300}

// scaled returns x times s.
func scaled(x *mat.Dense, s float64) *mat.Dense {
	var out mat.Dense
	out.Scale(s, x)
	return &out
}

// notNaN requires that no value of m is NaN.
func notNaN(m *mat.Dense) error {
	if m == nil {
		return nil
	}
	for _, v := range m.RawMatrix().Data {
		if math.IsNaN(v) {
			return errors.New("a result is NaN")
		}
	}
	return nil
}

// huge runs f with x scaled up. f must return an error or results without NaN.
func huge(x *mat.Dense, f func(x *mat.Dense) error) error {
	for _, s := range hugeScales {
		if err := refusedOr(func() error { return f(scaled(x, s)) }); err != nil {
			return fmt.Errorf("x scaled by %g: %w", s, err)
		}
	}
	return nil
}

// answered runs f, which predicts. A panic with a [*model.Error] is accepted too.
func answered(f func() error) (err error) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if e, ok := r.(*model.Error); ok && e.What != "" {
			err = nil
			return
		}
		panic(r)
	}()
	return f()
}

func (r results) notNaN() error {
	for i, v := range r.values {
		if math.IsNaN(v) {
			return fmt.Errorf("the result of row %d is NaN", i)
		}
	}
	return errors.Join(notNaN(r.proba), notNaN(r.scores))
}

// hugeColumns fits to huge columns, and predicts for huge columns after a fit to normal ones.
func (s *supervised) hugeColumns() error {
	err := huge(s.x, func(x *mat.Dense) error {
		est, err := s.fitted(x, s.y)
		if err != nil {
			return err
		}
		return answered(func() error { return s.predict(est, x).notNaN() })
	})
	if err != nil {
		return err
	}
	est, err := s.fitted(s.x, s.y)
	if err != nil {
		return err
	}
	return huge(s.x, func(x *mat.Dense) error { return answered(func() error { return s.predict(est, x).notNaN() }) })
}

func (c *clusterer) hugeColumns() error {
	return huge(c.x, func(x *mat.Dense) error {
		_, err := c.make().FitPredict(x)
		return err
	})
}

func (t *transformer) hugeColumns() error {
	return huge(t.x, func(x *mat.Dense) error {
		m, err := t.fitted(x)
		if err != nil {
			return err
		}
		return answered(func() error { return notNaN(m.Transform(x).Dense) })
	})
}

func (d *detector) hugeColumns() error {
	return huge(d.x, func(x *mat.Dense) error {
		m, err := d.fitted(x)
		if err != nil {
			return err
		}
		return answered(func() error { return results{values: m.Score(x)}.notNaN() })
	})
}

func (e *embedder) hugeColumns() error {
	return huge(e.x, func(x *mat.Dense) error {
		y, err := e.points(x)
		if err != nil {
			return err
		}
		return notNaN(y)
	})
}

// targetScales are units of the target. A regressor without absolute parameters must find the same
// function in each.
var targetScales = []float64{1e-12, 1e-6, 1e6, 1e12}

// targetScale requires that predictions scale with the unit of the target.
func (s *supervised) targetScale() error {
	plain, err := s.fitted(s.x, s.y)
	if err != nil {
		return err
	}
	want := s.predict(plain, s.x).values
	size := 0.0
	for _, v := range s.y {
		size = max(size, math.Abs(v))
	}
	for _, scale := range targetScales {
		y := make([]float64, len(s.y))
		for i, v := range s.y {
			y[i] = v * scale
		}
		est, err := s.fitted(s.x, y)
		if err != nil {
			return fmt.Errorf("targets times %g: %w", scale, err)
		}
		for i, v := range s.predict(est, s.x).values {
			if !(math.Abs(v/scale-want[i]) <= 1e-6*size) {
				return fmt.Errorf("targets times %g: row %d: got %g, want %g times that", scale, i, v, want[i])
			}
		}
	}
	return nil
}
