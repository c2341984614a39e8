package rtype

import (
	"cmp"
	"go/types"
	"hash/fnv"
	"slices"
	"unsafe"
)

// interfaceType returns an unnamed interface type.
func (ts *Types) interfaceType(t *types.Interface) *Type {
	if t.NumMethods() == 0 {
		return TypeOf(anyType)
	}
	it := new(interfaceType)
	it.Type = *TypeOf(errorType)
	it.tflag, it.ptrToThis = 0, 0
	s := ts.typeString(t)
	it.hash = hashString(s)
	it.str = nameKey{name: s}.off()
	ts.set(t, &it.Type)
	ts.back[&it.Type] = t
	ts.later(func() { ts.completeInterface(&it.Type, t) })
	return &it.Type
}

// completeInterface fills the method list of an interface type.
func (ts *Types) completeInterface(rt *Type, t *types.Interface) {
	it := (*interfaceType)(unsafe.Pointer(rt))
	for _, m := range methodsOf(t) {
		key := nameKey{name: m.Name(), flags: exportedFlag(m.Exported())}
		if !m.Exported() && m.Pkg() != nil {
			key.pkgPath = m.Pkg().Path()
			it.pkgPath = nameKey{name: key.pkgPath}.encode()
		}
		it.methods = append(it.methods, imethod{key.off(), ts.of(withoutRecv(m)).off()})
	}
}

func withoutRecv(m *types.Func) *types.Signature {
	sig := m.Type().(*types.Signature)
	return types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
}

// methodsOf returns an interface's methods in the runtime's order.
func methodsOf(t *types.Interface) []*types.Func {
	ms := make([]*types.Func, t.NumMethods())
	for i := range ms {
		ms[i] = t.Method(i)
	}
	slices.SortFunc(ms, CompareMethods)
	return ms
}

// CompareMethods orders methods as method tables do: exported names first, then by name, then by
// package path.
func CompareMethods(a, b *types.Func) int {
	if a.Exported() != b.Exported() {
		if a.Exported() {
			return -1
		}
		return 1
	}
	if c := cmp.Compare(a.Name(), b.Name()); c != 0 || a.Exported() {
		return c
	}
	return cmp.Compare(pathOf(a), pathOf(b))
}

func pathOf(o types.Object) string {
	if o.Pkg() == nil {
		return ""
	}
	return o.Pkg().Path()
}

// MethodIndex returns the index of a method in the tables of an interface type, as in itabs and
// Implementation. It returns -1 if t has no such method.
func MethodIndex(t *types.Interface, m *types.Func) int {
	return slices.IndexFunc(methodsOf(t), func(f *types.Func) bool { return f.Id() == m.Id() })
}

func hashString(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}
