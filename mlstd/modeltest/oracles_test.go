package modeltest_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// leastDataSets is the minimum number of data sets in a comparison with another library.
const leastDataSets = 5

// oracleRow is one row of docs/explanation/oracles.md.
type oracleRow struct {
	family, symbol, oracle, script, sets, what, test string
}

var oracleSymbol = regexp.MustCompile("^`([A-Za-z0-9.]+)`$")

// oracleRows reads the tables of docs/explanation/oracles.md: one section per family, one row per
// symbol.
func oracleRows(t *testing.T) []oracleRow {
	t.Helper()
	var rows []oracleRow
	family := ""
	for i, line := range strings.Split(readFile(t, "../../docs/explanation/oracles.md"), "\n") {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			family = name
		}
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| Symbol |") {
			continue
		}
		f := strings.Split(strings.Trim(line, "|"), "|")
		for j := range f {
			f[j] = strings.TrimSpace(f[j])
		}
		if len(f) != 6 || !oracleSymbol.MatchString(f[0]) {
			t.Fatalf("docs/explanation/oracles.md line %d: want | `Symbol` | oracle | script | data sets | compared | test |, got %s", i+1, line)
		}
		rows = append(rows, oracleRow{family, oracleSymbol.FindStringSubmatch(f[0])[1], f[1], f[2], f[3], f[4], f[5]})
	}
	return rows
}

// needsOracle returns the symbols of a family that must have a row: estimators,
// other learners, splitters, and in eval every function, because those are the
// metrics and tests.
func needsOracle(f *family) []string {
	names := slices.Concat(slices.Collect(maps.Keys(f.estimators)), slices.Collect(maps.Keys(f.learners)))
	if f.name == "eval" {
		names = append(names, slices.Collect(maps.Keys(f.functions))...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Every estimator is compared with another implementation on at least five data
// sets, or the table says that there is none and what is checked instead.
func TestOracles(t *testing.T) {
	packages := make(map[string]*family)
	for _, f := range families(t) {
		packages[f.name] = f
	}
	listed := make(map[string]bool)
	for _, r := range oracleRows(t) {
		at := r.family + "." + r.symbol
		f := packages[r.family]
		if f == nil || !f.symbols[r.symbol] {
			t.Errorf("docs/explanation/oracles.md: there is no symbol %s", at)
			continue
		}
		if listed[at] {
			t.Errorf("docs/explanation/oracles.md lists %s twice", at)
		}
		listed[at] = true
		for _, fault := range oracleFaults(t, f, r) {
			t.Errorf("docs/explanation/oracles.md, %s: %s", at, fault)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		for _, symbol := range needsOracle(packages[name]) {
			if !listed[name+"."+symbol] {
				t.Errorf("docs/explanation/oracles.md has no row for %s.%s: name the oracle, or say why there is none and what is checked instead", name, symbol)
			}
		}
	}
}

func oracleFaults(t *testing.T, f *family, r oracleRow) []string {
	t.Helper()
	var faults []string
	if r.what == "" {
		faults = append(faults, "it does not say what is compared and how closely, or which property is checked")
	}
	if r.test == "" {
		faults = append(faults, "it names no test")
	}
	symbol := r.symbol[strings.LastIndex(r.symbol, ".")+1:]
	for _, test := range list(strings.ReplaceAll(r.test, "`", "")) {
		text, ok := f.testFiles[test]
		if !ok {
			faults = append(faults, "there is no test "+test)
		} else if !strings.Contains(text, symbol) {
			faults = append(faults, "the file of "+test+" does not mention "+symbol)
		}
	}
	reason, none := strings.CutPrefix(r.oracle, "none")
	if none {
		if r.script != "" || r.sets != "" || len(strings.TrimLeft(reason, ": ")) < 10 {
			faults = append(faults, `without an oracle write "none: " and the reason, and neither script nor data sets`)
		}
		return faults
	}
	script := filepath.Join("../../testdata/oracles", strings.Trim(r.script, "`"))
	if _, err := os.Stat(script); err != nil || !strings.HasSuffix(script, ".py") {
		return append(faults, "there is no script "+r.script)
	}
	results := readFile(t, strings.TrimSuffix(script, ".py")+".json")
	sets := list(r.sets)
	if len(sets) < leastDataSets {
		faults = append(faults, "it has fewer than five data sets")
	}
	for _, name := range sets {
		if !strings.Contains(results, `"`+name+`"`) {
			faults = append(faults, "the results do not have the data set "+name)
		}
	}
	return faults
}

func TestOracleFaults(t *testing.T) {
	f := &family{name: "tree", testFiles: map[string]string{"TestA": "tree.DecisionTree{}"}}
	good := oracleRow{"tree", "DecisionTree", "scikit-learn", "`tree.py`", "Iris, Wine, BreastCancer, Digits, Diabetes", "predictions", "`TestA`"}
	for _, tt := range []struct {
		name   string
		change func(r *oracleRow)
		want   string
	}{
		{"good", func(*oracleRow) {}, ""},
		{"four sets", func(r *oracleRow) { r.sets = "Iris, Wine, BreastCancer, Digits" }, "it has fewer than five data sets"},
		{"unknown set", func(r *oracleRow) { r.sets += ", Moon" }, "the results do not have the data set Moon"},
		{"no test", func(r *oracleRow) { r.test = "" }, "it names no test"},
		{"wrong test", func(r *oracleRow) { r.test = "`TestB`" }, "there is no test TestB"},
		{"other symbol", func(r *oracleRow) { r.symbol = "Stump" }, "the file of TestA does not mention Stump"},
		{"no script", func(r *oracleRow) { r.script = "`none.py`" }, "there is no script `none.py`"},
		{"nothing compared", func(r *oracleRow) { r.what = "" }, "it does not say what is compared and how closely, or which property is checked"},
		{"no reason", func(r *oracleRow) { r.oracle, r.script, r.sets = "none", "", "" },
			`without an oracle write "none: " and the reason, and neither script nor data sets`},
		{"a reason", func(r *oracleRow) { r.oracle, r.script, r.sets = "none: a demonstration", "", "" }, ""},
	} {
		r := good
		tt.change(&r)
		if got := strings.Join(oracleFaults(t, f, r), "; "); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
