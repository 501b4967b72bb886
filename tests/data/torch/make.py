"""Writes the files of weights beside it, by PyTorch: `python make.py` with torch and safetensors.

Each file has the parameters of a module as `state_dict` names them, and the inputs and outputs of the module in inference
under `io.`.
"""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn

HERE = Path(__file__).parent


def shaken(module):
    """All parameters random, those of norms and biases too."""
    for p in module.parameters():
        nn.init.normal_(p, std=0.5)
    for name, b in module.named_buffers():
        if name.endswith("running_mean"):
            nn.init.normal_(b)
        if name.endswith("running_var"):
            nn.init.uniform_(b, 0.5, 2.0)
        if name.endswith("num_batches_tracked"):
            b.fill_(7)
    return module.eval()


def write(name, module, io, prefix="", metadata=None):
    tensors = {prefix + k: v for k, v in module.state_dict().items()}
    tensors |= {f"io.{k}": v.detach() for k, v in io.items()}
    save_file({k: v.contiguous() for k, v in tensors.items()}, HERE / name, metadata or {"format": "pt"})


class Mlp(nn.Module):
    """With a square layer."""

    def __init__(self):
        super().__init__()
        self.fc1, self.fc2, self.head = nn.Linear(6, 5), nn.Linear(5, 5), nn.Linear(5, 3, bias=False)

    def forward(self, x):
        return self.head(torch.tanh(self.fc2(torch.tanh(self.fc1(x)))))


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(2, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
            nn.ConvTranspose2d(4, 3, 2, stride=2), nn.PReLU(),
        )
        self.norm = nn.GroupNorm(1, 3)
        self.classifier = nn.Linear(48, 3)

    def forward(self, x):
        return self.classifier(self.norm(self.features(x)).flatten(1))


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.bag, self.pair = nn.Embedding(7, 4), nn.EmbeddingBag(7, 4), nn.Bilinear(4, 4, 3)
        self.rms, self.conv1, self.conv3 = nn.RMSNorm(4, eps=1e-6), nn.Conv1d(4, 2, 3, padding=1), nn.Conv3d(1, 2, 2)

    def forward(self, ids):
        x = self.rms(self.table(ids))
        pair = self.pair(x.mean(1), self.bag(ids))
        conv1 = self.conv1(x.transpose(1, 2))
        return pair, conv1, self.conv3(x[:, None, :, :, None].expand(-1, -1, -1, -1, 2))


def recurrent(name, module):
    x = torch.randn(5, 2, 3, dtype=next(module.parameters()).dtype)
    write(name, shaken(module), {"x": x, "y": module(x)[0]}, "rnn.")


def transformer(name, norm_first):
    layer = nn.TransformerEncoderLayer(8, 2, 16, 0.0, "gelu", batch_first=True, norm_first=norm_first)
    layer = shaken(layer.double())
    x = torch.randn(2, 4, 8, dtype=torch.float64)
    # In training mode, where nothing is dropped, PyTorch does not take its fast path, which knows single precision only.
    write(name, layer, {"x": x, "y": layer.train()(x)})


def main():
    torch.manual_seed(0)
    mlp = shaken(Mlp())
    x = torch.randn(4, 6)
    write("mlp.safetensors", mlp, {"x": x, "y": mlp(x)})
    for dtype, name in [(torch.float16, "f16"), (torch.bfloat16, "bf16"), (torch.float64, "f64")]:
        # What the rounded weights give, computed in double precision.
        small = Mlp()
        small.load_state_dict(mlp.state_dict())
        small = small.to(dtype)
        exact = Mlp().double()
        exact.load_state_dict({k: v.double() for k, v in small.state_dict().items()})
        write(f"mlp_{name}.safetensors", small, {"x": x, "y": exact(x.double())})

    # Two shards and an index, as Hugging Face writes large models.
    tensors = {k: v.contiguous() for k, v in mlp.state_dict().items()}
    shards = {"model-00001-of-00002.safetensors": ["fc1.weight", "fc1.bias", "fc2.weight"],
              "model-00002-of-00002.safetensors": ["fc2.bias", "head.weight"]}
    (HERE / "sharded").mkdir(exist_ok=True)
    for shard, names in shards.items():
        save_file({n: tensors[n] for n in names}, HERE / "sharded" / shard, {"format": "pt"})
    index = {"metadata": {"total_size": sum(t.nbytes for t in tensors.values())},
             "weight_map": {n: shard for shard, names in shards.items() for n in names}}
    (HERE / "sharded" / "model.safetensors.index.json").write_text(json.dumps(index, indent=2) + "\n")

    cnn = shaken(Cnn().double())
    x = torch.randn(2, 2, 4, 4, dtype=torch.float64)
    write("cnn.safetensors", cnn, {"x": x, "y": cnn(x)})
    words = shaken(Words().double())
    ids = torch.tensor([[1, 6, 0], [2, 2, 5]])
    pair, conv1, conv3 = words(ids)
    write("words.safetensors", words, {"ids": ids, "pair": pair, "conv1": conv1, "conv3": conv3})

    recurrent("lstm.safetensors", nn.LSTM(3, 4).double())
    recurrent("lstm_f32.safetensors", nn.LSTM(3, 4))
    recurrent("lstm_2.safetensors", nn.LSTM(3, 4, 2).double())
    recurrent("lstm_both.safetensors", nn.LSTM(3, 4, bidirectional=True).double())
    recurrent("lstm_2_both.safetensors", nn.LSTM(3, 4, 2, bidirectional=True).double())
    recurrent("gru_3.safetensors", nn.GRU(3, 3, 3).double())
    recurrent("rnn_both.safetensors", nn.RNN(3, 4, bidirectional=True).double())

    transformer("encoder_norm_first.safetensors", True)
    transformer("encoder_norm_last.safetensors", False)
    model = nn.Transformer(8, 2, 2, 2, 16, 0.0, "gelu", batch_first=True, norm_first=True)
    model = shaken(model.double())
    source, target = (torch.randn(2, n, 8, dtype=torch.float64) for n in (5, 3))
    mask = model.generate_square_subsequent_mask(3, dtype=torch.float64)
    y = model.train()(source, target, tgt_mask=mask)
    write("transformer.safetensors", model, {"source": source, "target": target, "y": y})


if __name__ == "__main__":
    main()
