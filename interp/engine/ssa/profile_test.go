package ssa_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
)

// profiled runs a cell and returns its profile.
func profiled(t *testing.T, s *session, src string) *engine.Profile {
	t.Helper()
	end, err := s.e.Profile()
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.run(t.Context(), src)
	p := end()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// within returns the fraction of the time in samples for which ok returns true.
func within(p *engine.Profile, ok func(s engine.Sample) bool) float64 {
	sum := time.Duration(0)
	for _, s := range p.Samples {
		if ok(s) {
			sum += s.Time
		}
	}
	return float64(sum) / float64(max(p.CPU(), 1))
}

// self returns the fraction of the time that a function takes without its callees.
func self(p *engine.Profile, symbol string) float64 {
	return within(p, func(s engine.Sample) bool { return s.Calls[0].Symbol == symbol })
}

// total returns the fraction of the time that a function takes with its callees.
func total(p *engine.Profile, symbol string) float64 {
	return within(p, func(s engine.Sample) bool {
		for _, c := range s.Calls {
			if c.Symbol == symbol {
				return true
			}
		}
		return false
	})
}

// mostly is the minimum fraction of the samples that the tests require at the place at which a
// program spends 90 % of its time. The rest allows for compilation, garbage collection, other load
// and chance.
const mostly = 0.25

func TestProfileOfFunctionsAndLines(t *testing.T) {
	p := profiled(t, newSession(t, engine.Hooks{}), `
func slow(n int) (x float64) {
	for i := 0; i < n; i++ {
		x += float64(i%7) * 0.5
		x -= float64(i%5) / 3
	}
	return x
}
type T struct{ sum float64 }
func (t *T) add(n int) { t.sum += slow(9 * n); t.sum += slow(n) }
func main() {
	var t T
	func() {
		for range 100 { t.add(20000) }
	}()
}`)
	for symbol, least := range map[string]float64{"main.slow": mostly, "main.(*T).add": mostly, "main.main.func1": mostly, "main.main": mostly} {
		if got := total(p, symbol); got < least {
			t.Errorf("%s has %.2f of the time, want at least %.2f", symbol, got, least)
		}
	}
	if got := self(p, "main.slow"); got < mostly {
		t.Errorf("slow itself has %.2f of the time", got)
	}
	loop := within(p, func(s engine.Sample) bool {
		return s.Calls[0].Pos.Line >= 3 && s.Calls[0].Pos.Line <= 5 && s.Calls[0].Pos.Filename == "cell [1]"
	})
	if loop < mostly {
		t.Errorf("the lines of the loop have %.2f of the time", loop)
	}
	header := within(p, func(s engine.Sample) bool { return s.Calls[0].Pos.Line == 3 })
	if header <= 0 || header > 0.7 {
		t.Errorf("the loop's line has %.2f of the time", header)
	}
	for _, s := range p.Samples {
		for _, c := range s.Calls {
			if strings.Contains(c.Symbol, "gokernel") {
				t.Errorf("%s is none of the cell's", c.Symbol)
			}
		}
	}
	if p.CPU() <= 0 || p.CPU() > 100*p.Elapsed {
		t.Errorf("%v of the processor in %v", p.CPU(), p.Elapsed)
	}
}

// Samples in a function without a loop or call are not attributed to the function that runs next.
func TestProfileOfStraightCode(t *testing.T) {
	heavy := "x := a"
	for range 120 {
		heavy += "; x = x*1.0001 + a/3 - x/7"
	}
	cell := `
func heavy(a float64) float64 { ` + heavy + `; return x }
func light(a float64) float64 { if a > 1e300 { println(a) }; return a + 1 }
func main() {
	s := 0.0
	for i := range 100000 { s += heavy(float64(i)); s += light(s) }
	if s == 1 { println(s) }
}`
	// Time during which another process has the processor does not change the fractions of the
	// functions: it counts for whichever function was running.
	var h, l float64
	for range 3 {
		p := profiled(t, newSession(t, engine.Hooks{}), cell)
		if h, l = self(p, "main.heavy"), self(p, "main.light"); h > 2*l {
			return
		}
	}
	t.Errorf("heavy has %.2f of the time, light %.2f", h, l)
}

// A compiled function appears below the line that calls it.
func TestProfileOfCompiledFunctions(t *testing.T) {
	p := profiled(t, newSession(t, engine.Hooks{}), `
import ("crypto/sha256"; "io"; "bytes")
func hash(b []byte) (n int) {
	for range 20 { h := sha256.Sum256(b); n += int(h[0]) }
	return n
}
func write(w io.Writer, b []byte) {
	w.Write(b)
}
func main() {
	b := make([]byte, 1<<20)
	for range 5 { hash(b) }
	h := sha256.New()
	for range 100 { write(h, b) }
	_ = bytes.MinRead
}`)
	for _, want := range [][2]string{{"crypto/sha256.Sum256", "main.hash"}, {"io.Writer.Write", "main.write"}} {
		got := within(p, func(s engine.Sample) bool {
			return len(s.Calls) > 1 && s.Calls[0].Symbol == want[0] && s.Calls[1].Symbol == want[1]
		})
		if got < mostly/4 {
			t.Errorf("%s in %s has %.2f of the time", want[0], want[1], got)
		}
	}
}

// Goroutines share the time, and a waiting goroutine gets none.
func TestProfileOfGoroutines(t *testing.T) {
	p := profiled(t, newSession(t, engine.Hooks{}), `
import "sync"
func spin(n int) (x int) { for i := range n { x += i % 3 }; return x }
func left(n int) { spin(n) }
func right(n int) { spin(n) }
func waits(c chan int) { <-c }
func main() {
	c := make(chan int)
	go waits(c)
	var wg sync.WaitGroup
	wg.Go(func() { left(50000000) })
	wg.Go(func() { right(50000000) })
	wg.Wait()
	c <- 1
}`)
	if l, r, w := total(p, "main.left"), total(p, "main.right"), total(p, "main.waits"); l < 0.1 || r < 0.1 || w > 0.1 {
		t.Errorf("left has %.2f of the time, right %.2f, waits %.2f", l, r, w)
	}
}

// Profiling does not change how code behaves at panics, interrupts and excessively deep recursion.
func TestProfiledCodeIsTheSame(t *testing.T) {
	s := newSession(t, engine.Hooks{MaxDepth: 1000})
	end, err := s.e.Profile()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.e.Profile(); !errors.Is(err, engine.ErrProfiled) {
		t.Errorf("two profiles at a time: %v", err)
	}
	s.want(`
func f(n int) (s string) {
	defer func() { if r := recover(); r != nil { s = "recovered" } }()
	var a []int
	return string(rune(a[n]))
}
func gen(yield func(int) bool) { for i := range 3 { if !yield(i) { return } } }
func main() {
	print(f(3), " ")
	for i := range gen { print(i) }
	select { case <-make(chan int): default: print(" default") }
}`, "recovered 012 default")
	var p *engine.Panic
	if _, err := s.run(t.Context(), `func deep(n int) int { return deep(n+1) + 1 }; func main() { deep(0) }`); !errors.As(err, &p) || p.Overflow != "deep" {
		t.Errorf("too deep: %v", err)
	}
	stopped(t, s, `func main() { for {} }`)
	stopped(t, s, `func main() { c := make(chan int); <-c }`)
	stopped(t, s, `import "time"; func main() { for i := 0; ; i++ { time.Sleep(time.Millisecond) } }`)
	end()
	stopped(t, s, `func main() { for {} }`)
	s.want(`func main() { print(f(1)) }`, "recovered")
	for range 3 {
		if end, err = s.e.Profile(); err != nil {
			t.Fatal(err)
		}
		end()
	}
}

func stopped(t *testing.T, s *session, src string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	var stop *engine.Stopped
	if _, err := s.run(ctx, src); !errors.As(err, &stop) {
		t.Errorf("%s ended with %v", src, err)
	}
}

// A profile that a cell takes with package runtime/pprof has the cell's functions.
func TestProfilesOfPackagePprof(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	file := filepath.Join(t.TempDir(), "cpu.pprof")
	s.want(`
import ("os"; "runtime/pprof"; "fmt"; "io")
func busy(n int) (x int) { for i := range n { x += i % 7 }; return x }
func main() {
	f, err := os.Create(`+strconv.Quote(file)+`)
	if err != nil { panic(err) }
	pprof.StopCPUProfile()
	fmt.Println(pprof.StartCPUProfile(f), pprof.StartCPUProfile(io.Discard))
	busy(10_000_000)
	pprof.StopCPUProfile()
	fmt.Println(f.Close())
}`, "<nil> cpu profiling already in use\n<nil>")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(z)
	if err != nil || !bytes.Contains(raw, []byte("main.busy")) || !bytes.Contains(raw, []byte("cell [1]")) || bytes.Contains(raw, []byte("machine.Loop")) {
		t.Errorf("the profile has %q, %v", raw, err)
	}
}
