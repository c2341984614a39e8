"""Linear models by scikit-learn, statsmodels and NumPy; writes linear.json beside this file.

scikit-learn 1.9.1, statsmodels 0.15.0. Run: python testdata/oracles/linear.py
"""
import json
import pathlib

import numpy as np
import sklearn
import statsmodels
import statsmodels.api as sm
from scipy.special import expit
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine, make_classification, make_regression
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, LogisticRegression, Ridge, SGDRegressor, lasso_path
from sklearn.preprocessing import StandardScaler

assert sklearn.__version__ == "1.9.1" and statsmodels.__version__ == "0.15.0"
rng = np.random.default_rng(3)
reg, cls = [], []
X, y = load_diabetes(return_X_y=True)
sets = {"diabetes": (X[:120] * 20, y[:120] / 50)}
for i, (n, d, noise) in enumerate([(60, 4, 1.), (40, 8, 5.), (30, 3, .1), (25, 30, 2.)]):
    X, y = make_regression(n, d, n_informative=min(d, 5), noise=noise, bias=3., random_state=i)
    sets[f"made{i}"] = (X, y / 10)
# Awkward ones: equal columns, a constant column, columns of very different size, a constant target.
A = rng.normal(size=(30, 3))
sets["equal columns"] = (A[:, [0, 1, 1, 2]], A @ [1., 2., -1.] + rng.normal(scale=.1, size=30))
sets["constant column"] = (np.c_[A[:, 0], np.full(30, 2.5), A[:, 1]], A @ [1., 2., -1.])
# (LinearRegression of scikit-learn drops singular values below 1e-6 of the largest, information or not; ours those that are rounding.)
sets["sizes"] = (A * [1e-2, 1., 1e2], A @ [1., 2., -1.] + rng.normal(scale=.1, size=30))
sets["constant target"] = (A, np.full(30, 4.))
for name, (X, y) in sets.items():
    X, y = X.round(4), y.round(4)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "awkward": " " in name or name == "sizes"}
    for key, m in {"ols": LinearRegression(), "ridge": Ridge(alpha=2.5, tol=1e-12, solver="svd"),
                   "lasso": Lasso(alpha=.3, tol=1e-12, max_iter=200000),
                   "net": ElasticNet(alpha=.2, l1_ratio=.4, tol=1e-12, max_iter=200000),
                   "through0": LinearRegression(fit_intercept=False),
                   "ridge0": Ridge(alpha=2.5, fit_intercept=False, solver="svd"),
                   "lasso0": Lasso(alpha=.3, tol=1e-12, max_iter=200000, fit_intercept=False),
                   **({} if e["awkward"] else {
                   "lms": SGDRegressor(penalty=None, learning_rate="constant", eta0=.01, shuffle=False, tol=None, max_iter=3),
                   "lmsFalling": SGDRegressor(penalty=None, learning_rate="invscaling", power_t=.5, eta0=.05, shuffle=False, tol=None, max_iter=2)})}.items():
        m.fit(X, y)
        e[key] = {"coef": m.coef_.tolist(), "intercept": float(np.ravel(m.intercept_)[0]), "pred": m.predict(X[:5]).tolist()}
    reg.append(e)
    if e["awkward"]:
        continue
    lambdas = [5., 1., .3, .05]
    _, path, _ = lasso_path(X - X.mean(axis=0), y - y.mean(), alphas=lambdas, tol=1e-12, max_iter=200000)
    e["lassoPath"] = path.T.tolist()
    e["ridgePath"] = [Ridge(alpha=a, solver="svd").fit(X, y).coef_.tolist() for a in lambdas]
    fit = sm.OLS(y, sm.add_constant(X)).fit() if len(y) > X.shape[1] else None
    e["likelihood"] = {"log": fit.llf, "sigma2": fit.ssr / len(y)} if fit else None
    # Polynomials in the first column; the penalty is on the powers of x mapped to [-1, 1].
    x = X[:, 0]
    mid, spread = (x.max() + x.min()) / 2, (x.max() - x.min()) / 2
    t = (x - mid) / spread
    e["poly"] = [{"degree": d, "coef": np.polyfit(x, y, d)[::-1].tolist(),
                  "pred": np.polynomial.Polynomial.fit(x, y, d)(x).tolist(),
                  "ridge": Ridge(alpha=.5, solver="svd").fit(np.vander(t, d + 1)[:, :-1], y).predict(np.vander(t, d + 1)[:, :-1]).tolist()} for d in (1, 3, 7)]
    # The single sigmoid unit: batch descent on the mean of half the squared errors, restated.
    target = (y - y.min()) / (y.max() - y.min())
    A, w = np.c_[X, np.ones(len(X))], np.zeros(X.shape[1] + 1)
    for _ in range(60):
        o = expit(A @ w)
        w = w + .5 * A.T @ ((target - o) * o * (1 - o)) / len(y)
    e["unit"] = {"target": target.tolist(), "w": w.tolist(), "out": expit(A[:5] @ w).tolist()}

sets = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True),
        "cancer": load_breast_cancer(return_X_y=True), "digits": load_digits(return_X_y=True),
        "made": make_classification(150, 5, random_state=2)}
