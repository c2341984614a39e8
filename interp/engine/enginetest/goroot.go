package enginetest

import (
	"flag"
	"fmt"
	"go/build"
	"go/build/constraint"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	fullFlag   = flag.Bool("full", false, "run every program of GOROOT/test, not a sample")
	reportFlag = flag.String("report", "", "write the table of GOROOT/test to this file (with -full)")
	onlyFlag   = flag.String("program", "", "run the programs of GOROOT/test whose path contains this")
	testsFlag  = flag.String("tests", "", "the directory of Go's test programs; GOROOT/test if empty")
	procsFlag  = flag.Int("programs", 2, "how many programs to run at a time")
)

// GoPrograms is a run of the programs in GOROOT/test that begin with "// run"
// and consist of one file.
type GoPrograms struct {
	// Known has a reason for each program that an engine runs incorrectly. The test fails if a
	// program fails that is not in Known, or if a program in Known passes.
	Known map[string]string
	// MayRefuse means that the engine may refuse any program.
	MayRefuse bool
	// Limit is the maximum time that a program may run, or zero for a minute.
	Limit time.Duration
}

// TooSlow is the reason for a program that may run into the limit. On a fast machine, the program
// may end in time.
const TooSlow = "takes too long in an interpreter"

// outcome is the outcome of a program.
type outcome struct {
	program string
	verdict verdict
	detail  string
}

// sampleOf is the fraction of the programs, 1 in sampleOf, that run without -full.
const sampleOf = 16

