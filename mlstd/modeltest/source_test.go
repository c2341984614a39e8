package modeltest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// family holds the facts about one package of mlstd that these tests use.
type family struct {
	name    string
	symbols map[string]bool // "DecisionTree", "DecisionTree.Fit"
	tests   map[string]bool // Test, Example, Benchmark and Fuzz functions
	// testFiles has, for each test, the text of its file.
	testFiles map[string]string
	// learners are the exported types with Learn, Minimize or, in eval, Split: they
	// compute something that can be compared, and are not estimators.
	learners map[string]bool
	// functions are the exported functions that are not methods.
	functions map[string]bool
	docs      map[string]string
	// estimators are the exported structs with Fit or FitPredict.
	estimators map[string]bool
	// covered are the types of composite literals in test functions that call package modeltest.
	covered map[string]bool
}

var suites = map[string]bool{"Classifier": true, "Regressor": true, "Transformer": true, "Embedder": true, "Clusterer": true, "Detector": true}

// root is the directory of mlstd, seen from this package.
const root = ".."

// families reads every family package of mlstd.
func families(t *testing.T) map[string]*family {
	t.Helper()
	all := make(map[string]*family)
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if e.Name() == "internal" || e.Name() == "testdata" || e.Name() == "modeltest" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || filepath.Dir(path) == root {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		f := all[dir]
		if f == nil {
			f = &family{
				name: filepath.Base(dir), symbols: map[string]bool{}, tests: map[string]bool{},
				docs: map[string]string{}, estimators: map[string]bool{}, covered: map[string]bool{},
				testFiles: map[string]string{}, learners: map[string]bool{}, functions: map[string]bool{},
			}
			all[dir] = f
		}
		if strings.HasSuffix(path, "_test.go") {
			f.readTest(file, readFile(t, path))
		} else {
			f.read(file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		for name := range f.estimators {
			if _, isStruct := f.docs[name]; !isStruct {
				delete(f.estimators, name)
			}
		}
	}
	return all
}

func (f *family) read(file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv == nil {
				f.symbols[name] = true
				if ast.IsExported(name) {
					f.functions[name] = true
				}
				continue
			}
			recv := typeName(d.Recv.List[0].Type)
			f.symbols[recv+"."+name] = true
			if (name == "Fit" || name == "FitPredict") && ast.IsExported(recv) {
				f.estimators[recv] = true
			}
			if (name == "Learn" || name == "Minimize" || name == "Split" && f.name == "eval") && ast.IsExported(recv) {
				f.learners[recv] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					f.symbols[s.Name.Name] = true
					if st, ok := s.Type.(*ast.StructType); ok {
						doc := s.Doc.Text()
						if doc == "" {
							doc = d.Doc.Text()
						}
						f.docs[s.Name.Name] = doc
						for _, field := range st.Fields.List {
							for _, n := range field.Names {
								f.symbols[s.Name.Name+"."+n.Name] = true
							}
						}
					}
				case *ast.ValueSpec:
					for _, n := range s.Names {
						f.symbols[n.Name] = true
					}
				}
			}
		}
	}
}

func (f *family) readTest(file *ast.File, text string) {
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Body == nil {
			continue
		}
		f.tests[fn.Name.Name] = true
		f.testFiles[fn.Name.Name] = text
		calls := false
		var literals []string
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
					if p, ok := sel.X.(*ast.Ident); ok && p.Name == "modeltest" && suites[sel.Sel.Name] {
						calls = true
					}
				}
			case *ast.CompositeLit:
				switch typ := n.Type.(type) {
				case *ast.Ident:
					literals = append(literals, typ.Name)
				case *ast.SelectorExpr:
					if p, ok := typ.X.(*ast.Ident); ok && p.Name == f.name {
						literals = append(literals, typ.Sel.Name)
					}
				}
			}
			return true
		})
		if calls {
			for _, name := range literals {
				f.covered[name] = true
			}
		}
	}
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
