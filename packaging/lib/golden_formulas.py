# SPDX-License-Identifier: GPL-3.0-or-later
"""Small studies from a formula, for the golden set.

Their points are laid out here, not by the program, so that a change of a design changes no analysis. Their noise comes
from a seeded generator and their results have six digits, so that they are the same on every machine.
"""
import hashlib
import itertools
import math


class Noise:
    """Knuth's linear congruential generator; the sum of twelve uniform numbers needs no library of mathematics."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 11) / 2**53

    def normal(self, sd):
        return sd * (sum(self.uniform() for _ in range(12)) - 6)

    def shuffled(self, items):
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = int(self.uniform() * (i + 1))
            items[i], items[j] = items[j], items[i]
        return items


# Factors, responses and studies

def rounded(value, digits=10):
    return float(f"{value:.{digits}g}")


def factor(name, low, high, unit="", **more):
    return {"name": name, "unit": unit, "type": "continuous", "low": low, "high": high, **more}


def levels(name, values, kind="categorical", **more):
    return {"name": name, "type": kind, "levels": values, **more}


def response(name, goal="maximize", unit="", **more):
    return {"name": name, "unit": unit, "goal": goal, **more}


def setting(item, coded):
    """The actual value; of levels `coded` is the index."""
    if "levels" in item:
        return item["levels"][int(coded)]
    low, high = item["low"], item["high"]
    value = low + (high - low) * (coded + 1) / 2
    if item.get("scale") == "log2":
        value = math.sqrt(low * high) * (high / low) ** (coded / 2)
    if item["type"] == "integer":
        step = item.get("multiple_of", 1)
        return round(value / step) * step
    return rounded(value)


def document(name, factors, responses, runs, design="custom", **more):
    return {"quadric": 1, "name": name, "id": hashlib.md5(name.encode()).hexdigest(), "description": "", "factors": factors, "fixed": {},
            "responses": responses, "constraints": [], "design": {"type": design, "seed": 42}, "model": {},
            "benchmark": {"workload": "none"}, "runs": runs, **more}


def pending_run(number, settings, **more):
    return {"id": number, "order": number, "block": 1, "kind": "design", "settings": settings, "status": "pending", **more}


def done_run(number, settings, results, **more):
    return pending_run(number, settings, **{"status": "done", "results": results, "provenance": {"source": "typed"}, **more})


def failed_run(number, settings, kind, message="", **more):
    failure = {"kind": kind, "message": message}
    return pending_run(number, settings, **{"status": "failed", "failure": failure, "provenance": {"source": "typed"}, **more})


def measured(name, factors, responses, points, truth, seed=1, blocks=None, **more):
    """A study whose run at each point has the results truth(point, noise)."""
    noise = Noise(seed)
    runs = []
    for i, point in enumerate(points):
        settings = {item["name"]: setting(item, x) for item, x in zip(factors, point)}
        results = {key: rounded(value, 6) for key, value in truth(point, noise).items()}
        is_center = all("levels" not in item and x == 0 for item, x in zip(factors, point))
        runs.append(done_run(i + 1, settings, results, kind="center" if is_center else "design", block=blocks[i] if blocks else 1))
    return document(name, factors, responses, runs, **more)


def with_runs(study, change):
    """The study with change(run) instead of each of its runs; None: as it was."""
    return {**study, "runs": [change(run) or run for run in study["runs"]]}


# Points in coded units

def factorial(*counts):
    """Numeric factors by their number of levels from -1 to 1, categorical ones by a list of indices."""
    axes = [count if isinstance(count, list) else [2 * i / (count - 1) - 1 for i in range(count)] for count in counts]
    return [point[::-1] for point in itertools.product(*axes[::-1])]


def box_behnken(factors, centers=3):
    points = []
    for pair in itertools.combinations(range(factors), 2):
        for corner in factorial(2, 2):
            points.append(tuple(corner[pair.index(i)] if i in pair else 0 for i in range(factors)))
    return points + [(0,) * factors] * centers


def star(factors, alpha):
    return [tuple(side * alpha if i == axis else 0 for i in range(factors)) for axis in range(factors) for side in (-1, 1)]


def central_composite(factors, alpha, centers=4):
    return factorial(*[2] * factors) + star(factors, alpha) + [(0,) * factors] * centers


def plackett_burman(factors):
    """Twelve runs, of Plackett and Burman's first row."""
    row = [1, 1, -1, 1, 1, 1, -1, -1, -1, 1, -1]
    rows = [row[-i:] + row[:-i] for i in range(11)] + [[-1] * 11]
    return [tuple(each[:factors]) for each in rows]


def definitive_screening():
    """Six factors in 13 runs: the Paley conference matrix of order 6, its mirror image, a center run."""
    residues = {1, 4}
    character = lambda x: 0 if x % 5 == 0 else 1 if x % 5 in residues else -1
    matrix = [[0] + [1] * 5] + [[1] + [character(i - j) for j in range(5)] for i in range(5)]
    return [tuple(row) for row in matrix] + [tuple(-x for x in row) for row in matrix] + [(0,) * 6]


def latin(runs, factors, seed):
    noise = Noise(seed)
    columns = [noise.shuffled(2 * i / (runs - 1) - 1 for i in range(runs)) for _ in range(factors)]
    return list(zip(*columns))
