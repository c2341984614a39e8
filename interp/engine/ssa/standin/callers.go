package standin

import (
	"bytes"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unsafe"
	"weak"

	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"golang.org/x/tools/go/ssa"
)

// If interpreted code asked package runtime for its callers, it would get functions of the engine.
// The functions here replace functions of package runtime and return the calls of cells instead.

// runtimeDir is the source directory of package runtime in compiled code.
var runtimeDir = sync.OnceValue(func() string {
	pc := reflect.ValueOf(runtime.GC).Pointer()
	file, _ := runtime.FuncForPC(pc).FileLine(pc)
	return filepath.Dir(file)
})

// site is a position in interpreted code, represented by a program counter.
type site struct {
	function string // as the runtime names it: "main.f", "main.(*T).M", "main.f.func1"
	file     string
	line     int
	entry    uintptr // program counter of the site at which the function begins; 0 if this is that site
}

// Program counters of sites are 16 apart, in an address range without code. The address at offset
// siteAt of a site represents a return address, so that the preceding program counter is within the
// call, too.
const (
	firstSite = uintptr(1) << 56
	siteSize  = 16
	siteAt    = 8
)

// callers implements the functions about callers.
type callers struct {
	m *machine.Machine

	mu     sync.Mutex
	sites  []site
	index  map[site]uintptr
	funcs  map[*runtime.Func]uintptr // returned handles, each with the entry of its function
	byPC   map[uintptr]*runtime.Func
	frames map[weak.Pointer[runtime.Frames]][]uintptr // returned runtime.Frames that are in use
}

func newCallers(m *machine.Machine) *callers {
	return &callers{
		m:      m,
		index:  map[site]uintptr{},
		funcs:  map[*runtime.Func]uintptr{},
		byPC:   map[uintptr]*runtime.Func{},
		frames: map[weak.Pointer[runtime.Frames]][]uintptr{},
	}
}

// overrides returns the replacements by the names of the replaced functions.
func (c *callers) overrides() map[string]any {
	return map[string]any{
		"runtime.Caller":           c.caller,
		"runtime.Callers":          c.callers,
		"runtime.CallersFrames":    c.callersFrames,
		"(*runtime.Frames).Next":   c.next,
		"runtime.FuncForPC":        c.funcForPC,
		"(*runtime.Func).Name":     c.name,
		"(*runtime.Func).Entry":    c.entry,
		"(*runtime.Func).FileLine": c.fileLine,
		"runtime.Stack":            c.stack,
		"runtime/debug.Stack":      c.debugStack,
		"runtime/debug.PrintStack": func() { os.Stderr.Write(c.debugStack()) },
		"(reflect.Value).Pointer":  c.pointer,
	}
}

// pc returns the program counter of a site.
func (c *callers) pc(s site) uintptr {
	c.mu.Lock()
	defer c.mu.Unlock()
	pc, ok := c.index[s]
	if !ok {
		pc = firstSite + uintptr(len(c.sites))*siteSize
		c.sites = append(c.sites, s)
		c.index[s] = pc
	}
	return pc
}

// site returns the position of a program counter, or false if the program counter is in compiled
// code.
func (c *callers) site(pc uintptr) (site, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := (pc - firstSite) / siteSize
	if pc < firstSite || n >= uintptr(len(c.sites)) {
		return site{}, false
	}
	return c.sites[n], true
}

// siteOf returns the position of a call on a stack.
func (c *callers) siteOf(fn *ssa.Function, pos token.Pos) site {
	begin := site{function: runtimeName(fn)}
	begin.file, begin.line = c.position(fn, fn.Pos())
	s := site{function: begin.function, entry: c.pc(begin)}
	s.file, s.line = c.position(fn, pos)
	return s
}

func (c *callers) position(fn *ssa.Function, pos token.Pos) (string, int) {
	fset := c.m.FsetOf(fn)
	if fset == nil || !pos.IsValid() {
		return "??", 0
	}
	p := fset.Position(pos)
	if p.Filename == "" {
		p.Filename = "??"
	}
	return p.Filename, p.Line
}

// stackSites returns the calls of the running goroutine's cell code, innermost first. It returns at
// least the needed number of calls, if there are as many. Below a deferred call that a panic has
// caused, it lists the calls from which the panic came.
func (c *callers) stackSites(needed int) []site {
	var sites []site
	logs := c.logsUnderWay()
	for _, call := range c.m.Callers(needed) {
		for len(logs) > 0 && call.Fn != nil && call.Depth <= logs[0] {
			sites = append(sites, logSites()...)
			logs = logs[1:]
		}
		if call.Fn == nil {
			sites = append(sites, library().gopanic)
			continue
		}
		sites = append(sites, c.siteOf(call.Fn, call.Pos))
	}
	return sites
}

