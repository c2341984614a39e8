package scope

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/interp/rewrite"
)

// Declaration is the most recent declaration of a name of the session.
type Declaration struct {
	Name  string
	Owner *Declaration // type of a method
	Obj   types.Object
	Cell  *Source
	Spec  string // the text of a type or method, to detect changes
	Head  string // the receiver and signature of a method
	// Start and End are the bounds of the declaration in the cell's text. They are set for
	// declarations that can be compiled again: functions, types and constants.
	Start, End token.Pos
	Uses       []types.Object          // objects of the session that the declaration mentions
	Methods    map[string]*Declaration // methods of a type, by name
}

// FullName returns the name of a declaration for users.
func (d *Declaration) FullName() string {
	if d.Owner != nil {
		return d.Owner.Name + "." + d.Name
	}
	return d.Name
}

// source returns the comment before a declaration and its text.
func (d *Declaration) source() (doc, text string) {
	text = d.Cell.Slice(d.Start, d.End)
	start := int(d.Start - d.Cell.Base)
	if start < 0 || start > len(d.Cell.Text) {
		return "", text
	}
	lines := strings.Split(d.Cell.Text[:start], "\n")
	lines = lines[:len(lines)-1]
	i := len(lines)
	for i > 0 && strings.HasPrefix(strings.TrimSpace(lines[i-1]), "//") {
		i--
	}
	for _, l := range lines[i:] {
		doc += strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(l), "//"), " ") + "\n"
	}
	return doc, text
}

// Declared returns the comment and the text of an object's declaration in a cell.
func (sc *Scope) Declared(o types.Object) (doc, text string) {
	for _, d := range sc.names {
		if d.Obj == o {
			doc, text := d.source()
			if _, isVar := o.(*types.Var); isVar {
				text = "" // it does not show the variable's state
			}
			return doc, text
		}
		for _, m := range d.Methods {
			if m.Obj == o || m.Name == o.Name() && m.Obj.Pos() == o.Pos() {
				return m.source()
			}
		}
	}
	return "", ""
}

// ChangesWith reports whether the declared object becomes another one when the given objects
// change. A function stays the same object if its signature mentions none of them.
func (d *Declaration) ChangesWith(changed map[types.Object]bool) bool {
	if fn, ok := d.Obj.(*types.Func); ok {
		return TypeMentions(fn.Type(), changed)
	}
	return true
}

// IsDeclared reports whether cells declare the object for the session.
func IsDeclared(o types.Object) bool {
	return o.Pkg() != nil && o.Pkg().Path() == "main" && o.Parent() == o.Pkg().Scope() && !rewrite.Reserved(o.Name())
}
