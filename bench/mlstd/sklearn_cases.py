"""Measures scikit-learn for bench/mlstd.

Says its version, then reads one request a line, as JSON, and answers each with
the seconds it took and the quality of what came out.
"""
import gc
import json
import platform
import sys
import time
import warnings

import joblib
import numpy as np
import scipy.sparse
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import (AdaBoostClassifier, BaggingClassifier, GradientBoostingClassifier,
                              GradientBoostingRegressor, HistGradientBoostingClassifier, HistGradientBoostingRegressor, IsolationForest, RandomForestClassifier, RandomForestRegressor)
from sklearn.cluster import (DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans, MeanShift, MiniBatchKMeans,
                             SpectralClustering)
from sklearn.covariance import EllipticEnvelope
from sklearn.decomposition import NMF, PCA, FactorAnalysis, FastICA, KernelPCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.impute import SimpleImputer
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import (ElasticNet, Lasso, LinearRegression, LogisticRegression, Perceptron, Ridge,
                                  SGDClassifier)
from sklearn.manifold import MDS, TSNE, Isomap, LocallyLinearEmbedding
from sklearn.metrics import (adjusted_mutual_info_score, adjusted_rand_score, auc, average_precision_score, confusion_matrix,
                             f1_score, roc_auc_score, roc_curve, silhouette_score)
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.mixture import GaussianMixture
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, LocalOutlierFactor
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, PolynomialFeatures, StandardScaler
from sklearn.semi_supervised import LabelPropagation, LabelSpreading
from sklearn.svm import SVC, SVR, LinearSVC, NuSVC, NuSVR, OneClassSVM
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

warnings.filterwarnings("ignore")  # steps that run out of iterations are part of the comparison


class Data:
    """What the Go program wrote, read once."""

    def __init__(self, kind, path, n, test, cols):
        self.key = (kind, n, cols)
        if kind == "texts":
            with open(path, encoding="utf-8") as f:
                self.texts = f.read().split("\n")
            return
        if kind == "network":
            self.path, self.n = path, n
            return
        rows = n + test
        if kind in ("sparse", "wide"):
            raw = np.fromfile(path, dtype=np.uint8)
            start = raw[: 8 * (rows + 1)].view(np.int64)
            entries, at = int(start[-1]), 8 * (rows + 1)
            index = raw[at : at + 4 * entries].view(np.int32)
            values = np.frombuffer(raw[at + 4 * entries : at + 12 * entries].tobytes())
            y = np.frombuffer(raw[at + 12 * entries :].tobytes())
            x = scipy.sparse.csr_matrix((values, index, start.astype(np.int32)), shape=(rows, cols))
        else:
            raw = np.fromfile(path)
            x, y = raw[: rows * cols].reshape(rows, cols), raw[rows * cols :]
        if kind != "real":
            y = y.astype(int)
        self.x, self.y, self.unseen, self.answer = x[:n], y[:n], x[n:], y[n:]


def timed(work):
    clock, cpu = time.perf_counter(), time.process_time()
    out = work()
    return out, time.perf_counter() - clock, time.process_time() - cpu


def score(m, d):
    return m.score(d.unseen, d.answer)


def elastic(ratio):
    def quality(m, d):
        loss = np.mean((d.y - m.predict(d.x)) ** 2) / 2
        return loss + 0.01 * (ratio * np.abs(m.coef_).sum() + (1 - ratio) / 2 * (m.coef_**2).sum())

    return quality


def cross_entropy(m, d):
    p = m.predict_proba(d.x)[np.arange(len(d.y)), d.y]
    return (-np.log(p).sum() + (m.coef_**2).sum() / 2) / len(d.y)


def hinge(power):
    def quality(m, d):
        short = np.maximum(0, 1 - (2 * d.y - 1) * m.decision_function(d.x))
        return ((m.coef_**2).sum() / 2 + m.intercept_[0] ** 2 / 2 + (short**power).sum()) / len(d.y)

    return quality


def logistic():
    return LogisticRegression(tol=1e-4, max_iter=1000)


