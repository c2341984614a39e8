package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engines"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// workload is code that runs until it is interrupted, with a check of what it has done by then.
type workload struct {
	name    string
	declare string
	run     string // a call that doesn't return
	check   string // an expression of type string: "" if everything holds
}

// longest is the maximum time before an interrupt.
const longest = 25 * time.Millisecond

// interrupt opens a session with the JIT forced, interrupts each workload at random moments, n
// times in total, and checks the variables after each interrupt. Then it continues from there.
func interrupt(n int, seed uint64, w io.Writer) error {
	if err := os.Setenv(engine.JITVariable, engine.JITForce.String()); err != nil {
		return err
	}
	s, err := interp.New(interp.Options{Engine: engines.ByName["ssa"]})
	if err != nil {
		return err
	}
	defer s.Close()
	b := &book{session: s, random: rand.New(rand.NewPCG(seed, 0x1))}
	for _, l := range workloads {
		if _, err := b.eval(context.Background(), l.declare); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
	}
	counts := map[string]int{}
	for range n {
		l := workloads[b.random.IntN(len(workloads))]
		if err := b.once(l); err != nil {
			return fmt.Errorf("%s, after %d interrupts: %w", l.name, counts[l.name], err)
		}
		counts[l.name]++
	}
	for _, l := range workloads {
		fmt.Fprintf(w, "%s: %d interrupts, state as expected\n", l.name, counts[l.name])
	}
	table, err := b.eval(context.Background(), "%jit")
	fmt.Fprint(w, table)
	return err
}

// book is the session with the number of its cells.
type book struct {
	session *interp.Session
	random  *rand.Rand
	cells   int
}

// once runs a workload, interrupts it and checks it.
func (b *book) once(l workload) error {
	ctx, cancel := context.WithCancel(context.Background())
	timer := time.AfterFunc(time.Duration(b.random.Int64N(int64(longest))), cancel)
	_, err := b.eval(ctx, l.run)
	timer.Stop()
	cancel()
	if err == nil || !strings.Contains(err.Error(), "interrupted") {
		return fmt.Errorf("the cell was not interrupted: %v", err)
	}
	out, err := b.eval(context.Background(), fmt.Sprintf("if problem := %s; problem != \"\" {\n\tfmt.Print(problem)\n}", l.check))
	if err == nil && out != "" {
		return fmt.Errorf("%s", out)
	}
	return err
}

// eval runs a cell and returns what it has printed and shown.
func (b *book) eval(ctx context.Context, code string) (string, error) {
	b.cells++
	out := &collected{}
	_, err := b.session.Eval(ctx, evaluator.Cell{Code: code, Number: b.cells}, out)
	return out.text.String(), err
}

// collected is the output of a cell.
type collected struct {
	mu   sync.Mutex
	text strings.Builder
}

func (c *collected) Stdout(s string) { c.mu.Lock(); defer c.mu.Unlock(); c.text.WriteString(s) }
func (c *collected) Stderr(s string) { c.Stdout(s) }
func (c *collected) Display(b display.Bundle) error {
	text, _ := b.Data[display.MIMEText].(string)
	c.Stdout(text + "\n")
	return nil
}
func (c *collected) Update(display.Bundle) error     { return nil }
func (c *collected) Page(display.Bundle) error       { return nil }
func (c *collected) Clear(bool) error                { return nil }
func (c *collected) SetNextInput(string, bool) error { return nil }
func (c *collected) Input(context.Context, string, bool) (string, error) {
	return "", io.EOF
}

