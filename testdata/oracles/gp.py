"""Gaussian processes with fitted kernels and approximate features by scikit-learn; writes gp.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/gp.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import (RBF, ConstantKernel, DotProduct, ExpSineSquared, Matern, RationalQuadratic, WhiteKernel)
from sklearn.kernel_approximation import Nystroem, RBFSampler

from gorand import Rand

assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(31)


def wave(n):
    x = np.sort(rng.uniform(0, 6, (n, 1)), axis=0)
    return x, np.sin(2 * np.pi * x[:, 0] / 1.5) + .3 * x[:, 0] + .1 * rng.normal(size=n)


X, y = load_diabetes(return_X_y=True)
keep = rng.choice(len(y), 60, replace=False)
friedman = make_friedman1(60, 5, noise=.3, random_state=3)
sets = {
    "diabetes": (X[keep][:, [2, 3, 8]] * 20, y[keep] / 50),
    "friedman": (friedman[0][:, :4], friedman[1]),
    "wave": wave(50),
    "step": (np.linspace(0, 1, 40)[:, None], (np.linspace(0, 1, 40) > .4) + .05 * rng.normal(size=40)),
    "smooth": (rng.normal(size=(45, 2)), rng.normal(size=45)),
}
sets["smooth"] = (sets["smooth"][0], np.exp(-(sets["smooth"][0] ** 2).sum(1)) + .02 * sets["smooth"][1])

kernels = {
    "matern half": lambda d: Matern(1., nu=.5), "matern 3/2": lambda d: Matern(1., nu=1.5), "matern 5/2": lambda d: Matern(1., nu=2.5),
    "quadratic": lambda d: RationalQuadratic(1., 1.), "lengths": lambda d: RBF([1.] * d), "rbf": lambda d: RBF(1.),
    "scaled": lambda d: ConstantKernel(2.) * Matern(1., nu=2.5),
    "sum": lambda d: ConstantKernel(1.) * RBF(1.) + ConstantKernel(.5) * RationalQuadratic(2., 1.),
}
periodic = lambda d: ConstantKernel(1.) * ExpSineSquared(1., 1.4) * RBF(3.) + DotProduct(0., "fixed")

out = []
for name, (X, y) in sets.items():
    X, y = X.round(4), ((y - y.mean()) / y.std()).round(5)
    asked = (X[:8] + .05).round(4)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "asked": asked.tolist(), "fits": []}
    for label, make in (kernels | ({"periodic": periodic} if name == "wave" else {})).items():
        m = GaussianProcessRegressor(make(X.shape[1]) + WhiteKernel(.1), alpha=1e-300, n_restarts_optimizer=4, random_state=0)
        # at given parameters: the likelihood and its slopes, the noise last
        fixed = make(X.shape[1]) + WhiteKernel(.1)
        probe = GaussianProcessRegressor(fixed, alpha=1e-300, optimizer=None).fit(X, y)
        likelihood, slopes = probe.log_marginal_likelihood(fixed.theta, eval_gradient=True)
        m.fit(X, y)
        noise = m.kernel_.k2.noise_level
        mean, std = m.predict(asked, return_std=True)
        e["fits"].append({"kernel": label, "at": likelihood, "slopes": slopes.tolist(), "best": m.log_marginal_likelihood_value_,
                          "theta": np.exp(m.kernel_.theta).tolist(), "mean": mean.tolist(),
                          "std": np.sqrt(np.maximum(std ** 2 - noise, 0)).tolist()})
    # features
    g = Rand(7, 0)
    drawn = np.sort(np.array(g.perm(len(X)))[:20])
    ny = Nystroem(gamma=.3, n_components=20, random_state=0).fit(X[drawn])
    z = np.empty((8, 20))
    z[:, ny.component_indices_] = ny.transform(asked)
    ff = RBFSampler(gamma=.3, n_components=12, random_state=0).fit(X)
    e["nystroem"] = z.tolist()
    e["fourier"] = {"directions": ff.random_weights_.tolist(), "phases": ff.random_offset_.tolist(), "z": ff.transform(asked).tolist()}
    out.append(e)
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps({"sets": out}))
print(path.stat().st_size, "bytes")
