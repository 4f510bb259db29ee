# SPDX-License-Identifier: GPL-3.0-or-later
"""The studies of the golden set: those of the tree, and small ones that are written from a formula."""
import csv
import hashlib
import io
import itertools
import json
import math
from dataclasses import dataclass, field
from pathlib import Path

from golden_formulas import (Noise, box_behnken, central_composite, definitive_screening, document, done_run, factor, factorial, failed_run, latin,
                             levels, measured, pending_run, plackett_burman, response, rounded, setting, star, with_runs)

ROOT = Path(__file__).resolve().parents[2]
REFERENCES = ROOT / "tests/references"
STUDY = "study.quadric"


@dataclass
class Golden:
    """A study with what is asked of it beside the usual."""
    name: str
    document: dict = None  # None: `prepare` makes the study, or there is none
    files: dict = field(default_factory=dict)  # text of further files beside it, by name
    prepare: list = field(default_factory=list)  # commands that make the study, or run it
    more: list = field(default_factory=list)  # name and command, or commands, beside the usual ones
    is_usual: bool = True  # False: only `more` is asked
    is_few: bool = False  # part of the small set that a test compares


# Studies of the tree

def tree_file(path):
    return json.loads((ROOT / path).read_text())


def simulated_template(name):
    """A template whose runs the simulated engine of the trainer executes."""
    study = {**tree_file(f"resources/templates/{name}.quadric"), "id": hashlib.md5(name.encode()).hexdigest()}
    fixed = {"engine": "simulated", "gpu": "h100", "node_network": "ethernet10", "noise_pct": 1, "ranks_per_node": 8}
    study["fixed"] = {**fixed, **{key: value for key, value in study["fixed"].items() if key != "threads_per_rank"}}
    prepare = [["design", STUDY, "--type", "box-behnken", "--seed", "42"], ["run", STUDY]]
    return Golden(f"template-{name}", study, prepare=prepare, more=[robust(), next_runs()])


def oracle(number, title, **more):
    source = next((REFERENCES / "oracles").glob(f"{number:02}_*.json"))
    data = json.loads(source.read_text())
    factors = [factor(each["name"], each["low"], each["high"], each["unit"] or "") for each in data["factors"]]
    names = data["design"].get("block") or [1] * len(data["design"]["actual"])
    blocks = [1 + sorted(set(names)).index(name) for name in names]
    runs = []
    for i, row in enumerate(data["design"]["actual"]):
        settings = {each["name"]: value for each, value in zip(factors, row)}
        runs.append(done_run(i + 1, settings, {name: values[i] for name, values in data["responses"].items()}, block=blocks[i]))
    goals = more.pop("goals", {})
    responses = [goals.get(name) or response(name) for name in data["responses"]]
    golden = {key: more.pop(key) for key in ("more", "is_few") if key in more}
    return Golden(f"oracle-{title}", document(title, factors, responses, runs, **more), **golden)


def tire_tread():
    goals = {"abrasion": response("abrasion", low=120, high=170), "modulus": response("modulus", low=1000, high=1300),
             "elongation": response("elongation", "target", target=500, low=400, high=600),
             "hardness": response("hardness", "target", target=67.5, low=60, high=75)}
    more = [robust(), ("optimize-sphere", ["optimize", STUDY, "--json", "--region", "sphere:1.633"])]
    return oracle(5, "tire-tread", goals=goals, more=more, is_few=True)


def longley():
    data = tree_file("tests/references/oracles/10_numerics.json")["datasets"][0]["predictors"]
    names = [name for name in data if isinstance(data[name], list) and name != "y"]
    factors = [factor(name, min(data[name]), max(data[name])) for name in names]
    runs = [done_run(i + 1, {name: data[name][i] for name in names}, {"employed": value}) for i, value in enumerate(data["y"])]
    return Golden("oracle-longley", document("Longley", factors, [response("employed")], runs, model={"employed": "linear"}))


def irregular_design():
    data = tree_file("tests/references/designs/evaluation.json")["irregular_2"]
    factors = [factor("a", -1, 1), factor("b", -1, 1)]
    runs = [pending_run(i + 1, {"a": a, "b": b}, block=data["block"][i]) for i, (a, b) in enumerate(data["points"])]
    return Golden("design-irregular", document("Irregular", factors, [response("y")], runs))


def resnet_runs():
    source = tree_file("tests/references/resnet50-15-runs.json")
    example = tree_file("resources/examples/resnet50-scaling.quadric")
    runs = [done_run(i + 1, run["settings"], run["results"]) for i, run in enumerate(source["runs"])]
    responses = [{**each, "weight": 1} for each in example["responses"]]
    return Golden("reference-resnet50-runs", document("Fifteen runs", example["factors"], responses, runs))


