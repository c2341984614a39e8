// Package scope manages the declarations of a notebook: what each name refers to, the cells that
// declared it, and which declarations mention which. It also has the names that no cell declares:
// the prelude and the packages that need no import.
package scope

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sort"

	"github.com/gokernel/gokernel/interp/symbols"
)

// Scope contains the declarations of a session.
type Scope struct {
	packages *symbols.Importer
	names    map[string]*Declaration
	imports  map[string]string // import paths by name, from import declarations
	sources  map[string]*Source
	order    []string // names of sources, oldest first
	// users maps objects to the declarations that mention them.
	users map[types.Object]map[*Declaration]bool
	// addressed contains the variables whose address is taken. If a cell declares the name of such
	// a variable again, it gets a new variable, and pointers still refer to the old one.
	addressed map[types.Object]bool
	// held contains the variables whose vectors may have other references.
	held map[types.Object]bool
}

// New returns the scope of a session that can import the packages.
func New(packages *symbols.Importer) *Scope {
	return &Scope{
		packages: packages,
		names:    map[string]*Declaration{},
		imports:  map[string]string{},
		sources:  map[string]*Source{},
		users:    map[types.Object]map[*Declaration]bool{},

		addressed: map[types.Object]bool{},
		held:      map[types.Object]bool{},
	}
}

// Reset removes all names, but keeps the cells.
func (sc *Scope) Reset() {
	sc.names = map[string]*Declaration{}
	sc.imports = map[string]string{}
	sc.users = map[types.Object]map[*Declaration]bool{}
}

// Packages returns the units that names of the session, or their methods, refer to.
func (sc *Scope) Packages() map[*types.Package]bool {
	packages := map[*types.Package]bool{}
	for _, d := range sc.names {
		packages[d.Obj.Pkg()] = true
		for _, m := range d.Methods {
			packages[m.Obj.Pkg()] = true
		}
	}
	return packages
}

// Lookup returns the declaration of a name, or nil if no cell declares it.
func (sc *Scope) Lookup(name string) *Declaration { return sc.names[name] }

// SetImport declares the name of an imported package.
func (sc *Scope) SetImport(name, path string) {
	sc.drop(sc.names[name])
	delete(sc.names, name)
	sc.imports[name] = path
}

// ImportNames returns the names of the packages that cells have imported.
func (sc *Scope) ImportNames() []string { return slices.Sorted(maps.Keys(sc.imports)) }

// Imported returns the path of the package that a cell has imported under the name.
func (sc *Scope) Imported(name string) (path string, ok bool) {
	path, ok = sc.imports[name]
	return path, ok
}

// PutBack restores the declaration old, which may be nil, for the name.
func (sc *Scope) PutBack(name string, old *Declaration) {
	sc.drop(sc.names[name])
	delete(sc.names, name)
	if old != nil {
		sc.names[name] = old
		sc.Track(old)
	}
}

// UsersOf returns the declarations that mention an object.
func (sc *Scope) UsersOf(o types.Object) map[*Declaration]bool { return sc.users[o] }

// Addressed reports whether the address of a variable is taken.
func (sc *Scope) Addressed(v types.Object) bool { return sc.addressed[v] }

// Hold records that the vector of a variable may have other references.
func (sc *Scope) Hold(v types.Object) { sc.held[v] = true }

// Held reports whether the vector of a variable may have other references.
func (sc *Scope) Held(v types.Object) bool { return sc.held[v] }

// Inherit records for a variable what is known of the variable whose memory it shares.
func (sc *Scope) Inherit(old, now types.Object) {
	if sc.addressed[old] {
		sc.addressed[now] = true
	}
	if sc.held[old] {
		sc.held[now] = true
	}
}

// keepSources is the number of cells to keep for excerpts in errors.
const keepSources = 2000

// AddSource stores a cell for excerpts in errors.
func (sc *Scope) AddSource(src *Source) {
	if sc.sources[src.Name] == nil {
		sc.order = append(sc.order, src.Name)
	}
	sc.sources[src.Name] = src
	if len(sc.order) > keepSources {
		delete(sc.sources, sc.order[0])
		sc.order = sc.order[1:]
	}
}

