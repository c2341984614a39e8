package export

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/internal/pattern"
)

// entity is what a name of the notebook refers to: a variable with all its replacements, a type
// with the types that replaced it because of their methods, or a function.
type entity struct {
	name  string // name in the cells
	final string // name in the program
	obj   types.Object
	cell  int // the cell that declares it

	global    bool // a variable that functions use
	unused    bool // a variable that is never read
	mentioned int  // number of mentions besides its definitions
	read      bool // whether it is mentioned at all, according to the first pass
	embedded  bool // a variable that //go:embed fills
	defined   bool // main has reached its definition

	// next is the function that replaces this one. Both functions are called through the same
	// variable if code between their declarations must see the new function.
	next     *entity
	variable *entity // the function variable, with the name final
}

// entityOf returns the entity of an object that a cell declares, or nil for others.
func (x *exporter) entityOf(o types.Object) *entity {
	if o == nil || !ofCell(o) {
		return nil
	}
	if older, ok := x.engine.older[o]; ok {
		return x.entityOf(older)
	}
	return x.entities[origin(o)]
}

// origin returns the generic object of an instance.
func origin(o types.Object) types.Object {
	if f, ok := o.(*types.Func); ok {
		return f.Origin()
	}
	return o
}

// ofCell reports whether a cell declares the object at its top level.
func ofCell(o types.Object) bool {
	return o.Pkg() != nil && o.Pkg().Path() == "main" && o.Parent() == o.Pkg().Scope()
}

// identify creates the entities of the objects that the cell declares.
func (x *exporter) identify(c *cell) {
	scope := c.code.Package.Scope()
	replaced := map[types.Object]*entity{}
	functions := map[types.Object]*entity{}
	for old, now := range c.code.Replaces {
		e := x.entityOf(old)
		if e == nil {
			continue
		}
		switch now.(type) {
		case *types.Var:
			replaced[now] = e
		case *types.Func:
			functions[now] = e
		}
	}
	for from, to := range c.code.Succeeds {
		if e := x.entityOf(from.Obj()); e != nil {
			replaced[to.Obj()] = e
		}
	}
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		if o.Pkg() != c.code.Package {
			continue
		}
		if e := replaced[o]; e != nil {
			x.entities[o] = e
			continue
		}
		e := &entity{name: name, obj: o, cell: c.index}
		if old := functions[o]; old != nil {
			for old.next != nil {
				old = old.next
			}
			old.next = e
		}
		x.entities[o] = e
		x.order = append(x.order, e)
	}
}

// baptize chooses a unique name for each entity.
func (x *exporter) baptize() {
	taken := map[string]bool{"main": true, "init": true, "_": true}
	for name := range x.builtins {
		taken[name] = true
	}
	for name := range x.packageNames {
		taken[name] = true
	}
	for _, e := range x.order {
		name := e.name
		if name == "main" {
			name = "run"
		}
		e.final = x.unique(name, taken)
	}
}

// unique returns the name itself or, if it is taken, the name with a number that no
// identifier of the notebook has.
func (x *exporter) unique(name string, taken map[string]bool) string {
	final := name
	for n := 2; taken[final]; n++ {
		if next := name + strconv.Itoa(n); !x.identifiers[next] {
			final = next
		}
	}
	taken[final] = true
	return final
}

// packageMark marks packages of cells in the text of types.
const packageMark = "ǃ"

var marked = pattern.New(packageMark + `(\d+)\.([\pL_][\pL\pN_]*)`)

// typeText writes a type in the syntax of the program.
func (w *writer) typeText(t types.Type) string {
	packages := map[*types.Package]int{}
	var list []*types.Package
	text := types.TypeString(t, func(p *types.Package) string {
		if p.Path() != "main" && !strings.HasPrefix(p.Path(), libraryPath+"/") {
			return w.importName(p.Path(), p.Name())
		}
		if _, ok := packages[p]; !ok {
			packages[p] = len(list)
			list = append(list, p)
		}
		return fmt.Sprint(packageMark, packages[p])
	})
	text = marked().ReplaceAllStringFunc(text, func(s string) string {
		m := marked().FindStringSubmatch(s)
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return m[2]
		}
		p := list[n]
		if p.Path() != "main" {
			return w.libraryType(p, m[2])
		}
		if e := w.x.entityOf(p.Scope().Lookup(m[2])); e != nil {
			return w.mention(e)
		}
		return m[2]
	})
	return strings.ReplaceAll(text, "interface{}", "any")
}

// libraryPath is the package through which cells use the types of mlstd's subpackages.
const libraryPath = "github.com/gokernel/gokernel/mlstd"

// libraryType returns the name of a type of a subpackage as cells write it, if possible: ml.Frame,
// not frame.Frame.
func (w *writer) libraryType(p *types.Package, name string) string {
	if ml, err := w.x.importer(libraryPath); err == nil {
		if alias, ok := ml.Scope().Lookup(name).(*types.TypeName); ok {
			if of, ok := types.Unalias(alias.Type()).(*types.Named); ok && of.Obj().Name() == name && of.Obj().Pkg().Path() == p.Path() {
				return w.importName(libraryPath, ml.Name()) + "." + name
			}
		}
	}
	return w.importName(p.Path(), p.Name()) + "." + name
}
