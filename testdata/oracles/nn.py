"""Networks of scikit-learn and PyTorch for mlstd/nn: training from given weights, layers forward and back, losses, optimizers.

Writes nn.json beside this file. All is in double precision. Pictures and sequences
are written with the channels last, as mlstd/nn has them.
"""
import json, os
import numpy as np
import torch
import torch.nn.functional as F
from sklearn import datasets
from sklearn.neural_network import MLPClassifier, MLPRegressor

torch.set_default_dtype(torch.float64)
torch.manual_seed(1)
rng = np.random.default_rng(1)


def L(a):
    if isinstance(a, torch.Tensor):
        a = a.detach().numpy()
    return np.asarray(a, dtype=float).tolist()


def flat(a):
    """Rows of the batch."""
    return L(a.reshape(a.shape[0], -1))


def training(name, x, y, classes, batch, lam, momentum, hidden, activation):
    """Ten epochs in the order of the rows, from given weights."""
    n = len(x)
    cls = MLPClassifier if classes else MLPRegressor
    m = cls(hidden_layer_sizes=hidden, activation=activation, solver="sgd", alpha=lam * batch, batch_size=batch,
            learning_rate_init=0.05, momentum=momentum, nesterovs_momentum=True, shuffle=False, random_state=0)
    first = (lambda: m.partial_fit(x, y, classes=np.unique(y))) if classes else (lambda: m.partial_fit(x, y))
    first()
    for c in m.coefs_ + m.intercepts_:
        c[...] = rng.uniform(-0.5, 0.5, c.shape).round(6)
    start = [L(c) for c in m.coefs_], [L(c) for c in m.intercepts_]
    del m._optimizer
    losses = []
    for _ in range(10):
        m.partial_fit(x, y)
        losses.append(float(m.loss_))
    out = m.predict_proba(x) if classes else m.predict(x).reshape(-1, 1)
    return {"name": name, "x": L(x), "y": L(y), "classes": bool(classes), "batch": batch, "lambda": lam, "momentum": momentum,
            "activation": activation, "coef": start[0], "intercept": start[1], "loss": losses,
            "coefAfter": [L(c) for c in m.coefs_], "interceptAfter": [L(c) for c in m.intercepts_], "out": L(out)}


