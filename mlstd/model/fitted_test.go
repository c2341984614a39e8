package model_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

func ports(levels ...string) model.Column {
	return model.Column{Name: "port", Kind: model.Nominal, Levels: levels}
}

func table(target model.Column, rows, cols int, v []float64, columns ...model.Column) *model.Table {
	return &model.Table{Dense: mat.NewDense(rows, cols, v), Columns: columns, Target: target}
}

var (
	km    = model.Column{Name: "distance", Unit: "km"}
	size  = model.Column{Name: "size", Kind: model.Ordinal, Levels: []string{"S", "L"}}
	price = model.Column{Name: "price"}
	train = table(price, 3, 3, []float64{0, 10, 0, 1, 20, 1, 2, 30, 0}, ports("Cherbourg", "Queenstown", "Southampton"), km, size)
)

func TestReadArranges(t *testing.T) {
	var s model.Fitted
	model.NoteXYReal(&s, train, nil)
	if got := model.MustRead("T.Predict", &s, train); got != mat.Matrix(train) {
		t.Error("the same columns are not the table itself")
	}
	if plain := mat.NewDense(1, 3, nil); model.MustRead("T.Predict", &s, plain) != mat.Matrix(plain) {
		t.Error("a plain matrix is not itself")
	}
	x := table(price, 2, 4, []float64{1, 7, 0, 40, math.NaN(), 7, 1, 50}, size, model.Column{Name: "more"}, ports("Southampton", "Queenstown"), km)
	got := model.MustRead("T.Predict", &s, x).(*model.Table)
	if want := mat.NewDense(2, 3, []float64{2, 40, 1, 1, 50, math.NaN()}); !same(got, want) {
		t.Errorf("got %v", mat.Formatted(got))
	}
	if got.Columns[0].Levels[2] != "Southampton" || got.Target.Name != "price" {
		t.Error(got.Columns, got.Target)
	}
	if x.At(0, 2) != 0 || x.Columns[2].Levels[0] != "Southampton" {
		t.Error("the table of the caller was changed")
	}
	all := model.MustReadAll("T.Transform", &s, table(price, 2, 3, []float64{1, 0, 0, 0, 0, 0}, ports("Dover", "Queenstown"), km, size)).(*model.Table)
	if all.At(0, 0) != 1 || all.At(1, 0) != 3 || strings.Join(all.Columns[0].Levels, " ") != "Cherbourg Queenstown Southampton Dover" {
		t.Error(mat.Formatted(all), all.Columns[0].Levels)
	}
	blank := table(price, 1, 3, []float64{math.NaN(), 0, 0}, model.Column{Name: "port"}, km, size)
	if got := model.MustRead("T.Predict", &s, blank); !math.IsNaN(got.At(0, 0)) {
		t.Error("a column without a value has one")
	}
}

func same(a, b mat.Matrix) bool {
	r, c := a.Dims()
	if m, k := b.Dims(); m != r || k != c {
		return false
	}
	for i := range r {
		for j := range c {
			if x, y := a.At(i, j), b.At(i, j); x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
				return false
			}
		}
	}
	return true
}

