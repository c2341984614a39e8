package prep_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// grid is a matrix as testdata/oracles/prep.py writes it; null is NaN.
type grid [][]*float64

func (g grid) dense() *mat.Dense {
	d := mat.NewDense(len(g), len(g[0]), nil)
	for i, row := range g {
		for j, v := range row {
			d.Set(i, j, math.NaN())
			if v != nil {
				d.Set(i, j, *v)
			}
		}
	}
	return d
}

type oracle struct {
	Numeric []struct {
		Name         string
		Train, Query grid
		Standard     struct {
			Mean, SD, Scale           []float64
			Z, Centered, Scaled, Back grid
		}
		MinMax     grid
		MinMaxWide grid `json:"minmax_wide"`
		Rows       grid
		Variance   struct {
			Kept      []int
			Variances []float64
		}
		Polynomials []struct {
			Degree                 int
			Interactions, Constant bool
			Z                      grid
		}
		Holes, Asked grid
		Imputed      map[string]grid
	}
	Nominal []struct {
		Name                string
		Train, Query        grid
		OneHot, Thermometer grid
		Bits, Asked         grid
		Size                int
		Conjunctions        map[string][]float64
		Y                   []int
		Indicators          grid
		Outputs             grid
		Decided             []int
	}
	Texts []struct {
		Name                 string
		Train, Query         []string
		Plain, Rare, Stopped struct {
			Words  []string
			Texts  []int
			Counts [][3]int // row, column, count
		}
		Stems map[string]string
	}
	Stop []string
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "prep", &o)
	if len(o.Numeric) < 5 || len(o.Nominal) < 5 || len(o.Texts) < 5 {
		t.Fatal("the oracle has fewer than five data sets of a kind")
	}
	return o
}

// rounding is the tolerance for results of a few operations on each value; for results computed
// from a column it is relative to the size of the column.
const rounding = 1e-12

// same compares matrices, relative to the largest value of each column of want.
func same(t *testing.T, what string, got *mat.Dense, want grid, tol float64) {
	t.Helper()
	w := want.dense()
	n, k := w.Dims()
	if gn, gk := got.Dims(); gn != n || gk != k {
		t.Errorf("%s: got %dx%d, want %dx%d", what, gn, gk, n, k)
		return
	}
	for j := range k {
		size := math.SmallestNonzeroFloat64
		for i := range n {
			size = max(size, math.Abs(w.At(i, j)))
		}
		for i := range n {
			if !(math.Abs(got.At(i, j)-w.At(i, j)) <= tol*size) {
				t.Errorf("%s, row %d, column %d: got %v, want %v", what, i, j, got.At(i, j), w.At(i, j))
			}
		}
	}
}

func TestOracleStandardScaler(t *testing.T) {
	for _, o := range readOracle(t).Numeric {
		t.Run(o.Name, func(t *testing.T) {
			train, query := o.Train.dense(), o.Query.dense()
			tol := rounding
			if o.Name == "far from zero" {
				tol = 1e-7 // float64 represents 1e9 up to 1e-7
			}
			s := &prep.StandardScaler{}
			same(t, "z", fitOn(t, s, train, query), o.Standard.Z, tol)
			for j, m := range o.Standard.Mean {
				mltest.Near(t, "mean", s.Mean[j], m, rounding*math.Abs(m))
				mltest.Near(t, "sd", s.SD[j], o.Standard.SD[j], tol*math.Abs(o.Standard.SD[j]))
			}
			same(t, "there and back", s.Inverse(s.Transform(query)), o.Standard.Back, rounding)
			same(t, "centered", fitOn(t, &prep.StandardScaler{KeepScale: true}, train, query), o.Standard.Centered, tol)
			same(t, "scaled", fitOn(t, &prep.StandardScaler{KeepMean: true}, train, query), o.Standard.Scaled, tol)
		})
	}
}

func fitOn(t *testing.T, m model.Transformer, train, query mat.Matrix) *mat.Dense {
	t.Helper()
	if err := m.Fit(train); err != nil {
		t.Fatal(err)
	}
	return m.Transform(query).Dense
}

func TestOracleMinMaxScaler(t *testing.T) {
	for _, o := range readOracle(t).Numeric {
		train, query := o.Train.dense(), o.Query.dense()
		for _, c := range []struct {
			m    *prep.MinMaxScaler
			want grid
			low  float64
			high float64
		}{{&prep.MinMaxScaler{}, o.MinMax, 0, 1}, {&prep.MinMaxScaler{Low: -1, High: 3}, o.MinMaxWide, -1, 3}} {
			got := fitOn(t, c.m, train, query)
			width := c.high - c.low
			for j, least := range c.m.Min {
				for i := range o.Query {
					switch span := c.m.Max[j] - least; {
					case span == 0:
						// By design, a column that was constant in training carries no information
						// and is Low in every row. scikit-learn shifts it without scaling it.
						*c.want[i][j] = c.low
					case span < 1e-15:
						// scikit-learn treats a column as constant if its values are within 2e-15,
						// whatever their size; a column in small units is not constant.
						*c.want[i][j] = c.low + width*(query.At(i, j)-least)/span
					}
				}
			}
			tol := rounding
			if o.Name == "far from zero" {
				tol = 1e-6 // scikit-learn multiplies before it subtracts, and loses 9 digits
			}
			same(t, o.Name, got, c.want, tol)
		}
	}
}

