package bayesnet_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/bayesnet"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
)

// leveled returns rows of values 0 to 2 that distinguish three classes.
func leveled() (*mat.Dense, []int) {
	rng := model.Rand(42, 0)
	x, y := mat.NewDense(72, 4, nil), make([]int, 72)
	for i := range y {
		y[i] = i % 3
		for j := range 4 {
			v := rng.IntN(3)
			if rng.Float64() < 0.85 {
				v = (y[i] + j) % 3
			}
			x.Set(i, j, float64(v))
		}
	}
	return x, y
}

func TestConformance(t *testing.T) {
	x, y := leveled()
	for _, c := range []struct {
		name string
		make func() model.Classifier
	}{
		{"NaiveNetwork", func() model.Classifier { return &bayesnet.NaiveNetwork{} }},
		{"NaiveNetwork, no smoothing", func() model.Classifier { return &bayesnet.NaiveNetwork{Alpha: model.Zero} }},
		{"TAN", func() model.Classifier { return &bayesnet.TAN{} }},
		{"ChowLiuClassifier", func() model.Classifier { return &bayesnet.ChowLiuClassifier{} }},
	} {
		t.Run(c.name, func(t *testing.T) { modeltest.Classifier(t, c.make, modeltest.Options{X: x, Y: y}) })
	}
}

func Example() {
	alarm := bayesnet.Alarm()
	fmt.Println(alarm.Query("Burglary").Given("John", true, "Mary", true))
	fmt.Println(alarm.MarkovBlanket("Burglary"))
	fmt.Println(alarm.Separation("Burglary", "Earthquake", "John"))
	fmt.Println(alarm.Given("John", true, "Mary", true).MostProbable())
	// Output:
	// P(Burglary | John=true, Mary=true)  true 0.2842  false 0.7158
	// [Earthquake Alarm]
	// Burglary and Earthquake are dependent given John
	// Burglary → Alarm ← Earthquake: open
	// Burglary=false, Earthquake=false, Alarm=true  (probability 0.3014)
}

func ExampleChowLiu() {
	tree, err := bayesnet.ChowLiu(bayesnet.Student().Sample(5000, 1), "Grade")
	if err != nil {
		panic(err)
	}
	for _, name := range tree.Order() {
		fmt.Println(name, tree.Parents(name))
	}
	// Output:
	// Grade []
	// Letter [Grade]
	// Difficulty [Grade]
	// Intelligence [Grade]
	// SAT [Intelligence]
}

func ExampleStructureSearch() {
	search := bayesnet.StructureSearch{}
	if err := search.Learn(bayesnet.Student().Sample(5000, 1)); err != nil {
		panic(err)
	}
	fmt.Println(search.Net, search.Moves[0].Operator)
	// Output: BIC network: 5 variables, 5 arrows add
}

func BenchmarkQueryMonitoring(b *testing.B) {
	e := bayesnet.AlarmMonitoring().Given("HRBP", "HIGH", "CO", "LOW", "BP", "LOW")
	for b.Loop() {
		e.Query("HYPOVOLEMIA")
	}
}

func BenchmarkJunctionTreeMonitoring(b *testing.B) {
	e := bayesnet.AlarmMonitoring().Given("HRBP", "HIGH", "CO", "LOW", "BP", "LOW")
	for b.Loop() {
		e.Bars()
	}
}

func BenchmarkStructureSearch(b *testing.B) {
	x := bayesnet.AlarmMonitoring().Sample(5000, 1)
	for b.Loop() {
		s := bayesnet.StructureSearch{}
		if err := s.Learn(x); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkChowLiu(b *testing.B) {
	x := bayesnet.AlarmMonitoring().Sample(5000, 1)
	for b.Loop() {
		if _, err := bayesnet.ChowLiu(x); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTAN(b *testing.B) {
	x, y := leveled()
	for b.Loop() {
		if err := (&bayesnet.TAN{}).Fit(x, y); err != nil {
			b.Fatal(err)
		}
	}
}
