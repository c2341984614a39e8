package site

import (
	"context"
	"fmt"
	"go/doc"
	"go/types"
	"html/template"
	"path"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/interp/symbols"
)

const (
	module = "github.com/gokernel/gokernel/"
	facade = module + "mlstd"
	verbs  = module + "display/verbs"
)

// library contains the names of ml, and the verbs that cells call without an import.
type library struct {
	names  []*name
	byPath map[string]*name // by package and name: "ml.KMeans", ".Scatter"
	// of maps names of subpackages to names of ml with their documentation: "mlstd/cluster.KMeans".
	of map[string]*name
	// items maps items of the course's catalogue to the cells that show them.
	items map[string][]use
}

// name is one name of the library.
type name struct {
	Label    string // ml.KMeans, Scatter
	Name     string
	Kind     string // type, func, const, var
	Family   string // the package that declares it
	Synopsis string
	File     string // the path of its page
	UsedIn   []use

	path    string // the import path of its documentation
	methods []*types.Func
	decl    string
}

// use is a cell that contains a name.
type use struct {
	Lecture *lecture
	Cell    string
	Section string
	Times   int
}

// newLibrary reads the tables of names. The file of each name is unique even if case is ignored.
func newLibrary() *library {
	lib := &library{byPath: map[string]*name{}, of: map[string]*name{}, items: map[string][]use{}}
	im := symbols.NewImporter()
	taken := map[string]bool{"index": true}
	for _, p := range []struct{ path, prefix, file string }{{facade, "ml", ""}, {verbs, "", "verb-"}} {
		pkg, err := im.Import(p.path)
		if err != nil {
			continue // a program without the course library
		}
		for _, n := range pkg.Scope().Names() {
			o := pkg.Scope().Lookup(n)
			if !o.Exported() {
				continue
			}
			v := lib.describe(o, p.path)
			v.Label = strings.TrimPrefix(p.prefix+"."+n, ".")
			file := p.file + n
			for k := 2; taken[strings.ToLower(file)]; k++ {
				file = fmt.Sprintf("%s%s-%d", p.file, n, k)
			}
			taken[strings.ToLower(file)] = true
			v.File = "api/" + file + ".html"
			lib.names = append(lib.names, v)
			lib.byPath[p.prefix+"."+n] = v
			lib.of[strings.TrimPrefix(v.path, module)+"."+n] = v
		}
	}
	lib.families()
	return lib
}

// describe returns the kind, the declaration and the synopsis of an exported name.
func (lib *library) describe(o types.Object, from string) *name {
	v := &name{Name: o.Name(), path: from}
	if t, ok := o.(*types.TypeName); ok {
		v.Kind = "type"
		if n, ok := types.Unalias(t.Type()).(*types.Named); ok && n.Obj().Pkg() != nil && strings.HasPrefix(n.Obj().Pkg().Path(), module) {
			v.path = n.Obj().Pkg().Path()
			v.methods = exportedMethods(n)
		}
	} else {
		v.Kind = map[bool]string{true: "func", false: "var"}[isFunc(o)]
		if c, ok := o.(*types.Const); ok {
			v.Kind = "const"
			v.decl = fmt.Sprintf("const %s %s = %s", o.Name(), types.TypeString(c.Type(), qualifier), c.Val())
		}
	}
	if v.decl == "" {
		v.decl = types.ObjectString(o, qualifier)
	}
	doc, _ := symbols.LookupDoc(from, o.Name())
	v.Synopsis = synopsis(doc.Text)
	return v
}

func isFunc(o types.Object) bool { _, ok := o.(*types.Func); return ok }

// qualifier returns the name by which cells refer to a package, or "" if they use its names without
// a package.
func qualifier(p *types.Package) string {
	switch {
	case p.Path() == verbs:
		return ""
	case p.Path() == facade || path.Dir(p.Path()) == facade:
		return "ml"
	}
	return p.Name()
}

func exportedMethods(n *types.Named) (all []*types.Func) {
	set := types.NewMethodSet(types.NewPointer(n))
	if types.IsInterface(n) {
		return nil // the methods are in the declaration
	}
	for s := range set.Methods() {
		if f, ok := s.Obj().(*types.Func); ok && f.Exported() && len(s.Index()) == 1 {
			all = append(all, f)
		}
	}
	return all
}

// families finds the package of each function of the facade.
func (lib *library) families() {
	for _, p := range symbols.Packages() {
		if path.Dir(p.Path) != facade && path.Dir(path.Dir(p.Path)) != facade {
			continue
		}
		for _, n := range p.Names() {
			if v := lib.byPath["ml."+n]; v != nil && (v.path == facade || v.path == p.Path) {
				v.path = p.Path
				lib.of[strings.TrimPrefix(p.Path, module)+"."+n] = v
			}
		}
	}
	for _, v := range lib.names {
		v.Family = strings.TrimPrefix(strings.TrimPrefix(v.path, facade), "/")
		if !strings.HasPrefix(v.Label, "ml.") {
			v.Family = "verbs"
		}
		if v.Family == "" {
			v.Family = "ml"
		}
	}
}

// page returns the path of the page of a name, or "" for none.
func (lib *library) page(pkg, n string) string {
	if v := lib.byPath[pkg+"."+n]; v != nil {
		return v.File
	}
	return ""
}

