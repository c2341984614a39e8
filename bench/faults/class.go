//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"
)

// work is the result of frontends that work as a class does.
type work struct {
	spent   time.Duration
	fronts  int
	cells   int
	account account
	slices  []slice
	failed  []string
}

// slice is the measurement of one period.
type slice struct {
	until             time.Duration
	cells             int // total up to then
	took              []time.Duration
	kernel, evaluator float64
}

// fronts is the number of frontends that share one kernel.
const fronts = 3

// lesson contains the cells of a class and their expected results. %d is replaced by a different
// number each time.
var lesson = []struct{ code, want string }{
	{"x := %d\nx * 2", "ok"},
	{"sum := 0\nfor i := range %d {\n\tsum += i\n}\nsum", "ok"},
	{"fmt.Println(%d, strings.ToUpper(\"gopher\"))", "ok"},
	{"func square(n int) int { return n * n }\nsquare(%d)", "ok"},
	{"type point struct{ X, Y int }\npoint{%d, 2}", "ok"},
	{"values := []float64{1, 2, %d}\nvalues", "ok"},
	{"ages := map[string]int{\"Ada\": %d, \"Alan\": 41}\nages[\"Ada\"]", "ok"},
	{"Plot([]float64{1, 4, %d})", "ok"},
	{"model := ml.Perceptron{}\n_ = model.Fit([][]float64{{0, 1}, {1, 0}, {1, %d}}, []int{0, 1, 1})\nmodel.Predict([]float64{1, 0})", ""},
	{"words := strings.Fields(\"to be or not to be %d\")\nlen(words)", "ok"},
	{"undefined%d", "compile error"},
	{"a := []int{1, 2}\na[%d+2]", "panic"},
	{"for i := range 50 {\n\tfmt.Println(i, %d)\n}", "ok"},
	{"ch := make(chan int, 1)\ngo func() { ch <- %d }()\n<-ch", "ok"},
	{"Table([][]int{{1, %d}, {3, 4}})", "ok"},
}

// class lets frontends work for a while.
func (b *bench) class(d time.Duration) (*work, error) {
	k, c, err := b.open()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(k.dir)
	defer k.stop()
	defer c.close()
	w := &work{spent: d, fronts: fronts}
	var (
		mu   sync.Mutex
		took []time.Duration
		wg   sync.WaitGroup
	)
	end := time.Now().Add(d)
	for i := range fronts {
		front := c
		if i > 0 {
			if front, err = dial(k.conn); err != nil {
				return nil, err
			}
			defer front.close()
		}
		r := rand.New(rand.NewPCG(b.rand.Uint64(), uint64(i)))
		wg.Go(func() {
			for n := 0; time.Now().Before(end) && k.alive(); n++ {
				l := lesson[r.IntN(len(lesson))]
				x := front.cell(strings.ReplaceAll(l.code, "%d", fmt.Sprint(1+r.IntN(100))))
				if n%7 == 0 {
					front.send("shell", "complete_request", map[string]any{"code": "strings.To", "cursor_pos": 10}).wait()
					front.send("shell", "inspect_request", map[string]any{"code": "strings.ToUpper", "cursor_pos": 12, "detail_level": 0}).wait()
				}
				a := front.closeAll(false)
				mu.Lock()
				took = append(took, x.took)
				w.cells++
				w.account.add(a)
				if got := x.name; l.want != "" && (x.status == "ok") != (l.want == "ok") && len(w.failed) < 20 {
					w.failed = append(w.failed, fmt.Sprintf("%q ends with %s %q: %s, want %s", l.code, x.status, got, x.value, l.want))
				}
				mu.Unlock()
			}
		})
	}
	began := time.Now()
	part := max(d/12, 5*time.Second)
	for time.Now().Before(end) {
		time.Sleep(min(part, time.Until(end)))
		mu.Lock()
		w.slices = append(w.slices, slice{time.Since(began), w.cells, took, resident(k.cmd.Process.Pid), resident(k.evaluator())})
		took = nil
		mu.Unlock()
	}
	wg.Wait()
	if !k.alive() {
		return w, fmt.Errorf("the kernel has ended: %s", k.said)
	}
	return w, nil
}

func (w *work) clean() bool { return w.account.clean() && len(w.failed) == 0 }

func (w *work) tell() {
	fmt.Print(w.table())
	for _, f := range w.failed {
		fmt.Println("      ", f)
	}
}

// table returns the part of the report about the class.
func (w *work) table() string {
	var b strings.Builder
	a := w.account
	fmt.Fprintf(&b, "\n### A simulated class\n\n%d frontends used one kernel for %v and ran one cell after another without a pause: %d cells, %d requests. Of the replies, %d were lost and %d doubled; of the idle messages, %d were missing and %d were not last.\n\n",
		w.fronts, w.spent, w.cells, a.requests, a.lost, a.doubled, a.noIdle, a.notLast)
	b.WriteString("| after | cells | p50, ms | p99, ms | kernel, MiB | evaluator, MiB |\n|---:|---:|---:|---:|---:|---:|\n")
	for _, s := range w.slices {
		fmt.Fprintf(&b, "| %v | %d | %s | %s | %s | %s |\n", s.until.Round(time.Second), s.cells, ms(quantile(s.took, 0.5)), ms(quantile(s.took, 0.99)), mib(s.kernel), mib(s.evaluator))
	}
	return b.String()
}
