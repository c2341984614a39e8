package suites

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Suite is the test suite of a module.
type Suite struct {
	Module, Version string
	// Short skips the tests that take long.
	Short bool
	// Tags holds further build tags of the module.
	Tags string
	// Args holds arguments for the tests themselves.
	Args []string
	// Only is a list of folders: only the packages in these folders run. The suffix "./..."
	// includes the folders below. An empty list means the whole module.
	Only []string
}

// usualTags are the build tags with which modules exclude assembly and cgo.
const usualTags = "purego,noasm"

// tags returns the build tags of a suite for the go command.
func (s Suite) tags() string {
	if s.Tags == "" {
		return "-tags=" + usualTags
	}
	return "-tags=" + usualTags + "," + s.Tags
}

// Verdict is the outcome of a test.
type Verdict string

// The possible verdicts.
const (
	Right   Verdict = "right"
	Refused Verdict = "refused"
	Wrong   Verdict = "wrong"
	Timeout Verdict = "timeout"
	Crash   Verdict = "crash"
	Left    Verdict = "left out" // it fails when it is compiled, or does not compile
)

// Outcome is the outcome of a test function, example or fuzz target. The outcome is right if the
// test and all its subtests pass, fail or are skipped as in compiled Go.
type Outcome struct {
	Package, Test string
	Verdict       Verdict
	Detail        string
}

// Runner runs suites.
type Runner struct {
	Work  string         // a folder for copies of the modules
	Logs  string         // where the output of the tests goes; empty means nowhere
	Limit time.Duration  // limit of the CPU time of a test function if it is known; the limit of its wall time is 100 times as long
	Match *regexp.Regexp // selects the packages to run; nil means all
	Tests *regexp.Regexp // selects the tests to run; nil means all
}

// Run copies the module in dir, and runs the tests of the copy. It leaves out tests that fail in
// compiled Go.
func (r *Runner) Run(s Suite, dir string) ([]Outcome, error) {
	work := filepath.Join(r.Work, strings.ReplaceAll(s.Module, "/", "_")+"@"+s.Version)
	if _, err := os.Stat(work); err != nil {
		if err := copyTree(work, dir); err != nil {
			return nil, err
		}
	}
	patterns := s.Only
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	plans, err := makePlans(s, work, patterns)
	if err != nil {
		return nil, err
	}
	var all []Outcome
	for _, p := range plans {
		if r.Match != nil && !r.Match.MatchString(p.Path) {
			continue
		}
		if r.Tests != nil {
			p.Tests = slices.DeleteFunc(p.Tests, func(name string) bool { return !r.Tests.MatchString(name) })
			if len(p.Tests) == 0 {
				continue
			}
		}
		outcomes, err := r.runPackage(s, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Path, err)
		}
		all = append(all, outcomes...)
	}
	return all, nil
}

// copyTree copies a module. Its files in the cache are read-only.
func copyTree(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return filepath.WalkDir(to, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chmod(path, info.Mode()|0o200)
	})
}

// results holds the results of tests by name, and their output.
type results struct {
	action map[string]string // "pass", "fail" or "skip"; "run" for one that has not ended
	output map[string]*strings.Builder
	rest   strings.Builder // output that belongs to no test
}

// event is a line of test2json.
type event struct{ Action, Test, Output string }

// gocheck matches a result that package gopkg.in/check.v1 prints with the flag -check.v. That
// package runs its tests within one test of package testing.
var gocheck = regexp.MustCompile(`^(PASS|FAIL|PANIC|SKIP|MISS): \w+\.go:\d+: (\w+\.\w+)`)

var gocheckEnds = map[string]string{"PASS": "pass", "FAIL": "fail", "PANIC": "fail", "SKIP": "skip", "MISS": "skip"}

func newResults() *results {
	return &results{action: map[string]string{}, output: map[string]*strings.Builder{}}
}

func (r *results) read(events io.Reader) error {
	for dec := json.NewDecoder(events); ; {
		var e event
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		switch {
		case e.Action == "output" && gocheck.MatchString(e.Output):
			m := gocheck.FindStringSubmatch(e.Output)
			r.action[e.Test+"/"+m[2]] = gocheckEnds[m[1]]
		case e.Action == "output" && e.Test == "":
			r.rest.WriteString(e.Output)
		case e.Action == "output":
			name := stable(e.Test)
			if r.output[name] == nil {
				r.output[name] = new(strings.Builder)
			}
			r.output[name].WriteString(e.Output)
		case e.Test == "":
		case e.Action == "run" || e.Action == "pass" || e.Action == "fail" || e.Action == "skip":
			r.action[stable(e.Test)] = e.Action
		}
	}
}

// varying matches the parts of subtest names that differ between runs: addresses and times.
var varying = regexp.MustCompile(`0x[0-9a-f]+|\d{4}-\d\d-\d\d.*|_\d+,_\d+,_\d+,_\d{6,}`)

func stable(name string) string { return varying.ReplaceAllString(name, "~") }

