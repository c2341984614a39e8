package course

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/table"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/online"
)

// estimator shows a model of the library: the parameters that were set, and the shapes of the
// fields that Fit has set.
type estimator struct{ v reflect.Value }

// notFitted ends the first line of a model that has not been fitted.
const notFitted = ", not fitted"

// library is the import path prefix of the models that are shown this way.
var library = strings.TrimSuffix(reflect.TypeFor[model.Table]().PkgPath(), "model")

func estimatorOf(v any) (estimator, bool) {
	rv := reflect.ValueOf(v)
	if rv.Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	if rv.Kind() != reflect.Struct || !strings.HasPrefix(rv.Type().PkgPath(), library) {
		return estimator{}, false
	}
	if _, ok := reflect.PointerTo(rv.Type()).MethodByName("Fit"); !ok {
		return estimator{}, false
	}
	return estimator{rv}, true
}

func (e estimator) Display() (display.Bundle, error) {
	head, rows := e.split()
	if len(rows) == 0 {
		return display.Text(head), nil
	}
	return table.New(grid{head: []string{"set by Fit", ""}, rows: rows}).Caption(head).Rows(0).Display()
}

// split returns the parameters as a literal, and one row per field that Fit has set. The
// parameters come first in the structs of the library. They end at the embedded Control or, if
// there is none before them, at the first slice, matrix or struct, except Steps.
func (e estimator) split() (head string, rows [][]any) {
	t := e.v.Type()
	control := slices.IndexFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool { return f.Type == reflect.TypeFor[model.Control]() })
	var set []string
	state, fitted := false, false
	for i := range t.NumField() {
		f, v := t.Field(i), e.v.Field(i)
		if i == control {
			state = i > 0
			continue
		}
		if f.Type == reflect.TypeFor[model.Fitted]() {
			continue // Schema shows it
		}
		if i > control && !state {
			switch f.Type.Kind() {
			case reflect.Slice, reflect.Pointer, reflect.Struct, reflect.Map:
				state = f.Name != "Steps"
			}
		}
		state = state || !f.IsExported()
		switch {
		case v.IsZero():
		case !state:
			set = append(set, f.Name+": "+brief(v))
			if m, ok := estimatorOf(v.Interface()); ok { // a pipeline is fitted if its last model is
				inner, _ := m.split()
				fitted = fitted || !strings.HasSuffix(inner, notFitted)
			}
		default:
			fitted = true
			if !f.IsExported() {
				continue
			}
			if named := e.coefficients(f.Name, v); named != nil {
				rows = append(rows, named...)
				continue
			}
			rows = append(rows, []any{f.Name, brief(v)})
		}
	}
	head = t.Name() + "{" + strings.Join(set, ", ") + "}"
	if !fitted {
		head += notFitted
	}
	return head, rows
}

// mostCoefficients is the maximum number of coefficients that are shown with the names of their
// columns.
const mostCoefficients = 30

// coefficients returns a row per coefficient of a model that knows the names of its columns. For
// the field with the names it returns no rows, and nil for other fields.
func (e estimator) coefficients(field string, v reflect.Value) [][]any {
	columns := e.v.FieldByName("Columns")
	if !columns.IsValid() || columns.Type() != reflect.TypeFor[[]string]() || columns.Len() == 0 || columns.Len() > mostCoefficients {
		return nil
	}
	var coef []float64
	switch x := v.Interface().(type) {
	case []float64:
		coef = x
	case *mat.Dense:
		if r, _ := x.Dims(); r == 1 {
			coef = x.RawRowView(0)
		}
	case []string:
		if at := e.v.FieldByName("Coef"); field == "Columns" && at.IsValid() && e.coefficients("Coef", at) != nil {
			return [][]any{}
		}
	}
	if field != "Coef" || len(coef) != columns.Len() {
		return nil
	}
	var rows [][]any
	for j, c := range coef {
		rows = append(rows, []any{"Coef of " + columns.Index(j).String(), display.Number(c)})
	}
	return rows
}

// brief returns the model as a literal, or only the name of its type if the literal is long.
func (e estimator) brief() string {
	head, _ := e.split()
	if head = strings.TrimSuffix(head, notFitted); len(head) > 70 {
		return e.v.Type().Name()
	}
	return head
}

// brief describes the value of a field in a few words.
func brief(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case mat.Matrix:
		r, c := x.Dims()
		return fmt.Sprintf("%d×%d matrix", r, c)
	case model.Trace:
		return traceWords("steps", "objective", x.Loss, x.Converged)
	case online.MistakeTrace:
		return traceWords("epochs", "mistakes", x.Mistakes, x.Converged)
	case string:
		return fmt.Sprintf("%q", x)
	case float64:
		if x == model.Zero {
			return "ml.Zero"
		}
	}
	if e, ok := estimatorOf(v.Interface()); ok {
		return e.brief()
	}
	switch v.Kind() {
	case reflect.Float64:
		return display.Number(v.Float())
	case reflect.Func:
		return "func"
	case reflect.Slice, reflect.Map:
		if steps, ok := v.Interface().([]model.Transformer); ok {
			return stepsOf(steps)
		}
		if s := display.Format(v.Interface()); v.Len() <= 8 && len(s) <= 70 && !strings.Contains(s, "\n") && isNumber(v.Type().Elem()) {
			return s[max(0, strings.IndexByte(s, '{')):] // a type with its own String method may have no brace
		}
		return fmt.Sprintf("%d of %s", v.Len(), strings.TrimPrefix(v.Type().Elem().String(), "*"))
	case reflect.Pointer, reflect.Struct:
		if s := display.Format(v.Interface()); len(s) <= 70 && !strings.Contains(s, "\n") {
			return s
		}
		return strings.TrimPrefix(v.Type().String(), "*")
	}
	return display.Format(v.Interface())
}

// stepsOf lists transformers in order.
func stepsOf(steps []model.Transformer) string {
	names := make([]string, len(steps))
	for i, s := range steps {
		names[i] = strings.TrimPrefix(fmt.Sprintf("%T", s), "*")
		if e, ok := estimatorOf(s); ok {
			names[i] = e.brief()
		}
	}
	return "{" + strings.Join(names, ", ") + "}"
}

func isNumber(t reflect.Type) bool {
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64
}

func traceWords(unit, what string, values []float64, converged bool) string {
	if len(values) == 0 {
		return "empty"
	}
	if len(values) == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	s := fmt.Sprintf("%d %s, %s %s → %s", len(values), unit, what, display.Number(values[0]), display.Number(values[len(values)-1]))
	if converged {
		return s + ", converged"
	}
	return s + ", not converged"
}
