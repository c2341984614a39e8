package symbols_test

import (
	"go/types"
	"testing"

	"github.com/gokernel/gokernel/interp/symbols"
)

func TestGenerics(t *testing.T) {
	im := symbols.NewImporter()
	for path, names := range map[string][]string{
		"slices": {"Sort", "SortFunc", "Max", "Collect", "Sorted", "BinarySearchFunc"},
		"maps":   {"Clone", "Keys", "Values", "Collect", "DeleteFunc"},
		"cmp":    {"Compare", "Or", "Less"},
		"sync":   {"OnceValue", "OnceValues"},
		"errors": {"AsType"},
		"iter":   {"Pull", "Pull2"},
		"unique": {"Make"},

		"container/heap": {"Init", "Push", "Pop", "Remove", "Fix"}, // not generic: see table.FromSource
	} {
		g, err := im.Generics(path)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := im.Generics(path); again != g {
			t.Errorf("%s was checked twice", path)
		}
		compiled, err := im.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			fn, ok := g.Package.Scope().Lookup(name).(*types.Func)
			if !ok {
				t.Errorf("no source of %s.%s", path, name)
				continue
			}
			want := compiled.Scope().Lookup(name).(*types.Func)
			if got := types.TypeString(fn.Signature(), nil); got != types.TypeString(want.Signature(), nil) {
				t.Errorf("%s.%s: source has %s, export data %s", path, name, got, want.Signature())
			}
		}
	}
	g, err := im.Generics("sync")
	if err != nil {
		t.Fatal(err)
	}
	sync, _ := im.Import("sync")
	if g.Package.Scope().Lookup("Once") != sync.Scope().Lookup("Once") {
		t.Error("sync.Once of the source is not the compiled one")
	}
	if g, err := im.Generics("fmt"); g != nil || err != nil {
		t.Errorf("fmt: got %v, %v, want nothing", g, err)
	}
}

func BenchmarkGenerics(b *testing.B) {
	for b.Loop() {
		if _, err := symbols.NewImporter().Generics("slices"); err != nil {
			b.Fatal(err)
		}
	}
}
