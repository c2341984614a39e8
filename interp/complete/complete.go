// Package complete lists completions at the cursor of a cell, best first. It uses only types, so it
// works before any code has run, in cells with errors, and while another cell runs.
package complete

import (
	"cmp"
	"go/ast"
	"go/doc"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"github.com/gokernel/gokernel/interp/cursor"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Env is the source of completions.
type Env struct {
	cursor.Env
	// Session contains the names that cells have declared, in ascending order.
	Session []string
	// Prelude contains the names that are available in every cell.
	Prelude []string
	// Packages contains the known packages: import paths and their names.
	Packages []Package
	// Imported contains other packages that cells have imported.
	Imported []Package
	// Paths lists more import paths that start with a prefix. Paths that only contain packages end
	// in a slash. It may be nil.
	Paths func(prefix string) []string
	// Modules lists the packages of modules that the notebook requires. A cell must import them to
	// use them. It may be nil.
	Modules func() []Package
	// Load loads a package of Modules for Importer.
	Load func(path string)
	// Magics contains the names of the line and cell magics, with their % signs.
	Magics []Magic
	// FieldDoc returns the comment of a field of a struct type: its meaning and the meaning of its
	// zero value. It may be nil.
	FieldDoc func(t types.Type, field string) string
	// Topic returns the topic of a name that is essential to its package, such as the family of an
	// algorithm, and one line about the name. It returns empty strings for other names. It may be
	// nil.
	Topic func(o types.Object) (topic, doc string)
	// Files lists the files whose paths start with the prefix; directories end in a slash. It may
	// be nil.
	Files func(prefix string) []string
	// Keys returns the keys of a variable's value. It may be nil.
	Keys func(variable string) Keys
	// SQL returns what the query of a cell %%sql can name. Database is the variable of a
	// connection, or "" for the frames of the session. It may be nil.
	SQL func(database string) SQL
	// Databases contains the variables that are connections to databases, Values those that can be
	// parameters of a query.
	Databases, Values []string
}

// SQL contains the tables of a database with their columns, as a query writes them.
type SQL map[string][]string

// Keys contains the possible indexes of a value: the columns of a frame or the keys of a map.
type Keys struct {
	List    []string // formatted by fmt
	Strings bool     // whether the keys are strings
	OfMap   bool
}

// Package is a package that can be imported.
type Package struct{ Path, Name string }

// Magic is a magic with its arguments, as in "[-n RUNS] STATEMENT", and a line of documentation.
type Magic struct{ Name, Args, Doc string }

// At returns the completions at an offset of the code.
func At(env *Env, code string, offset int) evaluator.Completion {
	line := code[strings.LastIndexByte(code[:offset], '\n')+1 : offset]
	if m, ok := magics(env, code[:offset-len(line)], line); ok {
		return evaluator.Completion{Start: offset - len(strings.TrimLeft(line, " \t")), End: offset, Matches: m}
	}
	if c, ok := inQuery(env, code, offset); ok {
		return c
	}
	if start, m := magicArguments(env, line); len(m) > 0 {
		return evaluator.Completion{Start: offset - len(line) + start, End: offset, Matches: m}
	}
	if quote, ok := importString(code[:offset-len(line)], line); ok {
		prefix := line[quote+1:]
		return evaluator.Completion{Start: offset - len(prefix), End: offset, Matches: importPaths(env, prefix)}
	}
	if from, ok := inText(code[:offset]); ok {
		if m := keys(env, code, from, offset); len(m) > 0 {
			return evaluator.Completion{Start: from, End: offset, Matches: m}
		}
		if c, ok := symbols(code, offset); ok && from <= c.Start {
			return c
		}
		return evaluator.Completion{Start: from, End: offset, Matches: files(env, code, from, offset)}
	}
	if c, ok := symbols(code, offset); ok {
		return c
	}
	if blanked, ok := asked(code, offset-len(line), line); ok {
		code = blanked
	}
	start, _ := cursor.Word(code, offset)
	prefix := code[start:offset]
	if m, ok := labels(code, start, prefix); ok && len(m) > 0 {
		return evaluator.Completion{Start: start, End: offset, Matches: m}
	}
	if prefix != "" && prefix[0] >= '0' && prefix[0] <= '9' {
		return evaluator.Completion{Start: offset, End: offset}
	}
	c := &collector{env: env, prefix: prefix, seen: map[string]bool{}}
	place := cursor.Complete(c.withModules(), code, start, offset)
	c.place = place
	switch {
	case place != nil && place.Selector != nil:
		c.members(place)
	case strings.HasSuffix(strings.TrimRight(code[:start], " \t"), "."):
		// A selection from an unknown operand has no completions.
	default:
		c.index(code, start)
		if place != nil {
			c.literal(place)
			c.locals(place)
		}
		c.names(code)
	}
	return evaluator.Completion{Start: start, End: offset, Matches: c.sorted()}
}

// magics completes a line that begins with %; magics of whole cells come first.
func magics(env *Env, before, line string) ([]evaluator.Match, bool) {
	prefix := strings.TrimLeft(line, " \t")
	if !strings.HasPrefix(prefix, "%") || strings.ContainsAny(prefix, " \t") {
		return nil, false
	}
	first := strings.TrimSpace(before) == ""
	var list []evaluator.Match
	for _, m := range env.Magics {
		if strings.HasPrefix(m.Name, prefix) && (first || !strings.HasPrefix(m.Name, "%%")) {
			list = append(list, evaluator.Match{Text: m.Name, Kind: "magic", Signature: m.Doc})
		}
	}
	return list, true
}

// magicArguments completes the options of a magic and the words that it takes, as its help lists
// them, and returns where the argument begins in the line.
func magicArguments(env *Env, line string) (start int, list []evaluator.Match) {
	text := strings.TrimLeft(line, " \t")
	name, _, ok := strings.Cut(text, " ")
	if !ok || !strings.HasPrefix(name, "%") {
		return 0, nil
	}
	start = strings.LastIndexAny(line, " \t") + 1
	prefix := line[start:]
	for _, m := range env.Magics {
		if m.Name != name {
			continue
		}
		for _, arg := range strings.FieldsFunc(m.Args, func(r rune) bool { return strings.ContainsRune("[]| ", r) }) {
			arg = strings.TrimSuffix(arg, "...")
			if arg != strings.ToLower(arg) || strings.ContainsAny(arg, "@=") || !strings.HasPrefix(arg, prefix) {
				continue // it stands for something that users write
			}
			if arg[0] == '-' || prefix != "" || strings.Contains(m.Args, "|") {
				list = append(list, evaluator.Match{Text: arg, Kind: "magic", Signature: m.Name + " " + m.Args})
			}
		}
	}
	return start, list
}

// importString reports whether the line ends inside the string of an import, and returns the offset
// of that string.
func importString(before, line string) (quote int, ok bool) {
	quote = strings.LastIndexByte(line, '"')
	if quote < 0 || strings.Count(line, `"`)%2 == 0 {
		return 0, false
	}
	head := strings.Fields(line[:quote])
	if len(head) > 0 && head[0] == "import" {
		return quote, true
	}
	if len(head) > 1 {
		return 0, false
	}
	// A line of an import group.
	open := strings.LastIndex(before, "import (")
	return quote, open >= 0 && !strings.Contains(before[open:], ")")
}

func importPaths(env *Env, prefix string) []evaluator.Match {
	var list []evaluator.Match
	for _, p := range env.Packages {
		if strings.HasPrefix(p.Path, prefix) {
			list = append(list, evaluator.Match{Text: p.Path, Kind: "module", Signature: "package " + p.Name})
		}
	}
	if env.Paths != nil {
		for _, p := range env.Paths(prefix) {
			list = append(list, evaluator.Match{Text: p, Kind: "module", Signature: ""})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Text < list[j].Text })
	// The last name of a path may be typed alone: json for encoding/json.
	if prefix != "" && !strings.Contains(prefix, "/") {
		for _, p := range env.Packages {
			if strings.HasPrefix(p.Name, prefix) && !strings.HasPrefix(p.Path, prefix) {
				list = append(list, evaluator.Match{Text: p.Path, Kind: "module", Signature: "package " + p.Name})
			}
		}
	}
	return slices.CompactFunc(list, func(a, b evaluator.Match) bool { return a.Text == b.Text })
}

// asked blanks the text before a name whose documentation the line requests, as in ?ml.KNN and %doc
// ml.KNN. Only the expression remains.
func asked(code string, begin int, line string) (string, bool) {
	text := strings.TrimLeft(line, " \t")
	rest := strings.TrimLeft(text, "?")
	if args, ok := strings.CutPrefix(text, "%doc "); ok {
		rest = args
	}
	if rest == text {
		return code, false
	}
	blank := begin + len(line) - len(rest)
	return code[:begin] + strings.Repeat(" ", blank-begin) + code[blank:], true
}

// collector collects matches and keeps the first match of each name.
type collector struct {
	env    *Env
	prefix string
	place  *cursor.Place
	seen   map[string]bool
	list   []ranked

	packages func() []Package  // Modules, called once; nil if there are none
	missing  map[string]string // paths of packages of Modules that the cell names without importing them
	adds     string            // the package among them whose names are added
}

// ranked is a completion with its sort keys, the most important key first.
type ranked struct {
	evaluator.Match
	how   int // how it matches the typed text
	rank  int // the origin of the name
	use   int // position among the most used names of its package
	group string
}

// The ranks of the origins of names, best first.
const (
	rankKey = iota
	rankExpected
	rankLocal
	rankSession
	rankCommon // name of a package that is used often
	rankTopic  // essential to a package
	rankPrelude
	rankUniverse
	rankKeyword
	rankImported
	rankPackage
	rankOther
	rankResult
)

func (c *collector) add(m evaluator.Match, rank int) { c.addTo("", m, rank, unused) }

// addTo adds a match to a group.
func (c *collector) addTo(group string, m evaluator.Match, rank, use int) {
	if c.seen[m.Text] || rewrite.Reserved(m.Text) || m.Text == "_" {
		return
	}
	how, ok := matches(strings.TrimSuffix(m.Text, ": "), c.prefix)
	if !ok {
		return
	}
	c.seen[m.Text] = true
	if c.adds != "" {
		m.Import = c.adds
	}
	c.list = append(c.list, ranked{m, how, rank, use, group})
}

// If at least fewest characters are typed, completion also offers names that match only in parts,
// after the other names.
const fewest = 3

// sorted returns the matches, best first. If fewer than fewest characters are typed and other names
// match, it leaves out the names that match only in parts.
func (c *collector) sorted() []evaluator.Match {
	if len(c.prefix) < fewest && slices.ContainsFunc(c.list, func(m ranked) bool { return m.how < byParts }) {
		c.list = slices.DeleteFunc(c.list, func(m ranked) bool { return m.how == byParts })
	}
	length := func(m ranked) int {
		if c.prefix == "" {
			return 0
		}
		return len(m.Text)
	}
	slices.SortStableFunc(c.list, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.how, b.how), cmp.Compare(a.rank, b.rank), cmp.Compare(a.use, b.use),
			cmp.Compare(a.group, b.group), cmp.Compare(length(a), length(b)), cmp.Compare(strings.ToLower(a.Text), strings.ToLower(b.Text)))
	})
	list := make([]evaluator.Match, len(c.list))
	for i, m := range c.list {
		list[i] = m.Match
	}
	return list
}

