"""Time series by statsmodels; writes series.json beside this file.

statsmodels 0.15.0. Run: python testdata/oracles/series.py
"""
import json
import pathlib
import warnings

import numpy as np
import statsmodels
import statsmodels.api as sm
from statsmodels.stats.diagnostic import acorr_ljungbox
from statsmodels.tsa.exponential_smoothing.ets import ETSModel
from statsmodels.tsa.seasonal import STL
from statsmodels.tsa.statespace.sarimax import SARIMAX
from statsmodels.tsa.stattools import acf, adfuller, kpss, pacf

assert statsmodels.__version__ == "0.15.0"
warnings.simplefilter("ignore")
rng = np.random.default_rng(342)


def season():
    t = np.arange(120)
    e = rng.normal(size=120)
    return (50 + .3 * t + 8 * np.sin(2 * np.pi * t / 12) + 4 * np.cos(4 * np.pi * t / 12) + np.convolve(e, [1, .6], "same") * 2).round(4)


ar = np.zeros(200)
for i in range(1, 200):
    ar[i] = .7 * ar[i - 1] + rng.normal()
sets = {
    "nile": sm.datasets.nile.load_pandas().data["volume"].to_numpy(float),
    "sunspots": sm.datasets.sunspots.load_pandas().data["SUNACTIVITY"].to_numpy(float)[150:],
    "unemployment": sm.datasets.macrodata.load_pandas().data["unemp"].to_numpy(float),
    "season": season(),
    "autoregression": ar.round(5),
    "walk": np.cumsum(rng.normal(.1, 1, 90)).round(5),
}
out = {"series": [], "stl": [], "arima": [], "ets": []}
for name, x in sets.items():
    r, ci = acf(x, nlags=20, alpha=.05)
    d = {"name": name, "x": x.tolist(), "acf": r.tolist(), "acf_band": ((ci[:, 1] - ci[:, 0]) / 2).tolist(), "pacf": pacf(x, nlags=20, method="ldb").tolist(),
         "lb": [float(acorr_ljungbox(x, [k], model_df=m).iloc[0].lb_stat) for k, m in [(10, 0), (5, 2)]],
         "lbp": [float(acorr_ljungbox(x, [k], model_df=m).iloc[0].lb_pvalue) for k, m in [(10, 0), (5, 2)]], "adf": {}, "kpss": {}}
    for trend in ["n", "c", "ct"]:
        a = adfuller(x, regression=trend)
        b = adfuller(x, regression=trend, maxlag=3, autolag=None)
        d["adf"][trend] = [a[0], a[1], a[2], b[0], b[1]]
    for trend in ["c", "ct"]:
        k = kpss(x, trend, nlags=int(4 * (len(x) / 100)**.25))
        d["kpss"][trend] = [k[0], k[1], k[2]]
    out["series"].append(d)
for name, period, kw in [("season", 12, {}), ("season", 12, {"robust": True}), ("unemployment", 4, {"seasonal": 13}), ("sunspots", 11, {"robust": True}), ("nile", 5, {"trend": 21}), ("walk", 7, {})]:
    r = STL(sets[name], period, **kw).fit()
    out["stl"].append({"name": name, "period": period, "robust": kw.get("robust", False), "seasonal": kw.get("seasonal", 0), "trend_window": kw.get("trend", 0),
                       "trend": r.trend.tolist(), "season": r.seasonal.tolist(), "weights": r.weights.tolist()})
for name, order, seasonal, constant in [
    ("nile", (0, 1, 1), (0, 0, 0, 0), False), ("autoregression", (1, 0, 0), (0, 0, 0, 0), True), ("autoregression", (2, 0, 1), (0, 0, 0, 0), False),
    ("walk", (1, 1, 0), (0, 0, 0, 0), True), ("unemployment", (2, 0, 0), (0, 0, 0, 0), True), ("season", (0, 1, 1), (0, 1, 1, 12), False),
    ("season", (1, 0, 1), (1, 1, 0, 12), False), ("sunspots", (3, 0, 0), (0, 0, 0, 0), True),
]:
    x = sets[name]
    w = np.diff(x, order[1]) if order[1] else x
    if seasonal[1]:
        w = w[seasonal[3]:] - w[:-seasonal[3]]
    m = SARIMAX(w, order=(order[0], 0, order[2]), seasonal_order=(seasonal[0], 0, seasonal[2], seasonal[3]), trend="n",
                exog=np.ones(len(w)) if constant else None, concentrate_scale=True)
    best = max((m.fit(disp=0, method=k, maxiter=5000, cov_type="approx", **({"start_params": s} if s is not None else {}))
                for k in ["lbfgs", "nm"] for s in [None]), key=lambda r: r.llf)
    best = m.fit(start_params=best.params, disp=0, method="bfgs", maxiter=500, gtol=1e-8, cov_type="approx")
    full = SARIMAX(x, order=order, seasonal_order=seasonal, trend="n", exog=(np.arange(len(x)) if order[1] else np.ones(len(x))) if constant else None, concentrate_scale=False)
    p = np.r_[best.params, best.scale]
    f = full.filter(p).get_forecast(18, exog=((len(x) + np.arange(18)) if order[1] else np.ones(18)) if constant else None)
    out["arima"].append({"name": name, "order": order, "seasonal": seasonal, "constant": constant, "names": list(best.param_names),
                         "coef": list(best.params), "se": list(best.bse), "sigma2": float(best.scale), "llf": best.llf,
                         "mean": f.predicted_mean.tolist(), "forecast_se": f.se_mean.tolist()})
for name, trend, damped, seasonal in [("nile", None, False, None), ("walk", "add", False, None), ("unemployment", "add", True, None), ("season", None, False, 12), ("season", "add", False, 12), ("season", "add", True, 12)]:
    x = sets[name]
    m = ETSModel(x, error="add", trend=trend, damped_trend=damped, seasonal="add" if seasonal else None, seasonal_periods=seasonal)
    r = m.fit(disp=0, maxiter=5000)
    out["ets"].append({"name": name, "trend": bool(trend), "damped": damped, "period": seasonal or 0, "llf": r.llf, "alpha": r.alpha,
                       "forecast": r.forecast(8).tolist()})
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out, default=float, separators=(",", ":"), allow_nan=False) + "\n")