A = rng.normal(size=(50, 3))
s = A @ [1., 2., -1.] + rng.normal(size=50)
sets["constant column"] = (np.c_[A[:, 0], np.full(50, 2.5), A[:, 1]], (s > 0).astype(int))
sets["equal columns"] = (A[:, [0, 1, 1]], (s > 0).astype(int))
sets["sizes"] = (A * [1e-2, 1., 1e2], (s > 0).astype(int) + (s > 1.5))
sets["few positives"] = (A, (s > np.sort(s)[-4]).astype(int))
sets["names"] = (A, np.where(s > 1, 40, np.where(s > 0, -3, 7)))
for name, (X, y) in sets.items():
    keep = rng.choice(len(y), min(len(y), 90), replace=False)
    X, y = X[keep][:, :6], y[keep]
    if name in ("iris", "wine", "cancer", "digits", "made"):
        X = StandardScaler().fit_transform(X[:, X.std(0) > 0])
    X = X.round(4)
    w = rng.uniform(.2, 2, len(y)).round(3)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "weights": w.tolist()}
    tight = dict(solver="newton-cholesky", tol=1e-13, max_iter=1000)
    k = len(np.unique(y))
    for key, m, sw in [("c1", LogisticRegression(C=1, **tight), None),
                       ("c01", LogisticRegression(C=.1, **tight), None),
                       ("weighted", LogisticRegression(C=1, **tight), w),
                       ("through0", LogisticRegression(C=1, fit_intercept=False, **tight), None),
                       # Two weight vectors with one penalty each are one with half of it.
                       ("softmax", LogisticRegression(C=.5 if k > 2 else 1., **tight), None)]:
        m.fit(X, y, sample_weight=sw)
        e[key] = {"coef": m.coef_.tolist(), "intercept": m.intercept_.tolist() if m.fit_intercept else [0.] * len(m.coef_),
                  "proba": m.predict_proba(X[:5]).tolist(), "pred": m.predict(X).tolist()}
    cls.append(e)

# Overlapping classes, where the likelihood has a maximum without a penalty.
iris, wine, cancer, digits = load_iris(), load_wine(), load_breast_cancer(), load_digits()
over = []
for name, X, y in [("versicolor or virginica", iris.data[50:, :2], iris.target[50:]), ("wine by color", wine.data[:, [8, 9]], wine.target),
                   ("cancer by texture", cancer.data[:, [1, 4]], cancer.target), ("odd digits", digits.data[:, [20, 29, 43]], digits.target % 2),
                   ("iris by sepal", iris.data[:, :2], iris.target), ("noisy", *make_classification(100, 4, n_redundant=0, flip_y=.3, random_state=5)),
                   ("ill by two", load_diabetes().data[:, [2, 8]], (load_diabetes().target > 140).astype(int))]:
    keep = np.sort(rng.choice(len(y), min(len(y), 100), replace=False))
    X, y = StandardScaler().fit_transform(X[keep]).round(3), y[keep]
    m = LogisticRegression(C=np.inf, solver="newton-cg", tol=1e-12, max_iter=10000).fit(X, y)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "proba": m.predict_proba(X[:20]).tolist(),
         "prior": LogisticRegression(C=2., **tight).fit(X, y).predict_proba(X[:20]).tolist() if len(np.unique(y)) > 2 else None}
    if len(np.unique(y)) == 2:
        fit = sm.Logit(y == y.max(), sm.add_constant(X)).fit(disp=0, tol=1e-9, maxiter=200)
        e["mle"] = {"coef": fit.params[1:].tolist(), "intercept": fit.params[0], "bse": np.r_[fit.bse[1:], fit.bse[0]].tolist(), "llf": fit.llf}
    over.append(e)
# Columns in small units, which the penalty then nearly removes: the curvature in them is the penalty's.
units = []
four = make_classification(200, 6, n_informative=4, n_redundant=0, n_classes=4, class_sep=1.2, random_state=8)
for name, X, y, size in [("wine", wine.data, wine.target, [1e-3] + 12 * [1.]), ("wine", wine.data, wine.target, [1e-4] + 12 * [1.]),
                         ("wine", wine.data, wine.target, [1e4] + 12 * [1.]), ("iris", iris.data, iris.target, [1e-6, 1., 1., 1.]),
                         ("iris", iris.data, iris.target, 4 * [1e-6]), ("iris", iris.data, iris.target, [1., 1e-2, 1e2, 1e-6]),
                         ("four", four[0].round(4), four[1], 6 * [1e-6]), ("four", four[0].round(4), four[1], [1e-6, 1e-3, 1., 1., 1e3, 1e6]),
                         ("cancer", cancer.data[::4], cancer.target[::4], 30 * [1.])]:
    size = np.array(size)
    m = LogisticRegression(solver="newton-cholesky", tol=1e-10, max_iter=1000).fit(X * size, y)
    units.append({"name": name, "size": size.tolist(), "x": X.tolist() if name == "four" else None, "y": y.tolist() if name == "four" else None,
                  "proba": m.predict_proba(X * size)[::5].tolist()})
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps({"regression": reg, "classification": cls, "overlapping": over, "units": units}))
print(path.stat().st_size, "bytes")
