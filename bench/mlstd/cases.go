package main

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/optim"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/reduce"
	"github.com/gokernel/gokernel/mlstd/svm"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// bench is one case, in course size and in large size. The script identifies it by its name.
type bench struct {
	family, name, kind string
	sizes              [2]size
	quality            string
	run                runner
	// slower explains why a case is not faster, and what was tried.
	slower string
	// memory measures the maximum heap in the large size.
	memory bool
}

// Reasons that several slower cases share.
const (
	columns    = "coordinate descent updates one column after another, so it uses one processor, as in scikit-learn. Before that, all processors center and copy the columns."
	histograms = "between the histograms, one core orders the examples of a node and chooses the next node."
)

var sizeNames = [2]string{"course", "large"}

const (
	accuracy  = "accuracy"
	r2        = "R²"
	objective = "objective"
	magnitude = "mean size"
)

// Sizes that several cases share.
var (
	linearSizes   = [2]size{{n: 1000, test: 1000, cols: 10}, {n: 100000, test: 10000, cols: 50}}
	treeSizes     = [2]size{{n: 1500, test: 1500, cols: 10}, {n: 100000, test: 100000, cols: 50}}
	ensembleSizes = [2]size{{n: 1000, test: 1000, cols: 10}, {n: 20000, test: 10000, cols: 30}}
	histSizes     = [2]size{{n: 1000, test: 1000, cols: 10}, {n: 100000, test: 10000, cols: 20}}
	kernelSizes   = [2]size{{n: 500, test: 500, cols: 10}, {n: 2000, test: 2000, cols: 20}}
	machineSizes  = [2]size{{n: 1000, test: 1000, cols: 10}, {n: 5000, test: 5000, cols: 20}}
	nearSizes     = [2]size{{n: 1000, test: 1000, cols: 20}, {n: 20000, test: 50000, cols: 20}}
	lowSizes      = [2]size{{n: 1000, test: 1000, cols: 3}, {n: 100000, test: 50000, cols: 3}}
	sparseSizes   = [2]size{{n: 5000, test: 5000, cols: 1000}, {n: 1000000, test: 100000, cols: 100000}}
	wideSizes     = [2]size{{n: 1000, test: 1000, cols: 5000}, {n: 5000, test: 5000, cols: 20000}}
	prepSizes     = [2]size{{n: 1000, cols: 10}, {n: 100000, cols: 50}}
	wordSizes     = [2]size{{n: 5000, test: 5000, cols: 1000}, {n: 100000, test: 100000, cols: 10000}}
	countSizes    = [2]size{{n: 1000, cols: 1}, {n: 1000000, cols: 1}}
)

