package modeltest_test

import (
	"regexp"
	"strings"
	"testing"
)

// correctionForm matches the id of a mistake in the lecture notes or, for a mistake without an id,
// its line.
var correctionForm = regexp.MustCompile(`^(E[0-4]-\d\d|\d{3}:L\d+)$`)

// placeForm matches the position of a mistake: the notes and the lines.
var placeForm = regexp.MustCompile(`^00[0-4]:L\d+(-\d+)?((, | vs | \(cf\. )L\d+(-\d+)?)*\)?$`)

// Every listed mistake of the lecture notes is corrected in a symbol of the library and guarded by
// a test in a file that names the mistake.
func TestCorrections(t *testing.T) {
	packages := make(map[string]*family)
	for _, f := range families(t) {
		packages[f.name] = f
	}
	seen := make(map[string]bool)
	for i, line := range strings.Split(strings.TrimRight(readFile(t, "../../testdata/corrections.tsv"), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 6 {
			t.Fatalf("corrections.tsv line %d has %d fields, want 6 separated by tabs", i+1, len(f))
		}
		if i == 0 {
			continue
		}
		id := f[0]
		if !correctionForm.MatchString(id) || seen[id] || !placeForm.MatchString(f[1]) || f[2] == "" || f[3] == "" || f[4] == "" || f[5] == "" {
			t.Errorf("%q: an id must have the form E0-01, occur once, and have its lines, what the notes say, what is right, a symbol and a test", id)
		}
		seen[id] = true
		for _, symbol := range list(f[4]) {
			pkg, name, _ := strings.Cut(symbol, ".")
			if p := packages[pkg]; p == nil || !p.symbols[name] {
				t.Errorf("%s: there is no symbol %s", id, symbol)
			}
		}
		for _, test := range list(f[5]) {
			pkg, name, _ := strings.Cut(test, ".")
			p := packages[pkg]
			if p == nil || p.testFiles[name] == "" {
				t.Errorf("%s: there is no test %s", id, test)
			} else if strings.HasPrefix(id, "E") && !strings.Contains(p.testFiles[name], id) {
				t.Errorf("%s: the file of %s does not name it", id, test)
			}
		}
	}
	if len(seen) < 204 {
		t.Errorf("only %d mistakes are listed", len(seen))
	}
}
