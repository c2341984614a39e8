package machine

import (
	"go/token"
	"go/types"
	"slices"
	"sync/atomic"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// Form is the form of a package in which its functions can be stopped.
type Form struct {
	Fset  *token.FileSet
	Sites []*Site
	Vars  map[token.Pos][]*types.Var // by where they are declared
}

// Site is a statement before which code can stop.
type Site struct {
	Pos   token.Pos
	Scope token.Pos // where its names are looked up
	Index int       // in the form
	// Function numbers the functions of the form.
	Function int
	point    atomic.Pointer[Breakpoints]
}

// Breakpoints are those of a site.
type Breakpoints struct{ List []engine.Breakpoint }

// Arm sets the breakpoints of a site, nil for none. It reports whether the site has
// become one with breakpoints, or one without.
func (s *Site) Arm(p *Breakpoints) (changed bool) {
	return (s.point.Swap(p) == nil) != (p == nil)
}

// Armed reports whether the site has breakpoints.
func (s *Site) Armed() bool { return s.point.Load() != nil }

// Stop is a site in a block: before the op with that index, or before the block's end.
type Stop struct {
	At int
	*Site
}

// FirstStop is the number before those that a frame has as its PC while its thread is at a site.
const FirstStop = 1 << 28

// DebugForm is what the code of a function that can be stopped has besides.
type DebugForm struct {
	*Form
	Own    []*Site // of the function
	ByOp   []*Site // that an op is behind, by its number - 1; nil for none
	Locals []LocalVar
}

// armed reports whether a site of the function has breakpoints.
func (d *DebugForm) armed() bool {
	return d != nil && slices.ContainsFunc(d.Own, (*Site).Armed)
}

// siteOf returns the site that a frame has come to last; nil where code cannot be stopped.
func (c *Code) siteOf(fp layout.Frame) *Site {
	i := int(Head(fp).PC) - 1
	switch {
	case c.Debug == nil || i < 0:
		return nil
	case i >= FirstStop:
		return c.Debug.Sites[i-FirstStop]
	case i < len(c.Debug.ByOp):
		return c.Debug.ByOp[i]
	}
	return nil // in an inlined body, which nothing stops
}

// LocalVar is a variable in a frame, or behind a pointer there.
type LocalVar struct {
	Var      *types.Var
	Type     types.Type
	Place    *rtype.Type
	Off      uintptr
	Pointer  bool
	Captured bool
}

// formMember is a form as a member of the package that it is of, so that it goes with
// it.
type formMember struct {
	*ssa.Function // the package's init, for what a member must have
	form          *Form
}

// formName is no name of Go.
const formName = "form that can be stopped"

// JoinTo says which package has the form.
func (f *Form) JoinTo(pkg *ssa.Package) { pkg.Members[formName] = &formMember{pkg.Func("init"), f} }

// FormIn returns the form of a package in which it can be stopped; nil if it has none.
func FormIn(pkg *ssa.Package) *Form {
	if m, ok := pkg.Members[formName].(*formMember); ok {
		return m.form
	}
	return nil
}

// Twin says that the function fn is another one in the form that can be stopped.
func (m *Machine) Twin(other, fn *ssa.Function) {
	f := m.Function(other)
	f.stoppable.Store(fn)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.functionsOf(fn)[fn] = f
}

// FormOf returns the form of the package of a function; nil if it has none or nothing is
// to be stopped now.
func (m *Machine) FormOf(fn *ssa.Function) *Form {
	if fn = declared(fn); m.debugging.Load() == nil || fn.Pkg == nil {
		return nil
	}
	return FormIn(fn.Pkg)
}

// declared returns the declared function that a function is in or an instance of.
func declared(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn
}

// packageOf returns the package that a function is declared in, an instance in that of its
// generic function.
func packageOf(fn *ssa.Function) *types.Package {
	fn = declared(fn)
	switch {
	case fn.Pkg != nil:
		return fn.Pkg.Pkg
	case fn.Object() != nil:
		return fn.Object().Pkg()
	}
	return nil
}

// Body returns the function in the form that is to be compiled.
func (f *Function) Body() *ssa.Function {
	if f.M.debugging.Load() != nil {
		if fn := f.stoppable.Load(); fn != nil {
			return fn
		}
	}
	return f.SSA
}

// Unneeded reports whether nobody uses the stack of deferred calls that a function asks
// for: go/ssa leaves such calls only in the form that can be stopped.
func Unneeded(call *ssa.Call) bool {
	for _, r := range *call.Referrers() {
		st, ok := r.(*ssa.Store)
		if !ok {
			return false
		}
		a, ok := st.Addr.(*ssa.Alloc)
		if !ok || len(*a.Referrers()) != 1 {
			return false
		}
	}
	return true
}
