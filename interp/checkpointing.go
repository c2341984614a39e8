package interp

import (
	"context"
	"errors"
	"fmt"
	"go/constant"
	"go/types"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/gokernel/gokernel/interp/checkpoint"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/pipeline"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/interp/symbols/table"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// errRunning reports that goroutines may be changing the variables.
var errRunning = errors.New("goroutines of cells are running and may change variables: wait until they have ended")

// snapshot returns what the session would save, up to a limit in bytes; 0 means no limit. At most
// the given number of goroutines of cells may be running. The caller holds the lock mu.
func (s *Session) snapshot(number int, goroutines int, limit int64, cancel func() bool) (*checkpoint.Session, error) {
	if e, ok := s.compiler.Engine.(engine.Counter); ok && e.Goroutines() > goroutines {
		return nil, errRunning
	}
	w := newTypist(s)
	saved := &checkpoint.Session{Cell: number, Imports: map[string]string{}}
	var (
		variables []checkpoint.Variable
		decls     []*scope.Declaration
		lost      = map[types.Object]string{} // the reason for each lost object
	)
	sc := s.compiler.Scope
	for _, name := range sc.Names() {
		d := sc.Lookup(name)
		v, ok := d.Obj.(*types.Var)
		if !ok {
			decls = append(decls, d)
			continue
		}
		if name == "_" {
			continue
		}
		w.learn(v.Type(), 0)
		if _, err := w.text(v.Type()); err != nil {
			lost[v] = err.Error()
			continue
		}
		rv, err := s.compiler.Engine.Var(v)
		if err != nil {
			lost[v] = err.Error()
			continue
		}
		variables = append(variables, checkpoint.Variable{Name: name, Value: rv})
	}
	values, err := checkpoint.Collect(variables, w, limit, cancel)
	if err != nil {
		return nil, err
	}
	saved.Values = *values
	for _, l := range values.Lost {
		lost[sc.Lookup(l.Name).Obj] = l.Why
	}
	for _, name := range sc.ImportNames() {
		if path, _ := sc.Imported(name); sc.Lookup(name) == nil && !strings.HasPrefix(name, "ǃ") {
			saved.Imports[name] = path
		}
	}
	s.declare(saved, decls, lost)
	saved.Lost = nil
	for o, why := range lost {
		saved.Lost = append(saved.Lost, checkpoint.Lost{Name: o.Name(), Why: why})
	}
	slices.SortFunc(saved.Lost, func(a, b checkpoint.Lost) int { return strings.Compare(a.Name, b.Name) })
	saved.Aliases = w.aliases
	return saved, nil
}

// declare adds the declarations that don't depend on a lost object.
func (s *Session) declare(saved *checkpoint.Session, decls []*scope.Declaration, lost map[types.Object]string) {
	var all []*scope.Declaration
	for _, d := range decls {
		all = append(all, d)
		for _, name := range slices.Sorted(maps.Keys(d.Methods)) {
			all = append(all, d.Methods[name])
		}
	}
	for _, d := range all {
		if path, name := s.otherImport(saved.Imports, d); path != "" {
			lost[d.Obj] = fmt.Sprintf("its cell imports %s as %s, a name with another meaning in the session", path, name)
		}
	}
	for again := true; again; {
		again = false
		for _, d := range all {
			if lost[d.Obj] != "" {
				continue
			}
			if d.Owner != nil && lost[d.Owner.Obj] != "" {
				lost[d.Obj], again = "its type is not saved", true
			}
			for _, u := range d.Uses {
				if lost[u] != "" && lost[d.Obj] == "" {
					lost[d.Obj], again = "it uses "+u.Name()+", which is not saved", true
				}
			}
		}
	}
	for _, d := range all {
		if lost[d.Obj] == "" {
			saved.Declarations = append(saved.Declarations, declarationOf(d))
		}
	}
}

// otherImport adds imports to the map: the imports of the cell that contains a declaration. If the
// name of an import already has another meaning, otherImport returns the import's path and name.
func (s *Session) otherImport(imports map[string]string, d *scope.Declaration) (path, name string) {
	for name, path := range d.Cell.Imports {
		if name == "_" || name == "." {
			continue
		}
		if other, ok := imports[name]; ok && other != path || s.compiler.Scope.Lookup(name) != nil {
			return path, name
		}
		imports[name] = path
	}
	return "", ""
}

// declarationOf converts a declaration to a checkpoint.Declaration.
func declarationOf(d *scope.Declaration) checkpoint.Declaration {
	out := checkpoint.Declaration{Name: d.FullName(), Kind: "func", Text: d.Cell.Slice(d.Start, d.End)}
	switch o := d.Obj.(type) {
	case *types.TypeName:
		out.Kind, out.Text = "type", "type "+d.Spec
	case *types.Const:
		out.Kind, out.Text = "const", "const "+d.Name+" "+constType(o)+"= "+constText(o.Val(), o.Type())
	default:
		if d.Owner != nil {
			out.Kind = "method"
		}
	}
	return out
}

func constType(o *types.Const) string {
	if b, ok := o.Type().(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		return ""
	}
	return scope.TypeString(o.Type()) + " "
}

// constText writes a constant exactly.
func constText(v constant.Value, t types.Type) string {
	switch v.Kind() {
	case constant.Int:
		if b, ok := t.(*types.Basic); ok && b.Kind() == types.UntypedRune {
			if r, ok := constant.Int64Val(v); ok && r >= 0 && r <= 0x10ffff && (r < 0xd800 || r > 0xdfff) {
				return strconv.QuoteRuneToASCII(rune(r))
			}
			return "(" + v.ExactString() + " + '\\x00')"
		}
		if b, ok := t.(*types.Basic); ok && b.Kind() == types.UntypedFloat {
			return v.ExactString() + ".0"
		}
		return v.ExactString()
	case constant.Float:
		num, den := constant.Num(v), constant.Denom(v)
		if num.Kind() == constant.Int && den.Kind() == constant.Int {
			return "(" + num.ExactString() + ".0 / " + den.ExactString() + ".0)"
		}
		return v.ExactString()
	case constant.Complex:
		f := types.Typ[types.UntypedFloat]
		return "(" + constText(constant.Real(v), f) + " + " + constText(constant.Imag(v), f) + " * 1i)"
	}
	return v.ExactString()
}

// SaveSession implements magic.Session.
func (h host) SaveSession(file string) (*checkpoint.Session, error) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	saved, err := h.s.snapshot(h.p.Src.Number, 1, 0, nil)
	if err != nil {
		return nil, err
	}
	return saved, saved.Write(file)
}

