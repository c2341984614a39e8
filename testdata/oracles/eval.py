"""Metrics, curves, folds, searches and tests by scikit-learn, SciPy and statsmodels; writes eval.json beside this file.

scikit-learn 1.9.1, SciPy 1.17.1, statsmodels 0.15.0. Run: python testdata/oracles/eval.py
"""
import json
import pathlib
import warnings

import numpy as np
import scipy
import sklearn
import statsmodels
from scipy import spatial, stats
from sklearn import metrics, model_selection
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine, make_friedman1, make_moons, make_regression
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.descriptivestats import sign_test
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

assert sklearn.__version__ == "1.9.1" and scipy.__version__ == "1.17.1" and statsmodels.__version__ == "0.15.0"
rng = np.random.default_rng(7)
out = {"metrics": [], "curves": [], "folds": [], "regression": []}

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
        "proba": proba.tolist(),
        "confusion": metrics.confusion_matrix(t, p).tolist(),
        "accuracy": metrics.accuracy_score(t, p),
        "precision1": metrics.precision_score(t, p, labels=[1], average="macro", zero_division=0),
        "recall1": metrics.recall_score(t, p, labels=[1], average="macro", zero_division=0),
        "f1": metrics.f1_score(t, p, labels=[1], average="macro", zero_division=0),
        "fbeta2": metrics.fbeta_score(t, p, beta=2, labels=[1], average="macro", zero_division=0),
        "macro_f1": metrics.f1_score(t, p, average="macro", zero_division=0),
        "fmeasure": stats.hmean([.3, metrics.accuracy_score(t, p)]),
        "report": [[int(k), v["precision"], v["recall"], v["f1-score"], v["support"]] for k, v in
                   metrics.classification_report(t, p, output_dict=True, zero_division=0).items() if k.isdigit()],
        "specificity1": metrics.recall_score(t != 1, p != 1),
        "balanced": metrics.balanced_accuracy_score(t, p),
        "mcc": metrics.matthews_corrcoef(t, p),
        "log_loss": metrics.log_loss(t, proba, labels=c),
        "brier1": metrics.brier_score_loss(t == 1, proba[:, 1]),
    })
    s, b = proba.round(2)[:, 1], (t == 1).astype(int)
    fpr, tpr, thr = metrics.roc_curve(b, s, drop_intermediate=False)
    pr, rc, pthr = metrics.precision_recall_curve(b, s)
    out["curves"].append({
        "name": name, "y": b.tolist(), "score": s.tolist(), "fpr": fpr.tolist(), "tpr": tpr.tolist(),
        "auc": metrics.roc_auc_score(b, s), "ap": metrics.average_precision_score(b, s),
        "precision": pr[:-1][::-1].tolist(), "recall": rc[:-1][::-1].tolist()})
    # The area of the convex hull: of all points below a curve through the hull.
    hull = spatial.ConvexHull(np.r_[np.c_[fpr, tpr], [[1., 0.]]])
    fs = 2 * pr * rc / np.maximum(pr + rc, 1e-300)
    half = len(b) // 2
    order = np.argsort(b, kind="stable")
    parts = [order[i::3] for i in range(3)]  # each part has both classes
    thresholds = np.r_[np.inf, np.unique(s)[::-1]]
    costs = [np.mean(10 * ((s < v) & (b == 1)) + 1 * ((s >= v) & (b == 0))) for v in thresholds]
    pooled = metrics.roc_curve(b, s, drop_intermediate=False)
    out["curves"][-1].update(hull=hull.volume, best_f=float(fs.max()), best_cost=float(min(costs)), best_cost_at=float(min(thresholds[int(np.argmin(costs))], 99.)),
                             parts=[i.tolist() for i in parts], part_auc=float(np.mean([metrics.roc_auc_score(b[i], s[i]) for i in parts])))
    if name == "moons":
        out["leave_one_out"] = [te.tolist() for _, te in model_selection.LeaveOneOut().split(X[:7])]
    for k in (3, 5):
        out["folds"].append({
            "name": name, "y": y.tolist(), "k": k,
            "kfold": [te.tolist() for _, te in model_selection.KFold(k).split(X)],
            "stratified": [te.tolist() for _, te in model_selection.StratifiedKFold(k).split(X, y)]})
