package rtype

import (
	"go/types"
	"reflect"
	"unsafe"
)

// structType returns an unnamed struct type. Package reflect makes the type, so that it is
// identical to the type in compiled code and to the type that reflect.StructOf returns. The
// exceptions are structs with embedded fields, which reflect.StructOf supports only in part, and
// structs with blank fields, which reflect.StructOf would compare.
func (ts *Types) structType(t *types.Struct) *Type {
	if rt := ts.hidden(t); rt != nil {
		return TypeOf(rt)
	}
	plain := true
	for i := range t.NumFields() {
		f := t.Field(i)
		plain = plain && !f.Embedded() && f.Name() != "_"
	}
	if plain {
		fields := make([]reflect.StructField, t.NumFields())
		for i := range fields {
			f := t.Field(i)
			fields[i] = reflect.StructField{Name: f.Name(), Type: ts.reflectOf(f.Type()), Tag: reflect.StructTag(t.Tag(i))}
			if !f.Exported() {
				fields[i].PkgPath = f.Pkg().Path()
			}
		}
		return TypeOf(reflect.StructOf(fields))
	}
	if rt := ts.compiledStruct(t); rt != nil {
		return rt
	}
	blk := ts.newBlock(t, nil, t)
	ts.set(t, blk.typ)
	ts.later(func() { ts.completeStruct(blk.typ, t) })
	ts.later(func() { ts.addMethods(blk) })
	return blk.typ
}

// hidden returns the compiled type for which t stands, or nil if t stands for itself.
func (ts *Types) hidden(t *types.Struct) reflect.Type {
	if ts.cfg.Hidden == nil {
		return nil
	}
	path, name, field, ok := ts.cfg.Hidden(t)
	if !ok {
		return nil
	}
	rt := ts.lookup(path, name)
	if rt == nil || rt.Kind() != reflect.Struct || rt.NumField() <= field {
		fail("the fields of %s.%s are not known", path, name)
	}
	return rt.Field(field).Type
}

// compiledStruct searches for t among the struct types of the binary.
func (ts *Types) compiledStruct(t *types.Struct) *Type {
next:
	for _, c := range typesByString(ts.typeString(t)) {
		st := (*structType)(unsafe.Pointer(c))
		if reflect.Kind(c.kind) != reflect.Struct || len(st.fields) != t.NumFields() {
			continue
		}
		r := c.Reflect()
		for i := range t.NumFields() {
			f, rf := t.Field(i), r.Field(i)
			path := ""
			if !f.Exported() {
				path = f.Pkg().Path()
			}
			if rf.Name != f.Name() || rf.PkgPath != path || rf.Anonymous != f.Embedded() ||
				string(rf.Tag) != t.Tag(i) || ts.of(f.Type()) != st.fields[i].typ {
				continue next
			}
		}
		return c
	}
	return nil
}

// layStruct sets the layout of rt to that of the struct t: the layout of its shape, with the names
// of the fields. completeStruct sets the fields' types later.
func (ts *Types) layStruct(rt *Type, t *types.Struct) {
	st := (*structType)(unsafe.Pointer(rt))
	shape := (*structType)(unsafe.Pointer(TypeOf(ts.structShape(t))))
	*st = *shape
	st.pkgPath = nil
	st.fields = append([]structField(nil), shape.fields...)
	for i := range st.fields {
		f := t.Field(i)
		flags := exportedFlag(f.Exported())
		if f.Embedded() {
			flags |= nameEmbedded
		}
		st.fields[i].name = nameKey{name: f.Name(), tag: t.Tag(i), flags: flags}.encode()
		if !f.Exported() && f.Pkg() != nil {
			st.pkgPath = nameKey{name: f.Pkg().Path()}.encode()
		}
	}
	ts.setEqual(rt, t)
}

func (ts *Types) completeStruct(rt *Type, t *types.Struct) {
	st := (*structType)(unsafe.Pointer(rt))
	for i := range st.fields {
		st.fields[i].typ = ts.of(t.Field(i).Type())
	}
}
