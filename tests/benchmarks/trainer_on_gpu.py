#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that needs a GPU, in one call of less than half an hour: is the CUDA engine right, and is it fast?

  cmake --preset cuda && cmake --build --preset cuda
  python3 tests/benchmarks/trainer_on_gpu.py build/cuda/bin --out gpu-results

Speeds are those of a GPU that has grown warm: trainer and PyTorch take turns, each computes for ten seconds and then
measures for ten, by the median step on the clock of the host. The most important batches come first; --seconds says how
long everything may take, and what finds no time is not measured.

Writes results.json (everything), results.md (the table) and the output of every program to the folder, and prints the
table. Each line of the table is met, missed, or not measured, with the reason. PyTorch 2 with CUDA is compared where
`python3` has it (--python takes another one), compute-sanitizer is used where it is in PATH or beside nvcc; without one
of them its lines say so. A study of 15 runs goes from its plan to a PDF where `quadric` is beside the programs or in
PATH. The exit status is 0 when everything is met, 1 when something is missed or broken, 2 when
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
WARM_SECONDS = 10
PROGRAMS = ["quadric-trainer", "quadric-trainer-cuda.so", "trainer_cuda_test", "trainer_gpu_floor"]
KERNEL_TESTS = "*Kernels.*:SelectionOnGpu.*"
LARGEST_BATCH, BATCH_STEP = 4096, 32
STUDY = ["--workload", "builtin", "--factor", "batch_per_rank:32:128:images:integer:log2",
         "--factor", "image_size:96:224:px:integer", "--factor", "aggregation:1:3:batches:integer",
         "--response", "images_per_sec:maximize:img/s", "--response", "joules_per_image:minimize:J/img",
         "--response", "loss_after_50_steps:minimize", "--fixed", "engine=cuda", "--fixed", "network=resnet18",
         "--fixed", "precision=bf16", "--fixed", "min_seconds=3", "--fixed", "warmup_least_seconds=2",
         "--fixed", "max_seconds=15", "--type", "box-behnken", "--center", "3"]
STUDY_RUNS = 15
METERS = ["clock_mhz", "memory_clock_mhz", "power_w", "temperature_c", "memory_mib", "busy_pct"]
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
        status, text = self.run(name, command, 2 * seconds + 90)
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
              "energy within 10 % of the integral of sampled power": ["EnergyIsTheIntegral"],
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


def pytorch_speed(session, case, how, name, limit):
    """Images per second in PyTorch; nothing where it cannot be measured, and why."""
    helper = Path(__file__).resolve().parent / "trainer_gpu_pytorch.py"
    command = [session.python, helper, case["batch"], case["precision"], how, WARM_SECONDS]
    status, text = session.run(name, command, limit)
    lines = text.splitlines()
    found = as_json(lines[-1]) if status == 0 and lines else {}
    if not found:
        return None, text if status is None else f"trainer_gpu_pytorch.py ended with {status}: see its log"
    session.found["pytorch"] = found["version"]
    return 1000.0 * case["batch"] / found["step_ms"], ""


def measure_speed(session, case):
    """One turn of both, by the same clock; adds to the case."""
    batch, precision = case["batch"], case["precision"]
    name = f"{precision}-{batch}-{len(case['trainer'])}"
    theirs, why = pytorch_speed(session, case, "graph", "pytorch-" + name, 120)
    if theirs:
        case["pytorch"].append(theirs)
    else:
        case["why_no_pytorch"] = why
    result = session.trainer("trainer-" + name, 4 * WARM_SECONDS, network="resnet50", image_size=224, batch_per_rank=batch,
                             precision=precision, warmup_least_seconds=WARM_SECONDS, min_seconds=WARM_SECONDS)
    if result["event"] == "result":
        responses, provenance = result["responses"], result["provenance"]
        case["step_ms"] = responses["step_ms"]
        case["trainer"].append(1000.0 * batch / responses["step_ms"])
        case["joules_per_image"] = responses.get("joules_per_image")
        case["memory_mib"] = [responses.get("memory_peak_mib"), provenance.get("memory_estimate_mib")]
        case["drift_pct"] = provenance.get("drift_pct")
        case["set_up_seconds"] = provenance.get("set_up_seconds")
        case["disturbed_because"] = provenance.get("disturbed_because")
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
    for case in cases:
        for turn in range(2):
            if "failure" not in case and session.left() > 8 * WARM_SECONDS:
                measure_speed(session, case)
                if turn == 0:
                    measure_floor(session, case)
        judge_case(session, case)
    state_compiled(session, cases[0])