// of returns the results of a test and its subtests.
func (r *results) of(test string) map[string]string {
	m := map[string]string{}
	for name, action := range r.action {
		if name == test || strings.HasPrefix(name, test+"/") {
			m[name] = action
		}
	}
	return m
}

func (r *Runner) runPackage(s Suite, p *plan) ([]Outcome, error) {
	var want *results
	for range 3 { // under load, tests that measure time may end the process
		var err error
		if want, err = r.compiled(s, p); err != nil {
			return nil, err
		}
		if want.complete(p) {
			break
		}
	}
	b := &batch{r: r, s: s, p: p, left: map[string]bool{}, outcomes: map[string]Outcome{}, want: want}
	if len(want.action) == 0 {
		return []Outcome{{Package: p.Path, Verdict: Left, Detail: "go test: " + complaint(&want.rest)}}, nil
	}
	var names []string
	for _, test := range p.Tests {
		if a := want.action[test]; a == "pass" || a == "skip" {
			b.left[test] = true
		} else {
			b.outcomes[test] = Outcome{Verdict: Left, Detail: "compiled: " + a + " " + complaint(want.output[test])}
		}
		names = append(names, test)
	}
	if err := b.run(); err != nil {
		return nil, err
	}
	var all []Outcome
	for _, test := range names {
		o := b.outcomes[test]
		o.Package, o.Test = p.Path, test
		all = append(all, o)
	}
	return all, nil
}

// complete reports whether all tests of a package have ended.
func (r *results) complete(p *plan) bool {
	for _, test := range p.Tests {
		if a := r.action[test]; a == "" || a == "run" {
			return len(r.action) == 0 // nothing has started, because it does not compile
		}
	}
	return true
}

// compiled runs the tests of a package with the go command.
func (r *Runner) compiled(s Suite, p *plan) (*results, error) {
	args := []string{"test", "-json", "-vet=off", "-count=1", s.tags()}
	if s.Short {
		args = append(args, "-short")
	}
	if r.Tests != nil {
		args = append(args, "-run="+only(p.Tests))
	}
	cmd := exec.Command("go", append(append(args, "."), s.Args...)...)
	cmd.Dir = p.Dir
	cmd.Env = environment(cmd.Environ())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	res := newResults()
	if err := res.read(bytes.NewReader(out)); err != nil {
		return nil, fmt.Errorf("go test: %w\n%s%s", err, out, &stderr)
	}
	return res, nil
}

// batch is the run of a package's tests in the engine. If a process ends before all its tests have
// run, another process runs the remaining tests.
type batch struct {
	r        *Runner
	s        Suite
	p        *plan
	want     *results
	left     map[string]bool // tests to run
	outcomes map[string]Outcome
}

func (b *batch) run() error {
	alone := ""
	for round := 0; len(b.left) > 0; round++ {
		res, end, err := b.process(alone, round)
		if err != nil {
			return err
		}
		if end.status == exitRefused {
			for test := range b.left {
				b.end(test, Refused, end.reason)
			}
			return nil
		}
		var open []string // started and not ended
		before := len(b.left)
		for test := range b.left {
			switch a := res.action[test]; a {
			case "":
			case "run":
				open = append(open, test)
			default:
				b.judge(test, res)
			}
		}
		verdict := Crash
		if end.timeout {
			verdict = Timeout
		}
		switch {
		case len(open) == 1 || len(open) > 0 && open[0] == alone:
			b.end(open[0], verdict, end.reason)
			alone = ""
		case len(open) > 1:
			alone = suspect(open, end.output)
		case len(b.left) == before: // none has started
			for test := range b.left {
				if alone == "" || alone == test {
					b.end(test, verdict, "did not run: "+end.reason)
				}
			}
			alone = ""
		default:
			alone = ""
		}
	}
	return nil
}

// suspect returns the test that has ended the process, according to its last output.
func suspect(open []string, output string) string {
	output = output[max(strings.LastIndex(output, "panic: "), strings.LastIndex(output, "fatal error: "), 0):]
	for _, test := range open {
		if strings.Contains(output, test+"(") || strings.Contains(output, test+":") || strings.Contains(output, test+"\n") {
			return test
		}
	}
	return open[0]
}

func (b *batch) end(test string, v Verdict, detail string) {
	b.outcomes[test] = Outcome{Verdict: v, Detail: detail}
	delete(b.left, test)
}

// judge compares the result of a test in the engine with the result of the compiled test.
func (b *batch) judge(test string, res *results) {
	want, got := b.want.of(test), res.of(test)
	detail := ""
	for name, w := range want {
		if g := got[name]; g != w && (detail == "" || len(name) > len(detail)) {
			if g == "" {
				g = "not run"
			}
			detail = fmt.Sprintf("%s: %s, compiled %s: %s", name, g, w, complaint(res.output[name]))
		}
	}
	for name, g := range got {
		if want[name] == "" && detail == "" {
			detail = fmt.Sprintf("%s: %s, but compiled Go does not run it", name, g)
		}
	}
	if detail == "" {
		b.end(test, Right, "")
	} else {
		b.end(test, Wrong, detail)
	}
}

