package main

import (
	"bytes"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"
)

// TestGeneratedFilesAreFresh fails if a package has changed since the last run of "go generate
// ./mlstd ./interp/symbols".
func TestGeneratedFilesAreFresh(t *testing.T) {
	l, err := newLoader("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		fresh, err := g.fresh(l, "..")
		if err != nil {
			t.Fatal(err)
		}
		if fresh {
			continue
		}
		if g.name != "library" {
			t.Errorf("what %s was generated from has changed; run \"go generate ./interp/symbols\" with %s", g.name, l.version)
			continue
		}
		files, err := g.generate(l)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range files {
			got, err := os.ReadFile(filepath.Join("..", name))
			if err != nil {
				t.Error(err)
			} else if !bytes.Equal(got, want) {
				t.Errorf("%s is stale; run \"go generate ./mlstd ./interp/symbols\"", name)
			}
		}
	}
}

func TestTabulateGenerics(t *testing.T) {
	pkg := types.NewPackage("example.org/x", "x")
	param := types.NewTypeParam(types.NewTypeName(token.NoPos, pkg, "T", nil), types.Universe.Lookup("any").Type())
	sig := types.NewSignatureType(nil, nil, []*types.TypeParam{param}, nil, nil, false)
	pkg.Scope().Insert(types.NewFunc(token.NoPos, pkg, "F", sig))
	pkg.Scope().Insert(types.NewVar(token.NoPos, pkg, "V", types.Typ[types.Int]))
	table, err := tabulate(pkg)
	if err != nil || len(table.generics) != 1 || len(table.values) != 1 {
		t.Errorf("got %+v, %v, want one generic and one variable", table, err)
	}
}

func TestArchiveIsDeterministic(t *testing.T) {
	contents := map[string][]byte{"b": []byte("two"), "a": []byte("one"), "c": nil}
	first, err := archive(contents)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if again, _ := archive(contents); !bytes.Equal(first, again) {
			t.Fatal("the same contents gave different archives")
		}
	}
}

func TestLeftOut(t *testing.T) {
	for path, out := range map[string]bool{
		"fmt": false, "internal/abi": true, "vendor/golang.org/x/net": true, "net/http/pprof": false, "plugin": true,
		module + "/mlstd/internal/par": true, module + "/mlstd/tree": false,
	} {
		if reason, got := leftOut(path, "x"); got != out || got && reason == "" {
			t.Errorf("%s: left out %v (%q), want %v", path, got, reason, out)
		}
	}
}
