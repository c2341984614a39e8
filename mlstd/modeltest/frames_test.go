package modeltest_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/internal/snapshot"
	"github.com/gokernel/gokernel/mlstd/regress"
	"github.com/gokernel/gokernel/mlstd/survival"
)

// frameModels are fitted models of formulas, which read frames instead of matrices.
var frameModels = map[string]func(f *frame.Frame) (any, error){
	"regress.RegressionModel": func(f *frame.Frame) (any, error) { return regress.OLS(f, "y ~ a + b*color + scale(c)") },
	"regress.MixedRegression": func(f *frame.Frame) (any, error) { return regress.MixedModel(f, "y ~ a + color + (1 | site)") },
	"survival.CoxModel":       func(f *frame.Frame) (any, error) { return survival.Cox(f, "Surv(c, dead) ~ a + color") },
}

var frameType = reflect.TypeFor[*frame.Frame]()

// frameResults calls each method of m that takes new rows as a frame.
func frameResults(m any, f *frame.Frame) (all [][]float64, err error) {
	v := reflect.ValueOf(m)
	for i := range v.NumMethod() {
		t := v.Method(i).Type()
		if t.NumIn() == 0 || t.In(0) != frameType || t.NumOut() == 0 || t.Out(0) != frameType && t.Out(0) != reflect.TypeFor[*frame.Column]() {
			continue
		}
		in := []reflect.Value{reflect.ValueOf(f)}
		for k := 1; k < t.NumIn() && !(t.IsVariadic() && k == t.NumIn()-1); k++ {
			in = append(in, reflect.ValueOf(3.0).Convert(t.In(k)))
		}
		out := v.Method(i).Call(in)
		if t.NumOut() > 1 && !out[1].IsNil() {
			return nil, out[1].Interface().(error)
		}
		switch r := out[0].Interface().(type) {
		case *frame.Column:
			all = append(all, r.Floats())
		case *frame.Frame:
			for _, name := range r.Names() {
				all = append(all, r.Col(name).Floats())
			}
		}
	}
	return all, nil
}

// Models of formulas read frames by the names of columns and levels, or return an error. That holds
// for a new model and for a saved and loaded one.
func TestNoModelOfAFormulaMisreadsAFrame(t *testing.T) {
	f := allRows(threeClasses)
	site, dead, later := make([]string, rowsOfAll), make([]int, rowsOfAll), f.Col("c").Floats()
	for i := range site {
		later[i]++
		site[i], dead[i] = string(rune('p'+i*5%7)), i%4&1
	}
	f = f.With("site", site).With("dead", dead).With("c", later)
	for _, registered := range snapshot.Known() {
		name, typ := strings.TrimPrefix(registered, "*"), snapshot.Type(registered)
		if m, ok := typ.MethodByName("Predict"); ok && m.Type.NumIn() > 1 && m.Type.In(1) == frameType && frameModels[name] == nil {
			t.Errorf("%s predicts for frames; add it to frameModels", name)
		}
	}
	for name, fit := range frameModels {
		fitted, err := fit(f)
		if err != nil {
			t.Fatal(name, err)
		}
		for how, m := range map[string]any{"": fitted, ", saved": loaded(t, fitted)} {
			same := func(what string, got, want *frame.Frame) {
				t.Helper()
				a, err := frameResults(m, got)
				b, again := frameResults(fitted, want)
				if err != nil || again != nil || len(b) == 0 || len(a) != len(b) {
					t.Errorf("%s%s, %s: %v, %v, %d results", name, how, what, err, again, len(b))
					return
				}
				for k := range a {
					mltest.NearAll(t, name+how+", "+what, a[k], b[k], 1e-12)
				}
			}
			refused := func(what string, f *frame.Frame, words ...string) {
				t.Helper()
				got, err := frameResults(m, f)
				for _, w := range words {
					if err == nil || !strings.Contains(err.Error(), w) {
						t.Errorf("%s%s, %s: got %v, %v, want an error with %s", name, how, what, got, err, w)
					}
				}
			}
			same("columns in another order, and more", f.Select(reversed(f.Names())...).With("more", 1.0), f)
			red := f.Where(f.Col("color").Equal("red"))
			same("fewer levels", red, red)
			same("fewer levels, coded", coded(red, "color", "red"), red)
			same("levels in another order", coded(f, "color", "red", "black", "green", "blue"), f)
			refused("a renamed column", f.Rename("a", "aa"), `"a"`)
			refused("a column less", f.Drop("color"), `"color"`)
			refused("an unknown level", replaced(f, "color", "red", "amber"), `"amber"`, `"color"`)
			refused("names that became numbers", f.With("color", f.Col("b")), `"color"`)
			refused("numbers that became names", f.With("a", f.Col("kind")), `"a"`)
		}
	}
}
