// Command sheet draws thirteen figures with this library, seaborn and Altair, from the same data
// in the same run, and puts them next to each other:
//
//	go run ./bench/display/sheet -python python3 -out docs/images
package main

import (
	_ "embed"
	"encoding/csv"
	"flag"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/verbs"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/frame"
)

//go:embed theirs.py
var theirs []byte

// figures returns the figures in the order of the sheet.
func figures(iris *data.Dataset, points *frame.Frame) []struct {
	name string
	made display.Displayer
} {
	const l, w, pl, pw, species = "sepal length", "sepal width", "petal length", "petal width", "class"
	by := iris.X.Target.Name
	if by == "" {
		by = species
	}
	return []struct {
		name string
		made display.Displayer
	}{
		{"density", verbs.KDE(iris, l).By(by).Fill()},
		{"histogram", verbs.Hist(iris, pl).By(by)},
		{"violin", verbs.Violin(iris, by, l)},
		{"swarm", verbs.Swarm(iris, by, l).By(by)},
		{"box", verbs.BoxPlot(iris, by, w)},
		{"ecdf", verbs.ECDF(iris, l).By(by).DirectLabels()},
		{"regression", verbs.Regression(iris, l, w).By(by)},
		{"lowess", verbs.Regression(iris, pl, l).Lowess()},
		{"hexagons", verbs.Joint(points, "x", "y").Kind("hex")},
		{"density2d", verbs.KDE2D(iris, l, w).By(by).Fill()},
		{"pairs", verbs.Pairs(iris, l, w, pl).Density()},
		{"joint", verbs.Joint(iris, pl, pw).By(by)},
		{"clustermap", verbs.Clustermap(iris).Standardize("columns").Size(420, 420)},
	}
}

func main() {
	log.SetFlags(0)
	python := flag.String("python", "python3", "the Python that has seaborn, altair, vl-convert-python and Pillow")
	out := flag.String("out", "docs/images", "the folder of the sheets")
	flag.Parse()
	dir, err := os.MkdirTemp("", "sheet")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	r := rand.New(rand.NewPCG(1, 1))
	x, y := make([]float64, 10000), make([]float64, 10000)
	rows := [][]string{{"x", "y"}}
	for i := range x {
		x[i] = r.NormFloat64()
		y[i] = 0.6*x[i] + 0.7*r.NormFloat64()
		rows = append(rows, []string{strconv.FormatFloat(x[i], 'g', -1, 64), strconv.FormatFloat(y[i], 'g', -1, 64)})
	}
	f, err := os.Create(filepath.Join(dir, "points.csv"))
	if err != nil {
		log.Fatal(err)
	}
	if err := csv.NewWriter(f).WriteAll(rows); err != nil {
		log.Fatal(err)
	}
	points, err := frame.New(frame.FloatColumn("x", x), frame.FloatColumn("y", y))
	if err != nil {
		log.Fatal(err)
	}
	names := []string{}
	for _, fig := range figures(data.Iris(), points) {
		b, err := fig.made.Display()
		if err != nil {
			log.Fatalf("%s: %v", fig.name, err)
		}
		if err := os.WriteFile(filepath.Join(dir, "here-"+fig.name+".png"), b.Data[display.MIMEPNG].([]byte), 0o600); err != nil {
			log.Fatal(err)
		}
		names = append(names, fig.name)
	}
	program := filepath.Join(dir, "theirs.py")
	if err := os.WriteFile(program, theirs, 0o600); err != nil {
		log.Fatal(err)
	}
	cmd := exec.Command(*python, append([]string{program, dir, *out}, names...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		log.Fatal(err)
	}
}
