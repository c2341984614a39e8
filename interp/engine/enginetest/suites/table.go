package suites

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Find returns the folder of a module. If the suite has no version, Find uses the version that the
// running module requires. Otherwise it finds the module in the module cache, and downloads it if
// necessary.
func Find(s Suite) (string, error) {
	args := []string{"list", "-m", "-json", s.Module}
	cmd := exec.Command("go", args...)
	if s.Version != "" {
		cmd = exec.Command("go", "mod", "download", "-json", s.Module+"@"+s.Version)
		cmd.Dir = os.TempDir()
		cmd.Env = append(cmd.Environ(), "GOWORK=off", "GOFLAGS=")
	}
	out, err := cmd.Output()
	var m struct{ Dir, Error string }
	if e := json.Unmarshal(out, &m); err == nil {
		err = e
	}
	if err != nil || m.Dir == "" {
		return "", fmt.Errorf("there is no module %s@%s: %v %s", s.Module, s.Version, err, m.Error)
	}
	return m.Dir, nil
}

// Table is a table of results.
type Table struct {
	// NotApplicable lists the reasons for tests that fail because they depend on behavior that the
	// specification leaves to the compiler. The table counts such tests separately.
	NotApplicable []string

	rows, reasons strings.Builder
}

// notApplicable is the column and the verdict of such tests.
const notApplicable = "not applicable"

// Add adds the outcomes of a suite, and returns its row. known maps "package Test", or a package
// for all of its tests, to the reason for the failure.
func (t *Table) Add(s Suite, outcomes []Outcome, known map[string]string) string {
	n := map[string]int{}
	type group struct{ path, verdict, reason string }
	tests := map[group][]string{}
	var order []group
	for _, o := range outcomes {
		verdict, reason := string(o.Verdict), Reason(o, known)
		if o.Verdict != Right && slices.Contains(t.NotApplicable, reason) {
			verdict = notApplicable
		}
		n[verdict]++
		if o.Verdict == Right {
			continue
		}
		g := group{o.Package, verdict, reason}
		if tests[g] == nil {
			order = append(order, g)
		}
		tests[g] = append(tests[g], o.Test)
	}
	version := s.Version
	if s.Short {
		version += ", short"
	}
	count := func(v Verdict) int { return n[string(v)] }
	row := fmt.Sprintf("| %s %s | %d | %d | %d | %d | %d | %d |\n", s.Module, version, len(outcomes)-count(Left),
		count(Right), n[notApplicable], count(Refused), count(Wrong), count(Timeout)+count(Crash))
	t.rows.WriteString(row)
	for _, g := range order {
		names := strings.Join(tests[g], ", ")
		if len(tests[g]) > 4 {
			names = fmt.Sprintf("%s and %d more", strings.Join(tests[g][:3], ", "), len(tests[g])-3)
		}
		fmt.Fprintf(&t.reasons, "| %s | %s | %s | %s |\n", g.path, names, g.verdict, strings.ReplaceAll(g.reason, "|", "\\|"))
	}
	return row
}

// Reason is the reason why a test fails.
func Reason(o Outcome, known map[string]string) string {
	for _, key := range []string{o.Package + " " + o.Test, o.Package} {
		if r := known[key]; r != "" {
			return r
		}
	}
	return o.Detail
}

func (t *Table) String() string {
	return "| module | tests | right | not applicable | refused | wrong | timeout, crash |\n|---|---|---|---|---|---|---|\n" + t.rows.String() +
		"\n| package | tests | | why |\n|---|---|---|---|\n" + t.reasons.String()
}
