package display

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of the output of Format.
const (
	lineWidth   = 88    // columns; longer composite values are broken into lines
	maxDepth    = 7     // levels of nesting
	maxItems    = 60    // maximum number of elements of a slice or map that are all written
	headItems   = 25    // elements before the cut
	tailItems   = 5     // elements after the cut
	maxRunes    = 4000  // maximum length of a string that is the whole value
	nestedRunes = 200   // maximum length of a string inside another value
	maxNodes    = 20000 // maximum number of values visited
)

// Format writes any value as text, if possible as a Go literal. It differs from Go's notation as
// follows: [Numbers] rounds the numbers of one slice or map together. Matrices, and slices of
// equally long slices, are drawn with brackets below a line with their type and shape. Long
// values are cut in the middle. Map keys are sorted. A pointer is followed once, and no address
// is written. Errors and fmt.Stringers are written by their own methods.
func Format(v any) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("<%T: formatting failed: %v>", v, r)
		}
	}()
	if v == nil {
		return "nil"
	}
	rv := reflect.ValueOf(v)
	f := &formatter{}
	if s, ok := f.whole(rv); ok {
		return s
	}
	return f.value(rv, 0, 0, true)
}

type formatter struct {
	open  []uintptr // pointers, maps and slices that are being written, to detect cycles
	nodes int
}

// whole writes values that look different at the top level than inside another value.
func (f *formatter) whole(v reflect.Value) (string, bool) {
	if m, ok := asMatrix(v); ok {
		return formatMatrix(m, TypeName(v.Type())), true
	}
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		if s, ok := f.selfWritten(v); ok {
			return s, true
		}
		v = v.Elem()
	}
	if _, ok := f.selfWritten(v); ok {
		return "", false
	}
	if m, ok := rectangular(v); ok {
		return formatMatrix(m, TypeName(v.Type())), true
	}
	if v.Kind() == reflect.String && v.Type().PkgPath() == "" {
		return quote(v.String(), maxRunes, true), true
	}
	return "", false
}

// value writes v at the given depth and indent. typed reports whether a composite literal must
// have its type in front.
func (f *formatter) value(v reflect.Value, depth, indent int, typed bool) string {
	if f.nodes++; f.nodes > maxNodes {
		return "…"
	}
	if !v.IsValid() {
		return "nil"
	}
	if s, ok := f.selfWritten(v); ok {
		return s
	}
	t := v.Type()
	switch v.Kind() {
	case reflect.Bool:
		return f.named(t, strconv.FormatBool(v.Bool()), typed)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return f.named(t, strconv.FormatInt(v.Int(), 10), typed)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return f.named(t, strconv.FormatUint(v.Uint(), 10), typed)
	case reflect.Float32:
		return f.named(t, exact(v.Float(), 32), typed)
	case reflect.Float64:
		return f.named(t, exact(v.Float(), 64), typed)
	case reflect.Complex64:
		return f.named(t, formatComplex(v.Complex(), 32), typed)
	case reflect.Complex128:
		return f.named(t, formatComplex(v.Complex(), 64), typed)
	case reflect.String:
		return f.named(t, quote(v.String(), nestedRunes, false), typed)
	case reflect.Func:
		if v.IsNil() {
			return "nil " + TypeName(t)
		}
		return TypeName(t)
	case reflect.Chan:
		if v.IsNil() {
			return "nil " + TypeName(t)
		}
		if v.Cap() > 0 {
			return fmt.Sprintf("%s with %d of %d values", TypeName(t), v.Len(), v.Cap())
		}
		return TypeName(t)
	case reflect.UnsafePointer:
		return "unsafe.Pointer"
	case reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return f.value(v.Elem(), depth, indent, true)
	case reflect.Pointer:
		if v.IsNil() {
			return nilOf(t, typed)
		}
		if depth >= maxDepth || !f.enter(v.Pointer()) {
			return "&" + TypeName(t.Elem()) + "{…}"
		}
		defer f.leave()
		return "&" + f.value(v.Elem(), depth, indent+1, true)
	case reflect.Struct:
		return f.structure(v, depth, indent, typed)
	case reflect.Map:
		return f.mapping(v, depth, indent, typed)
	case reflect.Slice, reflect.Array:
		return f.list(v, depth, indent, typed)
	}
	return TypeName(t)
}

