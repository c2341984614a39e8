package suites

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Find gives the folder of a module: of the version that the running module
// requires where none is given, otherwise from the module cache, into which it
// is fetched if it is not there.
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

// Table is the table of the results.
type Table struct {
	rows, reasons strings.Builder
}

// Add adds the outcomes of a suite, and gives its row.
func (t *Table) Add(s Suite, outcomes []Outcome) string {
	n := map[Verdict]int{}
	for _, o := range outcomes {
		n[o.Verdict]++
	}
	row := fmt.Sprintf("| %s %s | %d | %d | %d | %d | %d |\n", s.Module, s.Version, len(outcomes)-n[Left], n[Right], n[Refused], n[Wrong], n[Timeout]+n[Crash])
	t.rows.WriteString(row)
	return row
}
