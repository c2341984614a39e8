package homework

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"
)

// widest is the maximum number of runes of a value in a sentence.
const widest = 70

// brief formats a value in one short line.
func brief(v reflect.Value) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprintf("a %s that cannot be written", typeName(v.Type()))
		}
	}()
	if !v.IsValid() {
		return "nil"
	}
	if m, ok := matrix(v); ok {
		r, c := m.Dims()
		rows := make([]string, r)
		for i := range rows {
			rows[i] = fmt.Sprint(mat.Row(nil, i, m))
		}
		s = "[" + strings.Join(rows, " ") + "]"
		if utf8.RuneCountInString(s) > widest {
			return fmt.Sprintf("a matrix of %d × %d", r, c)
		}
		return s
	}
	switch {
	case v.Kind() == reflect.String:
		s = fmt.Sprintf("%q", v.String())
	case v.Kind() == reflect.Func:
		return "a function"
	case v.CanInterface():
		s = strings.ReplaceAll(fmt.Sprintf("%v", v.Interface()), "\n", " ")
	default:
		s = fmt.Sprintf("%v", v)
	}
	if v.Kind() == reflect.Slice && utf8.RuneCountInString(s) > widest {
		return clip(s, widest-14) + fmt.Sprintf(" (%d in all)", v.Len())
	}
	return clip(s, widest)
}

func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

func list(args []any) string { return texts(reflected(args)) }

func texts(vs []reflect.Value) string {
	if len(vs) == 0 {
		return ""
	}
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = brief(v)
	}
	return strings.Join(out, ", ")
}

func reflected(values []any) []reflect.Value {
	out := make([]reflect.Value, len(values))
	for i, v := range values {
		out[i] = reflect.ValueOf(v)
	}
	return out
}

func interfaces(vs []reflect.Value) []any {
	out := make([]any, len(vs))
	for i, v := range vs {
		out[i] = v.Interface()
	}
	return out
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func matrix(v reflect.Value) (mat.Matrix, bool) {
	if !v.IsValid() || !v.CanInterface() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, false
	}
	m, ok := v.Interface().(mat.Matrix)
	return m, ok
}

// copies copies values that others can change: a variable of the notebook may have changed by the
// time the check is made.
func copies(values []any) []any {
	out := make([]any, len(values))
	for i, v := range values {
		if v != nil {
			out[i] = copyOf(reflect.ValueOf(v)).Interface()
		}
	}
	return out
}

// Copy returns a deep copy of a value, except for structs with unexported fields.
func Copy(v reflect.Value) reflect.Value { return copyOf(v) }

// copyOf copies what a function could change: slices, maps, matrices, and structs whose fields
// are all exported, also behind pointers. Other values are shared.
func copyOf(v reflect.Value) reflect.Value { return copier{}.copy(v) }

type copier map[uintptr]reflect.Value

func (seen copier) copy(v reflect.Value) reflect.Value {
	if !v.IsValid() {
		return v
	}
	switch m := value(v).(type) {
	case *mat.Dense:
		if m != nil && !m.IsEmpty() {
			return reflect.ValueOf(mat.DenseCopyOf(m))
		}
	case *mat.VecDense:
		if m != nil && !m.IsEmpty() {
			return reflect.ValueOf(mat.VecDenseCopyOf(m))
		}
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(seen.copy(v.Index(i)))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			out.Index(i).Set(seen.copy(v.Index(i)))
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
			for it := v.MapRange(); it.Next(); {
				out.SetMapIndex(it.Key(), seen.copy(it.Value()))
			}
		}
	case reflect.Pointer:
		if v.IsNil() || !open(v.Type().Elem()) {
			break
		}
		if p, ok := seen[v.Pointer()]; ok && p.Type() == v.Type() {
			return p
		}
		p := reflect.New(v.Type().Elem())
		seen[v.Pointer()] = p
		p.Elem().Set(seen.copy(v.Elem()))
		out.Set(p)
	case reflect.Struct:
		if open(v.Type()) {
			for i := range v.NumField() {
				out.Field(i).Set(seen.copy(v.Field(i)))
			}
		}
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(seen.copy(v.Elem()))
		}
	}
	return out
}

func value(v reflect.Value) any {
	if !v.CanInterface() {
		return nil
	}
	return v.Interface()
}

