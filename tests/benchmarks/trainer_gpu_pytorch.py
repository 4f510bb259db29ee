#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of ResNet-50 on one GPU in PyTorch: channels_last and automatic mixed precision; the step as a CUDA graph, or the
network behind torch.compile.

  python3 trainer_gpu_pytorch.py BATCH bf16|fp16 graph|compile SECONDS

A process of its own for each measurement, so that nothing is left on the GPU when the trainer's turn comes. It computes
for SECONDS, then measures for SECONDS, step by step on the clock of the host, as the trainer does. Prints one JSON
object: {"version": …, "gpu": …, "step_ms": median}.
"""
import json
import os
import statistics
import sys
import time

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from trainer_against_pytorch import resnet  # noqa: E402


class TorchStep:
    """The network, optimiser and images of the trainer; the update of a scaled loss decides on the host and stays
    outside of the graph."""

    def __init__(self, batch, precision, how):
        torch.backends.cudnn.benchmark = True
        self.type = {"bf16": torch.bfloat16, "fp16": torch.float16}[precision]
        self.model = resnet("resnet50").cuda().train().to(memory_format=torch.channels_last)
        if how == "compile":
            self.model = torch.compile(self.model)
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
        self.graph = None
        if how == "compile":
            return
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
        if self.graph is None:
            self.step()
            return
        self.graph.replay()
        if self.scaler.is_enabled():
            self.scaler.step(self.optimiser)
            self.scaler.update()

    def step_times(self, seconds):
        """Milliseconds of the steps of that many seconds."""
        times = []
        begin = now = time.perf_counter()
        while now - begin < seconds:
            self.replay()
            torch.cuda.synchronize()
            times.append(1000.0 * (time.perf_counter() - now))
            now = time.perf_counter()
        return times


def main():
    if not torch.cuda.is_available():
        sys.exit("PyTorch " + torch.__version__ + " finds no GPU")
    step = TorchStep(int(sys.argv[1]), sys.argv[2], sys.argv[3])
    seconds = float(sys.argv[4])
    step.step_times(seconds)
    print(json.dumps({"version": torch.__version__, "gpu": torch.cuda.get_device_name(),
                      "step_ms": statistics.median(step.step_times(seconds))}))


if __name__ == "__main__":
    main()
