package persist

import (
	"math/rand/v2"

	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/snapshot"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/optim"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/reduce"
	"github.com/gokernel/gokernel/mlstd/structured"
	"github.com/gokernel/gokernel/mlstd/svm"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// models are the types that Save takes.
var models = []any{
	(*ensemble.AdaBoost)(nil),
	(*ensemble.AdaBoostM1)(nil),
	(*ensemble.Bagging)(nil),
	(*ensemble.BaggingRegressor)(nil),
	(*ensemble.GradientBoosting)(nil),
	(*ensemble.GradientBoostingRanker)(nil),
	(*ensemble.GradientBoostingRegressor)(nil),
	(*ensemble.RandomForest)(nil),
	(*ensemble.RandomForestRegressor)(nil),

	(*eval.Pipeline)(nil),
	(*eval.ProbPipeline)(nil),
	(*eval.RegressorPipeline)(nil),
	(*eval.Search)(nil),

	(*kernel.GaussianProcess)(nil),
	(*kernel.KernelLeastSquares)(nil),
	(*kernel.KernelPCA)(nil),
	(*kernel.KernelPerceptron)(nil),
	(*kernel.KernelRidge)(nil),
	(*kernel.MistakePerceptron)(nil),

	(*linear.ElasticNet)(nil),
	(*linear.LMS)(nil),
	(*linear.Lasso)(nil),
	(*linear.LinearRegression)(nil),
	(*linear.LogisticMLE)(nil),
	(*linear.LogisticRegression)(nil),
	(*linear.MaxEntropy)(nil),
	(*linear.PolynomialRegression)(nil),
	(*linear.Ridge)(nil),
	(*linear.SigmoidUnit)(nil),
	(*linear.SoftmaxRegression)(nil),

	(*neighbors.KNN)(nil),
	(*neighbors.KNNRegressor)(nil),
	(*neighbors.LocallyWeighted)(nil),
	(*neighbors.PrototypeClassifier)(nil),

	(*online.Elimination)(nil),
	(*online.LinearLearner)(nil),
	(*online.MulticlassPerceptron)(nil),
	(*online.PassiveAggressive)(nil),
	(*online.Perceptron)(nil),
	(*online.ThresholdPerceptron)(nil),
	(*online.VersionSpace)(nil),
	(*online.VotedPerceptron)(nil),
	(*online.Winnow)(nil),

	(*prep.ConjunctionFeatures)(nil),
	(*prep.FeatureIndex)(nil),
	(*prep.Imputer)(nil),
	(*prep.MinMaxScaler)(nil),
	(*prep.OneHotEncoder)(nil),
	(*prep.PolynomialFeatures)(nil),
	(*prep.RowNormalizer)(nil),
	(*prep.StandardScaler)(nil),
	(*prep.ThermometerEncoder)(nil),
	(*prep.VarianceThreshold)(nil),
	(*prep.Vocabulary)(nil),

	(*reduce.AllVsAll)(nil),
	(*reduce.CollectiveClassifier)(nil),
	(*reduce.CostSensitive)(nil),
	(*reduce.Costing)(nil),
	(*reduce.OneVsAll)(nil),
	(*reduce.OutputCode)(nil),
	(*reduce.PairwiseRanker)(nil),
	(*reduce.TreeReduction)(nil),

	(*structured.SequencePerceptron)(nil),

	(*svm.CalibratedSVC)(nil),
	(*svm.HardMarginSVM)(nil),
	(*svm.LinearSVC)(nil),
	(*svm.NuSVC)(nil),
	(*svm.NuSVR)(nil),
	(*svm.Pegasos)(nil),
	(*svm.PlattSMO)(nil),
	(*svm.SVC)(nil),
	(*svm.SVR)(nil),
	(*svm.SubgradientSVM)(nil),

	(*tree.DecisionStump)(nil),
	(*tree.DecisionTree)(nil),
	(*tree.MajorityClassifier)(nil),
	(*tree.MeanRegressor)(nil),
	(*tree.RegressionTree)(nil),
}

// parts are the types that models hold in fields of interface type.
var parts = []any{
	(*rand.PCG)(nil),

	kernel.ConjunctionKernel{}, kernel.ExpKernel{}, kernel.IndexedKernel{}, kernel.LinearKernel{},
	kernel.MappedKernel{}, kernel.ModulatedKernel{}, kernel.MonomialKernel{}, kernel.NormalizedKernel{},
	kernel.OrderedMonomialKernel{}, kernel.PolynomialKernel{}, kernel.PolynomialOfKernel{},
	kernel.ProductKernel{}, kernel.QuadraticFormKernel{}, kernel.RBF(0), kernel.ScaledKernel{},
	kernel.SigmoidKernel{}, kernel.SumKernel{},

	optim.ConstantRate(0), optim.InverseRate{}, optim.InverseSqrtRate(0), optim.StrongConvexRate{},
	optim.AbsoluteLoss{}, optim.EpsilonInsensitiveLoss{}, optim.ExponentialLoss{}, optim.HingeLoss{},
	optim.HuberLoss{}, optim.LogisticLoss{}, optim.PerceptronLoss{}, optim.SquaredHingeLoss{},
	optim.SquaredLoss{}, optim.ZeroOneLoss{}, optim.L1Penalty{}, optim.L2Penalty{},

	eval.KFold{}, eval.LeaveOneOut{}, eval.ShuffleSplit{}, eval.StratifiedKFold{},
}

func init() {
	snapshot.Register(models...)
	snapshot.Register(parts...)
}