// open reports whether values of the type can be copied field by field.
func open(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return true
	}
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			return false
		}
	}
	return true
}

// whole is the result of differs for different values without parts. The caller's sentence shows
// both values, so it needs no place.
const whole = "differs"

// differs returns "" if the values are equal up to the tolerance, whole if they are simple and
// differ, and otherwise the place of the difference.
func differs(got, want reflect.Value, tol float64) string {
	d := &comparison{tol: tol}
	if d.equal(got, want, "") {
		return ""
	}
	if d.where == "" {
		return whole
	}
	return d.where
}

type comparison struct {
	tol   float64
	where string
	depth int
}

// fail records where the values differ; the innermost place comes first.
func (d *comparison) fail(path, format string, args ...any) bool {
	if path != "" && d.where == "" {
		d.where = "at " + path + " it " + fmt.Sprintf(format, args...)
	} else if path == "" && d.where == "" && format != "" && strings.Contains(format, "length") {
		d.where = "it " + fmt.Sprintf(format, args...)
	}
	return false
}

func (d *comparison) equal(got, want reflect.Value, path string) bool {
	for got.IsValid() && got.Kind() == reflect.Interface {
		got = got.Elem()
	}
	for want.IsValid() && want.Kind() == reflect.Interface {
		want = want.Elem()
	}
	if !got.IsValid() || !want.IsValid() {
		if isNil(got) && isNil(want) {
			return true
		}
		return d.fail(path, "is %s, expected %s", brief(got), brief(want))
	}
	if d.depth++; d.depth > 1000 {
		return true // values this deep are cyclic
	}
	defer func() { d.depth-- }()
	if a, ok := number(got); ok {
		b, ok := number(want)
		if !ok || !close(a, b, d.tol) {
			return d.fail(path, "is %s, expected %s", brief(got), brief(want))
		}
		return true
	}
	if a, ok := matrix(got); ok {
		return d.matrices(a, want, path)
	}
	if e, ok := value(got).(error); ok {
		w, isErr := value(want).(error)
		if isErr && e.Error() == w.Error() {
			return true
		}
		return d.fail(path, "is %s, expected %s", brief(got), brief(want))
	}
	switch got.Kind() {
	case reflect.Slice, reflect.Array:
		return d.slices(got, want, path)
	case reflect.Map:
		return d.maps(got, want, path)
	case reflect.Struct:
		if got.Type() != want.Type() {
			return d.fail(path, "is a %s, expected a %s", typeName(got.Type()), typeName(want.Type()))
		}
		for i := range got.NumField() {
			if !d.equal(got.Field(i), want.Field(i), path+"."+got.Type().Field(i).Name) {
				return false
			}
		}
		return true
	case reflect.Pointer:
		if want.Kind() != reflect.Pointer || got.IsNil() != want.IsNil() {
			return d.fail(path, "is %s, expected %s", brief(got), brief(want))
		}
		return got.IsNil() || got.Pointer() == want.Pointer() || d.equal(got.Elem(), want.Elem(), path)
	case reflect.String, reflect.Bool:
		if want.Kind() == got.Kind() && fmt.Sprint(got) == fmt.Sprint(want) {
			return true
		}
	case reflect.Complex64, reflect.Complex128:
		if want.CanComplex() && close(real(got.Complex()), real(want.Complex()), d.tol) && close(imag(got.Complex()), imag(want.Complex()), d.tol) {
			return true
		}
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if got.Type() == want.Type() && got.Pointer() == want.Pointer() {
			return true
		}
	}
	return d.fail(path, "is %s, expected %s", brief(got), brief(want))
}

func isNil(v reflect.Value) bool {
	if !v.IsValid() {
		return true
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan:
		return v.IsNil()
	}
	return false
}

func (d *comparison) slices(got, want reflect.Value, path string) bool {
	if k := want.Kind(); k != reflect.Slice && k != reflect.Array {
		return d.fail(path, "is %s, expected %s", brief(got), brief(want))
	}
	if got.Len() != want.Len() {
		return d.fail(path, "has length %d, expected %d", got.Len(), want.Len())
	}
	for i := range got.Len() {
		if !d.equal(got.Index(i), want.Index(i), fmt.Sprintf("%s[%d]", path, i)) {
			return false
		}
	}
	return true
}

