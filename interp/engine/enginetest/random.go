package enginetest

import (
	"flag"
	"fmt"
	"iter"
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

// RandomPrograms runs randomly generated programs, which must print the same output as in compiled
// Go. The programs mix loops, small functions, methods, closures, structs, matrices and panics.
type RandomPrograms struct {
	// Source returns the program for a seed. If Source is nil, RandomPrograms uses progen.Hot.
	Source func(seed uint64) []byte
}

// RandomSeeds returns the seeds that the flags -random and -seed select.
func RandomSeeds() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for seed := *seedFlag; seed < *seedFlag+uint64(*randomFlag) && yield(seed); seed++ {
		}
	}
}

// Run generates and runs the number of programs in the flag -random.
func (r RandomPrograms) Run(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles each program")
	}
	if r.Source == nil {
		r.Source = progen.Hot
	}
	for seed := range RandomSeeds() {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "main.go")
			src := r.Source(seed)
			if err := os.WriteFile(file, src, 0o666); err != nil {
				t.Fatal(err)
			}
			want, err := compiledRun(dir, file)
			if err != nil {
				t.Fatalf("the program is not valid: %v", err)
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
