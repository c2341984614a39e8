package modeltest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// otherSpace lists methods whose matrix does not have the columns of Fit.
var otherSpace = map[string]string{
	"Inverse": "it takes rows of the result of Transform",
	"Decode":  "it takes rows of the result of Transform",
}

// The behavior of every estimator is tested by TestNoEstimatorMisreadsAFrame. This test is for all
// other methods. Each exported method of a type that embeds model.Fitted must, if it takes rows,
// remember their columns or read them by name.
func TestEveryMethodReadsColumnsByName(t *testing.T) {
	embeds := map[string]bool{}
	var methods []*ast.FuncDecl
	var of []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && (e.Name() == "testdata" || e.Name() == "internal") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		in := filepath.Base(filepath.Dir(path)) + "."
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil && d.Name.IsExported() && len(d.Type.Params.List) > 0 && isMatrix(d.Type.Params.List[0].Type) {
					methods, of = append(methods, d), append(of, in+typeName(d.Recv.List[0].Type))
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					s, ok := s.(*ast.TypeSpec)
					if !ok {
						continue
					}
					st, ok := s.Type.(*ast.StructType)
					embeds[in+s.Name.Name] = ok && slices.ContainsFunc(st.Fields.List, func(f *ast.Field) bool {
						sel, ok := f.Type.(*ast.SelectorExpr)
						return ok && len(f.Names) == 0 && sel.Sel.Name == "Fitted"
					})
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for k, m := range methods {
		if !embeds[of[k]] || len(m.Type.Params.List[0].Names) == 0 { // it does not read the rows
			continue
		}
		checked++
		if otherSpace[m.Name.Name] != "" || readsByName(m) {
			continue
		}
		t.Errorf("%s.%s neither remembers the columns of its rows (model.NoteX, NoteXY ...) nor reads them by name (model.MustRead)", of[k], m.Name.Name)
	}
	if checked < 500 {
		t.Errorf("%d methods were checked", checked)
	}
}

func isMatrix(e ast.Expr) bool {
	if v, ok := e.(*ast.Ellipsis); ok {
		e = v.Elt
	}
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Matrix" && typeName(s.X) == "mat"
}

// readsByName reports whether a method calls a function that remembers or finds the columns.
// Methods of a hidden Markov model call prepare for that.
func readsByName(m *ast.FuncDecl) bool {
	found := false
	ast.Inspect(m.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		if ok && (typeName(s.X) == "model" && (strings.HasPrefix(s.Sel.Name, "Note") || strings.HasPrefix(s.Sel.Name, "MustRead") || strings.HasPrefix(s.Sel.Name, "Read"))) {
			found = true
		}
		if ok && typeName(m.Recv.List[0].Type) == "GaussianHMM" && s.Sel.Name == "prepare" {
			found = true
		}
		return true
	})
	return found
}
