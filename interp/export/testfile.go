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

// splitTests moves the tests of a file named file.go to file_test.go, where go test finds them. A
// test that other code mentions stays. The function nameOf returns the name of an import by its
// path.
func splitTests(file string, text []byte, nameOf func(path string) string) (map[string][]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("export: the exported test file is not valid Go: %w", err)
	}
	mentions := map[string]int{}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			mentions[id.Name]++
		}
		return true
	})
	// endOf returns the end of the line that contains a position.
	endOf := func(pos token.Pos) int {
		end := fset.Position(pos).Offset
		if i := strings.IndexByte(string(text[end:]), '\n'); i >= 0 {
			end += i + 1
		}
		return end
	}
	var rest, tests string
	end := endOf(f.Name.End()) // end of the previous declaration
	head := string(text[:end])
	for i, d := range f.Decls {
		from := end
		end = endOf(d.End())
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			if i == 0 {
				head = string(text[:fset.Position(d.Pos()).Offset])
			}
			continue
		}
		if fn, ok := d.(*ast.FuncDecl); ok && isTest(fn, mentions) {
			tests += string(text[from:end])
		} else {
			rest += string(text[from:end])
		}
	}
	if tests == "" {
		return map[string][]byte{file: text}, nil
	}
	rest += string(text[end:])
	files := map[string][]byte{}
	testFile := strings.TrimSuffix(file, ".go") + "_test.go"
	for name, parts := range map[string][2]string{file: {head, rest}, testFile: {"package " + f.Name.Name + "\n\n", tests}} {
		imports, err := importsFor(fset, f, parts[1], name == file, nameOf)
		if err != nil {
			return nil, err
		}
		if files[name], err = format.Source([]byte(parts[0] + imports + parts[1])); err != nil {
			return nil, fmt.Errorf("export: %s is not Go: %w", name, err)
		}
	}
	return files, nil
}

// isTest reports whether a function is a test that go test and go vet accept and that no other code
// mentions. An example must be for a declaration of the program.
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

// importsFor returns the imports of a file that some declarations use, in their original order and
// groups. Imports that are needed only for their effects stay in the file without tests.
func importsFor(fset *token.FileSet, f *ast.File, decls string, effects bool, nameOf func(path string) string) (string, error) {
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
	last := 0 // the line of the previous import
	for _, s := range f.Imports {
		path, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			return "", fmt.Errorf("export: %w", err)
		}
		name, text := nameOf(path), s.Path.Value
		if s.Name != nil {
			name, text = s.Name.Name, s.Name.Name+" "+text
		}
		line := fset.Position(s.Pos()).Line
		if len(lines) > 0 && line > last+1 {
			lines = append(lines, "")
		}
		last = line
		if used[name] || name == "_" && effects {
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
