// Package advice turns the errors of a cell into messages with hints. A table lists, for each kind
// of error, the functions that may know what was meant. The first one that returns a hint wins. The
// kind is the error code of go/types, and the functions find the operands of the error in the
// checked tree.
//
// Regular expressions are used only where neither the error code nor the tree has the answer. Some
// errors name the expected type of a value only in their message: cannotUse, constantAs, olderType.
// Where the parser produced no node for a name, names.go reads the text around it. All messages are
// searched for internal names, which internals.go and columns.go remove.
package advice

import (
	"go/token"
	"go/types"
	"sort"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Advisor presents the errors of cells with hints.
type Advisor struct {
	Fset     *token.FileSet
	Packages types.Importer
	Scope    *scope.Scope
	// Told receives each error of a cell with its hint and the fix that belongs to it; tests apply
	// the fixes. It may be nil.
	Told func(src *scope.Source, e check.Error, hint string)
}

// Present returns the errors of a cell in the order of its text. The result of the check may be
// nil.
func (a *Advisor) Present(src *scope.Source, errs []check.Error, r *check.Result) *evaluator.Error {
	sort.SliceStable(errs, func(i, j int) bool { return errs[i].Pos < errs[j].Pos })
	var list []fault.Diagnostic
	type place struct {
		pos token.Pos
		msg string
	}
	told := map[place]bool{}
	explained := map[string]bool{} // unknown names whose other errors only repeat the first one
	for _, e := range errs {
		s := &slip{Error: e, advisor: a, src: src, result: r}
		if told[place{e.Pos, e.Msg}] || e.Code == check.UndeclaredName && explained[s.name()] {
			continue
		}
		told[place{e.Pos, e.Msg}] = true
		if e.Code == check.UndeclaredName && s.isParameter() {
			explained[s.name()] = true
		}
		hint := PlainWords(s.hint())
		if s.declares {
			explained[s.name()] = true
		}
		if a.Told != nil {
			a.Told(src, s.Error, hint)
		}
		list = append(list, fault.Diagnostic{
			Pos: a.Fset.Position(e.Pos), Len: SpanLen(a.Fset, e.Pos, e.End), Msg: PlainWords(e.Msg), Hint: hint,
		})
	}
	return fault.Compile(list, func(name string) (string, bool) {
		if name == src.Name {
			return src.Text, true
		}
		return a.Scope.Text(name)
	})
}

// SpanLen returns the length of the text between two positions of one line.
func SpanLen(fset *token.FileSet, pos, end token.Pos) int {
	if end <= pos || fset.File(pos) == nil || fset.File(pos) != fset.File(end) {
		return 0
	}
	if fset.Position(pos).Line != fset.Position(end).Line {
		return 0
	}
	return int(end - pos)
}
