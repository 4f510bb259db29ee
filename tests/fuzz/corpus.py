#!/usr/bin/env python3
"""Writes the kept inputs of the fuzz targets that are made and not found: valid examples, and each of them cut off,
with a part twice or left out, and with words of the target's dictionary put in. The same on every machine.

tests/fuzz/corpus.py          writes them into tests/fuzz/corpus/NAME/made-NNN; found inputs beside them stay
"""
import json
import pathlib
import random
import re

HERE = pathlib.Path(__file__).resolve().parent
WANTED = 50  # files of a target at least, those that are not made among them
LONGEST = 3000

RUN = {"id": 1, "order": 1, "settings": {"a": 1.5, "c": "x"}, "status": "done", "results": {"y": 2.5}}
STUDY = {
    "quadric": 1, "name": "s", "factors": [
        {"name": "a", "type": "continuous", "low": 0, "high": 4},
        {"name": "g", "type": "integer", "low": 8, "high": 64, "multiple_of": 8, "scale": "log2", "binds": "ranks"},
        {"name": "d", "type": "discrete", "levels": [1, 2, 8]},
        {"name": "c", "type": "categorical", "levels": ["x", "é"]}],
    "responses": [{"name": "y", "goal": "target", "target": 2, "low": 1, "high": 3, "shape": [1, 2],
                   "transform": {"boxcox": 0.5}}],
    "constraints": ["a * g <= 64"], "design": {"type": "custom", "seed": 7, "levels": {"a": 3}},
    "model": {"y": "a + c + a^2"}, "benchmark": {"workload": "command", "argv": ["run", "{a}"], "parse": {"json": "last"}},
    "runs": [dict(RUN, settings={"a": 1, "g": 16, "d": 2, "c": "x"})]}
DOEHELPER = {
    "metadata": {"name": "s"}, "factors": [{"name": "a", "type": "continuous", "levels": ["8", "64"]},
                                          {"name": "c", "type": "categorical", "levels": ["u", "v"]}],
    "responses": [{"name": "y", "optimize": "maximize", "unit": "img/s"}], "fixed_factors": {"k": "1"},
    "settings": {"operation": "box_behnken", "seed": 42}}
MATRIX = {"factor_names": ["a", "c"], "operation": "box_behnken",
          "runs": [{"run_id": 1, "block_id": 1, "factor_values": {"a": "36", "c": "u"}},
                   {"run_id": 2, "block_id": 1, "factor_values": {"a": "8", "c": "v"}}]}
RESULT = {"y": 12.5, "parameters": {"a": 36, "c": "u", "k": 1}}


def lines(*objects):
    return "".join(json.dumps(each) + "\n" for each in objects)


def parts(*objects):
    return "\0".join(each if isinstance(each, str) else json.dumps(each) for each in objects)


