"""Writes the models of this folder, with inputs and what onnxruntime makes of them: pip install torch onnx onnxruntime onnxscript

    python make.py

Each network is a file of torch.onnx.export, `NAME.onnx`, and `NAME.bin` has its inputs and outputs for the batches 1, 3 and 8,
and the gradients that PyTorch has of the mean of squares of the first output. `operators.bin` has models of one node, each with
its inputs and outputs.

A `.bin` file: records of a name, and a list of arrays, each with a name, a type, sizes and little-endian elements. Arrays of
`made` are stored without their elements.
"""
import io, os, struct, sys
import numpy as np
import onnx
import onnxruntime as ort
import torch
import torch.nn as nn
import torch.nn.functional as F

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = {"float32": 0, "float64": 1, "int64": 2, "bool": 3, "bytes": 4, "made": 5}


def made(*shape):
    """Numbers that the tests make again, so that the files need not have them."""
    n = int(np.prod(shape))
    k = np.arange(n, dtype=np.int64)
    return torch.from_numpy((((k * 7919 + n) % 2003) / 1001.5 - 1.0).astype(np.float32).reshape(shape))


def text(out, s):
    b = s.encode()
    out.write(struct.pack("<I", len(b)) + b)


def array(out, name, x):
    text(out, name)
    if isinstance(x, bytes):
        out.write(struct.pack("<BII", KINDS["bytes"], 1, len(x)) + x)
        return
    x = np.asarray(x)
    if name.startswith("in:") and x.dtype == np.float32 and x.size and np.array_equal(x, made(*x.shape).numpy()):
        out.write(struct.pack("<BI", KINDS["made"], x.ndim) + struct.pack(f"<{x.ndim}I", *x.shape))
        return
    if x.dtype == np.int32:
        x = x.astype(np.int64)
    if x.dtype == np.float16:
        x = x.astype(np.float32)
    out.write(struct.pack("<BI", KINDS[x.dtype.name], x.ndim))
    out.write(struct.pack(f"<{x.ndim}I", *x.shape) + np.ascontiguousarray(x).tobytes())


def record(out, name, arrays):
    text(out, name)
    out.write(struct.pack("<I", len(arrays)))
    for key, x in arrays.items():
        array(out, key, x)


def session(model):
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


# Networks ------------------------------------------------------------------------------------------------------------


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = nn.Linear(4, 8), nn.Linear(8, 3)

    def forward(self, x):
        return self.out(torch.tanh(self.hidden(x)))


class Block(nn.Module):
    def __init__(self, c, d, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(c, d, 3, stride, 1, bias=False), nn.BatchNorm2d(d)
        self.conv2, self.bn2 = nn.Conv2d(d, d, 3, 1, 1, bias=False), nn.BatchNorm2d(d)
        self.down = nn.Sequential(nn.Conv2d(c, d, 1, stride, bias=False), nn.BatchNorm2d(d)) if stride > 1 else None

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(y + (x if self.down is None else self.down(x)))


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 6, 3, 2, 1, bias=False), nn.BatchNorm2d(6), nn.ReLU(), nn.MaxPool2d(3, 2, 1))
        self.blocks = nn.Sequential(Block(6, 6, 1), Block(6, 8, 2))
        self.pool, self.fc = nn.AdaptiveAvgPool2d(1), nn.Linear(8, 10)

    def forward(self, x):
        return self.fc(torch.flatten(self.pool(self.blocks(self.stem(x))), 1))


class MobileNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1, bias=False), nn.BatchNorm2d(8), nn.Hardswish())
        self.deep = nn.Sequential(
            nn.Conv2d(8, 16, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU6(),
            nn.Conv2d(16, 16, 5, 2, 2, groups=16, bias=False), nn.BatchNorm2d(16), nn.Hardswish(),
        )
        self.squeeze = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(16, 4, 1), nn.ReLU(), nn.Conv2d(4, 16, 1), nn.Hardsigmoid())
        self.project = nn.Sequential(nn.Conv2d(16, 8, 1, bias=False), nn.BatchNorm2d(8))
        self.head = nn.Sequential(nn.Linear(8, 16), nn.Hardswish(), nn.Dropout(0.2), nn.Linear(16, 5))

    def forward(self, x):
        x = self.deep(self.stem(x))
        return self.head(self.project(x * self.squeeze(x)).mean([2, 3]))


