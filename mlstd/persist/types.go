package persist

import (
	"math/rand/v2"

	"github.com/gokernel/gokernel/mlstd/anomaly"
	"github.com/gokernel/gokernel/mlstd/bayesnet"
	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/snapshot"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/latent"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/manifold"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/optim"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/recommend"
	"github.com/gokernel/gokernel/mlstd/reduce"
	"github.com/gokernel/gokernel/mlstd/regress"
	"github.com/gokernel/gokernel/mlstd/rl"
	"github.com/gokernel/gokernel/mlstd/rules"
	"github.com/gokernel/gokernel/mlstd/semi"
	"github.com/gokernel/gokernel/mlstd/series"
	"github.com/gokernel/gokernel/mlstd/structured"
	"github.com/gokernel/gokernel/mlstd/survival"
	"github.com/gokernel/gokernel/mlstd/svm"
	"github.com/gokernel/gokernel/mlstd/theory"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// models are the types that Save takes.
var models = []any{
	(*regress.MixedRegression)(nil),
	(*regress.RegressionModel)(nil),
	(*series.ARIMAModel)(nil),
	(*series.ETSModel)(nil),
	(*survival.CoxModel)(nil),

	(*bayesnet.BayesEM)(nil),
	(*bayesnet.BayesNetwork)(nil),
	(*bayesnet.ChowLiuClassifier)(nil),
	(*bayesnet.NaiveNetwork)(nil),
	(*bayesnet.SparseCandidate)(nil),
	(*bayesnet.StructureSearch)(nil),
	(*bayesnet.TAN)(nil),
	(*anomaly.GaussianDetector)(nil),
	(*anomaly.IsolationForest)(nil),
	(*anomaly.LocalOutlierFactor)(nil),
	(*anomaly.OneClassSVM)(nil),
	(*anomaly.RobustCovariance)(nil),

	(*cluster.Agglomerative)(nil),
	(*cluster.DBSCAN)(nil),
	(*cluster.Documents)(nil),
	(*cluster.HDBSCAN)(nil),
	(*cluster.KMeans)(nil),
	(*cluster.KMedoids)(nil),
	(*cluster.KModes)(nil),
	(*cluster.MeanShift)(nil),
	(*cluster.MiniBatchKMeans)(nil),
	(*cluster.SpectralClustering)(nil),

	(*decomp.FactorAnalysis)(nil),
	(*decomp.FastICA)(nil),
	(*decomp.FeatureHasher)(nil),
	(*decomp.InfomaxICA)(nil),
	(*decomp.NMF)(nil),
	(*decomp.PCA)(nil),
	(*decomp.PowerIteration)(nil),
	(*decomp.RandomProjection)(nil),
	(*decomp.SoftImpute)(nil),
	(*decomp.TruncatedSVD)(nil),
	(*decomp.WordVectors)(nil),

	(*ensemble.AdaBoost)(nil),
	(*ensemble.AdaBoostM1)(nil),
	(*ensemble.Bagging)(nil),
	(*ensemble.BaggingRegressor)(nil),
	(*ensemble.ExtraTrees)(nil),
	(*ensemble.ExtraTreesRegressor)(nil),
	(*ensemble.GradientBoosting)(nil),
	(*ensemble.GradientBoostingRanker)(nil),
	(*ensemble.GradientBoostingRegressor)(nil),
	(*ensemble.HistGradientBoosting)(nil),
	(*ensemble.HistGradientBoostingRegressor)(nil),
	(*ensemble.RandomForest)(nil),
	(*ensemble.RandomForestRegressor)(nil),
	(*ensemble.Stacking)(nil),
	(*ensemble.StackingRegressor)(nil),
	(*ensemble.Voting)(nil),
	(*ensemble.VotingRegressor)(nil),

	(*eval.Calibrated)(nil),
	(*eval.IsotonicRegression)(nil),
	(*eval.Pipeline)(nil),
	(*eval.ProbPipeline)(nil),
	(*eval.RegressorPipeline)(nil),
	(*eval.Search)(nil),
	(*eval.RegressorSearch)(nil),

	(*kernel.GaussianProcess)(nil),
	(*kernel.KernelLeastSquares)(nil),
	(*kernel.KernelPCA)(nil),
	(*kernel.KernelPerceptron)(nil),
	(*kernel.KernelRidge)(nil),
	(*kernel.MistakePerceptron)(nil),
	(*kernel.Nystroem)(nil),
	(*kernel.RandomFourier)(nil),

	(*latent.BernoulliMixture)(nil),
	(*latent.GaussianHMM)(nil),
	(*latent.GaussianMixture)(nil),
	(*latent.HMM)(nil),
	(*latent.MultinomialMixture)(nil),

	(*linear.ElasticNet)(nil),
	(*linear.ElasticNetCV)(nil),
	(*linear.GammaRegressor)(nil),
	(*linear.HuberRegressor)(nil),
	(*linear.LMS)(nil),
	(*linear.Lasso)(nil),
	(*linear.LassoCV)(nil),
	(*linear.LinearRegression)(nil),
	(*linear.LogisticMLE)(nil),
	(*linear.LogisticRegression)(nil),
	(*linear.MaxEntropy)(nil),
	(*linear.PolynomialRegression)(nil),
	(*linear.PoissonRegressor)(nil),
	(*linear.QuantileRegressor)(nil),
	(*linear.Ridge)(nil),
	(*linear.RidgeCV)(nil),
	(*linear.SGDClassifier)(nil),
	(*linear.SGDRegressor)(nil),
	(*linear.SigmoidUnit)(nil),
	(*linear.SoftmaxRegression)(nil),

	(*manifold.Isomap)(nil),
	(*manifold.LLE)(nil),
	(*manifold.MDS)(nil),
	(*manifold.TSNE)(nil),

	(*neighbors.KNN)(nil),
	(*neighbors.KNNRegressor)(nil),
	(*neighbors.LocallyWeighted)(nil),
	(*neighbors.NeighborIndex)(nil),
	(*neighbors.PrototypeClassifier)(nil),

	(*nn.Autoencoder)(nil),
	(*nn.Diffusion)(nil),
	(*nn.MLPClassifier)(nil),
	(*nn.MLPRegressor)(nil),
	(*nn.Network)(nil),
	(*nn.NetworkClassifier)(nil),
	(*nn.NetworkRegressor)(nil),
	(*nn.StackedAutoencoder)(nil),
	(*nn.VAE)(nil),

	(*online.Elimination)(nil),
	(*online.LinearLearner)(nil),
	(*online.MulticlassPerceptron)(nil),
	(*online.PassiveAggressive)(nil),
	(*online.Perceptron)(nil),
	(*online.ThresholdPerceptron)(nil),
	(*online.VersionSpace)(nil),
	(*online.VotedPerceptron)(nil),
	(*online.Winnow)(nil),

	(*prep.Columns)(nil),
	(*prep.ConjunctionFeatures)(nil),
	(*prep.FeatureIndex)(nil),
	(*prep.Imputer)(nil),
	(*prep.IterativeImputer)(nil),
	(*prep.KBins)(nil),
	(*prep.KNNImputer)(nil),
	(*prep.MaxAbsScaler)(nil),
	(*prep.MinMaxScaler)(nil),
	(*prep.OneHotEncoder)(nil),
	(*prep.OrdinalEncoder)(nil),
	(*prep.PolynomialFeatures)(nil),
	(*prep.PowerTransformer)(nil),
	(*prep.QuantileTransformer)(nil),
	(*prep.RFE)(nil),
	(*prep.RobustScaler)(nil),
	(*prep.RowNormalizer)(nil),
	(*prep.SelectFromModel)(nil),
	(*prep.SelectKBest)(nil),
	(*prep.SelectPercentile)(nil),
	(*prep.StandardScaler)(nil),
	(*prep.TargetEncoder)(nil),
	(*prep.TextEncoder)(nil),
	(*prep.ThermometerEncoder)(nil),
	(*prep.Union)(nil),
	(*prep.UnknownAsMissing)(nil),
	(*prep.VarianceThreshold)(nil),
	(*prep.Vocabulary)(nil),

	(*prob.BernoulliNB)(nil),
	(*prob.CategoricalNB)(nil),
	(*prob.ComplementNB)(nil),
	(*prob.DiscriminantProjection)(nil),
	(*prob.GaussianNB)(nil),
	(*prob.JointClassifier)(nil),
	(*prob.LDA)(nil),
	(*prob.MultinomialNB)(nil),
	(*prob.NaiveBayes)(nil),
	(*prob.QDA)(nil),

	(*recommend.FactorRecommender)(nil),
	(*recommend.ImplicitRecommender)(nil),
	(*recommend.LowRankRecommender)(nil),
	(*recommend.NeighborRecommender)(nil),

	(*reduce.AllVsAll)(nil),
	(*reduce.CollectiveClassifier)(nil),
	(*reduce.CostSensitive)(nil),
	(*reduce.Costing)(nil),
	(*reduce.OneVsAll)(nil),
	(*reduce.OutputCode)(nil),
	(*reduce.PairwiseRanker)(nil),
	(*reduce.TreeReduction)(nil),

	(*rl.ActorCritic)(nil),
	(*rl.BanditLearner)(nil),
	(*rl.DQN)(nil),
	(*rl.LinearQ)(nil),
	(*rl.QLearning)(nil),
	(*rl.Reinforce)(nil),
	(*rl.SARSA)(nil),
	(*rl.TD)(nil),

	(*rules.C45Rules)(nil),
	(*rules.CandidateElimination)(nil),
	(*rules.DecisionList)(nil),
	(*rules.FOIL)(nil),
	(*rules.RIPPER)(nil),
	(*rules.SequentialCovering)(nil),
	(*semi.CoTraining)(nil),
	(*semi.LabelPropagation)(nil),
	(*semi.LabelSpreading)(nil),
	(*semi.SelfTraining)(nil),
	(*semi.SemiNaiveBayes)(nil),
	(*semi.TransductiveSVM)(nil),

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

	(*theory.FilterBoost)(nil),

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
	kernel.SigmoidKernel{}, kernel.SumKernel{}, kernel.LengthKernel{}, kernel.MaternKernel{}, kernel.PeriodicKernel{},
	kernel.RationalQuadraticKernel{},

	optim.ConstantRate(0), optim.InverseRate{}, optim.InverseSqrtRate(0), optim.PowerRate{}, optim.StrongConvexRate{},
	optim.AbsoluteLoss{}, optim.EpsilonInsensitiveLoss{}, optim.ExponentialLoss{}, optim.HingeLoss{},
	optim.HuberLoss{}, optim.LogisticLoss{}, optim.PerceptronLoss{}, optim.SquaredHingeLoss{},
	optim.SquaredLoss{}, optim.ZeroOneLoss{}, optim.L1Penalty{}, optim.L2Penalty{},

	nn.AdaGrad{}, nn.Adam{}, nn.Momentum{}, nn.RMSProp{}, nn.CosineRate{}, nn.StepRate{},
	(*nn.Dense)(nil), (*nn.Activate)(nil), nn.Flatten{}, (*nn.Dropout)(nil), (*nn.BatchNorm)(nil), (*nn.Embedding)(nil),
	(*nn.Conv1D)(nil), (*nn.Conv2D)(nil), (*nn.MaxPool)(nil), (*nn.MeanPool)(nil), (*nn.SelfAttention)(nil),
	(*nn.LayerNorm)(nil), (*nn.Residual)(nil), (*nn.PositionalEncoding)(nil),
	(*nn.Elman)(nil), (*nn.Jordan)(nil), (*nn.LSTM)(nil), (*nn.GRU)(nil),

	rl.EpsilonGreedy{}, rl.Greedy{}, rl.PowerChoice{}, rl.UCB{}, rl.OneHot{}, (*rl.Tiles)(nil),

	eval.KFold{}, eval.LeaveOneOut{}, eval.ShuffleSplit{}, eval.StratifiedKFold{},
	eval.GroupKFold{}, eval.StratifiedGroupKFold{}, eval.TimeSeriesSplit{},
}

func init() {
	snapshot.Register(models...)
	snapshot.Register(parts...)
}