def training_time_paper():
    folder = REFERENCES / "training-time-paper"
    fast_and_slow = ["--fast", "cores=3,parallelization=4", "--slow", "cores=1,parallelization=1"]
    more = [("plan-queue-model", ["plan", "queue", STUDY, "--json", "--response", "duration", *fast_and_slow]),
            ("plan-queue-along", ["plan", "queue", STUDY, *fast_and_slow, "--vary", "max_epoch"]),
            opinion("duration"),
            ("plan-deadline", ["plan", "deadline", STUDY, "--json", "--within", "10min"]),
            ("plan-deadline-largest", ["plan", "deadline", STUDY, "--json", "--within", "150", "--largest", "max_epoch"]),
            ("plan-cost", ["plan", "cost", STUDY, "--json", "--price-per-gpu-hour", "2.5", "--watts", "300", "--energy-price", "0.3"])]
    return Golden("reference-training-time-paper", json.loads((folder / "cnn-training-time.quadric").read_text()), more=more)


def doehelper():
    folder = REFERENCES / "doehelper"
    files = {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*.json"))}
    asked = ["import", "config.json", "--results", "results", "-o"]
    return Golden("import-doehelper", None, files, [[*asked, STUDY]], [("import", [*asked, "other.quadric", "--json"])])


def published_speeds():
    more, files = [], {}
    for path in sorted((REFERENCES / "scaling").glob("*.json")):
        for i, curve in enumerate(json.loads(path.read_text())["curves"][:2]):
            name = f"{path.stem}-{i + 1}"
            files[f"{name}.csv"] = "gpus,speed\n" + "".join(f"{count},{speed}\n" for count, speed in curve["points"])
            asked = ["plan", "scale", "--points", f"{name}.csv", "--per-node", str(curve["per_node"]), "--price-per-gpu-hour", "2"]
            more += [(f"scale-{name}", [*asked, "--json"])]
    files["few.csv"] = "gpus,speed\n1,10\n2,19\n"
    more += [("scale-text", asked),
             ("scale-too-few", ["plan", "scale", "--points", "few.csv"]),
             ("queue-mean", ["plan", "queue", "--json", "--mean", "3600", "--variation", "1.5"]),
             ("queue-text", ["plan", "queue", "--mean", "3600", "--utilization", "80", "--machines", "4"])]
    return Golden("plans", None, files, more=more, is_usual=False)


# What is asked of some studies

def robust():
    return ("optimize-robust", ["optimize", STUDY, "--json", "--robust", "--correlated"])


def next_runs():
    return ("next", ["next", STUDY, "--json", "--runs", "2"])


def next_in_time():
    return ("next-in-time", ["next", STUDY, "--json", "--time", "20min"])


def opinion(name):
    return ("plan-opinion", ["plan", "opinion", STUDY, "--json", "--response", name])


# Written studies

X3 = [factor("a", 0, 10), factor("b", -5, 5, "mm"), factor("c", 100, 300, "K")]


def bowl(point, noise):
    a, b, c = point[:3]
    return {"y": 80 + 4 * a - 3 * b + c + 2 * a * b - 5 * a * a - 4 * b * b - 3 * c * c + noise.normal(0.6)}


def memory_study():
    """Large batches do not fit into the memory, however many ranks there are."""
    factors = [factor("batch", 16, 256, "images", type="integer", scale="log2"), factor("depth", 8, 48, type="integer")]
    points = factorial(5, 3) + [(0, 0)]
    def speed(point, noise):
        x, d = point
        return {"speed": 500 * 2 ** (0.8 * x) / (1 + 0.4 * (d + 1)) * (1 + noise.normal(0.01))}
    def fail(run):
        mib = run["settings"]["batch"] * run["settings"]["depth"] * 4.0 + 2000
        if mib <= 24000:
            return {**run, "results": {**run["results"], "memory_mib": mib}}
        return failed_run(run["id"], run["settings"], "out-of-memory", f"needs {round(mib)} MiB, 24000 MiB are there")
    study = measured("Memory", factors, [response("speed", unit="img/s"), response("memory_mib", "none", "MiB")], points, speed)
    return Golden("failures-memory", with_runs(study, fail), is_few=True,
                  more=[("predict-failing", ["predict", STUDY, "--json", "--at", "batch=256,depth=48"]),
                        ("optimize-anywhere", ["optimize", STUDY, "--json", "--runs-probability", "0"]), next_in_time()])


def mixed_failures():
    kinds = {3: "timeout", 6: "crash", 11: "bad-output", 14: "cancelled", 17: "out-of-memory"}
    def change(run):
        number = run["id"]
        if number in kinds:
            return failed_run(number, run["settings"], kinds[number], f"the reason of run {number}")
        if number == 8:
            return {**run, "status": "excluded", "reason": "the network was down"}
        if number == 9:
            return {**run, "provenance": {"source": "measured", "disturbed": True, "disturbed_because": "other processes used 23 % of the machine"}}
        if number == 12:
            return pending_run(number, run["settings"])
        return None
    return Golden("failures-mixed", with_runs(measured("Mixed failures", X3, [response("y")], central_composite(3, 1.5), bowl, 5), change))


def nothing_worked():
    study = measured("Nothing worked", X3[:2], [response("y")], factorial(3, 3), lambda point, noise: {"y": 1})
    return Golden("failures-only", with_runs(study, lambda run: failed_run(run["id"], run["settings"], "crash", "no module named torch")))


def composite_blocks():
    points = factorial(2, 2, 2) + [(0, 0, 0)] * 2 + star(3, 1.633) + [(0, 0, 0)] * 2
    blocks = [1 + (a * b * c > 0) for a, b, c in factorial(2, 2, 2)] + [1, 2] + [3] * 8
    shift = {1: -2.0, 2: 0.5, 3: 2.5}
    study = measured("Composite in blocks", X3, [response("y")], points, bowl, 7, blocks)
    change = lambda run: {**run, "results": {"y": rounded(run["results"]["y"] + shift[run["block"]], 6)}}
    return Golden("blocks-composite", with_runs(study, change), is_few=True, more=[next_runs()])


def replicate_blocks():
    """Three days, on each of them the whole factorial: their variance is that of blocks drawn at random."""
    factors = [*X3[:2], levels("precision", ["fp32", "bf16"])]
    points = factorial(2, 2, [0, 1]) * 4
    blocks = [1 + i // 8 for i in range(32)]
    def truth(point, noise):
        a, b, precision = point
        return {"y": 50 + 3 * a - 2 * b + 4 * precision + a * precision + noise.normal(0.8), "z": 5 + 0.3 * a + noise.normal(0.2)}
    study = measured("Four days", factors, [response("y"), response("z", "minimize")], points, truth, 8, blocks)
    day = [0.0, 1.6, -2.1, 0.9]
    change = lambda run: {**run, "results": {**run["results"], "y": rounded(run["results"]["y"] + day[run["block"] - 1], 6)}}
    return Golden("blocks-days", with_runs(study, change))


def categories():
    factors = [factor("rate", 0.01, 1, scale="log2"), factor("width", 64, 512, type="integer", multiple_of=64),
               levels("optimizer", ["sgd", "adam", "lamb"]), levels("precision", ["fp32", "bf16"])]
    points = factorial(3, 3, [0, 1, 2], [0, 1])
    offsets = [0.0, 2.0, 1.2]
    def truth(point, noise):
        x, w, optimizer, precision = point
        accuracy = 74 + offsets[optimizer] - 1.5 * (x - 0.3 * optimizer) ** 2 + 0.6 * w - 0.2 * precision + noise.normal(0.25)
        return {"accuracy": accuracy, "seconds": (30 + 12 * (w + 1)) * (1 - 0.35 * precision) * (1 + noise.normal(0.02))}
    responses = [response("accuracy", unit="%", bounds=[0, 100]), response("seconds", "minimize", "s")]
    study = measured("Optimizers", factors, responses, points, truth, 9)
    return Golden("categories", study, is_few=True,
                  more=[("optimize-fixed", ["optimize", STUDY, "--json", "--fix", "optimizer=sgd"]), opinion("accuracy"),
                        ("plan-deadline", ["plan", "deadline", STUDY, "--json", "--within", "45s", "--response", "seconds"]),
                        ("plan-least", ["plan", "cost", STUDY, "--json", "--response", "seconds", "--price-per-gpu-hour", "3"])])


def discrete_levels():
    factors = [levels("bucket", [1, 4, 25, 100], "discrete", scale="log2"), levels("workers", [0, 2, 4, 8], "discrete")]
    values = [-1, -0.4, 0.4, 1]
    truth = lambda point, noise: {"speed": 900 + 90 * values[point[0]] - 60 * values[point[0]] ** 2 + 40 * values[point[1]] + noise.normal(8)}
    points = [(i, j) for i in range(4) for j in range(4)]
    return Golden("levels-discrete", measured("Buckets", factors, [response("speed", unit="img/s")], points, truth, 10))


def constrained():
    points = [point for point in factorial(5, 5, 3) if point[0] + point[1] <= 0.6][::2]
    study = measured("Constraint", X3, [response("y")], points, bowl, 11, constraints=["a / 10 + (b + 5) / 10 <= 1.3", "c != 200 or a > 1"])
    return Golden("constraints", study, is_few=True,
                  more=[next_runs(), ("predict-illegal", ["predict", STUDY, "--json", "--at", "a=10,b=5,c=200"])])


def constrained_categories():
    factors = [factor("gpus", 8, 64, type="integer", scale="log2", multiple_of=8, binds="ranks"),
               factor("batch", 32, 256, type="integer", scale="log2"), levels("precision", ["fp32", "bf16"])]
    rules = ["gpus * batch <= 8192", "precision == \"bf16\" or batch <= 128"]
    points = []
    for point in factorial(4, 4, [0, 1]):
        gpus, batch, precision = [setting(item, x) for item, x in zip(factors, point)]
        if gpus * batch <= 8192 and (precision == "bf16" or batch <= 128):
            points.append(point)
    def truth(point, noise):
        gpus, batch, precision = [setting(item, x) for item, x in zip(factors, point)]
        speed = 300 * gpus ** 0.93 * (batch / 128) ** 0.3 * (1 + 0.5 * (precision == "bf16"))
        return {"images_per_sec": speed * (1 + noise.normal(0.02)), "joules": 9 / (1 + 0.5 * (precision == "bf16")) * gpus ** 0.1 * (1 + noise.normal(0.03))}
    study = measured("Legal counts", factors, [response("images_per_sec", unit="img/s", transform="log"), response("joules", "minimize", "J")],
                     points, truth, 12, constraints=rules)
    cost = ["plan", "cost", STUDY, "--json", "--response", "images_per_sec", "--amount", "1e7", "--price-per-gpu-hour", "2"]
    return Golden("constraints-categories", study,
                  more=[("plan-scale", ["plan", "scale", STUDY, "--json", "--response", "images_per_sec"]), ("plan-cost", cost),
                        ("plan-energy", [*cost, "--energy-response", "joules"])])


def screening():
    factors = [factor(name, -1, 1) for name in "ABCDEFG"]
    truth = lambda point, noise: {"y": 20 + 5 * point[0] - 3 * point[3] + 2 * point[0] * point[3] + noise.normal(0.5)}
    return Golden("screening-plackett-burman", measured("Seven factors", factors, [response("y")], plackett_burman(7), truth, 13,
                                                        design="plackett-burman"), is_few=True)


def definitive():
    factors = [factor(f"x{i}", 0, 8) for i in range(1, 7)]
    truth = lambda point, noise: {"y": 12 + 3 * point[0] + 2 * point[1] - 4 * point[0] ** 2 + point[0] * point[1] + noise.normal(0.3)}
    return Golden("screening-definitive", measured("Definitive", factors, [response("y")], definitive_screening(), truth, 14,
                                                   design="definitive-screening"))


def fraction():
    factors = [factor(name, 0, 1) for name in "ABCDE"]
    points = [(a, b, c, a * b, a * c) for a, b, c in factorial(2, 2, 2)]
    truth = lambda point, noise: {"y": 7 + 2 * point[0] - point[1] + 0.5 * point[4] + noise.normal(0.1)}
    augment = [("augment-foldover", [["design", STUDY, "--augment", "foldover", "--json"], ["evaluate", STUDY, "--json"]])]
    return Golden("screening-fraction", measured("Fraction", factors, [response("y")], points, truth, 15, design="fractional-factorial"), more=augment)


def process():
    def truth(point, noise):
        a, b = point
        return {"y": 10 / (1 + 8 * (a - 0.3) ** 2 + 3 * (b + 0.2) ** 2) + 2 * abs(a) + noise.normal(0.05), "z": 3 + a - b + noise.normal(0.05)}
    study = measured("Peak", X3[:2], [response("y"), response("z", "minimize")], latin(20, 2, 16), truth, 16, view={"process": {"views": [["y"]]}})
    return Golden("process", study, more=[next_in_time(), opinion("y"), next_runs()])


def bounded():
    def truth(point, noise):
        a, b, c = point
        return {"utilization": 100 / (1 + math.exp(-(2.2 + 1.1 * a - 0.8 * b + 0.3 * c + noise.normal(0.1))))}
    return Golden("bounds", measured("Bounds", X3, [response("utilization", unit="%", bounds=[0, 100])], box_behnken(3), truth, 18))


def confirmed():
    """Three responses, one with a target; the best settings are confirmed, with one run to go."""
    def truth(point, noise):
        a, b, c = point
        return {**bowl(point, noise), "loss": math.exp(1 + 0.4 * a - 0.3 * c + noise.normal(0.02)), "temperature": 70 + 5 * b + 3 * c + noise.normal(0.3)}
    responses = [response("y", low=60, high=85, weight=2), response("loss", "minimize", transform="log"),
                 response("temperature", "target", "°C", target=68, low=60, high=80, shape=[1, 2])]
    study = measured("Confirmed", X3, responses, box_behnken(3), truth, 19)
    best = {"a": 5, "b": -1.5, "c": 210}
    for y in (81.1, 80.2):
        study["runs"].append(done_run(len(study["runs"]) + 1, best, {"y": y, "loss": 2.6, "temperature": 69.0}, kind="confirmation"))
    study["runs"].append(pending_run(len(study["runs"]) + 1, best, kind="confirmation"))
    more = [robust(), ("optimize-vary", ["optimize", STUDY, "--json", "--vary", "a=0.3", "--vary", "c=5"]),
            ("optimize-goals", ["optimize", STUDY, "--json", "--goal", "y=target:78", "--weight", "loss=0.5", "--limits", "temperature=62:76", "--solutions", "3"]),
            ("optimize-near", ["optimize", STUDY, "--json", "--near-runs"]),
            ("optimize-confirm", [["optimize", STUDY, "--json", "--confirm", "2"], ["info", STUDY, "--json"]])]
    return Golden("goals-confirmed", study, more=more)


def derived():
    def truth(point, noise):
        speed = rounded(4000 * 2 ** (1.4 * point[0]) * (1 + 0.1 * point[1] + noise.normal(0.01)), 6)
        return {"speed": speed, "per_gpu": speed / round(8 ** 0.5 * 64 ** 0.5 * 8 ** (point[0] / 2))}
    study = measured("Derived", [factor("gpus", 8, 64, type="integer", scale="log2", binds="ranks"), X3[0]], [response("speed", unit="img/s"), response("per_gpu")],
                     factorial(4, 3), truth, 20)
    study["derived"] = {"per_gpu": "speed / gpus"}
    return Golden("derived", study, more=[("derive", [["derive", STUDY, "cost=gpus / speed * 3600", "--goal", "minimize", "--json"], ["analyze", STUDY, "--json"]])])


def compared():
    first = measured("First", X3[:2], [response("y")], factorial(3, 3), bowl_of_two, 21)
    second = with_runs(measured("Second", X3[:2], [response("y")], factorial(3, 3), bowl_of_two, 22),
                       lambda run: {**run, "results": {"y": rounded(run["results"]["y"] * 1.06, 6)}})
    more = [("compare", ["compare", STUDY, "second.quadric", "--json"]), ("compare-text", ["compare", STUDY, "second.quadric"]),
            ("evaluate-compare", ["evaluate", STUDY, "--compare", "second.quadric", "--json"])]
    return Golden("compared", first, {"second.quadric": json.dumps(second)}, more=more, is_usual=False)


def bowl_of_two(point, noise):
    return {"y": 40 + 3 * point[0] - 2 * point[1] ** 2 - point[0] * point[1] + noise.normal(0.3)}


def saturated():
    return Golden("saturated", measured("Saturated", X3[:2], [response("y")], factorial(2, 2), bowl_of_two, 23))


def one_factor():
    truth = lambda point, noise: {"y": 3 * math.exp(0.7 * point[0]) * (1 + noise.normal(0.01))}
    more = [("analyze-boxcox", ["analyze", STUDY, "--json", "--transform", "boxcox"]), ("analyze-formula", ["analyze", STUDY, "--json", "--model", "a + a^2"]),
            ("analyze-keep", [["analyze", STUDY, "--json", "--transform", "sqrt", "--keep"], ["predict", STUDY, "--json", "--at", "a=7"]])]
    return Golden("one-factor", measured("One factor", X3[:1], [response("y")], factorial(5) * 2, truth, 24), more=more)


def pure_noise():
    return Golden("noise", measured("Noise", X3, [response("y")], box_behnken(3, 5), lambda point, noise: {"y": 10 + noise.normal(1)}, 25))


def outlier():
    study = measured("Outlier", X3, [response("y")], central_composite(3, 1.6818), bowl, 26, design="central-composite")
    return Golden("outlier", with_runs(study, lambda run: {**run, "results": {"y": 97.5}} if run["id"] == 5 else None), is_few=True)


def saddle():
    def truth(point, noise):
        return {"y": 10 + point[0] - 3 * point[0] ** 2 + 3 * point[1] ** 2 + point[0] * point[1] + noise.normal(0.2)}
    return Golden("saddle", measured("Saddle", X3[:2], [response("y", "minimize")], central_composite(2, 1.4142), truth, 27, design="central-composite"))


def five_factors_measured():
    factors = [factor(name, 0, 100) for name in ("alpha", "beta", "gamma", "delta", "epsilon")]
    def truth(point, noise):
        a, b, c, d, e = point
        return {"y": 200 + 20 * a + 10 * b - 8 * c + 5 * a * b - 12 * a * a - 6 * d * d + 3 * d * e + noise.normal(2), "z": 40 + 3 * e - 2 * b + noise.normal(0.7)}
    responses = [response("y"), response("z", "minimize", weight=0.5)]
    return Golden("five-factors", measured("Five factors", factors, responses, box_behnken(5, 6), truth, 28, design="box-behnken"))


def planned():
    """What the page Plan asks stands in the study, for plots and report."""
    counts = [8, 16, 32, 64, 128]
    runs = []
    noise = Noise(29)
    for i, (gpus, batch) in enumerate(itertools.product(counts, (64, 128, 256))):
        speed = 350 * gpus / (1 + 0.012 * (gpus - 1) / (batch / 64)) * (batch / 128) ** 0.2 * (1 + noise.normal(0.01))
        results = {"images_per_sec": rounded(speed, 6), "scaling_efficiency": rounded(100 * speed / (450 * gpus), 5)}
        runs.append(done_run(i + 1, {"gpus": gpus, "batch": batch}, results))
    factors = [factor("gpus", 8, 128, "GPUs", type="integer", scale="log2", multiple_of=8, binds="ranks"),
               factor("batch", 64, 256, type="integer", scale="log2")]
    choices = {"response": "images_per_sec", "amount": 1e8, "within_seconds": 36000, "largest": "batch", "machines": 4, "gpu_hour": 2.5, "doublings": 2}
    study = document("Planned", factors, [response("images_per_sec", unit="img/s", transform="log"), response("scaling_efficiency", unit="%", bounds=[0, 100])],
                     runs, view={"plan": choices})
    more = [("plan-scale", ["plan", "scale", STUDY, "--json", "--response", "images_per_sec"]),
            ("plan-scale-text", ["plan", "scale", STUDY, "--response", "images_per_sec", "--to", "256,512", "--per-node", "8"]),
            ("plan-deadline", ["plan", "deadline", STUDY, "--json", "--response", "images_per_sec", "--amount", "1e8", "--within", "10h"])]
    return Golden("planned", study, more=more)


def strange_names():
    factors = [factor("gpu \"count\"", 8, 64, "<GPUs>", scale="log2"), factor("größe", 0, 10), levels("mode\t1", ["a&b", "\u202ec", "=1+1"])]
    truth = lambda point, noise: {"it's \\ loss": 5 + point[0] - 0.5 * point[1] + point[2] + noise.normal(0.2)}
    study = measured("a \"strange\"\nstudy", factors, [response("it's \\ loss", "minimize", "$x_1$")], factorial(3, 3, [0, 1, 2]), truth, 30)
    study["surprise"] = {"kept": [1, 2]}
    study["factors"][0]["colour"] = "blue"
    return Golden("names-strange", study)


def copied_results():
    """Replicates that agree in every digit, and values that stop at a limit."""
    def truth(point, noise):
        return {"y": rounded(60 + 5 * point[0] - 3 * point[1], 3), "share": min(99.0, 96 + 4 * point[0] + noise.normal(1))}
    return Golden("copied", measured("Copied", X3[:2], [response("y"), response("share", unit="%")], factorial(3, 3) * 2, truth, 31))


def many_runs():
    truth = lambda point, noise: {"y": 100 + 8 * point[0] - 5 * point[1] + 3 * point[2] + 2 * point[0] * point[2] - 4 * point[1] ** 2 + noise.normal(1.5)}
    return Golden("many-runs", measured("Many runs", X3, [response("y")], latin(200, 3, 32), truth, 33))


def no_goal():
    truth = lambda point, noise: {"y": 5 + point[0] + noise.normal(0.1)}
    return Golden("no-goal", measured("No goal", X3[:2], [response("y", "none")], factorial(3, 3), truth, 34))


# Tables that are imported

def table_of(study, separator, number=str):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    names = [item["name"] for item in study["factors"]]
    results = [item["name"] for item in study["responses"]]
    writer.writerow(["Run", *[f"{item['name']} ({item['unit']})" if item["unit"] else item["name"] for item in study["factors"]], *results])
    for run in study["runs"]:
        writer.writerow([run["id"], *[number(run["settings"][name]) for name in names], *[number(run["results"][name]) for name in results]])
    return out.getvalue()


def import_decimal_comma():
    study = measured("Table", X3, [response("y")], box_behnken(3), bowl, 35)
    text = "Results of March\n" + table_of(study, ";", lambda value: str(value).replace(".", ","))
    asked = ["import", "table.csv", "--response", "y:maximize", "-o"]
    return Golden("import-decimal-comma", None, {"table.csv": text}, [[*asked, STUDY]], [("import", [*asked, "other.quadric", "--json"])])


def import_failures():
    study = measured("Table", X3[:2], [response("speed"), response("loss")], factorial(3, 3) + [(0, 0)] * 3,
                     lambda point, noise: {"speed": 100 + 10 * point[0] + noise.normal(1), "loss": 2 - 0.3 * point[1] + noise.normal(0.05)}, 36)
    lines = table_of(study, ",").splitlines()
    for row, cell in ((3, "OOM"), (5, "timeout"), (7, "n/a"), (8, "3..4")):
        cells = lines[row].split(",")
        lines[row] = ",".join([*cells[:3], cell, cell])
    lines.append("mean,,,101.5,2.01")
    asked = ["import", "table.csv", "--response", "loss:minimize", "-o"]
    return Golden("import-failures", None, {"table.csv": "\n".join(lines) + "\n"}, [[*asked, STUDY]], [("import", [*asked, "other.quadric", "--json"])])


def round_trip():
    study = composite_blocks().document
    steps = [["export", STUDY, "-o", "runs.tsv"], ["import", "runs.tsv", "-o", "back.quadric", "--json"], ["analyze", "back.quadric", "--json"]]
    return Golden("import-round-trip", study, more=[("round-trip", steps)], is_usual=False)


# Designs, new studies, wrong use

def designs():
    factors = [factor("a", 5, 10), factor("b", 8, 32, type="integer", scale="log2"), factor("c", -1, 1)]
    types = {"box-behnken": [], "central-composite": ["--blocks", "2"], "full-factorial": ["--levels", "a=3,b=2,c=2"], "fractional-factorial": ["--resolution", "3"],
             "plackett-burman": [], "definitive-screening": [], "latin-hypercube": ["--runs", "9"], "d-optimal": ["--runs", "12"],
             "i-optimal": ["--runs", "12", "--model", "interactions"], "recommended": ["--replicates", "2"]}
    more = [(f"design-{name}", [["design", STUDY, "--type", name, "--seed", "7", *options, "--json"], ["evaluate", STUDY, "--json"]])
            for name, options in types.items()]
    composite = ["design", STUDY, "--type", "central-composite", "--seed", "3"]
    more += [(f"alpha-{alpha}", [*composite, "--alpha", alpha, "--json"]) for alpha in ("face", "orthogonal", "practical", "1.3")]
    more += [("in-order", ["design", STUDY, "--type", "box-behnken", "--no-randomize"]),
             ("augment-star", [["design", STUDY, "--type", "full-factorial", "--seed", "1"], ["design", STUDY, "--augment", "star", "--json"]]),
             ("augment-optimal", [["design", STUDY, "--type", "full-factorial", "--seed", "1"], ["design", STUDY, "--augment", "optimal", "--runs", "3", "--json"]]),
             ("relative", [["design", STUDY, "--type", "box-behnken", "--seed", "1"], ["evaluate", STUDY, "--relative", "--json"]]),
             ("evaluate-text", [["design", STUDY, "--type", "box-behnken", "--seed", "1"], ["evaluate", STUDY, "--effect-sd", "1.5"]])]
    return Golden("designs", document("Designs", factors, [response("y")], []), more=more, is_usual=False)


def constrained_designs():
    study = constrained_categories().document
    more = [(f"design-{name}", [["design", STUDY, "--type", name, "--seed", "7", "--runs", "24", "--json"], ["evaluate", STUDY, "--json"]])
            for name in ("d-optimal", "i-optimal")]
    more += [("design-factorial", ["design", STUDY, "--type", "full-factorial", "--json"]),
             ("design-hypercube", ["design", STUDY, "--type", "latin-hypercube", "--seed", "2", "--json"])]
    return Golden("designs-constrained", {**study, "runs": []}, more=more, is_usual=False)


def new_studies():
    asked = ["--factor", "lr:0.001:0.1::continuous:log2", "--factor", "gpus:8:64:GPUs:integer:log2:multiple_of=8:binds=ranks",
             "--factor", "precision:fp32|bf16:::categorical",
             "--response", "loss:minimize", "--response", "utilization:maximize:%:bounds=0..100"]
    command = ["--command", "python3 train.py --lr {lr} --gpus {gpus}", "--read", "loss=loss = {number}"]
    more = [("from-factors", ["new", "a.quadric", *asked, "--json"]), ("with-design", ["new", "b.quadric", *asked, "--type", "recommended", "--seed", "4", "--json"]),
            ("own-command", ["new", "c.quadric", *asked, *command, "--derive", "speed=1 / loss", "--json"])]
    templates = ("blank", "enter-results", "own-command", "plan-64-gpus", "slow-network", "this-machine")
    more += [(f"template-{name}", ["new", "t.quadric", "--template", name, "--json"]) for name in templates]
    return Golden("new", None, more=more, is_usual=False)


def wrong_use():
    files = {"broken.quadric": "{\"quadric\": 1,", "newer.quadric": "{\"quadric\": 99}",
             "level.quadric": json.dumps({**saddle().document, "factors": [factor("a", 3, 1)]})}
    asked = {"no-command": ["analyse", STUDY], "no-file": ["analyze", "absent.quadric"], "no-option": ["analyze", STUDY, "--respnse", "y"],
             "no-response": ["analyze", STUDY, "--response", "yy"], "no-factor": ["predict", STUDY, "--at", "a=1,bb=2"], "no-value": ["predict", STUDY, "--at", "a=1"],
             "no-plot": ["plot", STUDY, "--kind", "pie", "-o", "a.svg"], "no-section": ["report", STUDY, "--sections", "desing", "-o", "a.html"],
             "no-model": ["analyze", STUDY, "--model", "a + d"], "no-type": ["design", STUDY, "--type", "box"], "broken": ["info", "broken.quadric"],
             "newer": ["info", "newer.quadric"], "level": ["info", "level.quadric"], "ending": ["plot", STUDY, "--kind", "pareto", "-o", "a.gif"],
             "replaces": ["export", STUDY, "-o", STUDY, "--format", "csv"], "region": ["optimize", STUDY, "--region", "ball:1"],
             "claims": ["audit", STUDY, "--claims", "none.json"],
             "plots": ["plot", "--list", "--json"]}
    return Golden("wrong-use", saddle().document, files, more=list(asked.items()), is_usual=False)


def all_studies():
    example = ROOT / "resources/examples"
    resnet = json.loads((example / "resnet50-scaling.quadric").read_text())
    claims = {"study-claims.json": (example / "resnet50-scaling-claims.json").read_text()}
    resnet_more = [("audit", ["audit", STUDY, "--json"]), ("audit-text", ["audit", STUDY]), robust(), opinion("images_per_sec"), next_runs(),
                   ("plan-deadline", ["plan", "deadline", STUDY, "--json", "--response", "images_per_sec", "--amount", "1e8", "--within", "8h"])]
    return [
        Golden("example-resnet50-scaling", resnet, claims, more=resnet_more, is_few=True),
        Golden("example-cpu-ranks", json.loads((example / "cpu-ranks.quadric").read_text())),
        simulated_template("plan-64-gpus"), simulated_template("slow-network"), simulated_template("this-machine"),
        Golden("reference-scaling-five-factors", json.loads((REFERENCES / "scaling-five-factors.quadric").read_text())),
        resnet_runs(), training_time_paper(),
        oracle(1, "chemreact-blocks"), oracle(2, "chemreact-first-order", more=[("analyze-linear", ["analyze", STUDY, "--json", "--model", "linear", "--path"])]),
        oracle(3, "codata-ridge"), oracle(4, "trebuchet"), tire_tread(), oracle(6, "paper-factorial", model={"duration": "interactions"}),
        oracle(7, "filtration-lenth"), longley(), irregular_design(),
        doehelper(), import_decimal_comma(), import_failures(), round_trip(),
        memory_study(), mixed_failures(), nothing_worked(), composite_blocks(), replicate_blocks(), categories(), discrete_levels(),
        constrained(), constrained_categories(),
        screening(), definitive(), fraction(), process(), bounded(), confirmed(), derived(), compared(), saturated(), one_factor(), pure_noise(),
        outlier(), saddle(),
        five_factors_measured(), planned(), strange_names(), copied_results(), many_runs(), no_goal(),
        designs(), constrained_designs(), new_studies(), published_speeds(), wrong_use(),
    ]