var mlName = pattern.New(`\bml\.([A-Z]\w*)`)

// collect records which names the cells of a lecture use, and which items they show.
func (lib *library) collect(l *lecture) {
	section := ""
	at := map[string]*use{}
	for _, c := range l.nb.Cells {
		if c.Type == notebook.Markdown {
			for text := range strings.Lines(c.Source) {
				if h, ok := strings.CutPrefix(text, "#"); ok {
					section = strings.TrimSpace(strings.TrimLeft(h, "#"))
				}
			}
			continue
		}
		items, _ := c.Metadata["catalogue"].([]any)
		for _, i := range items {
			id := fmt.Sprint(i)
			lib.items[id] = append(lib.items[id], use{Lecture: l, Cell: c.ID, Section: section, Times: 1})
		}
		if c.Type != notebook.Code || c.Tagged("check") || c.Tagged("remove-cell") {
			continue
		}
		for _, m := range mlName().FindAllStringSubmatch(c.Source, -1) {
			if at[m[1]] == nil {
				at[m[1]] = &use{Lecture: l, Cell: c.ID, Section: section}
			}
			at[m[1]].Times++
		}
	}
	for n, u := range at {
		if v := lib.byPath["ml."+n]; v != nil {
			v.UsedIn = append(v.UsedIn, *u)
		}
	}
}

// method is a method on the page of its type.
type method struct {
	Name, ID  string
	Signature template.HTML
	Text      template.HTML
	Source    template.HTML
}

// namePage is the data of a name's page.
type namePage struct {
	layout
	*name
	Declaration template.HTML
	Text        template.HTML
	Methods     []method
	Source      template.HTML
	Place       string
	Related     []*name // names in the same subpackage
}

// pageOf creates the page of a name.
func (b *builder) pageOf(v *name) *namePage {
	p := &namePage{name: v}
	p.layout = b.layout(v.File, v.Label)
	p.Description = v.Synopsis
	p.Text = b.comment(v, b.docOf(v, v.Name))
	doc, _ := symbols.LookupDoc(v.path, v.Name)
	if v.Kind == "type" && doc.Source != "" {
		p.Declaration = b.goCode(exportedPart(doc.Source))
	} else {
		p.Declaration = b.goCode(v.decl)
		if doc.Source != "" {
			p.Source = b.goCode(pretty(doc.Source))
		}
	}
	p.Place = strings.TrimPrefix(v.path, module) + "/" + doc.Pos
	if doc.Pos == "" {
		p.Place = strings.TrimPrefix(v.path, module)
	}
	for _, f := range v.methods {
		doc, _ := symbols.LookupDoc(v.path, v.Name+"."+f.Name())
		m := method{Name: f.Name(), ID: f.Name(), Text: b.comment(v, doc.Text)}
		m.Signature = b.goCode("func (" + v.Name + ") " + f.Name() + strings.TrimPrefix(types.TypeString(f.Type(), qualifier), "func"))
		if doc.Source != "" {
			m.Source = b.goCode(pretty(doc.Source))
		}
		p.Methods = append(p.Methods, m)
	}
	p.UsesMath = strings.Contains(string(p.Text), formulaClass) || slices.ContainsFunc(p.Methods, func(m method) bool {
		return strings.Contains(string(m.Text), formulaClass)
	})
	for _, other := range b.api.names {
		if other.Family == v.Family && other != v {
			p.Related = append(p.Related, other)
		}
	}
	return p
}

func symbolsHave(p string) bool { _, ok := symbols.Lookup(p); return ok }

// family is a group of names on the overview.
type family struct {
	Name, Title string
	Names       []*name
}

// addLibrary adds the pages of the names and their overview.
func (b *builder) addLibrary(context.Context) error {
	groups := map[string]*family{}
	var order []string
	for _, v := range b.api.names {
		p := b.pageOf(v)
		if err := b.render("name.html", v.File, p); err != nil {
			return err
		}
		b.search = append(b.search, entry{Title: v.Label, In: "Library, " + v.Family, URL: v.File, Text: v.Synopsis, Kind: "api"})
		if groups[v.Family] == nil {
			groups[v.Family] = &family{Name: v.Family, Title: familyTitle(v)}
			order = append(order, v.Family)
		}
		groups[v.Family].Names = append(groups[v.Family].Names, v)
	}
	slices.Sort(order)
	list := make([]*family, 0, len(order))
	for _, f := range order {
		list = append(list, groups[f])
	}
	return b.render("library.html", "api/index.html", struct {
		layout
		Families []*family
	}{b.layout("api/index.html", "Library"), list})
}

// familyTitle returns the first sentence of the package's documentation.
func familyTitle(v *name) string {
	about, _ := symbols.LookupDoc(v.path, "")
	s := synopsis(about.Text)
	s = strings.TrimPrefix(s, "Package "+path.Base(v.path)+" ")
	if s != "" {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

// synopsis returns the first sentence of a comment.
func synopsis(text string) string {
	return linked().ReplaceAllString(new(doc.Package).Synopsis(text), "$1")
}

// linked matches a name in brackets, as comments refer to it.
var linked = pattern.New(`\[([A-Z][\w.]*)\]`)
