#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that needs a GPU, in one call: tests, speed beside PyTorch, the floor of a step, selection, two ranks.

  cmake --preset cuda && cmake --build --preset cuda
  python3 tests/benchmarks/trainer_on_gpu.py build/cuda/bin [--quick] > gpu.json

Prints a line for every finding on standard error and one JSON object on standard output. PyTorch (2.x with CUDA) is
compared where it can be imported: channels_last, automatic mixed precision, the step as a CUDA graph; it and the trainer
take turns. compute-sanitizer is used where it is in PATH. Nothing here judges: read the numbers.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys

BATCHES = [64, 128, 256]
PRECISIONS = ["bf16", "fp16"]
ROUNDS = 2
STEPS = 30


def say(text):
    print(text, file=sys.stderr, flush=True)


def run_tests(folder):
    """The kernel tests under compute-sanitizer, then everything without."""
    program = os.path.join(folder, "trainer_cuda_test")
    found = {}
    if shutil.which("compute-sanitizer"):
        for tool in ["memcheck", "racecheck", "synccheck"]:
            command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "9", program,
                       "--gtest_filter=*Kernels*:SelectionOnGpu.*"]
            found[tool] = subprocess.run(command, stdout=sys.stderr).returncode
    found["all"] = subprocess.run([program], stdout=sys.stderr).returncode
    say(f"tests, exit status by tool: {found}")
    return found


def trainer(folder, seconds, **settings):
    arguments = [os.path.join(folder, "quadric-trainer"), "--format", "json", "--engine", "cuda", "--max-seconds",
                 str(seconds)]
    for name, value in settings.items():
        arguments += ["--" + name.replace("_", "-"), str(value)]
    lines = subprocess.run(arguments, capture_output=True, text=True).stdout.splitlines()
    return json.loads(lines[-1])


class TorchStep:
    """The same network, optimiser and images in PyTorch, captured as one CUDA graph; the update of a scaled loss
    decides on the host and stays outside."""

    def __init__(self, torch, batch, precision):
        sys.path.insert(0, os.path.dirname(__file__))
        from trainer_against_pytorch import resnet
        self.torch = torch
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
        with self.torch.autocast("cuda", dtype=self.type, cache_enabled=False):
            loss = self.torch.nn.functional.cross_entropy(self.model(self.images), self.labels)
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
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        times = []
        for _ in range(STEPS):
            begin.record()
            self.replay()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end))
        return 1000.0 * self.batch / statistics.median(times)


def compare(folder, torch, batch, precision, seconds):
    """Speed of both in turns, and the step against its floor."""
    found = {"network": "resnet50", "batch": batch, "precision": precision, "trainer": [], "pytorch": []}
    for _ in range(ROUNDS):
        if torch is not None:
            theirs = TorchStep(torch, batch, precision)
            found["pytorch"].append(theirs.images_per_second())
            del theirs
            torch.cuda.empty_cache()
        result = trainer(folder, seconds, network="resnet50", image_size=224, batch_per_rank=batch, precision=precision)
        if result["event"] != "result":
            found["failure"] = result
            return found
        found["trainer"].append(result["responses"]["images_per_sec"])
        found["step_ms"] = result["responses"]["step_ms"]
        found["joules_per_image"] = result["responses"].get("joules_per_image")
    floor = subprocess.run([os.path.join(folder, "trainer_gpu_floor"), "resnet50", "224", str(batch), precision],
                           capture_output=True, text=True, check=True).stdout
    found.update(json.loads(floor))
    found["step_over_floor"] = found["step_ms"] / found["floor_ms"]
    found["topk_share_pct"] = 100.0 * found["topk_99_ms"] / found["step_ms"]
    if found["pytorch"]:
        found["ratio"] = max(found["trainer"]) / max(found["pytorch"])
    say(json.dumps(found))
    return found


def two_ranks(folder):
    """Function only: ranks that share a GPU exchange through the host. The run fails unless the weights stay equal."""
    found = {}
    for compression in [0, 90]:
        result = trainer(folder, 20, network="resnet18", image_size=64, batch_per_rank=32, ranks=2, oversubscribe="on",
                         gradient_compression=compression, baseline="off")
        found[f"compression {compression} %"] = "weights equal" if result["event"] == "result" else result
    say(f"two ranks on one GPU, function only: {found}")
    return found


def out_of_memory(folder):
    big = trainer(folder, 5, network="resnet50", image_size=1024, batch_per_rank=4096)
    after = trainer(folder, 5, network="resnet8")
    found = {"too large": big.get("kind", big["event"]), "the next run": after["event"]}
    say(f"out of memory: {found}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="where the programs are, build/cuda/bin")
    parser.add_argument("--quick", action="store_true", help="batch 128 in bf16 only, short runs")
    options = parser.parse_args()
    try:
        import torch
        torch = torch if torch.cuda.is_available() else None
    except ImportError:
        torch = None
    say("PyTorch " + (torch.__version__ if torch else "is not here: no ratio"))
    found = {"tests": run_tests(options.folder), "pytorch": torch.__version__ if torch else None}
    devices = subprocess.run([os.path.join(options.folder, "quadric-trainer"), "--devices", "--format", "json"],
                             capture_output=True, text=True, check=True).stdout
    found["devices"] = json.loads(devices)["device"]
    if not found["devices"]["gpus_are_measured"]:
        say(found["devices"]["about"])
        print(json.dumps(found, indent=1))
        return 1
    cases = [(128, "bf16")] if options.quick else [(b, p) for p in PRECISIONS for b in BATCHES]
    found["speed"] = [compare(options.folder, torch, b, p, 8 if options.quick else 25) for b, p in cases]
    found["two ranks"] = two_ranks(options.folder)
    found["out of memory"] = out_of_memory(options.folder)
    print(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
