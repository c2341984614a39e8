package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/bench/internal/gocell"
	"github.com/gokernel/gokernel/interp/engine"
)

// cost is time or memory that the default engine needs before any cell has done work.
type cost struct {
	name, unit string
	most       float64 // the limit
	measure    func() (float64, error)
}

// costs are the rows of the table. Each is measured in its own process.
var costs = []cost{
	{"start", "ms", 3, func() (float64, error) {
		return timed(func() error { _, err := gocell.New("ssa", engine.Hooks{}); return err })
	}},
	{"first import of fmt", "ms", 3, importing("fmt", "fmt.Sprint(1)")},
	{"first import of net/http", "ms", 8, importing("net/http", `http.StatusText(404)`)},
	{"heap for a declared type", "kB", 40, declaring},
}

// timed returns the duration of f in milliseconds.
func timed(f func() error) (float64, error) {
	start := time.Now()
	err := f()
	return ms(time.Since(start)), err
}

// importing measures a cell that imports a package and calls one of its functions: check, compile
// and run. The cell before it has imported nothing.
func importing(path, call string) func() (float64, error) {
	return func() (float64, error) {
		s, err := gocell.New("ssa", engine.Hooks{})
		if err != nil {
			return 0, err
		}
		if err := s.Run("package main\nvar x = 1\nfunc main() { x++ }"); err != nil {
			return 0, err
		}
		return timed(func() error {
			return s.Run(fmt.Sprintf("package main\nimport %q\nfunc main() { _ = %s }", path, call))
		})
	}
}

// declaring measures how much heap, in kB, remains in use after a cell that declares a struct
// type with a method, stores a value of it in an interface and calls the method.
func declaring() (float64, error) {
	const warm, cells = 20, 200
	s, err := gocell.New("ssa", engine.Hooks{})
	if err != nil {
		return 0, err
	}
	var before float64
	for i := range warm + cells {
		if i == warm {
			before = heap()
		}
		err := s.Run(fmt.Sprintf(`package main
import "fmt"
type T%[1]d struct { Name string; Size float64; next *T%[1]d }
func (t *T%[1]d) String() string { return t.Name }
func make%[1]d(name string) *T%[1]d { return &T%[1]d{Name: name} }
func main() { _ = fmt.Sprint(make%[1]d("x")) }`, i))
		if err != nil {
			return 0, err
		}
	}
	used := heap() - before
	runtime.KeepAlive(s)
	return used / 1e3 / cells, nil
}

// heap returns the bytes in use on the heap.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// measureCost measures the named cost in this process.
func measureCost(name string) (float64, error) {
	for _, c := range costs {
		if c.name == name {
			return c.measure()
		}
	}
	return 0, fmt.Errorf("unknown cost %q", name)
}

// costTable writes the minimum of several measurements of each cost.
func costTable(b *bytes.Buffer, rounds int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	b.WriteString("\n| cost of the ssa engine | minimum | limit |\n|---|---:|---:|\n")
	for _, c := range costs {
		var least float64
		for round := range rounds {
			out, err := exec.Command(self, "-cost", c.name).Output()
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			v, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
			if err != nil {
				return err
			}
			if round == 0 || v < least {
				least = v
			}
		}
		fmt.Fprintf(b, "| %s | %.2f %s | %g %s |\n", c.name, least, c.unit, c.most, c.unit)
	}
	return nil
}
