package prep_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/prep"
)

func TestTextEncoderOracle(t *testing.T) {
	var o struct {
		Stop []string
		Sets []struct {
			Name         string
			Train, Query []string
			Fits         []struct {
				Key   string
				Terms []string
				Z     [][3]float64
			}
		}
	}
	mltest.ReadOracle(t, "text", &o)
	if len(o.Sets) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	encoders := map[string]prep.TextEncoder{"weights": {}, "pairs": {Grams: 2, StopWords: o.Stop}, "rare": {MinTexts: 2}, "counts": {Grams: 3, Counts: true}, "hash": {Hash: 16, Counts: true}}
	for _, s := range o.Sets {
		for _, f := range s.Fits {
			t.Run(s.Name+" "+f.Key, func(t *testing.T) {
				e := encoders[f.Key]
				if err := e.Fit(prep.TextTable("line", s.Train)); err != nil {
					t.Fatal(err)
				}
				got := e.Transform(prep.TextTable("line", s.Query))
				n, cols := got.Dims()
				if f.Key != "hash" {
					for j, name := range got.ColumnNames() {
						if want := "line: " + f.Terms[j]; name != want {
							t.Fatalf("column %d is %q, want %q", j, name, want)
						}
					}
				}
				want := mat.NewDense(n, cols, nil)
				for _, c := range f.Z {
					want.Set(int(c[0]), int(c[1]), c[2])
				}
				mltest.NearAll(t, "values", got.RawMatrix().Data, want.RawMatrix().Data, 1e-12)
			})
		}
	}
}

// reviews has a column of texts, one of them missing, and a column of numbers.
func reviews() *model.Table {
	texts := prep.TextTable("review", []string{"good fun", "not good", "", "good good film"})
	d := mat.NewDense(4, 2, nil)
	for i := range 4 {
		d.SetRow(i, []float64{texts.At(i, 0), float64(i)})
	}
	d.Set(2, 0, math.NaN())
	return &model.Table{Dense: d, Columns: []model.Column{texts.Columns[0], {Name: "stars"}}}
}

func TestTextEncoderTable(t *testing.T) {
	e := &prep.TextEncoder{Counts: true, Limit: 2, Grams: 2}
	x := reviews()
	if err := e.Fit(x); err != nil {
		t.Fatal(err)
	}
	z := e.Transform(x)
	if names := strings.Join(z.ColumnNames(), "|"); names != "review: film|review: good|stars" {
		t.Errorf("got the columns %q", names)
	}
	if want := []float64{0, 1, 0, 0, 1, 1, 0, 0, 2, 1, 2, 3}; !slices.Equal(z.RawMatrix().Data, want) {
		t.Errorf("got %v, want %v", z.RawMatrix().Data, want)
	}
	// Words that occur only in other rows are not learned, although the column lists their texts.
	part := &model.Table{Dense: mat.DenseCopyOf(x.Slice(0, 2, 0, 2)), Columns: x.Columns}
	if err := e.Fit(part); err != nil {
		t.Fatal(err)
	}
	for _, c := range e.Columns {
		if strings.Contains(c.Name, "film") {
			t.Errorf("a column %q", c.Name)
		}
	}
}

func TestTextEncoderRefuses(t *testing.T) {
	bad := reviews()
	bad.Set(0, 0, 9)
	for want, err := range map[string]error{
		"x must have a column of texts":                             (&prep.TextEncoder{}).Fit(mat.NewDense(2, 1, nil)),
		"Grams must not be negative, got -1":                        (&prep.TextEncoder{Grams: -1}).Fit(reviews()),
		"Hash is set":                                               (&prep.TextEncoder{Hash: 8, Limit: 3}).Fit(reviews()),
		`at least one term of the texts in "review" must remain`:    (&prep.TextEncoder{MinTexts: 9}).Fit(reviews()),
		"x[0][0] must be the index of one of the 4 texts of column": (&prep.TextEncoder{}).Fit(bad),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	e := &prep.TextEncoder{}
	if err := e.Fit(reviews()); err != nil {
		t.Fatal(err)
	}
	for want, x := range map[string]mat.Matrix{`column 0, "x1", must be of the same kind as in Fit, got`: mat.NewDense(1, 2, nil), "x must have 2 columns, as in Fit, got 1": mat.NewDense(1, 1, nil)} {
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want a panic with %q", err, want)
				}
			}()
			e.Transform(x)
		}()
	}
}

// asTexts is a TextEncoder of matrices, for the checks of transformers: it reads each number as a
// text of two words. Its columns have the same names whether or not x has names.
type asTexts struct{ *prep.TextEncoder }

func texts(x mat.Matrix) mat.Matrix {
	d, err := model.Takes{Missing: true, Nominal: true}.CheckX("texts", x)
	if err != nil {
		return x
	}
	n, cols := d.Dims()
	out := model.Named(x, mat.NewDense(n, cols, nil), slices.Clone(model.ColumnsOf(x)))
	for j := range cols {
		words := make([]string, n)
		for i := range n {
			v := d.At(i, j)
			words[i] = "number n" + strconv.FormatFloat(math.Abs(v)*1000, 'f', 0, 64)
		}
		t := prep.TextTable("", words)
		for i := range n {
			if out.Set(i, j, t.At(i, 0)); math.IsNaN(d.At(i, j)) {
				out.Set(i, j, math.NaN())
			}
		}
		out.Columns[j] = model.Column{Name: "column " + strconv.Itoa(j), Kind: model.Nominal, Levels: t.Columns[0].Levels}
	}
	return out
}

func (a asTexts) Fit(x mat.Matrix) error              { return a.TextEncoder.Fit(texts(x)) }
func (a asTexts) Transform(x mat.Matrix) *model.Table { return a.TextEncoder.Transform(texts(x)) }

func TestTextEncoderConformance(t *testing.T) {
	modeltest.Transformer(t, func() model.Transformer { return asTexts{&prep.TextEncoder{Grams: 2}} }, modeltest.Options{X: few(5)})
}
