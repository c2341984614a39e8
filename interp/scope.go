package interp

import (
	"go/token"
	"go/types"
	"sort"

	"github.com/gokernel/gokernel/interp/symbols"
)

// declaration is a name of the session as the last cell that declared it left it.
type declaration struct {
	name  string
	owner *declaration // of a method, the type
	obj   types.Object
	cell  *source
	spec  string // the text of a type or method, to see whether it is the same again
	head  string // the receiver and signature of a method
	// start and end bound the declaration in the cell's text, for those that can
	// be compiled anew: functions, types and constants.
	start, end token.Pos
	uses       []types.Object          // objects of the session that the declaration mentions
	methods    map[string]*declaration // of a type, by name
}

// source is the text of a cell that was evaluated.
type source struct {
	name   string // in positions: "cell [3]"
	number int    // as the notebook shows it; cells that are not counted share one with the next
	run    int    // tells cells apart for their outputs; 0 for an expression
	text   string
	base   token.Pos
	// imports are the paths that the cell's own import declarations gave to names.
	imports map[string]string
}

// scope is what a session has declared.
type scope struct {
	names   map[string]*declaration
	imports map[string]string // import paths by name, from import declarations
	sources map[string]*source
	order   []string // names of sources, oldest first
	// users are the declarations that mention an object.
	users map[types.Object]map[*declaration]bool
	// addressed are the variables whose address some code has taken. Declaring
	// such a name again makes a new variable, of which pointers to the old one
	// know nothing.
	addressed map[types.Object]bool
	// held are the variables whose vectors something else may hold.
	held map[types.Object]bool
}

func newScope() scope {
	return scope{
		names:   map[string]*declaration{},
		imports: map[string]string{},
		sources: map[string]*source{},
		users:   map[types.Object]map[*declaration]bool{},

		addressed: map[types.Object]bool{},
		held:      map[types.Object]bool{},
	}
}

// keepSources is how many cells are remembered for excerpts in errors.
const keepSources = 2000

func (sc *scope) addSource(src *source) {
	if sc.sources[src.name] == nil {
		sc.order = append(sc.order, src.name)
	}
	sc.sources[src.name] = src
	if len(sc.order) > keepSources {
		delete(sc.sources, sc.order[0])
		sc.order = sc.order[1:]
	}
}

func (sc *scope) text(filename string) (string, bool) {
	src := sc.sources[filename]
	if src == nil {
		return "", false
	}
	return src.text, true
}

// declare makes d what the name stands for.
func (sc *scope) declare(name string, d *declaration) {
	sc.drop(sc.names[name])
	sc.names[name] = d
	delete(sc.imports, name)
	sc.track(d)
}

// track notes which objects a declaration mentions.
func (sc *scope) track(d *declaration) {
	for _, o := range d.uses {
		m := sc.users[o]
		if m == nil {
			m = map[*declaration]bool{}
			sc.users[o] = m
		}
		m[d] = true
	}
}

// replaceUses lets what mentions the old object mention the new one, which has
// taken its place.
func (sc *scope) replaceUses(old, new types.Object) {
	users := sc.users[old]
	if len(users) == 0 {
		return
	}
	delete(sc.users, old)
	if sc.users[new] == nil {
		sc.users[new] = map[*declaration]bool{}
	}
	for d := range users {
		sc.users[new][d] = true
		for i, o := range d.uses {
			if o == old {
				d.uses[i] = new
			}
		}
	}
}

// drop forgets a declaration that another took the place of.
func (sc *scope) drop(d *declaration) {
	if d == nil {
		return
	}
	sc.untrack(d)
	delete(sc.addressed, d.obj)
	delete(sc.held, d.obj)
	for _, m := range d.methods {
		sc.untrack(m)
	}
}

func (sc *scope) untrack(d *declaration) {
	for _, o := range d.uses {
		if m := sc.users[o]; m != nil {
			delete(m, d)
			if len(m) == 0 {
				delete(sc.users, o)
			}
		}
	}
}

// sorted gives the session's names in ascending order.
func (sc *scope) sorted() []string {
	names := make([]string, 0, len(sc.names))
	for n := range sc.names {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// The packages whose exported names stand in every cell without a qualifier; the
// first that has a name gives it, so that a verb hides a type of package display.
var preludePaths = []string{
	"github.com/gokernel/gokernel/display/verbs",
	"github.com/gokernel/gokernel/display",
	"github.com/gokernel/gokernel/interp/ask",
	"github.com/gokernel/gokernel/display",
}

// prelude gives the display verb of that name.
func (s *Session) prelude(name string) types.Object {
	if !token.IsExported(name) {
		return nil
	}
	for _, path := range preludePaths {
		p, ok := symbols.Lookup(path)
		if !ok || !p.Has(name) {
			continue
		}
		pkg, err := s.packages.Import(path)
		if err != nil {
			continue
		}
		if obj := pkg.Scope().Lookup(name); obj != nil {
			return obj
		}
	}
	return nil
}

// importPath gives the path that a package name stands for when a cell selects
// the members from it without an import of its own.
func (s *Session) importPath(name string, members []string) (string, bool) {
	if p, ok := s.scope.imports[name]; ok {
		return p, true
	}
	if p, ok := symbols.Resolve(name, members...); ok {
		return p.Path, true
	}
	// A member may be misspelt: the error should be about the member.
	if list := symbols.Named(name); len(list) > 0 {
		return list[0].Path, true
	}
	return "", false
}
