package data_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
)

// within asserts a sample mean within three standard errors of the truth; the
// seeds are fixed, so that the test does not depend on luck.
func within(t *testing.T, what string, values []float64, want float64) {
	t.Helper()
	mean, sd := stat.MeanStdDev(values, nil)
	if se := sd / math.Sqrt(float64(len(values))); math.Abs(mean-want) > 3*se+1e-12 {
		t.Errorf("%s: mean %v, want %v within 3·%v", what, mean, want, se)
	}
}

func column(d *data.Dataset, j, class int) []float64 {
	var v []float64
	for i, y := range d.Y {
		if y == class {
			v = append(v, d.X.At(i, j))
		}
	}
	return v
}

func TestCORE26_Generators(t *testing.T) {
	x := data.UniformCube(2000, 3, 1)
	for j := range 3 {
		within(t, "cube", mat.Col(nil, j, x), 0.5)
	}
	if mat.Min(x) < 0 || mat.Max(x) >= 1 {
		t.Error("a point is outside the unit cube")
	}

	b := data.Blobs(500, [][]float64{{0, 3}, {-2, 1}, {5, 5}}, 0.7, 2)
	for c, mu := range [][]float64{{0, 3}, {-2, 1}, {5, 5}} {
		for j, m := range mu {
			v := column(b, j, c)
			within(t, fmt.Sprint("blob ", c), v, m)
			if sd := stat.StdDev(v, nil); math.Abs(sd-0.7) > 3*0.7/math.Sqrt(2*500) {
				t.Errorf("blob %d: deviation %v, want 0.7", c, sd)
			}
		}
	}

	g := data.GaussianClasses(2000, 2, 3)
	within(t, "neg x1", column(g, 0, 0), 8)
	within(t, "neg x2", column(g, 1, 0), 11)
	within(t, "pos x1", column(g, 0, 1), -4)
	within(t, "pos x2", column(g, 1, 1), 10)
	share := make([]float64, g.Len())
	for i, y := range g.Y {
		share[i] = float64(y)
	}
	within(t, "share of pos", share, 0.5) // drawn for each example, not once (E0-36)

	m := data.TwoMoons(300, 0, 4)
	for i, y := range m.Y {
		a, b := m.X.At(i, 0), m.X.At(i, 1)
		if y == 1 {
			a, b = 1-a, 0.5-b
		}
		if math.Abs(math.Hypot(a, b)-1) > 1e-12 || b < 0 {
			t.Fatalf("row %d is not on its half circle", i)
		}
	}

	d := data.Discs(1000, 0.2, 5)
	for i, y := range d.Y {
		r := math.Hypot(d.X.At(i, 0), d.X.At(i, 1))
		if (y == 0 && r > 1) || (y == 1 && (r < 1.2 || r > 2.2)) {
			t.Fatalf("row %d of class %d has radius %v", i, y, r)
		}
	}
	within(t, "x1 in the disc", column(d, 0, 0), 0)

	q := data.NoisyXOR(200, 0, 6)
	for i, y := range q.Y {
		if (q.X.At(i, 0) < 0) != (q.X.At(i, 1) < 0) != (y == 1) {
			t.Fatalf("row %d is not exclusive or", i)
		}
	}
	flipped := data.NoisyXOR(1000, 0.1, 6)
	wrong := make([]float64, flipped.Len())
	for i, y := range flipped.Y {
		if (flipped.X.At(i, 0) < 0) != (flipped.X.At(i, 1) < 0) != (y == 1) {
			wrong[i] = 1
		}
	}
	within(t, "share of flipped", wrong, 0.1)

	relevant := []int{1, 4, 7}
	h := data.HiddenConjunction(400, 10, relevant, 7)
	for i, y := range h.Y {
		all := true
		for _, j := range relevant {
			all = all && h.X.At(i, j) == 1
		}
		if all != (y == 1) {
			t.Fatalf("row %d: the conjunction is %v, the class %d", i, all, y)
		}
	}
	within(t, "an irrelevant feature", column(h, 0, 1), 0.5)

	w := data.ThresholdOfMany(400, 1000, 100, 10, 60, 8)
	for i, y := range w.Y {
		on, total := 0.0, mat.Sum(w.X.RowView(i))
		for j := range 100 {
			on += w.X.At(i, j)
		}
		if total != 60 || (on >= 10) != (y == 1) {
			t.Fatalf("row %d of class %d: %v of 100 relevant, %v in all", i, y, on, total)
		}
	}

	coins := data.Coins(4000, 9)
	product := make([]float64, coins.Len())
	for i, y := range coins.Y {
		product[i] = (coins.X.At(i, 0) - 0.5) * (float64(y) - 0.5)
	}
	within(t, "covariance of two coins", product, 0)

	l := data.NoisyPlane(500, []float64{2, -1}, 3, 0, 10)
	for i, y := range l.Target {
		if math.Abs(2*l.X.At(i, 0)-l.X.At(i, 1)+3-y) > 1e-12 {
			t.Fatalf("row %d is not on the plane", i)
		}
	}
	c := data.NoisyCurve(500, math.Sin, 0, 6, 0.3, 11)
	residual := make([]float64, 500)
	for i, y := range c.Target {
		residual[i] = y - math.Sin(c.X.At(i, 0))
	}
	within(t, "noise of the curve", residual, 0)
}