def few(d, n):
    x, y = d.data, d.target
    step = max(1, len(x) // n)
    x, y = x[::step][:n], y[::step][:n]
    s = x.std(0)
    keep = s > 0
    return ((x[:, keep] - x[:, keep].mean(0)) / s[keep]).round(6), y


runs = []
for name, d, n in [("iris", datasets.load_iris(), 60), ("wine", datasets.load_wine(), 60), ("cancer", datasets.load_breast_cancer(), 60),
                   ("digits", datasets.load_digits(), 40)]:
    x, y = few(d, n)
    x = x[:, :12]
    runs.append(training(name, x, y, True, 20, 0.01, 0.9, (7, 5), "tanh"))
mx = rng.normal(size=(40, 3)).round(6)
runs.append(training("moons", *(lambda p: (p[0].round(6), p[1]))(datasets.make_moons(60, noise=0.1, random_state=1)), True, 60, 0, 0, (6,), "relu"))
x, y = few(datasets.load_diabetes(), 60)
runs.append(training("diabetes", x, ((y - y.mean()) / y.std()).round(6), False, 20, 0.01, 0.9, (7, 5), "tanh"))
for name, target in [("sine", np.sin(2 * mx[:, 0])), ("plane", mx @ [1, -1, 0.5]), ("product", mx[:, 0] * mx[:, 1]), ("ridge", np.abs(mx[:, 2]))]:
    runs.append(training(name, mx, target.round(6), False, 20, 0.001, 0.5, (8,), "logistic" if name != "ridge" else "relu"))

layers = []


def layer(name, x, params, f, shape, grad_input=True, to_rows=flat):
    """params: name to tensor, in the layout of mlstd; f makes the output, channels last."""
    x = x.clone().requires_grad_(grad_input)
    for p in params.values():
        p.requires_grad_(True)
    y = f(x)
    dy = torch.tensor(rng.normal(size=tuple(y.shape)).round(6))
    y.backward(dy)
    layers.append({"name": name, "shape": shape, "x": to_rows(x), "y": flat(y), "dy": flat(dy),
                   "dx": flat(x.grad) if grad_input else None,
                   "params": {k: L(p.reshape(-1)) for k, p in params.items()},
                   "grads": {k: L(p.grad.reshape(-1)) for k, p in params.items()}})


def T(*shape, scale=1.0):
    return torch.tensor((scale * rng.normal(size=shape)).round(6))


def conv2(stride, pad):
    # Coef has the rows of a patch (line, column, channel) and a column a filter.
    def f(w, b, size, cin):
        return lambda x: F.conv2d(x.permute(0, 3, 1, 2), w.reshape(size, size, cin, -1).permute(3, 2, 0, 1), b, stride=stride, padding=pad).permute(0, 2, 3, 1)
    return f


w, b = T(3 * 3 * 2, 4), T(4)
layer("conv2d", T(3, 6, 5, 2), {"Coef": w, "Intercept": b}, conv2(1, 0)(w, b, 3, 2), [6, 5, 2])
w, b = T(3 * 3 * 2, 4), T(4)
layer("conv2d stride 2 pad 1", T(3, 6, 5, 2), {"Coef": w, "Intercept": b}, conv2(2, 1)(w, b, 3, 2), [6, 5, 2])
w, b = T(3 * 2, 4), T(4)
layer("conv1d", T(3, 8, 2), {"Coef": w, "Intercept": b},
      lambda x: F.conv1d(x.permute(0, 2, 1), w.reshape(3, 2, 4).permute(2, 1, 0), b, stride=2, padding=1).permute(0, 2, 1), [8, 2])
layer("maxpool", T(3, 6, 5, 2), {}, lambda x: F.max_pool2d(x.permute(0, 3, 1, 2), 2).permute(0, 2, 3, 1), [6, 5, 2])
layer("meanpool", T(3, 6, 5, 2), {}, lambda x: F.avg_pool2d(x.permute(0, 3, 1, 2), 3, 1).permute(0, 2, 3, 1), [6, 5, 2])
layer("maxpool1d", T(3, 8, 2), {}, lambda x: F.max_pool1d(x.permute(0, 2, 1), 2).permute(0, 2, 1), [8, 2])
g, s = T(4), T(4)
layer("batchnorm", T(7, 4), {"Scale": g, "Shift": s}, lambda x: F.batch_norm(x, torch.zeros(4), torch.ones(4), g, s, True), [4])
g2, s2 = T(3), T(3)
layer("batchnorm2d", T(5, 4, 2, 3), {"Scale": g2, "Shift": s2},
      lambda x: F.batch_norm(x.permute(0, 3, 1, 2), torch.zeros(3), torch.ones(3), g2, s2, True).permute(0, 2, 3, 1), [4, 2, 3])
e = T(6, 3)
layer("embedding", torch.tensor([[0., 2, 5], [2, 2, 1]]), {"Coef": e}, lambda x: F.embedding(x.long(), e), [3], grad_input=False)


def recurrent(kind, sequence, u=4, d=3, t=5):
    gates = {"elman": 1, "lstm": 4, "gru": 3}[kind]
    m = {"elman": torch.nn.RNN, "lstm": torch.nn.LSTM, "gru": torch.nn.GRU}[kind](d, u, batch_first=True)
    p = {"InputCoef": T(d, gates * u, scale=0.5), "HiddenCoef": T(u, gates * u, scale=0.5), "Intercept": T(gates * u, scale=0.5)}
    if kind == "gru":
        p["HiddenIntercept"] = T(gates * u, scale=0.5)

    def f(x):
        w = {"weight_ih_l0": p["InputCoef"].T, "weight_hh_l0": p["HiddenCoef"].T, "bias_ih_l0": p["Intercept"],
             "bias_hh_l0": p.get("HiddenIntercept", torch.zeros(gates * u))}
        y = torch.func.functional_call(m, w, (x,))[0]
        return y if sequence else y[:, -1]
    layer(kind + (" sequence" if sequence else ""), T(3, t, d), p, f, [t, d])


for kind in ["elman", "lstm", "gru"]:
    recurrent(kind, True)
    recurrent(kind, False)
for causal in [False, True]:
    p = {"QueryCoef": T(3, 4), "KeyCoef": T(3, 4), "ValueCoef": T(3, 4)}
    layer("attention causal" if causal else "attention", T(2, 5, 3), p,
          lambda x: F.scaled_dot_product_attention(x @ p["QueryCoef"], x @ p["KeyCoef"], x @ p["ValueCoef"], is_causal=causal), [5, 3])
for name, f in {"sigmoid": torch.sigmoid, "tanh": torch.tanh, "relu": F.relu, "leaky relu": F.leaky_relu, "elu": F.elu, "gelu": F.gelu,
                "softplus": F.softplus, "softmax": lambda x: torch.softmax(x, -1)}.items():
    layer(name, T(4, 5, scale=2), {}, f, [5])
    w, b = T(3, 5), T(5)
    layer("dense " + name, T(4, 3), {"Coef": w, "Intercept": b}, lambda x, f=f, w=w, b=b: f(x @ w + b), [3])
# Jordan has no layer of PyTorch's own: its formula, differentiated by autograd.
jp = {"InputCoef": T(3, 4, scale=0.5), "BackCoef": T(2, 4, scale=0.5), "Intercept": T(4, scale=0.5), "OutputCoef": T(4, 2, scale=0.5),
      "OutputIntercept": T(2, scale=0.5)}


def jordan(x):
    y, out = torch.zeros(x.shape[0], 2), []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ jp["InputCoef"] + y @ jp["BackCoef"] + jp["Intercept"])
        y = torch.sigmoid(h @ jp["OutputCoef"] + jp["OutputIntercept"])
        out.append(y)
    return torch.stack(out, 1)


