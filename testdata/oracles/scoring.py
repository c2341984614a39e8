"""Scoring by probability, weights, splits by group and time, metrics of several classes; writes scoring.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/scoring.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn import datasets, metrics
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (GridSearchCV, GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold, TimeSeriesSplit,
                                     cross_val_predict, cross_validate)
from sklearn.preprocessing import StandardScaler

assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(11)
tight = dict(solver="newton-cholesky", tol=1e-10, max_iter=1000)
classic = {n: getattr(datasets, "load_" + f)(return_X_y=True) for n, f in
           [("iris", "iris"), ("wine", "wine"), ("cancer", "breast_cancer"), ("digits", "digits")]}
classic["moons"] = datasets.make_moons(120, noise=.3, random_state=0)
grid = [.01, .1, 1., 10.]
cls, real, splits = [], [], []
for name, (X, y) in classic.items():
    keep = np.sort(rng.choice(len(y), min(len(y), 120), replace=False))
    X, y = X[keep], y[keep]
    if name == "digits":
        X, y = X[y < 4], y[y < 4]
    X = StandardScaler().fit_transform(X[:, X.std(0) > 0][:, :5]).round(3)
    w = rng.uniform(.1, 3, len(y)).round(2)
    cv = StratifiedKFold(3)
    two = len(np.unique(y)) == 2
    m = LogisticRegression(C=.5, **tight)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "w": w.tolist()}
    r = cross_validate(m, X, y, cv=cv, scoring={"loss": "neg_log_loss", "auc": "roc_auc" if two else "roc_auc_ovr", "accuracy": "accuracy"}, return_train_score=True)
    e["folds"] = {"loss": (-r["test_loss"]).tolist(), "trainLoss": (-r["train_loss"]).tolist(), "auc": r["test_auc"].tolist(), "accuracy": r["test_accuracy"].tolist()}
    e["folds"]["brier"], e["weighted"] = [], {"loss": [], "accuracy": []}
    for train, test in cv.split(X, y):
        p = m.fit(X[train], y[train]).predict_proba(X[test])
        e["folds"]["brier"].append(metrics.brier_score_loss(y[test], p[:, 1] if two else p, labels=np.unique(y)))
        m.fit(X[train], y[train], sample_weight=w[train])
        e["weighted"]["loss"].append(metrics.log_loss(y[test], m.predict_proba(X[test]), sample_weight=w[test]))
        e["weighted"]["accuracy"].append(metrics.accuracy_score(y[test], m.predict(X[test]), sample_weight=w[test]))
    p = cross_val_predict(m, X, y, cv=cv, method="predict_proba")
    pred = m.classes_[p.argmax(1)]
    e["proba"] = p.tolist()
    s = GridSearchCV(LogisticRegression(**tight), {"C": grid}, cv=cv, scoring="neg_log_loss").fit(X, y)
    e["search"] = {"means": (-s.cv_results_["mean_test_score"]).tolist(), "best": s.best_params_["C"], "proba": s.predict_proba(X[:3]).tolist()}
    e["kappa"], e["pred"] = metrics.cohen_kappa_score(y, pred), pred.tolist()
    e["micro"], e["weightedF1"] = metrics.f1_score(y, pred, average="micro"), metrics.f1_score(y, pred, average="weighted")
    e["weightedPrecision"], e["macroRecall"] = metrics.precision_score(y, pred, average="weighted"), metrics.recall_score(y, pred, average="macro")
    if not two:
        e["top"] = [metrics.top_k_accuracy_score(y, p, k=k) for k in (1, 2)]
        e["ovr"], e["ovo"] = metrics.roc_auc_score(y, p, multi_class="ovr"), metrics.roc_auc_score(y, p, multi_class="ovo")
    one, score = (y == y.max()).astype(int), p[:, -1].round(2)
    said = (score > .5).astype(int)
    e["binary"] = {"score": score.tolist(), "auc": metrics.roc_auc_score(one, score, sample_weight=w), "brier": metrics.brier_score_loss(one, score, sample_weight=w),
                   "precision": metrics.precision_score(one, said, sample_weight=w), "recall": metrics.recall_score(one, said, sample_weight=w),
                   "f1": metrics.f1_score(one, said, sample_weight=w), "accuracy": metrics.accuracy_score(one, said, sample_weight=w)}
    cls.append(e)

    groups = rng.integers(0, 14, len(y))
    g = {"name": name, "y": y.tolist(), "groups": groups.tolist()}
    g["group"] = [t.tolist() for _, t in GroupKFold(4).split(X, y, groups)]
    g["stratified"] = [t.tolist() for _, t in StratifiedGroupKFold(3).split(X, y, groups)]
    g["time"] = [[a.tolist(), b.tolist()] for a, b in TimeSeriesSplit(4).split(X)]
    g["gap"] = [[a.tolist(), b.tolist()] for a, b in TimeSeriesSplit(3, gap=5, test_size=10, max_train_size=20).split(X)]
    splits.append(g)

sets = {"diabetes": datasets.load_diabetes(return_X_y=True)}
for i in (1, 2, 3):
    sets[f"friedman{i}"] = getattr(datasets, f"make_friedman{i}")(80, noise=.5, random_state=i)
sets["made"] = datasets.make_regression(70, 6, noise=5., random_state=2)
for name, (X, y) in sets.items():
    X, y = StandardScaler().fit_transform(X[:90]).round(3), y[:90].round(3) + .5
    w = rng.uniform(.1, 3, len(y)).round(2)
    m, cv = Ridge(alpha=2., solver="svd"), KFold(4)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "w": w.tolist()}
    r = cross_validate(m, X, y, cv=cv, scoring={"mae": "neg_mean_absolute_error", "r2": "r2"})
    e["folds"] = {"mae": (-r["test_mae"]).tolist(), "r2": r["test_r2"].tolist()}
    p = cross_val_predict(m, X, y, cv=cv)
    s = GridSearchCV(Ridge(solver="svd"), {"alpha": grid}, cv=cv, scoring="neg_mean_absolute_error").fit(X, y)
    e["search"] = {"means": (-s.cv_results_["mean_test_score"]).tolist(), "best": s.best_params_["alpha"]}
    e["pred"] = p.tolist()
    for key, sw in (("plain", None), ("weighted", w)):
        e[key] = {"mse": metrics.mean_squared_error(y, p, sample_weight=sw), "mae": metrics.mean_absolute_error(y, p, sample_weight=sw),
                  "r2": metrics.r2_score(y, p, sample_weight=sw), "mape": metrics.mean_absolute_percentage_error(y, p, sample_weight=sw),
                  "pinball": metrics.mean_pinball_loss(y, p, alpha=.8, sample_weight=sw)}
    real.append(e)
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps({"classification": cls, "regression": real, "splits": splits}))
print(path.stat().st_size, "bytes")
