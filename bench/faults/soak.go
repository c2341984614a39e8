//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// soak is a long session of two frontends and a slow subscriber. The log holds one JSON value per
// line: what was run, the samples, and the end.
type soak struct {
	k     *process
	log   *json.Encoder
	pause time.Duration // between two cells of a frontend, on average
	share float64       // the maximum fraction of a core that all processes may use together
	began time.Time
	end   time.Time
	pid   int // of the evaluator

	mu     sync.Mutex
	now    sample
	failed []string

	slow struct{ messages, reconnects atomic.Int64 }
}

// soakStart is the first line of the log.
type soakStart struct {
	Began    time.Time
	For      time.Duration
	Cores    int
	Go, Arch string
	Program  string
	Pause    time.Duration
	Share    float64
}

// sample is the state of the session at some moment, and what has happened since the previous one.
type sample struct {
	After             time.Duration
	KernelRSS         float64 // MiB, like the next three
	KernelPSS         float64
	EvaluatorRSS      float64
	EvaluatorPSS      float64
	KernelFiles       int
	EvaluatorFiles    int
	KernelThreads     int
	EvaluatorThreads  int
	Goroutines        int     // of the evaluator
	Heap              float64 // in use by the evaluator after a collection, MiB
	CPU               float64 // seconds of all processes
	Load              float64
	Cells, Types      int // since the start
	Slow, Reconnects  int64
	Took              map[string][]float64 // milliseconds by group of cells
	Account           [5]int               // requests, replies lost, replies doubled, idle missing, idle not last
	Evaluator         int                  // its process
	Failed            []string
	Finished, Correct bool
}

// soakCell is a kind of cell. %d becomes a different number each time.
type soakCell struct {
	group, code string
	weight      int
	types       int    // declared by the cell
	want        string // the name of the error, "" for none
	interrupt   bool
}

const (
	declares = "declares types"
	errs     = "fails"
	stops    = "is interrupted"
	computes = "computes and shows"
	packages = "uses packages"
	asks     = "completion and help"
)

// ownerCells are run by the frontend that has started the kernel.
var ownerCells = []soakCell{
	{group: declares, types: 1, weight: 4, code: declaring},
	{group: declares, types: 1, weight: 4, code: "type sample struct {\n\tLabel string\n\tValue%[1]d float64\n}\n\nfunc (s sample) Total() float64 { return s.Value%[1]d + %[1]d }\n\nshelf = append(shelf, sample{\"s\", 1})\nif len(shelf) > 5 {\n\tshelf = shelf[1:]\n}\nsample{\"t\", 2}.Total()"},
	{group: declares, types: 3, weight: 2, code: "type shape interface{ Area() float64 }\n\ntype square struct{ Side, Tilt%[1]d float64 }\n\ntype circle struct{ Radius float64; Turn%[1]d int }\n\nfunc (s square) Area() float64 { return s.Side * s.Side }\n\nfunc (c *circle) Area() float64 { return 3 * c.Radius * c.Radius }\n\nshapes := []shape{square{2, 0}, &circle{1, 0}}\nshapes[0].Area() + shapes[1].Area()"},
	{group: declares, types: 1, weight: 2, code: "type stack[T any] struct{ items []T; used%[1]d int }\n\nfunc (s *stack[T]) Push(x T) { s.items = append(s.items, x) }\n\nwords, sizes := &stack[string]{}, &stack[int]{}\nwords.Push(\"a\")\nsizes.Push(%[1]d)\nlen(words.items) + len(sizes.items)"},
	{group: declares, types: 1, weight: 2, code: "import \"encoding/json\"\n\ntype record struct{ Name string; Age%[1]d int }\n\nvar one record\ntext, err := json.Marshal(record{\"Ada\", %[1]d})\nif err == nil {\n\terr = json.Unmarshal(text, &one)\n}\nfmt.Println(string(text), err, one.Age%[1]d)"},
	{group: declares, types: 1, weight: 1, code: "type ticker struct{ C chan int; N%[1]d int }\n\nfunc (t *ticker) run() {\n\tfor n := range 20 {\n\t\tt.C <- n\n\t}\n\tclose(t.C)\n}\n\nt := &ticker{C: make(chan int)}\ngo t.run()\nfor n := range t.C {\n\t_ = n\n}"},
	{group: computes, weight: 3, code: "func step(n int) int { return n*n + %d }\nstep(3)"},
	{group: computes, weight: 3, code: "total := 0\nfor i := range 1000 {\n\ttotal += i %% (%d + 1)\n}\ntotal"},
	{group: packages, weight: 4, code: "import \"./stock\"\nstock.Value(%d)"},
	{group: packages, weight: 1, code: "%%test ./stock"},
	{group: packages, weight: 2, code: "import (\n\t\"regexp\"\n\t\"text/template\"\n)\n\nt := template.Must(template.New(\"n\").Parse(\"{{.}}-%d\"))\nvar b strings.Builder\nt.Execute(&b, \"n\")\nregexp.MustCompile(`\\d+`).FindString(b.String())"},
	{group: errs, weight: 2, want: "compile error", code: "undefined%d + 1"},
	{group: errs, weight: 2, want: "panic", code: "some := []int{1, 2}\nsome[%d+2]"},
	{group: errs, weight: 1, want: "panic", code: "var none *struct{ X int }\nnone.X = %d"},
	{group: errs, weight: 1, want: "exit", code: "fmt.Println(%d)\nos.Exit(3)"},
	{group: errs, weight: 1, want: "panic", code: "done := make(chan int)\ngo func() { panic(%d) }()\n<-done"},
	{group: stops, weight: 1, want: "interrupted", interrupt: true, code: "fmt.Println(%d)\nfor {\n}"},
	{group: stops, weight: 1, want: "interrupted", interrupt: true, code: "for range 20 {\n\tgo func() {\n\t\tfor {\n\t\t}\n\t}()\n}\nfmt.Println(%d)\nselect {}"},
	{group: stops, weight: 1, want: "interrupted", interrupt: true, code: "type waiting struct{ N%[1]d int }\n\nfunc (w waiting) wait() { time.Sleep(time.Hour) }\n\nfmt.Println(%[1]d)\nwaiting{}.wait()", types: 1},
}

