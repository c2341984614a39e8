package far

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Named finds a compiled type by the path of its package and its name, or returns nil if there is
// none. The program sets it.
var Named = func(path, name string) reflect.Type { return nil }

var (
	errorType = reflect.TypeFor[error]()
	anyType   = reflect.TypeFor[any]()
)

// cellPackage is the package of the declarations of cells.
const cellPackage = "main"

// Describe formats a type so that Parse can read it. A named type includes its structure, in case
// the receiver does not know its name.
func Describe(t reflect.Type) string {
	var b strings.Builder
	describe(&b, t, nil)
	return b.String()
}

func describe(b *strings.Builder, t reflect.Type, within []reflect.Type) {
	if t == nil {
		b.WriteString("any")
		return
	}
	if t == errorType {
		b.WriteString("error")
		return
	}
	if t.Name() != "" && t.PkgPath() != "" {
		b.WriteString(strconv.Quote(t.PkgPath()) + "." + plainName(t))
		for _, w := range within {
			if w == t {
				return // a recursive type can only be described by its name
			}
		}
		if len(within) > 20 || Named(t.PkgPath(), t.Name()) != nil {
			return
		}
		within = append(within, t)
		b.WriteString("=")
	}
	switch t.Kind() {
	case reflect.Slice:
		b.WriteString("[]")
		describe(b, t.Elem(), within)
	case reflect.Array:
		fmt.Fprintf(b, "[%d]", t.Len())
		describe(b, t.Elem(), within)
	case reflect.Pointer:
		b.WriteString("*")
		describe(b, t.Elem(), within)
	case reflect.Map:
		b.WriteString("map[")
		describe(b, t.Key(), within)
		b.WriteString("]")
		describe(b, t.Elem(), within)
	case reflect.Func:
		b.WriteString("func(")
		for i := range t.NumIn() {
			if i > 0 {
				b.WriteString(",")
			}
			if t.IsVariadic() && i == t.NumIn()-1 {
				b.WriteString("...")
				describe(b, t.In(i).Elem(), within)
				continue
			}
			describe(b, t.In(i), within)
		}
		b.WriteString(")(")
		for i := range t.NumOut() {
			if i > 0 {
				b.WriteString(",")
			}
			describe(b, t.Out(i), within)
		}
		b.WriteString(")")
	case reflect.Struct:
		b.WriteString("struct{")
		for i := range t.NumField() {
			if i > 0 {
				b.WriteString(";")
			}
			f := t.Field(i)
			b.WriteString(f.Name + " ")
			describe(b, f.Type, within)
		}
		b.WriteString("}")
	case reflect.Interface:
		b.WriteString("any")
	case reflect.Chan, reflect.UnsafePointer:
		b.WriteString("chan")
	default:
		b.WriteString(t.Kind().String())
	}
}

// plainName returns the name of a type without its type arguments.
func plainName(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	return name
}

var basics = map[string]reflect.Type{
	"any": anyType, "error": errorType, "bool": reflect.TypeFor[bool](), "string": reflect.TypeFor[string](),
	"int": reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](), "int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](),
	"uint": reflect.TypeFor[uint](), "uint8": reflect.TypeFor[uint8](), "uint16": reflect.TypeFor[uint16](), "uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](),
	"uintptr": reflect.TypeFor[uintptr](), "float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](),
	"complex64": reflect.TypeFor[complex64](), "complex128": reflect.TypeFor[complex128](),
}

// errType reports that a type can't be created from its description.
var errType = errors.New("its type is not known here")

const (
	maxDescription = 20_000
	maxTypeDepth   = 60
	maxArray       = 1 << 20
)

// typeParser parses the output of Describe. With goText, it produces the type in Go syntax instead.
type typeParser struct {
	s     string
	depth int
	cells map[string]bool // the receiver's types of cells by name; for goText
	text  bool
}

// typ is a parsed type, as a reflect.Type or as text.
type typ struct {
	t    reflect.Type
	text string
}

// Parse returns the type for its description. Named types that are not compiled in are represented
// by their structure.
func Parse(description string) (t reflect.Type, err error) {
	p := &typeParser{s: description}
	defer func() {
		if r := recover(); r != nil { // reflect panics for some keys and fields
			t, err = nil, errType
		}
	}()
	got, err := p.whole()
	return got.t, err
}

// GoText returns the Go syntax of a described type in a cell, given the types that cells of the
// receiver declare. It fails if there is no such syntax.
func GoText(description string, cells map[string]bool) (string, error) {
	p := &typeParser{s: description, text: true, cells: cells}
	got, err := p.whole()
	return got.text, err
}

func (p *typeParser) whole() (typ, error) {
	if len(p.s) > maxDescription {
		return typ{}, errType
	}
	got, err := p.read()
	if err == nil && p.s != "" {
		err = errType
	}
	return got, err
}

func (p *typeParser) take(prefix string) bool {
	rest, ok := strings.CutPrefix(p.s, prefix)
	if ok {
		p.s = rest
	}
	return ok
}

