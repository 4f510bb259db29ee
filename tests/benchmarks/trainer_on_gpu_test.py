#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What trainer_on_gpu.py makes of its programs, played by short scripts: no GPU is needed."""
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import trainer_on_gpu  # noqa: E402

SCRIPT = Path(__file__).resolve().parent / "trainer_on_gpu.py"

TRAINER = r"""
import json, sys
arguments = dict(zip(sys.argv[1::2], sys.argv[2::2]))
if "--devices" in sys.argv:
    measured = PLAY.get("measured", True)
    print(json.dumps({"event": "hello", "device": {"gpus": [{"name": "Played GPU"}], "gpu_driver": "580.1",
                      "gpus_are_measured": measured,
                      "gpus_are_not_measured_because": "" if measured else "no driver"}}))
    sys.exit(0)
if arguments.get("--batch-per-rank") == "4096":
    kind = PLAY.get("too_large", "out-of-memory")
    print(json.dumps({"event": "failure", "kind": kind, "message": "does not fit"}))
    sys.exit(1)
if arguments.get("--ranks") == "2" and PLAY.get("ranks_differ"):
    print(json.dumps({"event": "failure", "kind": "internal", "message": "the parameters of the ranks are not equal"}))
    sys.exit(1)
if PLAY.get("silent") and arguments.get("--network") == "resnet50":
    sys.exit(3)
print("a line that is no event")
print(json.dumps({"event": "result", "responses": {"images_per_sec": PLAY.get("ours", 2600.0), "step_ms": 50.0,
                  "joules_per_image": 0.2}, "provenance": {}}))
print(json.dumps({"event": "sample", "step_ms": 1.0}))
"""

TESTS = r"""
import json, sys
target = next(a.split(":", 1)[1] for a in sys.argv if a.startswith("--gtest_output=json:"))
names = {"Precisions/Kernels": ["MaxPool/bf16"], "SelectionOnGpu": ["NanComesFirst"], "NetworkOnGpu": ["Loss"],
         "EngineOnGpuWithPrecision": ["TenLosses/bf16"],
         "EngineOnGpu": ["TwoRanksOnOneGpu", "EnergyIsTheIntegral", "MoreThanItsMemory"]}
suites = []
for suite, tests in names.items():
    listed = []
    for test in tests:
        entry = {"name": test, "result": "SKIPPED" if test in PLAY.get("skip", []) else "COMPLETED"}
        if test in PLAY.get("fail", []):
            entry["failures"] = [{"failure": "wrong"}]
        listed.append(entry)
    suites.append({"name": suite, "testsuite": listed})
json.dump({"testsuites": suites}, open(target, "w"))
"""

FLOOR = r"""
import json
print(json.dumps({"bytes_per_step": 1e10, "copy_gb_per_s": 400.0, "floor_ms": 25.0,
                  "topk_99_ms": PLAY.get("topk_ms", 1.0)}))
"""

SANITIZER = r"""
import sys
print(PLAY.get("sanitizer_says", ""))
sys.exit(PLAY.get("sanitizer", 0))
"""

# Stands for the Python that has PyTorch.
PYTHON = r"""
import json, sys
if sys.argv[1] == "-c":
    sys.exit(0)
if "theirs" not in PLAY:
    sys.exit("no module named torch")
print(json.dumps({"version": "2.11", "gpu": "Played GPU", "images_per_sec": PLAY["theirs"]}))
"""


SCRIPTS = {"quadric-trainer": TRAINER, "quadric-trainer-cuda.so": "", "trainer_cuda_test": TESTS,
           "trainer_gpu_floor": FLOOR, "compute-sanitizer": SANITIZER, "python-with-torch": PYTHON}


def executed_here(how):
    """Session.run() without processes, which take most of the time of a test."""
    def run(session, name, command, seconds):
        if session.left() < 1.0:
            return None, "no time left"
        program = Path(command[0]).name
        output = io.StringIO()
        status = 0
        with contextlib.redirect_stdout(output), mock.patch.object(sys, "argv", [str(part) for part in command]):
            try:
                exec(SCRIPTS[program], {"PLAY": how})
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else 1
        (session.out / (name + ".log")).write_text(output.getvalue())
        return status, output.getvalue()
    return run


