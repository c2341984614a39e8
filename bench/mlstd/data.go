package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/bayesnet"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// The kinds of data.
const (
	realKind    = "real"    // normal columns, a real target
	twoKind     = "two"     // the same, its sign as two classes
	planeKind   = "plane"   // two classes, separated by a plane except for noise
	fiveKind    = "five"    // five classes
	levelKind   = "levels"  // columns of ten levels each, two classes
	sparseKind  = "sparse"  // rows with twenty active features, two classes
	wideKind    = "wide"    // the same with thirty active features and real values, all equally frequent
	textKind    = "texts"   // sentences of fifty words
	scoreKind   = "scores"  // classes 0 and 1 with a score
	verdictKind = "verdict" // ten classes with a prediction
	cloudKind   = "clouds"  // twenty clouds that overlap a little
	networkKind = "network" // the network ALARM, as BIF
	digitKind   = "digits"  // the library's digits, drawn 28 by 28, repeated
)

// size is the shape of data: rows to learn from, rows to predict, columns.
type size struct {
	kind          string
	n, test, cols int
}

func (s size) String() string {
	switch s.kind {
	case textKind:
		return thousands(s.n) + " texts"
	case scoreKind, verdictKind:
		return thousands(s.n)
	case networkKind:
		return thousands(s.n) + " queries"
	}
	return fmt.Sprintf("%s x %s", thousands(s.n), thousands(s.cols))
}

// thousands formats 100000 as 100,000.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// dataset is data of one size, in memory and in a file for the script.
type dataset struct {
	size
	path         string
	x            *mat.Dense
	csr, csrTest *sparse.CSR
	target       []float64
	class        []int // the target as classes
	texts        []string
	train, test  *mat.Dense
}

func newDataset(s size, dir string) (*dataset, error) {
	d := &dataset{size: s, path: filepath.Join(dir, fmt.Sprintf("%s-%d-%d.bin", s.kind, s.n, s.cols))}
	switch s.kind {
	case sparseKind:
		// Low numbers are frequent, as in word frequencies.
		return d, d.sparse(20, func(rng *rand.Rand) (int, float64) { return int(math.Pow(float64(s.cols), rng.Float64())) - 1, 1 })
	case wideKind:
		return d, d.sparse(30, func(rng *rand.Rand) (int, float64) { return rng.IntN(s.cols), 0.5 + rng.Float64() })
	case textKind:
		return d, d.sentences()
	case networkKind:
		return d, d.network()
	}
	rng := model.Rand(7, 0)
	rows := s.n + s.test
	d.x, d.target = mat.NewDense(rows, s.cols, nil), make([]float64, rows)
	if s.kind == digitKind {
		d.pictures()
	} else {
		for i := range rows {
			d.target[i] = draw[s.kind](d.x.RawRowView(i), rng)
		}
	}
	d.class = make([]int, rows)
	for i, v := range d.target {
		d.class[i] = int(v)
	}
	d.train = d.x.Slice(0, s.n, 0, s.cols).(*mat.Dense)
	if s.test > 0 {
		d.test = d.x.Slice(s.n, rows, 0, s.cols).(*mat.Dense)
	}
	return d, d.write(d.x.RawMatrix().Data, d.target)
}

func (d *dataset) drop() {
	if d.path != "" {
		_ = os.Remove(d.path)
	}
}

