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
                              GradientBoostingRegressor, RandomForestClassifier, RandomForestRegressor)
from sklearn.decomposition import KernelPCA
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.impute import SimpleImputer
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import (ElasticNet, Lasso, LinearRegression, LogisticRegression, Perceptron, Ridge,
                                  SGDClassifier)
from sklearn.metrics import auc, average_precision_score, confusion_matrix, f1_score, roc_auc_score, roc_curve
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, PolynomialFeatures, StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, NuSVC, NuSVR
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
        rows = n + test
        if kind == "sparse":
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
    "SoftmaxRegression": (logistic, cross_entropy),
    "DecisionTree, entropy": (lambda: DecisionTreeClassifier(criterion="entropy", max_depth=12, random_state=0),),
    "DecisionTree, Gini": (lambda: DecisionTreeClassifier(max_depth=12, random_state=0),),
    "RegressionTree": (lambda: DecisionTreeRegressor(max_depth=12, random_state=0),),
    "RandomForest": (lambda: RandomForestClassifier(50, oob_score=True, n_jobs=-1, random_state=0),),
    "Bagging": (lambda: BaggingClassifier(n_estimators=10, n_jobs=-1, random_state=0),),
    "AdaBoost": (AdaBoostClassifier,),
    "GradientBoosting": (lambda: GradientBoostingClassifier(n_estimators=50, random_state=0),),
    "GradientBoostingRegressor": (lambda: GradientBoostingRegressor(n_estimators=50, random_state=0),),
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
    "OneVsAll": (lambda: OneVsRestClassifier(logistic(), n_jobs=-1),),
    "AllVsAll": (lambda: OneVsOneClassifier(logistic(), n_jobs=-1),),
    "OutputCode": (lambda: OutputCodeClassifier(logistic(), code_size=3, random_state=0, n_jobs=-1),),
}

transformers = {
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


single = {
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
    else:
        value, fit, fit_cpu = timed(lambda: single[name](d))
    return {"Fit": fit, "FitCPU": fit_cpu, "Predict": predict, "PredictCPU": predict_cpu, "Quality": float(value)}


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
