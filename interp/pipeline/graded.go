package pipeline

import (
	"go/ast"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// What a graded session refuses, since with it a submission could grade itself: packages
// that reach around the types of Go, start programs or use the network, and magics of the
// shell. Where an entry ends in "/", all packages below it are meant.
var (
	ungraded       = []string{"unsafe", "syscall", "plugin", "os/exec", "net", "net/", "runtime/debug", "runtime/cgo", "log/syslog"}
	ungradedMagics = map[string]bool{"!": true, "bash": true}
)

// libraryPath is the import path of ml.
const libraryPath = "github.com/gokernel/gokernel/mlstd"

// refuseMagics refuses what a cell of a submission may not contain, as far as its text
// tells it.
func (c *Compiler) refuseMagics(p *Program) *evaluator.Error {
	magics := p.Cell.Lines
	if p.Cell.Whole != nil {
		magics = append(magics[:len(magics):len(magics)], p.Cell.Whole)
	}
	for _, m := range magics {
		if m.Name == "package" {
			return c.Advice.Present(p.Src, []check.Error{{Pos: m.Pos, End: m.Pos + 1, Msg: "packages of one's own are not declared where homework is graded"}}, nil)
		}
		if ungradedMagics[m.Name] {
			return c.Advice.Present(p.Src, []check.Error{{Pos: m.Pos, End: m.Pos + 1, Msg: "commands of the shell are not run where homework is graded"}}, nil)
		}
	}
	return nil
}

// refuseUngraded refuses a checked cell that declares what checks are made with, or
// imports what a submission may not have.
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
			for _, u := range ungraded {
				if path == u || strings.HasSuffix(u, "/") && strings.HasPrefix(path, u) {
					errs = append(errs, check.Error{Pos: s.Pos(), End: s.End(), Msg: "package " + path + " is not to be had where homework is graded"})
					break
				}
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

// checking reports whether checks need the name.
func checking(name string) bool { return rewrite.HomeworkVerbs[name] || name == "ml" }

func refusal(n ast.Node, name string) check.Error {
	return check.Error{Pos: n.Pos(), End: n.End(), Msg: name + " cannot be declared where homework is graded: checks are made with it", Hint: "give it another name"}
}
