package symbols_test

import (
	"errors"
	"go/types"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/interp/symbols/table"
)

func TestLookup(t *testing.T) {
	for _, tt := range []struct {
		path, name string
		kind       table.Kind
		want       string // type of the value
	}{
		{"fmt", "Println", table.Func, "func(...interface {}) (int, error)"},
		{"fmt", "Stringer", table.Type, "*fmt.Stringer"},
		{"os", "Args", table.Var, "[]string"},
		{"math", "Pi", table.Const, ""},
		{"slices", "Sort", table.Generic, ""},
		{"cmp", "Ordered", table.Generic, ""},
		{"unsafe", "Pointer", table.Type, "*unsafe.Pointer"},
		{"unsafe", "Sizeof", table.Generic, ""},
		{"fmt", "println", table.None, ""},
		{"syscall", "Getpid", table.Func, "func() int"},
		{"gonum.org/v1/gonum/mat", "NewDense", table.Func, "func(int, int, []float64) *mat.Dense"},
		{"github.com/gokernel/gokernel/display", "Bundle", table.Type, "*display.Bundle"},
	} {
		p, ok := symbols.Lookup(tt.path)
		if !ok {
			t.Errorf("no package %s", tt.path)
			continue
		}
		v, kind := p.Lookup(tt.name)
		got := ""
		if v.IsValid() {
			got = v.Type().String()
		}
		if kind != tt.kind || got != tt.want {
			t.Errorf("%s.%s: got kind %d, type %q, want %d, %q", tt.path, tt.name, kind, got, tt.kind, tt.want)
		}
	}
	if _, ok := symbols.Lookup("no/such"); ok {
		t.Error("found a package that does not exist")
	}
}

// TestTablesAgreeWithExportData compares every table with the data that go/types reads: the same
// names, with values of the same kind and type.
func TestTablesAgreeWithExportData(t *testing.T) {
	im := symbols.NewImporter()
	for _, p := range symbols.Packages() {
		pkg, err := im.Import(p.Path)
		if err != nil {
			t.Error(err)
			continue
		}
		if pkg.Name() != p.Name {
			t.Errorf("%s: name is %s in the table, %s in the export data", p.Path, p.Name, pkg.Name())
		}
		exported := 0
		for _, name := range pkg.Scope().Names() {
			obj := pkg.Scope().Lookup(name)
			if !obj.Exported() {
				continue
			}
			exported++
			v, kind := p.Lookup(name)
			switch obj := obj.(type) {
			case *types.Const:
				if kind != table.Const {
					t.Errorf("%v has kind %d in the table", obj, kind)
				}
			case *types.Func:
				if kind == table.Generic {
					break
				}
				if kind != table.Func {
					t.Errorf("%v has kind %d in the table", obj, kind)
				} else if sig, typ := obj.Signature(), v.Type(); sig.Params().Len() != typ.NumIn() || sig.Results().Len() != typ.NumOut() || sig.Variadic() != typ.IsVariadic() {
					t.Errorf("%v is a %v in the table", obj, typ)
				}
			case *types.Var:
				if kind != table.Var || !v.CanSet() {
					t.Errorf("%v has kind %d in the table", obj, kind)
				}
			case *types.TypeName:
				if kind != table.Type && kind != table.Generic {
					t.Errorf("%v has kind %d in the table", obj, kind)
				}
			}
		}
		if n := len(p.Names()); p.Path != "unsafe" && n != exported {
			t.Errorf("%s: %d names in the table, %d in the export data", p.Path, n, exported)
		}
	}
}

func TestImportErrors(t *testing.T) {
	im := symbols.NewImporter()
	for path, want := range map[string]string{
		"no/such": "package no/such is not part of this kernel",
		"plugin":  "package plugin cannot be used in cells: it needs cgo",
	} {
		_, err := im.Import(path)
		var none *symbols.NoPackageError
		if !errors.As(err, &none) || !strings.Contains(err.Error(), want) {
			t.Errorf("import %s: got %v, want %q", path, err, want)
		}
	}
}

func TestImportConcurrently(t *testing.T) {
	im := symbols.NewImporter()
	paths := []string{"net/http", "fmt", "os", "io", "encoding/json", "gonum.org/v1/gonum/mat", "time"}
	got := make([][]*types.Package, 4)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			for _, path := range paths {
				p, err := im.Import(path)
				if err != nil {
					t.Error(err)
				}
				got[i] = append(got[i], p)
			}
		})
	}
	wg.Wait()
	for _, g := range got[1:] {
		if !reflect.DeepEqual(g, got[0]) {
			t.Error("one Importer gave different packages for the same paths")
		}
	}
}

func BenchmarkFirstImport(b *testing.B) {
	for _, path := range []string{"fmt", "net/http", "gonum.org/v1/gonum/mat"} {
		b.Run(path, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := symbols.NewImporter().Import(path); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