// secondCells are run by the second frontend.
var secondCells = []soakCell{
	{group: computes, weight: 3, code: "Plot([]float64{1, 4, %[1]d, 16}).Title(\"run %[1]d\")"},
	{group: computes, weight: 2, code: "model := &ml.LinearRegression{}\nmodel.Fit(ml.Rows([][]float64{{0}, {1}, {2}, {%d}}), []float64{1, 3, 5, 7})\nmodel.Coef"},
	{group: computes, weight: 2, code: "Table([][]int{{1, %d}, {3, 4}})"},
	{group: computes, weight: 2, code: "for i := range 50 {\n\tfmt.Println(i, %d)\n}"},
	{group: computes, weight: 2, code: "ages := map[string]int{\"Ada\": %d, \"Alan\": 41}\nages[\"Ada\"]"},
	{group: computes, weight: 1, code: "!echo %d"},
	{group: declares, types: 1, weight: 2, code: "type visit struct{ Page string; Seconds%[1]d int }\n\nvisits := map[visit]int{{\"home\", %[1]d}: 1}\nlen(visits)"},
	{group: errs, weight: 1, want: "panic", code: "map[string]int(nil)[\"x\"] = %d"},
	{group: stops, weight: 1, want: "interrupted", interrupt: true, code: "fmt.Println(%d)\ntime.Sleep(time.Hour)"},
}

// soakBegin declares what must still be there at the end.
const soakBegin = `kept := 41
shelf := []any{}
type first struct{ Name string; N int }

func (f first) String() string { return fmt.Sprint(f.Name, f.N) }

oldest := []any{first{"a", 1}, &first{"b", 2}, map[first]int{{"c", 3}: 3}}
byKey := map[any]int{first{"d", 4}: 4}`

// soakEnd returns "41 a1 b2 map[c3:3] 4" if everything is there.
const soakEnd = `fmt.Sprint(kept, " ", oldest[0], " ", oldest[1], " ", oldest[2], " ", byKey[first{"d", 4}])`

// stockFiles writes the local package, which is different each time.
func stockFiles(dir string, n int) error {
	dir = filepath.Join(dir, "stock")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	code := fmt.Sprintf("package stock\n\ntype Item struct{ Price, Tax%d int }\n\nfunc (i Item) Sum() int { return i.Price + i.Tax%[1]d }\n\nfunc Value(n int) int { return Item{n, %[1]d}.Sum() }\n", n)
	test := "package stock\n\nimport \"testing\"\n\nfunc TestValue(t *testing.T) {\n\tif Value(2)-Value(1) != 1 {\n\t\tt.Error(Value(2))\n\t}\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "stock.go"), []byte(code), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "stock_test.go"), []byte(test), 0o644)
}