class Vgg(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2, 2),
            nn.Conv2d(6, 8, 3, padding=2, dilation=2), nn.LeakyReLU(0.1), nn.AvgPool2d(3, 2, 1),
        )
        self.classifier = nn.Sequential(nn.Linear(8 * 16, 10), nn.PReLU(), nn.Dropout(), nn.Linear(10, 4))

    def forward(self, x):
        return F.log_softmax(self.classifier(torch.flatten(self.features(x), 1)), -1)


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Conv2d(1, 4, 3, padding=1), nn.Conv2d(4, 8, 3, 2, 1)
        self.norm = nn.InstanceNorm2d(8, affine=True)
        self.three = nn.Conv2d(8, 8, 3, 2, 1)
        self.up = nn.ConvTranspose2d(8, 8, 2, 2)
        self.four, self.five = nn.Conv2d(16, 4, 3, padding=1), nn.Conv2d(8, 2, 3, padding=1)

    def forward(self, x):
        a = F.silu(self.one(x))
        b = F.elu(self.norm(self.two(a)))
        c = F.gelu(self.three(b))
        d = F.relu(self.four(torch.cat([self.up(c), b], 1)))
        d = F.interpolate(d, scale_factor=2, mode="bilinear", align_corners=False)
        e = F.interpolate(F.avg_pool2d(a, 2), scale_factor=2, mode="nearest")
        return torch.sigmoid(self.five(torch.cat([d, e], 1)))


class Bert(nn.Module):
    def __init__(self, words=30, width=16, heads=2, layers=1):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(12, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList([self.layer(width) for _ in range(layers)])
        self.pooler, self.classifier = nn.Linear(width, width), nn.Linear(width, 3)
        self.heads = heads
        self.register_buffer("positions", torch.arange(12)[None])

    def layer(self, w):
        return nn.ModuleDict(dict(
            q=nn.Linear(w, w), k=nn.Linear(w, w), v=nn.Linear(w, w), o=nn.Linear(w, w), n1=nn.LayerNorm(w),
            up=nn.Linear(w, 2 * w), down=nn.Linear(2 * w, w), n2=nn.LayerNorm(w)))

    def split(self, x):
        return x.view(x.size(0), x.size(1), self.heads, -1).transpose(1, 2)

    def forward(self, ids, mask):
        x = self.norm(self.words(ids) + self.places(self.positions[:, : ids.size(1)]))
        bias = (1.0 - mask[:, None, None, :].to(x.dtype)) * -10000.0
        for m in self.layers:
            q, k, v = (self.split(m[n](x)) for n in "qkv")
            p = torch.softmax(q @ k.transpose(-1, -2) / (q.size(-1) ** 0.5) + bias, -1)
            y = (p @ v).transpose(1, 2).reshape(x.size(0), x.size(1), -1)
            x = m["n1"](x + m["o"](y))
            x = m["n2"](x + m["down"](F.gelu(m["up"](x))))
        return self.classifier(torch.tanh(self.pooler(x[:, 0])))


class Gpt(nn.Module):
    def __init__(self, words=20, width=12, heads=2, layers=1):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(10, width)
        self.blocks = nn.ModuleList([
            nn.ModuleDict(dict(n1=nn.LayerNorm(width), qkv=nn.Linear(width, 3 * width), o=nn.Linear(width, width),
                               n2=nn.LayerNorm(width), up=nn.Linear(width, 4 * width), down=nn.Linear(4 * width, width)))
            for _ in range(layers)])
        self.norm, self.heads = nn.LayerNorm(width), heads

    def forward(self, ids):
        b, t = ids.shape
        x = self.words(ids) + self.places(torch.arange(t, device=ids.device))
        mask = torch.tril(torch.ones(t, t, dtype=torch.bool, device=ids.device))
        for m in self.blocks:
            q, k, v = m["qkv"](m["n1"](x)).split(12, -1)
            q, k, v = (y.view(b, t, self.heads, -1).transpose(1, 2) for y in (q, k, v))
            a = (q @ k.transpose(-1, -2)) * (q.size(-1) ** -0.5)
            a = a.masked_fill(~mask, float("-inf")).softmax(-1)
            x = x + m["o"]((a @ v).transpose(1, 2).reshape(b, t, -1))
            x = x + m["down"](F.gelu(m["up"](m["n2"](x)), approximate="tanh"))
        return self.norm(x) @ self.words.weight.t()


class Encoder(nn.Module):
    """The layers of PyTorch itself, with its own attention."""

    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, batch_first=True, norm_first=True)
        self.encoder, self.out = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False), nn.Linear(8, 2)

    def forward(self, x):
        return self.out(self.encoder(x)).mean(1)


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(12, 6)
        self.lstm = nn.LSTM(6, 5, num_layers=1, bidirectional=True, batch_first=True)
        self.gru, self.out = nn.GRU(10, 4, batch_first=True), nn.Linear(4, 3)

    def forward(self, ids):
        y, _ = self.lstm(self.words(ids))
        y, h = self.gru(y)
        return self.out(h[-1]), y


