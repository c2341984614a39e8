package symbols_test

import (
	"go/doc"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/symbols"
)

func TestLookupDoc(t *testing.T) {
	const ml = "github.com/gokernel/gokernel/mlstd"
	for _, tt := range []struct {
		path, name, text, pos, source string
	}{
		{"fmt", "Println", "Println formats using the default formats", "print.go:", ""},
		{"fmt", "", "Package fmt implements formatted I/O", "", ""},
		{"strings", "Builder.WriteString", "WriteString appends the contents of s", "builder.go:", ""},
		{"net/http", "Request.Method", "Method specifies the HTTP method", "request.go:", ""},
		{"io", "Reader.Read", "", "io.go:", ""},
		{"math", "Pi", "", "const.go:", ""},
		{"builtin", "append", "The append built-in function", "builtin.go:", ""},
		{"gonum.org/v1/gonum/mat", "Dense.Mul", "Mul takes the matrix product", "", ""},
		{ml + "/model", "Control.Context", "Fit stops when Context is done", "control.go:", ""},
		{ml + "/model", "Control.Begin", "Begin starts a run", "control.go:", "func (c *Control) Begin("},
		{ml, "Control", "cell's own context", "control.go:", "OnStep"},
	} {
		d, ok := symbols.LookupDoc(tt.path, tt.name)
		if !ok || !strings.Contains(d.Text, tt.text) || !strings.HasPrefix(d.Pos, tt.pos) || !strings.Contains(d.Source, tt.source) {
			t.Errorf("%s.%s: got %v, %+v", tt.path, tt.name, ok, d)
		}
	}
	if _, ok := symbols.LookupDoc("fmt", "newPrinter"); ok {
		t.Error("an unexported name is documented")
	}
	if _, ok := symbols.LookupDoc("no/such", ""); ok {
		t.Error("a package that does not exist is documented")
	}
}

// TestEveryNameIsDocumented compares the documentation with the tables.
func TestEveryNameIsDocumented(t *testing.T) {
	for _, p := range symbols.Packages() {
		for _, name := range p.Names() {
			if _, ok := symbols.LookupDoc(p.Path, name); !ok {
				t.Errorf("no documentation of %s.%s", p.Path, name)
			}
		}
	}
}

// The facade has the first sentences of the subpackages' documentation.
func TestSynopsis(t *testing.T) {
	for _, p := range symbols.Packages() {
		for _, name := range p.Names() {
			d, _ := symbols.LookupDoc(p.Path, name)
			if got, want := symbols.Synopsis(p.Path, name), new(doc.Package).Synopsis(d.Text); got != want {
				t.Errorf("%s.%s: %q, want %q", p.Path, name, got, want)
			}
		}
	}
}

func BenchmarkFirstDoc(b *testing.B) {
	for b.Loop() {
		if _, ok := symbols.LookupDoc("net/http", "Get"); !ok {
			b.Fatal("no documentation")
		}
	}
}
