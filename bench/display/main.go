// Command display measures the time to render figures as SVG and PNG, and compares it with the time
// of matplotlib on the same data in the same run:
//
//	go run ./bench/display -python python3
//
// Both render every figure in memory to SVG and to PNG with two pixels per CSS pixel, and the
// median of the runs is shown. -only selects figures whose name contains a text. -processor
// measures CPU time of all threads, which depends less on other work on the machine. For decision
// regions, both sides fit and predict; the Python side uses scikit-learn for this.
package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/course"
	"github.com/gokernel/gokernel/display/plot3d"
	"github.com/gokernel/gokernel/display/polar"
	dataset "github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

//go:embed matplotlib_cases.py
var theirCases []byte

// data is the data that both sides draw.
type data struct {
	X, Y    []float64   // 10,000 points
	Label   []int       // their classes
	T, Wave []float64   // a line of 1000 points
	Sample  []float64   // 100,000 values
	Matrix  [][]float64 // 200×200
	Names   []string
	Heights []float64
	Class   [][]float64  // 200×200 classes of a nearest-neighbor rule
	Many    [2][]float64 // a million points
	Flowers [][]float64  // the four features of Iris
	Species []int        // and its classes
}

func makeData() *data {
	r := rand.New(rand.NewPCG(1, 1))
	d := &data{Names: []string{"Mon", "Tue", "Wed", "Thu", "Fri"}, Heights: []float64{3, 5, 2, 6, 4}}
	for i := range 10000 {
		d.X, d.Y = append(d.X, r.NormFloat64()), append(d.Y, r.NormFloat64())
		d.Label = append(d.Label, i%3)
	}
	for i := range 1000 {
		t := float64(i) / 100
		d.T, d.Wave = append(d.T, t), append(d.Wave, math.Sin(3*t)+0.1*r.NormFloat64())
	}
	for range 100000 {
		d.Sample = append(d.Sample, r.NormFloat64())
	}
	for i := range d.Many {
		for range 1000000 {
			d.Many[i] = append(d.Many[i], r.NormFloat64())
		}
	}
	iris := dataset.Iris()
	for j := range 4 {
		d.Flowers = append(d.Flowers, mat.Col(nil, j, iris.X))
	}
	d.Species = iris.Y
	for i := range 200 {
		row, class := make([]float64, 200), make([]float64, 200)
		for j := range row {
			x, y := float64(j)/100-1, float64(i)/100-1
			row[j] = x*x - y*y + 0.3*math.Sin(8*x*y)
			class[j] = float64(int(math.Floor(3+2*x+2*y+math.Sin(5*x))) % 3)
			if class[j] < 0 {
				class[j] += 3
			}
		}
		d.Matrix, d.Class = append(d.Matrix, row), append(d.Class, class)
	}
	return d
}

func (d *data) field(rows [][]float64) chart.Field {
	f := chart.Field{NX: 200, NY: 200, X0: -1, X1: 1, Y0: -1, Y1: 1}
	for _, r := range rows {
		f.Z = append(f.Z, r...)
	}
	return f
}

// up returns amounts along the line.
func (d *data) up(k int) []float64 {
	out := make([]float64, len(d.Wave))
	for i, v := range d.Wave {
		out[i] = float64(k) + math.Abs(v)
	}
	return out
}

// directions returns directions in degrees.
func (d *data) directions() []float64 {
	out := make([]float64, len(d.X))
	for i := range out {
		out[i] = 180 + 60*d.X[i]
	}
	return out
}

// figureCase is a figure that both sides draw.
type figureCase struct {
	name string
	make func() display.Displayer
}

