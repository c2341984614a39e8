package scope

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
)

// Clone returns a copy of the scope. Names that one of the two declares later are unknown to the
// other; both share the declarations that exist now.
func (sc *Scope) Clone() *Scope {
	c := *sc
	c.names, c.imports, c.sources = maps.Clone(sc.names), maps.Clone(sc.imports), maps.Clone(sc.sources)
	c.order = append([]string(nil), sc.order...)
	c.addressed, c.held = maps.Clone(sc.addressed), maps.Clone(sc.held)
	c.users = make(map[types.Object]map[*Declaration]bool, len(sc.users))
	for o, users := range sc.users {
		c.users[o] = maps.Clone(users)
	}
	return &c
}

// Means reports whether code means the same in both scopes: each name refers to an object of the
// same kind and type. If it does, Means updates the declarations of sc to the text that they have
// in the newer scope.
func (sc *Scope) Means(now *Scope) bool {
	if len(sc.names) != len(now.names) || !maps.Equal(sc.imports, now.imports) {
		return false
	}
	for name, d := range sc.names {
		if n := now.names[name]; n == nil || !d.means(n) {
			return false
		}
	}
	for name, d := range sc.names {
		d.retext(now.names[name])
	}
	return true
}

// means reports whether code that uses d can use the other declaration instead.
func (d *Declaration) means(now *Declaration) bool {
	if d == now || d.Obj == now.Obj {
		return true
	}
	switch o := d.Obj.(type) {
	case *types.Const:
		n, ok := now.Obj.(*types.Const)
		return ok && types.Identical(o.Type(), n.Type()) && o.Val().Kind() != constant.Unknown && constant.Compare(o.Val(), token.EQL, n.Val())
	case *types.Var:
		_, ok := now.Obj.(*types.Var)
		return ok && types.Identical(o.Type(), now.Obj.Type())
	case *types.Func:
		_, ok := now.Obj.(*types.Func)
		return ok && types.Identical(o.Type(), now.Obj.Type())
	case *types.TypeName:
		return d.sameType(now)
	}
	return false
}

// sameType reports whether two declarations of a type have the same text, mention the same objects
// and have methods with the same signatures.
func (d *Declaration) sameType(now *Declaration) bool {
	if _, ok := now.Obj.(*types.TypeName); !ok || d.Spec == "" || d.Spec != now.Spec || len(d.Methods) != len(now.Methods) {
		return false
	}
	same := func(a, b *Declaration) bool {
		if len(a.Uses) != len(b.Uses) {
			return false
		}
		used := map[types.Object]bool{}
		for _, o := range a.Uses {
			used[o] = true
		}
		for _, o := range b.Uses {
			if !used[o] {
				return false
			}
		}
		return true
	}
	if !same(d, now) {
		return false
	}
	for name, m := range d.Methods {
		if n := now.Methods[name]; n == nil || m.Head != n.Head {
			return false
		}
	}
	return true
}

// retext makes d refer to the text of another declaration.
func (d *Declaration) retext(now *Declaration) {
	if d == now || now == nil {
		return
	}
	d.Cell, d.Start, d.End, d.Spec, d.Head = now.Cell, now.Start, now.End, now.Spec, now.Head
	for name, m := range d.Methods {
		m.retext(now.Methods[name])
	}
}
