package lazy

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/raw"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Dataset has the examples of a lazy frame, for a model that learns from batches of rows. Fit
// reads the rows once or several times.
type Dataset struct {
	frame    *Frame // the target, then the features
	target   string
	features []string
	surveyed
}

// surveyed is what the first pass finds out.
type surveyed struct {
	rows    int
	columns []model.Column // the target, then the features
	codes   []map[string]int
	classes []int // that occur; nil for a real-valued target
	missing []int // values of each column
	wild    []int // infinite values of each column
}

// Dataset returns the examples for a model that predicts the target from the features. If no
// features are named, all other columns are features. Kinds of columns are treated as by
// [frame.Frame.Dataset]: for example, strings become nominal columns, and a target of strings or
// bools makes a classification data set.
//
// Pass the result to Fit. The rows of files need not fit into memory; the model must be able to
// learn from batches, such as SGDClassifier or HistGradientBoosting. Fit first reads all rows once,
// to count them and to find the levels of strings. The rows of a database must fit into memory, and
// any model can learn from them.
//
//	trips := ml.Must(ml.Scan("trips/*.parquet"))
//	ml.Fit(&ml.HistGradientBoostingRegressor{}, trips.Dataset("tip", "fare", "km", "zone"))
func (f *Frame) Dataset(target string, features ...string) *Dataset {
	const op = "LazyFrame.Dataset"
	f.field(op, target)
	if len(features) == 0 {
		features = slices.DeleteFunc(f.Names(), func(s string) bool { return s == target })
	}
	if slices.Contains(features, target) {
		misuse(op, "leave it out of the features", "the features must not contain the target %q", target)
	}
	if len(features) == 0 {
		misuse(op, "name a column to learn from", "there must be a feature besides the target %q", target)
	}
	names := append([]string{target}, features...)
	for _, name := range names {
		if f.field(op, name).Kind == frame.TimeKind {
			misuse(op, "use a part of it, such as Hour or Weekday", "column %q must not be of kind time", name)
		}
	}
	return &Dataset{frame: f.Select(names...), target: target, features: slices.Clone(features)}
}

// FeatureNames returns the names of the features.
func (d *Dataset) FeatureNames() []string { return slices.Clone(d.features) }

// String names the target and the features.
func (d *Dataset) String() string {
	return fmt.Sprintf("examples in %s: predict %s from %s\n", d.frame.engine, d.target, strings.Join(d.features, ", "))
}

// learners are the models that learn from batches.
const learners = "SGDClassifier, SGDRegressor, HistGradientBoosting, HistGradientBoostingRegressor, " +
	"GaussianNB, MultinomialNB, BernoulliNB, CategoricalNB, NaiveBayes, " +
	"Perceptron, ThresholdPerceptron, PassiveAggressive, MulticlassPerceptron, " +
	"MiniBatchKMeans, StandardScaler, MinMaxScaler, MaxAbsScaler, OneHotEncoder, Imputer, " +
	"or Pipeline, ProbPipeline, RegressorPipeline of them"

// FitModel fits m to the examples. Fit calls it.
func (d *Dataset) FitModel(m any) error {
	const op = "Fit"
	if m == nil || reflect.ValueOf(m).Kind() != reflect.Pointer {
		return model.Errorf(op, "the model must be a pointer, got %T", m).WithHint("pass a pointer to one, such as &ml.SGDClassifier{}")
	}
	if _, ok := d.frame.engine.(Runner); !ok {
		rows, err := d.frame.Collect()
		if err != nil {
			return err
		}
		return rows.Dataset(d.target, d.features...).FitModel(m)
	}
	l, ok := m.(model.BatchFitter)
	if !ok {
		return model.Errorf(op, "%s cannot learn from a scan, because it needs all rows in memory", model.NameOf(m)).
			WithHint("call Collect before Dataset, or use one of " + learners)
	}
	if d.rows == 0 {
		if err := d.survey(op); err != nil {
			return err
		}
	}
	if err := d.check(op, m); err != nil {
		return err
	}
	return l.FitBatches(&model.Batches{
		Columns: d.columns[1:], Target: d.columns[0], Rows: d.rows, Classes: d.classes, Pass: d.pass,
	})
}

// check refuses what the model does not take.
func (d *Dataset) check(op string, m any) error {
	takes := model.TakesOf(m)
	for j, c := range d.columns {
		switch n := d.missing[j]; {
		case n > 0 && j == 0:
			return model.Errorf(op, "the target %q must have no missing values, got %d of %d", c.Name, n, d.rows).WithHint("leave these rows out with Where and IsNA")
		case n > 0 && !takes.Missing:
			return model.Errorf(op, "column %q must have no missing values for %s, got %d of %d", c.Name, model.NameOf(m), n, d.rows).
				WithHint("replace them with FillMissing, or leave these rows out with Where and IsNA")
		}
		if n := d.wild[j]; n > 0 {
			return model.Errorf(op, "column %q must have finite values, got %d infinite values of %d", c.Name, n, d.rows).WithHint("leave these rows out with Where")
		}
	}
	return nil
}

// mostLevels is the maximum number of levels of a string column.
const mostLevels = 1 << 20

