package export

import (
	"context"
	"embed"
	"errors"
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/rewrite"
)

// collector is an engine that stores the last cell it received.
type collector struct {
	cell *engine.Cell
	// older maps pointers, through which a cell reads a variable of an earlier cell, to the
	// variables.
	older map[types.Object]types.Object
}

func (c *collector) Name() string { return "export" }

func (c *collector) Compile(cell *engine.Cell) (engine.Code, error) {
	if !c.pointer(cell) {
		c.cell = cell
	}
	return nothing{}, nil
}

// pointer reports whether the cell is var pointer = &x, which the compiler adds, and records x.
func (c *collector) pointer(cell *engine.Cell) bool {
	if len(cell.Files) != 1 || len(cell.Files[0].Decls) != 1 {
		return false
	}
	g, ok := cell.Files[0].Decls[0].(*ast.GenDecl)
	if !ok || len(g.Specs) != 1 {
		return false
	}
	spec, ok := g.Specs[0].(*ast.ValueSpec)
	if !ok || len(spec.Values) != 1 || !rewrite.Reserved(spec.Names[0].Name) {
		return false
	}
	addr, ok := spec.Values[0].(*ast.UnaryExpr)
	if !ok {
		return false
	}
	id, ok := addr.X.(*ast.Ident)
	if !ok {
		return false
	}
	c.older[cell.Info.Defs[spec.Names[0]]] = cell.Info.Uses[id]
	return true
}

var errNotRun = errors.New("export: cells are not run")

// Var returns variables only for the files of //go:embed.
func (c *collector) Var(v *types.Var) (reflect.Value, error) {
	switch t := v.Type().String(); {
	case strings.HasSuffix(t, "embed.FS"):
		return reflect.ValueOf(&embed.FS{}).Elem(), nil
	case t == "string":
		return reflect.ValueOf(new(string)).Elem(), nil
	case t == "[]byte":
		return reflect.ValueOf(new([]byte)).Elem(), nil
	}
	return reflect.Value{}, errNotRun
}

func (c *collector) Type(types.Type) (reflect.Type, error)   { return nil, errNotRun }
func (c *collector) Func(*types.Func) (reflect.Value, error) { return reflect.Value{}, errNotRun }
func (c *collector) Close() error                            { return nil }

// RenewsTypes implements engine.Renewer.
func (c *collector) RenewsTypes() {}

// RunsPackages implements engine.PackageRunner.
func (c *collector) RunsPackages() {}

type nothing struct{}

func (nothing) Run(context.Context) error { return nil }
