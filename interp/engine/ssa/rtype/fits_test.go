package rtype

import (
	"fmt"
	"go/types"
	"io/fs"
	"reflect"
	"strings"
	"testing"
)

// TestFits compares compiled types with correct and with different declarations.
func TestFits(t *testing.T) {
	pkg := checkSource(t, `
		import ("io/fs"; "strings"; "fmt")
		type other struct { s string; before int }
		type longer struct { strings.Reader; more [3]byte }
		type named struct { A string; C [5]int }
		type reader interface { Read(p []byte) (int, error) }
		type stringer interface { fmt.Stringer }
		var info fs.FileInfo
		var reading strings.Reader
	`)
	typ := func(name string) types.Type { return pkg.Scope().Lookup(name).Type() }
	type own struct {
		A string
		B [5]int
	}
	for _, tt := range []struct {
		rt   reflect.Type
		as   types.Type
		want string
	}{
		{reflect.TypeFor[strings.Reader](), typ("reading"), ""},
		{reflect.TypeFor[fs.FileInfo](), typ("info"), ""},
		{reflect.TypeFor[fmt.Stringer](), typ("stringer"), ""},
		{reflect.TypeFor[strings.Reader](), typ("other"), "other fields"},
		{reflect.TypeFor[strings.Reader](), typ("longer"), "other fields"},
		{reflect.TypeFor[own](), typ("named"), "field B is at another offset"},
		{reflect.TypeFor[fmt.Stringer](), typ("reader"), "no method Read"},
		{reflect.TypeFor[fs.FileInfo](), typ("reader"), "other methods"},
		{reflect.TypeFor[fs.FileMode](), types.Typ[types.String], "it is a uint32"},
	} {
		got := differs(tt.rt, tt.as.Underlying())
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%v as %v: got %q, want %q", tt.rt, tt.as, got, tt.want)
		}
	}
}