// logsUnderWay returns the depths of the running goroutine's calls of package log, innermost first.
// The replacements of that package's functions have no calls of their own on the stack of
// interpreted code.
func (c *callers) logsUnderWay() []int32 {
	var depths []int32
	if th := c.m.Thread(); th != nil {
		for n, _ := th.Note.(*note); n != nil; n, _ = n.outer.(*note) {
			if n.depth > 0 {
				depths = append(depths, n.depth)
			}
		}
	}
	return depths
}

// logSites returns the calls in package log between a logging function and its writer: there are
// always two.
func logSites() []site {
	return []site{library().output, library().print}
}

func (c *callers) caller(skip int) (pc uintptr, file string, line int, ok bool) {
	if skip < 0 {
		return 0, "", 0, false
	}
	all := c.stackSites(skip + 1)
	if skip >= len(all) {
		rest := outside()
		if skip -= len(all); skip >= len(rest) {
			return 0, "", 0, false
		}
		f, _ := runtime.CallersFrames(rest[skip : skip+1]).Next()
		return rest[skip], f.File, f.Line, true
	}
	s := all[skip]
	return c.pc(s) + siteAt, s.file, s.line, true
}

func (c *callers) callers(skip int, pcs []uintptr) int {
	skip = max(skip, 0)
	all := append([]site{library().callers}, c.stackSites(skip+len(pcs))...)
	n := 0
	for i := skip; i < len(all) && n < len(pcs); i++ {
		pcs[n] = c.pc(all[i]) + siteAt
		n++
	}
	if n < len(pcs) {
		if rest := outside(); skip-len(all) < len(rest) {
			n += copy(pcs[n:], rest[max(skip-len(all), 0):])
		}
	}
	return n
}

// enginePrefix is the common prefix of the names of the engine's functions.
var enginePrefix = strings.TrimSuffix(reflect.TypeFor[callers]().PkgPath(), "standin")

// outside returns the calls of the running goroutine that are outside its outermost call of
// interpreted code. They are calls of the compiled code that has called the interpreted code, such
// as a server or a test, down to the start of the goroutine.
func outside() []uintptr {
	pcs := make([]uintptr, 256)
	n := runtime.Callers(2, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 4*len(pcs))
		n = runtime.Callers(2, pcs)
	}
	pcs = pcs[:n]
	for i := len(pcs) - 1; i >= 0; i-- {
		if f := runtime.FuncForPC(pcs[i] - 1); f == nil || strings.HasPrefix(f.Name(), enginePrefix) {
			return pcs[i+1:]
		}
	}
	return nil
}

func (c *callers) callersFrames(pcs []uintptr) *runtime.Frames {
	for _, pc := range pcs {
		if _, ours := c.site(pc); ours {
			// Many callers ask only for the first frame and discard the others.
			f := new(runtime.Frames)
			key := weak.Make(f)
			runtime.AddCleanup(f, c.forget, key)
			c.mu.Lock()
			c.frames[key] = pcs
			c.mu.Unlock()
			return f
		}
	}
	return runtime.CallersFrames(pcs)
}

// forget drops the data of frames that are not used any more.
func (c *callers) forget(key weak.Pointer[runtime.Frames]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.frames, key)
}

func (c *callers) next(f *runtime.Frames) (runtime.Frame, bool) {
	key := weak.Make(f)
	c.mu.Lock()
	pcs, ours := c.frames[key]
	if ours {
		if len(pcs) <= 1 {
			delete(c.frames, key)
		} else {
			c.frames[key] = pcs[1:]
		}
	}
	c.mu.Unlock()
	if !ours || len(pcs) == 0 {
		return f.Next()
	}
	pc := pcs[0]
	s, ok := c.site(pc)
	if !ok {
		frame, _ := runtime.CallersFrames(pcs[:1]).Next()
		return frame, len(pcs) > 1
	}
	return runtime.Frame{PC: pc - 1, Func: c.funcForPC(pc), Function: s.function, File: s.file, Line: s.line, Entry: max(s.entry, pc-siteAt)}, len(pcs) > 1
}

