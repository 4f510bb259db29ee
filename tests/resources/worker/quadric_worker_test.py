#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of quadric_worker.py: its numbers, and what scripts that use it print. Needs python3 and nothing else; what needs PyTorch
stands in quadric_worker_torch_test.py."""

import ast
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
WORKER = ROOT / "resources" / "worker"
sys.path.insert(0, str(WORKER))
import quadric_worker as worker  # noqa: E402

FIXTURE = ROOT / "tests" / "references" / "trainer" / "stop_rule.json"
LOOP = """
    import sys, time
    import quadric_worker as quadric
    made = 0
    for step in quadric.steps({loader}, items=64, unit="images"):
        time.sleep(0.004)
        made += 1
        {body}
    print("made", made)
"""


def run(script, settings=None, **environment):
    """The lines of the protocol, the other lines, and the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "script.py")
        path.write_text(textwrap.dedent(script))
        given = {name: value for name, value in os.environ.items() if not name.startswith("QUADRIC_")}
        given.update(environment, PYTHONPATH=str(WORKER))
        if settings is not None:
            given["QUADRIC_SETTINGS"] = json.dumps(settings)
        done = subprocess.run([sys.executable, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=given, timeout=120,
                              universal_newlines=True)
    lines = [line for line in done.stdout.splitlines() if line]
    events = [json.loads(line) for line in lines if line.startswith('{"event"')]
    return events, [line for line in lines if not line.startswith("{")], done


def of_kind(events, kind):
    return [event for event in events if event["event"] == kind]


class Numbers(unittest.TestCase):
    def test_quantiles_lie_between_order_statistics(self):
        self.assertEqual(worker.median([4.0, 1.0, 3.0, 2.0]), 2.5)
        self.assertAlmostEqual(worker.quantile([1.0, 2.0, 3.0, 4.0], 0.95), 3.85)  # R: quantile(1:4, 0.95)

    def test_half_width_is_student_times_standard_error(self):
        self.assertAlmostEqual(worker.mean_half_width([1.0, 2.0, 3.0]), 4.302652730 / 3**0.5, 9)
        self.assertAlmostEqual(worker.student_quantile(10), 2.228138852, delta=0.001)  # R: qt(0.975, 10)
        self.assertIsNone(worker.mean_half_width([1.0]))

    def test_is_python_3_8(self):
        ast.parse((WORKER / "quadric_worker.py").read_text(encoding="utf-8"), feature_version=(3, 8))


class Rule(unittest.TestCase):
    """Against the second implementation of the rule's text, as the trainer."""

    def setUp(self):
        self.fixture = json.loads(FIXTURE.read_text(encoding="utf-8"))

    def test_blocks_intervals_and_drift(self):
        for case in self.fixture["statistics"]:
            steps = case["steps_ms"]
            with self.subTest(case["name"]):
                self.assertEqual(len(worker.blocks_of(steps)), case["blocks"])
                self.assertAlmostEqual(worker.median(steps), case["median_ms"], 9)
                for name, found in (("mean_half_width_ms", worker.mean_step_half_width(steps)),
                                    ("median_half_width_ms", worker.median_step_half_width(steps))):
                    self.assertAlmostEqual(found, case[name], delta=0.002 * case[name] + 1e-9)
                if "drift_pct" in case:
                    percent, half_width = worker.drift_of(steps)
                    self.assertAlmostEqual(percent, case["drift_pct"], 9)
                    self.assertAlmostEqual(half_width, case["drift_half_width_pct"], delta=0.002 * half_width + 1e-9)

    def test_decisions(self):
        for case in self.fixture["warm_up"]:
            with self.subTest(case["name"]):
                rule = worker.StageRule(**case["rule"])
                self.assertEqual(rule.decide_warm_up(case["steps_ms"], case["elapsed_seconds"]), case["decision"])
        for case in self.fixture["measuring"]:
            with self.subTest(case["name"]):
                rule = worker.StageRule(**case["rule"])
                self.assertEqual(rule.decide_measuring(case["steps_ms"], case["elapsed_seconds"], case["next_seconds"]),
                                 case["decision"])

    def test_short_looks(self):
        for case in self.fixture["short_look"]:
            with self.subTest(case["name"]):
                summary = worker.median if case["slow"]["of"] == "median" else worker._mean
                rule = worker.StageRule(**case["rule"], slow_step=(case["slow"]["step_ms"], summary))
                self.assertEqual(rule.decide_measuring(case["steps_ms"], case["elapsed_seconds"], case["next_seconds"]),
                                 case["decision"])


class Scripts(unittest.TestCase):
    def test_without_quadric_the_loop_is_what_it_was(self):
        events, lines, done = run(LOOP.format(loader="range(7)", body="pass"))
        self.assertEqual((events, lines, done.returncode), ([], ["made 7"], 0))
        self.assertEqual(run("import quadric_worker as q; print(q.setting('lr', 0.5), q.step(), q.report(x=1), q.done())")[1],
                         ["0.5 True None False"])

    def test_settings_have_the_type_of_the_default(self):
        lines = run("""
            import quadric_worker as quadric
            print([quadric.setting("batch", 8), quadric.setting("lr", 0.5), quadric.setting("compile", False),
                   quadric.setting("fused", True), quadric.setting("precision", "fp32"), quadric.setting("other", None)])
            """, {"batch": 32.0, "lr": 1, "compile": "yes", "fused": "off", "precision": "bf16"})[1]
        self.assertEqual(lines, ["[32, 1.0, True, False, 'bf16', None]"])

    def test_a_loop_is_measured_until_the_result_is_precise(self):
        events, lines, _ = run(LOOP.format(loader="range(10)", body="pass"),
                               {"max_seconds": 20, "min_seconds": 0.3, "interval_pct": 20})
        self.assertEqual(events[0]["event"], "hello")
        self.assertEqual(events[0]["protocol"], 1)
        self.assertEqual(len(of_kind(events, "result")), 1)
        result = events[-1]
        self.assertEqual(result["event"], "result")
        self.assertGreaterEqual(result["responses"]["step_ms"], 4.0)
        self.assertAlmostEqual(result["responses"]["images_per_sec"], 64 * result["responses"]["steps_per_sec"])
        self.assertGreater(result["responses"]["memory_peak_mib"], 1)
        self.assertGreaterEqual(result["spread"].keys(), {"images_per_sec", "step_ms"})
        facts = result["provenance"]
        self.assertEqual(int(lines[0].split()[1]) >= facts["samples"] + facts["warm_up_steps"], True)
        samples = of_kind(events, "sample")
        self.assertGreater(len(samples), 2)
        self.assertEqual((samples[0]["items"], samples[0]["unit"]), (64, "images"))
        self.assertGreaterEqual(min(b["seconds"] - a["seconds"] for a, b in zip(samples, samples[1:])), 0.0499)

    def test_a_loop_that_is_surely_slower_ends_early(self):
        bar = {"response": "step_ms", "worse_than": 1.0}
        events, _, _ = run(LOOP.format(loader="range(10)", body="pass"), {"max_seconds": 20, "min_seconds": 0.5, "interval_pct": 1e-6},
                           QUADRIC_SHORT_LOOK=json.dumps(bar))
        facts = events[-1]["provenance"]
        self.assertEqual(facts["short_look"], bar)
        self.assertLess(facts["measured_seconds"], 10)
        self.assertEqual([warning for warning in facts["warnings"] if "raise" in warning], [])

    def test_an_outside_clock_agrees_within_one_per_cent(self):
        """The script's own clock, from the loader's batch to the end of the loop's body. What a decision takes between two steps is in
        neither clock, so that other programs that want the processor make both longer alike."""
        events, lines, _ = run("""
            import json, time
            import quadric_worker as quadric
            outside_ms, begun = [], 0.0
            class Loader:
                def __iter__(self):
                    global begun
                    while True:
                        begun = time.perf_counter()
                        time.sleep(0.005)
                        yield 0
            for step in quadric.steps(Loader(), items=10):
                time.sleep(0.015)
                outside_ms.append(1000 * (time.perf_counter() - begun))
            print(json.dumps([outside_ms, quadric._current.meter.steps_ms]))
            """, {"max_seconds": 20, "min_seconds": 0.5, "interval_pct": 20})
        outside_ms, inside_ms = json.loads(lines[-1])
        outside_ms = outside_ms[-len(inside_ms):]
        responses = of_kind(events, "result")[0]["responses"]
        self.assertAlmostEqual(responses["step_ms"] / worker.median(outside_ms), 1.0, delta=0.01)
        self.assertAlmostEqual(worker.median([a / b for a, b in zip(inside_ms, outside_ms)]), 1.0, delta=0.01)
        self.assertAlmostEqual(responses["items_per_sec"], 10000 * len(inside_ms) / sum(inside_ms), 6)

    def test_a_loop_that_ends_has_a_result_where_it_has_steps(self):
        late = run(LOOP.format(loader="iter(range(60))", body="pass"), {"warmup_seconds": 0.01})[0]
        self.assertEqual(late[-1]["provenance"]["stopped_because"], "the loop ended")
        self.assertEqual(late[-1]["provenance"]["warm_up_steps"] + late[-1]["provenance"]["samples"] <= 60, True)
        early = run(LOOP.format(loader="iter(range(5))", body="pass"), {})[0]
        self.assertEqual((early[-1]["event"], early[-1]["kind"]), ("failure", "missing-result"))

    def test_epochs_of_a_generator_are_one_measurement(self):
        events, _, _ = run("""
            import time
            import quadric_worker as quadric
            def batches():
                for i in range(30):
                    yield i
            for epoch in range(100):
                for step in quadric.steps(batches()):
                    time.sleep(0.004)
                if quadric.done():
                    break
            """, {"min_seconds": 0.5, "warmup_least_seconds": 0.3, "interval_pct": 20})
        self.assertEqual(len(of_kind(events, "result")), 1)
        facts = events[-1]["provenance"]
        self.assertGreater(facts["samples"] + facts["warm_up_steps"], 30, "steps of more than one epoch")

    def test_other_loops_say_when_a_step_has_ended(self):
        events, _, _ = run("""
            import time
            import quadric_worker as quadric
            quadric.report(accuracy=0.5)
            while quadric.step(items_per_rank=3, unit="tokens"):
                time.sleep(0.004)
            """, {"min_seconds": 0.2, "interval_pct": 20})
        self.assertEqual(events[-1]["responses"]["accuracy"], 0.5)
        self.assertIn("tokens_per_sec", events[-1]["responses"])

    def test_out_of_memory_is_told_by_any_rank_and_nothing_else_is(self):
        for error in ("MemoryError()", "RuntimeError('CUDA out of memory. Tried to allocate 2.00 GiB')",
                      "type('OutOfMemoryError', (RuntimeError,), {})('HIP')",
                      "RuntimeError('NCCL error: Failed to CUDA calloc 1024 bytes')"):
            events, _, done = run(LOOP.format(loader="range(9)", body="raise " + error), {}, RANK="3", WORLD_SIZE="4")
            self.assertEqual([(event["event"], event["kind"]) for event in events], [("failure", "out-of-memory")], error)
            self.assertIn("rank 3: ", events[0]["message"])
            self.assertIn("Traceback", done.stderr)
        events, _, done = run(LOOP.format(loader="range(900)", body="assert made < 90"), {})
        self.assertEqual(of_kind(events, "failure") + of_kind(events, "result"), [])
        self.assertEqual(done.returncode, 1)

    def test_ranks_that_cannot_agree_make_all_their_steps(self):
        first, lines, _ = run(LOOP.format(loader="range(300)", body="pass"), {"min_seconds": 0.2, "interval_pct": 50},
                              RANK="0", WORLD_SIZE="2")
        self.assertEqual(lines, ["made 300"])
        self.assertEqual(len(of_kind(first, "result")), 1)
        self.assertNotIn("memory_peak_mib", of_kind(first, "result")[0]["responses"])
        second, lines, _ = run(LOOP.format(loader="range(300)", body="pass"), {}, RANK="1", WORLD_SIZE="2")
        self.assertEqual((second, lines), ([], ["made 300"]))

    def test_nothing_is_said_to_a_reader_that_has_gone(self):
        done = subprocess.run([sys.executable, "-c", "import quadric_worker as q, os; os.close(1)\nfor i in q.steps(range(9)): pass"],
                              env=dict(os.environ, PYTHONPATH=str(WORKER), QUADRIC_SETTINGS='{"max_seconds": 0.1}'), timeout=60)
        self.assertEqual(done.returncode, 0)


class Ranks(unittest.TestCase):
    """python3 quadric_worker.py [--ranks N] SCRIPT"""

    def start(self, script, *options, **environment):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "script.py")
            path.write_text("import os, sys, time\nrank = int(os.environ['RANK'])\n" + script)
            return subprocess.run([sys.executable, str(WORKER / "quadric_worker.py"), *options, str(path), "--lr", "1"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, **environment), timeout=120,
                                  universal_newlines=True)

    def test_start_as_those_of_torchrun(self):
        done = self.start("told = [os.environ[n] for n in ('RANK', 'WORLD_SIZE', 'LOCAL_RANK', 'MASTER_ADDR', 'MASTER_PORT')]\n"
                          "os.write(1, (' '.join(told + sys.argv[1:]) + '\\n').encode())\n", "--ranks", "3")  # a line at once
        self.assertEqual(done.returncode, 0, done.stderr)
        ranks = sorted(line.split() for line in done.stdout.splitlines())
        port = ranks[0][4]
        self.assertEqual(ranks, [[str(r), "3", str(r), "127.0.0.1", port, "--lr", "1"] for r in range(3)])

    def test_are_as_many_as_the_setting_says(self):
        for settings, expected in (('{"gpus": 2.0, "lr": 3}', 2), ('{"lr": 3}', 1)):
            done = self.start("os.write(1, b'%d\\n' % rank)\n", QUADRIC_SETTINGS=settings)
            self.assertEqual(len(done.stdout.split()), expected, done.stderr)

    def test_end_together_when_one_fails(self):
        done = self.start("time.sleep(60) if rank == 0 else sys.exit(3)\n", "--ranks", "2")
        self.assertEqual(done.returncode, 3)

    def test_say_which_of_them_was_killed(self):
        """Behind the words of the others about a lost connection, which hide the cause."""
        done = self.start("time.sleep(60) if rank == 0 else os.kill(os.getpid(), 9)\n", "--ranks", "2")
        self.assertEqual(done.returncode, 128 + 9)
        self.assertEqual(done.stderr.splitlines()[-1], "rank 1 was ended by signal 9, as where memory runs out")

    def test_need_a_number_and_a_script(self):
        for arguments in ([], ["--ranks"], ["--ranks", "2"], ["--ranks", "0", "x.py"], ["--ranks", "two", "x.py"]):
            done = subprocess.run([sys.executable, str(WORKER / "quadric_worker.py"), *arguments], stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"--ranks N", done.stderr)


if __name__ == "__main__":
    unittest.main()
