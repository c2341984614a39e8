package source

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/gokernel/gokernel/interp/modules"
)

// Functions without a body are implemented in assembly or by the linker. This file replaces a few
// that many packages need. A package with other such functions is rejected before it runs.

// standIns contains the Go replacements of functions that are written in assembly. Its keys are
// linker names or the names that go:linkname uses.
var standIns = sync.OnceValue(func() map[string]reflect.Value {
	all := map[string]reflect.Value{}
	for _, list := range []map[string]any{systemCalls, portable, runtimeLinks()} {
		for name, f := range list {
			all[name] = reflect.ValueOf(f)
		}
	}
	return all
})

// portable contains the replacements that every system has.
var portable = map[string]any{
	// With a processor that reports no features, packages use their implementations in Go.
	"golang.org/x/sys/cpu.cpuid":    func(uint32, uint32) (eax, ebx, ecx, edx uint32) { return 0, 0, 0, 0 },
	"golang.org/x/sys/cpu.xgetbv":   func() (eax, edx uint32) { return 0, 0 },
	"golang.org/x/sys/cpu.getisar0": func() uint64 { return 0 },
	"golang.org/x/sys/cpu.getisar1": func() uint64 { return 0 },
	"golang.org/x/sys/cpu.getmmfr1": func() uint64 { return 0 },
	"golang.org/x/sys/cpu.getpfr0":  func() uint64 { return 0 },
	"golang.org/x/sys/cpu.getzfr0":  func() uint64 { return 0 },
	"runtime.nanotime":              nanotime,
	"runtime.fastrand":              random32,
	"runtime.fastrand64":            random64,
	"runtime.cheaprand":             random32,
	"runtime.rand":                  random64,
	"runtime.fastrandn":             func(n uint32) uint32 { return uint32(uint64(random32()) * uint64(n) >> 32) },
	"runtime.cheaprandn":            func(n uint32) uint32 { return uint32(uint64(random32()) * uint64(n) >> 32) },
}

var start = time.Now()

func nanotime() int64  { return int64(time.Since(start)) + 1 }
func random32() uint32 { return rand.Uint32() }
func random64() uint64 { return rand.Uint64() }

// bodiless is the error for a package that can't run from source because a function has no body.
type bodiless struct{ path, file, function, how string }

func (e *bodiless) Error() string {
	return fmt.Sprintf("package %s cannot be run from source: %s declares %s, which %s", e.path, e.file, e.function, e.how)
}

const (
	byAssembler = "is written in assembly and has no form in Go"
	byNobody    = "has no body, and no loaded package provides one by go:linkname"
	byLinker    = "is linked to %s by go:linkname, which only the linker can provide"
)

// findBodiless searches for functions that only the assembler has. It reports whether there are
// functions of the standard library that only the linker has.
func findBodiless(place *modules.Place, names, assembly []string) (byLink bool, err error) {
	for _, name := range names {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join(place.Dir, name), nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return false, nil // the check of the package reports it
		}
		links := linknames(f)
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body != nil || fn.Recv != nil {
				continue
			}
			if _, ok := standIn(place.Path, fn.Name.Name, links); ok {
				continue
			}
			if to := links[fn.Name.Name]; to != "" {
				first, _, _ := strings.Cut(to, "/")
				byLink = byLink || first != to && !strings.Contains(first, ".") || first == to && strings.Count(to, ".") == 1
			} else if assembled(place, assembly, fn.Name.Name) {
				return false, &bodiless{place.Path, name, fn.Name.Name, byAssembler}
			}
		}
	}
	return byLink, nil
}

// hasBodies reports whether all functions of some files have a body or a replacement.
func hasBodies(place *modules.Place, names []string) bool {
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(place.Dir, name), nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return false
		}
		links := linknames(f)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body == nil {
				if _, ok := standIn(place.Path, fn.Name.Name, links); !ok {
					return false
				}
			}
		}
	}
	return true
}

// assembled reports whether an assembly file mentions a function. An empty assembly file only
// allows a package to declare functions whose bodies other packages provide through go:linkname.
func assembled(place *modules.Place, files []string, function string) bool {
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(function) + `\b`)
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(place.Dir, name))
		if err != nil || word.Match(text) {
			return true
		}
	}
	return false
}

// linknames returns the go:linkname directives of a file: the linker names of its functions and
// variables. A directive without a linker name has the value ""; it lets other packages access or
// provide the object.
func linknames(f *ast.File) map[string]string {
	var links map[string]string
	for _, g := range f.Comments {
		for _, c := range g.List {
			words := strings.Fields(c.Text)
			if len(words) < 2 || len(words) > 3 || words[0] != "//go:linkname" {
				continue
			}
			if links == nil {
				links = map[string]string{}
			}
			links[words[1]] = strings.Join(words[2:], "")
		}
	}
	return links
}

// standIn returns the replacement of a function without a body.
func standIn(path, name string, links map[string]string) (reflect.Value, bool) {
	if v, ok := standIns()[path+"."+name]; ok {
		return v, true
	}
	v, ok := standIns()[links[name]]
	return v, ok
}

// externals finds replacements for the functions of a package that have no body. The remaining ones
// must be linked to other packages; see links.go.
func (p *Package) externals() {
	for _, f := range p.Files {
		links := linknames(f)
		file := p.Fset.Position(f.Pos()).Filename
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				p.external(d, file, links)
			case *ast.GenDecl:
				p.linkedVars(d, file, links)
			}
		}
	}
}

// external finds the replacement of a function without a body, and records the linker name of a
// function with one.
func (p *Package) external(d *ast.FuncDecl, file string, links map[string]string) {
	name, obj := d.Name.Name, p.Info.Defs[d.Name]
	to := links[name]
	if d.Recv != nil && d.Body != nil || obj == nil {
		return
	}
	if d.Body != nil {
		if to != "" {
			if p.gives == nil {
				p.gives = map[string]types.Object{}
			}
			p.gives[plainSymbol(to)] = obj
		}
		return
	}
	if v, ok := standIn(p.Place.Path, name, links); ok {
		p.setExternal(name, v)
		return
	}
	how := byNobody
	if to != "" {
		how = fmt.Sprintf(byLinker, to)
	}
	p.wants = append(p.wants, want{obj, cmp.Or(to, p.Types.Path()+"."+name), &bodiless{p.Place.Path, file, name, how}})
}

func (p *Package) setExternal(name string, v reflect.Value) {
	if p.External == nil {
		p.External = map[string]reflect.Value{}
	}
	p.External[name] = v
}

// linkedVars records the variables of a declaration that refer to another package through the
// directive go:linkname.
func (p *Package) linkedVars(d *ast.GenDecl, file string, links map[string]string) {
	if d.Tok != token.VAR {
		return
	}
	for _, s := range d.Specs {
		v := s.(*ast.ValueSpec)
		for _, id := range v.Names {
			to := links[id.Name]
			if to != "" && to != p.Types.Path()+"."+id.Name && len(v.Values) == 0 {
				p.wants = append(p.wants, want{p.Info.Defs[id], to, &bodiless{p.Place.Path, file, id.Name, fmt.Sprintf(byLinker, to)}})
			}
		}
	}
}