# Awkward classes: one only, one never predicted, one predicted that never occurs.
out["awkward"] = []
for name, y, p in [("one class", [1, 1, 1], [1, 1, 1]), ("one example, right", [5], [5]), ("one example, wrong", [5], [3]), ("unseen class", [0, 0, 1], [2, 2, 2]),
                   ("constant", [0, 1, 0, 1, 1], [1] * 5), ("negative numbers", [-1, 1, -1, -7], [1, 1, -1, -1]), ("all wrong", [0, 1, 2], [1, 2, 0])]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        out["awkward"].append({"name": name, "y": y, "pred": p, "confusion": metrics.confusion_matrix(y, p).tolist(), "accuracy": metrics.accuracy_score(y, p),
                               "macro_f1": metrics.f1_score(y, p, average="macro", zero_division=0), "balanced": metrics.balanced_accuracy_score(y, p),
                               "mcc": metrics.matthews_corrcoef(y, p), "precision1": metrics.precision_score(y, p, labels=[1], average="macro", zero_division=0),
                               "recall1": metrics.recall_score(y, p, labels=[1], average="macro", zero_division=0), "f1": metrics.f1_score(y, p, labels=[1], average="macro", zero_division=0)})
for n in (5, 20, 50, 100, 200):
    y = rng.normal(size=n).round(4)
    p = (y + rng.normal(scale=.5, size=n) + .2).round(4)
    out["regression"].append({
        "y": y.tolist(), "pred": p.tolist(), "mse": metrics.mean_squared_error(y, p),
        "mae": metrics.mean_absolute_error(y, p), "medae": metrics.median_absolute_error(y, p),
        "r2": metrics.r2_score(y, p), "ev": metrics.explained_variance_score(y, p)})

# Cross-validation, searches and pipelines, with folds that need no random numbers.
out["search"], out["regressors"] = [], []
for name, (X, y) in sets.items():
    keep = rng.choice(len(y), min(len(y), 100), replace=False)
    X, y = X[keep][:, :5].round(3), y[keep]
    X = X[:, X.std(0) > 0]
    make = lambda c: make_pipeline(StandardScaler(), LogisticRegression(C=c, solver="newton-cholesky", tol=1e-12))
    split = model_selection.StratifiedKFold(4)
    grid = model_selection.GridSearchCV(make(1), {"logisticregression__C": [.01, .1, 1., 10.]}, cv=split).fit(X, y)
    train, test = model_selection.validation_curve(make(1), X, y, param_name="logisticregression__C", param_range=[.01, .1, 1., 10.], cv=split)
    m = make(1).fit(X, y)
    out["search"].append({
        "name": name, "x": X.tolist(), "y": y.tolist(), "scores": model_selection.cross_val_score(make(1), X, y, cv=split).tolist(),
        "predicted": model_selection.cross_val_predict(make(1), X, y, cv=split).tolist(), "best": grid.best_params_["logisticregression__C"],
        "means": grid.cv_results_["mean_test_score"].tolist(), "refit": grid.predict(X).tolist(), "train": train.tolist(), "test": test.tolist(),
        "pred": m.predict(X).tolist(), "proba": m.predict_proba(X[:8]).tolist(), "macro": model_selection.cross_val_score(make(.1), X, y, cv=model_selection.KFold(3), scoring="f1_macro").tolist()})
diabetes = load_diabetes()
for name, (X, y) in {"diabetes": (diabetes.data[:80, :4] * 20, diabetes.target[:80] / 50), "friedman": make_friedman1(60, 5, noise=.5, random_state=1),
                     "made0": make_regression(50, 3, noise=5, random_state=2), "made1": make_regression(40, 5, noise=20, random_state=3), "wine": (sets["wine"][0][:90, 1:5], sets["wine"][0][:90, 0])}.items():
    X, y = X.round(3), y.round(3)
    m = make_pipeline(StandardScaler(), PolynomialFeatures(2, include_bias=False), Ridge(1., solver="svd"))
    out["regressors"].append({"name": name, "x": X.tolist(), "y": y.tolist(), "pred": m.fit(X, y).predict(X).tolist(),
                              "scores": model_selection.cross_val_score(m, X, y, cv=model_selection.KFold(4), scoring="r2").tolist()})
out["grid"] = [[p["a"], p["b"], p["c"]] for p in model_selection.ParameterGrid({"a": [1., 2.], "b": [3.], "c": [4., 5., 6.]})]

