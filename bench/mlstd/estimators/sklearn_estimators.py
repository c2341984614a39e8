"""Measures scikit-learn for bench/mlstd/estimators.

Reads lines of path, case, training rows, test rows and columns, separated by tabs;
answers each with a line of JSON.
"""
import json
import sys
import time

import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, SVR, LinearSVC
from sklearn.tree import DecisionTreeClassifier

cases = {
    "linear regression": LinearRegression,
    "ridge": Ridge,
    "lasso": lambda: Lasso(alpha=0.01),
    "logistic regression": LogisticRegression,
    "linear SVC": LinearSVC,
    "decision tree, depth 12": lambda: DecisionTreeClassifier(max_depth=12, random_state=0),
    "5 nearest neighbors": KNeighborsClassifier,
    "SVC": SVC,
    "SVR": SVR,
    "kernel ridge": lambda: KernelRidge(kernel="rbf", gamma=0.05),
}


def timed(f):
    clock, cpu = time.perf_counter(), time.process_time()
    f()
    return time.perf_counter() - clock, time.process_time() - cpu


for line in sys.stdin:
    path, name, n, test, cols = line.rstrip("\n").split("\t")
    n, test, cols = int(n), int(test), int(cols)
    raw = np.fromfile(path)
    x, y = raw[: (n + test) * cols].reshape(n + test, cols), raw[(n + test) * cols :]
    m = cases[name]()
    if hasattr(m, "decision_function") or hasattr(m, "predict_proba"):
        y = (y > 0).astype(int)
    fit, fit_cpu = timed(lambda: m.fit(x[:n], y[:n]))
    predict, predict_cpu = timed(lambda: m.predict(x[n:]))
    print(json.dumps({"Fit": fit, "FitCPU": fit_cpu, "Predict": predict, "PredictCPU": predict_cpu, "Score": m.score(x[n:], y[n:])}), flush=True)