// processorTime returns the CPU time of all threads of the process.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cases returns the figures in the order of the report. Their names are those in
// matplotlib_cases.py.
func cases(d *data) []figureCase {
	return []figureCase{
		{"line, 1000 points", func() display.Displayer { return chart.Plot(d.T, d.Wave).Title("wave").X("t").Y("value") }},
		{"scatter, 10000 points", func() display.Displayer { return chart.Scatter(d.X, d.Y).X("x").Y("y") }},
		{"scatter, 10000 points in 3 classes", func() display.Displayer { return chart.Scatter(d.X, d.Y, d.Label) }},
		{"histogram, 100000 values", func() display.Displayer { return chart.Hist(d.Sample) }},
		{"bars, 5", func() display.Displayer { return chart.Bar(d.Names, d.Heights) }},
		{"heat map, 200×200", func() display.Displayer { return chart.New().HeatField(d.field(d.Matrix)) }},
		{"contours, 200×200", func() display.Displayer { return chart.New().Contour(d.field(d.Matrix)) }},
		{"regions, 200×200, with 300 points", func() display.Displayer {
			return chart.New().Region(d.field(d.Class), nil).Names("a", "b", "c").Points(d.X[:300], d.Y[:300]).By(d.Label[:300]).XRange(-1, 1).YRange(-1, 1)
		}},
		{"5-nearest-neighbor regions, 200×200, of 300 points", func() display.Displayer {
			x := mat.NewDense(300, 2, nil)
			x.SetCol(0, d.X[:300])
			x.SetCol(1, d.Y[:300])
			m := &neighbors.KNN{K: 5}
			if err := m.Fit(x, d.Label[:300]); err != nil {
				log.Fatal(err)
			}
			return course.Regions(m, x, d.Label[:300])
		}},
		{"density, 10000 values", func() display.Displayer { return chart.KDE(d.X).Fill() }},
		{"density of two variables, 10000 points", func() display.Displayer { return chart.KDE2D(d.X, d.Y).Fill() }},
		{"violins, 10000 values in 3 classes", func() display.Displayer { return chart.Violin(d.Label, d.X) }},
		{"strips, 150 values", func() display.Displayer { return chart.Strip(d.Species, d.Flowers[0]) }},
		{"swarms, 150 values", func() display.Displayer { return chart.Swarm(d.Species, d.Flowers[0]) }},
		{"distribution function, 100000 values", func() display.Displayer { return chart.ECDF(d.Sample) }},
		{"quantiles, 10000 values", func() display.Displayer { return chart.QQ(d.X) }},
		{"regression with band, 300 points", func() display.Displayer { return chart.Regression(d.X[:300], d.Y[:300]) }},
		{"lowess, 300 points", func() display.Displayer { return chart.Regression(d.X[:300], d.Y[:300]).Lowess().NoIntervals() }},
		{"hexagons, 100000 points", func() display.Displayer { return chart.Hexbin(d.Many[0][:100000], d.Many[1][:100000]) }},
		{"ridgeline, 3 classes", func() display.Displayer { return chart.Ridgeline(d.Species, d.Flowers[0]) }},
		{"pairs, 4 variables, 150 points", func() display.Displayer { return chart.Pairs(rows(d.Flowers)).By(d.Species) }},
		{"joint, 150 points", func() display.Displayer { return chart.Joint(d.Flowers[0], d.Flowers[1]) }},
		{"clustered heat map, 150×4", func() display.Displayer { return course.Clustermap(rows(d.Flowers)) }},
		{"scatter, 1000000 points", func() display.Displayer { return chart.Scatter(d.Many[0], d.Many[1]) }},
		{"grid of 6 lines", func() display.Displayer {
			var c []*chart.Chart
			for range 6 {
				c = append(c, chart.Plot(d.T, d.Wave))
			}
			return chart.Grid(c...)
		}},
		{"stacked areas, 4 of 1000 points", func() display.Displayer { return chart.StackedArea(d.T, d.up(1), d.up(2), d.up(3), d.up(4)) }},
		{"parallel coordinates, 300 rows of 4", func() display.Displayer {
			x := mat.NewDense(300, 4, d.X[:1200])
			return chart.ParallelCoordinates(x).By(d.Label[:300])
		}},
		{"streamlines", func() display.Displayer {
			return chart.Streamlines(func(x, y float64) (float64, float64) { return -1 - x*x + y, 1 + x - y*y }, -3, 3, -3, 3)
		}},
		{"two axes", func() display.Displayer {
			return chart.Plot(d.T, d.Wave).Y("left").Line(d.T, d.up(2)).Right("right")
		}},
		{"polar line, 1000 points", func() display.Displayer { return polar.Plot(d.T, d.up(1)) }},
		{"rose of 10000 directions", func() display.Displayer { return polar.Rose(d.directions()) }},
		{"points in space, 1000", func() display.Displayer {
			return plot3d.Scatter(d.X[:1000], d.Y[:1000], d.X[1000:2000], d.Label[:1000])
		}},
		{"surface, 40×40", func() display.Displayer {
			return plot3d.Surface(func(x, y float64) float64 { return math.Cos(2*math.Hypot(x, y)) * math.Exp(-0.2*(x*x+y*y)) }, -3, 3, -3, 3)
		}},
	}
}