layer("jordan sequence", T(3, 5, 3), jp, jordan, [5, 3])

losses = []
s0, real = T(6, 4, scale=2), T(6, 4)
signs, bits = torch.sign(T(6, 4)), (T(6, 4) > 0).double()
shares = torch.softmax(T(6, 4), -1)
for name, y, f in [
        ("squared", real, lambda s, y: F.mse_loss(s, y, reduction="sum") / 2 / 6),
        ("absolute", real, lambda s, y: F.l1_loss(s, y, reduction="sum") / 6),
        ("huber", real, lambda s, y: F.huber_loss(s, y, reduction="sum") / 6),
        ("cross-entropy", shares, lambda s, y: F.cross_entropy(s, y)),
        ("binary cross-entropy", bits, lambda s, y: F.binary_cross_entropy_with_logits(s, y, reduction="sum") / 6),
        ("logistic", signs, lambda s, y: F.soft_margin_loss(s, y, reduction="sum") / 6),
        ("hinge", signs, lambda s, y: torch.clamp(1 - y * s, min=0).sum() / 6),
        ("kl", shares, lambda s, y: F.kl_div(F.log_softmax(s, -1), y, reduction="batchmean"))]:
    s = s0.clone().requires_grad_(True)
    v = f(s, y)
    v.backward()
    losses.append({"name": name, "s": L(s), "y": L(y), "value": float(v.detach()), "gradient": L(s.grad)})

optimizers = []
target, curve = np.array([1.0, -2.0, 0.5]), np.array([1.0, 10.0, 0.1])
for name, make in [("descent", lambda p: torch.optim.SGD(p, 0.05)), ("momentum", lambda p: torch.optim.SGD(p, 0.05, momentum=0.9)),
                   ("nesterov", lambda p: torch.optim.SGD(p, 0.05, momentum=0.9, nesterov=True)), ("adagrad", lambda p: torch.optim.Adagrad(p, 0.05)),
                   ("rmsprop", lambda p: torch.optim.RMSprop(p, 0.05)), ("adam", lambda p: torch.optim.Adam(p, 0.05)),
                   ("adamw", lambda p: torch.optim.AdamW(p, 0.05, weight_decay=0.1))]:
    w = torch.tensor([3.0, 2.0, -1.0], requires_grad=True)
    o, path = make([w]), []
    for _ in range(10):
        o.zero_grad()
        (0.5 * torch.tensor(curve) * (w - torch.tensor(target)) ** 2).sum().backward()
        o.step()
        path.append(L(w))
    optimizers.append({"name": name, "path": path})

# One training run of PyTorch, step by step.
x, y = few(datasets.load_iris(), 60)
ws = [T(4, 8, scale=0.5), T(8), T(8, 3, scale=0.5), T(3)]
start = [L(w.reshape(-1)) for w in ws]
for w in ws:
    w.requires_grad_(True)
o = torch.optim.Adam(ws, 0.01)
xt, yt = torch.tensor(x), torch.tensor(y)
steps = []
for epoch in range(3):
    for at in range(0, 60, 16):
        o.zero_grad()
        loss = F.cross_entropy(F.gelu(xt[at:at + 16] @ ws[0] + ws[1]) @ ws[2] + ws[3], yt[at:at + 16])
        loss.backward()
        o.step()
        steps.append(float(loss.detach()))
run = {"x": L(x), "y": L(y), "start": start, "losses": steps, "after": [L(w.reshape(-1)) for w in ws]}

# Parts of transformers. They come last, so that the random numbers above stay the same.
for name, shape in [("layernorm", [5]), ("layernorm sequence", [4, 3]), ("layernorm picture", [2, 3, 4])]:
    g, s = T(shape[-1]), T(shape[-1])
    layer(name, T(6, *shape), {"Scale": g, "Shift": s}, lambda x, g=g, s=s: F.layer_norm(x, g.shape, g, s), shape)