// complaint returns the first lines of a test's output, without the lines that package testing
// adds.
func complaint(out *strings.Builder) string {
	if out == nil {
		return ""
	}
	var lines []string
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- ") && len(lines) < 4 {
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, " ")
	return text[:min(len(text), 300)]
}

// ending is the end of a process.
type ending struct {
	status  int
	timeout bool
	output  string
	reason  string
}

// process runs the remaining tests, or only one, in a separate process.
func (b *batch) process(alone string, round int) (*results, ending, error) {
	dir, err := os.MkdirTemp("", "suites")
	if err != nil {
		return nil, ending{}, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "plan.json")
	text, err := json.Marshal(b.p)
	if err == nil {
		err = os.WriteFile(file, text, 0o666)
	}
	if err != nil {
		return nil, ending{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, ending{}, err
	}
	args := []string{"-test.v=test2json", "-test.timeout=0"}
	if b.s.Short {
		args = append(args, "-test.short")
	}
	switch {
	case alone != "":
		args = append(args, "-test.run="+only([]string{alone}))
	case round > 0 || b.r.Tests != nil:
		args = append(args, "-test.run="+only(slices.DeleteFunc(slices.Clone(b.p.Tests), func(test string) bool { return !b.left[test] })))
	}
	args = append(args, b.s.Args...)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Dir = b.p.Dir
	cmd.Env = append(cmd.Environ(), planVariable+"="+file, "GOROOT="+goroot(), "GODEBUG="+b.p.Settings)
	cmd.WaitDelay = time.Second
	var output output
	if b.r.Logs != "" { // from the beginning: tests may take long
		name := fmt.Sprintf("%s.%d.log", strings.ReplaceAll(b.p.Path, "/", "_"), round)
		if output.log, err = os.Create(filepath.Join(b.r.Logs, name)); err != nil {
			return nil, ending{}, err
		}
		defer output.log.Close()
	}
	cmd.Stdout, cmd.Stderr = &output, &output
	if err = cmd.Start(); err == nil {
		go output.watch(ctx, cmd.Process.Pid, b.r.Limit, cancel)
		err = cmd.Wait()
	}
	var exit *exec.ExitError
	end := ending{timeout: ctx.Err() != nil}
	if err != nil && !errors.As(err, &exit) && !end.timeout {
		return nil, end, err
	}
	end.status = cmd.ProcessState.ExitCode()
	end.output = output.text.String()
	end.reason = reason(end.output, end)
	convert := exec.Command("go", "tool", "test2json", "-p", b.p.Path)
	convert.Stdin = &output.text
	events, err := convert.Output()
	if err != nil {
		return nil, end, fmt.Errorf("test2json: %w", err)
	}
	res := newResults()
	return res, end, res.read(bytes.NewReader(events))
}

// output is the output of tests.
type output struct {
	text  bytes.Buffer
	begun atomic.Int64 // number that have started or continued
	log   *os.File     // nil if there is none
}

// begins matches the line that package testing prints when a test function starts or continues.
var begins = regexp.MustCompile(`=== (RUN|CONT)  +[^/\n]+\n`)

func (o *output) Write(text []byte) (int, error) {
	if begins.Match(text) {
		o.begun.Add(1)
	}
	if o.log != nil {
		if n, err := o.log.Write(text); err != nil {
			return n, err
		}
	}
	return o.text.Write(text)
}

// watch ends the tests' process when a test has run longer than the limit.
func (o *output) watch(ctx context.Context, pid int, limit time.Duration, end func()) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	test := int64(-1)
	var began time.Time
	var used time.Duration
	for {
		now, ok := processTime(pid)
		if n := o.begun.Load(); n != test {
			test, began, used = n, time.Now(), now
		}
		if wall := time.Since(began); now-used > limit || wall > 100*limit || !ok && wall > limit {
			end()
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// processTime returns the CPU time of a process, if the system reports it in hundredths of a second
// as Linux does.
func processTime(pid int) (time.Duration, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(f) < 13 {
		return 0, false
	}
	user, err := strconv.Atoi(f[11])
	system, err2 := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond, err == nil && err2 == nil
}

// only returns a regular expression that selects exactly these tests.
func only(tests []string) string { return "^(" + strings.Join(tests, "|") + ")$" }

// goroot is the GOROOT of the go command. Tests search for its files with runtime.GOROOT, which is
// empty in a binary built with -trimpath.
var goroot = sync.OnceValue(func() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
})

// reason returns the reason why a process has not run all tests.
func reason(output string, end ending) string {
	if end.timeout {
		return "takes longer than the time limit"
	}
	for line := range strings.Lines(output) {
		for _, begin := range []string{"refused: ", "panic: ", "fatal error: ", "unexpected fault", "[signal "} {
			if i := strings.Index(line, begin); i >= 0 {
				return strings.TrimSpace(strings.TrimPrefix(line[i:], "refused: "))
			}
		}
	}
	return fmt.Sprintf("status %d", end.status)
}