// restoreSession declares what a file contains while a cell is being compiled. If file is empty, it
// uses the file of the previous evaluator.
func (s *Session) restoreSession(ctx context.Context, p *pipeline.Program, file string, out evaluator.Output) error {
	if file == "" {
		if file = checkpoint.AsideFile(s.auto.file); s.auto.file == "" {
			return errors.New("this kernel keeps no checkpoints: give the file that %session save has written")
		}
		if _, err := os.Stat(file); err != nil {
			return errors.New("there is no checkpoint of a lost session: give the file that %session save has written")
		}
	}
	saved, err := checkpoint.Read(file)
	if err != nil {
		return err
	}
	left := func(kinds ...string) bool {
		for _, k := range kinds {
			if slices.ContainsFunc(saved.Declarations, func(d checkpoint.Declaration) bool { return d.Kind == k }) {
				return true
			}
		}
		return false
	}
	prog, failed := s.declareAgain(p, saved)
	for _, kinds := range [][]string{{"func"}, {"method"}} {
		if failed == nil || !left(kinds...) {
			continue
		}
		// A dependency, such as a package, may be missing.
		why := "it does not compile any more: " + failed.Value
		saved.Declarations = slices.DeleteFunc(saved.Declarations, func(d checkpoint.Declaration) bool {
			gone := slices.Contains(kinds, d.Kind)
			if gone {
				saved.Lost = append(saved.Lost, checkpoint.Lost{Name: d.Name, Why: why})
			}
			return gone
		})
		prog, failed = s.declareAgain(p, saved)
	}
	if failed != nil {
		return fmt.Errorf("the declarations in the file do not compile: %s", failed.Value)
	}
	if err := prog.Run(ctx); err != nil {
		return err
	}
	if err := saved.Restore(&restorer{s, prog, saved}); err != nil {
		for _, v := range saved.Variables { // no variable keeps half of its value
			if rv, err := s.compiler.Variable(prog, v.Name); err == nil {
				rv.SetZero()
			}
		}
		return err
	}
	tellRestored(saved, out)
	return nil
}