def ids(shape, high):
    return torch.randint(0, high, shape)


def mask(b, t):
    m = torch.ones(b, t, dtype=torch.int64)
    for i in range(b):
        m[i, t - i % 3:] = 0 if i % 3 else 1
    return m


# name: network, inputs for a batch, names, axes that vary, opset, exporter
NETWORKS = {
    "mlp": (Mlp, lambda b: (made(b, 4),), ["x"], {"x": {0: "batch"}}, 17, "script"),
    "resnet": (ResNet, lambda b: (made(b, 3, 24, 24),), ["x"], {"x": {0: "batch"}}, 13, "script"),
    "resnet_dynamo": (ResNet, lambda b: (made(b, 3, 24, 24),), ["x"], {"x": {0: "batch"}}, 18, "dynamo"),
    "mobilenet": (MobileNet, lambda b: (made(b, 3, 16, 16),), ["x"], {"x": {0: "batch"}}, 14, "script"),
    "vgg": (Vgg, lambda b: (made(b, 3, 16, 16),), ["x"], {"x": {0: "batch"}}, 11, "script"),
    "unet": (UNet, lambda b: (made(b, 1, 8, 8),), ["x"], {"x": {0: "batch"}}, 17, "script"),
    "unet_dynamo": (UNet, lambda b: (made(b, 1, 8, 8),), ["x"], {"x": {0: "batch"}}, 18, "dynamo"),
    "bert": (Bert, lambda b: (ids((b, 4 + b), 30), mask(b, 4 + b)), ["ids", "mask"], {"ids": {0: "batch", 1: "time"}, "mask": {0: "batch", 1: "time"}}, 17, "script"),
    "bert_dynamo": (Bert, lambda b: (ids((b, 4 + b), 30), mask(b, 4 + b)), ["ids", "mask"], {"ids": {0: "batch", 1: "time"}, "mask": {0: "batch", 1: "time"}}, 18, "dynamo"),
    "gpt": (Gpt, lambda b: (ids((b, 2 + b), 20),), ["ids"], {"ids": {0: "batch", 1: "time"}}, 17, "script"),
    "gpt_dynamo": (Gpt, lambda b: (ids((b, 2 + b), 20),), ["ids"], {"ids": {0: "batch", 1: "time"}}, 20, "dynamo"),
    "encoder": (Encoder, lambda b: (made(b, 5, 8),), ["x"], {"x": {0: "batch"}}, 17, "script"),
    "lstm": (Lstm, lambda b: (ids((b, 3 + b), 12),), ["ids"], {"ids": {0: "batch", 1: "time"}}, 17, "script"),
}