// Consecutive cases with the same kind and sizes share their data.
var cases = []bench{
	{family: "linear", name: "LinearRegression", kind: realKind, sizes: linearSizes, quality: r2,
		run: regressor(func() *linear.LinearRegression { return &linear.LinearRegression{} })},
	{family: "linear", name: "Ridge", kind: realKind, sizes: linearSizes, quality: r2,
		run: regressor(func() *linear.Ridge { return &linear.Ridge{} })},
	{family: "linear", name: "Lasso", kind: realKind, sizes: linearSizes, quality: objective,
		slower: columns,
		run: regressorBy(func() *linear.Lasso { return &linear.Lasso{Lambda: 0.01, Tol: 1e-4} },
			func(m *linear.Lasso, d *dataset) float64 { return elastic(m.Coef, m.Predict(d.train), d, 0.01, 1) })},
	{family: "linear", name: "ElasticNet", kind: realKind, sizes: linearSizes, quality: objective,
		slower: columns,
		run: regressorBy(func() *linear.ElasticNet { return &linear.ElasticNet{Lambda: 0.01, Tol: 1e-4} },
			func(m *linear.ElasticNet, d *dataset) float64 {
				return elastic(m.Coef, m.Predict(d.train), d, 0.01, 0.5)
			})},
	{family: "linear", name: "LogisticRegression", kind: twoKind, sizes: linearSizes, quality: objective,
		run: classifierBy(func() *linear.LogisticRegression { return &linear.LogisticRegression{Tol: 1e-4} },
			func(m *linear.LogisticRegression, d *dataset) float64 {
				return crossEntropy(m.PredictProba(d.train), m.Coef, d)
			})},
	{family: "optim", name: "SGD", kind: twoKind, sizes: linearSizes, quality: accuracy, slower: "both libraries wait for memory, because rows are visited in random order. Trace also needs the objective of all examples after each pass, which scikit-learn does not compute.",
		run: stochastic},
	{family: "svm", name: "LinearSVC", kind: twoKind, sizes: linearSizes, quality: objective,
		run: classifierBy(func() *svm.LinearSVC { return &svm.LinearSVC{} }, func(m *svm.LinearSVC, d *dataset) float64 { return hinge(m, d, 2) })},
	{family: "svm", name: "Pegasos", kind: twoKind, sizes: linearSizes, quality: accuracy,
		slower: "randomly drawn rows are read from memory one by one, and Trace needs the objective after each pass.",
		run:    classifier(func() *svm.Pegasos { return &svm.Pegasos{Epochs: 5} })},
	{family: "linear", name: "SoftmaxRegression", kind: fiveKind, sizes: linearSizes, quality: objective,
		run: classifierBy(func() *linear.SoftmaxRegression { return &linear.SoftmaxRegression{Tol: 1e-4} },
			func(m *linear.SoftmaxRegression, d *dataset) float64 {
				return crossEntropy(m.PredictProba(d.train), m.Coef, d)
			})},
	{family: "svm", name: "LinearSVC, hinge", kind: planeKind, sizes: ensembleSizes, quality: objective,
		run: classifierBy(func() *svm.LinearSVC { return &svm.LinearSVC{Hinge: true} }, func(m *svm.LinearSVC, d *dataset) float64 { return hinge(m, d, 1) })},
	{family: "svm", name: "LinearSVC, sparse", kind: wideKind, sizes: wideSizes, quality: objective,
		run: classifierBy(func() *svm.LinearSVC { return &svm.LinearSVC{} }, func(m *svm.LinearSVC, d *dataset) float64 { return hinge(m, d, 2) })},
	{family: "linear", name: "LogisticRegression, sparse", kind: wideKind, sizes: wideSizes, quality: objective,
		run: classifierBy(func() *linear.LogisticRegression { return &linear.LogisticRegression{Tol: 1e-4} },
			func(m *linear.LogisticRegression, d *dataset) float64 {
				return crossEntropy(m.PredictProba(d.csr), m.Coef, d)
			})},
	{family: "linear", name: "Ridge, sparse", kind: wideKind, sizes: wideSizes, quality: r2,
		slower: "both use conjugate gradients to the same tolerance. scikit-learn solves the dual problem, whose vectors have one entry per row instead of one per column, four times as many here.",
		run:    regressor(func() *linear.Ridge { return &linear.Ridge{} })},

	{family: "tree", name: "DecisionTree, entropy", kind: twoKind, sizes: treeSizes, quality: accuracy,
		slower: "predicting reads rows in double precision, twice as much memory as scikit-learn's copy in single precision.",
		run:    classifier(func() *tree.DecisionTree { return &tree.DecisionTree{MaxDepth: 12} })},
	{family: "tree", name: "DecisionTree, Gini", kind: twoKind, sizes: treeSizes, quality: accuracy,
		slower: "predicting reads rows in double precision, twice as much memory as scikit-learn's copy in single precision.",
		run:    classifier(func() *tree.DecisionTree { return &tree.DecisionTree{Criterion: tree.Gini, MaxDepth: 12} })},
	{family: "tree", name: "RegressionTree", kind: realKind, sizes: treeSizes, quality: r2,
		slower: "predicting reads rows in double precision, twice as much memory as scikit-learn's copy in single precision.",
		run:    regressor(func() *tree.RegressionTree { return &tree.RegressionTree{MaxDepth: 12} })},

	{family: "ensemble", name: "RandomForest", kind: twoKind, sizes: ensembleSizes, quality: accuracy,
		slower: "predicting reads 50 trees of about 5,000 nodes from memory, with rows in double precision; scikit-learn has single precision.",
		run:    classifier(func() *ensemble.RandomForest { return &ensemble.RandomForest{Trees: 50, Criterion: tree.Gini} })},
	{family: "ensemble", name: "Bagging", kind: twoKind, sizes: ensembleSizes, quality: accuracy,
		run: classifier(func() *ensemble.Bagging {
			return &ensemble.Bagging{Size: 10, New: func() model.Classifier { return &tree.DecisionTree{Criterion: tree.Gini} }}
		})},
	{family: "ensemble", name: "AdaBoost", kind: twoKind, sizes: ensembleSizes, quality: accuracy,
		run: classifier(func() *ensemble.AdaBoost { return &ensemble.AdaBoost{} })},
	{family: "ensemble", name: "GradientBoosting", kind: twoKind, sizes: ensembleSizes, quality: accuracy,
		slower: "predicting 10,000 rows takes less than a tenth of a second in both, mostly for passes over the rows.",
		run:    classifier(func() *ensemble.GradientBoosting { return &ensemble.GradientBoosting{Rounds: 50} })},
	{family: "ensemble", name: "GradientBoostingRegressor", kind: realKind, sizes: ensembleSizes, quality: r2,
		slower: "predicting reads rows in double precision, twice as much memory as scikit-learn's copy in single precision.",
		run:    regressor(func() *ensemble.GradientBoostingRegressor { return &ensemble.GradientBoostingRegressor{Rounds: 50} })},
	{family: "ensemble", name: "HistGradientBoosting", kind: twoKind, sizes: histSizes, quality: accuracy,
		slower: histograms,
		run:    classifier(func() *ensemble.HistGradientBoosting { return &ensemble.HistGradientBoosting{} })},
	{family: "ensemble", name: "HistGradientBoostingRegressor", kind: realKind, sizes: histSizes, quality: r2,
		slower: histograms,
		run:    regressor(func() *ensemble.HistGradientBoostingRegressor { return &ensemble.HistGradientBoostingRegressor{} })},
	{family: "ensemble", name: "RandomForestRegressor", kind: realKind, sizes: ensembleSizes, quality: r2,
		slower: "predicting reads leaf values from nodes at random places in memory, because boosting can change them.",
		run: regressor(func() *ensemble.RandomForestRegressor {
			return &ensemble.RandomForestRegressor{Trees: 20, FeaturesPerSplit: 10, MinLeaf: 1}
		})},

	{family: "neighbors", name: "KNN, brute force", kind: twoKind, sizes: nearSizes, quality: accuracy,
		slower: "fitting copies the rows and packs them centered in single precision, while scikit-learn only keeps a reference. Prediction saves much more time than this costs.",
		run:    classifier(func() *neighbors.KNN { return &neighbors.KNN{Search: neighbors.BruteForce} })},
	{family: "neighbors", name: "KNN, k-d tree", kind: twoKind, sizes: lowSizes, quality: accuracy,
		slower: "building a tree with one row per node, which the course shows, takes longer than leaves of thirty rows.",
		run:    classifier(func() *neighbors.KNN { return &neighbors.KNN{Search: neighbors.KDTreeSearch} })},
	{family: "neighbors", name: "KNNRegressor", kind: realKind, sizes: lowSizes, quality: r2,
		slower: "the same reason as for the k-d tree above.",
		run:    regressor(func() *neighbors.KNNRegressor { return &neighbors.KNNRegressor{Weights: neighbors.InverseDistance} })},

	{family: "online", name: "Perceptron", kind: sparseKind, sizes: sparseSizes, quality: accuracy,
		slower: "both libraries wait for memory, because weights are at random places.",
		run:    classifier(func() *online.Perceptron { return &online.Perceptron{Epochs: 3} })},
	{family: "online", name: "Perceptron, averaged", kind: sparseKind, sizes: sparseSizes, quality: accuracy,
		run: classifier(func() *online.Perceptron { return &online.Perceptron{Epochs: 3, Average: true} })},
	{family: "online", name: "PassiveAggressive", kind: sparseKind, sizes: sparseSizes, quality: accuracy,
		slower: "both libraries wait for memory, because weights are at random places.",
		run:    classifier(func() *online.PassiveAggressive { return &online.PassiveAggressive{Epochs: 3} })},

	{family: "svm", name: "SVC", kind: twoKind, sizes: machineSizes, quality: accuracy,
		run: classifier(func() *svm.SVC { return &svm.SVC{} })},
	{family: "svm", name: "CalibratedSVC", kind: twoKind, sizes: machineSizes, quality: accuracy,
		run: classifier(func() *svm.CalibratedSVC { return &svm.CalibratedSVC{} })},
	{family: "svm", name: "SVC, five classes", kind: fiveKind, sizes: machineSizes, quality: accuracy,
		run: classifier(func() *svm.SVC { return &svm.SVC{} })},
	{family: "svm", name: "SVR", kind: realKind, sizes: machineSizes, quality: r2,
		run: regressor(func() *svm.SVR { return &svm.SVR{} })},
	{family: "svm", name: "NuSVR", kind: realKind, sizes: machineSizes, quality: r2,
		run: regressor(func() *svm.NuSVR { return &svm.NuSVR{} })},
	{family: "svm", name: "NuSVC", kind: twoKind, sizes: machineSizes, quality: accuracy,
		run: classifier(func() *svm.NuSVC { return &svm.NuSVC{} })},
	{family: "svm", name: "NuSVC, five classes", kind: fiveKind, sizes: machineSizes, quality: accuracy,
		run: classifier(func() *svm.NuSVC { return &svm.NuSVC{} })},

	{family: "kernel", name: "KernelRidge", kind: realKind, sizes: kernelSizes, quality: r2,
		run: regressor(func() *kernel.KernelRidge { return &kernel.KernelRidge{Kernel: kernel.RBF(0.05)} })},
	{family: "kernel", name: "GaussianProcess", kind: realKind, sizes: kernelSizes, quality: r2,
		run: regressor(func() *kernel.GaussianProcess {
			return &kernel.GaussianProcess{Kernel: kernel.RBF(0.05), Noise: 0.1}
		})},
	{family: "kernel", name: "KernelPCA", kind: realKind, sizes: kernelSizes, quality: magnitude,
		slower: "the Lanczos method works in blocks of 8 vectors, which are too narrow to use two cores fully, and most of the rest is small decompositions.",
		run:    transformer(func() *kernel.KernelPCA { return &kernel.KernelPCA{Kernel: kernel.RBF(0.05), Components: 5} })},
	{family: "kernel", name: "KernelPCA, all components", kind: realKind, sizes: kernelSizes, quality: magnitude,
		slower: "half of the reduction to a tridiagonal matrix is matrix-vector products, which wait for memory in both libraries.",
		run:    transformer(func() *kernel.KernelPCA { return &kernel.KernelPCA{Kernel: kernel.RBF(0.05)} })},

	{family: "prep", name: "StandardScaler", kind: realKind, sizes: prepSizes, quality: magnitude,
		slower: "the result is written to new memory, which takes most of the time in both libraries.",
		run:    transformer(func() *prep.StandardScaler { return &prep.StandardScaler{} })},
	{family: "prep", name: "MinMaxScaler", kind: realKind, sizes: prepSizes, quality: magnitude,
		slower: "the result is written to new memory, which takes most of the time in both libraries.",
		run:    transformer(func() *prep.MinMaxScaler { return &prep.MinMaxScaler{} })},
	{family: "prep", name: "Imputer", kind: realKind, sizes: prepSizes, quality: magnitude,
		run: transformer(func() *prep.Imputer { return &prep.Imputer{} })},
	{family: "prep", name: "PolynomialFeatures", kind: realKind, sizes: [2]size{{n: 1000, cols: 10}, {n: 20000, cols: 30}}, quality: magnitude,
		slower: "fitting checks for NaN, Inf and products that overflow, in one pass each, while scikit-learn checks for NaN and Inf only.",
		run:    transformer(func() *prep.PolynomialFeatures { return &prep.PolynomialFeatures{} })},
	{family: "prep", name: "OneHotEncoder", kind: levelKind, sizes: [2]size{{n: 1000, cols: 5}, {n: 100000, cols: 10}}, quality: magnitude,
		run: transformer(func() *prep.OneHotEncoder { return &prep.OneHotEncoder{} })},
	{family: "prep", name: "Vocabulary", kind: textKind, sizes: [2]size{{n: 200}, {n: 20000}}, quality: "entries",
		slower: "most of the time goes into splitting texts into words and looking them up, in both.",
		run: once(func(d *dataset) (float64, error) {
			v := &prep.Vocabulary{}
			err := v.Learn(d.texts)
			return float64(v.Count(d.texts).Len()), err
		})},

	{family: "eval", name: "AUC", kind: scoreKind, sizes: countSizes, quality: "AUC",
		run: once(func(d *dataset) (float64, error) { return eval.AUC(d.class, d.x.RawMatrix().Data, 1), nil })},
	{family: "eval", name: "ROC", kind: scoreKind, sizes: countSizes, quality: "area",
		run: once(func(d *dataset) (float64, error) { return eval.ROC(d.class, d.x.RawMatrix().Data, 1).AUC(), nil })},
	{family: "eval", name: "AveragePrecision", kind: scoreKind, sizes: countSizes, quality: "AP",
		run: once(func(d *dataset) (float64, error) {
			return eval.AveragePrecision(d.class, d.x.RawMatrix().Data, 1), nil
		})},
	{family: "eval", name: "Confusion", kind: verdictKind, sizes: countSizes, quality: accuracy,
		run: once(func(d *dataset) (float64, error) { return eval.Confusion(d.class, verdicts(d)).Accuracy(), nil })},
	{family: "eval", name: "MacroF1", kind: verdictKind, sizes: countSizes, quality: "F₁",
		run: once(func(d *dataset) (float64, error) { return eval.MacroF1(d.class, verdicts(d)), nil })},
	{family: "eval", name: "CrossValidate", kind: twoKind, sizes: ensembleSizes, quality: accuracy,
		run: once(func(d *dataset) (float64, error) {
			r, err := eval.CrossValidateWith(func() model.Classifier {
				return &eval.Pipeline{Steps: []model.Transformer{&prep.StandardScaler{}}, Model: &linear.LogisticRegression{Tol: 1e-4}}
			}, d.train, d.class[:d.n], eval.StratifiedKFold{K: 5}, "accuracy", eval.Accuracy)
			if err != nil {
				return 0, err
			}
			return r.Mean(), nil
		})},

	{family: "prob", name: "GaussianNB", kind: twoKind, sizes: linearSizes, quality: accuracy,
		run: classifier(func() *prob.GaussianNB { return &prob.GaussianNB{} })},
	{family: "prob", name: "LDA", kind: fiveKind, sizes: linearSizes, quality: accuracy,
		run: classifier(func() *prob.LDA { return &prob.LDA{} })},
	{family: "prob", name: "QDA", kind: fiveKind, sizes: linearSizes, quality: accuracy,
		run: classifier(func() *prob.QDA { return &prob.QDA{} })},
	{family: "prob", name: "MultinomialNB", kind: sparseKind, sizes: wordSizes, quality: accuracy,
		run: classifier(func() *prob.MultinomialNB { return &prob.MultinomialNB{} })},
	{family: "prob", name: "BernoulliNB", kind: sparseKind, sizes: wordSizes, quality: accuracy,
		run: classifier(func() *prob.BernoulliNB { return &prob.BernoulliNB{} })},
	{family: "prob", name: "CategoricalNB", kind: levelKind, sizes: [2]size{{n: 1000, test: 1000, cols: 5}, {n: 100000, test: 100000, cols: 10}}, quality: accuracy,
		run: classifier(func() *prob.CategoricalNB { return &prob.CategoricalNB{} })},

	{family: "nn", name: "MLPClassifier", kind: fiveKind, sizes: ensembleSizes, quality: accuracy,
		slower: products,
		run: classifier(func() *nn.MLPClassifier {
			return &nn.MLPClassifier{Hidden: []int{256, 128}, Batch: 200, Epochs: 5}
		})},

	{family: "reduce", name: "OneVsAll", kind: fiveKind, sizes: ensembleSizes, quality: accuracy,
		slower: "predicting is one product of 10,000 rows and five weights in both, which takes a few milliseconds.",
		run:    classifier(func() *reduce.OneVsAll { return &reduce.OneVsAll{New: logistic} })},
	{family: "reduce", name: "AllVsAll", kind: fiveKind, sizes: ensembleSizes, quality: accuracy,
		run: classifier(func() *reduce.AllVsAll { return &reduce.AllVsAll{New: logistic} })},
	{family: "reduce", name: "OutputCode", kind: fiveKind, sizes: ensembleSizes, quality: accuracy,
		run: classifier(func() *reduce.OutputCode { return &reduce.OutputCode{New: logistic, Soft: true} })},
}

