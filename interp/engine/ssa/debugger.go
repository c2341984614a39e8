package ssa

import (
	"slices"
	"sync"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"golang.org/x/tools/go/ssa"
)

// debugger implements engine.Debugger.
type debugger struct {
	*machine.Debugging
	e *Engine

	mu     sync.Mutex
	points map[string][]engine.Breakpoint     // breakpoints by file
	sites  map[string]map[int][]*machine.Site // sites by file and line
}

// Debug implements engine.Debuggable.
func (e *Engine) Debug(events engine.DebugEvents) (engine.Debugger, error) {
	e.building.Lock()
	defer e.building.Unlock()
	d := &debugger{Debugging: e.m.Debug(events), e: e, points: map[string][]engine.Breakpoint{}, sites: map[string]map[int][]*machine.Site{}}
	if d.Debugging == nil {
		return nil, engine.ErrDebugged
	}
	e.debugger = d
	var cells []*ssa.Package
	for _, pkg := range e.prog.AllPackages() {
		if sourceOf(pkg) != nil {
			cells = append(cells, pkg)
		}
	}
	// The second form of a generic function exists once the cells that call it have been built.
	slices.SortFunc(cells, func(a, b *ssa.Package) int { return sourceOf(a).order - sourceOf(b).order })
	for _, pkg := range cells {
		if s := sourceOf(pkg); s.second == nil {
			e.debugForm(pkg, s)
		} else {
			e.arm(machine.FormIn(s.second))
		}
	}
	e.m.Recompile()
	return d, nil
}

// Detach implements engine.Debugger.
func (d *debugger) Detach() {
	d.e.building.Lock()
	defer d.e.building.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.e.debugger != d {
		return
	}
	d.e.debugger = nil
	for _, lines := range d.sites {
		for _, sites := range lines {
			for _, s := range sites {
				s.Arm(nil)
			}
		}
	}
	d.Debugging.Detach()
}

// arm passes the sites of a form to the attached debugger.
func (e *Engine) arm(f *machine.Form) {
	d := e.debugger
	d.mu.Lock()
	defer d.mu.Unlock()
	files := map[string]bool{}
	for _, s := range f.Sites {
		pos := f.Fset.Position(s.Pos)
		if d.sites[pos.Filename] == nil {
			d.sites[pos.Filename] = map[int][]*machine.Site{}
		}
		d.sites[pos.Filename][pos.Line] = append(d.sites[pos.Filename][pos.Line], s)
		files[pos.Filename] = true
	}
	for name := range files {
		d.set(name)
	}
}

// Breakpoints implements engine.Debugger.
func (d *debugger) Breakpoints(file string, list []engine.Breakpoint) []int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.points[file] = list
	bound, changed := d.set(file)
	if changed { // functions with breakpoints run in the other form
		d.e.m.Recompile()
		d.Watch()
	}
	return bound
}

// set assigns the breakpoints of a file to its sites. It returns the lines of the breakpoints, and
// reports whether a site has lost its last breakpoint or got its first one.
func (d *debugger) set(file string) (bound []int, changed bool) {
	at := map[int]*machine.Breakpoints{}
	for _, p := range d.points[file] {
		line := 0
		for l := range d.sites[file] {
			if l >= p.Line && (line == 0 || l < line) {
				line = l
			}
		}
		bound = append(bound, line)
		if line > 0 {
			if at[line] == nil {
				at[line] = &machine.Breakpoints{}
			}
			at[line].List = append(at[line].List, p)
		}
	}
	for line, sites := range d.sites[file] {
		// On a line with several statements, code stops before the first statement of each
		// function, and at the end of a loop iteration.
		slices.SortFunc(sites, func(a, b *machine.Site) int { return int(a.Scope - b.Scope) })
		seen := map[int]bool{}
		for _, s := range sites {
			points := at[line]
			if seen[s.Function] && s.Scope == s.Pos {
				points = nil
			}
			seen[s.Function] = true
			changed = s.Arm(points) || changed
		}
	}
	return bound, changed
}

// Lines implements engine.Debugger.
func (d *debugger) Lines(file string) []int {
	d.mu.Lock()
	defer d.mu.Unlock()
	var lines []int
	for l := range d.sites[file] {
		lines = append(lines, l)
	}
	slices.Sort(lines)
	return lines
}