EXAMPLES = {
    "study_file": [json.dumps(STUDY), json.dumps({"quadric": 1, "name": "", "factors": []})],
    "journal": [lines(RUN, dict(RUN, id=2, status="failed", failure={"kind": "crash", "message": "m"})),
                lines(dict(RUN, kind="baseline", provenance={"seconds": 3, "started": "2026-01-01T00:00:00Z"}))],
    "expressions": ["a * b <= 4 && precision == \"bf16\"", "a + b + a*b + a^2", "!(a < 1) || b % 2 == 0"],
    "imports": ["a,b,y\n1,2,3\n4,5,6\n", "a;b;y\n1,5;2,5;3\n4;5;6\n", "\"a\"\t\"y\"\n1\t2\n3\t4\n",
                json.dumps({"source": "p", "fits": [{"response": "y", "model": "linear", "r2": 0.5,
                                                     "coefficients": {"1": 2}}]})],
    "worker_lines": ["\x05" + lines({"type": "progress", "done": 0.5, "phase": "measure"},
                                    {"type": "sample", "step_ms": 2.5, "items": 8, "unit": "img"},
                                    {"type": "result", "responses": {"y": 1}, "spread": {"y": 0.1},
                                     "provenance": {"device": {"name": "H100"}}}),
                     "\x10text\n" + lines({"type": "failure", "kind": "out-of-memory", "message": "m"})],
    "doehelper": [parts(DOEHELPER, MATRIX, RESULT), parts(DOEHELPER, "", RESULT), parts(DOEHELPER)],
    "machine": ["0-3,8,10-11", "model name\t: AMD EPYC 7763\nprocessor\t: 0\n", "GPU-1234,MIG-5678,0",
                "CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n",
                json.dumps({"seconds": 1, "clock_mhz": 1980, "power_w": 300.5, "busy_pct": 7})],
    "trainer_settings": [json.dumps({"engine": "simulated", "ranks": 8, "batch_per_rank": 64, "precision": "bf16"}),
                         json.dumps({"scaling": "strong", "global_batch": 512, "overlap": True, "max_seconds": 2.5})],
    "approvals": [json.dumps({"approved": {"/x/s.quadric": {
        "recipe": [["Command", "/bin/echo", "'{x}'"], ["Folder", "/x"], ["Variable", "A=1"], ["Slurm setup", "a b"]],
        "files": {"t.py": [3, 3, "1" * 64]}}}}),
        json.dumps({"approved": {"/x/s.quadric": {"recipe": [["Command"], ["Not watched", "o.json"]], "files": {}}}}),
        json.dumps({"approved": []})],
    "control": [json.dumps({"action": "cancel", "run": 4}), json.dumps({"action": "status"}), "cancel:4", "pause",
                json.dumps({"done": True, "message": "m", "problem": "p"})],
    "events": [lines({"event": "started", "pid": 1, "host": "h", "runs": 3}, {"event": "queue", "runs": [2, 3]},
                     {"event": "run-started", "run": dict(RUN, provenance={"devices": [0], "cpus": "0-3"})},
                     {"event": "progress", "run_id": 1, "done": 0.5, "phase": "measure"},
                     {"event": "state", "run_id": 1, "state": "waits"},
                     {"event": "remaining", "seconds": 5, "low": 4, "high": 7},
                     {"event": "problem", "message": "full"}, {"event": "run-done", "run": RUN},
                     {"event": "ended", "reason": "finished", "message": "m"}),
               lines({"event": "paused"}, {"event": "resumed"}, {"event": "log", "run_id": 1, "line": "l"})],
    "output_formats": [parts(r"y: ([0-9.]+)", "y: 12\ny: 13.5\n"), parts(r"^(\w+)=(.*)$", "y=1e999\n"),
                       parts("", "text\n" + json.dumps({"responses": {"y": 2}}) + "\n"),
                       parts("(", json.dumps({"y": 1, "z": "text"}))],
    "samples": [lines({"seconds": 0.5, "step_ms": 2.5, "items": 16, "unit": "img"},
                      {"seconds": 1, "clock_mhz": 1980, "power_w": 300.5, "temperature_c": 60, "node": "n1"})],
    "slurm_answers": ["2|q-x|RUNNING|1:02:03|n[1-2]|None\n3|q-y|PENDING|0:00||Resources\n4_[1-3]|a|PENDING|0:00||Priority\n",
                      "JobId=2 JobName=q-x JobState=FAILED Reason=NonZeroExitCode Restarts=0 ExitCode=7:0 "
                      "RunTime=4-01:02:03 Partition=gpu ReqNodeList=(null) NodeList=n[1-2] NumNodes=2\n",
                      "job 12\nstatus 137\nrestarts 1\nkernel 6.1.0\nnodes n[1-2]\n", "Welcome\n12;cluster\n",
                      "n1|64|gpu:a100:4(S:0-1),gpu:2|gpu*\nn2|8|(null)|cpu\n",
                      "sbatch: error: Batch job submission failed: Requested node configuration is not available\n",
                      "srun: error: n1: task 5: Exited with exit code 7\n"]}


def words_of(name):
    text = (HERE / "dictionaries" / (name + ".dict")).read_text()
    quoted = re.findall(r'^"(.*)"$', text, re.MULTILINE)
    return [re.sub(rb"\\x(..)", lambda m: bytes([int(m[1], 16)]), each.encode()) for each in quoted]


def changed(data, words, draw):
    """The example with one or two changes."""
    for _ in range(draw.randint(1, 2)):
        at, length = draw.randint(0, len(data)), draw.randint(1, 12)
        kind = draw.randrange(5)
        if kind == 0:
            data = data[:at]
        elif kind == 1:
            data = data[:at] + data[at + length:]
        elif kind == 2:
            data = data[:at] + data[at:at + 3 * length] + data[at:]
        elif kind == 3:
            data = data[:at] + draw.choice(words) + data[at:]
        else:
            data = data[:at] + draw.choice(words) + data[at + length:]
    return data[:LONGEST]


def write(name):
    folder = HERE / "corpus" / name
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("made-*"):
        old.unlink()
    kept = [path.read_bytes() for path in sorted(folder.iterdir())]
    examples = [each.encode() for each in EXAMPLES[name]]
    words, draw, made = words_of(name), random.Random(name), []
    for each in examples:
        if each not in kept:
            made.append(each)
    while len(kept) + len(made) < WANTED:
        data = changed(draw.choice(examples + kept), words, draw)
        if data and data not in kept and data not in made:
            made.append(data)
    for number, data in enumerate(made):
        (folder / f"made-{number:03}").write_bytes(data)


for target in EXAMPLES:
    write(target)