func init() { cases = append(cases, clusterCases...) }

func logistic() model.Classifier { return &linear.LogisticRegression{Tol: 1e-4} }

func verdicts(d *dataset) []int {
	out := make([]int, len(d.class))
	for i, v := range d.x.RawMatrix().Data {
		out[i] = int(v)
	}
	return out
}

// elastic returns ‖y − ŷ‖²/2n + λ(ρ‖θ‖₁ + (1−ρ)/2·‖θ‖²).
func elastic(coef, predicted []float64, d *dataset, lambda, ratio float64) float64 {
	s := 0.0
	for _, v := range coef {
		s += lambda * (ratio*math.Abs(v) + (1-ratio)/2*v*v)
	}
	return s + eval.MSE(d.target[:d.n], predicted)/2
}

// crossEntropy returns the mean of −log P(y) plus ‖θ‖²/2n.
func crossEntropy(proba, coef *mat.Dense, d *dataset) float64 {
	s := 0.0
	for i, k := range d.class[:d.n] {
		s -= math.Log(proba.At(i, k))
	}
	f := mat.Norm(coef, 2)
	return (s + f*f/2) / float64(d.n)
}

// hinge returns the mean of max(0, 1 − y·f)^power plus ‖(w, b)‖²/2n.
func hinge(m *svm.LinearSVC, d *dataset, power float64) float64 {
	train, _ := d.parts()
	f := m.Decision(train)
	s := m.Intercept[0] * m.Intercept[0] / 2
	for _, v := range m.Coef.RawRowView(0) {
		s += v * v / 2
	}
	for i, k := range d.class[:d.n] {
		s += math.Pow(max(0, 1-float64(2*k-1)*f.At(i, 0)), power)
	}
	return s / float64(d.n)
}

// stochastic makes five passes of logistic regression with a step of 0.01.
func stochastic(d *dataset) (r measured, err error) {
	y := make([]float64, d.n)
	for i, k := range d.class[:d.n] {
		y[i] = float64(2*k - 1)
	}
	watch := stopwatch()
	f := &optim.LinearRisk{X: d.train, Y: y, Loss: optim.LogisticLoss{}, Intercept: true}
	s := &optim.SGD{Rate: optim.ConstantRate(0.01), Epochs: 5}
	found, err := s.Minimize(f, make([]float64, d.cols+1))
	if err != nil {
		return r, err
	}
	r.Fit, r.FitCPU = watch()
	right := 0
	for i := d.n; i < len(d.class); i++ {
		score := found.X[d.cols]
		for j, v := range d.x.RawRowView(i) {
			score += v * found.X[j]
		}
		if (score > 0) == (d.class[i] == 1) {
			right++
		}
	}
	r.Quality = float64(right) / float64(d.size.test)
	return r, nil
}