// named writes a basic value, as a conversion if its type has a name of its own.
func (f *formatter) named(t reflect.Type, s string, typed bool) string {
	if typed && t.PkgPath() != "" {
		return TypeName(t) + "(" + s + ")"
	}
	return s
}

func nilOf(t reflect.Type, typed bool) string {
	if !typed {
		return "nil"
	}
	name := TypeName(t)
	if strings.HasPrefix(name, "*") {
		name = "(" + name + ")"
	}
	return name + "(nil)"
}

func (f *formatter) enter(p uintptr) bool {
	if slices.Contains(f.open, p) {
		return false
	}
	f.open = append(f.open, p)
	return true
}

func (f *formatter) leave() { f.open = f.open[:len(f.open)-1] }

// selfWritten returns the text of an error or a fmt.Stringer, and false if its method panics.
func (f *formatter) selfWritten(v reflect.Value) (s string, ok bool) {
	if !v.CanInterface() || isNilPointerValue(v) {
		return "", false
	}
	switch v.Kind() {
	case reflect.Interface:
		return "", false // the method of the element is called instead
	}
	x := v.Interface()
	var write func() string
	switch x := x.(type) {
	case reflect.Value:
		return "", false
	case error:
		write = func() string { return "error: " + x.Error() }
	case fmt.Stringer:
		write = x.String
	default:
		return "", false
	}
	defer func() {
		if recover() != nil {
			s, ok = "", false
		}
	}()
	return cut(write(), maxRunes), true
}

func (f *formatter) structure(v reflect.Value, depth, indent int, typed bool) string {
	t := v.Type()
	name := ""
	if typed {
		name = TypeName(t)
	}
	if depth >= maxDepth {
		return name + "{…}"
	}
	// Unexported fields are shown only for types declared in cells.
	own := t.PkgPath() == "" || t.PkgPath() == "main"
	items := make([]item, 0, t.NumField())
	hidden := false
	for i := range t.NumField() {
		sf := t.Field(i)
		if !sf.IsExported() && !own {
			hidden = true
			continue
		}
		if sf.Name == "_" {
			continue
		}
		key := sf.Name + ": "
		items = append(items, item{key, f.value(v.Field(i), depth+1, indent+4+len(key), needsType(sf.Type))})
	}
	if hidden {
		items = append(items, item{"", "…"})
	}
	return wrap(name, items, indent, "")
}

// needsType reports whether a value whose static type is t must still be written with its type.
// Go allows to omit the type only in slices and maps.
func needsType(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		return true
	}
	return false
}

func (f *formatter) mapping(v reflect.Value, depth, indent int, typed bool) string {
	t := v.Type()
	name := ""
	if typed {
		name = TypeName(t)
	}
	if v.IsNil() {
		return nilOf(t, typed)
	}
	if depth >= maxDepth || !f.enter(v.Pointer()) {
		return name + "{…}"
	}
	defer f.leave()
	// The pairs are sorted, not the keys, because a NaN key cannot be looked up.
	type pair struct{ key, value reflect.Value }
	pairs := make([]pair, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		pairs = append(pairs, pair{it.Key(), it.Value()})
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return compareKeys(a.key, b.key) })
	head, tail := cutPoints(len(pairs))
	items := make([]item, 0, min(len(pairs), maxItems))
	numbers := column(t.Elem(), len(pairs), head, tail, func(i int) reflect.Value { return pairs[i].value })
	for i, p := range pairs {
		if i >= head && i < tail {
			if i == head {
				items = append(items, item{"", "…"})
			}
			continue
		}
		key := f.value(p.key, depth+1, indent+4, false) + ": "
		if numbers != nil {
			items = append(items, item{key, numbers[i]})
			continue
		}
		items = append(items, item{key, f.value(p.value, depth+1, indent+4+utf8.RuneCountInString(key), false)})
	}
	suffix := ""
	if head < tail {
		suffix = fmt.Sprintf(" (%d entries)", len(pairs))
	}
	return wrap(name, items, indent, suffix)
}

