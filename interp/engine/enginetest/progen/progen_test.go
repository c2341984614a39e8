package progen

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

func TestProgramsAreWellTyped(t *testing.T) {
	var seeds []uint64
	for seed := range uint64(60) {
		seeds = append(seeds, seed*0x123456789)
	}
	file, hot, loops, orders := File(seeds), string(Hot(1)), string(Loops(1)), string(Orders(1))
	if File(seeds) != file || string(Hot(1)) != hot || string(Loops(1)) != loops || string(Orders(1)) != orders {
		t.Error("the same seeds gave another program")
	}
	fset := token.NewFileSet()
	packages := importer.ForCompiler(fset, "source", nil)
	sources := []string{file, hot, string(Hot(0x123456789))}
	for _, seed := range seeds {
		sources = append(sources, string(Loops(seed)), string(Orders(seed)))
	}
	for _, src := range sources {
		f, err := parser.ParseFile(fset, "main.go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		conf := types.Config{Importer: packages, Error: func(err error) { t.Error(err) }}
		conf.Check("main", fset, []*ast.File{f}, nil)
	}
}
