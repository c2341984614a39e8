package site

import (
	"go/doc/comment"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/formula"
	"github.com/gokernel/gokernel/interp/symbols"
)

func TestExportedPart(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"fields and tags", "type T struct {\n\t// K counts.\n\tK, k int `json:\"k\"` // of clusters\n\tSeed uint64\n\n\tsecret []byte\n\tmodel.Control\n\t*inner\n}",
			"type T struct {\n\t// K counts.\n\tK    int // of clusters\n\tSeed uint64\n\n\tmodel.Control\n\t// what is not exported is left out\n}"},
		{"all exported", "type T struct {\n\tA int `x:\"y\"`\n}", "type T struct {\n\tA int\n}"},
		{"nothing exported", "type T struct{ a int }", "type T struct {\n\t// what is not exported is left out\n}"},
		{"interface", "type T interface {\n\tFit() error\n\tfit()\n\tfmt.Stringer\n}", "type T interface {\n\tFit() error\n\n\tfmt.Stringer\n\t// what is not exported is left out\n}"},
		{"union", "type T interface{ int | float64 }", "type T interface{ int | float64 }"},
		{"no struct", "type T = model.Classifier", "type T = model.Classifier"},
		{"no Go", "type T {", "type T {"},
	} {
		if got := exportedPart(tt.src); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// TestFormulasOfTheLibrary checks all indented blocks of the library's documentation: a block with
// a sign of formulas is typeset as one.
func TestFormulasOfTheLibrary(t *testing.T) {
	set := 0
	for _, v := range newLibrary().names {
		doc, _ := symbols.LookupDoc(v.path, v.Name)
		var p comment.Parser
		for _, block := range withLists(&p, p.Parse(doc.Text).Content) {
			c, ok := block.(*comment.Code)
			if !ok {
				continue
			}
			if rows, _ := formula.Rows(c.Text); rows != nil {
				if set++; strings.Contains(c.Text, "1. ") {
					t.Errorf("%s: a list in a formula:\n%s", v.Label, c.Text)
				}
			} else if strings.ContainsAny(c.Text, "Σθᵢⱼ‖√←≤∝") && !strings.ContainsAny(c.Text, `"@`) {
				t.Errorf("%s: no formula:\n%s", v.Label, c.Text)
			}
		}
	}
	if set < 400 {
		t.Errorf("%d formulas", set)
	}
}