def online(**kw):
    return SGDClassifier(penalty=None, max_iter=3, tol=None, shuffle=False, eta0=1, **kw)


# Name: the estimator, and the quality if it is not the score on unseen rows.
models = {
    "LinearRegression": (LinearRegression,),
    "Ridge": (Ridge,),
    "Lasso": (lambda: Lasso(alpha=0.01), elastic(1)),
    "ElasticNet": (lambda: ElasticNet(alpha=0.01), elastic(0.5)),
    "LogisticRegression": (logistic, cross_entropy),
    "SGD": (lambda: SGDClassifier(loss="log_loss", penalty=None, learning_rate="constant", eta0=0.01, max_iter=5, tol=None),),
    "LinearSVC": (LinearSVC, hinge(2)),
    "LinearSVC, hinge": (lambda: LinearSVC(loss="hinge"), hinge(1)),
    "Pegasos": (lambda: SGDClassifier(loss="hinge", alpha=0.01, max_iter=5, tol=None),),
    "LinearSVC, sparse": (LinearSVC, hinge(2)),
    "LogisticRegression, sparse": (logistic, cross_entropy),
    "Ridge, sparse": (lambda: Ridge(tol=1e-13),),
    "SoftmaxRegression": (logistic, cross_entropy),
    "DecisionTree, entropy": (lambda: DecisionTreeClassifier(criterion="entropy", max_depth=12, random_state=0),),
    "DecisionTree, Gini": (lambda: DecisionTreeClassifier(max_depth=12, random_state=0),),
    "RegressionTree": (lambda: DecisionTreeRegressor(max_depth=12, random_state=0),),
    "RandomForest": (lambda: RandomForestClassifier(50, oob_score=True, n_jobs=-1, random_state=0),),
    "Bagging": (lambda: BaggingClassifier(n_estimators=10, n_jobs=-1, random_state=0),),
    "AdaBoost": (AdaBoostClassifier,),
    "GradientBoosting": (lambda: GradientBoostingClassifier(n_estimators=50, random_state=0),),
    "GradientBoostingRegressor": (lambda: GradientBoostingRegressor(n_estimators=50, random_state=0),),
    "HistGradientBoosting": (lambda: HistGradientBoostingClassifier(early_stopping=False),),
    "HistGradientBoostingRegressor": (lambda: HistGradientBoostingRegressor(early_stopping=False),),
    "RandomForestRegressor": (lambda: RandomForestRegressor(20, max_features=10, oob_score=True, n_jobs=-1, random_state=0),),
    "KNN, brute force": (lambda: KNeighborsClassifier(algorithm="brute", n_jobs=-1),),
    "KNN, k-d tree": (lambda: KNeighborsClassifier(algorithm="kd_tree", n_jobs=-1),),
    "KNNRegressor": (lambda: KNeighborsRegressor(weights="distance", n_jobs=-1),),
    "Perceptron": (lambda: Perceptron(max_iter=3, tol=None, shuffle=False),),
    "Perceptron, averaged": (lambda: online(loss="perceptron", learning_rate="constant", average=True),),
    "PassiveAggressive": (lambda: online(loss="hinge", learning_rate="pa1"),),
    "SVC": (SVC,),
    "CalibratedSVC": (lambda: CalibratedClassifierCV(SVC(), method="sigmoid", cv=5, ensemble=False),),
    "SVC, five classes": (SVC,),
    "SVR": (SVR,),
    "NuSVR": (NuSVR,),
    "NuSVC": (NuSVC,),
    "NuSVC, five classes": (NuSVC,),
    "KernelRidge": (lambda: KernelRidge(kernel="rbf", gamma=0.05),),
    "GaussianProcess": (lambda: GaussianProcessRegressor(RBF(np.sqrt(10)), alpha=0.1, optimizer=None),),
    "MLPClassifier": (lambda: MLPClassifier((256, 128), batch_size=200, max_iter=5, alpha=0, random_state=0),),
    "GaussianNB": (GaussianNB,),
    "LDA": (LinearDiscriminantAnalysis,),
    "QDA": (QuadraticDiscriminantAnalysis,),
    "MultinomialNB": (MultinomialNB,),
    "BernoulliNB": (BernoulliNB,),
    "CategoricalNB": (CategoricalNB,),
    "OneVsAll": (lambda: OneVsRestClassifier(logistic(), n_jobs=-1),),
    "AllVsAll": (lambda: OneVsOneClassifier(logistic(), n_jobs=-1),),
    "OutputCode": (lambda: OutputCodeClassifier(logistic(), code_size=3, random_state=0, n_jobs=-1),),
}

