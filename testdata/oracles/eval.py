"""Metrics, curves, folds and tests by scikit-learn and SciPy; writes eval.json beside this file.

scikit-learn 1.9.1, SciPy 1.17.1. Run: python testdata/oracles/eval.py
"""
import json
import pathlib

import numpy as np
from scipy import stats
from sklearn import metrics, model_selection
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

rng = np.random.default_rng(7)
out = {"metrics": [], "curves": [], "folds": [], "regression": [], "tests": {}}

sets = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True),
        "cancer": load_breast_cancer(return_X_y=True), "digits": load_digits(return_X_y=True),
        "moons": make_moons(150, noise=0.3, random_state=1)}
for name, (X, y) in sets.items():
    keep = rng.choice(len(y), min(len(y), 180), replace=False)
    X, y = X[keep], y[keep]
    X = StandardScaler().fit_transform(X[:, :3])
    half = len(y) // 2
    m = LogisticRegression(max_iter=500).fit(X[:half], y[:half])
    p, proba, t = m.predict(X[half:]), m.predict_proba(X[half:]), y[half:]
    c = m.classes_
    out["metrics"].append({
        "name": name, "y": t.tolist(), "pred": p.tolist(), "classes": c.tolist(),
        "proba": proba.round(6).tolist(),
        "confusion": metrics.confusion_matrix(t, p).tolist(),
        "accuracy": metrics.accuracy_score(t, p),
        "precision1": metrics.precision_score(t, p, labels=[1], average="macro", zero_division=0),
        "recall1": metrics.recall_score(t, p, labels=[1], average="macro", zero_division=0),
        "f1": metrics.f1_score(t, p, labels=[1], average="macro", zero_division=0),
        "fbeta2": metrics.fbeta_score(t, p, beta=2, labels=[1], average="macro", zero_division=0),
        "macro_f1": metrics.f1_score(t, p, average="macro", zero_division=0),
        "balanced": metrics.balanced_accuracy_score(t, p),
        "mcc": metrics.matthews_corrcoef(t, p),
        "log_loss": -float(np.mean(np.log(np.clip(
            proba.round(6)[np.arange(len(t)), np.searchsorted(c, t)], 1e-15, 1)))),
        "brier1": float(np.mean((proba.round(6)[:, 1] - (t == 1)) ** 2)),
    })
    s, b = proba.round(2)[:, 1], (t == 1).astype(int)
    fpr, tpr, thr = metrics.roc_curve(b, s, drop_intermediate=False)
    pr, rc, pthr = metrics.precision_recall_curve(b, s)
    out["curves"].append({
        "name": name, "y": b.tolist(), "score": s.tolist(), "fpr": fpr.tolist(), "tpr": tpr.tolist(),
        "auc": metrics.roc_auc_score(b, s), "ap": metrics.average_precision_score(b, s),
        "precision": pr[:-1][::-1].tolist(), "recall": rc[:-1][::-1].tolist()})
    for k in (3, 5):
        out["folds"].append({
            "name": name, "y": y.tolist(), "k": k,
            "kfold": [te.tolist() for _, te in model_selection.KFold(k).split(X)],
            "stratified": [te.tolist() for _, te in model_selection.StratifiedKFold(k).split(X, y)]})
for n in (5, 20, 50, 100, 200):
    y = rng.normal(size=n).round(4)
    p = (y + rng.normal(scale=.5, size=n) + .2).round(4)
    out["regression"].append({
        "y": y.tolist(), "pred": p.tolist(), "mse": metrics.mean_squared_error(y, p),
        "mae": metrics.mean_absolute_error(y, p), "medae": metrics.median_absolute_error(y, p),
        "r2": metrics.r2_score(y, p), "ev": metrics.explained_variance_score(y, p)})
a = (.8 + rng.normal(scale=.05, size=12)).round(3)
b = (.77 + rng.normal(scale=.05, size=12)).round(3)
t = stats.ttest_rel(a, b)
two = stats.fisher_exact([[8, 2], [1, 5]])
one = stats.fisher_exact([[8, 2], [1, 5]], alternative="greater")
w = stats.binomtest(12, 40).proportion_ci(method="wilson")
out["tests"] = {
    "a": a.tolist(), "b": b.tolist(), "t": t.statistic, "p": t.pvalue,
    "binom": [[k, n, q, stats.binomtest(k, n, q).pvalue] for k, n, q in
              [(9, 10, .5), (3, 20, .3), (0, 7, .2), (50, 100, .5), (7, 10, .25)]],
    "fisher_two": two.pvalue, "fisher_one": one.pvalue, "wilson": [w.low, w.high]}
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out))
print(path.stat().st_size, "bytes")
