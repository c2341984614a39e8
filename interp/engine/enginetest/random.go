package enginetest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine/enginetest/progen"
)

var (
	randomFlag = flag.Int("random", 2, "how many random programs to run")
	seedFlag   = flag.Uint64("seed", 1, "seed of the first random or generated program")
)

// RandomPrograms is a run of programs made up by chance, which must print what
// they print when compiled. The programs have loops, small functions, methods,
// closures, structs, matrices and panics in the middle of them, in all mixtures.
type RandomPrograms struct{}

// Run makes and runs as many programs as the flag -random says.
func (RandomPrograms) Run(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles each program")
	}
	for seed := *seedFlag; seed < *seedFlag+uint64(*randomFlag); seed++ {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "main.go")
			src := progen.Hot(seed)
			if err := os.WriteFile(file, src, 0o666); err != nil {
				t.Fatal(err)
			}
			want, err := compiledRun(dir, file)
			if err != nil {
				t.Fatalf("the program is no good: %v", err)
			}
			e, err := start(file, dir, time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			if v, detail := e.judge(want, 0); v != right {
				kept := filepath.Join(os.TempDir(), fmt.Sprintf("random%d.go", seed))
				if err := os.WriteFile(kept, src, 0o666); err != nil {
					t.Error(err)
				}
				t.Errorf("%s: %s: %s", kept, v, detail)
			}
		})
	}
}
