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
if arguments.get("--min-seconds") == "0": # what the bisection of the memory asks
    batch = int(arguments["--batch-per-rank"])
    estimate = 400 * PLAY.get("estimate", 1.05)
    if batch * estimate > 400000 or batch * 400 > 400000:
        why = "this run needs about" if batch * estimate > 400000 else "cudaMalloc"
        print(json.dumps({"event": "failure", "kind": PLAY.get("edge", "out-of-memory"), "message": why + " more"}))
        sys.exit(1)
    print(json.dumps({"event": "result", "responses": {"memory_peak_mib": batch * 400.0, "step_ms": 1.0},
                      "provenance": {"memory_estimate_mib": batch * estimate}}))
    sys.exit(0)
if arguments.get("--ranks") == "2" and PLAY.get("ranks_differ"):
    print(json.dumps({"event": "failure", "kind": "internal", "message": "the parameters of the ranks are not equal"}))
    sys.exit(1)
if PLAY.get("silent") and arguments.get("--network") == "resnet50":
    sys.exit(3)
print("a line that is no event")
step_ms = 1000.0 * 128 / PLAY.get("ours", 2600.0)
print(json.dumps({"event": "result", "responses": {"images_per_sec": 1.0, "step_ms": step_ms,
                  "joules_per_image": 0.2}, "provenance": {"drift_pct": 0.1}}))
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

QUADRIC = r"""
import json, sys
if sys.argv[1] == PLAY.get("quadric_fails"):
    sys.exit(1)
if sys.argv[1] == "new":
    if "builtin" not in sys.argv:
        sys.exit("such a study cannot be run: its results are typed in")
    open(sys.argv[2], "w").write(json.dumps({"runs": []}))
if sys.argv[1] == "run":
    meters = ["clock_mhz", "memory_clock_mhz", "power_w", "temperature_c", "memory_mib", "busy_pct"]
    device = {name: {"min": 1.0, "mean": 500.0, "max": 700.0} for name in meters if name != PLAY.get("no_meter")}
    runs = [{"id": i, "status": "done" if i <= PLAY.get("runs_done", 15) else "failed", "settings": {}, "results": {},
             "provenance": {"telemetry": {"devices": [device]}}} for i in range(1, 16)]
    open(sys.argv[2], "w").write(json.dumps({"runs": runs}))
if sys.argv[1] == "report":
    open(sys.argv[4], "wb").write(PLAY.get("report", "%PDF-1.4").encode())
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
if sys.argv[4] == "compile" and "compiled" not in PLAY:
    sys.exit("torch.compile fails")
speed = PLAY["compiled"] if sys.argv[4] == "compile" else PLAY["theirs"]
print(json.dumps({"version": "2.11", "gpu": "Played GPU", "step_ms": 1000.0 * 128 / speed}))
"""


