#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Losses of a ResNet-18 over three steps in PyTorch (double precision), from the same numbers that the trainer starts with.

Debian 12: apt-get install python3-torch python3-numpy; python3 resnet_losses.py > resnet18_losses.json
The generator (SplitMix64, Box-Muller), the order of the parameters and the initialisation are those of
core/trainer/base/random.h and synthetic.cpp, written again here; the network is built from the paper (He et al. 2015).
"""
import json
import math
import sys

import numpy as np
import torch
from torch import nn

MASK = (1 << 64) - 1
# Small, so that the decision of a single ReLU does not show much in the losses of the next steps.
RATE = 2e-4


class Random:
    """SplitMix64, vectorised: number i of a seed is a function of i alone."""

    def __init__(self, seed):
        self.state = (seed * 0x9E3779B97F4A7C15 + 1) & MASK

    def bits(self, count):
        step = np.uint64(0x9E3779B97F4A7C15)
        with np.errstate(over="ignore"):
            z = np.uint64(self.state) + step * np.arange(1, count + 1, dtype=np.uint64)
            self.state = int(z[-1])
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            return z ^ (z >> np.uint64(31))

    def uniform(self, count):
        return ((self.bits(count) >> np.uint64(11)).astype(np.float64) + 1.0) * 2.0**-53

    def normal(self, count, deviation):
        pairs = (count + 1) // 2
        u = self.uniform(2 * pairs).reshape(pairs, 2)
        radius = deviation * np.sqrt(-2.0 * np.log(u[:, 0]))
        angle = 2.0 * math.pi * u[:, 1]
        both = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).reshape(-1)
        return both[:count].astype(np.float32)


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.down = None
        if stride != 1 or inputs != outputs:
            self.down = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = torch.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        return torch.relu(y + (x if self.down is None else self.down(x)))


def resnet18(classes=1000):
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for stage, channels in enumerate([64, 128, 256, 512]):
        for block in range(2):
            layers.append(Block(inputs, channels, 2 if stage > 0 and block == 0 else 1))
            inputs = channels
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, classes)]
    return nn.Sequential(*layers)


def initialise(model, seed):
    random = Random(seed)
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, nn.Conv2d):
                out, _, height, width = module.weight.shape
                deviation = math.sqrt(2.0 / (out * height * width))
                values = random.normal(module.weight.numel(), deviation)
                module.weight.copy_(torch.from_numpy(values).reshape(module.weight.shape))
            elif isinstance(module, nn.Linear):
                bound = 1.0 / math.sqrt(module.in_features)
                for tensor in (module.weight, module.bias):
                    values = (bound * (2.0 * random.uniform(tensor.numel()) - 1.0)).astype(np.float32)
                    tensor.copy_(torch.from_numpy(values).reshape(tensor.shape))


def batch(size, count, classes, seed):
    random = Random(seed)
    images = random.normal(count * 3 * size * size, 1.0).reshape(count, 3, size, size)
    labels = (random.bits(count) % np.uint64(classes)).astype(np.int64)
    return torch.from_numpy(images), torch.from_numpy(labels)


def losses(dtype, steps=3, seed=1, size=64, count=8, rate=RATE, momentum=0.9):
    model = resnet18()
    initialise(model, seed)
    model = model.to(dtype).train()
    images, labels = batch(size, count, 1000, seed * 1000003 + 1)
    images = images.to(dtype)
    optimiser = torch.optim.SGD(model.parameters(), lr=rate, momentum=momentum)
    found = []
    for _ in range(steps):
        optimiser.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimiser.step()
        found.append(loss.item())
    return found


if __name__ == "__main__":
    torch.set_num_threads(1)
    json.dump(
        {
            "source": "tests/references/trainer/resnet_losses.py with PyTorch " + torch.__version__,
            "network": "resnet18", "image_size": 64, "batch": 8, "seed": 1,
            "learning_rate": RATE, "momentum": 0.9, "losses": losses(torch.float64),
        },
        sys.stdout, indent=2)
    print()