// survey counts the rows, and finds the levels of strings.
func (d *Dataset) survey(op string) error {
	fields := d.frame.fields
	s := surveyed{codes: make([]map[string]int, len(fields)), missing: make([]int, len(fields)), wild: make([]int, len(fields)), columns: make([]model.Column, len(fields))}
	var bools [2]bool
	for j, x := range fields {
		s.columns[j].Name = x.Name
		if x.Kind == frame.StringKind {
			s.codes[j] = map[string]int{}
		}
	}
	err := d.frame.Stream(func(b *frame.Frame) error {
		s.rows += b.Len()
		for j, c := range b.Columns() {
			s.missing[j] += c.Missing()
			if s.columns[j].Unit == "" {
				s.columns[j].Unit = c.Unit()
			}
			v := raw.Of(c)
			for _, x := range v.Floats {
				if math.IsInf(x, 0) {
					s.wild[j]++
				}
			}
			if j == 0 {
				for i, x := range v.Bools {
					if x {
						bools[1] = true
					} else if !v.IsMissing(i) {
						bools[0] = true
					}
				}
			}
			if s.codes[j] == nil {
				continue
			}
			if collect(s.codes[j], &v, c.Len()); len(s.codes[j]) > mostLevels {
				return model.Errorf(op, "column %q must have at most %d distinct strings, got more", c.Name(), mostLevels).WithHint("leave it out of the features")
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if s.rows == 0 {
		return model.Errorf(op, "there must be at least one row, got none").WithHint("check the conditions of Where")
	}
	for j, x := range fields {
		c := &s.columns[j]
		switch {
		case x.Kind == frame.StringKind:
			c.Kind = model.Nominal
			for word := range s.codes[j] {
				c.Levels = append(c.Levels, word)
			}
			slices.Sort(c.Levels)
			for k, word := range c.Levels {
				s.codes[j][word] = k
			}
		case x.Kind == frame.BoolKind && j == 0:
			c.Kind, c.Levels = model.Nominal, []string{"false", "true"}
		}
		if c.Kind == model.Nominal {
			c.Unit = ""
		}
	}
	if target := s.columns[0]; target.Kind == model.Nominal {
		s.classes = []int{}
		for k := range target.Levels {
			if fields[0].Kind == frame.StringKind || bools[k] {
				s.classes = append(s.classes, k)
			}
		}
	}
	d.surveyed = s
	return nil
}

// collect adds the strings of a column to a set.
func collect(set map[string]int, v *raw.Column, n int) {
	if v.Codes == nil {
		for i := range n {
			if !v.IsMissing(i) {
				set[v.Texts[i]] = 0
			}
		}
		return
	}
	used := make([]bool, len(v.Words))
	for _, k := range v.Codes {
		if k >= 0 && !used[k] {
			used[k] = true
			set[v.Words[k]] = 0
		}
	}
}

// numbers returns the values of column j of a batch, with the positions of strings among the
// levels. ok is false for a string that the first pass did not see.
func (d *Dataset) numbers(j int, c *frame.Column) (out []float64, ok bool) {
	if d.codes[j] == nil {
		if v := raw.Of(c); v.Floats != nil {
			return v.Floats, true
		}
		return c.Floats(), true
	}
	v := raw.Of(c)
	out = make([]float64, c.Len())
	var words []int
	for _, w := range v.Words {
		k, known := d.codes[j][w]
		if !known {
			k = -1
		}
		words = append(words, k)
	}
	for i := range out {
		k, known := -1, false
		switch {
		case v.IsMissing(i) || v.Codes != nil && v.Codes[i] < 0:
			out[i] = math.NaN()
			continue
		case v.Codes != nil:
			k = words[v.Codes[i]]
			known = k >= 0
		default:
			k, known = d.codes[j][v.Texts[i]]
		}
		if !known {
			return nil, false
		}
		out[i] = float64(k)
	}
	return out, true
}

// pass calls yield with batches of size rows.
func (d *Dataset) pass(size int, yield func(model.Batch) error) error {
	if size == 0 {
		size = model.BatchRows
	}
	changed := func() error {
		return model.Errorf("Fit", "the files must not change while a model learns, but the rows of the last pass differ from the rows of the first").
			WithHint("call Fit of a new data set")
	}
	width := len(d.features)
	var batch model.Batch
	var flat []float64
	at, left := 0, d.rows
	begin := func() {
		n := min(size, left)
		batch, flat, at = model.Batch{}, make([]float64, n*width), 0
		if n > 0 {
			batch.X = &model.Table{Dense: mat.NewDense(n, width, flat), Columns: d.columns[1:], Target: d.columns[0]}
		}
		if d.classes != nil {
			batch.Y = make([]int, n)
		} else {
			batch.Target = make([]float64, n)
		}
	}
	begin()
	err := d.frame.Stream(func(b *frame.Frame) error {
		values := make([][]float64, width+1)
		for j, c := range b.Columns() {
			var ok bool
			if values[j], ok = d.numbers(j, c); !ok {
				return changed()
			}
		}
		for i := 0; i < b.Len(); {
			k := min(b.Len()-i, min(size, left)-at)
			if k == 0 {
				return changed()
			}
			for j, v := range values[1:] {
				for r, x := range v[i : i+k] {
					flat[(at+r)*width+j] = x
				}
			}
			for r, x := range values[0][i : i+k] {
				if d.classes != nil {
					batch.Y[at+r] = int(x)
				} else {
					batch.Target[at+r] = x
				}
			}
			i, at = i+k, at+k
			if at == min(size, left) {
				left -= at
				if err := yield(batch); err != nil {
					return err
				}
				begin()
			}
		}
		return nil
	})
	if err == nil && left > 0 {
		return changed()
	}
	return err
}