func (c *callers) funcForPC(pc uintptr) *runtime.Func {
	s, ok := c.site(pc)
	if !ok {
		return runtime.FuncForPC(pc)
	}
	entry := s.entry
	if entry == 0 {
		entry = pc &^ (siteSize - 1)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.byPC[entry]
	if f == nil {
		// A runtime.Func has size zero, so allocate memory to make its address unique.
		f = (*runtime.Func)(unsafe.Pointer(new(uintptr)))
		c.byPC[entry], c.funcs[f] = f, entry
	}
	return f
}

// ours returns the site at which a function begins, or false if the function is compiled.
func (c *callers) ours(f *runtime.Func) (site, uintptr, bool) {
	c.mu.Lock()
	entry, ok := c.funcs[f]
	c.mu.Unlock()
	if !ok {
		return site{}, 0, false
	}
	s, _ := c.site(entry)
	return s, entry, true
}

func (c *callers) name(f *runtime.Func) string {
	if s, _, ok := c.ours(f); ok {
		return s.function
	}
	return f.Name()
}

func (c *callers) entry(f *runtime.Func) uintptr {
	if _, entry, ok := c.ours(f); ok {
		return entry
	}
	return f.Entry()
}

func (c *callers) fileLine(f *runtime.Func, pc uintptr) (string, int) {
	if s, ok := c.site(pc); ok {
		return s.file, s.line
	}
	return f.FileLine(pc)
}

func (c *callers) stack(buf []byte, _ bool) int { return copy(buf, c.text(c.stackSites(0))) }

func (c *callers) debugStack() []byte {
	return c.text(append([]site{library().stack}, c.stackSites(0)...))
}

// text formats a stack as the runtime does.
func (c *callers) text(sites []site) []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, "goroutine 1 [running]:")
	for _, s := range sites {
		call := s.function + "()"
		if call == "runtime.gopanic()" {
			call = "panic({...})"
		}
		fmt.Fprintf(&b, "%s\n\t%s:%d +0x%x\n", call, s.file, s.line, siteAt)
	}
	return b.Bytes()
}

// pointer replaces the method Pointer of reflect.Value, with which programs find the name of a func
// value.
func (c *callers) pointer(v reflect.Value) uintptr {
	if v.Kind() == reflect.Func && !v.IsNil() {
		if f := machine.FunctionOf(v); f != nil {
			s := c.siteOf(f.SSA, f.SSA.Pos())
			return s.entry
		}
	}
	return v.Pointer()
}

// runtimeName returns the name of a function in the runtime's form.
func runtimeName(fn *ssa.Function) string {
	if p := fn.Parent(); p != nil {
		return closureName(fn, p)
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	path := ""
	if obj := fn.Object(); obj != nil && obj.Pkg() != nil {
		path = linkPath(obj.Pkg().Path()) + "."
	} else if fn.Pkg != nil {
		path = linkPath(fn.Pkg.Pkg.Path()) + "."
	}
	name := fn.Name()
	if fn.Signature.TypeParams().Len() > 0 {
		name += "[...]"
	}
	recv := fn.Signature.Recv()
	if method, ok := fn.Object().(*types.Func); ok && recv == nil && method.Signature().Recv() != nil {
		name = method.Name()
		if strings.HasPrefix(fn.Synthetic, "bound ") { // a method value x.M
			recv = method.Signature().Recv()
			name += "-fm"
		} else { // a method expression T.M, where T may have M by embedding
			recv = fn.Signature.Params().At(0)
			if n := namedOf(recv.Type()); n != nil && n.Obj().Pkg() != nil {
				path = linkPath(n.Obj().Pkg().Path()) + "."
			}
		}
	}
	if recv == nil {
		return path + name
	}
	t, pointer := recv.Type(), false
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t, pointer = p.Elem(), true
	}
	typ := t.String()
	if n, ok := types.Unalias(t).(*types.Named); ok {
		typ = n.Obj().Name()
		if n.TypeParams().Len() > 0 || n.TypeArgs().Len() > 0 {
			typ += "[...]"
		}
	}
	if pointer {
		typ = "(*" + typ + ")"
	}
	return path + typ + "." + name
}

// namedOf returns t if t is a named type, the named type to which t points, or nil if there is
// none.
func namedOf(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// linkPath returns the path of a package as it appears in names of functions. A dot after the last
// slash is escaped, because it would end the path.
func linkPath(path string) string {
	slash := strings.LastIndexByte(path, '/')
	var b strings.Builder
	for i := range len(path) {
		switch c := path[i]; {
		case c <= ' ', c == '%', c == '"', c >= 0x7f, c == '.' && i > slash:
			fmt.Fprintf(&b, "%%%02x", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// closureName numbers function literals and the bodies of range-over-func loops in source order.
func closureName(fn, parent *ssa.Function) string {
	n := 1
	for _, a := range parent.AnonFuncs {
		if a == fn {
			break
		}
		if (a.Synthetic != "") == (fn.Synthetic != "") {
			n++
		}
	}
	number := strconv.Itoa(n)
	switch {
	case fn.Synthetic != "":
		return runtimeName(parent) + "-range" + number
	case parent.Parent() != nil && parent.Synthetic == "":
		return runtimeName(parent) + "." + number
	}
	return runtimeName(parent) + ".func" + number
}