transformers = {
    "PCA": PCA,
    "FastICA": lambda: FastICA(whiten="unit-variance", max_iter=20, tol=1e-300, random_state=0),
    "Isomap": lambda: Isomap(n_neighbors=10, n_jobs=-1),
    "KernelPCA": lambda: KernelPCA(n_components=5, kernel="rbf", gamma=0.05),
    "KernelPCA, all components": lambda: KernelPCA(kernel="rbf", gamma=0.05),
    "StandardScaler": StandardScaler,
    "MinMaxScaler": MinMaxScaler,
    "Imputer": SimpleImputer,
    "PolynomialFeatures": PolynomialFeatures,
    "OneHotEncoder": lambda: OneHotEncoder(sparse_output=False),
}


def roc(d):
    wrong, right, _ = roc_curve(d.y, d.x[:, 0])
    return auc(wrong, right)


def confusion(d):
    m = confusion_matrix(d.y, d.x[:, 0].astype(int))
    return np.trace(m) / m.sum()


def cross(d):
    m = make_pipeline(StandardScaler(), logistic())
    return cross_validate(m, d.x, d.y, cv=StratifiedKFold(5), return_train_score=True)["test_score"].mean()


class Torch:
    """A network of PyTorch, trained for one pass in batches of 128 with Adam."""

    def __init__(self, make):
        self.make = make

    def tensor(self, x):
        import torch

        return torch.from_numpy(x.astype(np.float32))

    def fit(self, x, y):
        import torch

        torch.manual_seed(0)
        self.net, loss = self.make(torch.nn), torch.nn.CrossEntropyLoss()
        rule, x, y = torch.optim.Adam(self.net.parameters()), self.tensor(x), torch.from_numpy(y)
        self.net.train()
        for rows in torch.randperm(len(x)).split(128):
            rule.zero_grad()
            loss(self.net(x[rows]), y[rows]).backward()
            rule.step()

    def predict(self, x):
        import torch

        self.net.eval()
        with torch.no_grad():
            return self.net(self.tensor(x)).argmax(1).numpy()

    def score(self, x, y):
        return (self.predict(x) == y).mean()


def perceptron(nn):
    return nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10))


def convolutional(nn):
    return nn.Sequential(nn.Unflatten(1, (1, 28, 28)), nn.Conv2d(1, 16, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3), nn.ReLU(),
                         nn.MaxPool2d(2), nn.Flatten(), nn.Linear(800, 10))


def recurrent(nn):
    class Last(nn.Module):
        def __init__(self):
            super().__init__()
            self.steps, self.out = nn.LSTM(28, 64, batch_first=True), nn.Linear(64, 10)

        def forward(self, x):
            return self.out(self.steps(x.unflatten(1, (28, 28)))[0][:, -1])

    return Last()


models |= {
    "MLPClassifier, 784-256-128-10": (lambda: MLPClassifier((256, 128), batch_size=128, max_iter=1, alpha=0, random_state=0),),
    "MLPClassifier, Single, PyTorch": (lambda: Torch(perceptron),),
    "Conv2D, Single, PyTorch": (lambda: Torch(convolutional),),
    "LSTM, PyTorch": (lambda: Torch(recurrent),),
}


def mean_distance(make):
    def fit(d):
        return make(d).fit(d.x).inertia_ / len(d.x)

    return fit


def mixture(d):
    start = np.linalg.inv(np.cov(d.x.T, bias=True) + 1e-6 * np.eye(d.x.shape[1]))
    m = GaussianMixture(20, weights_init=np.ones(20) / 20, means_init=d.x[:20], precisions_init=np.array([start] * 20), max_iter=10, tol=0,
                        init_params="random_from_data", random_state=0).fit(d.x)
    return lambda: -m.score(d.x)


