// Package table defines the table of one compiled package: its names and their values. Tables are
// static data; creating one costs neither time nor heap at start-up.
package table

import (
	"iter"
	"reflect"
	"sort"
	"strings"
	"sync"
)

// Package is the table of one compiled package. Only generated code creates one.
type Package struct {
	Path string // import path
	Name string // name in the package clause

	// Symbols lists the functions, variables and types that have a value at run time, in ascending
	// order, one per line.
	Symbols string
	// Values contains, for each of Symbols, the function, a pointer to the variable, or a nil
	// pointer to the type.
	Values []any
	// Consts lists the constants, in ascending order, one per line. Their values are in the export
	// data.
	Consts string
	// Generics lists what exists only at compile time: generic functions and types, and constraint
	// interfaces, in ascending order, one per line. They are compiled from source.
	Generics string

	once  sync.Once
	names []string
}

// Kind is the kind of a symbol.
type Kind int

// The kinds of symbols.
const (
	None    Kind = iota // there is no such symbol
	Func                // a function
	Var                 // a variable
	Type                // a type
	Const               // a constant, which has a value only in the export data
	Generic             // a generic function or type, or a constraint, which exists only as source
)

func (p *Package) symbols() []string {
	p.once.Do(func() { p.names = lines(p.Symbols) })
	return p.names
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

func has(list, name string) bool {
	for list != "" {
		line, rest, _ := strings.Cut(list, "\n")
		if line == name {
			return true
		}
		list = rest
	}
	return false
}

func (p *Package) value(name string) any {
	names := p.symbols()
	if i := sort.SearchStrings(names, name); i < len(names) && names[i] == name {
		return p.Values[i]
	}
	return nil
}

// Lookup returns the symbol as a value: a function as itself, a variable as an addressable and
// settable value, a type as a nil pointer to it. Constants, generics and unknown names have only a
// kind and no value.
func (p *Package) Lookup(name string) (reflect.Value, Kind) {
	x := p.value(name)
	if x == nil {
		switch {
		case has(p.Consts, name):
			return reflect.Value{}, Const
		case has(p.Generics, name):
			return reflect.Value{}, Generic
		}
		return reflect.Value{}, None
	}
	v := reflect.ValueOf(x)
	switch {
	case v.Kind() == reflect.Func:
		return v, Func
	case v.IsNil():
		return v, Type
	}
	return v.Elem(), Var
}

// TypeOf returns the type with that name, or nil if the package has none.
func (p *Package) TypeOf(name string) reflect.Type {
	if v, k := p.Lookup(name); k == Type {
		return v.Type().Elem()
	}
	return nil
}

// All yields the functions, variables and types in the form that Lookup returns.
func (p *Package) All() iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		for _, name := range p.symbols() {
			if v, _ := p.Lookup(name); !yield(name, v) {
				return
			}
		}
	}
}

// Has reports whether the package exports the name, whatever its kind.
func (p *Package) Has(name string) bool {
	_, k := p.Lookup(name)
	return k != None
}

// Names returns every exported name in ascending order.
func (p *Package) Names() []string {
	all := append(lines(p.Consts), lines(p.Generics)...)
	all = append(all, p.symbols()...)
	sort.Strings(all)
	return all
}
