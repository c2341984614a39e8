package kernel

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// WorkComparison counts the multiplications of one pass of the perceptron over m examples, in its
// primal and in its dual form.
type WorkComparison struct {
	Features  float64 // t₂, the dimensions of the feature space
	Primal    float64 // t₂·m
	Dual      float64 // t₁·m²: a kernel of t₁ multiplications against m examples each
	Crossover float64 // the number of examples t₂/t₁ above which the primal form is cheaper
	UseDual   bool
}

// CompareWork reports which form of a learner is cheaper for m examples of n columns and the
// polynomial kernel up to the given degree d, which has C(n+d, d) features:
//
//	dual t₁·m² against primal t₂·m, t₁ = n, t₂ = C(n+d, d)
//
// With many examples, computing the features explicitly is cheaper; with many features, using the
// kernel is cheaper.
//
// Course: KER-27.
func CompareWork(m, n, degree int) WorkComparison {
	if m < 1 || n < 1 || degree < 1 {
		panic(model.Errorf("CompareWork", "m, n and degree must be at least 1, got %d, %d and %d", m, n, degree))
	}
	features := 1.0
	for i := 1; i <= degree; i++ {
		features = features * float64(n+i) / float64(i)
	}
	features = math.Round(features)
	w := WorkComparison{Features: features, Primal: features * float64(m), Dual: float64(n) * float64(m) * float64(m), Crossover: features / float64(n)}
	w.UseDual = w.Dual < w.Primal
	return w
}

// FeatureMargin is the result of [MaxMargin].
type FeatureMargin struct {
	Margin    float64   // half the distance of the classes' convex hulls in feature space; 0 if they meet
	Radius    float64   // of the examples around their mean in feature space, the largest distance
	Ratio     float64   // Margin/Radius, which does not change when features are scaled
	Bound     float64   // (Radius/Margin)²: the perceptron's mistakes, up to a constant
	Separable bool      // the hulls are apart
	Alpha     []float64 // the nearest points of the hulls: weights of the examples, summing to 1 in each class
}

// MaxMargin finds the largest margin with which a hyperplane in feature space
// separates two classes, labeled −1 and +1.
//
//	2·Margin = min ‖Σ_{y=+1} αᵢφ(xᵢ) − Σ_{y=−1} αᵢφ(xᵢ)‖,  α ≥ 0, Σ_{y=+1} α = Σ_{y=−1} α = 1
//
// It uses the rule of Mitchell, Demyanov and Malozemov, which moves weight from the worst example
// of a class to the best example. More features can separate classes that fewer features cannot
// separate. But if fewer features suffice, Ratio may fall with more features, and the guarantee for
// new examples becomes weaker.
//
// Cost: O(n²) memory, O(n) per step.
//
// References: [MitchellDemyanovMalozemov1974]. Course: KER-28.
func MaxMargin(k Kernel, x mat.Matrix, y []int) (*FeatureMargin, error) {
	const op = "MaxMargin"
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return nil, err
	}
	if err := CheckKernel(op, k); err != nil {
		return nil, err
	}
	first := map[int]int{}
	for i, label := range y {
		if label != 1 && label != -1 {
			return nil, model.Errorf(op, "y[%d] must be -1 or +1, got %d", i, label)
		}
		if _, ok := first[label]; !ok {
			first[label] = i
		}
	}
	if len(first) < 2 {
		return nil, model.Errorf(op, "y must have two classes, got only one")
	}
	g := Gram(k, d)
	alpha, zz := nearestPoints(g, y, first)
	m := &FeatureMargin{Margin: math.Sqrt(zz) / 2, Alpha: alpha, Radius: radius(g)}
	m.Separable = m.Margin > 0
	m.Ratio = m.Margin / m.Radius
	m.Bound = math.Inf(1)
	if m.Separable {
		m.Bound = 1 / (m.Ratio * m.Ratio)
	}
	return m, nil
}

