"""Losses, from PyTorch's torch.nn.functional in f64.

A case has the floats that a loss is differentiated by, the integers that it reads, its value, and its gradients times 0.7.
"""

import numpy as np
import torch
import torch.nn.functional as F

COTANGENT = 0.7


def array(x):
    x = np.asarray(x.detach() if isinstance(x, torch.Tensor) else x)
    return {"shape": list(x.shape), "data": x.ravel().tolist()}


class Maker:
    def __init__(self):
        self.rng = np.random.default_rng(23)
        self.cases = []

    def floats(self, shape, low=-2.0, high=2.0):
        """Multiples of 1/1024, which are exact in every format."""
        return np.round(self.rng.uniform(low, high, shape) * 1024) / 1024

    def classes(self, shape, below):
        return self.rng.integers(0, below, shape)

    def case(self, name, f, inputs, integers=()):
        leaves = [torch.tensor(v, requires_grad=True) for v in inputs]
        loss = f(*leaves, *(torch.tensor(i) for i in integers))
        gradients = torch.autograd.grad(loss, leaves, torch.tensor(COTANGENT, dtype=torch.float64))
        self.cases.append({
            "op": name,
            "inputs": [array(v) for v in inputs],
            "integers": [array(i) for i in integers],
            "output": array(loss),
            "gradients": [array(g) for g in gradients],
        })


def classes_last(loss):
    """PyTorch has the classes on axis 1."""

    def f(x, y, **options):
        return loss(x.reshape(-1, x.shape[-1]), y.reshape(-1), **options)

    return f


def of_classes(m):
    entropy, nll = classes_last(F.cross_entropy), classes_last(F.nll_loss)
    for shape in [(5,), (2, 3, 5), (2, 1, 3, 4)]:
        name = "x".join(map(str, shape))
        m.case(f"cross_entropy_{name}", entropy, [m.floats(shape)], [m.classes(shape[:-1], shape[-1])])
    for shape in [(1, 1), (6, 5), (2, 3, 4)]:
        name = "x".join(map(str, shape))
        c = shape[-1]
        weights = torch.tensor(np.linspace(0.25, 2.0, c))

        def add(kind, x, y, **options):
            m.case(f"cross_entropy_with_{kind}_{name}", lambda x, y: entropy(x, y, **options), [x], [y])
            z = x - 2.5
            if "label_smoothing" not in options:
                m.case(f"nll_loss_with_{kind}_{name}", lambda x, y: nll(x, y, **options), [z], [y])

        x, y = m.floats(shape), m.classes(shape[:-1], c)
        m.case(f"nll_loss_{name}", nll, [x - 2.5], [y])
        add("smoothing", x, y, label_smoothing=0.1)
        add("weights", x, y, weight=weights)
        add("sum", x, y, reduction="sum")
        add("weights_smoothing", x, y, weight=weights, label_smoothing=0.3)
        if c > 1:
            some = y.copy()
            some.flat[0] = 0
            some.flat[-1] = 1
            add("ignore", x, some, ignore_index=0)
            add("ignore_smoothing", x, some, ignore_index=0, label_smoothing=0.1)
            add("all", x, some, ignore_index=0, label_smoothing=0.2, weight=weights)
            add("all_sum", x, some, ignore_index=0, label_smoothing=0.2, weight=weights, reduction="sum")
            outside = y.copy()
            outside.flat[1] = -100
            add("outside", x, outside, ignore_index=-100, weight=weights)


def of_elements(m):
    for shape in [(1, 1), (3, 5), (4, 17)]:
        name = "x".join(map(str, shape))
        p, t = m.floats(shape, 0.01, 0.99), m.floats(shape, 0, 1)
        m.case(f"bce_loss_{name}", F.binary_cross_entropy, [p, t])
        weights = torch.tensor(np.linspace(0.5, 4.0, shape[1]))

        def weighted(x, t):
            return F.binary_cross_entropy_with_logits(x, t, pos_weight=weights)

        m.case(f"bce_with_logits_weighted_{name}", weighted, [m.floats(shape, -5, 5), t])
        p = torch.softmax(torch.tensor(m.floats(shape)), -1).numpy()
        m.case(f"soft_cross_entropy_{name}", F.cross_entropy, [m.floats(shape), p])


