package ssa

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"github.com/gokernel/gokernel/interp/engine"
)

// Config is what the engine needs from the session.
type Config struct {
	Hooks engine.Hooks
	// Value gives a function of a compiled package, or a variable, addressable.
	Value func(path, name string) (reflect.Value, bool)
	// Type gives a type of a compiled package; nil if there is none.
	Type func(path, name string) reflect.Type
	// Hidden gives the place of the type for which a struct type of a compiled
	// package's export data stands: a field's of a compiled struct type. It may
	// be nil.
	Hidden func(*types.Struct) (path, name string, field int, ok bool)
	// Roots gives types that the exported symbols of a compiled package have.
	Roots func(path string) []reflect.Type
	// Generics gives the source of the generic functions of a compiled package,
	// checked against the objects that cells are checked against; nil if there
	// is none.
	Generics func(path string) (*Source, error)
}

// Source is checked source that stands for generic functions of a compiled
// package: a function of Package for one of the same name there.
type Source struct {
	Fset    *token.FileSet
	Package *types.Package
	Files   []*ast.File
	Info    *types.Info
}