func TestReadRefuses(t *testing.T) {
	var s, plain, names, twice model.Fitted
	model.NoteXYReal(&s, train, nil)
	model.NoteX(&plain, mat.NewDense(3, 3, nil))
	texts := ports(make([]string, 200)...)
	model.NoteOuter(&names, table(price, 3, 3, nil, texts, km, size))
	double := table(price, 1, 2, nil, model.Column{Name: "a"}, model.Column{Name: "a"})
	model.NoteX(&twice, double)
	if _, err := model.Read("T.Predict", &twice, double); err != nil {
		t.Error(err)
	}
	for want, tt := range map[string]struct {
		s *model.Fitted
		x *model.Table
	}{
		`x must have the column "port" that the model was fitted on, got "harbor", "distance", "size"`: {&s,
			table(price, 1, 3, nil, model.Column{Name: "harbor"}, km, size)},
		`x must have the columns "port", "size" that the model was fitted on, got "distance"`: {&s, table(price, 1, 1, nil, km)},
		`"port" must be one of "Cherbourg", "Queenstown", "Southampton", as when the model was fitted, got "Dover" in row 1`: {&s,
			table(price, 2, 3, []float64{0, 0, 0, 1, 0, 0}, ports("Queenstown", "Dover"), km, size)},
		`"size" must be one of "S", "L", as when the model was fitted, got "XL"`: {&s,
			table(price, 1, 3, nil, ports("Cherbourg"), km, model.Column{Name: "size", Kind: model.Ordinal, Levels: []string{"XL"}})},
		`"port" must have names such as "Cherbourg", as when the model was fitted, got numbers`: {&s,
			table(price, 1, 3, nil, model.Column{Name: "port"}, km, size)},
		`"port" must have names, as when the model was fitted, got numbers`: {&names, table(price, 1, 3, nil, model.Column{Name: "port"}, km, size)},
		`column "port" must have names such as "Cherbourg", as when`:        {&s, table(price, 1, 3, nil, model.Column{Name: "port", Kind: model.Nominal}, km, size)},
		`"distance" must be numeric, as when the model was fitted, got levels such as "far"`: {&s,
			table(price, 1, 3, nil, ports("Cherbourg"), model.Column{Name: "distance", Kind: model.Nominal, Levels: []string{"far"}}, size)},
		`"distance" must be in "km", as when the model was fitted, got "miles"`: {&s,
			table(price, 1, 3, nil, ports("Cherbourg"), model.Column{Name: "distance", Unit: "miles"}, size)},
		`x[0][0] must be the index of one of the 1 levels of "port",`:                                                  {&s, table(price, 1, 3, []float64{3, 0, 0}, ports("Southampton"), km, size)},
		`"port" must be numbers, since the model was fitted to a matrix without names, got levels such as "Cherbourg"`: {&plain, train},
		`x must have 3 entries in Columns (one per column), got 1`:                                                     {&s, table(price, 1, 3, nil, km)},
		`x must have the columns "a", "a", as the model was fitted on, got "a", "b"`:                                   {&twice, table(price, 1, 2, nil, model.Column{Name: "a"}, model.Column{Name: "b"})},
	} {
		_, err := model.Read("T.Predict", tt.s, tt.x)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Levels named 0 and 1 are the numbers 0 and 1.
func TestReadTakesBitsForNumbers(t *testing.T) {
	var s model.Fitted
	bit := model.Column{Name: "bit", Kind: model.Nominal, Levels: []string{"0", "1"}}
	model.NoteX(&s, table(price, 2, 1, []float64{0, 1}, model.Column{Name: "bit"}))
	if got := model.MustRead("T.Predict", &s, table(price, 2, 1, []float64{1, 0}, bit)); got.At(0, 0) != 1 {
		t.Error(mat.Formatted(got))
	}
	one := model.Column{Name: "bit", Kind: model.Nominal, Levels: []string{"1"}}
	if got := model.MustRead("T.Predict", &s, table(price, 1, 1, []float64{0}, one)); got.At(0, 0) != 1 {
		t.Error(mat.Formatted(got))
	}
	three := model.Column{Name: "bit", Kind: model.Nominal, Levels: []string{"2", "1", "0"}}
	if _, err := model.Read("T.Predict", &s, table(price, 1, 1, []float64{0}, three)); err == nil {
		t.Error("levels beside 0 and 1 are taken for numbers")
	}
	model.NoteX(&s, table(price, 2, 1, []float64{0, 1}, three))
	if got := model.MustRead("T.Predict", &s, table(price, 1, 1, []float64{0}, bit)); got.At(0, 0) != 2 {
		t.Error(mat.Formatted(got))
	}
	model.NoteX(&s, table(price, 2, 1, []float64{0, 1}, bit))
	if got := model.MustRead("T.Predict", &s, table(price, 1, 1, []float64{0}, one)); got.At(0, 0) != 1 {
		t.Error(mat.Formatted(got))
	}
	if got := model.MustRead("T.Predict", &s, table(price, 2, 1, []float64{1, 0}, model.Column{Name: "bit"})); got.At(0, 0) != 1 {
		t.Error(mat.Formatted(got))
	}
}

func TestReadRefusesOtherClasses(t *testing.T) {
	var s model.Fitted
	target := ports("Cherbourg", "Queenstown", "Southampton")
	x := func(target model.Column) *model.Table { return table(target, 2, 1, []float64{1, 2}, km) }
	model.NoteXY(&s, x(target), []int{0, 2})
	for _, ok := range []model.Column{target, ports("Cherbourg", "Queenstown"), ports("Cherbourg", "Queenstown", "Southampton", "Dover"), ports(), {}, {Name: "class", Levels: []string{"b"}}} {
		if _, err := model.Read("T.Predict", &s, x(ok)); err != nil {
			t.Error(err)
		}
	}
	_, err := model.Read("T.Predict", &s, x(ports("Queenstown", "Southampton")))
	if want := `class 0 of the target "port" must be "Cherbourg", as when the model was fitted, got "Queenstown"`; err == nil || !strings.Contains(err.Error(), want) {
		t.Error(err)
	}
	model.NoteXY(&s, x(target), []int{-1, 1}) // which are not positions of levels
	if _, err := model.Read("T.Predict", &s, x(ports("Queenstown", "Southampton"))); err != nil {
		t.Error(err)
	}
}

func TestRenumber(t *testing.T) {
	s := model.Schema{Target: ports("Cherbourg", "Queenstown", "Southampton")}
	y, target, err := s.Renumber("Score", []int{0, 1, 2}, ports("Southampton", "Dover", "Queenstown"))
	if err != nil || y[0] != 2 || y[1] != 3 || y[2] != 1 || strings.Join(target.Levels, " ") != "Cherbourg Queenstown Southampton Dover" {
		t.Error(y, target, err)
	}
	if _, _, err := s.Renumber("Score", []int{0}, model.Column{Name: "harbor", Levels: []string{"Dover"}}); err == nil || !strings.Contains(err.Error(), `the target must be "port", which the model was fitted to predict, got "harbor"`) {
		t.Error(err)
	}
	if _, _, err := s.Renumber("Score", []int{5}, ports("Dover")); err == nil || !strings.Contains(err.Error(), "y[0] must be a class from 0 to 0, got 5") {
		t.Error(err)
	}
}

// A model with models inside leaves unknown levels to them, in the same codes as
// MustReadAll, and does not remember texts.
func TestNoteOuter(t *testing.T) {
	var s model.Fitted
	model.NoteOuterXYReal(&s, train, nil)
	got := model.MustRead("T.Predict", &s, table(price, 2, 3, []float64{0, 0, 0, 1, 0, 0}, ports("Dover", "Queenstown"), km, size)).(*model.Table)
	if got.At(0, 0) != 3 || got.At(1, 0) != 1 {
		t.Error(mat.Formatted(got))
	}
	texts := make([]string, 200)
	for i := range texts {
		texts[i] = "text " + strconv.Itoa(i)
	}
	for _, n := range []int{200, 400} {
		model.NoteOuter(&s, table(price, n, 1, nil, ports(texts...)))
		x := table(price, 1, 1, []float64{0}, ports("text 7"))
		if got := model.MustRead("T.Predict", &s, x); (got.At(0, 0) == 0) != (n == 200) {
			t.Errorf("%d rows: %v", n, mat.Formatted(got))
		}
	}
}

// A schema does not change when the table changes, and all models fitted to the same columns share
// it.
func TestFittedKeepsACopy(t *testing.T) {
	var a, b model.Fitted
	x := table(price, 1, 1, nil, ports("Cherbourg", "Queenstown"))
	model.NoteXYReal(&a, x, nil)
	model.NoteXYReal(&b, table(price, 5, 1, nil, ports("Cherbourg", "Queenstown")), nil)
	if a != b {
		t.Error("the same columns are remembered twice")
	}
	x.Columns[0].Levels[0], x.Columns[0].Name = "Dover", "harbor"
	got := a.Schema()
	if got.Features[0].Name != "port" || got.Features[0].Levels[0] != "Cherbourg" || got.Target.Name != "price" {
		t.Error(got)
	}
	got.Features[0].Levels[0] = "Dover"
	if a.Schema().Features[0].Levels[0] != "Cherbourg" {
		t.Error("who writes into a Schema changes the model")
	}
}

// A model that learns from batches remembers the columns of the first batch, unless that batch was
// an error.
func TestReadBatch(t *testing.T) {
	batch := func(s *model.Fitted, x mat.Matrix, fail error) (err error) {
		defer model.Unread(s, *s, &err)
		if _, err = model.ReadBatch("T.PartialFit", s, x, nil); err != nil {
			return err
		}
		return fail
	}
	var s model.Fitted
	if err := batch(&s, train, model.Errorf("T.PartialFit", "no")); err == nil || len(s.Schema().Features) > 0 {
		t.Error(err, s.Schema())
	}
	if err := batch(&s, train, nil); err != nil || len(s.Schema().Features) != 3 {
		t.Error(err, s.Schema())
	}
	if err := batch(&s, table(price, 1, 1, nil, km), nil); err == nil || len(s.Schema().Features) != 3 {
		t.Error(err, s.Schema())
	}
}

func TestSliceKeepsColumns(t *testing.T) {
	part := train.Slice(1, 3, 0, 2)
	if c := model.ColumnsOf(part); len(c) != 2 || c[0].Name != "port" || part.At(0, 0) != 1 {
		t.Error(c, mat.Formatted(part))
	}
	if _, ok := (&model.Table{Dense: mat.NewDense(2, 2, nil)}).Slice(0, 1, 0, 1).(*mat.Dense); !ok {
		t.Error("a table without columns has got some")
	}
}

func BenchmarkMustRead(b *testing.B) {
	var s model.Fitted
	model.NoteX(&s, train)
	plain := mat.Matrix(mat.NewDense(1, 3, nil))
	for name, x := range map[string]mat.Matrix{"plain": plain, "table": train} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				model.MustRead("T.Predict", &s, x)
			}
		})
	}
}

// Reading columns that are those of Fit takes no memory.
func TestMustReadDoesNotAllocate(t *testing.T) {
	var s model.Fitted
	model.NoteX(&s, train)
	for _, x := range []mat.Matrix{mat.NewDense(1, 3, nil), train} {
		if n := testing.AllocsPerRun(100, func() { model.MustRead("T.Predict", &s, x) }); n > 0 {
			t.Errorf("%T: %v allocations", x, n)
		}
	}
}