// If nothing is typed, the most used names of a package come first; commonest is their number. The
// other names follow in the order of their topics.
const commonest = 100

// use returns the position of a name among the most used names of its package.
func (c *collector) use(group, name string) int {
	n := place(group, name)
	if c.prefix == "" && n > commonest {
		return unused
	}
	return n
}

func (c *collector) object(o types.Object, rank int) {
	group := ""
	switch {
	case rank == rankPrelude:
		group = preludeNames
	case c.place != nil && c.place.Selector != nil && !isPackageLevel(o):
		group = memberNames
	case o.Pkg() != nil:
		group = o.Pkg().Path()
	}
	use := c.use(group, o.Name())
	if use < unused && rank == rankOther {
		rank = rankCommon
	}
	if _, ok := o.(*types.TypeName); ok && c.place != nil && c.place.Addressed && rank >= rankCommon && rank != rankUniverse {
		rank = rankSession
	}
	if (rank <= rankUniverse || rank == rankOther) && c.place != nil && c.place.Fits(o) {
		switch {
		case rank <= rankSession, c.place.WantsType && rank == rankUniverse && use < unused:
			rank = rankExpected
		case rank == rankCommon, rank == rankTopic, rank == rankOther, rank == rankPrelude && use < unused:
			rank = rankSession
		}
	}
	c.addTo("", evaluator.Match{Text: o.Name(), Kind: Kind(o), Signature: Signature(o)}, rank, use)
}

