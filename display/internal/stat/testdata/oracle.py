"""Writes oracle.json: what scipy and statsmodels say of the data that are in it."""

import json
import pathlib

import numpy as np
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import stats
from statsmodels.nonparametric.smoothers_lowess import lowess

r = np.random.default_rng(5)
x = np.sort(np.round(np.concatenate([r.normal(0, 1, 60), r.normal(4, 0.5, 30)]), 4))
y = np.round(np.sin(x) + 0.2 * x + r.normal(0, 0.4, 90), 4)
y[10] = 9  # an outlier
tied = np.sort(np.round(x, 1))
at = np.linspace(-3, 6, 25)
exog = lambda v, k: np.column_stack([v**i for i in range(k + 1)])  # noqa: E731


def polynomial(k):
    m = sm.OLS(y, exog(x, k)).fit().get_prediction(exog(at, k)).summary_frame(alpha=0.05)
    return {"Mean": list(m["mean"]), "Lo": list(m["mean_ci_lower"]), "Hi": list(m["mean_ci_upper"])}


def plane(rule):
    k = stats.gaussian_kde([x, y], bw_method=rule)
    u, v = np.meshgrid(np.linspace(-3, 6, 10), np.linspace(-2, 3, 8))
    return list(k([u.ravel(), v.ravel()]))


def probplot(dist, *args):
    (q, v), (slope, intercept, c) = stats.probplot(x, sparams=args, dist=dist)
    return {"Quantiles": list(q), "Line": [slope, intercept, c]}


json.dump(
    {
        "Source": f"scipy {scipy.__version__}, statsmodels {statsmodels.__version__}",
        "X": list(x),
        "Y": list(y),
        "Tied": list(tied),
        "At": list(at),
        "Scott": list(stats.gaussian_kde(x, "scott")(at)),
        "Silverman": list(stats.gaussian_kde(x, "silverman")(at)),
        "PlaneScott": plane("scott"),
        "PlaneSilverman": plane("silverman"),
        "Linear": polynomial(1),
        "Cubic": polynomial(3),
        "Lowess": list(lowess(y, x, frac=2 / 3, it=3, return_sorted=False)),
        "LowessNarrow": list(lowess(y, x, frac=0.3, it=0, return_sorted=False)),
        "LowessDelta": list(lowess(y, x, frac=0.4, it=2, delta=0.5, return_sorted=False)),
        "LowessTied": list(lowess(y, tied, frac=0.5, it=1, return_sorted=False)),
        "Normal": probplot("norm"),
        "Logistic": probplot("logistic"),
        "Beta": [[stats.beta.ppf(q, i + 1, 20 - i) for q in (0.025, 0.975)] for i in range(20)],
    },
    open(pathlib.Path(__file__).with_name("oracle.json"), "w"),
    indent=0,
)
