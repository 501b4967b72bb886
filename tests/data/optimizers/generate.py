"""Trajectories of optimisers and factors of schedules, from PyTorch, for tests/optimizers.

    pip install torch numpy && cd tests/data/optimizers && python generate.py

Lion and LAMB, which PyTorch does not have, are the formulas of their papers in NumPy. PyTorch computes the iteration of Muon
in bfloat16; here it runs in double precision.
"""

import json
import math
import warnings

import numpy as np
import torch
from torch.optim import lr_scheduler as lrs

torch.set_default_dtype(torch.float64)
warnings.simplefilter("ignore")

SHAPES = [(3, 4), (5, 2), (4,)]
STEPS = 20
KEPT = (1, 5, 20)


def start():
    """The parameters before the first step."""
    return [
        np.cos(0.9 * np.arange(math.prod(s)) + k).reshape(s)
        for k, s in enumerate(SHAPES)
    ]


def gradient(params, step):
    """A gradient with a part of the parameter's own, and one that depends on the step (from 0)."""
    out = []
    for k, p in enumerate(params):
        i = np.arange(p.size).reshape(p.shape)
        out.append(0.5 * (1 + i % 3) * p + np.sin(1.3 * step + 0.7 * i + k))
    return out


def flat(params):
    return [float(x) for p in params for x in np.asarray(p).ravel()]


def by_torch(make, clip=None):
    params = [torch.nn.Parameter(torch.tensor(p)) for p in start()]
    optimizers = make(params)
    kept = {}
    for step in range(STEPS):
        for p, g in zip(params, gradient([p.detach().numpy() for p in params], step)):
            p.grad = torch.tensor(g)
        if clip:
            clip(params)
        for o in optimizers:
            o.step()
        if step + 1 in KEPT:
            kept[str(step + 1)] = flat([p.detach().numpy() for p in params])
    return kept


def clip_norm(params, most):
    """As `clip_grad_norm_`, without the 1e-6 that PyTorch adds to the norm."""
    norm = torch.nn.utils.get_total_norm([p.grad for p in params])
    for p in params:
        p.grad *= min(1.0, most / norm.item())


def by_formula(update):
    params = start()
    memories = [{} for _ in params]
    kept = {}
    for step in range(STEPS):
        grads = gradient(params, step)
        params = [update(p, g, m, step + 1) for p, g, m in zip(params, grads, memories)]
        if step + 1 in KEPT:
            kept[str(step + 1)] = flat(params)
    return kept


def lion(lr, b1, b2, decay):
    """Algorithm 2 of Chen et al. 2023."""

    def update(p, g, memory, _):
        m = memory.get("m", np.zeros_like(p))
        u = np.sign(b1 * m + (1 - b1) * g)
        memory["m"] = b2 * m + (1 - b2) * g
        return p - lr * (u + decay * p)

    return update


def lamb(lr, b1, b2, eps, decay):
    """Algorithm 2 of You et al. 2020."""

    def update(p, g, memory, t):
        memory["m"] = m = b1 * memory.get("m", 0) + (1 - b1) * g
        memory["v"] = v = b2 * memory.get("v", 0) + (1 - b2) * g * g
        r = (m / (1 - b1**t)) / (np.sqrt(v / (1 - b2**t)) + eps)
        u = r + decay * p
        return p - lr * np.linalg.norm(p) / np.linalg.norm(u) * u

    return update


def muon(adjust, lr):
    """PyTorch has weights with a row for each output, and ours have one for each input: it gets them transposed."""

    def run():
        patched = torch.Tensor.to
        torch.Tensor.to = lambda self, *a, **k: (
            self.clone() if k.get("dtype") == torch.bfloat16 else patched(self, *a, **k)
        )
        try:
            params = [torch.nn.Parameter(torch.tensor(p.T.copy())) for p in start()]
            matrices = torch.optim.Muon(params[:2], lr=lr, weight_decay=0.1, adjust_lr_fn=adjust)
            others = torch.optim.AdamW(params[2:], lr=lr, weight_decay=0.1)
            kept = {}
            for step in range(STEPS):
                now = [p.detach().numpy().T.copy() for p in params]
                for p, g in zip(params, gradient(now, step)):
                    p.grad = torch.tensor(g.T.copy())
                matrices.step()
                others.step()
                if step + 1 in KEPT:
                    kept[str(step + 1)] = flat([p.detach().numpy().T for p in params])
            return kept
        finally:
            torch.Tensor.to = patched

    return run()


