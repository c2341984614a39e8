// The tests in this package span the family packages: every
// estimator is checked against the contract and documented in the fixed order,
// every item of the course has its symbol and its test.
package modeltest_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// elsewhere lists estimators to which no suite applies, each with the test that checks its contract
// and the reason.
var elsewhere = map[string]string{
	"nn.Diffusion":                  "TestDiffusion: it generates rows and predicts nothing",
	"structured.SequencePerceptron": "TestSequencePerceptronContract: it learns from sequences, not from rows",
}

// Every exported struct with Fit or FitPredict goes through the conformance
// suite in its package's tests.
func TestEveryEstimatorIsChecked(t *testing.T) {
	all := families(t)
	for _, dir := range slices.Sorted(maps.Keys(all)) {
		f := all[dir]
		for _, name := range slices.Sorted(maps.Keys(f.estimators)) {
			if test, _, ok := strings.Cut(elsewhere[f.name+"."+name], ":"); ok {
				if !f.tests[test] {
					t.Errorf("%s.%s: there is no test %s", f.name, name, test)
				}
				continue
			}
			if !f.covered[name] {
				t.Errorf("%s.%s: no test gives it to a suite of modeltest; call modeltest.Classifier (Regressor, Transformer, Embedder, Clusterer, Detector) with a %s literal",
					f.name, name, name)
			}
		}
	}
}

var (
	courseID   = regexp.MustCompile(`\b[A-Z]+-\d\d\b`)
	citation   = regexp.MustCompile(`\[([A-Z][A-Za-z]+\d{4}[a-z]?)\]`)
	citationIn = regexp.MustCompile(`(?m)^- \[([A-Za-z]+\d{4}[a-z]?)\]`)
)

// The doc comment of an estimator has the parts of an algorithm in the fixed
// order: a sentence that begins with its name, an indented formula, the cost,
// the references and the course's ids.
func TestEstimatorDocs(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range catalogue(t) {
		ids[r.id] = true
	}
	all := families(t)
	for _, dir := range slices.Sorted(maps.Keys(all)) {
		f := all[dir]
		for _, name := range slices.Sorted(maps.Keys(f.estimators)) {
			for _, fault := range docFaults(name, f.docs[name], ids) {
				t.Errorf("%s.%s: %s", f.name, name, fault)
			}
		}
	}
}

func docFaults(name, doc string, ids map[string]bool) []string {
	var faults []string
	if !strings.HasPrefix(doc, name+" ") {
		faults = append(faults, "its doc comment does not begin with its name")
	}
	last, after := -1, "the name"
	for _, part := range []struct{ what, mark string }{
		{"an indented formula", "\n\t"}, {"Cost:", "Cost:"}, {"References:", "References:"}, {"Course:", "Course:"},
	} {
		at := strings.Index(doc, part.mark)
		switch {
		case at < 0:
			faults = append(faults, "its doc comment lacks "+part.what)
			continue
		case at < last:
			faults = append(faults, "its doc comment has "+part.what+" before "+after)
		}
		last, after = at, part.what
	}
	if _, course, ok := strings.Cut(doc, "Course:"); ok {
		found := courseID.FindAllString(course, -1)
		if len(found) == 0 {
			faults = append(faults, "Course: names no item")
		}
		for _, id := range found {
			if !ids[id] {
				faults = append(faults, "Course: names "+id+", which is not in the catalogue")
			}
		}
	}
	return faults
}

func TestDocFaults(t *testing.T) {
	ids := map[string]bool{"TREE-01": true}
	good := "A learns.\n\n\tJ = Σ\n\nCost: O(n).\n\nReferences: [X2000].\nCourse: TREE-01.\n"
	for _, tt := range []struct{ name, doc, want string }{
		{"good", good, ""},
		{"name", "This" + good, "its doc comment does not begin with its name"},
		{"formula", strings.ReplaceAll(good, "\t", ""), "its doc comment lacks an indented formula"},
		{"order", strings.Replace(strings.Replace(good, "Cost: O(n).\n\n", "", 1), "Course: TREE-01.", "Cost: O(n).\nCourse: TREE-01.", 1),
			"its doc comment has References: before Cost:"},
		{"id", strings.Replace(good, "TREE-01", "TREE-77", 1), "Course: names TREE-77, which is not in the catalogue"},
	} {
		if got := strings.Join(docFaults("A", tt.doc, ids), "; "); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Every key that a doc comment of mlstd cites is in docs/reference/references.md.
func TestReferencesExist(t *testing.T) {
	known := map[string]bool{}
	for _, m := range citationIn.FindAllStringSubmatch(readFile(t, "../../docs/reference/references.md"), -1) {
		if known[m[1]] {
			t.Errorf("docs/reference/references.md lists [%s] twice", m[1])
		}
		known[m[1]] = true
	}
	for path, text := range sources(t) {
		for _, line := range strings.Split(text, "\n") {
			if !strings.HasPrefix(strings.TrimSpace(line), "//") {
				continue
			}
			for _, m := range citation.FindAllStringSubmatch(line, -1) {
				if !known[m[1]] {
					t.Errorf("%s cites [%s], which docs/reference/references.md does not have", path, m[1])
				}
			}
		}
	}
}
