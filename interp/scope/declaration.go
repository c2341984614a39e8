package scope

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/interp/rewrite"
)

// Declaration is a name of the session as the last cell that declared it left it.
type Declaration struct {
	Name  string
	Owner *Declaration // of a method, the type
	Obj   types.Object
	Cell  *Source
	Spec  string // the text of a type or method, to see whether it is the same again
	Head  string // the receiver and signature of a method
	// start and end bound the declaration in the cell's text, for those that can
	// be compiled again: functions, types and constants.
	Start, End token.Pos
	Uses       []types.Object          // objects of the session that the declaration mentions
	Methods    map[string]*Declaration // of a type, by name
}

// FullName returns the name of a declaration for a reader.
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

// Declared returns the comment and the text with which a cell declared an object.
func (sc *Scope) Declared(o types.Object) (doc, text string) {
	for _, d := range sc.names {
		if d.Obj == o {
			doc, text := d.source()
			if _, isVar := o.(*types.Var); isVar {
				text = "" // it says nothing of the variable's state
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

// ChangesWith reports whether the declared object becomes another one when those
// objects change: a function whose signature mentions none of them does not.
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
