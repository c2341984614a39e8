package advice

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/scope"
)

// This type represents an error of a cell, with the data that hints need.
type slip struct {
	check.Error
	advisor *Advisor
	src     *scope.Source
	result  *check.Result // nil if the cell was not checked

	declares bool // the hint declares the unknown name, so its other errors only repeat this one
}

// hint returns the hint, or "" if there is none.
func (s *slip) hint() string {
	if s.Hint != "" {
		return s.Hint
	}
	for _, ask := range byCode[s.Code] {
		if h := ask(s); h != "" {
			return h
		}
	}
	return ""
}

// name returns the name at the end of a message such as "undefined: x".
func (s *slip) name() string {
	_, name, _ := strings.Cut(s.Msg, ": ")
	return name
}

// around returns the text of the line before the name that the error is about, and the text after
// the name.
func (s *slip) around() (before, after string, ok bool) {
	name, text := s.name(), s.src.Text
	at := int(s.Pos - s.src.Base)
	if at < 0 || at+len(name) > len(text) || text[at:at+len(name)] != name {
		return "", "", false
	}
	start := strings.LastIndexByte(text[:at], '\n') + 1
	return text[start:at], text[at+len(name):], true
}

// assignment is a value or a constant that can't be assigned, passed or returned.
type assignment struct {
	expr string
	from string // its type, or the kind of an untyped constant
	to   string
	call string // the function whose argument it is, "" elsewhere
}

// The error code tells that a value has the wrong type, and the tree has the value. Only the
// message of go/types has the expected type.
var (
	cannotUse  = pattern.New(`^cannot use (.+) \((?:untyped )?(?:variable|value|constant|result)?.*of (?:.*)type (\S+)\) as (\S+) value(?: in argument to ([^\s:]+))?`)
	constantAs = pattern.New(`^cannot use (.+) \(untyped (\w+) constant.*?\) as (\S+) value(?: in argument to ([^\s:]+))?`)
)

// value parses the assignment of a typed value from the message.
func (s *slip) value() (assignment, bool) { return readAssignment(cannotUse, s.Msg) }

// constant parses the assignment of an untyped constant from the message.
func (s *slip) constant() (assignment, bool) { return readAssignment(constantAs, s.Msg) }

func readAssignment(p pattern.Pattern, msg string) (assignment, bool) {
	m := p().FindStringSubmatch(msg)
	if m == nil {
		return assignment{}, false
	}
	return assignment{m[1], m[2], m[3], m[4]}, true
}

// names returns the candidates for a misspelled name: the names in scope for a plain name, the
// members of a package for a qualified one.
func (s *slip) names(qualifier string) []string {
	a := s.advisor
	if qualifier != "" {
		path, ok := a.Scope.ImportPath(qualifier, nil)
		if !ok {
			return nil
		}
		pkg, err := a.Packages.Import(path)
		if err != nil {
			return nil
		}
		return exported(pkg.Scope().Names())
	}
	names := append(a.Scope.Names(), a.Scope.ImportNames()...)
	if s.result != nil && s.result.Package != nil {
		for inner := innermost(s.result.Package.Scope(), s.Pos); inner != nil && inner != types.Universe; inner = inner.Parent() {
			for _, n := range inner.Names() {
				if !rewrite.Reserved(n) {
					names = append(names, n)
				}
			}
		}
	}
	return append(names, types.Universe.Names()...)
}

func innermost(pkg *types.Scope, pos token.Pos) *types.Scope {
	if in := pkg.Innermost(pos); in != nil {
		return in
	}
	return pkg
}

func exported(names []string) []string {
	var out []string
	for _, n := range names {
		if token.IsExported(n) {
			out = append(out, n)
		}
	}
	return out
}