# Tests and intervals.
out["pairs"], out["counts"], out["tables"], out["weights"] = [], [], [], []
for i, n in enumerate((5, 8, 10, 12, 3)):
    a = (.8 + rng.normal(scale=.05, size=n)).round(3)
    b = (.78 + rng.normal(scale=.05, size=n)).round(3)
    if i == 2:
        b[:3] = a[:3]  # ties
    t, d = stats.ttest_rel(a, b), a - b
    perm = stats.permutation_test((a, b), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples", vectorized=True, n_resamples=np.inf)
    pseudo = [n * np.log(a.mean()) - (n - 1) * np.log(np.delete(a, k).mean()) for k in range(n)]
    out["pairs"].append({"name": f"pairs{i}", "a": a.tolist(), "b": b.tolist(), "t": t.statistic, "p": t.pvalue, "sign": sign_test(d[d != 0])[1], "permutation": perm.pvalue,
                         "jackknife": [float(np.mean(pseudo)), float(np.std(pseudo, ddof=1) / np.sqrt(n))]})
for i, (k, n, k2, n2, conf) in enumerate([(12, 40, 30, 60, .95), (0, 10, 3, 9, .95), (99, 100, 7, 100, .9), (1, 7, 2, 7, .99), (500, 1000, 480, 1100, .95)]):
    wald, wilson = proportion_confint(k, n, 1 - conf, "normal"), proportion_confint(k, n, 1 - conf, "wilson")
    e = [k / n - z * np.sqrt(k / n * (1 - k / n) / n) for z in (stats.norm.ppf(.5 + conf / 2), -stats.norm.ppf(.5 + conf / 2))]
    diff = confint_proportions_2indep(k, n, k2, n2, method="wald", alpha=1 - conf)
    q = [.5, .3, .2, .9, .47][i]
    out["counts"].append({"name": f"counts{i}", "k": k, "n": n, "k2": k2, "n2": n2, "confidence": conf, "wald": e, "wilson": list(wilson), "difference": list(diff),
                          "q": q, "binomial": stats.binomtest(k, n, q).pvalue})
    assert np.allclose(np.clip(e, 0, 1), wald)  # statsmodels cuts the interval at 0 and 1
for i, t in enumerate([[[8, 2], [1, 5]], [[4, 0], [0, 4]], [[10, 12], [11, 9]], [[1, 20], [15, 3]], [[0, 3], [2, 0]]]):
    b, c = t[0][1] + 1, t[1][0] + 3
    one = [[5, b], [c, 5]]
    out["tables"].append({"name": f"tables{i}", "t": t, "two": stats.fisher_exact(t).pvalue, "greater": stats.fisher_exact(t, alternative="greater").pvalue,
                          "b": b, "c": c,
                          "mcnemar": [[r.statistic, r.pvalue] for r in (mcnemar(one, exact=False, correction=False), mcnemar(one, exact=False, correction=True), mcnemar(one, exact=True))]})
for i in range(5):
    src, dst = rng.normal(size=(20, i + 1)), rng.normal(.5, 1.3, size=(25, i + 1))
    w = np.prod(stats.norm.pdf(src, dst.mean(0), dst.std(0, ddof=1)) / stats.norm.pdf(src, src.mean(0), src.std(0, ddof=1)), axis=1)
    out["weights"].append({"name": f"weights{i}", "source": src.tolist(), "target": dst.tolist(), "w": (w / w.mean()).tolist()})
for i, (y, p) in enumerate([([2., 2., 2.], [2., 2., 2.]), ([2., 2., 2.], [1., 2., 3.]), ([1e9, 1e9 + 1, 1e9 + 3], [1e9 + 1, 1e9 + 1, 1e9 + 2]), ([1e-12, 3e-12, 2e-12], [2e-12, 2e-12, 2e-12])]):
    out["regression"].append({"y": y, "pred": p, "mse": metrics.mean_squared_error(y, p), "mae": metrics.mean_absolute_error(y, p), "medae": metrics.median_absolute_error(y, p),
                              "r2": metrics.r2_score(y, p), "ev": metrics.explained_variance_score(y, p)})
for i, e in enumerate(out["regression"]):
    e["name"] = f"regression{i}"
out["welch"] = []
for i, (n, m, conf) in enumerate([(5, 9, .95), (40, 25, .9), (3, 200, .99), (2, 2, .95), (60, 60, .8)]):
    a, b = rng.normal(1, 1 + i, size=n).round(3), rng.normal(1.4, 2.5, size=m).round(3)
    r = stats.ttest_ind(a, b, equal_var=False)
    ci = r.confidence_interval(conf)
    out["welch"].append({"name": f"welch{i}", "a": a.tolist(), "b": b.tolist(), "t": r.statistic, "p": r.pvalue, "df": r.df, "confidence": conf,
                         "diff": float(a.mean() - b.mean()), "low": ci.low, "high": ci.high})
out["divisions"] = []
for i, (n, m) in enumerate([(4, 5), (2, 6), (7, 7), (8, 3), (9, 9)]):
    a, b = rng.normal(1, 1, size=n).round(2), rng.normal(1 + .4 * i, 1.5, size=m).round(2)
    if i == 2:
        a[:4] = b[:4]  # ties
    r = stats.permutation_test((a, b), lambda x, y, axis: np.abs(np.mean(x, axis=axis) - np.mean(y, axis=axis)),
                               vectorized=True, alternative="greater", n_resamples=np.inf)
    out["divisions"].append({"name": f"divisions{i}", "a": a.tolist(), "b": b.tolist(), "statistic": float(a.mean() - b.mean()), "p": r.pvalue})
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out))
print(path.stat().st_size, "bytes")