func (p *typeParser) until(end string) (string, error) {
	i := strings.Index(p.s, end)
	if i < 0 {
		return "", errType
	}
	part := p.s[:i]
	p.s = p.s[i+len(end):]
	return part, nil
}

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && !('a' <= r && r <= 'z') && !('A' <= r && r <= 'Z') && (i == 0 || !('0' <= r && r <= '9')) && r < 0x80 {
			return false
		}
	}
	return s != ""
}

func (p *typeParser) name() string {
	end := strings.IndexAny(p.s, ",;)](){}[=* \"")
	if end < 0 {
		end = len(p.s)
	}
	name := p.s[:end]
	p.s = p.s[end:]
	return name
}

func (p *typeParser) read() (typ, error) {
	if p.depth++; p.depth > maxTypeDepth {
		return typ{}, errType
	}
	defer func() { p.depth-- }()
	elem := func(prefix string, of func(t reflect.Type) reflect.Type) (typ, error) {
		e, err := p.read()
		if err != nil {
			return typ{}, err
		}
		if p.text {
			return typ{text: prefix + e.text}, nil
		}
		return typ{t: of(e.t)}, nil
	}
	switch {
	case strings.HasPrefix(p.s, `"`):
		return p.named()
	case p.take("[]"):
		return elem("[]", reflect.SliceOf)
	case p.take("*"):
		return elem("*", reflect.PointerTo)
	case p.take("["):
		part, err := p.until("]")
		n, convErr := strconv.Atoi(part)
		if err != nil || convErr != nil || n < 0 || n > maxArray {
			return typ{}, errType
		}
		return elem("["+strconv.Itoa(n)+"]", func(t reflect.Type) reflect.Type {
			if n > MaxBytes/max(1, int(t.Size())) {
				panic(errLarge) // Parse recovers it
			}
			return reflect.ArrayOf(n, t)
		})
	case p.take("map["):
		key, err := p.read()
		if err != nil || !p.take("]") {
			return typ{}, errType
		}
		return elem("map["+key.text+"]", func(t reflect.Type) reflect.Type { return reflect.MapOf(key.t, t) })
	case p.take("func("):
		return p.function()
	case p.take("struct{"):
		return p.structure()
	}
	name := p.name()
	if t := basics[name]; t != nil {
		return typ{t, name}, nil
	}
	return typ{}, errType
}

func (p *typeParser) named() (typ, error) {
	quoted, err := strconv.QuotedPrefix(p.s)
	if err != nil {
		return typ{}, errType
	}
	p.s = p.s[len(quoted):]
	path, err := strconv.Unquote(quoted)
	if err != nil || !p.take(".") {
		return typ{}, errType
	}
	name := p.name()
	if !isName(name) {
		return typ{}, errType
	}
	known := Named(path, name)
	if p.take("=") {
		under, err := p.read()
		switch {
		case known != nil:
			return typ{known, packageText(path) + "." + name}, err
		case p.text && path == cellPackage && p.cells[name]:
			return typ{text: name}, err
		}
		return under, err
	}
	switch {
	case p.text && path == cellPackage && p.cells[name]:
		return typ{text: name}, nil
	case known == nil:
		return typ{}, errType
	}
	return typ{known, packageText(path) + "." + name}, nil
}

// packageText returns the name of a compiled package in cells.
func packageText(path string) string {
	if strings.HasPrefix(path, modulePath+"mlstd") {
		return "ml"
	}
	return path[strings.LastIndex(path, "/")+1:]
}

func (p *typeParser) list(end string) (types []reflect.Type, texts []string, variadic bool, err error) {
	for !p.take(end) {
		if len(types) > 0 && !p.take(",") || variadic {
			return nil, nil, false, errType
		}
		variadic = p.take("...")
		t, err := p.read()
		if err != nil {
			return nil, nil, false, err
		}
		switch {
		case p.text && variadic:
			t.text = "..." + t.text
		case variadic:
			t.t = reflect.SliceOf(t.t)
		}
		types, texts = append(types, t.t), append(texts, t.text)
	}
	return types, texts, variadic, nil
}

func (p *typeParser) function() (typ, error) {
	in, inText, variadic, err := p.list(")")
	if err != nil || !p.take("(") {
		return typ{}, errType
	}
	out, outText, dots, err := p.list(")")
	if err != nil || dots {
		return typ{}, errType
	}
	if p.text {
		return typ{text: "func(" + strings.Join(inText, ", ") + ") (" + strings.Join(outText, ", ") + ")"}, nil
	}
	return typ{t: reflect.FuncOf(in, out, variadic)}, nil
}

func (p *typeParser) structure() (typ, error) {
	var (
		fields []reflect.StructField
		texts  []string
	)
	for !p.take("}") {
		if len(fields) > 0 && !p.take(";") {
			return typ{}, errType
		}
		name := p.name()
		if !isName(name) || !p.take(" ") {
			return typ{}, errType
		}
		t, err := p.read()
		if err != nil {
			return typ{}, err
		}
		f := reflect.StructField{Name: name, Type: t.t}
		if c := name[0]; c < 'A' || c > 'Z' {
			f.PkgPath = cellPackage
		}
		fields, texts = append(fields, f), append(texts, name+" "+t.text)
	}
	if p.text {
		return typ{text: "struct{ " + strings.Join(texts, "; ") + " }"}, nil
	}
	return typ{t: reflect.StructOf(fields)}, nil
}