func TestOracleRowNormalizer(t *testing.T) {
	for _, o := range readOracle(t).Numeric {
		same(t, o.Name, fitOn(t, &prep.RowNormalizer{}, o.Train.dense(), o.Query.dense()), o.Rows, rounding)
	}
}

func TestOracleVarianceThreshold(t *testing.T) {
	for _, o := range readOracle(t).Numeric {
		s := &prep.VarianceThreshold{}
		err := s.Fit(o.Train.dense())
		if len(o.Variance.Kept) == 0 {
			if err == nil {
				t.Errorf("%s: kept %v, but no column varies", o.Name, s.Kept)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", o.Name, err)
			continue
		}
		if diff := cmp.Diff(o.Variance.Kept, s.Kept); diff != "" {
			t.Errorf("%s, kept columns (-want +got):\n%s", o.Name, diff)
		}
		for _, j := range s.Kept {
			mltest.Near(t, o.Name+" variance", s.Variance[j], o.Variance.Variances[j], 1e-10*o.Variance.Variances[j])
		}
	}
}

func TestOraclePolynomialFeatures(t *testing.T) {
	for _, o := range readOracle(t).Numeric {
		for _, p := range o.Polynomials {
			m := &prep.PolynomialFeatures{Degree: p.Degree, InteractionsOnly: p.Interactions, NoConstant: !p.Constant}
			same(t, fmt.Sprintf("%s %+v", o.Name, *m), fitOn(t, m, o.Train.dense(), o.Query.dense()), p.Z, rounding)
		}
	}
}

func TestOracleImputer(t *testing.T) {
	for _, o := range readOracle(t).Numeric {
		for name, want := range o.Imputed {
			fill := map[string]prep.FillWith{"mean": prep.FillMean, "median": prep.FillMedian,
				"most_frequent": prep.FillMode, "constant": prep.FillConstant}[name]
			m := &prep.Imputer{Fill: fill, Value: -1, Indicators: true}
			same(t, o.Name+" "+name, fitOn(t, m, o.Holes.dense(), o.Asked.dense()), want, rounding)
		}
	}
}

func TestOracleEncoders(t *testing.T) {
	for _, o := range readOracle(t).Nominal {
		same(t, o.Name+" one-hot", fitOn(t, &prep.OneHotEncoder{}, o.Train.dense(), o.Query.dense()), o.OneHot, 0)
		same(t, o.Name+" thermometer", fitOn(t, &prep.ThermometerEncoder{}, o.Train.dense(), o.Query.dense()), o.Thermometer, 0)
		c := &prep.ConjunctionFeatures{Size: o.Size}
		z := fitOn(t, c, o.Bits.dense(), o.Asked.dense())
		if len(c.Columns) != len(o.Conjunctions) {
			t.Errorf("%s: %d conjunctions, want %d", o.Name, len(c.Columns), len(o.Conjunctions))
		}
		for k, col := range c.Columns {
			if diff := cmp.Diff(o.Conjunctions[col.Name], mat.Col(nil, k, z)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", o.Name, col.Name, diff)
			}
		}
		if len(o.Indicators) == 0 {
			continue
		}
		targets, classes := prep.ClassIndicators(o.Y)
		same(t, o.Name+" indicators", targets, o.Indicators, 0)
		if diff := cmp.Diff(o.Decided, prep.DecideClasses(o.Outputs.dense(), classes)); diff != "" {
			t.Errorf("%s, decided (-want +got):\n%s", o.Name, diff)
		}
	}
}

func TestOracleVocabulary(t *testing.T) {
	o := readOracle(t)
	for _, text := range o.Texts {
		for _, c := range []struct {
			name   string
			v      *prep.Vocabulary
			words  []string
			texts  []int
			counts [][3]int
		}{
			{"plain", &prep.Vocabulary{}, text.Plain.Words, text.Plain.Texts, text.Plain.Counts},
			{"rare", &prep.Vocabulary{MinTexts: 2}, text.Rare.Words, text.Rare.Texts, text.Rare.Counts},
			{"stopped", &prep.Vocabulary{StopWords: o.Stop}, text.Stopped.Words, text.Stopped.Texts, text.Stopped.Counts},
		} {
			if err := c.v.Learn(text.Train); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.words, c.v.Words); diff != "" {
				t.Errorf("%s %s, words (-want +got):\n%s", text.Name, c.name, diff)
				continue
			}
			if diff := cmp.Diff(c.texts, c.v.Texts); diff != "" {
				t.Errorf("%s %s, texts of each word (-want +got):\n%s", text.Name, c.name, diff)
			}
			want := mat.NewDense(len(text.Query), len(c.words), nil)
			for _, e := range c.counts {
				want.Set(e[0], e[1], float64(e[2]))
			}
			if got := mat.DenseCopyOf(c.v.Count(text.Query)); !mat.Equal(got, want) {
				t.Errorf("%s %s: the counts differ:\n%v\n%v", text.Name, c.name, mat.Formatted(got), mat.Formatted(want))
			}
		}
	}
}

func TestOraclePorterStem(t *testing.T) {
	words := 0
	for _, text := range readOracle(t).Texts {
		for word, want := range text.Stems {
			if len(word) <= 2 {
				// By design, as in Porter's own program, words of one or two letters stay
				// unchanged. NLTK follows the paper, which does not say so.
				want = word
			}
			words++
			if got := prep.PorterStem(word); got != want {
				t.Errorf("%s: got %s, want %s", word, got, want)
			}
		}
	}
	if words < 500 {
		t.Errorf("only %d words", words)
	}
}