def grouped(make):
    """The labels are compared with the groups afterwards, off the clock, and told."""

    def fit(d):
        labels = make().fit_predict(d.x)
        return lambda: (adjusted_rand_score(d.y, labels), labels.tolist())

    return fit


def mining(algorithm):
    """mlxtend's algorithm on a frame that is made off the clock, once for each data."""

    def ready(d):
        import mlxtend.frequent_patterns
        import pandas

        frame = pandas.get_dummies(pandas.DataFrame(d.x.astype(int)).astype(str)).astype(bool)
        return lambda: len(getattr(mlxtend.frequent_patterns, algorithm)(frame, min_support=0.005))

    return ready


def chain(d):
    from hmmlearn.hmm import GaussianHMM

    k, cols = 5, d.x.shape[1]
    m = GaussianHMM(k, covariance_type="diag", n_iter=10, tol=-np.inf, init_params="")
    m.startprob_, m.transmat_, m.means_, m.covars_ = np.ones(k) / k, np.ones((k, k)) / k, d.x[:k].copy(), np.full((k, cols), 20.0)

    def fit():
        m.fit(d.x)
        return lambda: -m.score(d.x) / len(d.x)

    return fit


def elimination(d):
    from pgmpy.inference import VariableElimination
    from pgmpy.readwrite import BIFReader

    model = BIFReader(d.path).get_model()
    names = sorted(set(model.nodes()) - {"HRBP", "CVP"})
    inference, given = VariableElimination(model), {"HRBP": "HIGH", "CVP": "LOW"}
    first = {n: model.get_cpds(n).state_names[n][0] for n in names}

    def ask():
        out = 0
        for i in range(d.n):
            name = names[i % len(names)]
            q = inference.query([name], evidence=given, show_progress=False)
            out += q.values[q.get_state_no(name, first[name])]
        return out

    return ask


def factors(d):
    m = FactorAnalysis(5, max_iter=30, tol=0).fit(d.x)
    return lambda: -m.loglike_[-1] / len(d.x)


def labels(fresh):
    def work(d):
        known = len(d.x) // 10
        y = np.where(np.arange(len(d.x)) < known, d.y[: len(d.x)], -1)
        m = fresh().fit(d.x, y)
        return lambda: np.mean(m.transduction_[known:] == d.y[known : len(d.x)])

    return work


detectors = {
    "IsolationForest": lambda: IsolationForest(contamination=0.1, n_jobs=-1, random_state=0),
    "RobustCovariance": lambda: EllipticEnvelope(contamination=0.1, random_state=0),
    "OneClassSVM": OneClassSVM,
}

prepared = {
    "GaussianHMM": chain,
    "Variable elimination": elimination,
    "Apriori": mining("apriori"),
    "FPGrowth": mining("fpgrowth"),
}

