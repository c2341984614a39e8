package interp_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp"
	"github.com/gokernel/gokernel/interp/engines"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// notebook is a session whose cells are numbered.
type notebook struct {
	*interp.Session
	tb testing.TB
	n  int
}

func open(tb testing.TB) *notebook {
	tb.Helper()
	return &notebook{Session: engineCases[0].open(tb), tb: tb}
}

// eval runs a cell and returns the text of its value.
func (n *notebook) eval(ctx context.Context, code string) (text string, out *recorder, err error) {
	n.n++
	out = &recorder{}
	res, err := n.Eval(ctx, evaluator.Cell{Code: code, Number: n.n}, out)
	if res.Value != nil {
		text, _ = res.Value.Data[display.MIMEText].(string)
	}
	return text, out, err
}

func (n *notebook) must(code string) string {
	n.tb.Helper()
	text, _, err := n.eval(context.Background(), code)
	if err != nil {
		n.tb.Fatalf("cell [%d]: %v\n%s", n.n, err, code)
	}
	return text
}

// answer is the time after which a test reports a stopped cell as stuck. It is much longer than
// stopping takes.
const answer = time.Minute

func TestInterrupt(t *testing.T) {
	for _, tt := range []struct{ name, code string }{ // the cell stays in the last line
		{"busy loop", "for { hits++ }"},
		{"empty loop", "for {}"},
		{"sleep", "time.Sleep(time.Hour)"},
		{"receive", "<-make(chan int)"},
		{"send", "make(chan int) <- 1"},
		{"select", "select {}"},
		{"mutex", "var mu sync.Mutex\nmu.Lock()\nmu.Lock()"},
		{"wait group", "var wg sync.WaitGroup\nwg.Add(1)\nwg.Wait()"},
		{"printing", "for { fmt.Println(1) }"},
		{"recovering", "for { func() { defer func() { recover() }(); for {} }() }"},
		{"goroutine", "done := make(chan bool)\ngo func() { for {} }()\n<-done"},
		{"command", "!sleep 1000"},
		{"tree of goroutines", "var f func(); f = func() { go f(); go f(); time.Sleep(time.Hour) }; f()"},
		{"range over a function", "for range func(yield func() bool) { for yield() {} } {}"},
		{"sort callback", "sort.Slice(make([]int, 1e6), func(i, j int) bool { for {}; return true })"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			line := 1 + strings.Count("\n"+tt.code, "\n") // the last one
			want := fmt.Sprintf("the cell was stopped at cell [2] line %d", line)
			var n *notebook
			// On a busy machine, the interrupt may come before the cell has reached its last line.
			for wait := 30 * time.Millisecond; ; wait *= 2 {
				n = open(t)
				n.must("hits := 0\nkept := 1")
				ctx, cancel := context.WithCancel(context.Background())
				time.AfterFunc(wait, cancel)
				start := time.Now()
				_, _, err := n.eval(ctx, "defer func() { kept = 2 }()\n"+tt.code)
				if took := time.Since(start); took > answer {
					t.Errorf("stopping took %v", took)
				}
				var failed *evaluator.Error
				if !errors.As(err, &failed) || failed.Name != "interrupted" {
					t.Fatalf("got %v, want interrupted", err)
				}
				if failed.Value == want {
					break
				}
				if wait > 5*time.Second {
					t.Fatalf("got %q, want %q", failed.Value, want)
				}
			}
			if got := n.must("kept + 1"); got != "2" && got != "3" {
				t.Errorf("the variable is %s after the interrupt", got)
			}
			if got := n.must("1 + 1"); got != "2" {
				t.Errorf("the next cell gives %s", got)
			}
		})
	}
}