def network(name):
    make, inputs, names, axes, opset, exporter = NETWORKS[name]
    torch.manual_seed(len(name))
    net = make()
    for m in net.modules():
        if isinstance(m, nn.BatchNorm2d):
            m.running_mean.normal_(0, 0.2), m.running_var.uniform_(0.5, 1.5)
        if isinstance(m, (nn.BatchNorm2d, nn.InstanceNorm2d, nn.LayerNorm)):
            # Equal tensors would become one.
            nn.init.uniform_(m.weight, 0.7, 1.3), nn.init.normal_(m.bias, 0, 0.1)
    net.eval()
    for p in net.parameters():
        p.requires_grad_(True)
    path = os.path.join(HERE, f"{name}.onnx")
    outs = ["logits", "states"] if name == "lstm" else ["logits"]
    # As they are exported to be trained on: with batch normalisation, which would otherwise become part of the convolutions, and
    # with weights that two layers share.
    keep = dict(training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False) if name in ("resnet", "gpt") else {}
    if exporter == "script":
        every = dict(axes)
        for out in outs:
            every[out] = {0: "batch"}
        torch.onnx.export(net, inputs(2), path, input_names=names, output_names=outs, dynamic_axes=every, opset_version=opset, dynamo=False, **keep)
    else:
        sizes = {}
        shapes = []
        for n in names:
            shapes.append({i: sizes.setdefault(a, torch.export.Dim(a, min=1, max=10)) for i, a in axes[n].items()})
        program = torch.onnx.export(net, inputs(3), input_names=names, output_names=outs, dynamic_shapes=tuple(shapes), opset_version=opset, dynamo=True, verbose=False)
        model = program.model_proto
        for node in model.graph.node:
            del node.metadata_props[:]
            node.doc_string = ""
        del model.metadata_props[:], model.graph.metadata_props[:], model.graph.value_info[:]
        for v in list(model.graph.initializer) + list(model.graph.input) + list(model.graph.output):
            del v.metadata_props[:]
        onnx.save(model, path)
    run = session(path)
    with open(os.path.join(HERE, f"{name}.bin"), "wb") as out:
        for b in (1, 3, 8):
            xs = inputs(b)
            got = run.run(None, {n: x.numpy() for n, x in zip(names, xs)})
            arrays = {f"in:{n}": x.numpy() for n, x in zip(names, xs)}
            arrays |= {f"out:{n}": y for n, y in zip(outs, got)}
            if b == 3 and exporter == "script":
                net.zero_grad()
                xs = [x.requires_grad_(x.is_floating_point()) for x in xs]
                ys = net(*xs)
                y = ys if torch.is_tensor(ys) else ys[0]
                (y * y).mean().backward()
                saved = {t.name: onnx.numpy_helper.to_array(t) for t in onnx.load(path).graph.initializer}
                for n, p in net.named_parameters():
                    if n in saved and p.grad is not None and saved[n].shape == tuple(p.shape):
                        arrays[f"grad:{n}"] = p.grad.numpy()
                for n, x in zip(names, xs):
                    if x.grad is not None:
                        arrays[f"grad:{n}"] = x.grad.numpy()
            record(out, str(b), arrays)
    print(name, os.path.getsize(path), os.path.getsize(path[:-4] + "bin"))


# Operators -----------------------------------------------------------------------------------------------------------

CASES = []


def case(op, inputs, opset=17, outputs=1, constants=(), name=None, domain="", **attributes):
    """A model of one node. Operands that are numbers of `constants` are initialisers, the others inputs."""
    CASES.append((name or op, op, [None if x is None else np.asarray(x) for x in inputs], opset, outputs, set(constants), attributes))


rng = np.random.default_rng(5)


def f(*shape, low=-2.0, high=2.0):
    return rng.uniform(low, high, shape).astype(np.float32)


def i(*xs):
    return np.asarray(xs, np.int64)


