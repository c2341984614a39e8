package scope

import "go/types"

// Frames lists the variables that are data frames, in ascending order.
func (sc *Scope) Frames() []string {
	return sc.valued(func(t types.Type) bool { return TypeString(types.Unalias(t)) == "*frame.Frame" })
}

// Databases lists the variables that are connections to databases, in ascending order.
func (sc *Scope) Databases() []string {
	return sc.valued(func(t types.Type) bool { return TypeString(types.Unalias(t)) == "*database.DB" })
}

// Values lists the variables and constants that are numbers, strings, booleans or times, in
// ascending order.
func (sc *Scope) Values() []string {
	return sc.valued(func(t types.Type) bool {
		basic, ok := t.Underlying().(*types.Basic)
		return ok && basic.Info()&(types.IsInteger|types.IsFloat|types.IsString|types.IsBoolean) != 0 || TypeString(types.Unalias(t)) == "time.Time"
	})
}

// valued lists the variables and constants for whose types wanted returns true.
func (sc *Scope) valued(wanted func(types.Type) bool) []string {
	var list []string
	for _, name := range sc.Names() {
		switch o := sc.Lookup(name).Obj.(type) {
		case *types.Var, *types.Const:
			if name != "_" && wanted(o.Type()) {
				list = append(list, name)
			}
		}
	}
	return list
}