// isPackageLevel reports whether an object is neither a method nor a field.
func isPackageLevel(o types.Object) bool {
	return o.Pkg() != nil && o.Parent() == o.Pkg().Scope()
}

// members lists the possible selectors.
func (c *collector) members(p *cursor.Place) {
	if id, ok := p.Selector.X.(*ast.Ident); ok {
		if pkg, ok := p.Info.Uses[id].(*types.PkgName); ok {
			if path := c.missing[id.Name]; path == pkg.Imported().Path() {
				c.adds = path
			}
			scope := pkg.Imported().Scope()
			for _, name := range scope.Names() {
				if token.IsExported(name) {
					c.member(scope.Lookup(name))
				}
			}
			return
		}
	}
	t := p.Info.TypeOf(p.Selector.X)
	if t == nil || t == types.Typ[types.Invalid] {
		return
	}
	for _, o := range Members(t) {
		rank := rankLocal
		if o.depth > 0 {
			rank = rankSession
		}
		c.object(o.Object, rank)
	}
}

// member adds a name of a package; names essential to the package come first.
func (c *collector) member(o types.Object) {
	if c.env.Topic != nil {
		if topic, doc := c.env.Topic(o); topic != "" {
			rank, use := rankTopic, unused
			if p := c.use(o.Pkg().Path(), o.Name()); p < unused {
				rank, use = rankCommon, p
			}
			if c.place != nil && c.place.Fits(o) {
				rank = rankSession
			}
			if c.place != nil && c.place.Addressed {
				rank = rankLocal // only types can follow
			}
			c.addTo(topic, evaluator.Match{Text: o.Name(), Kind: Kind(o), Signature: doc}, rank, use)
			return
		}
	}
	c.object(o, rankOther)
}