// Run runs the programs: a sample, or all of them with -full.
func (g GoPrograms) Run(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process for each program")
	}
	root := goTests(t)
	programs, err := listPrograms(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(programs) < 1000 {
		t.Fatalf("found only %d programs in %s", len(programs), root)
	}
	if g.Limit == 0 {
		g.Limit = time.Minute
	}
	chosen := programs[:0:0]
	for _, p := range programs {
		switch {
		case *onlyFlag != "":
			if strings.Contains(p, *onlyFlag) {
				chosen = append(chosen, p)
			}
		case *fullFlag || inSample(p):
			chosen = append(chosen, p)
		}
	}
	t.Setenv(importcfgVariable, importcfg(t))
	outcomes := g.runAll(t, root, chosen)
	for _, o := range outcomes {
		reason, known := g.Known[o.program]
		switch {
		case o.verdict == refused && g.MayRefuse:
		case o.verdict != right && !known:
			t.Errorf("%s: %s: %s", o.program, o.verdict, o.detail)
		case o.verdict == right && known && reason != TooSlow:
			t.Errorf("%s: right, but listed as known to fail (%s)", o.program, reason)
		}
	}
	count := counts(outcomes)
	t.Logf("%d programs: %s", len(outcomes), count)
	if *reportFlag != "" && *fullFlag {
		if err := os.WriteFile(*reportFlag, []byte(g.report(outcomes)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// importcfgVariable is the environment variable that names a file with the packages of the standard
// library. Programs that run the compiler themselves find the packages there.
const importcfgVariable = "STDLIB_IMPORTCFG"

// importcfg writes the file with the packages in the same way as Go's test driver.
func importcfg(t *testing.T) string {
	t.Helper()
	cfg, err := exec.Command("go", "list", "-export", "-f", "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}", "std").Output()
	if err != nil {
		t.Fatal("go list: ", err)
	}
	file := filepath.Join(t.TempDir(), "importcfg")
	if err := os.WriteFile(file, cfg, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// goTests returns the directory of Go's own tests.
func goTests(t *testing.T) string {
	t.Helper()
	if *testsFlag != "" {
		return *testsFlag
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal("go env GOROOT: ", err)
	}
	dir := filepath.Join(strings.TrimSpace(string(goroot)), "test")
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("this Go installation lacks Go's own tests: install Go from an archive of https://go.dev/dl, or name a directory of tests with -tests: %v", err)
	}
	return dir
}

func inSample(program string) bool {
	h := fnv.New32a()
	h.Write([]byte(program))
	return h.Sum32()%sampleOf == 0
}

func (g GoPrograms) runAll(t *testing.T, root string, programs []string) []outcome {
	outcomes := make([]outcome, len(programs))
	next := make(chan int)
	var wg sync.WaitGroup
	for range *procsFlag {
		wg.Go(func() {
			for i := range next {
				outcomes[i] = g.runOne(t, root, programs[i])
			}
		})
	}
	for i := range programs {
		next <- i
	}
	close(next)
	wg.Wait()
	return outcomes
}

func (g GoPrograms) runOne(t *testing.T, root, program string) outcome {
	file := filepath.Join(root, program)
	want, err := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
	if err != nil && !os.IsNotExist(err) {
		t.Error(err)
	}
	e, err := start(file, root, g.Limit)
	if err != nil {
		t.Errorf("%s: %v", program, err)
	}
	v, detail := e.judge(string(want), 0)
	return outcome{program, v, strings.ReplaceAll(detail, root+string(filepath.Separator), "")}
}

// listPrograms returns the programs to run on this platform, by their paths below root.
func listPrograms(root string) ([]string, error) {
	var programs []string
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasSuffix(path, ".dir") {
			return filepath.SkipDir // the files of a program with several packages
		}
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if isProgram(string(src)) {
			rel, err := filepath.Rel(root, path)
			programs = append(programs, filepath.ToSlash(rel))
			return err
		}
		return nil
	})
	sort.Strings(programs)
	return programs, err
}

// isProgram reports whether a test is a program to run. Like Go's test driver, it checks that the
// first word is run, without flags, and that the build constraints hold.
func isProgram(src string) bool {
	run := false
	for line := range strings.Lines(src) {
		line = strings.TrimSpace(line)
		switch {
		case constraint.IsGoBuild(line):
			expr, err := constraint.Parse(line)
			if err != nil || !expr.Eval(holds) {
				return false
			}
		case line == "":
		case !strings.HasPrefix(line, "//"):
			return run
		case !run:
			if line != "// run" {
				return false
			}
			run = true
		}
	}
	return run
}

// holds reports whether a build tag is set for this platform.
func holds(tag string) bool {
	if tag == runtime.GOOS || tag == runtime.GOARCH || tag == "gc" || tag == "cgo" ||
		tag == "unix" && (runtime.GOOS == "linux" || runtime.GOOS == "darwin") {
		return true
	}
	for _, release := range build.Default.ReleaseTags {
		if tag == release {
			return true
		}
	}
	return false
}

// counts returns the number of outcomes of each kind as text.
func counts(outcomes []outcome) string {
	n := make(map[verdict]int)
	for _, o := range outcomes {
		n[o.verdict]++
	}
	share := 0.0
	if len(outcomes) > 0 {
		share = 100 * float64(n[right]) / float64(len(outcomes))
	}
	return fmt.Sprintf("%d right (%.1f%%), %d refused, %d wrong, %d timeout, %d crash",
		n[right], share, n[refused], n[wrong], n[timedOut], n[crashed])
}

// report returns the outcomes as a section in Markdown.
func (g GoPrograms) report(outcomes []outcome) string {
	var b strings.Builder
	dirs := []string{"all", "typeparam/", "fixedbugs/", "chan/", "interface/", "ken/"}
	fmt.Fprintf(&b, "| programs | | right | refused | wrong | timeout | crash |\n|---|---|---|---|---|---|---|\n")
	for _, dir := range dirs {
		n := make(map[verdict]int)
		total := 0
		for _, o := range outcomes {
			if dir == "all" || strings.HasPrefix(o.program, dir) {
				n[o.verdict]++
				total++
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d |\n", dir, total, n[right], n[refused], n[wrong], n[timedOut], n[crashed])
	}
	fmt.Fprintf(&b, "\n| not right | | why |\n|---|---|---|\n")
	for _, o := range outcomes {
		if o.verdict == right || o.verdict == refused && g.MayRefuse {
			continue
		}
		why := g.Known[o.program]
		if why == "" {
			why = "not explained: " + o.detail
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", o.program, o.verdict, strings.ReplaceAll(why, "|", `\|`))
	}
	return b.String()
}