// draw fills a row and returns its target.
var draw = map[string]func(row []float64, rng *rand.Rand) float64{
	realKind: curved,
	twoKind: func(row []float64, rng *rand.Rand) float64 {
		if curved(row, rng) > 0 {
			return 1
		}
		return 0
	},
	planeKind: func(row []float64, rng *rand.Rand) float64 {
		s := 0.0
		for j := range row {
			row[j] = rng.NormFloat64()
			s += row[j] / float64(j+1)
		}
		if s+0.3*rng.NormFloat64() > 0 {
			return 1
		}
		return 0
	},
	fiveKind: func(row []float64, rng *rand.Rand) float64 {
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		best, most := 0, math.Inf(-1)
		for k := range 5 {
			s := 0.5 * rng.NormFloat64()
			for j := k; j < len(row); j += 5 {
				s += row[j] / float64(1+j/5)
			}
			if s > most {
				best, most = k, s
			}
		}
		return float64(best)
	},
	levelKind: func(row []float64, rng *rand.Rand) float64 {
		s := 0.0
		for j := range row {
			row[j] = float64(rng.IntN(10))
			s += row[j] - 4.5
		}
		if s > 0 {
			return 1
		}
		return 0
	},
	cloudKind: func(row []float64, rng *rand.Rand) float64 {
		k := rng.IntN(20)
		for j := range row {
			// The centers of the clouds are computed from their numbers.
			row[j] = 6*math.Sin(float64(7*k+3*j*j+k*j)) + rng.NormFloat64()
		}
		return float64(k)
	},
	scoreKind: func(row []float64, rng *rand.Rand) float64 {
		y := float64(rng.IntN(2))
		row[0] = 1 / (1 + math.Exp(-y-rng.NormFloat64()))
		return y
	},
	verdictKind: func(row []float64, rng *rand.Rand) float64 {
		y := float64(rng.IntN(10))
		row[0] = y
		if rng.IntN(4) == 0 {
			row[0] = float64(rng.IntN(10))
		}
		return y
	},
}

// curved is a partly linear function with noise.
func curved(row []float64, rng *rand.Rand) float64 {
	t := 0.0
	for j := range row {
		row[j] = rng.NormFloat64()
		t += row[j] / float64(j+1)
	}
	return t + row[0]*row[1] + math.Sin(2*row[2]) + 0.3*rng.NormFloat64()
}

// sparse draws rows with some active features from draw.
func (d *dataset) sparse(active int, draw func(rng *rand.Rand) (column int, value float64)) error {
	rng := model.Rand(7, 0)
	weights := make([]float64, d.cols)
	for j := range weights {
		weights[j] = rng.NormFloat64()
	}
	rows := d.n + d.size.test
	d.csr, d.csrTest = sparse.NewCSR(d.cols), sparse.NewCSR(d.cols)
	d.target, d.class = make([]float64, rows), make([]int, rows)
	starts, columns, values := []int64{0}, []int32(nil), []float64(nil)
	index, value := make([]int, 0, active), make([]float64, 0, active)
	for i := range rows {
		index, value = index[:0], value[:0]
		s := rng.NormFloat64()
		for len(index) < active {
			j, v := draw(rng)
			at, found := slices.BinarySearch(index, j)
			if found {
				continue
			}
			index, value = slices.Insert(index, at, j), slices.Insert(value, at, v)
			s += weights[j] * v
		}
		if s > 0 {
			d.target[i], d.class[i] = 1, 1
		}
		if i < d.n {
			d.csr.AppendRow(index, value)
		} else {
			d.csrTest.AppendRow(index, value)
		}
		for _, j := range index {
			columns = append(columns, int32(j))
		}
		values = append(values, value...)
		starts = append(starts, int64(len(columns)))
	}
	return d.write(starts, columns, values, d.target)
}

// sentences draws texts of invented words, some of them frequent.
func (d *dataset) sentences() error {
	rng := model.Rand(7, 0)
	words := make([]string, 5000)
	for i := range words {
		var b strings.Builder
		for range 2 + rng.IntN(3) {
			b.WriteByte("bcdfghklmnprst"[rng.IntN(14)])
			b.WriteByte("aeiou"[rng.IntN(5)])
		}
		words[i] = b.String()
	}
	for range d.n {
		text := make([]string, 50)
		for k := range text {
			text[k] = words[int(math.Pow(float64(len(words)), rng.Float64()))-1]
		}
		d.texts = append(d.texts, strings.Join(text, " "))
	}
	return os.WriteFile(d.path, []byte(strings.Join(d.texts, "\n")), 0o666)
}

// network writes the network, and stores the queried names in alphabetical order.
func (d *dataset) network() error {
	net := bayesnet.AlarmMonitoring()
	for _, name := range net.Order() {
		if name != "HRBP" && name != "CVP" {
			d.texts = append(d.texts, name)
		}
	}
	slices.Sort(d.texts)
	return net.WriteBIF(d.path)
}

// write appends the parts in little-endian format.
func (d *dataset) write(parts ...any) error {
	f, err := os.Create(d.path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	for _, p := range parts {
		if err := binary.Write(w, binary.LittleEndian, p); err != nil {
			return err
		}
	}
	return w.Flush()
}
