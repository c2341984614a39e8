package advice

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/symbols"
)

// mlNames returns the exported names of package ml.
func mlNames(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../mlstd/zz_*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of the facade: %v", err)
	}
	var names []string
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				names = append(names, d.Name.Name)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						names = append(names, s.Name.Name)
					case *ast.ValueSpec:
						for _, n := range s.Names {
							names = append(names, n.Name)
						}
					}
				}
			}
		}
	}
	return names
}

// TestScikitNamesExist checks that hints suggest only names that exist, and that scikit-learn's
// names are not already names of package ml.
func TestScikitNamesExist(t *testing.T) {
	names := mlNames(t)
	for theirs, ours := range scikit {
		if !slices.Contains(names, ours) {
			t.Errorf("%s: ml.%s does not exist", theirs, ours)
		}
		if slices.Contains(names, theirs) {
			t.Errorf("ml.%s exists, so nobody needs to be sent elsewhere", theirs)
		}
	}
}

func TestHints(t *testing.T) {
	packages := symbols.NewImporter()
	a := &Advisor{Fset: token.NewFileSet(), Packages: packages, Scope: scope.New(packages)}
	tests := []struct {
		code      check.Code
		msg, want string
	}{
		{check.UndeclaredImportedName, "undefined: ml.KNeighborsClassifier", "did you mean ml.KNN?"},
		{check.UndeclaredImportedName, "undefined: ml.accuracy_score", "did you mean ml.Accuracy?"},
		{check.UndeclaredImportedName, "undefined: ml.GridSearch", "did you mean ml.Search?"},
		{check.UndeclaredImportedName, "undefined: ml.LassoRegression", "did you mean ml.Lasso?"},
		{check.UndeclaredImportedName, "undefined: ml.LogisticRegresion", "did you mean ml.LogisticRegression?"},
		{check.UndeclaredImportedName, "undefined: ml.Xylophone", "ml? lists the names of the package"},
		{check.UndeclaredName, "undefined: True", "did you mean true?"},
	}
	for _, test := range tests {
		s := &slip{Error: check.Error{Code: test.code, Msg: test.msg}, advisor: a, src: &scope.Source{}}
		if got := fault.Unmarked(s.hint()); got != test.want {
			t.Errorf("%s\n got %q\nwant %q", test.msg, got, test.want)
		}
	}
}

// A name of scikit-learn is understood with and without "ml." before it.
func TestMeant(t *testing.T) {
	for name, want := range map[string]string{
		"ml.KNeighborsClassifier": "ml.KNN",
		"KNeighborsClassifier":    "ml.KNN",
		"zero_one_loss":           "ml.ErrorRate",
		"ml.KNN":                  "",
		"":                        "",
	} {
		if got := Meant(name); got != want {
			t.Errorf("Meant(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for name, want := range map[string][]string{
		"mean_squaredError": {"mean", "squared", "error"},
		"LinearSVC":         {"linear", "svc"},
		"KNNRegressor":      {"knn", "regressor"},
		"R2":                {"r2"},
	} {
		if got := words(name); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
