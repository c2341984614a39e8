package rtype

import (
	"go/types"
	"reflect"
	"slices"
	"unsafe"
)

// block is the memory of a new type T and of *T: descriptors, uncommon parts
// and method tables.
type block struct {
	origin    types.Type // T
	typ, ptr  *Type      // ptr is nil when *T is left to package reflect
	pkgPath   string
	selfs     []*types.Selection // the method set of T
	ptrs      []*types.Selection // the method set of *T
	self, ptd *uncommon
}

// newBlock allocates the memory for the type t, which is named or an unnamed struct with embedded
// fields. Its layout, string, hash and pointer type are set. Its method tables have the final
// length, but are empty.
func (ts *Types) newBlock(t types.Type, named *types.Named, under types.Type) *block {
	b := &block{origin: t}
	_, isInterface := under.(*types.Interface)
	_, isPointer := under.(*types.Pointer)
	if !isInterface && !isPointer {
		b.selfs = ts.methodSet(t)
		b.ptrs = ts.methodSet(types.NewPointer(t))
	}
	params := 0
	if sig, ok := under.(*types.Signature); ok {
		params = sig.Params().Len() + sig.Results().Len()
	}
	str := ts.typeString(t)
	flags := byte(0)
	hash := hashString(str)
	if named != nil {
		b.pkgPath = named.Obj().Pkg().Path()
		flags = exportedFlag(named.Obj().Exported())
		ts.serial++
		hash ^= ts.serial * 0x9e3779b1 // types of different cells share a name
	} else if st, ok := under.(*types.Struct); ok {
		b.pkgPath = structPath(st)
	}
	shape := TypeOf(ts.shape(under))
	descriptor := descriptorOf(reflect.Kind(shape.kind))
	b.typ, b.self = newDescriptor(descriptor, params, len(b.selfs))
	if st, ok := under.(*types.Struct); ok {
		ts.layStruct(b.typ, st)
	} else {
		*b.typ = *shape
	}
	if descriptor == reflect.TypeFor[arrayType]() {
		// Structs that contain the array may be laid out before the array type is complete.
		copyTail[arrayType](b.typ, shape)
		ts.setEqual(b.typ, under)
	}
	b.typ.str = nameKey{name: str, flags: flags}.off()
	b.typ.hash = hash
	b.typ.tflag &^= tflagUncommon | tflagExtraStar | tflagNamed
	if named != nil {
		b.typ.tflag |= tflagNamed
	}
	if named != nil || len(b.selfs) > 0 {
		b.typ.tflag |= tflagUncommon
	}
	ts.back[b.typ] = t

	b.ptr, b.ptd = newDescriptor(reflect.TypeFor[ptrType](), 0, len(b.ptrs))
	pt := (*ptrType)(unsafe.Pointer(b.ptr))
	pt.Type = *TypeOf(reflect.TypeFor[*unsafe.Pointer]())
	pt.elem = b.typ
	pt.str = nameKey{name: "*" + str}.off()
	pt.hash = hash*16777619 ^ '*'
	pt.ptrToThis = 0
	pt.tflag &^= tflagUncommon | tflagExtraStar | tflagNamed
	if len(b.ptrs) > 0 {
		pt.tflag |= tflagUncommon
	}
	b.typ.ptrToThis = b.ptr.off()
	ts.back[b.ptr] = types.NewPointer(t)
	return b
}

// structPath returns the package whose unexported names the struct has.
func structPath(t *types.Struct) string {
	path := ""
	for i := range t.NumFields() {
		if f := t.Field(i); f.Pkg() != nil {
			path = f.Pkg().Path()
		}
	}
	return path
}

// methodSet returns the methods of t in the runtime's order.
func (ts *Types) methodSet(t types.Type) []*types.Selection {
	set := types.NewMethodSet(t)
	sels := make([]*types.Selection, 0, set.Len())
	for sel := range set.Methods() {
		if sel.Obj().Name() != "_" {
			sels = append(sels, sel)
		}
	}
	slices.SortFunc(sels, func(a, b *types.Selection) int {
		return CompareMethods(a.Obj().(*types.Func), b.Obj().(*types.Func))
	})
	return sels
}

// descriptorOf returns the Go type of a descriptor of the given kind.
func descriptorOf(k reflect.Kind) reflect.Type {
	switch k {
	case reflect.Array:
		return reflect.TypeFor[arrayType]()
	case reflect.Chan:
		return reflect.TypeFor[chanType]()
	case reflect.Func:
		return reflect.TypeFor[funcType]()
	case reflect.Interface:
		return reflect.TypeFor[interfaceType]()
	case reflect.Map:
		return reflect.TypeFor[mapType]()
	case reflect.Pointer:
		return reflect.TypeFor[ptrType]()
	case reflect.Slice:
		return reflect.TypeFor[sliceType]()
	case reflect.Struct:
		return reflect.TypeFor[structType]()
	}
	return reflect.TypeFor[Type]()
}

// newDescriptor allocates a descriptor followed, as the runtime expects, by its uncommon part, the
// types of a func's parameters and the method table.
func newDescriptor(descriptor reflect.Type, params, methods int) (*Type, *uncommon) {
	mem := reflect.StructOf([]reflect.StructField{
		{Name: "Descriptor", Type: descriptor},
		{Name: "Uncommon", Type: reflect.TypeFor[uncommon]()},
		{Name: "Params", Type: reflect.ArrayOf(params, reflect.TypeFor[*Type]())},
		{Name: "Methods", Type: reflect.ArrayOf(methods, reflect.TypeFor[method]())},
	})
	p := reflect.New(mem).UnsafePointer()
	u := (*uncommon)(unsafe.Add(p, mem.Field(1).Offset))
	u.moff = uint32(mem.Field(3).Offset - mem.Field(1).Offset)
	u.mcount = uint16(methods)
	return (*Type)(p), u
}

func (u *uncommon) methods() []method {
	if u.mcount == 0 {
		return nil // the address of an empty table may be outside the allocation
	}
	return unsafe.Slice((*method)(unsafe.Add(unsafe.Pointer(u), u.moff)), u.mcount)
}