// tellRestored reports what was restored and what was not.
func tellRestored(saved *checkpoint.Session, out evaluator.Output) {
	out.Stdout("restored " + saved.Describe() + "\n")
	for _, l := range saved.Lost {
		out.Stderr(fmt.Sprintf("not restored: %s: %s\n", l.Name, l.Why))
	}
}

// declareAgain compiles the declarations of a saved session, with its variables but without their
// values.
func (s *Session) declareAgain(p *pipeline.Program, saved *checkpoint.Session) (*pipeline.Program, *evaluator.Error) {
	var b strings.Builder
	for _, imports := range []map[string]string{saved.Imports, saved.Aliases} {
		for _, name := range slices.Sorted(maps.Keys(imports)) {
			fmt.Fprintf(&b, "import %s %q\n", name, imports[name])
		}
	}
	for _, d := range saved.Declarations {
		b.WriteString(d.Text + "\n")
	}
	for i, t := range saved.Types {
		if t.Expr != "" {
			fmt.Fprintf(&b, "var %s%d %s\n", typePrefix, i, t.Expr)
		}
	}
	for _, v := range saved.Variables {
		fmt.Fprintf(&b, "var %s %s\n", v.Name, saved.Types[v.Type].Expr)
	}
	src := &scope.Source{Name: "restored session", Number: p.Src.Number, Run: p.Src.Run, Text: b.String()}
	return s.compiler.Compile(src, func(*pipeline.Program) *evaluator.Error { return nil })
}

// typePrefix is the prefix of the variables that make the types of a saved session available.
const typePrefix = "ǃtype"

// restorer implements checkpoint.Resolver.
type restorer struct {
	s     *Session
	prog  *pipeline.Program
	saved *checkpoint.Session
}

func (r *restorer) Variable(name string) (reflect.Value, error) {
	return r.s.compiler.Variable(r.prog, name)
}

func (r *restorer) Resolve(expr string) (reflect.Type, error) {
	for i, t := range r.saved.Types {
		if t.Expr == expr {
			v, err := r.s.compiler.Variable(r.prog, typePrefix+strconv.Itoa(i))
			if err != nil {
				return nil, err
			}
			return v.Type(), nil
		}
	}
	return nil, fmt.Errorf("there is no type %s", expr)
}

func (r *restorer) Global(name string) (reflect.Value, error) {
	i := strings.LastIndexByte(name, '.')
	if p, ok := symbols.Lookup(name[:max(i, 0)]); ok {
		if v, kind := p.Lookup(name[i+1:]); kind == table.Var {
			return held(v), nil
		}
	}
	return reflect.Value{}, fmt.Errorf("there is no variable %s", name)
}

// held returns the pointer that a package variable holds, directly or in an interface. If the
// variable holds something else, the kind of the result is not Pointer.
func held(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}

// globals returns the names of the exported variables that hold pointers, by pointer.
var globals = sync.OnceValue(func() map[unsafe.Pointer]string {
	all := map[unsafe.Pointer]string{}
	for _, p := range symbols.Packages() {
		p, ok := symbols.Lookup(p.Path)
		if !ok {
			continue
		}
		for name, v := range p.All() {
			if _, kind := p.Lookup(name); kind != table.Var {
				continue
			}
			if v = held(v); v.IsValid() && v.Kind() == reflect.Pointer && !v.IsNil() {
				if n := p.Path + "." + name; all[v.UnsafePointer()] == "" || n < all[v.UnsafePointer()] {
					all[v.UnsafePointer()] = n
				}
			}
		}
	}
	return all
})