def of_vectors(m):
    def normal(mean, log_var):
        return -0.5 * (1 + log_var - mean**2 - log_var.exp()).flatten(1).sum(1).mean()

    for shape in [(1, 1), (4, 3), (2, 3, 4)]:
        name = "x".join(map(str, shape))
        m.case(f"kl_normal_{name}", normal, [m.floats(shape), m.floats(shape)])
        sums = lambda a, b: (F.cosine_similarity(a, b, dim=-1) * torch.linspace(1, 2, shape[-2], dtype=torch.float64)).sum()
        if len(shape) == 2:
            m.case(f"cosine_similarity_{name}", sums, [m.floats(shape), m.floats(shape)])

    def pairs(a, b, similar):
        d = (a - b).norm(dim=1)
        return (0.5 * torch.where(similar > 0, d**2, (2.5 - d).clamp(min=0) ** 2)).mean()

    def angles(a, b, similar):
        return F.cosine_embedding_loss(a, b, similar * 2 - 1, margin=0.2)

    def nce(q, k):
        logits = F.normalize(q, dim=1, eps=1e-8) @ F.normalize(k, dim=1, eps=1e-8).T / 0.25
        return F.cross_entropy(logits, torch.arange(len(q)))

    def clip(a, b, scale):
        logits = F.normalize(a, dim=1, eps=1e-8) @ F.normalize(b, dim=1, eps=1e-8).T * scale
        rows = torch.arange(len(a))
        return (F.cross_entropy(logits, rows) + F.cross_entropy(logits.T, rows)) / 2

    for shape in [(1, 2), (4, 3), (6, 7)]:
        name = "x".join(map(str, shape))
        a, b, c = (m.floats(shape) for _ in range(3))
        similar = m.classes(shape[:1], 2)
        similar[0] = 0
        m.case(f"triplet_loss_{name}", lambda a, p, n: F.triplet_margin_loss(a, p, n, margin=0.5), [a, b, c])
        m.case(f"contrastive_loss_{name}", pairs, [a, b], [similar])
        m.case(f"cosine_embedding_loss_{name}", angles, [a, b], [similar])
        m.case(f"info_nce_{name}", nce, [a, b])
        m.case(f"clip_loss_{name}", clip, [a, b, np.array(3.5)])


def alignments(m):
    # Frames, batch, classes, places for labels.
    for sizes in [(1, 1, 2, 1), (6, 2, 4, 3), (9, 4, 5, 4)]:
        frames, batch, classes, places = sizes
        name = "x".join(map(str, sizes))
        x = m.floats((frames, batch, classes))
        labels = m.rng.integers(1, classes, (batch, places))
        counts = np.maximum(places - np.arange(batch), 0)
        if batch > 1:
            labels[0, 1] = labels[0, 0]  # a blank must stand between the two
        # Enough frames for all labels and the blanks between equal ones.
        lengths = np.maximum(frames - np.arange(batch), 1)

        def add(kind, blank, labels=labels, counts=counts, lengths=lengths, **options):
            def loss(x, labels, lengths, counts):
                z = torch.log_softmax(x, -1)
                return F.ctc_loss(z, labels, lengths, counts, blank=blank, **options)

            m.case(f"ctc_loss_{kind}_{name}", loss, [x], [labels, lengths, counts])

        add("mean", 0)
        add("sum", 0, reduction="sum")
        add("last_blank", classes - 1, labels - 1)
        add("no_labels", 0, counts=np.zeros(batch, dtype=np.int64))
        if batch > 1:
            short = lengths.copy()
            short[0] = 2  # too few for the labels of the first example
            add("zero_infinity", 0, lengths=short, zero_infinity=True)


def cases():
    m = Maker()
    of_classes(m)
    of_elements(m)
    of_vectors(m)
    alignments(m)
    return m.cases
