// Package advice says what to do about the errors for which a cell is not run. It
// is a table: for each kind of error the functions that may know what was meant,
// of which the first that has something to say is heard. The kind is the code of
// go/types, and what the error is about they look up in the checked tree.
//
// Regular expressions are left where neither has the answer: what type a value should
// have where it stands (slip.go: cannotUse, constantAs, olderType), which go/types tells
// in words alone; the text around a name that stands where the parser has made nothing of
// it (names.go); and the names of the machinery, which are taken out of all messages
// (internals.go, columns.go).
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

// Advisor presents the errors of cells, with what to do about them.
type Advisor struct {
	Fset     *token.FileSet
	Packages types.Importer
	Scope    *scope.Scope
	// Told gets each error of a cell with its hint and the fix that belongs to it; tests
	// apply these. It may be nil.
	Told func(src *scope.Source, e check.Error, hint string)
}

// Present presents the errors of a cell in the order of its text. The result of
// the check may be nil.
func (a *Advisor) Present(src *scope.Source, errs []check.Error, r *check.Result) *evaluator.Error {
	sort.SliceStable(errs, func(i, j int) bool { return errs[i].Pos < errs[j].Pos })
	var list []fault.Diagnostic
	type place struct {
		pos token.Pos
		msg string
	}
	told := map[place]bool{}
	explained := map[string]bool{} // unknown names whose other uses are echoes
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

// SpanLen is the length of what lies between two positions of one line.
func SpanLen(fset *token.FileSet, pos, end token.Pos) int {
	if end <= pos || fset.File(pos) == nil || fset.File(pos) != fset.File(end) {
		return 0
	}
	if fset.Position(pos).Line != fset.Position(end).Line {
		return 0
	}
	return int(end - pos)
}