func (d *comparison) maps(got, want reflect.Value, path string) bool {
	if want.Kind() != reflect.Map || got.Type().Key() != want.Type().Key() {
		return d.fail(path, "is %s, expected %s", brief(got), brief(want))
	}
	for it := want.MapRange(); it.Next(); {
		at := fmt.Sprintf("%s[%s]", path, brief(it.Key()))
		v := got.MapIndex(it.Key())
		if !v.IsValid() {
			return d.fail(at, "has no value, expected %s", brief(it.Value()))
		}
		if !d.equal(v, it.Value(), at) {
			return false
		}
	}
	for it := got.MapRange(); it.Next(); {
		if !want.MapIndex(it.Key()).IsValid() {
			return d.fail(fmt.Sprintf("%s[%s]", path, brief(it.Key())), "has %s, expected no value", brief(it.Value()))
		}
	}
	return true
}

func (d *comparison) matrices(a mat.Matrix, want reflect.Value, path string) bool {
	b, ok := matrix(want)
	if !ok {
		if rows, isRows := value(want).([][]float64); isRows && len(rows) > 0 {
			flat := mat.NewDense(len(rows), len(rows[0]), nil)
			for i, r := range rows {
				flat.SetRow(i, r)
			}
			b, ok = flat, true
		}
	}
	if !ok {
		return d.fail(path, "is %s, expected %s", brief(reflect.ValueOf(a)), brief(want))
	}
	r, c := a.Dims()
	r2, c2 := b.Dims()
	if r != r2 || c != c2 {
		return d.fail(path+"the shape", "is %d × %d, expected %d × %d", r, c, r2, c2)
	}
	for i := range r {
		for j := range c {
			if !close(a.At(i, j), b.At(i, j), d.tol) {
				return d.fail(fmt.Sprintf("%s[%d, %d]", path, i, j), "is %v, expected %v", a.At(i, j), b.At(i, j))
			}
		}
	}
	return true
}

func number(v reflect.Value) (float64, bool) {
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

// close compares up to a relative difference, or an absolute one below 1.
func close(a, b, tol float64) bool {
	if a == b || math.IsNaN(a) && math.IsNaN(b) {
		return true
	}
	return math.Abs(a-b) <= tol*max(1, math.Abs(a), math.Abs(b)) && !math.IsInf(a, 0) && !math.IsInf(b, 0)
}

// changed describes how an argument has changed.
func changed(before, after reflect.Value) string {
	return brief(before) + " became " + brief(after)
}

// resample returns arguments similar to the given ones.
func resample(args []any, seed uint64) []any {
	rng := rand.New(rand.NewPCG(seed, 0))
	longest := 0
	for _, a := range args {
		longest = max(longest, rows(reflect.ValueOf(a)))
	}
	out := make([]any, len(args))
	if longest > 1 {
		pick := make([]int, longest)
		for i := range pick {
			pick[i] = rng.IntN(longest)
		}
		for i, a := range args {
			out[i] = a
			if v := reflect.ValueOf(a); rows(v) == longest {
				out[i] = picked(v, pick)
			}
		}
		return out
	}
	for i, a := range args {
		out[i] = a
		if x, ok := a.(float64); ok {
			out[i] = x + rng.NormFloat64()*max(1, math.Abs(x))
		}
	}
	return out
}

// rows returns the number of rows of an argument, or 0.
func rows(v reflect.Value) int {
	if m, ok := matrix(v); ok {
		r, _ := m.Dims()
		return r
	}
	if v.IsValid() && v.Kind() == reflect.Slice {
		return v.Len()
	}
	return 0
}

func picked(v reflect.Value, pick []int) any {
	if m, ok := matrix(v); ok {
		_, c := m.Dims()
		out := mat.NewDense(len(pick), c, nil)
		for i, p := range pick {
			out.SetRow(i, mat.Row(nil, p, m))
		}
		if c == 1 {
			if _, ok := m.(*mat.VecDense); ok {
				return mat.VecDenseCopyOf(out.ColView(0))
			}
		}
		return out
	}
	out := reflect.MakeSlice(v.Type(), len(pick), len(pick))
	for i, p := range pick {
		out.Index(i).Set(copyOf(v.Index(p)))
	}
	return out.Interface()
}