def in_process(arguments):
    return subprocess.run([sys.executable] + arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode


def in_this_process(arguments, how):
    with mock.patch.object(trainer_on_gpu.Session, "run", executed_here(how)), \
         mock.patch.object(trainer_on_gpu, "with_libraries", lambda python, programs: None), \
         mock.patch.object(sys, "argv", arguments), contextlib.redirect_stdout(io.StringIO()), \
         contextlib.redirect_stderr(io.StringIO()):
        return trainer_on_gpu.main()


class OneCall(unittest.TestCase):
    def play(self, seconds=120, leave_out=(), in_processes=False, **how):
        """Runs the script over played programs; returns exit status, verdicts by line, and the folder's results."""
        with tempfile.TemporaryDirectory() as folder:
            programs = Path(folder) / "bin"
            programs.mkdir()
            for name, text in SCRIPTS.items():
                if name not in leave_out:
                    path = programs / name
                    path.write_text(f"#!{sys.executable}\nPLAY = {how!r}\n{text}")
                    path.chmod(0o755)
            out = Path(folder) / "out"
            arguments = [str(part) for part in (SCRIPT, programs, "--out", out, "--quick", "--seconds", seconds,
                                                "--python", programs / "python-with-torch")]
            path = mock.patch.dict(os.environ, PATH=f"{programs}:/usr/bin:/bin")
            with path:
                status = in_process(arguments) if in_processes else in_this_process(arguments, how)
            self.markdown = (out / "results.md").read_text()
            results = json.loads((out / "results.json").read_text())
            return status, {line["what"]: line for line in results["lines"]}, results

    def test_everything_met(self):
        status, lines, results = self.play(theirs=2500.0, in_processes=True)
        self.assertEqual({line["verdict"] for line in lines.values()}, {"met"}, lines)
        self.assertEqual(status, 0)
        case = results["speed"][0]
        self.assertAlmostEqual(case["ratio"], 1.04)
        self.assertAlmostEqual(case["step_over_floor"], 2.0)
        self.assertAlmostEqual(case["topk_share_pct"], 2.0)
        self.assertIn("Played GPU, driver 580.1, PyTorch 2.11", self.markdown)
        self.assertEqual(len(case["trainer"]), 2, "they take turns")

    def test_slower_than_pytorch_is_missed(self):
        status, lines, _ = self.play(theirs=3000.0)
        self.assertEqual(status, 1)
        line = lines["ResNet-50, batch 128, bf16: against PyTorch"]
        self.assertEqual((line["verdict"], line["found"]), ("missed", "2600 images/s, ratio 0.867"))

    def test_without_pytorch_the_speed_stands_alone(self):
        status, lines, _ = self.play()
        self.assertEqual(status, 3)
        line = lines["ResNet-50, batch 128, bf16: against PyTorch"]
        self.assertEqual(line["verdict"], "not measured")
        self.assertIn("2600 images/s", line["found"])

    def test_expensive_selection_is_missed(self):
        status, lines, _ = self.play(theirs=2500.0, topk_ms=6.0)
        self.assertEqual((status, lines["ResNet-50, batch 128, bf16: top-k selection"]["verdict"]), (1, "missed"))

    def test_failing_and_skipped_tests(self):
        status, lines, _ = self.play(theirs=2500.0, fail=["TenLosses/bf16"], skip=["EnergyIsTheIntegral"])
        self.assertEqual(status, 1)
        self.assertEqual(lines["ten losses of ResNet-18 against the CPU engine"]["verdict"], "missed")
        self.assertEqual(lines["energy within 5 % of the integral of sampled power"]["verdict"], "not measured")
        self.assertEqual(lines["two ranks on one GPU, weights bit by bit"]["verdict"], "met")

    def test_sanitizer_errors_devices_and_absence(self):
        what = "kernel tests under compute-sanitizer, racecheck"
        _, lines, _ = self.play(theirs=2500.0, sanitizer=9)
        self.assertEqual(lines[what]["verdict"], "missed")
        _, lines, _ = self.play(theirs=2500.0, sanitizer=1, sanitizer_says="Error: Device not supported")
        self.assertEqual(lines[what]["verdict"], "not measured")
        _, lines, _ = self.play(theirs=2500.0, leave_out=["compute-sanitizer"])
        self.assertEqual(lines[what]["found"], "compute-sanitizer is not installed")

    def test_memory_and_ranks(self):
        _, lines, _ = self.play(theirs=2500.0, too_large="internal", ranks_differ=True)
        self.assertEqual(lines["a run beyond the memory, and the next one"]["verdict"], "missed")
        self.assertIn("not equal", lines["two rank processes on one GPU, compression 90 %"]["found"])

    def test_a_trainer_without_result_is_missed_with_its_status(self):
        status, lines, _ = self.play(theirs=2500.0, silent=True)
        self.assertEqual(status, 1)
        self.assertIn("exit status 3", lines["ResNet-50, batch 128, bf16: runs"]["found"])

    def test_nothing_can_be_measured(self):
        status, lines, _ = self.play(measured=False)
        self.assertEqual((status, lines["the CUDA engine"]["found"]), (2, "no driver"))
        status, lines, _ = self.play(leave_out=["trainer_gpu_floor"])
        self.assertEqual(status, 2)
        self.assertIn("lacks trainer_gpu_floor", lines["the CUDA engine"]["found"])

    def test_libraries_beside_the_programs_come_first(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "lib").mkdir()
            with mock.patch.dict(os.environ, LD_LIBRARY_PATH="/elsewhere"):
                found = trainer_on_gpu.with_libraries("/nowhere/python", Path(folder))
            self.assertEqual(found["LD_LIBRARY_PATH"], f"{folder}/lib:/elsewhere")

    def test_out_of_time_leaves_lines_that_say_so(self):
        status, lines, _ = self.play(theirs=2500.0, seconds=1e-3)
        self.assertEqual(status, 2)
        self.assertEqual(lines["the CUDA engine"]["verdict"], "not measured")


if __name__ == "__main__":
    unittest.main()