func TestGeneratorsAreSeeded(t *testing.T) {
	a, b, c := data.TwoMoons(20, 0.1, 1), data.TwoMoons(20, 0.1, 1), data.TwoMoons(20, 0.1, 2)
	if !mat.Equal(a.X, b.X) || !cmp.Equal(a.Y, b.Y) {
		t.Error("the same seed gave other points")
	}
	if mat.Equal(a.X, c.X) {
		t.Error("another seed gave the same points")
	}
}

func TestGeneratorMisuse(t *testing.T) {
	for name, f := range map[string]func(){
		"n":         func() { data.TwoMoons(0, 1, 0) },
		"noise":     func() { data.TwoMoons(1, math.NaN(), 0) },
		"feature":   func() { data.HiddenConjunction(1, 3, []int{3}, 0) },
		"threshold": func() { data.ThresholdOfMany(1, 10, 5, 6, 5, 0) },
		"interval":  func() { data.NoisyCurve(1, math.Sin, 1, 1, 0, 0) },
		"flip":      func() { data.NoisyXOR(1, 2, 0) },
		"weights":   func() { data.NoisyPlane(1, nil, 0, 0, 0) },
		"three":     func() { data.Iris().SplitThree(0.5, 0.5, 0) },
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				var e *model.Error
				if !errors.As(err, &e) {
					t.Errorf("%s: got %v, want a *model.Error", name, err)
				}
			}()
			f()
		}()
	}
}

func TestCORE12_SplitThree(t *testing.T) {
	train, tune, test := data.Iris().SplitThree(0.2, 0.2, 1)
	for _, part := range []struct {
		name string
		d    *data.Dataset
		want int
	}{{"train", train, 90}, {"tune", tune, 30}, {"test", test, 30}} {
		if part.d.Len() != part.want {
			t.Errorf("%s: %d rows, want %d", part.name, part.d.Len(), part.want)
		}
		counts := part.d.ClassCounts()
		if counts[0] != counts[1] || counts[1] != counts[2] {
			t.Errorf("%s: classes %v are not balanced", part.name, counts)
		}
	}
}

func TestMessages(t *testing.T) {
	m := data.Messages()
	counts := [2]int{}
	for i, y := range m.Y {
		counts[y]++
		if len(m.Texts[i]) < 10 {
			t.Errorf("text %d is %q", i, m.Texts[i])
		}
	}
	if counts != [2]int{32, 32} {
		t.Errorf("classes %v, want 32 each", counts)
	}
}

func ExampleBlobs() {
	d := data.Blobs(50, [][]float64{{0, 0}, {4, 4}}, 1, 1)
	fmt.Println(d.Len(), d.ClassCounts())
	// Output: 100 [50 50]
}