// nearestPoints finds the two nearest points of the convex hulls of the classes: the
// weights of the examples in them, and the squared distance zz, 0 where the hulls
// meet. It begins with the first example of each class, and moves weight between
// two examples of one class.
func nearestPoints(g *mat.SymDense, y []int, first map[int]int) (alpha []float64, zz float64) {
	n := len(y)
	alpha = make([]float64, n)
	score := make([]float64, n) // score: z·φ(xᵢ) of the difference z
	for label, i := range first {
		alpha[i] = 1
		for j := range n {
			score[j] += float64(label) * g.At(i, j)
		}
	}
	scale := 0.0
	for i := range n {
		scale = max(scale, math.Abs(g.At(i, i)))
	}
	for range 200000 {
		zz = 0
		for i, a := range alpha {
			zz += a * float64(y[i]) * score[i]
		}
		if zz <= 1e-10*scale {
			zz = 0
			break
		}
		// For each class the example to which, and from which, weight should move.
		to, from := map[int]int{1: -1, -1: -1}, map[int]int{1: -1, -1: -1}
		for i, label := range y {
			s := float64(label) * score[i]
			if t := to[label]; t < 0 || s < float64(label)*score[t] {
				to[label] = i
			}
			if f := from[label]; alpha[i] > 0 && (f < 0 || s > float64(label)*score[f]) {
				from[label] = i
			}
		}
		class, gap := 1, score[from[1]]-score[to[1]]
		if other := score[to[-1]] - score[from[-1]]; other > gap {
			class, gap = -1, other
		}
		if gap <= 1e-9*zz {
			break
		}
		i, j := to[class], from[class]
		curvature := g.At(i, i) + g.At(j, j) - 2*g.At(i, j)
		step := alpha[j]
		if curvature > 0 {
			step = min(step, gap/curvature)
		}
		alpha[i] += step
		alpha[j] -= step
		for m := range n {
			score[m] += float64(class) * step * (g.At(i, m) - g.At(j, m))
		}
	}
	return alpha, zz
}

// radius is the largest distance of an example from the mean in feature space.
func radius(g *mat.SymDense) float64 {
	n := g.SymmetricDim()
	mean, total := make([]float64, n), 0.0
	for i := range n {
		for j := range n {
			mean[i] += g.At(i, j) / float64(n)
		}
		total += mean[i] / float64(n)
	}
	r := 0.0
	for i := range n {
		r = max(r, g.At(i, i)-2*mean[i]+total)
	}
	return math.Sqrt(max(0, r))
}

// DegreeTrial is one line of [DegreeCurve].
type DegreeTrial struct {
	Degree                int
	Margin, Ratio         float64 // of the training examples in the feature space
	TrainError, TestError float64 // of the kernel perceptron
	Converged             bool
}

// DegreeCurve demonstrates the effect of more features with the dual perceptron and polynomial
// kernels of degree 1 to maxDegree. The perceptron learns from n examples and predicts 2000 new
// examples. The two classes are inside and outside a band around a line, and depend only on the
// first of two columns. The smallest sufficient degree is 2; higher degrees fit the training
// examples equally well and the new examples worse.
//
// Course: KER-28.
func DegreeCurve(n, maxDegree int, seed uint64) ([]DegreeTrial, error) {
	if n < 10 || maxDegree < 1 {
		return nil, model.Errorf("DegreeCurve", "n must be at least 10 and maxDegree at least 1, got %d and %d", n, maxDegree)
	}
	rng := model.Rand(seed, 0)
	draw := func(n int) (*mat.Dense, []int) {
		x, y := mat.NewDense(n, 2, nil), make([]int, n)
		for i := range n {
			a := 2*rng.Float64() - 1
			x.SetRow(i, []float64{a, 2*rng.Float64() - 1})
			y[i] = 1
			if math.Abs(a) > 0.5 {
				y[i] = -1
			}
		}
		return x, y
	}
	x, y := draw(n)
	tx, ty := draw(2000)
	var out []DegreeTrial
	for d := 1; d <= maxDegree; d++ {
		k := PolynomialKernel{Degree: d, C: 1}
		p := KernelPerceptron{Kernel: k, Epochs: 2000}
		if err := p.Fit(x, y); err != nil {
			return nil, err
		}
		m, err := MaxMargin(k, x, y)
		if err != nil {
			return nil, err
		}
		out = append(out, DegreeTrial{Degree: d, Margin: m.Margin, Ratio: m.Ratio, Converged: p.Converged,
			TrainError: errorRate(p.Predict(x), y), TestError: errorRate(p.Predict(tx), ty)})
	}
	return out, nil
}

func errorRate(got, want []int) float64 {
	wrong := 0
	for i, c := range got {
		if c != want[i] {
			wrong++
		}
	}
	return float64(wrong) / float64(len(want))
}