func TestInterruptRunsDeferred(t *testing.T) {
	n := open(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := &onPrint{then: func(string) { cancel() }}
	_, err := n.Eval(ctx, evaluator.Cell{Code: "defer fmt.Println(\"deferred\")\nfmt.Println(\"started\")\nfor {}", Number: 1}, out)
	if got := out.stdout.String(); err == nil || got != "started\ndeferred\n" {
		t.Errorf("got %q, %v; want the deferred call to print", got, err)
	}
}

func TestNothingRunsOnAfterInterrupt(t *testing.T) {
	n := open(t)
	n.must("hits := 0")
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(30*time.Millisecond, cancel)
	if _, _, err := n.eval(ctx, "go func() { for { hits++ } }()\nfor { hits++ }"); err == nil {
		t.Fatal("the cell was not stopped")
	}
	time.Sleep(50 * time.Millisecond)
	first := n.must("hits")
	time.Sleep(20 * time.Millisecond)
	if second := n.must("hits"); first != second {
		t.Errorf("hits went on from %s to %s", first, second)
	}
}

func TestRunawayHeap(t *testing.T) {
	s, err := interp.New(interp.Options{Engine: engines.ByName[engines.Default], MemoryLimit: 256 << 20})
	if err != nil {
		t.Fatal(err)
	}
	n := &notebook{Session: s, tb: t}
	n.must("kept := 7")
	_, _, err = n.eval(context.Background(), "var all [][]byte\nfor { all = append(all, make([]byte, 1<<20)) }")
	var failed *evaluator.Error
	if !errors.As(err, &failed) || failed.Name != "out of memory" || failed.Value != "the cell asked for more than 0.25 GiB at cell [2] line 2" {
		t.Fatalf("got %v, want out of memory at line 2", err)
	}
	if got := n.must("all = nil\nkept"); got != "7" {
		t.Errorf("the variable is %s", got)
	}
}

func TestLateOutputGoesToItsCell(t *testing.T) {
	for _, tt := range []struct{ print, stdout, stderr string }{
		{`fmt.Println("late")`, "late\n", ""},
		{`fmt.Fprintln(os.Stdout, "late")`, "late\n", ""},
		{`os.Stdout.WriteString("late\n")`, "late\n", ""},
		{`json.NewEncoder(os.Stdout).Encode(1)`, "1\n", ""},
		{`log.New(os.Stdout, "own ", 0).Print("late")`, "own late\n", ""},
		{`fmt.Fprintln(os.Stderr, "late")`, "", "late\n"},
		{`println("late")`, "", "late\n"},
		{`log.Print("late")`, "", "late\n"},
		{`w := bufio.NewWriter(os.Stdout); fmt.Fprint(w, "late"); w.Flush()`, "late", ""},
	} {
		t.Run(tt.print, func(t *testing.T) {
			n := open(t)
			n.must("gate, done := make(chan int), make(chan int)")
			_, first, err := n.eval(context.Background(), "go func() {\n\t<-gate\n\t"+tt.print+"\n\tdone <- 1\n}()")
			if err != nil {
				t.Fatal(err)
			}
			_, second, err := n.eval(context.Background(), "gate <- 1\n<-done\nfmt.Println(\"mine\");")
			if err != nil {
				t.Fatal(err)
			}
			first.mu.Lock()
			defer first.mu.Unlock()
			if got := first.stdout.String(); got != tt.stdout {
				t.Errorf("the first cell's stdout has %q, want %q", got, tt.stdout)
			}
			if got := plain(first.stderr.String()); got != tt.stderr {
				t.Errorf("the first cell's stderr has %q, want %q", got, tt.stderr)
			}
			if got := second.stdout.String() + second.stderr.String(); got != "mine\n" {
				t.Errorf("the second cell has %q", got)
			}
		})
	}
}

// TestLateOutputOfAnUncountedCell has two cells with the same number: a cell that is not counted,
// and the next one. Each keeps its output.
func TestLateOutputOfAnUncountedCell(t *testing.T) {
	n := open(t)
	n.must("gate, done := make(chan int), make(chan int)")
	_, first, err := n.eval(context.Background(), "go func() {\n\t<-gate\n\tfmt.Println(\"late\")\n\tdone <- 1\n}()")
	if err != nil {
		t.Fatal(err)
	}
	n.n--
	_, second, err := n.eval(context.Background(), "gate <- 1\n<-done\nfmt.Println(\"mine\");")
	if err != nil {
		t.Fatal(err)
	}
	for out, want := range map[*recorder]string{first: "late\n", second: "mine\n"} {
		out.mu.Lock()
		if got := out.stdout.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		out.mu.Unlock()
	}
}

// TestCompletionWhileACellRuns requests completions while a cell waits.
func TestCompletionWhileACellRuns(t *testing.T) {
	s := open(t)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := s.Eval(ctx, evaluator.Cell{Code: "ready := 1\nfor {}", Number: 1}, &recorder{})
		done <- err
	}()
	for tries := 0; ; tries++ {
		c, err := s.Complete(context.Background(), "rea", 3)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Matches) > 0 && c.Matches[0].Text == "ready" {
			break
		}
		if tries == 1000 {
			t.Fatal("the name of the running cell is not among the completions")
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-done; err == nil {
		t.Error("the cell has ended by itself")
	}
}

func TestPanicOfLateGoroutine(t *testing.T) {
	n := open(t)
	_, first, err := n.eval(context.Background(), "go func() {\n\ttime.Sleep(20 * time.Millisecond)\n\tpanic(\"late\")\n}()")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := n.eval(context.Background(), "time.Sleep(100 * time.Millisecond)"); err != nil {
		t.Errorf("the panic of another cell's goroutine failed this one: %v", err)
	}
	shown := func() string {
		first.mu.Lock()
		defer first.mu.Unlock()
		return plain(first.stderr.String())
	}
	for range 1000 { // on a busy machine the goroutine may wake up late
		if shown() != "" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got := shown(); !strings.HasPrefix(got, "panic: late (in a goroutine)\ncell [1] line 3") {
		t.Errorf("its cell shows %q", got)
	}
}

// A function that a timer calls belongs to the cell that set the timer.
func TestTimersBelongToTheirCell(t *testing.T) {
	n := open(t)
	_, _, err := n.eval(context.Background(), "time.AfterFunc(time.Millisecond, func() {\n\tpanic(\"rang\")\n})\ntime.Sleep(time.Hour)")
	var failed *evaluator.Error
	if !errors.As(err, &failed) || failed.Name != "panic" || failed.Value != "rang" {
		t.Fatalf("got %v, want the panic of the timer", err)
	}
	if got := plain(strings.Join(failed.Traceback, "\n")); !strings.HasPrefix(got, "panic: rang (in a goroutine)\ncell [1] line 2, column 7") {
		t.Errorf("the cell shows %q", got)
	}
	_, late, err := n.eval(context.Background(), "gate := make(chan int)\ntime.AfterFunc(0, func() { <-gate; fmt.Print(\"mine\"); gate <- 1 });")
	if err != nil {
		t.Fatal(err)
	}
	_, next, err := n.eval(context.Background(), "gate <- 1\n<-gate;")
	if err != nil {
		t.Fatal(err)
	}
	if a, b := late.stdout.String(), next.stdout.String(); a != "mine" || b != "" {
		t.Errorf("the cell that set the timer has %q, the next one %q", a, b)
	}
}

// A panic of a handler ends the request, as in Go, and the report uses the positions of the cell.
func TestPanicsOfHandlers(t *testing.T) {
	n := open(t)
	n.must("import \"net/http/httptest\"\nfunc divide(a, b int) int {\n\treturn a / b\n}")
	const request = "\ndefer srv.Close()\n_, err := http.Get(srv.URL)\nerr != nil"
	text, out, err := n.eval(context.Background(), `srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	divide(1, len(r.URL.RawQuery))
}))`+request)
	if err != nil || text != "true" {
		t.Fatalf("got %s, %v; want that the request fails", text, err)
	}
	const want = `panic: runtime error: integer divide by zero (in an HTTP handler)
cell [1] line 3, column 11, in divide
  return a / b
           ^
called from cell [2] line 2, column 8, in func literal in the cell
  divide(1, len(r.URL.RawQuery))
        ^
  hint: check that the divisor is not 0 first
`
	if got := plain(out.stderr.String()); got != want {
		t.Errorf("the cell shows %q, want %q", got, want)
	}
	// A server with its own log writes there.
	text, out, err = n.eval(context.Background(), `var logged strings.Builder
srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	divide(1, len(r.URL.RawQuery))
}))
srv.Config.ErrorLog = log.New(&logged, "", 0)
srv.Start()
_, err := http.Get(srv.URL)
srv.Close()
_, place, _ := strings.Cut(logged.String(), ": runtime")
place`)
	if err != nil || out.stderr.String() != "" {
		t.Errorf("the cell shows %q and ends with %v", out.stderr.String(), err)
	}
	if want := "` error: integer divide by zero\n\tcell [1]:3\n\tcell [3]:3\n`"; text != want {
		t.Errorf("the log has %s, want %s", text, want)
	}
}

func TestQuestionsWhileACellRuns(t *testing.T) {
	n := open(t)
	n.must("visible := 1")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, _, err := n.eval(ctx, "for {}")
		done <- err
	}()
	time.Sleep(20 * time.Millisecond)
	c, err := n.Complete(context.Background(), "visi", 4)
	if err != nil || len(c.Matches) != 1 || c.Matches[0].Text != "visible" {
		t.Errorf("got %v, %v", c, err)
	}
	if _, ok, err := n.Inspect(context.Background(), "strings.Cut", 11, 0); !ok || err != nil {
		t.Errorf("inspect: %v, %v", ok, err)
	}
	if got := n.IsComplete("for {").Status; got != "incomplete" {
		t.Errorf("is_complete: %s", got)
	}
	cancel()
	<-done
}

// The garbage collector frees values that a cell has shown when nothing else refers to them.
func TestShownValuesAreReleased(t *testing.T) {
	n := open(t)
	n.must(`gone := make(chan int, 1)
func object() *[1 << 20]byte {
	p := new([1 << 20]byte)
	runtime.SetFinalizer(p, func(*[1 << 20]byte) { gone <- 1 })
	return p
}`)
	n.must("object()")
	if got := n.must("freed := false\nruntime.GC()\nselect {\ncase <-gone:\n\tfreed = true\ncase <-time.After(5 * time.Second):\n}\nfreed"); got != "true" {
		t.Error("a value that was shown is still held")
	}
}

func TestSilentCellsShowNothing(t *testing.T) {
	n := open(t)
	res, err := n.Eval(context.Background(), evaluator.Cell{Code: "1 + 1", Number: 1, Silent: true}, &recorder{})
	if err != nil || res.Value != nil {
		t.Errorf("got %v, %v", res, err)
	}
}

func TestFitUsesTheCellsContext(t *testing.T) {
	n := open(t)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(30*time.Millisecond, cancel)
	start := time.Now()
	// The library's own loop polls the context of the session.
	_, _, err := n.eval(ctx, `import "github.com/gokernel/gokernel/mlstd/model"
var c model.Control
run := c.Begin("test", 0)
for run.Step(1, 0) == nil {
	time.Sleep(time.Millisecond)
}
fmt.Println("stopped")`)
	if err == nil || time.Since(start) > answer {
		t.Errorf("got %v after %v", err, time.Since(start))
	}
}

func BenchmarkTrivialCell(b *testing.B) {
	n := open(b)
	n.must("x := 1")
	for b.Loop() {
		n.must("x + 1")
	}
}

func BenchmarkDifferentCell(b *testing.B) {
	n := open(b)
	n.must("x := 1")
	i := 0
	for b.Loop() {
		i++
		n.must(fmt.Sprintf("x + %d", i))
	}
}

func BenchmarkTypeWithThreeMethods(b *testing.B) {
	n := open(b)
	i := 0
	for b.Loop() {
		i++
		n.must(fmt.Sprintf(`type T%[1]d struct{ A, B int }
func (t T%[1]d) Sum() int { return t.A + t.B }
func (t *T%[1]d) Inc() { t.A++ }
func (t T%[1]d) String() string { return fmt.Sprint(t.A) }
T%[1]d{1, 2}.Sum()`, i))
	}
}

// BenchmarkVectorUpdate runs w += eta*y*x on vectors of 10,000 elements, and the equivalent loop of
// a compiled program.
func BenchmarkVectorUpdate(b *testing.B) {
	const size, rounds = 10000, 100
	b.Run("cell", func(b *testing.B) {
		n := open(b)
		n.must(fmt.Sprintf("w, x := make([]float64, %d), make([]float64, %d)\neta, y := 0.1, 1.0", size, size))
		for b.Loop() {
			n.must(fmt.Sprintf("for range %d { w += eta*y*x }", rounds))
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rounds, "ns/update")
	})
	b.Run("compiled", func(b *testing.B) {
		w, x := make([]float64, size), make([]float64, size)
		eta, y := 0.1, 1.0
		for b.Loop() {
			for range rounds {
				s := eta * y
				for i, v := range x {
					w[i] += s * v
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rounds, "ns/update")
	})
}

// BenchmarkLongSession runs 5000 cells, each with its own declarations, and reports the latency of
// the first hundred and the last hundred.
func BenchmarkLongSession(b *testing.B) {
	const cells, part = 5000, 100
	for b.Loop() {
		n := open(b)
		n.must("var total int")
		var first, last time.Duration
		before := heap()
		for i := range cells {
			start := time.Now()
			n.must(fmt.Sprintf(`x := %d
func f%d(n int) int { return n + x }
type T%d struct{ A int }
total += f%d(1)
total`, i, i%50, i%50, i%50))
			switch {
			case i >= part && i < 2*part:
				first += time.Since(start)
			case i >= cells-part:
				last += time.Since(start)
			}
		}
		b.ReportMetric(float64(first.Microseconds())/part, "µs/first")
		b.ReportMetric(float64(last.Microseconds())/part, "µs/last")
		b.ReportMetric(float64(last)/float64(first), "last/first")
		b.ReportMetric(float64(heap()-before)/cells/1e3, "kB/cell")
	}
}

// heap returns the bytes of the heap that are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The fallback engine does not count calls, so the session monitors the stacks.
func TestRecursionOnThePortableEngine(t *testing.T) {
	s, err := interp.New(interp.Options{Engine: engines.ByName["yaegi"]})
	if err != nil {
		t.Fatal(err)
	}
	n := &notebook{Session: s, tb: t}
	n.must("kept := 7\nfunc depth(n int) int { return 1 + depth(n+1) }")
	_, _, err = n.eval(context.Background(), "depth(0)")
	var failed *evaluator.Error
	if !errors.As(err, &failed) || failed.Name != "stack overflow" {
		t.Fatalf("got %v, want a stack overflow", err)
	}
	if got := n.must("kept"); got != "7" {
		t.Errorf("the variable is %s", got)
	}
}

// The handlers of packages expvar and net/http/pprof are available once a cell has imported them.
func TestHandlersOfImports(t *testing.T) {
	n := open(t)
	n.must(`import (
	"net/http"
	"net/http/httptest"
)
func get(path string) string {
	w := httptest.NewRecorder()
	http.DefaultServeMux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return fmt.Sprint(w.Code, strings.Contains(w.Body.String(), "\"visits\": 3"))
}`)
	for _, tt := range [][2]string{
		{`get("/debug/vars")`, `"404 false"`},
		{"import \"expvar\"\nexpvar.NewInt(\"visits\").Add(3)\nget(\"/debug/vars\")", `"200 true"`},
		{`get("/debug/pprof/cmdline")`, `"404 false"`},
		{"import _ \"net/http/pprof\"\nget(\"/debug/pprof/cmdline\")", `"200 false"`},
	} {
		if got := n.must(tt[0]); got != tt[1] {
			t.Errorf("%s: got %s, want %s", tt[0], got, tt[1])
		}
	}
}

// BenchmarkWaitingGoroutines measures goroutines that wait for one channel, and closing it.
func BenchmarkWaitingGoroutines(b *testing.B) {
	for _, n := range []int{2500, 5000, 10000, 20000, 30000, 40000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := open(b)
			for b.Loop() {
				s.must(fmt.Sprintf(`var all sync.WaitGroup
gate := make(chan int)
for range %d {
	all.Add(1)
	go func() { defer all.Done(); <-gate }()
}
close(gate)
all.Wait()`, n))
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/goroutine")
		})
	}
}
