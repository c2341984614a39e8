"""Selection of columns by scikit-learn; writes selection.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/selection.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine, make_classification, make_friedman1, make_regression
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest, SelectPercentile, chi2, f_classif, f_regression, mutual_info_classif, mutual_info_regression
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.preprocessing import MaxAbsScaler, StandardScaler

assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(47)
cls, reg = [], []


def untied(X):
    """Numbers that differ, so that the order of neighbors is no matter of chance."""
    return (X + 1e-3 * X.std(0) * rng.normal(size=X.shape)).round(10)


sets = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True), "cancer": load_breast_cancer(return_X_y=True),
        "made": make_classification(150, 8, random_state=2), "four": make_classification(120, 9, n_informative=4, n_classes=4, random_state=3)}
for name, (X, y) in sets.items():
    keep = rng.choice(len(y), min(len(y), 80), replace=False)
    X, y = untied(X[keep][:, :10]), y[keep]
    counts, names = np.abs(X * 3).round(), np.floor(X * 2 / X.std(0)) % 4
    names -= names.min(0)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "names": names.tolist(), "counts": counts.tolist()}
    f, p = f_classif(X, y)
    c, q = chi2(counts, y)
    c, q = np.nan_to_num(c, nan=0), np.nan_to_num(q, nan=1)  # of a column of zeros
    e |= {"f": f.tolist(), "p": p.tolist(), "chi2": c.tolist(), "chi2p": q.tolist(),
          "mi": mutual_info_classif(X, y, random_state=0).tolist(), "counted": mutual_info_classif(names, y, discrete_features=True).tolist()}
    e["best"] = np.flatnonzero(SelectKBest(f_classif, k=3).fit(X, y).get_support()).tolist()
    e["percent"] = {str(q): np.flatnonzero(SelectPercentile(f_classif, percentile=q).fit(X, y).get_support()).tolist() for q in (10, 25, 50, 77, 100)}
    Z = StandardScaler().fit_transform(X).round(6)
    m = LogisticRegression(tol=1e-10, max_iter=10000)
    r = RFE(m, n_features_to_select=2).fit(Z, y)
    s = SelectFromModel(m).fit(Z, y)
    e |= {"z": Z.tolist(), "ranking": r.ranking_.tolist(), "fast": RFE(m, n_features_to_select=1, step=3).fit(Z, y).ranking_.tolist(),
          "chosen": np.flatnonzero(s.get_support()).tolist(), "two": np.flatnonzero(SelectFromModel(m, max_features=2, threshold=1e-9).fit(Z, y).get_support()).tolist(),
          "scaled": MaxAbsScaler().fit_transform(X)[:10].tolist()}
    cls.append(e)
X, y = load_diabetes(return_X_y=True)
sets = {"diabetes": (X[:97], y[:97])}
for i in range(3):
    sets[f"made{i}"] = make_regression(60, 6 + i, n_informative=3, noise=10., bias=3., random_state=i)
sets["friedman"] = make_friedman1(80, 7, noise=1., random_state=3)
for name, (X, y) in sets.items():
    X, y = untied(X), untied(y)
    f, p = f_regression(X, y)
    names = np.floor(X * 2 / X.std(0)) % 4
    names -= names.min(0)
    r = RFE(Ridge(solver="svd"), n_features_to_select=2).fit(X, y)
    reg.append({"name": name, "x": X.tolist(), "y": y.tolist(), "names": names.tolist(), "f": f.tolist(), "p": p.tolist(),
                "mi": mutual_info_regression(X, y, random_state=0).tolist(), "mixed": mutual_info_regression(names, y, discrete_features=True, random_state=0).tolist(),
                "ranking": r.ranking_.tolist(), "chosen": np.flatnonzero(SelectFromModel(Ridge(solver="svd")).fit(X, y).get_support()).tolist()})
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps({"classification": cls, "regression": reg}))
print(path.stat().st_size, "bytes")