def cases():
    for op in "Abs Ceil Cos Erf Exp Floor HardSwish Mish Neg Sigmoid Sign Sin Sinh Cosh Softplus Softsign Tanh Atan Asinh Relu Tan Identity".split():
        case(op, [f(3, 4)], opset=18)
    case("Round", [np.float32([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 1.2, 3.7])])
    for op in "Acos Asin Atanh".split():
        case(op, [f(3, 4, low=-0.9, high=0.9)])
    case("Acosh", [f(5, low=1.1, high=3)])
    for op in "Log Sqrt Reciprocal".split():
        case(op, [f(3, 4, low=0.2)])
    case("Gelu", [f(3, 4)], opset=20)
    case("Gelu", [f(3, 4)], opset=20, approximate="tanh", name="Gelu tanh")
    case("LeakyRelu", [f(3, 4)], alpha=0.2)
    case("Elu", [f(3, 4)], alpha=0.7), case("Celu", [f(3, 4)], alpha=0.7), case("Selu", [f(3, 4)])
    case("HardSigmoid", [f(3, 4)], alpha=0.3, beta=0.4), case("ThresholdedRelu", [f(3, 4)], alpha=0.5)
    case("PRelu", [f(2, 3, 4), f(3, 1)])
    case("Clip", [f(3, 4), np.float32(-0.5), np.float32(0.7)], constants=[1, 2]), case("Clip", [f(3, 4), None, np.float32(0.7)], constants=[2], name="Clip above")
    case("Clip", [f(3, 4), np.float32(-0.5), np.float32(0.7)], name="Clip given")
    for op in "Add Sub Mul Div".split():
        case(op, [f(2, 3, 4), f(3, 1, low=0.5)])
        case(op, [i(7, -7, 9), i(2, 2, -4)], name=op + " whole")
    case("Pow", [f(3, low=0.2), f(3)]), case("Pow", [f(3), np.float32(2)], constants=[1], name="Pow 2"), case("Pow", [f(3), np.float32(3)], constants=[1], name="Pow 3"), case("Pow", [f(3, low=0.2), i(2)[0]], name="Pow whole")
    case("Mod", [i(7, -7, 9), i(3, 3, -4)]), case("Mod", [f(4), f(4, low=0.5)], fmod=1, name="Mod fmod"), case("Mod", [i(7, -7, 9), i(3, 3, -4)], fmod=1, name="Mod whole fmod")
    for op in "Max Min Sum Mean".split():
        case(op, [f(2, 3), f(3), f(2, 1)])
    for op in "Equal Less Greater LessOrEqual GreaterOrEqual".split():
        case(op, [i(1, 2, 3), i(2, 2, 2)]), case(op, [f(2, 3), f(3)], name=op + " float")
    b = lambda *s: rng.random(s) > 0.5
    for op in "And Or Xor".split():
        case(op, [b(2, 3), b(3)])
    case("Not", [b(4)]), case("IsNaN", [np.float32([1, np.nan])]), case("IsInf", [np.float32([1, np.inf, -np.inf])], detect_negative=0)
    case("Where", [b(2, 3), f(3), f(2, 1)]), case("Where", [b(2, 3), i(1, 2, 3), i(9)], name="Where whole")
    case("Concat", [f(2, 3), f(2, 1), f(2, 2)], axis=-1), case("Concat", [i(1), i(2, 3)], axis=0, name="Concat whole")
    case("Split", [f(2, 6)], axis=1, outputs=3), case("Split", [f(2, 6), i(1, 2, 3)], axis=1, outputs=3, constants=[1], name="Split sizes"), case("Split", [f(7)], opset=18, num_outputs=3, outputs=3, name="Split uneven")
    case("Reshape", [f(2, 3, 4), i(0, -1)], constants=[1]), case("Flatten", [f(2, 3, 4)], axis=2), case("Transpose", [f(2, 3, 4)], perm=[2, 0, 1]), case("Transpose", [f(2, 3)], name="Transpose all")
    case("Squeeze", [f(2, 1, 3, 1), i(1)], constants=[1]), case("Squeeze", [f(2, 1, 3, 1)], name="Squeeze all"), case("Unsqueeze", [f(2, 3), i(0, -1)], constants=[1]), case("Squeeze", [f(2, 1)], opset=11, axes=[1], name="Squeeze 11")
    case("Expand", [f(3, 1), i(2, 1, 4)], constants=[1]), case("Tile", [f(2, 3), i(2, 3)], constants=[1])
    case("Slice", [f(5, 6), i(1, -1), i(4, -7), i(0, 1), i(1, -2)], constants=[1, 2, 3, 4]), case("Slice", [f(5, 6), i(1), i(2**62)], constants=[1, 2], name="Slice end")
    case("Pad", [f(2, 3), i(1, 0, 0, 2), np.float32(1.5)], constants=[1, 2]), case("Pad", [f(4, 3), i(1, 0, 2, 2)], mode="reflect", constants=[1], name="Pad reflect"), case("Pad", [f(2, 3), i(1, 0, 0, 2)], mode="edge", constants=[1], name="Pad edge"), case("Pad", [f(4, 5), i(-1, 1, 0, -2)], constants=[1], name="Pad less")
    case("Shape", [f(2, 3, 4)]), case("Shape", [f(2, 3, 4)], start=1, end=-1, name="Shape part"), case("Size", [f(2, 3)])
    case("Cast", [f(4)], to=7), case("Cast", [f(4)], to=9, name="Cast bool"), case("Cast", [b(4)], to=1, name="Cast from bool"), case("Cast", [f(4)], to=11, name="Cast double"), case("Cast", [f(9)], to=10, name="Cast half")
    case("ConstantOfShape", [i(2, 3)], value=onnx.numpy_helper.from_array(np.array([2.5], np.float32))), case("Range", [np.float32(1), np.float32(6), np.float32(1.5)]), case("Range", [i(5)[0], i(-4)[0], i(-2)[0]], name="Range whole")
    case("Trilu", [f(3, 4)], upper=0), case("Trilu", [f(2, 4, 4), i(1)[0]], constants=[1], name="Trilu upper"), case("EyeLike", [f(3, 4)], k=1)
    case("CumSum", [f(3, 4), i(1)[0]], constants=[1]), case("CumSum", [f(3, 4), i(0)[0]], constants=[1], exclusive=1, reverse=1, name="CumSum reverse"), case("CumSum", [i(1, 2, 3), i(0)[0]], constants=[1], exclusive=1, name="CumSum whole")
    case("Gather", [f(4, 3), np.asarray([[0, 2], [-1, 1]])]), case("Gather", [f(4, 3), i(2)[0]], axis=1, name="Gather one"), case("Gather", [i(5, 6, 7), i(-1)], name="Gather whole")
    case("GatherElements", [f(3, 4), np.asarray([[0, 2, 1], [-1, 1, 0]])], axis=0), case("GatherND", [f(3, 4, 2), np.asarray([[0, 1], [2, -1]])])
    case("ScatterElements", [f(3, 4), np.asarray([[0, 2, 1, 0]]), f(1, 4)], axis=0), case("ScatterElements", [f(4), i(1, 1), f(2)], reduction="add", opset=18, name="ScatterElements add")
    case("ScatterND", [f(3, 4), np.asarray([[0], [2]]), f(2, 4)]), case("ScatterND", [f(3, 4), np.asarray([[0, 1], [2, 3], [0, 1]]), f(3)], reduction="add", opset=18, name="ScatterND add")
    case("ArgMax", [f(3, 4)], axis=1), case("ArgMin", [f(3, 4)], axis=0, keepdims=0), case("TopK", [f(3, 5), i(2)], constants=[1], outputs=2), case("TopK", [f(3, 5), i(3)], constants=[1], outputs=2, largest=0, axis=0, name="TopK smallest")
    case("OneHot", [i(0, 2, -1), i(4)[0], np.float32([0.5, 2])], constants=[1, 2]), case("NonZero", [np.float32([[1, 0], [0, 2]])])
    for op in "ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSumExp ReduceSumSquare".split():
        case(op, [f(2, 3, 4), i(0, -1)], opset=18, constants=[1], keepdims=0), case(op, [f(2, 3)], opset=18, name=op + " all")
    case("ReduceLogSum", [f(2, 3, low=0.2)], opset=18), case("ReduceMean", [f(2, 3, 4)], opset=13, axes=[1], name="ReduceMean 13"), case("ReduceMax", [np.asarray([[1, 5], [7, 2]]), i(0)], opset=18, constants=[1], name="ReduceMax whole"), case("ReduceSum", [np.asarray([[1, 5], [7, 2]]), i(1)], constants=[1], name="ReduceSum whole")
    for op in "Softmax LogSoftmax".split():
        case(op, [f(2, 3, 4)], axis=1), case(op, [f(2, 3, 4)], opset=11, name=op + " 11")
    case("LpNormalization", [f(2, 3)], axis=1)
    case("MatMul", [f(2, 3), f(3, 4)]), case("MatMul", [f(2, 1, 3, 4), f(5, 4, 2)], name="MatMul broadcast"), case("MatMul", [f(3), f(2, 3, 4)], name="MatMul row"), case("MatMul", [f(2, 3, 4), f(4)], name="MatMul column")
    case("Gemm", [f(2, 3), f(3, 4), f(4)]), case("Gemm", [f(3, 2), f(4, 3), f(2, 1)], transA=1, transB=1, alpha=0.5, beta=2.0, name="Gemm turned")
    for e, shapes in {"ij,jk->ik": [(2, 3), (3, 4)], "bhid,bhjd->bhij": [(2, 2, 3, 4), (2, 2, 5, 4)], "...ij,...jk": [(2, 3, 4), (2, 4, 5)], "ii->i": [(3, 3)], "ij,i,k->jk": [(2, 3), (2,), (4,)], "ij->": [(2, 3)]}.items():
        case("Einsum", [f(*s) for s in shapes], equation=e, name="Einsum " + e)
    case("Conv", [f(2, 4, 7, 6), f(6, 2, 3, 3), f(6)], group=2, pads=[1, 0, 2, 1], strides=[2, 1], dilations=[1, 2]), case("Conv", [f(1, 2, 9), f(3, 2, 3)], auto_pad="SAME_UPPER", strides=[2], name="Conv same"), case("Conv", [f(1, 2, 4, 4, 4), f(3, 2, 2, 2, 2)], name="Conv 3"), case("Conv", [f(1, 2, 8, 8), f(3, 2, 4, 4)], auto_pad="SAME_LOWER", name="Conv lower")
    case("ConvTranspose", [f(1, 4, 3, 4), f(4, 3, 3, 2), f(6)], group=2, strides=[2, 2], pads=[1, 0, 0, 1], output_padding=[1, 0]), case("ConvTranspose", [f(2, 3, 5), f(3, 2, 3)], dilations=[2], name="ConvTranspose 1"), case("ConvTranspose", [f(1, 2, 4, 4), f(2, 2, 3, 3)], strides=[2, 2], output_shape=[8, 8], name="ConvTranspose shape")
    case("MaxPool", [f(1, 2, 7, 7)], kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 0, 1]), case("MaxPool", [f(1, 2, 7, 8)], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1, name="MaxPool ceil"), case("MaxPool", [f(1, 2, 9)], kernel_shape=[3], dilations=[2], name="MaxPool 1")
    case("AveragePool", [f(1, 2, 7, 7)], kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1]), case("AveragePool", [f(1, 2, 7, 7)], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], count_include_pad=1, name="AveragePool pads"), case("AveragePool", [f(1, 2, 6, 6)], opset=19, kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1, name="AveragePool ceil")
    case("GlobalAveragePool", [f(2, 3, 4, 5)]), case("GlobalMaxPool", [f(2, 3, 4)])
    case("BatchNormalization", [f(2, 3, 4, 2), f(3), f(3), f(3), f(3, low=0.5)], epsilon=1e-3), case("InstanceNormalization", [f(2, 3, 4, 2), f(3), f(3)]), case("LayerNormalization", [f(2, 3, 4), f(4), f(4)]), case("LayerNormalization", [f(2, 3, 4), f(3, 4)], axis=1, name="LayerNormalization two"), case("GroupNormalization", [f(2, 4, 3), f(4), f(4)], opset=21, num_groups=2)
    e = np.float32([])
    for mode in ("nearest", "linear"):
        for how in ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"):
            case("Resize", [f(1, 2, 4, 5), None, np.float32([1, 1, 2, 1.6])], constants=[1, 2], mode=mode, coordinate_transformation_mode=how, name=f"Resize {mode} {how}")
    case("Resize", [f(1, 2, 4, 5), None, None, i(1, 2, 7, 3)], constants=[3], mode="linear", name="Resize sizes"), case("Resize", [f(1, 2, 4), None, np.float32([1, 1, 2])], constants=[2], mode="nearest", nearest_mode="floor", coordinate_transformation_mode="asymmetric", name="Resize floor"), case("Resize", [f(1, 2, 4, 4), None, np.float32([2, 0.5])], opset=18, axes=[2, 3], constants=[2], mode="linear", name="Resize axes")
    case("LSTM", [f(4, 2, 3), f(1, 12, 3), f(1, 12, 3), f(1, 24)], hidden_size=3, outputs=3), case("LSTM", [f(4, 2, 3), f(2, 12, 3), f(2, 12, 3), f(2, 24), None, f(2, 2, 3), f(2, 2, 3)], hidden_size=3, direction="bidirectional", outputs=3, name="LSTM both"), case("LSTM", [f(4, 2, 3), f(1, 12, 3), f(1, 12, 3)], hidden_size=3, direction="reverse", outputs=3, name="LSTM reverse")
    case("GRU", [f(4, 2, 3), f(1, 12, 3), f(1, 12, 4), f(1, 24)], hidden_size=4, linear_before_reset=1, outputs=2), case("RNN", [f(4, 2, 3), f(1, 4, 3), f(1, 4, 4), f(1, 8)], hidden_size=4, outputs=2)
    case("DepthToSpace", [f(1, 8, 2, 3)], blocksize=2), case("DepthToSpace", [f(1, 8, 2, 3)], blocksize=2, mode="CRD", name="DepthToSpace CRD"), case("SpaceToDepth", [f(1, 2, 4, 6)], blocksize=2)
    case("Dropout", [f(3, 4)], outputs=2), case("CastLike", [f(3), i(1)]), case("Constant", [], value=onnx.numpy_helper.from_array(f(2, 2), "v")), case("Constant", [], value_ints=[1, 2, 3], name="Constant whole")