// The checks of workloads allow that one statement was executed although the next one was not.
var workloads = []workload{
	{"numbers", `
var chainAt, chainSeen int
var chainX, chainWant uint64 = 1, 1
var chainRing [64]uint64

func chainNext(x uint64) uint64 { return x*6364136223846793005 + 1442695040888963407 }

func chainRun() {
	for {
		y := chainNext(chainX)
		chainRing[chainAt&63] = y
		chainX = y
		chainAt++
	}
}

func chainCheck() string {
	for ; chainSeen < chainAt; chainSeen++ {
		chainWant = chainNext(chainWant)
	}
	if chainX != chainWant && chainX != chainNext(chainWant) {
		return fmt.Sprintf("x is %d after %d steps, want %d", chainX, chainAt, chainWant)
	}
	if last := chainRing[(chainAt-1)&63]; chainAt > 0 && last != chainWant {
		return fmt.Sprintf("the ring has %d after %d steps, want %d", last, chainAt, chainWant)
	}
	chainX = chainWant
	return ""
}`, "chainRun()", "chainCheck()"},
	{"pointers", `
type listNode struct {
	next *listNode
	id   int
}

var listA, listB, listMoving *listNode
var listSeed uint32
for i := range 200 {
	listA = &listNode{listA, i}
}

func listRun() {
	for {
		listSeed = listSeed*1664525 + 1013904223
		if listSeed>>16&1 == 0 {
			if listA != nil {
				listMoving = listA
				listA = listA.next
				listMoving.next = listB
				listB = listMoving
				listMoving = nil
			}
		} else if listB != nil {
			listMoving = listB
			listB = listB.next
			listMoving.next = listA
			listA = listMoving
			listMoving = nil
		}
	}
}

func listCheck() string {
	seen := map[int]bool{}
	for _, l := range []*listNode{listA, listB} {
		for n := l; n != nil; n = n.next {
			if seen[n.id] {
				return fmt.Sprintf("node %d is there twice", n.id)
			}
			seen[n.id] = true
		}
	}
	if m := listMoving; m != nil && !seen[m.id] {
		seen[m.id] = true
		m.next = listA
		listA = m
	}
	listMoving = nil
	if len(seen) != 200 {
		return fmt.Sprintf("%d nodes, want 200", len(seen))
	}
	return ""
}`, "listRun()", "listCheck()"},
	{"maps", `
var mapCounts = map[int]int{}
var mapSteps int

func mapRun() {
	for {
		mapCounts[mapSteps*7919%101]++
		mapSteps++
	}
}

func mapCheck() string {
	sum := 0
	for _, n := range mapCounts {
		sum += n
	}
	if sum != mapSteps && sum != mapSteps+1 {
		return fmt.Sprintf("the map has %d steps of %d", sum, mapSteps)
	}
	mapSteps = sum
	return ""
}`, "mapRun()", "mapCheck()"},
	{"append", `
var sliceNumbers []int
var sliceNext int

func sliceRun() {
	for {
		sliceNumbers = append(sliceNumbers, sliceNext)
		sliceNext++
		if len(sliceNumbers) > 5000 {
			sliceNumbers = append([]int(nil), sliceNumbers[2500:]...)
		}
	}
}

func sliceCheck() string {
	for i := range sliceNumbers {
		if sliceNumbers[i] != sliceNumbers[0]+i {
			return fmt.Sprintf("element %d is %d, and the first is %d", i, sliceNumbers[i], sliceNumbers[0])
		}
	}
	if n := len(sliceNumbers); n > 0 {
		if last := sliceNumbers[n-1]; sliceNext != last && sliceNext != last+1 {
			return fmt.Sprintf("the last element is %d, the next %d", last, sliceNext)
		}
		sliceNext = sliceNumbers[n-1] + 1
	}
	return ""
}`, "sliceRun()", "sliceCheck()"},
	{"recursion", `
var fibResults [22]int
var fibCalls int

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func fibRun() {
	for {
		fibResults[fibCalls%len(fibResults)] = fib(fibCalls % len(fibResults))
		fibCalls++
	}
}

func fibCheck() string {
	a, b := 0, 1
	for i, x := range fibResults {
		if x != a && x != 0 || i < min(fibCalls, len(fibResults)) && x != a {
			return fmt.Sprintf("fib(%d) is %d, want %d", i, x, a)
		}
		a, b = b, a+b
	}
	return ""
}`, "fibRun()", "fibCheck()"},
	{"goroutines", `
var goCounts, goTwice [4]int
var goAlive [4]atomic.Bool

func goWork(w int) {
	for {
		goCounts[w]++
		goTwice[w] += 2
	}
}

func goRun() {
	for w := range 3 {
		go func() {
			defer goAlive[w].Store(false)
			goAlive[w].Store(true)
			goWork(w)
		}()
	}
	goWork(3)
}

func goCheck() string {
	for w := range goAlive {
		for start := time.Now(); goAlive[w].Load(); time.Sleep(time.Millisecond) {
			if time.Since(start) > time.Minute {
				return fmt.Sprintf("goroutine %d still runs", w)
			}
		}
	}
	for w, c := range goCounts {
		if n := goTwice[w]; n != 2*c && n != 2*c-2 {
			return fmt.Sprintf("worker %d: %d after %d steps", w, n, c)
		}
		goTwice[w] = 2 * c
	}
	return ""
}`, "goRun()", "goCheck()"},
	{"panics", `
var panicTried, panicRecovered int

func panicOnce(s []int, i int) (x int) {
	defer func() {
		if r := recover(); r != nil {
			panicRecovered++
			x = -1
		}
	}()
	panicTried++
	return s[i]
}

func panicRun() {
	s := make([]int, 3)
	for i := 3; ; i++ {
		panicOnce(s, i)
	}
}

func panicCheck() string {
	if n := panicTried - panicRecovered; n != 0 && n != 1 {
		return fmt.Sprintf("%d of %d panics were not recovered", n, panicTried)
	}
	panicTried, panicRecovered = 0, 0
	return ""
}`, "panicRun()", "panicCheck()"},
	{"strings", `
var stringText string
var stringNext int

func stringRun() {
	for {
		stringText += string(rune('a' + stringNext%26))
		stringNext++
		if len(stringText) > 1000 {
			stringText = stringText[500:]
		}
	}
}

func stringCheck() string {
	for i := 1; i < len(stringText); i++ {
		if a, b := int(stringText[i-1]-'a'), int(stringText[i]-'a'); (a+1)%26 != b {
			return fmt.Sprintf("%q follows %q at %d", stringText[i], stringText[i-1], i)
		}
	}
	if n := len(stringText); n > 0 {
		if last := int(stringText[n-1] - 'a'); last != (stringNext+25)%26 && last != stringNext%26 {
			return fmt.Sprintf("the last letter is %q, the next %d", stringText[n-1], stringNext)
		}
		stringNext = int(stringText[n-1]-'a') + 1
	}
	return ""
}`, "stringRun()", "stringCheck()"},
	{"structs", `
type balance struct {
	left, right int
	sum         float64
}

var balances [16]balance

func (b balance) moved(by int) balance { return balance{b.left + by, b.right - by, b.sum + 1} }

func balanceRun() {
	for i := 0; ; i++ {
		balances[i&15] = balances[i*7&15].moved(i & 0xff)
	}
}

func balanceCheck() string {
	for i, b := range balances {
		if b.left+b.right != 0 || b.sum != math.Trunc(b.sum) {
			return fmt.Sprintf("balance %d is %v", i, b)
		}
	}
	balances = [16]balance{}
	return ""
}`, "balanceRun()", "balanceCheck()"},
	{"interfaces", `
type stepper interface{ step() int }
type stepByOne struct{ n int }
type stepByTwo struct{ n *int }

func (s *stepByOne) step() int { s.n++; return 1 }
func (s stepByTwo) step() int  { *s.n += 2; return 2 }

var stepOne = &stepByOne{}
var stepTwo = stepByTwo{new(int)}
var stepTotal int

func stepRun() {
	steppers := []stepper{stepOne, stepTwo, stepOne}
	double := func(x int) int { return x }
	for i := 0; ; i++ {
		stepTotal += double(steppers[i%3].step())
	}
}

func stepCheck() string {
	if rest := stepOne.n + *stepTwo.n - stepTotal; rest < 0 || rest > 2 {
		return fmt.Sprintf("%d + %d steps, the total is %d", stepOne.n, *stepTwo.n, stepTotal)
	}
	stepTotal = stepOne.n + *stepTwo.n
	return ""
}`, "stepRun()", "stepCheck()"},
}