// soak runs the session for d and writes the log.
func (b *bench) soak(d time.Duration, name string, pause time.Duration, share float64) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	k, c, err := b.open()
	if err != nil {
		return err
	}
	defer os.RemoveAll(k.dir)
	defer k.stop()
	defer c.close()
	s := &soak{k: k, log: json.NewEncoder(file), pause: pause, share: share, began: time.Now(), end: time.Now().Add(d), pid: k.evaluator()}
	s.now.Took = map[string][]float64{}
	if err := stockFiles(k.dir, 0); err != nil {
		return err
	}
	if x := c.cell(soakBegin); x.status != "ok" {
		return fmt.Errorf("the first cell ends with %s: %s", x.name, x.value)
	}
	if err := s.log.Encode(soakStart{s.began, d, runtime.NumCPU(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, b.program, pause, share}); err != nil {
		return err
	}
	second, err := dial(k.conn)
	if err != nil {
		return err
	}
	defer second.close()
	probe, err := dial(k.conn)
	if err != nil {
		return err
	}
	defer probe.close()
	stop := make(chan struct{})
	var front, slow sync.WaitGroup
	slow.Go(func() { s.subscriber(stop) })
	front.Go(func() { s.front(c, ownerCells, rand.New(rand.NewPCG(b.rand.Uint64(), 1))) })
	front.Go(func() { s.front(second, secondCells, rand.New(rand.NewPCG(b.rand.Uint64(), 2))) })
	every := min(30*time.Second, d/10)
	for time.Now().Before(s.end) && k.alive() {
		time.Sleep(min(every, time.Until(s.end)))
		if err := s.sample(probe, false); err != nil {
			log.Print(err)
		}
	}
	front.Wait()
	x := probe.cell(soakEnd)
	s.mu.Lock()
	s.now.Correct = x.value == `"41 a1 b2 map[c3:3] 4"`
	if !s.now.Correct {
		s.failed = append(s.failed, fmt.Sprintf("at the end the variables are %s %q", x.status, x.value))
	}
	s.mu.Unlock()
	err = s.sample(probe, true)
	close(stop)
	slow.Wait()
	if !k.alive() {
		return fmt.Errorf("the kernel has ended: %s", k.said)
	}
	if len(s.failed) > 0 {
		return fmt.Errorf("%d failures:\n%s", len(s.failed), strings.Join(s.failed, "\n"))
	}
	return err
}

// front runs cells, one after another, until the end.
func (s *soak) front(c *client, cells []soakCell, r *rand.Rand) {
	var deck []*soakCell
	for i := range cells {
		for range cells[i].weight {
			deck = append(deck, &cells[i])
		}
	}
	for n := 0; time.Now().Before(s.end) && s.k.alive(); n++ {
		s.rest(r)
		l := deck[r.IntN(len(deck))]
		code := strings.ReplaceAll(l.code, "%%", "%")
		number := strconv.Itoa(r.IntN(1 << 30))
		code = strings.ReplaceAll(strings.ReplaceAll(code, "%[1]d", number), "%d", number)
		if l.group == packages && n%5 == 0 {
			if err := stockFiles(s.k.dir, n); err != nil {
				s.fail("%v", err)
			}
		}
		x := c.start(code)
		interrupt := x
		if l.interrupt {
			if err := x.started(); err != nil {
				s.fail("%q: %v", code, err)
			}
			x.sent = time.Now() // the time from the interrupt counts
			interrupt = c.send("control", "interrupt_request", map[string]any{})
		}
		x.wait()
		interrupt.wait() // its reply may come after that of the cell
		s.count(l.group, x.took)
		if x.name != l.want {
			s.fail("%q ends with %s %q: %s, want %q", code, x.status, x.name, x.value, l.want)
		}
		if n%3 == 0 {
			at := time.Now()
			c.send("shell", "complete_request", map[string]any{"code": "strings.To", "cursor_pos": 10}).wait()
			c.send("shell", "inspect_request", map[string]any{"code": "kept", "cursor_pos": 2, "detail_level": 0}).wait()
			s.count(asks, time.Since(at)/2)
		}
		a := c.closeAll(l.interrupt)
		s.mu.Lock()
		s.now.Cells++
		s.now.Types += l.types
		for i, n := range []int{a.requests, a.lost, a.doubled, a.noIdle, a.notLast} {
			s.now.Account[i] += n
		}
		s.mu.Unlock()
	}
}

func (s *soak) count(group string, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.Took[group] = append(s.now.Took[group], float64(took.Microseconds())/1000)
}

