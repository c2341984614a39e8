package pipeline

import (
	"testing"

	"github.com/gokernel/gokernel/interp/magic"
)

// gradedMagics lists the magics that a submission may contain.
var gradedMagics = []string{"time", "timeit", "prun", "jit", "test", "who", "warn", "history", "args", "main", "session", "reset", "cd",
	"env", "get", "mod", "load", "save", "writefile", "sql", "capture", "javascript", "html", "markdown", "latex", "svg", "fmt", "doc", "help", "lsmagic"}

// TestMagicsOfSubmissions fails for a magic for which nobody has decided whether graded homework
// may contain it.
func TestMagicsOfSubmissions(t *testing.T) {
	decided := map[string]bool{"package": true} // refuseMagics refuses it with a message of its own
	for _, name := range gradedMagics {
		decided[name] = true
		if ungradedMagics[name] {
			t.Errorf("%s is both in gradedMagics and in ungradedMagics", name)
		}
	}
	existing := map[string]bool{}
	for _, m := range magic.All() {
		existing[m.Name] = true
		if !decided[m.Name] && !ungradedMagics[m.Name] {
			t.Errorf("add %s to gradedMagics here, or, if it runs programs, to ungradedMagics in graded.go", m)
		}
	}
	for name := range ungradedMagics {
		decided[name] = true
	}
	for name := range decided {
		if !existing[name] {
			t.Errorf("there is no magic named %s", name)
		}
	}
}
