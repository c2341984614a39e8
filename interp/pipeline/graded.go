package pipeline

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// gradedPackages lists the packages that a submission may import, unless the lecturer allows
// others. It omits packages that access the process's memory or stacks (reflect, unsafe, runtime),
// start programs or use the network. An entry that ends in "/" stands for all packages below it.
var gradedPackages = []string{
	"bufio", "bytes", "cmp", "container/", "context", "crypto/hmac", "crypto/md5", "crypto/rand", "crypto/sha1", "crypto/sha256", "crypto/sha3", "crypto/sha512", "crypto/subtle",
	"embed", "encoding", "encoding/", "errors", "fmt", "hash", "hash/", "html", "image", "image/", "io", "io/fs", "iter", "log", "maps", "math", "math/",
	"os", "path", "path/filepath", "regexp", "regexp/syntax", "slices", "sort", "strconv", "strings", "sync", "sync/atomic", "testing", "testing/quick",
	"text/scanner", "text/tabwriter", "text/template", "time", "unicode", "unicode/",
	"gonum.org/v1/gonum/", "gonum.org/v1/plot", "gonum.org/v1/plot/",
	libraryPath, libraryPath + "/", "github.com/gokernel/gokernel/display", "github.com/gokernel/gokernel/display/",
}

// refusedPackages lists exceptions to entries of the list: packages that call checks of another
// process.
var refusedPackages = []string{"github.com/gokernel/gokernel/display/homework"}

// ungradedMagics lists the magics that run shell commands.
var ungradedMagics = map[string]bool{"!": true, "bash": true}

// allowed reports whether a submission may import a package.
func (c *Compiler) allowed(path string) bool {
	listed := func(list []string) bool {
		return slices.ContainsFunc(list, func(entry string) bool {
			return path == entry || strings.HasSuffix(entry, "/") && strings.HasPrefix(path, entry)
		})
	}
	return listed(c.Allowed) || listed(gradedPackages) && !slices.Contains(refusedPackages, path)
}

// libraryPath is the import path of ml.
const libraryPath = "github.com/gokernel/gokernel/mlstd"

// refuseMagics rejects magics that a submission must not contain.
func (c *Compiler) refuseMagics(p *Program) *evaluator.Error {
	if at := strings.IndexRune(p.Src.Text, 'ǃ'); at >= 0 {
		pos := p.Src.Base + token.Pos(at)
		return c.Advice.Present(p.Src, []check.Error{{Pos: pos, End: pos + 1, Msg: "names with the letter ǃ (U+01C3) belong to gokernel", Hint: "give it another name"}}, nil)
	}
	magics := p.Cell.Lines
	if p.Cell.Whole != nil {
		magics = append(magics[:len(magics):len(magics)], p.Cell.Whole)
	}
	for _, m := range magics {
		if m.Name == "package" {
			return c.Advice.Present(p.Src, []check.Error{{Pos: m.Pos, End: m.Pos + 1, Msg: "%%package is not available in graded homework"}}, nil)
		}
		if ungradedMagics[m.Name] {
			return c.Advice.Present(p.Src, []check.Error{{Pos: m.Pos, End: m.Pos + 1, Msg: "shell commands are not available in graded homework"}}, nil)
		}
	}
	return nil
}

// refuseUngraded rejects a checked cell that declares a name needed by checks, or imports a package
// that a submission must not import.
func (c *Compiler) refuseUngraded(p *Program) *evaluator.Error {
	var errs []check.Error
	for _, f := range p.unit.Files() {
		for _, s := range f.Imports {
			path, err := strconv.Unquote(s.Path.Value)
			if err != nil {
				continue
			}
			if name := rewrite.ImportName(s); checking(name) && path != libraryPath {
				errs = append(errs, refusal(s, name))
			}
			// Imports added by rewriting have a reserved name, or the name of something that a
			// function declares, such as a variable net.
			own := rewrite.Reserved(rewrite.ImportName(s)) || rewrite.Added(s) && p.unused(s)
			if !own && !c.allowed(path) {
				errs = append(errs, check.Error{Pos: s.Pos(), End: s.End(), Msg: "package " + path + " is not on the list of packages that graded homework may import",
					Hint: "solve the task without it; the lecturer can allow it with gokernel grade --allow " + path})
			}
		}
	}
	members := p.checked.Package.Scope()
	for id, o := range p.checked.Info.Defs {
		if o != nil && checking(id.Name) && members.Lookup(id.Name) == o {
			errs = append(errs, refusal(id, id.Name))
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return c.Advice.Present(p.Src, errs, nil)
}

// unused reports whether no name in the cell refers to the import.
func (p *Program) unused(s *ast.ImportSpec) bool {
	name := p.checked.Info.Defs[s.Name]
	if name == nil {
		return false
	}
	for _, o := range p.checked.Info.Uses {
		if o == name {
			return false
		}
	}
	return true
}

// checking reports whether checks need the name.
func checking(name string) bool { return rewrite.HomeworkVerbs[name] || name == "ml" }

func refusal(n ast.Node, name string) check.Error {
	return check.Error{Pos: n.Pos(), End: n.End(), Msg: name + " cannot be declared in graded homework, because the checks use it", Hint: "give it another name"}
}