// Sources returns the stored cells, in the order of their runs.
func (sc *Scope) Sources() []*Source {
	var list []*Source
	for _, name := range sc.order {
		list = append(list, sc.sources[name])
	}
	return list
}

// Text returns the text of a cell by its name in positions.
func (sc *Scope) Text(filename string) (string, bool) {
	src := sc.sources[filename]
	if src == nil {
		return "", false
	}
	return src.Text, true
}

// Declare makes d the declaration of the name.
func (sc *Scope) Declare(name string, d *Declaration) {
	sc.drop(sc.names[name])
	sc.names[name] = d
	delete(sc.imports, name)
	sc.Track(d)
}

// Track records which objects a declaration mentions.
func (sc *Scope) Track(d *Declaration) {
	for _, o := range d.Uses {
		m := sc.users[o]
		if m == nil {
			m = map[*Declaration]bool{}
			sc.users[o] = m
		}
		m[d] = true
	}
}

// ReplaceUses makes declarations that mention the old object mention the new one, which has
// replaced it.
func (sc *Scope) ReplaceUses(old, new types.Object) {
	users := sc.users[old]
	if len(users) == 0 {
		return
	}
	delete(sc.users, old)
	if sc.users[new] == nil {
		sc.users[new] = map[*Declaration]bool{}
	}
	for d := range users {
		sc.users[new][d] = true
		for i, o := range d.Uses {
			if o == old {
				d.Uses[i] = new
			}
		}
	}
}

// drop removes a declaration that another one has replaced.
func (sc *Scope) drop(d *Declaration) {
	if d == nil {
		return
	}
	sc.Untrack(d)
	delete(sc.addressed, d.Obj)
	delete(sc.held, d.Obj)
	for _, m := range d.Methods {
		sc.Untrack(m)
	}
}

// Untrack removes the record of what a declaration mentions.
func (sc *Scope) Untrack(d *Declaration) {
	for _, o := range d.Uses {
		if m := sc.users[o]; m != nil {
			delete(m, d)
			if len(m) == 0 {
				delete(sc.users, o)
			}
		}
	}
}

// Names returns the session's names in ascending order.
func (sc *Scope) Names() []string {
	names := make([]string, 0, len(sc.names))
	for n := range sc.names {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// The packages whose exported names are available in every cell without a qualifier. The first
// package with a name wins, so that a verb hides a type of package display.
var preludePaths = []string{
	"github.com/gokernel/gokernel/display/verbs",
	"github.com/gokernel/gokernel/interp/ask",
	"github.com/gokernel/gokernel/display",
}

// Prelude returns the predeclared object with that name.
func (sc *Scope) Prelude(name string) types.Object {
	if !token.IsExported(name) {
		return nil
	}
	for _, path := range preludePaths {
		p, ok := symbols.Lookup(path)
		if !ok || !p.Has(name) {
			continue
		}
		pkg, err := sc.packages.Import(path)
		if err != nil {
			continue
		}
		if obj := pkg.Scope().Lookup(name); obj != nil {
			return obj
		}
	}
	return nil
}

// ImportPath returns the import path of a package name from which a cell selects the members
// without importing the package.
func (sc *Scope) ImportPath(name string, members []string) (string, bool) {
	if p, ok := sc.imports[name]; ok {
		return p, true
	}
	if p, ok := symbols.Resolve(name, members...); ok {
		return p.Path, true
	}
	// A member may be misspelled: the error should be about the member.
	if list := symbols.Named(name); len(list) > 0 {
		return list[0].Path, true
	}
	return "", false
}

// Visible returns the object that a name of the session refers to.
func (sc *Scope) Visible(name string) types.Object {
	if d := sc.names[name]; d != nil {
		return d.Obj
	}
	return sc.Prelude(name)
}

// PreludeNames returns the names that are available in every cell without a qualifier.
func (sc *Scope) PreludeNames() []string {
	var names []string
	for _, path := range preludePaths {
		if p, ok := symbols.Lookup(path); ok {
			names = append(names, p.Names()...)
		}
	}
	return names
}
