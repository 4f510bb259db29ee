#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that needs a GPU, in one call of less than ten minutes: is the CUDA engine right, and is it fast?

  cmake --preset cuda && cmake --build --preset cuda
  python3 tests/benchmarks/trainer_on_gpu.py build/cuda/bin --out gpu-results

Writes results.json (everything), results.md (the table) and the output of every program to the folder, and prints the
table. Each line of the table is met, missed, or not measured, with the reason. PyTorch 2 with CUDA is compared where
`python3` has it (--python takes another one), compute-sanitizer is used where it is in PATH or beside nvcc; without one
of them its lines say so. The exit status is 0 when everything is met, 1 when something is missed or broken, 2 when
nothing can be measured here, and 3 when something was left out and all the rest is met.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

BATCHES = [128, 64, 256]
PRECISIONS = ["bf16", "fp16"]
PROGRAMS = ["quadric-trainer", "quadric-trainer-cuda.so", "trainer_cuda_test", "trainer_gpu_floor"]
KERNEL_TESTS = "*Kernels.*:SelectionOnGpu.*"
MET, MISSED, NOT_MEASURED = "met", "missed", "not measured"


class Session:
    """Folder, clock and findings of one call."""

    def __init__(self, options):
        self.programs = Path(options.folder).resolve()
        self.out = Path(options.out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.python = options.python
        self.environment = with_libraries(options.python, self.programs)
        self.end = time.monotonic() + options.seconds
        self.lines = []
        self.found = {}

    def left(self):
        return self.end - time.monotonic()

    def note(self, what, wanted, found, verdict):
        self.lines.append({"what": what, "wanted": wanted, "found": found, "verdict": verdict})
        print(f"[{self.left():4.0f} s left] {what}: {found} ({verdict})", file=sys.stderr, flush=True)

    def judge(self, what, wanted, found, is_met):
        self.note(what, wanted, found, MET if is_met else MISSED)

    def skip(self, what, wanted, why):
        self.note(what, wanted, why, NOT_MEASURED)

    def run(self, name, command, seconds):
        """Exit status and standard output; everything is kept in NAME.log. None: it took too long or cannot start."""
        limit = min(seconds, self.left())
        if limit < 1.0:
            return None, "no time left"
        log = self.out / (name + ".log")
        with log.open("w") as errors:
            try:
                ended = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=errors,
                                       text=True, timeout=limit, env=self.environment)
            except subprocess.TimeoutExpired:
                return None, f"took longer than {limit:.0f} s"
            except OSError as error:
                return None, str(error)
        with log.open("a") as text:
            text.write(ended.stdout)
        return ended.returncode, ended.stdout

    def trainer(self, name, seconds, **settings):
        """The last event of a run; a failure event of our own where there is none."""
        command = [self.programs / "quadric-trainer", "--format", "json", "--engine", "cuda", "--max-seconds", seconds]
        for knob, value in settings.items():
            command += ["--" + knob.replace("_", "-"), value]
        status, text = self.run(name, command, 3 * seconds + 40)
        for line in reversed(text.splitlines() if status is not None else []):
            event = as_json(line)
            if event.get("event") in ("result", "failure"):
                return event
        return {"event": "failure", "kind": "no-result", "message": text if status is None else f"exit status {status}"}


def with_libraries(python, programs):
    """The environment, with the folder `lib` beside the programs, and those of CUDA, cuDNN and NCCL where they are Python
    packages."""
    script = "import glob, sysconfig; print(':'.join(glob.glob(sysconfig.get_path('purelib') + '/nvidia/*/lib')))"
    try:
        found = subprocess.run([python, "-c", script], capture_output=True, text=True, timeout=60).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        found = ""
    beside = str(programs / "lib") if (programs / "lib").is_dir() else ""
    paths = [path for path in [beside, os.environ.get("LD_LIBRARY_PATH", ""), found] if path]
    return dict(os.environ, LD_LIBRARY_PATH=":".join(paths)) if paths else dict(os.environ)


def as_json(text):
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def find_sanitizer():
    found = shutil.which("compute-sanitizer")
    nvcc = shutil.which("nvcc")
    beside = Path(os.path.realpath(nvcc)).parent / "compute-sanitizer" if nvcc else None
    return found or (str(beside) if beside and beside.exists() else None)


def test_results(path):
    """Test → passed, failed or skipped, from GoogleTest's JSON."""
    try:
        report = as_json(path.read_text())
    except OSError:
        return {}
    found = {}
    for suite in report.get("testsuites", []):
        for test in suite["testsuite"]:
            skipped = test.get("result") == "SKIPPED"
            name = suite["name"] + "." + test["name"]
            found[name] = "failed" if test.get("failures") else "skipped" if skipped else "passed"
    return found