func (f *formatter) list(v reflect.Value, depth, indent int, typed bool) string {
	t := v.Type()
	name := ""
	if typed {
		name = TypeName(t)
	}
	if v.Kind() == reflect.Slice {
		if v.IsNil() {
			return nilOf(t, typed)
		}
		if v.Len() > 0 {
			if !f.enter(v.Pointer()) {
				// A slice that contains itself, or the first element of a slice that is being
				// written.
				return name + "{…}"
			}
			defer f.leave()
		}
	}
	n := v.Len()
	if depth >= maxDepth && n > 0 {
		return name + "{…}"
	}
	if t.Elem().Kind() == reflect.Uint8 && n > 0 && t.Elem().PkgPath() == "" {
		if s, ok := textBytes(v); ok {
			return name + "(" + quote(s, nestedRunes, false) + ")"
		}
	}
	head, tail := cutPoints(n)
	if depth > 1 && n > 12 {
		head, tail = 6, n-2
	}
	items := make([]item, 0, min(n, maxItems))
	numbers := column(t.Elem(), n, head, tail, v.Index)
	for i := range n {
		if i >= head && i < tail {
			if i == head {
				items = append(items, item{"", "…"})
			}
			continue
		}
		if numbers != nil {
			items = append(items, item{"", numbers[i]})
			continue
		}
		items = append(items, item{"", f.value(v.Index(i), depth+1, indent+4, false)})
	}
	suffix := ""
	if head < tail {
		suffix = fmt.Sprintf(" (%d values)", n)
	}
	return wrap(name, items, indent, suffix)
}

// column formats the floats of a slice or map of n elements with a common number of digits. The
// result is keyed by position, and has only the elements that are shown. It is nil if the
// elements are not floats.
func column(elem reflect.Type, n, head, tail int, at func(i int) reflect.Value) map[int]string {
	if elem.Kind() != reflect.Float64 || elem.PkgPath() != "" {
		return nil
	}
	where := make([]int, 0, maxItems)
	xs := make([]float64, 0, maxItems)
	for i := range n {
		if i < head || i >= tail {
			where, xs = append(where, i), append(xs, at(i).Float())
		}
	}
	out := make(map[int]string, len(xs))
	for i, s := range Numbers(xs) {
		out[where[i]] = s
	}
	return out
}

// cutPoints returns the half-open range of positions that are omitted from n elements.
func cutPoints(n int) (head, tail int) {
	if n <= maxItems {
		return n, n
	}
	return headItems, n - tailItems
}

type item struct{ key, value string }