// Member is a field or method of a value.
type Member struct {
	types.Object
	depth int // depth of embedding
}

// Members returns the fields and methods of values of the type, the nearest ones first, without
// unexported members of other packages.
func Members(t types.Type) []Member {
	var list []Member
	seen := map[string]bool{}
	add := func(o types.Object, depth int) {
		if seen[o.Name()] || !o.Exported() && (o.Pkg() == nil || o.Pkg().Path() != "main") {
			return
		}
		seen[o.Name()] = true
		list = append(list, Member{o, depth})
	}
	level := []types.Type{t}
	visited := map[types.Type]bool{}
	for depth := 0; len(level) > 0; depth++ {
		var next []types.Type
		for _, t := range level {
			if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
				t = ptr.Elem()
			}
			t = types.Unalias(t)
			if visited[t] {
				continue
			}
			visited[t] = true
			if n, ok := t.(*types.Named); ok {
				for m := range n.Methods() {
					add(m, depth)
				}
			}
			switch u := t.Underlying().(type) {
			case *types.Struct:
				for f := range u.Fields() {
					add(f, depth)
					if f.Embedded() {
						next = append(next, f.Type())
					}
				}
			case *types.Interface:
				for m := range u.Methods() {
					add(m, depth)
				}
			}
		}
		level = next
	}
	return list
}

// FieldLine shortens the comment of a field to one line. If the comment is too long, it returns
// only the first sentence.
func FieldLine(text string) string {
	const most = 100
	line := strings.Join(strings.Fields(text), " ")
	if len(line) > most {
		line = new(doc.Package).Synopsis(text)
	}
	if len(line) > most {
		line = line[:strings.LastIndexByte(line[:most], ' ')] + " …"
	}
	return line
}

// IsResult reports whether, according to its comment, a field holds a result, such as the result of
// a fit, and is not meant to be set.
func IsResult(doc string) bool {
	return strings.HasPrefix(doc, "set by ") || strings.HasPrefix(doc, "Set by ") || strings.Contains(doc, " set by Fit")
}