def run_tests(session):
    report = session.out / "tests.json"
    report.unlink(missing_ok=True)
    program = session.programs / "trainer_cuda_test"
    status, text = session.run("tests", [program, f"--gtest_output=json:{report}"], 150)
    session.found["tests"] = found = test_results(report)
    groups = {"every kernel against the processor": ["Kernels.", "SelectionOnGpu."],
              "gradients of a network against the processor": ["NetworkOnGpu."],
              "ten losses of ResNet-18 against the CPU engine": ["TenLosses"],
              "two ranks on one GPU, weights bit by bit": ["TwoRanksOnOneGpu"],
              "energy within 5 % of the integral of sampled power": ["EnergyIsTheIntegral"],
              "out of memory is named and the next run works (engine)": ["MoreThanItsMemory"]}
    for what, parts in groups.items():
        states = [state for name, state in found.items() if any(part in name for part in parts)]
        if not states or "skipped" in states and "failed" not in states:
            ended = text if status is None else f"exit status {status}"
            session.skip(what, "pass", f"skipped by the tests: see tests.log ({ended})")
        else:
            session.judge(what, "pass", f"{states.count('passed')} of {len(states)} pass", set(states) == {"passed"})
    if status is None:
        session.judge("all tests end", "yes", text, False)


def run_sanitizer(session):
    sanitizer = find_sanitizer()
    for tool in ["memcheck", "racecheck", "synccheck"]:
        what = f"kernel tests under compute-sanitizer, {tool}"
        if sanitizer is None:
            session.skip(what, "no error", "compute-sanitizer is not installed")
            continue
        command = [sanitizer, "--tool", tool, "--error-exitcode", "9", session.programs / "trainer_cuda_test",
                   "--gtest_filter=" + KERNEL_TESTS]
        status, text = session.run("sanitizer-" + tool, command, 70)
        said = (session.out / f"sanitizer-{tool}.log")
        output = said.read_text() if said.exists() else ""
        if status is None:
            session.skip(what, "no error", text)
        elif "Device not supported" in output:
            session.skip(what, "no error", "compute-sanitizer does not support this device")
        else:
            session.judge(what, "no error", f"exit status {status}", status == 0)


def measure_speed(session, case, seconds):
    """One turn of both; adds to the case."""
    batch, precision = case["batch"], case["precision"]
    name = f"{precision}-{batch}-{len(case['trainer'])}"
    helper = Path(__file__).resolve().parent / "trainer_gpu_pytorch.py"
    status, text = session.run("pytorch-" + name, [session.python, helper, batch, precision], 90)
    lines = text.splitlines()
    theirs = as_json(lines[-1]) if status == 0 and lines else {}
    if theirs:
        case["pytorch"].append(theirs["images_per_sec"])
        session.found["pytorch"] = theirs["version"]
    else:
        case["why_no_pytorch"] = text if status is None else f"trainer_gpu_pytorch.py ended with {status}: see its log"
    result = session.trainer("trainer-" + name, seconds, network="resnet50", image_size=224, batch_per_rank=batch,
                             precision=precision)
    if result["event"] == "result":
        case["trainer"].append(result["responses"]["images_per_sec"])
        case["step_ms"] = result["responses"]["step_ms"]
        case["joules_per_image"] = result["responses"].get("joules_per_image")
        case["disturbed_because"] = result["provenance"].get("disturbed_because")
    else:
        case["failure"] = f"{result.get('kind')}: {result.get('message')}"


def measure_floor(session, case):
    """Bytes over bandwidth and the cost of selection, which need a GPU that does nothing else."""
    name = f"floor-{case['precision']}-{case['batch']}"
    status, text = session.run(name, [session.programs / "trainer_gpu_floor", "resnet50", 224, case["batch"],
                                      case["precision"]], 40)
    floor = as_json(text) if status == 0 else {}
    if not floor:
        case["why_no_floor"] = text if status is None else f"trainer_gpu_floor ended with {status}"
        return
    case.update(floor)
    if "step_ms" in case:
        case["step_over_floor"] = case["step_ms"] / floor["floor_ms"]
        case["topk_share_pct"] = 100.0 * floor["topk_99_ms"] / case["step_ms"]


def compare(session, quick):
    cases = [{"batch": b, "precision": p, "trainer": [], "pytorch": []}
             for b in (BATCHES[:1] if quick else BATCHES) for p in (PRECISIONS[:1] if quick else PRECISIONS)]
    session.found["speed"] = cases
    for turn in range(2):
        for case in cases:
            if turn == 0 or ("failure" not in case and session.left() > 45.0):
                measure_speed(session, case, 6 if quick else 8)
                if turn == 0:
                    measure_floor(session, case)
    for case in cases:
        judge_case(session, case)


