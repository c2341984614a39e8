package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"github.com/gokernel/gokernel/interp/modules"
)

// Functions without a body are meant for the assembler or the linker. A few that many
// packages need are known here; a package with others is refused before it runs.

// standIns are what stands for functions that are written in assembly, by the names
// that the linker has for them, or that go:linkname takes from other packages.
var standIns = sync.OnceValue(func() map[string]reflect.Value {
	all := map[string]reflect.Value{}
	for _, list := range []map[string]any{systemCalls, portable, rtype.Linknames()} {
		for name, f := range list {
			all[name] = reflect.ValueOf(f)
		}
	}
	return all
})

// portable are the stand-ins that every system has.
var portable = map[string]any{
	// A processor without any feature takes the way that is written in Go.
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

// bodiless says that a package cannot be run from source for a function that it has no
// body of.
type bodiless struct{ path, file, function, how string }

func (e *bodiless) Error() string {
	return fmt.Sprintf("package %s cannot be run from source: %s declares %s, which %s", e.path, e.file, e.function, e.how)
}

const byAssembler = "is written in assembly and has no form in Go"

// findBodiless looks for functions that only the assembler has.
func findBodiless(place *modules.Place, names, assembly []string) error {
	for _, name := range names {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join(place.Dir, name), nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil // which is told when the package is checked
		}
		links := linknames(f)
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body != nil || fn.Recv != nil {
				continue
			}
			if _, ok := standIn(place.Path, fn.Name.Name, links); !ok && links[fn.Name.Name] == "" {
				return &bodiless{place.Path, name, fn.Name.Name, byAssembler}
			}
		}
	}
	return nil
}

// linknames gives what the go:linkname directives of a file take: the names that they
// give to their own functions and variables.
func linknames(f *ast.File) map[string]string {
	var links map[string]string
	for _, g := range f.Comments {
		for _, c := range g.List {
			words := strings.Fields(c.Text)
			if len(words) == 3 && words[0] == "//go:linkname" {
				if links == nil {
					links = map[string]string{}
				}
				links[words[1]] = words[2]
			}
		}
	}
	return links
}

// standIn gives what stands for a function without a body.
func standIn(path, name string, links map[string]string) (reflect.Value, bool) {
	if v, ok := standIns()[path+"."+name]; ok {
		return v, true
	}
	v, ok := standIns()[links[name]]
	return v, ok
}

// externals gives what stands for the functions of a package that have no body, and
// refuses the package when nothing does.
func externals(place *modules.Place, p *Package) (map[string]reflect.Value, error) {
	var list map[string]reflect.Value
	for i, f := range p.Files {
		links := linknames(f)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body != nil {
					continue
				}
				v, ok := standIn(place.Path, d.Name.Name, links)
				if !ok {
					how := byAssembler
					if to := links[d.Name.Name]; to != "" {
						how = "is " + to + " by go:linkname, which only the linker can give"
					}
					return nil, &bodiless{place.Path, p.Fset.Position(p.Files[i].Pos()).Filename, d.Name.Name, how}
				}
				if list == nil {
					list = map[string]reflect.Value{}
				}
				list[d.Name.Name] = v
			case *ast.GenDecl:
				if name := linkedVar(d, links); name != "" {
					return nil, &bodiless{place.Path, p.Fset.Position(p.Files[i].Pos()).Filename, name, "is " + links[name] + " by go:linkname, which only the linker can give"}
				}
			}
		}
	}
	return list, nil
}

// linkedVar gives a variable of a declaration that go:linkname takes from another
// package; "" if there is none.
func linkedVar(d *ast.GenDecl, links map[string]string) string {
	if d.Tok != token.VAR {
		return ""
	}
	for _, s := range d.Specs {
		v := s.(*ast.ValueSpec)
		for _, id := range v.Names {
			if links[id.Name] != "" && len(v.Values) == 0 {
				return id.Name
			}
		}
	}
	return ""
}