SCRIPTS = {"quadric-trainer": TRAINER, "quadric-trainer-cuda.so": "", "trainer_cuda_test": TESTS,
           "trainer_gpu_floor": FLOOR, "quadric": QUADRIC, "compute-sanitizer": SANITIZER, "python-with-torch": PYTHON}


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
        status, lines, results = self.play(theirs=2500.0, compiled=2800.0, in_processes=True)
        self.assertEqual({line["verdict"] for line in lines.values()}, {"met"}, lines)
        self.assertEqual(status, 0)
        case = results["speed"][0]
        self.assertAlmostEqual(case["ratio"], 1.04)
        self.assertAlmostEqual(case["step_over_floor"], 1000.0 * 128 / 2600 / 25)
        self.assertAlmostEqual(case["topk_share_pct"], 100.0 / (1000.0 * 128 / 2600))
        line = lines["ResNet-50, batch 128, bf16: against PyTorch with torch.compile"]
        self.assertEqual(line["found"], "ratio 0.929")
        self.assertIn("NCCL, overlap and links between GPUs are not exercised", self.markdown)
        self.assertIn("Played GPU, driver 580.1, PyTorch 2.11", self.markdown)
        self.assertEqual(len(case["trainer"]), 2, "they take turns")

    def test_the_edge_of_memory_is_found_by_bisection(self):
        _, lines, results = self.play(theirs=2500.0)
        what = "ResNet-50, bf16: every batch runs or is out-of-memory"
        self.assertEqual((lines[what]["verdict"], lines[what]["found"]), ("met", "928 runs, 960 does not"))  # 400000 / 420
        line = lines["memory: estimate over what the largest batch took"]
        self.assertEqual((line["verdict"], line["found"]),
                         ("met", "389760 / 371200 MiB = 1.050; the estimate refuses 960"))
        batches = [each["batch"] for each in results["memory"]]
        self.assertEqual(batches[0], 2048)
        self.assertLessEqual(len(batches), 7)

    # How the programs are played, which line of the table that concerns, its verdict, what it says.
    CASES = [
        (dict(estimate=0.9), "memory: estimate over what the largest batch took", "missed", "the GPU refuses 1024"),
        (dict(estimate=1.3), "memory: estimate over what the largest batch took", "missed", ""),
        (dict(edge="communication"), "ResNet-50, bf16: every batch runs or is out-of-memory", "missed", "batch 2048: this run needs about more"),
        (dict(), "a study of 15 runs", "met", "15 runs done, a PDF"),
        (dict(), "telemetry of the study: power_w", "met", "in 15 of 15 runs, 500 to 500 on average"),
        (dict(runs_done=14), "a study of 15 runs", "missed", "14 runs done, a PDF"),
        (dict(report="nothing"), "a study of 15 runs", "missed", "15 runs done, no PDF"),
        (dict(quadric_fails="run"), "a study of 15 runs", "missed", "quadric run: exit status 1"),
        (dict(quadric_fails="run"), "telemetry of the study: power_w", "not measured", ""),
        (dict(no_meter="power_w"), "telemetry of the study: power_w", "missed", ""),
        (dict(no_meter="power_w"), "telemetry of the study: clock_mhz", "met", ""),
        (dict(leave_out=["quadric"]), "a study of 15 runs", "not measured", ""),
        (dict(theirs=3000.0), "ResNet-50, batch 128, bf16: against PyTorch", "missed", "2600 images/s, ratio 0.867"),
        (dict(topk_ms=6.0), "ResNet-50, batch 128, bf16: top-k selection", "missed", ""),
        (dict(fail=["TenLosses/bf16"]), "ten losses of ResNet-18 against the CPU engine", "missed", ""),
        (dict(fail=["TenLosses/bf16"]), "two ranks on one GPU, weights bit by bit", "met", ""),
        (dict(skip=["EnergyIsTheIntegral"]), "energy within 10 % of the integral of sampled power", "not measured", ""),
        (dict(sanitizer=9), "kernel tests under compute-sanitizer, racecheck", "missed", ""),
        (dict(sanitizer=1, sanitizer_says="Error: Device not supported"), "kernel tests under compute-sanitizer, racecheck", "not measured", ""),
        (dict(leave_out=["compute-sanitizer"]), "kernel tests under compute-sanitizer, racecheck", "not measured", "compute-sanitizer is not installed"),
        (dict(too_large="internal"), "a run beyond the memory, and the next one", "missed", ""),
        (dict(ranks_differ=True), "two rank processes on one GPU, compression 90 %", "missed", "not equal"),
        (dict(silent=True), "ResNet-50, batch 128, bf16: runs", "missed", "exit status 3"),
        (dict(seconds=60), "ResNet-50, batch 128, bf16: runs", "not measured", "no time left"),
        (dict(), "ResNet-50, batch 128, bf16: against PyTorch with torch.compile", "not measured", ""),
    ]

    def test_each_line_says_what_happened(self):
        for how, what, verdict, words in self.CASES:
            with self.subTest(how=how, line=what):
                _, lines, _ = self.play(**{"theirs": 2500.0, **how})
                self.assertEqual(lines[what]["verdict"], verdict)
                self.assertIn(words, lines[what]["found"])

    def test_exit_statuses(self):
        for status, how in [(1, dict(theirs=3000.0)), (1, dict(theirs=2500.0, silent=True)), (3, dict()), (3, dict(theirs=2500.0)),
                            (2, dict(measured=False)), (2, dict(leave_out=["trainer_gpu_floor"])), (2, dict(theirs=2500.0, seconds=1e-3))]:
            with self.subTest(how=how):
                self.assertEqual(self.play(**how)[0], status)

    def test_without_pytorch_the_speed_stands_alone(self):
        _, lines, _ = self.play()
        line = lines["ResNet-50, batch 128, bf16: against PyTorch"]
        self.assertEqual(line["verdict"], "not measured")
        self.assertIn("2600 images/s", line["found"])

    def test_nothing_can_be_measured(self):
        for how, words in [(dict(measured=False), "no driver"), (dict(leave_out=["trainer_gpu_floor"]), "lacks trainer_gpu_floor")]:
            _, lines, _ = self.play(**how)
            self.assertIn(words, lines["the CUDA engine"]["found"])

    def test_libraries_beside_the_programs_come_first(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "lib").mkdir()
            with mock.patch.dict(os.environ, LD_LIBRARY_PATH="/elsewhere"):
                found = trainer_on_gpu.with_libraries("/nowhere/python", Path(folder))
            self.assertEqual(found["LD_LIBRARY_PATH"], f"{folder}/lib:/elsewhere")


if __name__ == "__main__":
    unittest.main()