// wrap puts items between braces: on one line if they fit, otherwise one per line, or several per
// line if they are short.
func wrap(name string, items []item, indent int, suffix string) string {
	total, longest, lines := utf8.RuneCountInString(name)+2+len(suffix), 0, false
	keyed := false
	for _, it := range items {
		w := utf8.RuneCountInString(it.key) + utf8.RuneCountInString(it.value) + 2
		total += w
		longest = max(longest, w)
		lines = lines || strings.Contains(it.value, "\n")
		keyed = keyed || it.key != ""
	}
	var b strings.Builder
	b.WriteString(name)
	if !lines && indent+total <= lineWidth {
		b.WriteByte('{')
		for i, it := range items {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(it.key + it.value)
		}
		return b.String() + "}" + suffix
	}
	b.WriteString("{\n")
	if !keyed && !lines && longest <= 24 {
		at := 0
		for i, it := range items {
			w := utf8.RuneCountInString(it.value) + 2
			switch {
			case i == 0:
				b.WriteString("    ")
				at = 4
			case at+w > lineWidth-indent:
				b.WriteString("\n    ")
				at = 4
			default:
				b.WriteByte(' ')
				at++
			}
			b.WriteString(it.value + ",")
			at += w - 1
		}
		return b.String() + "\n}" + suffix
	}
	for _, it := range items {
		b.WriteString("    " + it.key + strings.ReplaceAll(it.value, "\n", "\n    "))
		if it.value != "…" {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	return b.String() + "}" + suffix
}

// compareKeys orders map keys: by kind of value first, then by value.
func compareKeys(a, b reflect.Value) int {
	for a.Kind() == reflect.Interface && !a.IsNil() {
		a = a.Elem()
	}
	for b.Kind() == reflect.Interface && !b.IsNil() {
		b = b.Elem()
	}
	if a.Kind() != b.Kind() {
		return int(a.Kind()) - int(b.Kind())
	}
	switch {
	case a.CanInt():
		return compare(a.Int(), b.Int())
	case a.CanUint():
		return compare(a.Uint(), b.Uint())
	case a.CanFloat():
		x, y := a.Float(), b.Float()
		if math.IsNaN(x) || math.IsNaN(y) {
			return compare(btoi(math.IsNaN(y)), btoi(math.IsNaN(x)))
		}
		return compare(x, y)
	}
	switch a.Kind() {
	case reflect.String:
		return strings.Compare(a.String(), b.String())
	case reflect.Bool:
		return compare(btoi(a.Bool()), btoi(b.Bool()))
	case reflect.Struct:
		for i := range a.NumField() {
			if c := compareKeys(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	case reflect.Array:
		for i := range a.Len() {
			if c := compareKeys(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	case reflect.Pointer:
		// Pointers are compared by what they point to, because addresses differ from run to run.
		if !a.IsNil() && !b.IsNil() {
			return strings.Compare((&formatter{}).value(a, maxDepth-1, 0, false), (&formatter{}).value(b, maxDepth-1, 0, false))
		}
		return compare(btoi(!a.IsNil()), btoi(!b.IsNil()))
	}
	return 0
}

func compare[T int | int64 | uint64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TypeName returns the name of a type as a cell would write it: types declared in cells have no
// package name.
func TypeName(t reflect.Type) string {
	s := t.String()
	if strings.Contains(s, "interface {}") {
		s = strings.ReplaceAll(s, "interface {}", "any")
	}
	if t.Name() == "" && t.Kind() == reflect.Struct {
		return "struct"
	}
	// Slices and arrays of bytes are written with byte; uint8 is for numbers.
	s = strings.ReplaceAll(s, "]uint8", "]byte")
	return withoutMain(s)
}

// withoutMain removes "main." where it is a package name, but not where it ends a longer name.
func withoutMain(s string) string {
	const pkg = "main."
	var b strings.Builder
	for {
		i := strings.Index(s, pkg)
		if i < 0 {
			return b.String() + s
		}
		prev := rune(' ')
		if i > 0 {
			prev, _ = utf8.DecodeLastRuneInString(s[:i])
		}
		b.WriteString(s[:i])
		if unicode.IsLetter(prev) || unicode.IsDigit(prev) || strings.ContainsRune("_./", prev) {
			b.WriteString(pkg)
		}
		s = s[i+len(pkg):]
	}
}

// quote writes a string as a Go literal. It uses backquotes if the string is the whole value and
// has several lines.
func quote(s string, limit int, alone bool) string {
	short := cut(s, limit)
	if alone && strings.Contains(short, "\n") && strconv.CanBackquote(strings.ReplaceAll(short, "\n", " ")) {
		return "`" + short + "`"
	}
	return strconv.Quote(short)
}

// cut shortens s to about limit runes.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit {
			return s[:i] + fmt.Sprintf("… (%d more)", utf8.RuneCountInString(s[i:]))
		}
		n++
	}
	return s
}

// textBytes returns the text of a []byte, if it is readable text.
func textBytes(v reflect.Value) (string, bool) {
	n := min(v.Len(), maxRunes)
	b := make([]byte, n)
	for i := range n {
		b[i] = byte(v.Index(i).Uint())
	}
	if n < v.Len() {
		for len(b) > 0 && !utf8.RuneStart(b[len(b)-1]) {
			b = b[:len(b)-1]
		}
		if len(b) > 0 && b[len(b)-1] >= utf8.RuneSelf {
			b = b[:len(b)-1]
		}
	}
	if !utf8.Valid(b) {
		return "", false
	}
	for _, r := range string(b) {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' {
			return "", false
		}
	}
	return string(b), true
}

func formatComplex(c complex128, bits int) string {
	im := exact(imag(c), bits)
	if im[0] != '-' && im[0] != '+' {
		im = "+" + im
	}
	return "(" + exact(real(c), bits) + im + "i)"
}

func isNilPointer(v any) bool { return v == nil || isNilPointerValue(reflect.ValueOf(v)) }

func isNilPointerValue(v reflect.Value) bool {
	return v.Kind() == reflect.Pointer && v.IsNil()
}