// fail records a failure. Only the first ones are kept.
func (s *soak) fail(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.failed) < 50 {
		s.failed = append(s.failed, fmt.Sprintf("after %v: ", time.Since(s.began).Round(time.Second))+fmt.Sprintf(format, args...))
	}
}

// rest waits for the pause, and longer while the processes have used more than their share.
func (s *soak) rest(r *rand.Rand) {
	time.Sleep(time.Duration(2 * r.Float64() * float64(s.pause)))
	for time.Now().Before(s.end) && s.cpu() > s.share*time.Since(s.began).Seconds()+5 {
		time.Sleep(200 * time.Millisecond)
	}
}

// cpu returns the CPU time of all processes in seconds.
func (s *soak) cpu() float64 {
	var own syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &own) != nil {
		return 0
	}
	total := time.Duration(own.Utime.Nano() + own.Stime.Nano()).Seconds()
	for _, pid := range []int{s.k.cmd.Process.Pid, s.pid} {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(b), ") ")
		f := strings.Fields(rest)
		for i := 11; i < 15 && i < len(f); i++ { // utime, stime, cutime, cstime
			n, _ := strconv.ParseFloat(f[i], 64)
			total += n / 100 // USER_HZ
		}
	}
	return total
}

// subscriber reads what is published slowly: a message takes 40 ms, and every 300th 5 s.
func (s *soak) subscriber(stop chan struct{}) {
	for n := 0; ; {
		c, err := subscribe(s.k.conn)
		if err != nil {
			s.fail("the slow subscriber: %v", err)
			return
		}
		go func() { <-stop; c.Close() }()
		for {
			if _, err := c.Recv(); err != nil {
				break
			}
			n++
			s.slow.messages.Add(1)
			wait := 40 * time.Millisecond
			if n%300 == 0 {
				wait = 5 * time.Second
			}
			select {
			case <-stop:
				return
			case <-time.After(wait):
			}
		}
		select {
		case <-stop:
			return
		default:
			s.slow.reconnects.Add(1)
		}
	}
}

// soakHeap makes the evaluator return its number of goroutines and its heap after a collection.
const soakHeap = `runtime.GC()
state := new(runtime.MemStats)
runtime.ReadMemStats(state)
fmt.Sprint(runtime.NumGoroutine(), " ", state.HeapAlloc)`

// sample writes the state to the log.
func (s *soak) sample(c *client, last bool) error {
	x := c.cell(soakHeap)
	a := c.closeAll(false)
	kernel, evaluator := s.k.cmd.Process.Pid, s.k.evaluator()
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &s.now
	if _, err := fmt.Sscan(strings.Trim(x.value, `"`), &p.Goroutines, &p.Heap); err != nil {
		return fmt.Errorf("the probe ends with %s %q: %w", x.status, x.value, err)
	}
	p.Heap /= 1 << 20
	p.Took["probe"] = append(p.Took["probe"], float64(x.took.Microseconds())/1000)
	for i, n := range []int{a.requests, a.lost, a.doubled, a.noIdle, a.notLast} {
		p.Account[i] += n
	}
	if evaluator != s.pid {
		s.failed = append(s.failed, fmt.Sprintf("the evaluator %d was replaced by %d", s.pid, evaluator))
		s.pid = evaluator
	}
	p.After, p.Evaluator, p.CPU, p.Finished, p.Failed = time.Since(s.began), evaluator, s.cpu(), last, s.failed
	p.KernelRSS, p.KernelPSS = resident(kernel), proportional(kernel)
	p.EvaluatorRSS, p.EvaluatorPSS = resident(evaluator), proportional(evaluator)
	p.KernelFiles, p.EvaluatorFiles = entries(kernel, "fd"), entries(evaluator, "fd")
	p.KernelThreads, p.EvaluatorThreads = entries(kernel, "task"), entries(evaluator, "task")
	p.Slow, p.Reconnects = s.slow.messages.Load(), s.slow.reconnects.Load()
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		fmt.Sscan(string(b), &p.Load)
	}
	err := s.log.Encode(p)
	p.Took = map[string][]float64{}
	return err
}

// proportional returns the proportional set size of a process in MiB.
func proportional(pid int) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
			kib, _ := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
			return kib / 1024
		}
	}
	return 0
}

// entries counts the entries of a folder of a process in /proc: fd or task.
func entries(pid int, folder string) int {
	list, err := os.ReadDir(fmt.Sprintf("/proc/%d/%s", pid, folder))
	if err != nil {
		return 0
	}
	return len(list)
}