w, b = T(4, 4), T(4)
layer("residual", T(5, 4), {"Coef": w, "Intercept": b}, lambda x: x + torch.tanh(x @ w + b), [4])


def positions(steps, d):
    """Real and imaginary parts of powers of unit complex numbers, one number per pair of features."""
    turns = np.exp(1j * np.exp(-np.log(10000.0) * np.arange(0, d, 2) / d))
    code = turns[None, :] ** np.arange(steps)[:, None]
    return torch.tensor(np.stack([code.imag, code.real], -1).reshape(steps, -1)[:, :d].copy())


for d in [6, 5]:
    layer(f"positions {d}", T(2, 7, d), {}, lambda x, d=d: x + positions(7, d), [7, d])


def heads(features, size, h, causal):
    p = {"QueryCoef": T(features, size), "KeyCoef": T(features, size), "ValueCoef": T(features, size), "OutputCoef": T(size, features)}
    m = torch.nn.MultiheadAttention(size, h, bias=False, batch_first=True)
    square = torch.eye(size)

    def f(x):
        # The module takes queries, keys and values of `size` columns, and leaves them alone. Its
        # last product has as many columns as that, and so OutputCoef comes after it.
        w = {"in_proj_weight": torch.cat([square] * 3), "out_proj.weight": square}
        mask = torch.triu(torch.ones(x.shape[1], x.shape[1], dtype=torch.bool), 1) if causal else None
        y = torch.func.functional_call(m, w, (x @ p["QueryCoef"], x @ p["KeyCoef"], x @ p["ValueCoef"]), {"attn_mask": mask})[0]
        return y @ p["OutputCoef"]
    layer("heads " + str(h) + (" causal" if causal else ""), T(3, 5, features), p, f, [5, features])


heads(4, 6, 2, False)
heads(4, 6, 3, True)


def block(name, d, h, hidden, norm_first, causal, activation):
    """torch's own layer; the intercepts of its attention are 0."""
    m = torch.nn.TransformerEncoderLayer(d, h, hidden, dropout=0.0, activation=activation, batch_first=True, norm_first=norm_first)
    attention = [("QueryCoef", T(d, d)), ("KeyCoef", T(d, d)), ("ValueCoef", T(d, d)), ("OutputCoef", T(d, d))]
    n1 = [("Scale", T(d)), ("Shift", T(d))]
    n2 = [("Scale", T(d)), ("Shift", T(d))]
    forward = [("Coef", T(d, hidden)), ("Intercept", T(hidden)), ("Coef", T(hidden, d)), ("Intercept", T(d))]
    order = n1 + attention + n2 + forward if norm_first else attention + n1 + forward + n2
    q, k, v, o = [w for _, w in attention]

    def f(x):
        w = {"self_attn.in_proj_weight": torch.cat([q.T, k.T, v.T]), "self_attn.in_proj_bias": torch.zeros(3 * d),
             "self_attn.out_proj.weight": o.T, "self_attn.out_proj.bias": torch.zeros(d),
             "norm1.weight": n1[0][1], "norm1.bias": n1[1][1], "norm2.weight": n2[0][1], "norm2.bias": n2[1][1],
             "linear1.weight": forward[0][1].T, "linear1.bias": forward[1][1], "linear2.weight": forward[2][1].T, "linear2.bias": forward[3][1]}
        mask = torch.triu(torch.ones(x.shape[1], x.shape[1], dtype=torch.bool), 1) if causal else None
        return torch.func.functional_call(m, w, (x,), {"src_mask": mask})
    layer(name, T(3, 5, d), {f"{i} {key}": w for i, (key, w) in enumerate(order)}, f, [5, d])


block("block", 6, 2, 7, True, False, "relu")
block("block causal", 6, 3, 7, True, True, "gelu")
block("block post", 6, 2, 7, False, True, "relu")

s0, classes = T(4, 3 * 5, scale=2), rng.integers(0, 5, (4, 3))
s = s0.clone().requires_grad_(True)
v = F.cross_entropy(s.reshape(-1, 5), torch.tensor(classes).reshape(-1))
v.backward()
losses.append({"name": "step cross-entropy", "s": L(s), "y": L(classes), "value": float(v.detach()), "gradient": L(s.grad)})

json.dump({"runs": runs, "layers": layers, "losses": losses, "optimizers": optimizers, "run": run},
          open(os.path.join(os.path.dirname(__file__), "nn.json"), "w"))
