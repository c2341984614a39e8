package export

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// splitTests moves the tests of a program into a file of their own, where go test looks
// for them. A test that something else mentions stays.
func (x *exporter) splitTests(text []byte) (map[string][]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "main.go", text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("export: the program that was written is not Go: %w", err)
	}
	mentions := map[string]int{}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			mentions[id.Name]++
		}
		return true
	})
	var head, rest, tests string
	end := 0 // of the declaration before, with its line
	for _, d := range f.Decls {
		from := end
		end = fset.Position(d.End()).Offset
		if i := strings.IndexByte(string(text[end:]), '\n'); i >= 0 {
			end += i + 1
		}
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			head = string(text[:fset.Position(d.Pos()).Offset])
			continue
		}
		if fn, ok := d.(*ast.FuncDecl); ok && isTest(fn, mentions) {
			tests += string(text[from:end])
		} else {
			rest += string(text[from:end])
		}
	}
	if tests == "" {
		return map[string][]byte{"main.go": text}, nil
	}
	rest += string(text[end:])
	files := map[string][]byte{}
	for name, parts := range map[string][2]string{"main.go": {head, rest}, "main_test.go": {"package " + f.Name.Name + "\n\n", tests}} {
		imports, err := x.importsFor(fset, f, parts[1], name == "main.go")
		if err != nil {
			return nil, err
		}
		if files[name], err = format.Source([]byte(parts[0] + imports + parts[1])); err != nil {
			return nil, fmt.Errorf("export: %s is not Go: %w", name, err)
		}
	}
	return files, nil
}

// isTest reports whether a function is a test as go test and go vet want it, and nothing
// else mentions it. An example is one of what the program declares.
func isTest(fn *ast.FuncDecl, mentions map[string]int) bool {
	name := fn.Name.Name
	if fn.Recv != nil || mentions[name] != 1 {
		return false
	}
	if of, ok := strings.CutPrefix(name, "Example"); ok {
		of, _, _ = strings.Cut(of, "_")
		return len(fn.Type.Params.List) == 0 && (of == "" || mentions[of] > 0)
	}
	if len(fn.Type.Params.List) != 1 {
		return false
	}
	star, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	of, ok := star.X.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	switch of.Sel.Name {
	case "T":
		return strings.HasPrefix(name, "Test")
	case "B":
		return strings.HasPrefix(name, "Benchmark")
	case "F":
		return strings.HasPrefix(name, "Fuzz")
	}
	return of.Sel.Name == "M" && name == "TestMain"
}

// importsFor gives the imports of a file that some declarations use, in the order and the
// groups that they have in it. Imports for what they do are those of the program.
func (x *exporter) importsFor(fset *token.FileSet, f *ast.File, decls string, program bool) (string, error) {
	g, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+decls, parser.SkipObjectResolution)
	if err != nil {
		return "", fmt.Errorf("export: %w", err)
	}
	used := map[string]bool{}
	ast.Inspect(g, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	var lines []string
	last := 0 // the line of the import before
	for _, s := range f.Imports {
		path, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			return "", fmt.Errorf("export: %w", err)
		}
		name, text := x.imports[x.ownPath(path)], s.Path.Value
		if s.Name != nil {
			name, text = s.Name.Name, s.Name.Name+" "+text
		}
		line := fset.Position(s.Pos()).Line
		if len(lines) > 0 && line > last+1 {
			lines = append(lines, "")
		}
		last = line
		if used[name] || name == "_" && program {
			lines = append(lines, text)
		}
	}
	switch text := strings.TrimSpace(strings.Join(lines, "\n")); {
	case text == "":
		return "", nil
	case !strings.Contains(text, "\n"):
		return "import " + text + "\n", nil
	default:
		return "import (\n" + text + "\n)\n", nil
	}
}
