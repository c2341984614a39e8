package ssa_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine/enginetest/suites"
)

var (
	suitesFlag   = flag.String("suites", "", "run the test suites of the modules in testdata/suites.txt that match this regular expression, from the module cache or the proxy")
	packagesFlag = flag.String("packages", "", "with -suites, only the packages that match this regular expression")
	testsFlag    = flag.String("functions", "", "with -suites, only the tests that match this regular expression")
	logsFlag     = flag.String("logs", "", "with -suites, the folder for what the tests print")
	workFlag     = flag.String("work", "", "with -suites, the folder for copies of the modules, which are taken as they are if there; a temporary one if empty")
	tableFlag    = flag.String("table", "", "with -suites, the file for the table of the results")
	limitFlag    = flag.Duration("limit", 5*time.Minute, "with -suites, how much of a processor's time a test may take")
)

// TestSuitesOfModules runs the tests of libraries through the engine: the modules that this module
// requires anyway, or the modules listed in testdata/suites.txt.
func TestSuitesOfModules(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles tests and starts processes")
	}
	r := &suites.Runner{Work: *workFlag, Logs: *logsFlag, Limit: *limitFlag}
	if r.Work == "" {
		r.Work = t.TempDir()
	}
	if *packagesFlag != "" {
		r.Match = regexp.MustCompile(*packagesFlag)
	}
	if *testsFlag != "" {
		r.Tests = regexp.MustCompile(*testsFlag)
	}
	table := suites.Table{NotApplicable: []string{allocTests}}
	for _, s := range suitesToRun(t) {
		dir, err := suites.Find(s)
		if err != nil {
			t.Fatal(err)
		}
		outcomes, err := r.Run(s, dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(table.Add(s, outcomes, suitesNotRight))
		for _, o := range outcomes {
			switch reason := suites.Reason(o, suitesNotRight); {
			case o.Verdict == suites.Right:
			case o.Verdict == suites.Left: // the table has the reason
			case reason != o.Detail:
				t.Logf("%s %s: %s: %s", o.Package, o.Test, o.Verdict, reason)
			default:
				t.Errorf("%s %s: %s: %s", o.Package, o.Test, o.Verdict, o.Detail)
			}
		}
	}
	if *tableFlag != "" {
		if err := os.WriteFile(*tableFlag, []byte(table.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Reasons that several tests share.
const (
	addressed  = "compares the address that package fmt prints of a function with the one that reflect gives"
	timedTests = "counts calls in spans of milliseconds, which interpreted code on a busy machine exceeds"
	lostBits   = "the package puts the version over bits 12 to 15 of the time, so that two times apart by a multiple of .4 ms can be in the wrong order, compiled too"
	slowTests  = "takes longer than half a minute on a busy machine"
	smallTests = "ends the process when it has more than 40 MB, which the engine has before it begins"
	allocTests = "counts allocations, which the specification leaves to the compiler: the engine allocates frames and closures of its own"
)

// byAddress skips a test of go-cmp that requires the first of two allocations to have the lower
// address.
const byAddress = "-test.skip=^TestDiff$/^Reporter$/^LargeMapKey$"

// suitesNotRight has the reasons why tests of modules fail, by package and test.
var suitesNotRight = map[string]string{
	"github.com/google/uuid TestVersion6":                              lostBits,
	"github.com/samber/lo ExampleNewDebounce":                          timedTests,
	"github.com/samber/lo ExampleNewDebounceBy":                        timedTests,
	"github.com/samber/lo ExampleNewThrottle":                          timedTests,
	"golang.org/x/text/cases TestFold":                                 allocTests,
	"golang.org/x/text/cases TestAlloc":                                allocTests,
	"golang.org/x/text/internal/colltab TestNumericWeighterAlloc":      allocTests,
	"golang.org/x/text/internal/export/idna TestAllocToUnicode":        allocTests,
	"golang.org/x/text/internal/export/idna TestAllocToASCII":          allocTests,
	"golang.org/x/text/internal/language TestMakeString":               allocTests,
	"golang.org/x/text/language TestBestMatchAlloc":                    allocTests,
	"golang.org/x/text/runes TestMapAlloc":                             allocTests,
	"golang.org/x/text/secure/precis TestAppendMallocs":                allocTests,
	"golang.org/x/text/secure/precis TestTransformMallocs":             allocTests,
	"golang.org/x/text/unicode/norm TestCompositionSupplementaryPlane": "takes longer than four minutes",
	"golang.org/x/exp/slices TestInsert":                               allocTests,
	"golang.org/x/exp/slices TestGrow":                                 allocTests,
	"golang.org/x/exp/slog TestAlloc":                                  allocTests,
	"golang.org/x/exp/slog TestTextHandlerAlloc":                       allocTests,
	"golang.org/x/exp/slog TestValueNoAlloc":                           allocTests,
	"golang.org/x/exp/slog TestAnyLevelAlloc":                          allocTests,
	"github.com/sirupsen/logrus TestCallerReportingOverhead":           timedTests,
	"github.com/golang/geo/s2 TestCellUnionExpand":                     "takes longer than the limit of 60 seconds: thousands of random coverings",
	"github.com/golang/geo/s2 TestCovererRandomCaps":                   "takes longer than the limit of 60 seconds: thousands of random coverings",
	"github.com/gobwas/glob TestPatternMatch":                          "gives the first match of each pattern 10 ms",
	"github.com/yuin/goldmark TestDeepNestedLabelPerformance":          "gives 50,000 nested labels five seconds",
	"github.com/Masterminds/sprig/v3 TestDerivePassword":               "derives keys by scrypt, which takes longer than the limit of 70 seconds",
	"github.com/alecthomas/chroma/v2/lexers TestLexers":                "takes longer than the limit of 70 seconds",
	"github.com/expr-lang/expr/internal/spew TestDump":                 addressed,
	"github.com/expr-lang/expr/internal/spew TestFormatter":            addressed,
	"golang.org/x/text/message/pipeline TestFullCycle":                 slowTests,
	"gonum.org/v1/gonum/graph/coloring TestDsaturExact":                slowTests,
	"gonum.org/v1/gonum/graph/coloring TestRandomized":                 slowTests,
	"gonum.org/v1/gonum/optimize/convex/lp TestSimplex":                slowTests,
	"gonum.org/v1/gonum/spatial/barneshut TestPlaneForceOn":            slowTests,
	"gonum.org/v1/gonum/spatial/barneshut TestVolumeForceOn":           slowTests,
	"gonum.org/v1/gonum/spatial/kdtree TestNearestRandom":              slowTests,
	"gonum.org/v1/gonum/spatial/vptree TestNearestRandom":              slowTests,
	"gonum.org/v1/gonum/stat/distmat TestUnitVectorStats":              slowTests,
	"gonum.org/v1/gonum/stat/distmat TestWishartRand":                  slowTests,
	"gonum.org/v1/gonum/graph/path TestAStar":                          slowTests,
	"gonum.org/v1/gonum/graph/encoding/graph6 TestLargeEncoding":       slowTests,
	"gonum.org/v1/gonum/graph/encoding/digraph6 TestLargeEncoding":     slowTests,
	"gonum.org/v1/gonum/mat TestGSVD":                                  slowTests,
	"gonum.org/v1/gonum/lapack/gonum TestDgeev":                        slowTests,
	"gonum.org/v1/gonum/stat/distmv TestNormalRandCov":                 slowTests,
	"github.com/xuri/excelize/v2 TestZip64":                            slowTests,
	"github.com/lucasb-eyer/go-colorful TestColorCount":                slowTests,
	"github.com/kr/pretty TestDiff":                                    addressed,
	"github.com/robfig/cron/v3 TestChainSkipIfStillRunning":            timedTests,
	"github.com/yuin/gopher-lua TestGlua":                              smallTests,
	"github.com/yuin/gopher-lua TestLua":                               smallTests,
	"github.com/yuin/gopher-lua TestLocalVarFree":                      "wants a value collected while the function that made it still runs",
	"golang.org/x/image/draw TestScaleRGBA64ImageAllocations":          allocTests,
	"golang.org/x/image/draw TestTransformRGBA64ImageAllocations":      allocTests,
	"go.starlark.net/starlark TestUnpackArgNoEscape":                   allocTests,
	"github.com/rs/zerolog/diode TestFatalWithFilteredLevelWriter":     "ends its process by os.Exit in a test, of which package testing still says that it failed",
	"github.com/stretchr/testify/internal/spew TestDump":               addressed,
	"github.com/stretchr/testify/internal/spew TestFormatter":          addressed,
}

func suitesToRun(t *testing.T) []suites.Suite {
	if *suitesFlag == "" {
		return []suites.Suite{{Module: "github.com/google/uuid"}, {Module: "github.com/google/go-cmp", Args: []string{byAddress}}}
	}
	text, err := os.ReadFile("testdata/suites.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []suites.Suite
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0][0] == '#' {
			continue
		}
		if ok, err := regexp.MatchString(*suitesFlag, f[0]); err != nil {
			t.Fatal(err)
		} else if !ok {
			continue
		}
		s := suites.Suite{Module: f[0], Version: f[1]}
		for _, word := range f[2:] {
			switch {
			case word == "short":
				s.Short = true
			case strings.HasPrefix(word, "tags="):
				s.Tags = strings.TrimPrefix(word, "tags=")
			case word[0] == '-':
				s.Args = append(s.Args, word)
			default:
				s.Only = append(s.Only, word)
			}
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		t.Fatalf("testdata/suites.txt has no module that matches %q", *suitesFlag)
	}
	return list
}
