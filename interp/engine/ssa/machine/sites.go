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

// Form is the form of a package whose functions can be stopped.
type Form struct {
	Fset  *token.FileSet
	Sites []*Site
	Vars  map[token.Pos][]*types.Var // by the position at which they are declared
}

// Site is a statement before which code can stop.
type Site struct {
	Pos   token.Pos
	Scope token.Pos // where its names are looked up
	Index int       // index in the form
	// Function numbers the functions of the form.
	Function int
	point    atomic.Pointer[Breakpoints]
}

// Breakpoints holds the breakpoints of a site.
type Breakpoints struct{ List []engine.Breakpoint }

// Arm sets the breakpoints of a site. If p is nil, the site has none. It reports whether the site
// got its first breakpoint or lost its last one.
func (s *Site) Arm(p *Breakpoints) (changed bool) {
	return (s.point.Swap(p) == nil) != (p == nil)
}

// Armed reports whether the site has breakpoints.
func (s *Site) Armed() bool { return s.point.Load() != nil }

// Stop is a site in a block: before the op with index At, or before the block's end.
type Stop struct {
	At int
	*Site
}

// FirstStop is the base of PCs at sites: while a thread is at a site, the PC of its frame is
// greater than FirstStop.
const FirstStop = 1 << 28

// DebugForm is the additional data of a function that can be stopped.
type DebugForm struct {
	*Form
	Own    []*Site // sites of the function
	ByOp   []*Site // the last site before an op, by its number - 1; nil for none
	Locals []LocalVar
}

// armed reports whether a site of the function has breakpoints.
func (d *DebugForm) armed() bool {
	return d != nil && slices.ContainsFunc(d.Own, (*Site).Armed)
}

// siteOf returns the last site that a frame has reached, or nil if the code cannot be stopped.
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
	return nil // in an inlined body, which can't be stopped
}

// LocalVar is a variable in a frame, or a variable to which a pointer in the frame points.
type LocalVar struct {
	Var      *types.Var
	Type     types.Type
	Place    *rtype.Type
	Off      uintptr
	Pointer  bool
	Captured bool
}

// formMember makes a form a member of its package, so that the form is collected with the package.
type formMember struct {
	*ssa.Function // the package's init, which has the methods of an ssa.Member
	form          *Form
}

// formName is not a valid Go identifier, so it can't collide with a declaration.
const formName = "form that can be stopped"

// JoinTo makes the form a member of a package.
func (f *Form) JoinTo(pkg *ssa.Package) { pkg.Members[formName] = &formMember{pkg.Func("init"), f} }

// FormIn returns the form of a package whose functions can be stopped, or nil if it has none.
func FormIn(pkg *ssa.Package) *Form {
	if m, ok := pkg.Members[formName].(*formMember); ok {
		return m.form
	}
	return nil
}

// Twin records that fn is the stoppable form of the function other.
func (m *Machine) Twin(other, fn *ssa.Function) {
	f := m.Function(other)
	f.stoppable.Store(fn)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keep(fn, f)
}

// FormOf returns the form of the package of a function, or nil if it has none or no debugger is
// attached.
func (m *Machine) FormOf(fn *ssa.Function) *Form {
	if fn = declared(fn); m.debugging.Load() == nil || fn.Pkg == nil {
		return nil
	}
	return FormIn(fn.Pkg)
}

// declared returns the declaration behind fn: for a function literal, the declared function around
// it; for an instance, its generic function.
func declared(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn
}

// packageOf returns the package that declares a function. For an instance, that is the package of
// its generic function.
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

// Body returns the form of the function that is to be compiled.
func (f *Function) Body() *ssa.Function {
	if f.M.debugging.Load() != nil {
		if fn := f.stoppable.Load(); fn != nil {
			return fn
		}
	}
	return f.SSA
}

// Unneeded reports whether the stack of deferred calls that a function requests is unused: go/ssa
// keeps such calls only in the form that can be stopped.
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