// rows transposes columns to rows.
func rows(columns [][]float64) [][]float64 {
	out := make([][]float64, len(columns[0]))
	for i := range out {
		for _, c := range columns {
			out[i] = append(out[i], c[i])
		}
	}
	return out
}

func main() {
	log.SetFlags(0)
	python := flag.String("python", "python3", "the Python that has matplotlib")
	runs := flag.Int("runs", 15, "renderings of each figure, of which the median counts")
	only := flag.String("only", "", "draw the figures whose name contains this")
	processor := flag.Bool("processor", false, "measure CPU time")
	flag.Parse()
	clock, named := func() time.Duration { return time.Duration(time.Now().UnixNano()) }, "elapsed"
	if *processor {
		clock, named = processorTime, "processor"
	}
	d := makeData()
	dir, err := os.MkdirTemp("", "bench-display")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "data.json")
	content, err := json.Marshal(d)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o600); err != nil {
		log.Fatal(err)
	}
	type result struct{ ms, svg, png float64 } // medians; sizes in bytes
	ours := map[string]result{}
	shown := slices.DeleteFunc(cases(d), func(c figureCase) bool { return !strings.Contains(c.name, *only) })
	for _, c := range shown {
		var times []float64
		var r result
		for range *runs {
			start := clock()
			b, err := c.make().Display()
			if err != nil {
				log.Fatalf("%s: %v", c.name, err)
			}
			times = append(times, float64((clock()-start).Microseconds())/1000)
			r.svg, r.png = float64(len(b.Data[display.MIMESVG].(string))), float64(len(b.Data[display.MIMEPNG].([]byte)))
		}
		slices.Sort(times)
		r.ms = times[len(times)/2]
		ours[c.name] = r
	}
	program := filepath.Join(dir, "matplotlib_cases.py")
	if err := os.WriteFile(program, theirCases, 0o600); err != nil {
		log.Fatal(err)
	}
	cmd := exec.Command(*python, program, file, fmt.Sprint(*runs), named, *only)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		log.Fatalf("matplotlib: %v", err)
	}
	var theirs struct {
		Version string
		Results map[string][3]float64
	}
	if err := json.Unmarshal(out, &theirs); err != nil {
		log.Fatalf("matplotlib: %v", err)
	}
	fmt.Printf("%s, %d CPUs, matplotlib %s. Median of %d runs, %s time, SVG and PNG together.\n\n", runtime.Version(), runtime.NumCPU(), theirs.Version, *runs, named)
	fmt.Println("| figure | here, ms | matplotlib, ms | faster | SVG here, kB | SVG there, kB | PNG here, kB | PNG there, kB |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, c := range shown {
		a, b := ours[c.name], theirs.Results[c.name]
		fmt.Printf("| %s | %.1f | %.1f | %.1f× | %.0f | %.0f | %.0f | %.0f |\n", c.name, a.ms, b[0], b[0]/a.ms, a.svg/1000, b[1]/1000, a.png/1000, b[2]/1000)
	}
}
