#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of a training step on this CPU: quadric-trainer beside PyTorch, in the same minute.

Debian 12: apt-get install python3-torch; on a quiet machine
  /usr/bin/python3 tests/benchmarks/trainer_against_pytorch.py build/release/bin/quadric-trainer [case]
Both train fp32 with SGD and momentum on random images. PyTorch and the trainer take turns, so that a change of the
machine's speed meets both.
"""
import json
import os
import statistics
import subprocess
import sys
import time

import torch
from torch import nn

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "references", "trainer"))
from resnet_losses import Block  # noqa: E402

CASES = {
    "resnet50-224-8": {"network": "resnet50", "image_size": 224, "batch": 8, "steps": 4},
    "resnet18-64-32": {"network": "resnet18", "image_size": 64, "batch": 32, "steps": 25},
}
ROUNDS = 2


class Bottleneck(nn.Module):
    def __init__(self, inputs, channels, stride):
        super().__init__()
        outputs = 4 * channels
        self.conv1 = nn.Conv2d(inputs, channels, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        self.conv3 = nn.Conv2d(channels, outputs, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.down = None
        if stride != 1 or inputs != outputs:
            self.down = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        y += x if self.down is None else self.down(x)
        return self.relu(y)


def resnet(name):
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    blocks = {"resnet18": [2, 2, 2, 2], "resnet50": [3, 4, 6, 3]}[name]
    make = {"resnet18": Block, "resnet50": Bottleneck}[name]
    expansion = 1 if name == "resnet18" else 4
    for stage, count in enumerate(blocks):
        channels = 64 << stage
        for block in range(count):
            layers.append(make(inputs, channels, 2 if stage > 0 and block == 0 else 1))
            inputs = channels * expansion
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000))


class TorchStep:
    def __init__(self, case):
        self.model = resnet(case["network"]).train()
        self.optimiser = torch.optim.SGD(self.model.parameters(), lr=0.01, momentum=0.9)
        size = case["image_size"]
        self.images = torch.randn(case["batch"], 3, size, size)
        self.labels = torch.randint(0, 1000, (case["batch"],))

    def __call__(self):
        begin = time.perf_counter()
        self.optimiser.zero_grad()
        nn.functional.cross_entropy(self.model(self.images), self.labels).backward()
        self.optimiser.step()
        return time.perf_counter() - begin


def trainer_speed(program, case, threads, seconds):
    arguments = [program, "--format", "json", "--network", case["network"], "--image-size", str(case["image_size"]),
                 "--batch-per-rank", str(case["batch"]), "--threads-per-rank", str(threads),
                 "--max-seconds", str(seconds)]
    lines = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.splitlines()
    return json.loads(lines[-1])["responses"]["images_per_sec"]


def compare(program, name, threads):
    case = CASES[name]
    step = TorchStep(case)
    ours, theirs = [], []
    for _ in range(2):
        step()
    for _ in range(ROUNDS):
        theirs.append(case["batch"] / statistics.median(step() for _ in range(case["steps"])))
        ours.append(trainer_speed(program, case, threads, 10))
    print(f"{name}: quadric-trainer {max(ours):.1f} images/s, PyTorch {torch.__version__} {max(theirs):.1f} images/s, "
          f"ratio {max(ours) / max(theirs):.2f} (rounds {[round(a / b, 2) for a, b in zip(ours, theirs)]})", flush=True)


if __name__ == "__main__":
    THREADS = len(os.sched_getaffinity(0))
    torch.set_num_threads(THREADS)
    for chosen in sys.argv[2:] or CASES:
        compare(sys.argv[1], chosen, THREADS)