// literal lists the fields that a struct literal does not set yet.
func (c *collector) literal(p *cursor.Place) {
	st := p.LiteralType()
	if st == nil {
		return
	}
	set := map[string]bool{}
	for _, e := range p.Literal.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				set[id.Name] = true
			}
		}
	}
	t := p.Info.TypeOf(p.Literal)
	rank := rankKey
	n := 0
	for f := range st.Fields() {
		if set[f.Name()] || !f.Exported() && (f.Pkg() == nil || f.Pkg().Path() != "main") {
			continue
		}
		sig := Signature(f)
		if c.env.FieldDoc != nil {
			if doc := FieldLine(c.env.FieldDoc(t, f.Name())); doc != "" {
				sig += "  " + doc
				if IsResult(doc) {
					rank = rankResult // fields after it, too
				}
			}
		}
		n++ // keep the order of the declaration
		c.addTo("", evaluator.Match{Text: f.Name() + ": ", Kind: "field", Signature: sig}, rank, n)
	}
}

// locals lists the names of the enclosing functions and blocks, and of the rest of the cell.
func (c *collector) locals(p *cursor.Place) {
	for s := p.Scope; s != nil && s != types.Universe; s = s.Parent() {
		rank := rankLocal
		if s == p.Package.Scope() {
			rank = rankSession
		}
		for _, name := range s.Names() {
			o := s.Lookup(name)
			// A name of a block is visible from its declaration on.
			if rank == rankLocal && o.Pos() > p.Ident.Pos() {
				continue
			}
			c.object(o, rank)
		}
	}
}

// names lists the names that every cell can see.
func (c *collector) names(code string) {
	for _, name := range c.env.Session {
		if o := c.env.Visible(name); o != nil {
			c.object(o, rankSession)
		}
	}
	for _, name := range c.env.Prelude {
		if o := c.env.Visible(name); o != nil {
			c.object(o, rankPrelude)
		}
	}
	for _, p := range c.env.Imported {
		c.add(evaluator.Match{Text: p.Name, Kind: "module", Signature: p.Path}, rankImported)
	}
	for _, p := range c.env.Packages {
		if !strings.Contains(p.Path, "internal/") {
			c.add(evaluator.Match{Text: p.Name, Kind: "module", Signature: p.Path}, rankPackage)
		}
	}
	c.modules(code)
	for _, name := range types.Universe.Names() {
		c.object(types.Universe.Lookup(name), rankUniverse)
	}
	if c.prefix != "" {
		for t := token.BREAK; t <= token.VAR; t++ {
			if t.IsKeyword() {
				c.add(evaluator.Match{Text: t.String(), Kind: "keyword"}, rankKeyword)
			}
		}
	}
}

// Kind returns the kind of an object, for which frontends have icons.
func Kind(o types.Object) string {
	switch o := o.(type) {
	case *types.Func:
		if o.Signature().Recv() != nil {
			return "method"
		}
		return "function"
	case *types.Builtin:
		return "function"
	case *types.Var:
		if o.IsField() {
			return "field"
		}
		return "variable"
	case *types.Const, *types.Nil:
		return "constant"
	case *types.TypeName:
		return "type"
	case *types.PkgName:
		return "module"
	}
	return "variable"
}

// Signature returns the essential information about an object beside its name: the parameters and
// results of a function, the type of a variable, the value of a constant, or the kind of a type.
func Signature(o types.Object) string {
	switch o := o.(type) {
	case *types.Func:
		return strings.TrimPrefix(typeString(o.Type()), "func")
	case *types.Const:
		if o.Val() == nil {
			return typeString(o.Type())
		}
		return typeString(o.Type()) + " = " + o.Val().String()
	case *types.TypeName:
		switch u := o.Type().Underlying().(type) {
		case *types.Struct:
			return "struct"
		case *types.Interface:
			return "interface"
		default:
			return typeString(u)
		}
	case *types.PkgName:
		return o.Imported().Path()
	case *types.Builtin, *types.Nil:
		return ""
	}
	return typeString(o.Type())
}

// typeString formats a type with package names, and without them for types of cells.
func typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		return p.Name()
	})
}