o = torch.optim
trajectories = {
    "sgd": by_torch(lambda p: [o.SGD(p, lr=0.05)]),
    "sgd_nesterov": by_torch(
        lambda p: [o.SGD(p, lr=0.05, momentum=0.8, nesterov=True, weight_decay=0.1)]
    ),
    "adam": by_torch(lambda p: [o.Adam(p, lr=0.05, betas=(0.8, 0.95), weight_decay=0.1)]),
    "adamw": by_torch(lambda p: [o.AdamW(p, lr=0.05, weight_decay=0.2)]),
    "rmsprop": by_torch(lambda p: [o.RMSprop(p, lr=0.02)]),
    "rmsprop_all": by_torch(
        lambda p: [
            o.RMSprop(
                p, lr=0.02, alpha=0.9, eps=1e-6, momentum=0.7, centered=True, weight_decay=0.1
            )
        ]
    ),
    "adagrad": by_torch(lambda p: [o.Adagrad(p, lr=0.1)]),
    "adagrad_all": by_torch(
        lambda p: [
            o.Adagrad(
                p, lr=0.1, lr_decay=0.05, initial_accumulator_value=0.3, weight_decay=0.1, eps=1e-7
            )
        ]
    ),
    "adadelta": by_torch(lambda p: [o.Adadelta(p, lr=1.0)]),
    "adadelta_all": by_torch(
        lambda p: [o.Adadelta(p, lr=0.7, rho=0.8, eps=1e-5, weight_decay=0.1)]
    ),
    "adafactor": by_torch(lambda p: [o.Adafactor(p, lr=0.1)]),
    "adafactor_all": by_torch(
        lambda p: [
            o.Adafactor(p, lr=0.3, beta2_decay=-0.7, eps=(None, 0.9), d=1.2, weight_decay=0.1)
        ]
    ),
    "muon_original": muon("original", 0.05),
    "muon_as_adamw": muon("match_rms_adamw", 0.05),
    "lion": by_formula(lion(0.02, 0.9, 0.99, 0.0)),
    "lion_all": by_formula(lion(0.02, 0.8, 0.95, 0.3)),
    "lamb": by_formula(lamb(0.02, 0.9, 0.999, 1e-6, 0.0)),
    "lamb_all": by_formula(lamb(0.02, 0.8, 0.9, 1e-3, 0.3)),
    "adam_clip_norm": by_torch(
        lambda p: [o.Adam(p, lr=0.05)], lambda p: clip_norm(p, 1.5)
    ),
    "sgd_clip_value": by_torch(
        lambda p: [o.SGD(p, lr=0.05, momentum=0.9)],
        lambda p: torch.nn.utils.clip_grad_value_(p, 0.4),
    ),
    "adamw_groups": by_torch(
        lambda p: [
            o.AdamW(
                [
                    {"params": p[:1]},
                    {"params": p[1:2], "lr": 0.005},
                    {"params": p[2:], "weight_decay": 0.0},
                ],
                lr=0.05,
                weight_decay=0.2,
            )
        ]
    ),
}


def factors(make, steps=30):
    base = 0.5
    optimizer = o.SGD([torch.nn.Parameter(torch.zeros(1))], lr=base)
    schedule = make(optimizer)
    out = []
    for _ in range(steps):
        out.append(optimizer.param_groups[0]["lr"] / base)
        optimizer.step()
        schedule.step()
    return out


def then(optimizer):
    parts = [
        lrs.LinearLR(optimizer, start_factor=1 / 8, total_iters=7),
        lrs.CosineAnnealingLR(optimizer, T_max=16, eta_min=0.1 * 0.5),
    ]
    return lrs.SequentialLR(optimizer, parts, milestones=[8])


schedules = {
    "warmup": factors(lambda x: lrs.LinearLR(x, start_factor=1 / 10, total_iters=9)),
    "linear": factors(lambda x: lrs.LinearLR(x, start_factor=1, end_factor=0.2, total_iters=20)),
    "cosine": factors(lambda x: lrs.CosineAnnealingLR(x, T_max=20, eta_min=0.1 * 0.5), 21),
    "polynomial": factors(lambda x: lrs.PolynomialLR(x, total_iters=20, power=2.0)),
    "exponential": factors(lambda x: lrs.ExponentialLR(x, gamma=0.9)),
    "step_decay": factors(lambda x: lrs.StepLR(x, step_size=7, gamma=0.3)),
    "milestones": factors(lambda x: lrs.MultiStepLR(x, milestones=[4, 15], gamma=0.3)),
    "one_cycle": factors(lambda x: lrs.OneCycleLR(x, max_lr=0.5, total_steps=30), 30 - 1),
    "then": factors(then, 25),
}


def plateau(**settings):
    optimizer = o.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.5)
    schedule = lrs.ReduceLROnPlateau(optimizer, **settings)
    out = []
    for loss in LOSSES:
        schedule.step(loss)
        out.append(optimizer.param_groups[0]["lr"] / 0.5)
    return out


LOSSES = [5.0, 4.0, 3.9999, 4.1, 4.2, 3.0, 3.1, 3.1, 3.1, 3.1, 3.1, 3.1, 2.9999, 2.0, 2.0]
LOSSES += [2.0] * 12
plateaus = {
    "losses": LOSSES,
    "plain": plateau(factor=0.1, patience=2),
    "all": plateau(factor=0.5, patience=1, threshold=0.01, cooldown=2, min_lr=0.5 * 0.2),
}


def average():
    """After each step of SGD, with a decay of 0.9."""
    from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

    model = torch.nn.ParameterList([torch.nn.Parameter(torch.tensor(p)) for p in start()])
    optimizer = o.SGD(model.parameters(), lr=0.05)
    ema = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.9))
    ema.update_parameters(model)
    for step in range(STEPS):
        for p, g in zip(model, gradient([p.detach().numpy() for p in model], step)):
            p.grad = torch.tensor(g)
        optimizer.step()
        ema.update_parameters(model)
    return flat([p.detach().numpy() for p in ema.module])


def lbfgs():
    """Two functions of Rosenbrock: losses before, and the parameters after, steps of at most 4 iterations."""
    x = torch.nn.Parameter(torch.tensor([-1.2, 0.5]))
    y = torch.nn.Parameter(torch.tensor([1.0, -0.3]))
    optimizer = o.LBFGS([x, y], max_iter=4, history_size=3, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = ((1 - x) ** 2 + 100 * (y - x * x) ** 2).sum()
        loss.backward()
        return loss

    out = []
    for _ in range(10):
        loss = optimizer.step(closure)
        evaluations = optimizer.state[x]["func_evals"]
        out.append({"loss": float(loss), "evaluations": evaluations, "at": flat([x.detach(), y.detach()])})
    return out


everything = {
    "trajectories": trajectories,
    "schedules": schedules,
    "plateaus": plateaus,
    "ema": average(),
    "lbfgs": lbfgs(),
}
with open("expected.json", "w") as f:
    json.dump(everything, f, indent=0)
    f.write("\n")