def one(name, op, inputs, opset, outputs, constants, attributes):
    given, held, names, feeds = [], [], [], {}
    for k, x in enumerate(inputs):
        if x is None:
            names.append("")
            continue
        names.append(f"x{k}")
        if k in constants:
            held.append(onnx.numpy_helper.from_array(np.asarray(x), f"x{k}"))
        else:
            x = np.asarray(x)
            given.append(onnx.helper.make_tensor_value_info(f"x{k}", onnx.helper.np_dtype_to_tensor_dtype(x.dtype), [None] * x.ndim))
            feeds[f"x{k}"] = x
    outs = [f"y{k}" for k in range(outputs)]
    node = onnx.helper.make_node(op, names, outs, name="node", **attributes)
    graph = onnx.helper.make_graph([node], "one", given, [onnx.ValueInfoProto(name=o) for o in outs], held)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=9)
    model = onnx.shape_inference.infer_shapes(model)
    for o in model.graph.output:
        if not o.type.HasField("tensor_type"):
            o.type.tensor_type.elem_type = 1
    got = session(model.SerializeToString()).run(None, feeds)
    for o in model.graph.output:
        o.ClearField("type")
    return {"model": model.SerializeToString()} | {f"in:{k}": v for k, v in feeds.items()} | {f"out:{o}": y for o, y in zip(outs, got)}


def operators():
    cases()
    with open(os.path.join(HERE, "operators.bin"), "wb") as out:
        for c in CASES:
            try:
                record(out, c[0], one(*c))
            except Exception as e:
                print("FAILED", c[0], str(e).splitlines()[-1][:200])
    print("operators", len(CASES), os.path.getsize(os.path.join(HERE, "operators.bin")))


if __name__ == "__main__":
    wanted = sys.argv[1:] or [*NETWORKS, "operators"]
    for name in wanted:
        operators() if name == "operators" else network(name)
