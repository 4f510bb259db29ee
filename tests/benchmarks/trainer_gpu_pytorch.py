#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of ResNet-50 on one GPU in PyTorch: channels_last, automatic mixed precision, the step as a CUDA graph.

  python3 trainer_gpu_pytorch.py BATCH bf16|fp16

A process of its own for each measurement, so that nothing is left on the GPU when the trainer's turn comes. Prints one
JSON object: {"version": …, "gpu": …, "images_per_sec": …}.
"""
import json
import os
import statistics
import sys

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from trainer_against_pytorch import resnet  # noqa: E402

STEPS = 40


class TorchStep:
    """The network, optimiser and images of the trainer; the update of a scaled loss decides on the host and stays
    outside of the graph."""

    def __init__(self, batch, precision):
        torch.backends.cudnn.benchmark = True
        self.batch = batch
        self.type = {"bf16": torch.bfloat16, "fp16": torch.float16}[precision]
        self.model = resnet("resnet50").cuda().train().to(memory_format=torch.channels_last)
        self.optimiser = torch.optim.SGD(self.model.parameters(), lr=0.01, momentum=0.9, fused=True)
        self.images = torch.randn(batch, 3, 224, 224, device="cuda").to(memory_format=torch.channels_last)
        self.labels = torch.randint(0, 1000, (batch,), device="cuda")
        self.scaler = torch.amp.GradScaler("cuda", enabled=precision == "fp16")
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(5):
                self.step()
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        self.optimiser.zero_grad(set_to_none=True)
        with torch.cuda.graph(self.graph):
            self.gradients()
            if not self.scaler.is_enabled():
                self.optimiser.step()

    def gradients(self):
        with torch.autocast("cuda", dtype=self.type, cache_enabled=False):
            loss = torch.nn.functional.cross_entropy(self.model(self.images), self.labels)
        self.scaler.scale(loss).backward()

    def step(self):
        self.optimiser.zero_grad(set_to_none=True)
        self.gradients()
        self.scaler.step(self.optimiser)
        self.scaler.update()

    def replay(self):
        self.graph.replay()
        if self.scaler.is_enabled():
            self.scaler.step(self.optimiser)
            self.scaler.update()

    def images_per_second(self):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        for _ in range(10):
            self.replay()
        times = []
        for _ in range(STEPS):
            begin.record()
            self.replay()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end))
        return 1000.0 * self.batch / statistics.median(times)


def main():
    if not torch.cuda.is_available():
        sys.exit("PyTorch " + torch.__version__ + " finds no GPU")
    speed = TorchStep(int(sys.argv[1]), sys.argv[2]).images_per_second()
    print(json.dumps({"version": torch.__version__, "gpu": torch.cuda.get_device_name(), "images_per_sec": speed}))


if __name__ == "__main__":
    main()
