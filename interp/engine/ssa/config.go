package ssa

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"github.com/gokernel/gokernel/interp/engine"
)

// Config holds the functions of the session that the engine needs.
type Config struct {
	Hooks engine.Hooks
	// Value returns a function or an addressable variable of a compiled package.
	Value func(path, name string) (reflect.Value, bool)
	// Type returns a type of a compiled package, or nil if there is none.
	Type func(path, name string) reflect.Type
	// In the export data of a compiled package, a struct type may stand for a compiled type. Hidden
	// finds this compiled type, which is the type of a field of another compiled struct type.
	// Hidden may be nil.
	Hidden func(*types.Struct) (path, name string, field int, ok bool)
	// Roots returns the types of the exported symbols of a compiled package.
	Roots func(path string) []reflect.Type
	// Generics returns the source of a compiled package's generic functions, or nil if there is
	// none. The source is type-checked against the same objects as cells.
	Generics func(path string) (*Source, error)
	// FromSource reports whether Generics has the source of a function that is not generic.
	// FromSource may be nil.
	FromSource func(path, name string) bool
}

// Source is checked source that replaces generic functions of a compiled package. Each function of
// Package replaces the compiled function of the same name.
type Source struct {
	Fset    *token.FileSet
	Package *types.Package
	Files   []*ast.File
	Info    *types.Info
}
