package profile

import (
	"encoding/json"
	"flag"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/engine"
)

var update = flag.Bool("update", false, "write the golden files")

func call(name, symbol, file string, line int) engine.Call {
	return engine.Call{Frame: engine.Frame{Func: name, Pos: token.Position{Filename: file, Line: line}}, Symbol: symbol}
}

// sampled returns a hand-written profile of 1 s. The cell's functions slow and depth, which calls
// itself, have 600 and 200 ms, a package has 100 ms, and compiled code 100 ms.
func sampled() *engine.Profile {
	cell := call("ǃcell", "main.ǃcell", "cell [2]", 3)
	slow := func(line int) engine.Call { return call("slow", "main.slow", "cell [1]", line) }
	depth := call("(*Tree).depth", "main.(*Tree).depth", "cell [1]", 9)
	parse := call("Parse", "github.com/google/uuid.Parse", "github.com/google/uuid@v1.6.0/uuid.go", 70)
	exp := call("math.Exp", "math.Exp", "", 0)
	sample := func(ms int, calls ...engine.Call) engine.Sample {
		return engine.Sample{Calls: calls, Count: ms, Time: time.Duration(ms) * time.Millisecond}
	}
	return &engine.Profile{Start: time.Unix(0, 0), Elapsed: 1100 * time.Millisecond, Samples: []engine.Sample{
		sample(400, slow(2), cell), sample(200, slow(3), cell),
		sample(150, depth, depth, depth, cell), sample(50, depth, depth, cell),
		sample(100, parse, slow(3), cell), sample(100, exp, slow(2), cell),
	}}
}

const source = "func slow(x float64) float64 {\n\ty := math.Exp(x)\n\treturn uuid.Parse(y)\n}"

func TestGolden(t *testing.T) {
	graph, err := Flame(sampled())
	if err != nil {
		t.Fatal(err)
	}
	table := Table(sampled(), func(file string) (string, bool) { return source, file == "cell [1]" })
	for name, got := range map[string]any{
		"table.txt": table.Data[display.MIMEText], "table.html": table.Data[display.MIMEHTML],
		"flame.txt": graph.Data[display.MIMEText], "flame.svg": graph.Data[display.MIMESVG],
	} {
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, []byte(got.(string)+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.(string)+"\n"); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if file := os.Getenv("PICTURES"); file != "" {
		if err := os.WriteFile(filepath.Join(file, "flame.png"), graph.Data[display.MIMEPNG].([]byte), 0o644); err != nil {
			t.Fatal(err)
		}
		spec, _ := json.Marshal(graph.Data[display.MIMEVegaLite])
		if err := os.WriteFile(filepath.Join(file, "flame.vl.json"), spec, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Times are the sums of the samples. A function that calls itself has at most the whole time.
func TestTimes(t *testing.T) {
	want := map[string]times{
		"slow": {600e6, 800e6}, "(*Tree).depth": {200e6, 200e6}, "uuid.Parse": {100e6, 100e6}, "math.Exp": {100e6, 100e6}, "cell [2]": {0, 1e9},
	}
	got := map[string]times{}
	for _, r := range functions(sampled()) {
		got[r.name] = r.times
	}
	if len(got) != len(want) {
		t.Errorf("functions %v, want %v", got, want)
	}
	for name, w := range want {
		if got[name] != w {
			t.Errorf("%s has %v, want %v", name, got[name], w)
		}
	}
	places := map[string]times{}
	for _, r := range lines(sampled()) {
		places[r.where()] = r.times
	}
	if got, want := places["cell [1]:2"], (times{500e6, 500e6}); got != want { // with math.Exp, which has no line
		t.Errorf("line 2 has %v, want %v", got, want)
	}
	if got, want := places["cell [1]:3"], (times{200e6, 300e6}); got != want {
		t.Errorf("line 3 has %v, want %v", got, want)
	}
}

// Bars are below their callers, side by side, and as wide as their time.
func TestBars(t *testing.T) {
	list, depth := bars(tree(sampled()), 0)
	if depth != 4 || len(list) != 7 {
		t.Fatalf("%d bars in %d rows", len(list), depth)
	}
	for _, b := range list {
		if w := float64(b.total) / 1e9; b.to-b.from < w-1e-9 || b.to-b.from > w+1e-9 {
			t.Errorf("%s is %v wide, want %v", b.name, b.to-b.from, w)
		}
		inside := 0
		for _, c := range list {
			if c.level == b.level-1 && c.from <= b.from+1e-9 && b.to <= c.to+1e-9 {
				inside++
			}
		}
		if b.level > 0 && inside != 1 {
			t.Errorf("%s is below %d bars", b.name, inside)
		}
	}
}

func TestNothingToDraw(t *testing.T) {
	if _, err := Flame(&engine.Profile{}); err == nil {
		t.Error("a profile without samples is drawn")
	}
	if got := Head(&engine.Profile{Elapsed: time.Millisecond}); !strings.Contains(got, "0 samples") {
		t.Error(got)
	}
}
