"""Writes `backbone.safetensors` beside it: a small convolutional network that PyTorch trained to tell the digits 0 to 4.

`python pretrain.py`, with torch and safetensors.
"""

import gzip
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn.functional import cross_entropy

HERE = Path(__file__).parent


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        )
        self.project = nn.Linear(128, 32)
        self.head = nn.Linear(32, 5)

    def forward(self, x):
        return self.head(torch.relu(self.project(self.features(x).flatten(1))))


def main():
    torch.manual_seed(0)
    with gzip.open(HERE / "../../data/digits.csv.gz", "rt") as file:
        rows = torch.tensor([[float(v) for v in line.split(",")] for line in file if line[0].isdigit()])
    rows = rows[rows[:, -1] < 5]
    images, labels = rows[:, :-1].reshape(-1, 1, 8, 8) / 16, rows[:, -1].long()
    net = Net()
    optimizer = torch.optim.Adam(net.parameters(), 2e-3)
    for epoch in range(30):
        for batch in torch.randperm(len(rows)).split(32):
            loss = cross_entropy(net(images[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    right = (net(images).argmax(1) == labels).float().mean()
    print(f"{len(rows)} images, training accuracy {right:.3f}")
    save_file(net.state_dict(), HERE / "backbone.safetensors")


if __name__ == "__main__":
    main()
