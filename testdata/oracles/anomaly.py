"""Detectors of scikit-learn 1.9.1 on the classic data sets, thinned and on one scale, and Gaussian densities of SciPy.
Writes anomaly.json beside this file. Run: python testdata/oracles/anomaly.py
"""
import json, os
import numpy as np
import sklearn
import sklearn.covariance._robust_covariance as module
from scipy.stats import multivariate_normal
from sklearn.covariance import MinCovDet
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.ensemble import IsolationForest
from sklearn.neighbors import LocalOutlierFactor
from sklearn.svm import OneClassSVM

# scikit-learn starts from halves of the rows, of which all covariances are alike, and often misses the least determinant.
# Here its steps start from as few rows as have a covariance, as in the paper.
select = module.select_candidates


def from_few(x, h, n_trials, **k):
    if isinstance(n_trials, int):
        draw = np.random.default_rng(1)
        rows = [x[draw.permutation(len(x))[:x.shape[1] + 1]] for _ in range(3000)]
        n_trials = (np.array([r.mean(0) for r in rows]), np.array([np.cov(r.T, bias=True) for r in rows]))
    return select(x, h, n_trials, **k)


module.select_candidates = from_few
assert sklearn.__version__ == "1.9.1"
loads = {"Iris": load_iris(), "Wine": load_wine(), "BreastCancer": load_breast_cancer(), "Digits": load_digits(), "Diabetes": load_diabetes(scaled=False)}
keep = {"Iris": [0, 1, 2], "Wine": [0, 1, 2, 6], "BreastCancer": [0, 1, 4, 8], "Digits": [20, 21, 28, 42], "Diabetes": [2, 3, 8]}
rng = np.random.default_rng(3)
out = []
for name, s in loads.items():
    x = s.data[:, keep[name]]
    x = x[:: max(1, len(x) // 60)][:60]
    # Noise, so that no rows and no distances are equal.
    x = np.round((x - x.mean(0)) / x.std(0) + 0.05 * rng.normal(size=x.shape), 6)
    new = np.round(2 * rng.normal(size=(8, x.shape[1])), 6)
    lof = LocalOutlierFactor(7).fit(x)
    nov = LocalOutlierFactor(7, novelty=True).fit(x)
    svm = [{"Nu": nu, "Rho": float(-m.intercept_[0]), "Score": (-m.decision_function(new)).tolist(), "Support": m.support_.tolist()}
           for nu in (.1, .5) for m in [OneClassSVM(nu=nu, gamma=.3, tol=1e-10).fit(x)]]
    mcd = MinCovDet(random_state=0).fit(x)
    f = IsolationForest(n_estimators=5, max_samples=32, random_state=0).fit(x)
    trees = []
    for t in f.estimators_:
        t = t.tree_
        trees.append([{"Column": int(max(-1, t.feature[i])), "Cut": float(t.threshold[i]), "Left": int(t.children_left[i]), "Right": int(t.children_right[i]),
                       "Rows": int(t.n_node_samples[i])} for i in range(t.node_count)])
    full = multivariate_normal(x.mean(0), np.cov(x.T, bias=True)).logpdf(new)
    diag = multivariate_normal(x.mean(0), np.diag(x.var(0))).logpdf(new)
    out.append({"Data": name, "X": x.tolist(), "New": new.tolist(),
                "LOF": {"Train": (-lof.negative_outlier_factor_).tolist(), "New": (-nov.score_samples(new)).tolist()},
                "SVM": svm,
                "MCD": {"Mean": mcd.location_.tolist(), "Covariance": mcd.covariance_.tolist(), "RawMean": mcd.raw_location_.tolist(),
                        "RawCovariance": mcd.raw_covariance_.tolist(), "Score": mcd.mahalanobis(new).tolist()},
                "Forest": {"Sample": 32, "Trees": trees, "Score": (-f.score_samples(new)).tolist()},
                "Gaussian": {"Full": (-full).tolist(), "Diagonal": (-diag).tolist()}})
json.dump({"sklearn": sklearn.__version__, "Sets": out}, open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "anomaly.json"), "w"))
