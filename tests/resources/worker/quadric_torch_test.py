#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A Box-Behnken study of three factors with quadric_torch.py on two ranks of the processor, as a user makes it, to the models and the
scaling efficiency. Exit status 77 where PyTorch is not installed. Usage: quadric_torch_test.py QUADRIC"""

import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import python_with_torch

python_with_torch.continue_with_torch()
import torch  # noqa: E402

QUADRIC = sys.argv.pop(1)
WORKER = pathlib.Path(__file__).resolve().parents[3] / "resources" / "worker"
SMALL = ["--network", "gpt-tiny", "--sequence-length", "16", "--image-size", "64", "--micro-batch", "1"]


def measure(options, **settings):
    """The last event of a run, and its exit status."""
    given = dict({"max_seconds": 1, "min_seconds": 0.1, "interval_pct": 50}, **settings)
    environment = dict(os.environ, QUADRIC_SETTINGS=json.dumps(given), CUDA_VISIBLE_DEVICES="")
    done = subprocess.run([sys.executable, str(WORKER / "quadric_torch.py")] + SMALL + options, env=environment, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return events[-1] if events else done.stderr, done.returncode


class Study(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.environment = dict(os.environ, HOME=self.folder.name, XDG_CONFIG_HOME=self.folder.name, CUDA_VISIBLE_DEVICES="")
        for name in ("XDG_DATA_HOME", "XDG_RUNTIME_DIR"):
            self.environment.pop(name, None)

    def quadric(self, *arguments):
        done = subprocess.run([QUADRIC] + list(arguments), cwd=self.folder.name, env=self.environment, timeout=900,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_box_behnken_on_two_ranks(self):
        self.quadric("workload", "init", ".")
        self.quadric("new", "gpt.quadric", "--factor", "micro_batch:1:5::integer", "--factor", "sequence_length:8:24::integer",
                     "--factor", "bucket_mib:0.05:0.8:MiB::log2", "--response", "tokens_per_sec:maximize:tok/s",
                     "--response", "memory_peak_mib:minimize:MiB", "--derive", "per_rank=tokens_per_sec / ranks",
                     "--fixed", "ranks=2", "--fixed", "network=gpt-tiny", "--fixed", "max_seconds=1.5", "--fixed", "min_seconds=0.3",
                     "--fixed", "interval_pct=10", "--command", sys.executable + " quadric_torch.py", "--results", "protocol",
                     "--type", "box-behnken", "--center", "3")
        self.quadric("run", "gpt.quadric")
        study = json.loads(self.quadric("info", "gpt.quadric", "--json"))
        runs = study["runs"]
        self.assertEqual(len(runs), 15)
        for run in runs:
            self.assertEqual(run["status"], "done", run)
            self.assertAlmostEqual(run["results"]["per_rank"], run["results"]["tokens_per_sec"] / 2)
            self.assertAlmostEqual(run["spread"]["per_rank"], run["spread"]["tokens_per_sec"] / 2, 6)
            self.assertEqual(run["provenance"]["ranks"], 2)
            tokens = run["settings"]["micro_batch"] * run["settings"]["sequence_length"]
            self.assertEqual(run["provenance"]["items_per_step"], 2 * tokens, "the factors reached the script")
        models = json.loads(self.quadric("analyze", "gpt.quadric", "--response", "tokens_per_sec", "--model", "quadratic", "--json"))
        effects = {term["term"]: term["effect"] for term in models["responses"][0]["effects"]}
        self.assertLessEqual({"micro_batch", "sequence_length", "bucket_mib"}, effects.keys())
        self.assertTrue(all(math.isfinite(effect) for effect in effects.values()))  # which way they go, the machine decides


class Workload(unittest.TestCase):
    def test_each_shape_is_trained(self):
        for network, unit in (("llama-tiny", "tokens"), ("bert-tiny", "tokens"), ("vit-tiny", "images"), ("resnet18", "images")):
            result, status = measure(["--network", network, "--peak-tflops", "1"])
            self.assertEqual(status, 0, result)
            self.assertGreater(result["responses"][unit + "_per_sec"], 0, network)
            self.assertGreater(result["responses"]["mfu_pct"], 0, network)

    def test_factors_that_a_processor_can_measure(self):
        result, status = measure(["--ranks", "2", "--sharding", "zero1", "--comm-hook", "powersgd", "--checkpointing", "yes",
                                  "--accumulation", "2", "--loader-workers", "1", "--precision", "bf16"])
        self.assertEqual(status, 0, result)
        self.assertEqual(result["provenance"]["items_per_step"], 2 * 2 * 16)

    def test_what_cannot_be_measured_says_why(self):
        for options, words in ((["--sharding", "fsdp"], "GPU"), (["--precision", "tf32"], "GPU")):
            failure, status = measure(options)
            self.assertEqual((failure["event"], failure["kind"]), ("failure", "bad-settings"))
            self.assertIn(words, failure["message"])
            self.assertNotEqual(status, 0)
        failure, _ = measure([], network="resnet19")
        self.assertIn("resnet19", failure["message"])

    def test_about_says_what_was_found(self):
        about = json.loads(subprocess.run([sys.executable, str(WORKER / "quadric_torch.py"), "--about"], stdout=subprocess.PIPE).stdout)
        self.assertEqual(about["torch"], torch.__version__)
        self.assertIn("gpt2-small", about["networks"])


if __name__ == "__main__":
    unittest.main()
