package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/complete"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/pattern"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/symbols"
)

// compileError presents the errors of a cell in the order of its text.
func (s *Session) compileError(src *source, errs []check.Error, r *check.Result) *Error {
	sort.SliceStable(errs, func(i, j int) bool { return errs[i].Pos < errs[j].Pos })
	var list []fault.Diagnostic
	told := map[check.Error]bool{}
	untyped := map[string]bool{} // parameters without a type; their uses are echoes
	for _, e := range errs {
		if told[e] {
			continue
		}
		told[e] = true
		name, isUndefined := strings.CutPrefix(e.Msg, "undefined: ")
		if isUndefined && untyped[name] {
			continue
		}
		if before, after, ok := src.around(e.Pos, name); ok && isUndefined {
			if e.Hint == "" && isParameter(before, after) {
				untyped[name] = true
				e.Hint = "a parameter has a name and then a type: x int"
			}
			if e.Hint == "" && strings.HasPrefix(after, ".") {
				e.Hint = check.Foreign(name)
			}
			if verb := capital(name); e.Hint == "" && strings.HasPrefix(after, "(") && s.prelude(verb) != nil {
				e.Hint = "did you mean " + verb + "?"
			}
			if e.Hint == "" && !strings.HasPrefix(after, ".") && len(symbols.Named(name)) > 0 {
				e.Hint = check.Foreign(name)
			}
			if e.Hint == "" && strings.HasPrefix(after, ".") {
				if best := check.Closest(name, packageNames()); best != "" {
					e.Hint = "did you mean " + best + "?"
				}
			}
		}
		if name, ok := strings.CutPrefix(e.Msg, "undefined: "); ok && e.Hint == "" && len(symbols.Named(name)) > 0 {
			e.Hint = name + " is a package: write " + name + "., or " + name + "? for its documentation"
		}
		if e.Hint == "" {
			e.Hint = staleType(e.Msg)
		}
		if e.Hint == "" {
			e.Hint = s.shadowedPackage(e.Msg)
		}
		if e.Hint == "" {
			e.Hint = memberHint(e, r)
		}
		if e.Hint == "" {
			e.Hint = structHint(e, r)
		}
		if e.Hint == "" {
			e.Hint = src.unusedHint(e)
		}
		if m := noImport.FindStringSubmatch(e.Msg); m != nil && e.Hint == "" {
			if best := check.Closest(m[1], packagePaths()); best != "" {
				e.Hint = "did you mean " + strconv.Quote(best) + "?"
			}
		}
		e.AddHint(func(qualifier string) []string { return s.namesFor(qualifier, e.Pos, r) })
		if _, after, ok := src.around(e.Pos, name); ok && isUndefined && e.Hint == "" && assigned.MatchString(after) {
			e.Hint = name + " := makes a new variable"
		}
		list = append(list, fault.Diagnostic{
			Pos: s.position(e.Pos), Len: spanLen(s.fset, e.Pos, e.End), Msg: plainWords(e.Msg), Hint: e.Hint,
		})
	}
	return fault.Compile(list, func(name string) (string, bool) {
		if name == src.name {
			return src.text, true
		}
		return s.scope.text(name)
	})
}

var (
	// olderType is a value of a type of an earlier cell where the new type of that
	// name is wanted.
	olderType = pattern.New(`\bof (?:\S+ )?type ([*\[\]]*)main\.([\pL_][\pL\pN_]*).*\) as ([*\[\]]*)(?:main\.)?([\pL_][\pL\pN_]*) value`)
	assigned  = pattern.New(`^(?:\s*,\s*[\pL_][\pL\pN_]*)*\s*=[^=]`)
	receiver  = pattern.New(`^\)\s*[\pL_][\pL\pN_]*\s*\(`)
	paramList = pattern.New(`\bfunc\b\s*(?:\([^()]*\)\s*)?[\pL_]*[\pL\pN_]*\s*(?:\[[^\]]*\]\s*)?\([^()]*$`)
)

// isParameter tells whether a name between before and after stands in the
// parameters of a function where a type should.
func isParameter(before, after string) bool {
	after = strings.TrimLeft(after, " \t")
	if !paramList.MatchString(before) || !strings.HasPrefix(after, ",") && !strings.HasPrefix(after, ")") || receiver.MatchString(after) {
		return false
	}
	// Behind a name stands a type, unless the name is one: (int a).
	word := strings.TrimSpace(before[strings.LastIndexAny(before, "(,")+1:])
	_, isType := types.Universe.Lookup(word).(*types.TypeName)
	return word == "" || isType
}

// around gives the line before a name of the cell, and what follows the name.
func (src *source) around(pos token.Pos, name string) (before, after string, ok bool) {
	at := int(pos - src.base)
	if at < 0 || at+len(name) > len(src.text) || src.text[at:at+len(name)] != name {
		return "", "", false
	}
	start := strings.LastIndexByte(src.text[:at], '\n') + 1
	return src.text[start:at], src.text[at+len(name):], true
}

// capital gives a name with a capital letter.
func capital(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[n:]
}

var noImport = pattern.New(`^could not import (\S+) \(package \S+ is not part of this kernel`)

func packagePaths() []string {
	var paths []string
	for _, p := range packageList() {
		paths = append(paths, p.Path)
	}
	return paths
}

func packageNames() []string {
	var names []string
	for _, p := range packageList() {
		names = append(names, p.Name)
	}
	return names
}

// staleType explains the error that a value has the type of an earlier cell,
// which a later one has declared again.
func staleType(msg string) string {
	m := olderType.FindStringSubmatch(msg)
	if m == nil || m[1] != m[3] || m[2] != m[4] {
		return ""
	}
	return m[2] + " has been declared again since this value was made: run the cell that makes it again"
}