single = {
    "PCA, randomized": lambda d: PCA(10, svd_solver="randomized", random_state=0).fit(d.x).explained_variance_[0],
    "NMF": lambda d: NMF(5, init="nndsvd", max_iter=50, tol=0, random_state=0).fit(d.x).reconstruction_err_,
    "FactorAnalysis": factors,
    "TSNE": lambda d: TSNE(random_state=0, n_jobs=-1).fit(d.x).kl_divergence_,
    "LLE": lambda d: LocallyLinearEmbedding(n_neighbors=12, random_state=0, n_jobs=-1).fit(d.x).reconstruction_error_,
    "MDS": lambda d: MDS(init="classical_mds", n_init=1, max_iter=100, eps=0, n_jobs=-1, normalized_stress=True).fit(d.x).stress_,
    "LocalOutlierFactor": lambda d: -LocalOutlierFactor(n_jobs=-1).fit(d.x).negative_outlier_factor_.mean(),
    "LabelSpreading": labels(lambda: LabelSpreading(kernel="knn", alpha=0.2, tol=1e-4, max_iter=1000, n_jobs=-1)),
    "LabelPropagation": labels(lambda: LabelPropagation(kernel="knn", tol=1e-4, max_iter=100, n_jobs=-1)),  # converges too slowly to wait for
    "KMeans": mean_distance(lambda d: KMeans(20, init=d.x[:20], n_init=1)),
    "KMeans, k-means++": mean_distance(lambda d: KMeans(20, n_init=3, random_state=0)),
    "MiniBatchKMeans": mean_distance(lambda d: MiniBatchKMeans(20, n_init=1, max_iter=3, max_no_improvement=None, reassignment_ratio=0, random_state=0)),
    "GaussianMixture": mixture,
    "DBSCAN": grouped(lambda: DBSCAN(eps=0.35, min_samples=8, n_jobs=-1)),
    "DBSCAN, brute force": grouped(lambda: DBSCAN(eps=2.5, min_samples=8, n_jobs=-1)),
    "HDBSCAN": grouped(lambda: HDBSCAN(min_cluster_size=20, n_jobs=-1, copy=True)),
    "Agglomerative, Ward": grouped(lambda: AgglomerativeClustering(20)),
    "Agglomerative, average": grouped(lambda: AgglomerativeClustering(20, linkage="average")),
    "Agglomerative, single": grouped(lambda: AgglomerativeClustering(20, linkage="single")),
    "MeanShift": grouped(lambda: MeanShift(bandwidth=2, n_jobs=-1)),
    "SpectralClustering": grouped(lambda: SpectralClustering(20, gamma=0.2, random_state=0, n_jobs=-1)),
    "Silhouette": lambda d: silhouette_score(d.x, d.y),
    "AdjustedMutualInformation": lambda d: adjusted_mutual_info_score(d.y, d.x[:, 0].astype(int)),
    "Vocabulary": lambda d: CountVectorizer().fit_transform(d.texts).nnz,
    "AUC": lambda d: roc_auc_score(d.y, d.x[:, 0]),
    "ROC": roc,
    "AveragePrecision": lambda d: average_precision_score(d.y, d.x[:, 0]),
    "Confusion": confusion,
    "MacroF1": lambda d: f1_score(d.y, d.x[:, 0].astype(int), average="macro"),
    "CrossValidate": cross,
}


def measure(name, d):
    fit = fit_cpu = predict = predict_cpu = 0
    if name in models:
        make, quality = (*models[name], score)[:2]
        m = make()
        _, fit, fit_cpu = timed(lambda: m.fit(d.x, d.y))
        if name != "SGD":  # the other side is a minimizer, without a prediction
            _, predict, predict_cpu = timed(lambda: m.predict(d.unseen))
        value = quality(m, d)
    elif name in transformers:
        m = transformers[name]()
        _, fit, fit_cpu = timed(lambda: m.fit(d.x))
        z, predict, predict_cpu = timed(lambda: m.transform(d.x))
        value = np.abs(z).mean()
    elif name in detectors:
        m = detectors[name]()
        _, fit, fit_cpu = timed(lambda: m.fit(d.x))
        strange, predict, predict_cpu = timed(lambda: m.predict(d.x))
        value = np.mean(strange < 0)
    elif name in prepared:
        value, fit, fit_cpu = timed(prepared[name](d))
    else:
        value, fit, fit_cpu = timed(lambda: single[name](d))
    if callable(value):
        value = value()
    value, labels = value if isinstance(value, tuple) else (value, None)
    return {"Fit": fit, "FitCPU": fit_cpu, "Predict": predict, "PredictCPU": predict_cpu, "Quality": float(value), "Labels": labels}


def main():
    print(json.dumps(f"scikit-learn {sklearn.__version__}, NumPy {np.__version__}, Python {platform.python_version()}"), flush=True)
    data = None
    # Threads, whose time can be measured: the work inside leaves Python's lock.
    with joblib.parallel_backend("threading"):
        for line in sys.stdin:
            r = json.loads(line)
            if data is None or data.key != (r["Kind"], r["N"], r["Cols"]):
                data = None
                data = Data(r["Kind"], r["Path"], r["N"], r["Test"], r["Cols"])
            gc.collect()
            print(json.dumps(measure(r["Name"], data)), flush=True)


main()
