package check

import (
	"go/types"
	"testing"
)

func TestDropLastMethod(t *testing.T) {
	pkg := NewPackage()
	named := types.NewNamed(types.NewTypeName(0, pkg, "T", nil), types.Typ[types.Int], nil)
	method := func(name string) *types.Func {
		recv := types.NewVar(0, pkg, "", named)
		m := types.NewFunc(0, pkg, name, types.NewSignatureType(recv, nil, nil, nil, nil, false))
		named.AddMethod(m)
		return m
	}
	a, b := method("A"), method("B")
	if DropLastMethod(named, a) {
		t.Error("a method was dropped that is not the last one")
	}
	if !DropLastMethod(named, b) || named.NumMethods() != 1 || named.Method(0) != a {
		t.Errorf("%d methods are left", named.NumMethods())
	}
	if set := types.NewMethodSet(named); set.Lookup(pkg, "A") == nil || set.Lookup(pkg, "B") != nil {
		t.Errorf("the method set is %v", set)
	}
	if again := method("B"); named.NumMethods() != 2 || named.Method(1) != again {
		t.Error("the name of the dropped method is not free again")
	}
	if !DropLastMethod(named, named.Method(1)) || !DropLastMethod(named, a) || DropLastMethod(named, a) {
		t.Error("the methods cannot be dropped in their order, or one twice")
	}
}