// shadowedPackage explains the error that a variable lacks what the package of its
// name has.
func (s *Session) shadowedPackage(msg string) string {
	m := selection.FindStringSubmatch(msg)
	if m == nil {
		return ""
	}
	d := s.scope.names[m[1]]
	p, ok := symbols.Resolve(m[1], m[2])
	if d == nil || !ok || !p.Has(m[2]) {
		return ""
	}
	return fmt.Sprintf("%s is what %s declared, not the package: import %q makes it the package again", m[1], d.cell.name, p.Path)
}

var selection = pattern.New(`^([\pL_][\pL\pN_]*)\.([\pL_][\pL\pN_]*) undefined \(type `)

// memberHint names the member that a selection of one that there is not may have
// meant.
func memberHint(e check.Error, r *check.Result) string {
	m := noMember.FindStringSubmatch(e.Msg)
	if m == nil || r == nil || strings.Contains(e.Msg, "but does have") {
		return ""
	}
	for x, tv := range r.Info.Types {
		// The name comes right behind the dot.
		if x.End() != e.Pos-1 || tv.Type == nil {
			continue
		}
		var names []string
		for _, o := range complete.Members(tv.Type) {
			names = append(names, o.Name())
		}
		if best := check.Closest(m[1], names); best != "" {
			return "did you mean " + best + "?"
		}
	}
	return ""
}

// structHint says what a struct has instead of a field that it lacks, and how its
// values are written.
func structHint(e check.Error, r *check.Result) string {
	if r == nil || strings.Contains(e.Msg, "but does have") {
		return ""
	}
	if strings.HasPrefix(e.Msg, "cannot convert ") {
		for x, tv := range r.Info.Types {
			if x.End() != e.Pos-1 || !tv.IsType() {
				continue
			}
			if _, ok := tv.Type.Underlying().(*types.Struct); ok {
				return "a value of a struct is written " + typeString(tv.Type) + "{...}"
			}
		}
		return ""
	}
	m := noField.FindStringSubmatch(e.Msg)
	if m == nil {
		return ""
	}
	var lit *ast.CompositeLit // the innermost one
	for x := range r.Info.Types {
		if l, ok := x.(*ast.CompositeLit); ok && l.Pos() <= e.Pos && e.Pos < l.End() && (lit == nil || l.Pos() > lit.Pos()) {
			lit = l
		}
	}
	if lit == nil {
		return ""
	}
	s, ok := r.Info.Types[lit].Type.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	var names []string
	for f := range s.Fields() {
		if f.Exported() || f.Pkg() != nil && f.Pkg().Path() == "main" {
			names = append(names, f.Name())
		}
	}
	if best := check.Closest(m[1], names); best != "" {
		return "did you mean " + best + "?"
	}
	const most = 10
	switch {
	case len(names) == 0:
		return "it has no fields"
	case len(names) > most:
		names = append(names[:most], "...")
	}
	return "its fields are " + strings.Join(names, ", ")
}

// unusedHint says what to do about one of several variables that are set at once
// and not used.
func (src *source) unusedHint(e check.Error) string {
	name, ok := strings.CutPrefix(e.Msg, "declared and not used: ")
	if !ok {
		return ""
	}
	before, after, ok := src.around(e.Pos, name)
	if !ok || !oneOfSeveral.MatchString(after) && !strings.HasSuffix(strings.TrimRight(before, " \t"), ",") {
		return ""
	}
	if name == "err" {
		return "look at the error, if err != nil { }, or write _ in its place"
	}
	return "use it, or write _ in its place"
}

var (
	noField      = pattern.New(`^unknown field ([\pL_][\pL\pN_]*) in struct literal`)
	oneOfSeveral = pattern.New(`^\s*,[^=;{}\n]*:=`)
)

var noMember = pattern.New(`has no field or method ([\pL_][\pL\pN_]*)`)

func (s *Session) position(pos token.Pos) token.Position {
	return s.fset.Position(pos)
}

// spanLen is the length of what lies between two positions of one line.
func spanLen(fset *token.FileSet, pos, end token.Pos) int {
	if end <= pos || fset.File(pos) == nil || fset.File(pos) != fset.File(end) {
		return 0
	}
	if fset.Position(pos).Line != fset.Position(end).Line {
		return 0
	}
	return int(end - pos)
}

var ownPackage = pattern.New(`\bmain\.`)

// mustCall is how a call whose error is checked reads after rewriting.
var mustCall = pattern.New(`ǃmust\d+\((.*?\))\)`)

// plainWords takes out of a message what only the machinery knows.
func plainWords(msg string) string {
	msg = ownPackage.ReplaceAllString(msg, "")
	msg = mustCall.ReplaceAllString(msg, "$1")
	msg = strings.ReplaceAll(msg, " (declared at -)", "")
	msg = strings.ReplaceAll(msg, rewrite.StdinName, "os.Stdin")
	return strings.ReplaceAll(msg, " in variable declaration", " in assignment")
}

// namesFor gives the names that one in an error may have been meant for.
func (s *Session) namesFor(qualifier string, pos token.Pos, r *check.Result) []string {
	if qualifier != "" {
		path, ok := s.importPath(qualifier, nil)
		if !ok {
			return nil
		}
		pkg, err := s.packages.Import(path)
		if err != nil {
			return nil
		}
		return exported(pkg.Scope().Names())
	}
	names := s.scope.sorted()
	for n := range s.scope.imports {
		names = append(names, n)
	}
	if r != nil && r.Package != nil {
		for inner := innermost(r.Package.Scope(), pos); inner != nil && inner != types.Universe; inner = inner.Parent() {
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