def state_compiled(session, case):
    """What people run: the network of PyTorch behind torch.compile."""
    what = f"ResNet-50, batch {case['batch']}, {case['precision']}: against PyTorch with torch.compile"
    theirs, why = pytorch_speed(session, case, "compile", "pytorch-compiled", 240)
    if not theirs or not case["trainer"]:
        session.skip(what, "stated", why or "the trainer has no result")
        return
    case["pytorch_compiled"] = theirs
    session.note(what, "stated", f"ratio {statistics.median(case['trainer']) / theirs:.3f}", MET)


def judge_case(session, case):
    what = f"ResNet-50, batch {case['batch']}, {case['precision']}"
    if "failure" in case and not case["trainer"]:
        session.judge(what + ": runs", "a result", case["failure"], False)
        return
    if not case["trainer"]:
        session.skip(what + ": runs", "a result", "no time left")
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


def tried_batch(session, batch):
    """True: it runs. False: it is refused as out-of-memory, before it begins or on the GPU. None: something else."""
    event = session.trainer(f"memory-{batch}", 2, network="resnet50", image_size=224, batch_per_rank=batch,
                            precision="bf16", min_seconds=0, warmup_least_seconds=0)
    said = event.get("message", "")
    tried = {"batch": batch, "outcome": event.get("kind", event["event"]), "message": said,
             "refused_by_estimate": said.startswith("this run needs about")}
    if event["event"] == "result":
        tried["peak_mib"] = event["responses"]["memory_peak_mib"]
        tried["estimate_mib"] = event["provenance"]["memory_estimate_mib"]
    session.found.setdefault("memory", []).append(tried)
    return {"result": True, "out-of-memory": False}.get(tried["outcome"])


def memory_boundary(session):
    """The largest batch that runs, by bisection, and what the estimate says there."""
    what = "ResNet-50, bf16: every batch runs or is out-of-memory"
    fits, refused = 0, LARGEST_BATCH
    while refused - fits > BATCH_STEP:
        if session.left() < 60:
            session.skip(what, "typed", f"no time left between {fits} and {refused}")
            return
        batch = (fits + refused) // 2 // BATCH_STEP * BATCH_STEP
        answer = tried_batch(session, batch)
        if answer is None:
            session.judge(what, "typed", f"batch {batch}: {session.found['memory'][-1]['message']}", False)
            return
        fits, refused = (batch, refused) if answer else (fits, batch)
    session.judge(what, "typed", f"{fits} runs, {refused} does not", fits > 0)
    if fits > 0:
        judge_estimate(session, fits, refused)


def judge_estimate(session, fits, refused):
    """An estimate below the truth lets runs fail on the GPU; one far above it refuses runs that fit."""
    tried = {each["batch"]: each for each in session.found["memory"]}
    best = tried[fits]
    ratio = best["estimate_mib"] / best["peak_mib"]
    by = "the estimate" if tried.get(refused, {}).get("refused_by_estimate") else "the GPU"
    session.judge("memory: estimate over what the largest batch took", "1 to 1.15",
                  f"{best['estimate_mib']:.0f} / {best['peak_mib']:.0f} MiB = {ratio:.3f}; {by} refuses {refused}",
                  1.0 <= ratio <= 1.15)


def find_quadric(session):
    beside = session.programs / "quadric"
    return beside if beside.exists() else shutil.which("quadric")


