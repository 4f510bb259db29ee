#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ranks of PyTorch that are measured by quadric_worker.py: they stop at the same step, one of them speaks, memory is summed.
Exit status 77 where PyTorch is not installed."""

import json
import os
import pathlib
import socket
import subprocess
import sys
import unittest

import python_with_torch

python_with_torch.continue_with_torch()
import torch  # noqa: E402

WORKER = pathlib.Path(__file__).resolve().parents[3] / "resources" / "worker"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run_ranks(arguments, settings, ranks=2):
    """What each rank prints, and the exit statuses."""
    port = str(free_port())
    processes = []
    for rank in range(ranks):
        environment = dict(os.environ, PYTHONPATH=str(WORKER), RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(ranks),
                           MASTER_ADDR="127.0.0.1", MASTER_PORT=port, OMP_NUM_THREADS="1", CUDA_VISIBLE_DEVICES="",
                           QUADRIC_SETTINGS=json.dumps(settings))
        processes.append(subprocess.Popen([sys.executable] + arguments, env=environment, stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE, universal_newlines=True))
    told = [process.communicate(timeout=240) for process in processes]
    return [[line for line in output.splitlines() if line] for output, _ in told], [p.returncode for p in processes], \
        [errors for _, errors in told]


class Ranks(unittest.TestCase):
    def test_the_example_is_measured_on_two_ranks(self):
        lines, statuses, errors = run_ranks([str(WORKER / "train_gpt.py")],
                                            {"max_seconds": 5, "min_seconds": 0.5, "micro_batch": 1, "sequence": 8})
        self.assertEqual(statuses, [0, 0], errors)
        events = [json.loads(line) for line in lines[0]]
        self.assertEqual(events[0]["versions"]["torch"], torch.__version__)
        result = events[-1]
        self.assertEqual(result["event"], "result")
        self.assertEqual(result["provenance"]["items_per_step"], 2 * 8)
        self.assertAlmostEqual(result["responses"]["tokens_per_sec"], 16 * result["responses"]["steps_per_sec"])
        self.assertGreater(result["responses"]["memory_peak_mib"], 100)
        self.assertEqual(lines[1], [])

    def test_ranks_stop_at_the_same_step_and_need_not_wait_for_each_other(self):
        lines, statuses, errors = run_ranks(["-c", """
import os, resource, time, torch, torch.distributed as dist, quadric_worker as quadric
dist.init_process_group("gloo")
steps = 0
for step in quadric.steps(range(7)):
    time.sleep(0.002 * (1 + dist.get_rank()))
    steps += 1
print("steps", steps, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, flush=True)
os._exit(0)
"""], {"max_seconds": 3, "min_seconds": 0.3, "interval_pct": 20})
        self.assertEqual(statuses, [0, 0], errors)
        first, second = (ended[-1].split() for ended in lines)
        self.assertEqual(first[1], second[1])
        self.assertGreater(int(second[1]), 20)
        memory = json.loads(lines[0][-2])["responses"]["memory_peak_mib"]
        self.assertAlmostEqual(memory, float(first[2]) + float(second[2]), delta=0.05 * memory)


if __name__ == "__main__":
    unittest.main()
