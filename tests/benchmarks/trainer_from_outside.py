#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks what quadric-trainer reports against what is seen from outside: the wall clock and the bytes that the kernel
counts on the connections of rank 0 (ss, package iproute2).

  python3 tests/benchmarks/trainer_from_outside.py build/release/bin/quadric-trainer [settings ...]
"""
import json
import re
import subprocess
import sys
import time


def children(process):
    with open(f"/proc/{process}/task/{process}/children") as file:
        return file.read().split()


def bytes_sent(process):
    """Payload that the peers of a process have acknowledged, over all of its TCP connections."""
    text = subprocess.run(["ss", "-tinpHO"], capture_output=True, text=True, check=True).stdout
    mine = [line for line in text.splitlines() if f"pid={process}," in line]
    return sum(int(number) for line in mine for number in re.findall(r"bytes_acked:(\d+)", line))


def main():
    arguments = sys.argv[2:] or ["--network", "resnet18", "--image-size", "64", "--batch-per-rank", "16"]
    run = subprocess.Popen([sys.argv[1], "--format", "json", "--ranks", "2", "--max-seconds", "20",
                            "--interval-pct", "0.01", *arguments], stdout=subprocess.PIPE, text=True)
    seen = []
    for line in run.stdout:
        event = json.loads(line)
        if event["event"] == "progress" and event["stage"] == "parallel" and event["phase"] == "measure":
            now = time.perf_counter()
            seen.append((now, event["samples"], bytes_sent(children(run.pid)[0])))
    first, last = seen[1], seen[-1]
    steps = last[1] - first[1]
    found = event["responses"]
    images = 2 * event["provenance"]["batch_per_rank"]
    outside = {"images_per_sec": steps * images / (last[0] - first[0]), "bytes_per_step": (last[2] - first[2]) / steps}
    for name, value in outside.items():
        print(f"{name}: reported {found[name]:.6g}, from outside {value:.6g}, "
              f"difference {100 * (found[name] / value - 1):+.2f} %")


if __name__ == "__main__":
    main()