def measured_runs(study):
    return [run for run in study.get("runs", []) if run.get("status") == "done"]


def meters_of(run):
    """What the run's telemetry says of each meter of its first GPU: min, mean, max."""
    devices = run.get("provenance", {}).get("telemetry", {}).get("devices", [])
    return {meter: devices[0][meter] for meter in METERS if devices and meter in devices[0]}


def study_to_pdf(session):
    """A Box-Behnken design of 15 runs from its plan to its report, as somebody would do it."""
    quadric = find_quadric(session)
    what = f"a study of {STUDY_RUNS} runs"
    if quadric is None:
        session.skip(what, "a PDF", "quadric is neither beside the programs nor in PATH")
        return
    study, pdf = session.out / "study.quadric", session.out / "study.pdf"
    for old in [pdf, *session.out.glob("study.quadric*")]:
        shutil.rmtree(old) if old.is_dir() else old.unlink(missing_ok=True)
    said = execute_study(session, quadric, study, pdf)
    done = measured_runs(as_json(study.read_text()) if study.exists() else {})
    session.found["study"] = [{"settings": run.get("settings"), "results": run.get("results"), "meters": meters_of(run)}
                              for run in done]
    is_pdf = pdf.exists() and pdf.read_bytes()[:5] == b"%PDF-"
    session.judge(what, "a PDF", said or f"{len(done)} runs done, {'a PDF' if is_pdf else 'no PDF'}",
                  not said and len(done) == STUDY_RUNS and is_pdf)
    judge_telemetry(session, done)


def execute_study(session, quadric, study, pdf):
    """What went wrong; empty when nothing did."""
    for name, arguments in {"new": [study] + STUDY, "run": [study], "report": [study, "-o", pdf]}.items():
        status, text = session.run("study-" + name, [quadric, name] + arguments, 900)
        if status != 0:
            return f"quadric {name}: {text if status is None else f'exit status {status}'}"
    return ""


def judge_telemetry(session, done):
    """Every meter in every run: a GPU that computes draws power, has a clock and is busy."""
    for meter in METERS:
        what = f"telemetry of the study: {meter}"
        means = [run_meters[meter]["mean"] for run_meters in map(meters_of, done) if meter in run_meters]
        if not done:
            session.skip(what, "in every run", "no run is done")
            continue
        words = f"in {len(means)} of {len(done)} runs"
        if means:
            words += f", {min(means):.0f} to {max(means):.0f} on average"
        session.judge(what, "in every run", words, len(means) == len(done) and min(means) > 0)


def table(session):
    rows = ["| what | wanted | found | |", "| --- | --- | --- | --- |"]
    for line in session.lines:
        found = " ".join(str(line["found"]).split()).replace("|", "/")
        rows.append(f"| {line['what']} | {line['wanted']} | {found} | {line['verdict']} |")
    device = session.found.get("devices", {})
    gpus = "; ".join(gpu["name"] for gpu in device.get("gpus", []))
    driver = device.get("gpu_driver") or "–"
    head = f"{gpus or 'no GPU'}, driver {driver}, PyTorch {session.found.get('pytorch', '–')}"
    scope = "All of this is one GPU: NCCL, overlap and links between GPUs are not exercised."
    return "\n".join(["# The CUDA engine on a GPU", "", head, "", scope, ""] + rows) + "\n"


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
    parser.add_argument("--seconds", type=float, default=1700, help="time for everything (1700)")
    parser.add_argument("--python", default=sys.executable, help="the Python that has PyTorch")
    parser.add_argument("--quick", action="store_true", help="batch 128 in bf16 only")
    options = parser.parse_args()
    session = Session(options)
    missing = what_is_missing(session)
    if missing:
        session.skip("the CUDA engine", "runs", missing)
        finish(session)
        return 2
    for work in [run_tests, out_of_memory, two_ranks, lambda s: compare(s, options.quick), memory_boundary, study_to_pdf,
                 run_sanitizer]:
        work(session)
    return finish(session)


if __name__ == "__main__":
    sys.exit(main())