def judge_case(session, case):
    what = f"ResNet-50, batch {case['batch']}, {case['precision']}"
    if not case["trainer"]:
        session.judge(what + ": runs", "a result", case["failure"], False)
        return
    ours = statistics.median(case["trainer"])
    if case["pytorch"]:
        case["ratio"] = ours / statistics.median(case["pytorch"])
        session.judge(what + ": against PyTorch", "ratio ≥ 1",
                      f"{ours:.0f} images/s, ratio {case['ratio']:.3f}", case["ratio"] >= 1.0)
    else:
        session.skip(what + ": against PyTorch", "ratio ≥ 1", f"{ours:.0f} images/s; {case['why_no_pytorch']}")
    if "step_over_floor" not in case:
        session.skip(what + ": step over its floor", "stated", case["why_no_floor"])
        return
    session.note(what + ": step over its floor", "stated",
                 f"{case['step_ms']:.2f} ms / {case['floor_ms']:.2f} ms = {case['step_over_floor']:.2f}", MET)
    if case["batch"] == 128:
        session.judge(what + ": top-k selection", "< 10 % of a step", f"{case['topk_share_pct']:.1f} %",
                      case["topk_share_pct"] < 10.0)


def two_ranks(session):
    """Function only: ranks that share a GPU exchange through the host. The run fails unless the weights stay equal."""
    for compression in [0, 90]:
        result = session.trainer(f"two-ranks-{compression}", 8, network="resnet18", image_size=64, batch_per_rank=32,
                                 ranks=2, oversubscribe="on", gradient_compression=compression, baseline="off")
        good = result["event"] == "result"
        found = "weights equal, function only" if good else f"{result.get('kind')}: {result.get('message')}"
        session.judge(f"two rank processes on one GPU, compression {compression} %", "weights equal", found, good)


def out_of_memory(session):
    big = session.trainer("too-large", 5, network="resnet50", image_size=1024, batch_per_rank=4096)
    after = session.trainer("after-too-large", 5, network="resnet8")
    session.judge("a run beyond the memory, and the next one", "out-of-memory, result",
                  f"{big.get('kind', big['event'])}, {after['event']}",
                  big.get("kind") == "out-of-memory" and after["event"] == "result")


def table(session):
    rows = ["| what | wanted | found | |", "| --- | --- | --- | --- |"]
    for line in session.lines:
        found = " ".join(str(line["found"]).split()).replace("|", "/")
        rows.append(f"| {line['what']} | {line['wanted']} | {found} | {line['verdict']} |")
    device = session.found.get("devices", {})
    gpus = "; ".join(gpu["name"] for gpu in device.get("gpus", []))
    driver = device.get("gpu_driver") or "–"
    head = f"{gpus or 'no GPU'}, driver {driver}, PyTorch {session.found.get('pytorch', '–')}"
    return "\n".join(["# The CUDA engine on a GPU", "", head, ""] + rows) + "\n"


def finish(session):
    session.found["lines"] = session.lines
    (session.out / "results.json").write_text(json.dumps(session.found, indent=1) + "\n")
    text = table(session)
    (session.out / "results.md").write_text(text)
    print(text)
    verdicts = {line["verdict"] for line in session.lines}
    return 1 if MISSED in verdicts else 3 if NOT_MEASURED in verdicts else 0


def what_is_missing(session):
    """Why nothing can be measured; empty when it can."""
    missing = [name for name in PROGRAMS if not (session.programs / name).exists()]
    if missing:
        return f"{session.programs} lacks {', '.join(missing)}: build with the preset cuda"
    status, text = session.run("devices", [session.programs / "quadric-trainer", "--devices", "--format", "json"], 60)
    device = as_json(text).get("device", {})
    session.found["devices"] = device
    if not device.get("gpus_are_measured", False):
        return device.get("gpus_are_not_measured_because") or f"quadric-trainer --devices: {text or status}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="where the programs are, build/cuda/bin")
    parser.add_argument("--out", default="gpu-results", help="folder for results and logs (gpu-results)")
    parser.add_argument("--seconds", type=float, default=560, help="time for everything (560)")
    parser.add_argument("--python", default=sys.executable, help="the Python that has PyTorch")
    parser.add_argument("--quick", action="store_true", help="batch 128 in bf16 only")
    options = parser.parse_args()
    session = Session(options)
    missing = what_is_missing(session)
    if missing:
        session.skip("the CUDA engine", "runs", missing)
        finish(session)
        return 2
    for work in [run_tests, out_of_memory, two_ranks, lambda s: compare(s, options.quick), run_sanitizer]:
        work(session)
    return finish(session)


if __name__ == "__main__":
    sys.exit(main())
