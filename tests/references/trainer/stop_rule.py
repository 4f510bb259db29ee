#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes stop_rule.json: what the rule of docs/trainer.md ("When a stage is measured") makes of series of steps.

A second implementation of that text with nothing but the standard library, against which every program that
measures by the rule is tested. Student's quantiles come from the density, integrated; series from a fixed seed.
"""
import json
import math
import pathlib
import random
import statistics


def student_quantile_975(degrees):
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)

    def above_zero(t, intervals=4000):  # Simpson
        width = t / intervals
        inner = sum((4 if i % 2 else 2) * (1 + (i * width) ** 2 / degrees) ** (-(degrees + 1) / 2) for i in range(1, intervals))
        return scale * width / 3 * (1 + inner + (1 + t * t / degrees) ** (-(degrees + 1) / 2))

    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if above_zero(middle) < 0.475 else (low, middle)
    return low


STUDENT = {degrees: student_quantile_975(degrees) for degrees in range(1, 30)}


def blocks_of(steps):
    n = len(steps)
    k = n if n < 20 else min(max(math.floor(math.fsum(steps) / 500.0), 10), 30, n)
    return [steps[i * n // k:(i + 1) * n // k] for i in range(k)]


def half_width(values):
    if len(values) < 2:
        return None
    return STUDENT[len(values) - 1] * statistics.stdev(values) / math.sqrt(len(values))


def drift_of(steps):
    means = [statistics.fmean(block) for block in blocks_of(steps)]
    k = len(means)
    if k < 3:
        return None
    centre, mean = (k - 1) / 2, statistics.fmean(means)
    xx = math.fsum((i - centre) ** 2 for i in range(k))
    slope = math.fsum((i - centre) * (y - mean) for i, y in enumerate(means)) / xx
    rest = math.fsum((y - mean - slope * (i - centre)) ** 2 for i, y in enumerate(means))
    return 100 * slope * k / mean, 100 * STUDENT[k - 2] * math.sqrt(rest / (k - 2) / xx) * k / mean


def is_settled(steps):
    drift = drift_of(steps)
    return drift is not None and abs(drift[0]) <= max(0.3, drift[1])


def last_window(steps, seconds):
    for count in range(5, len(steps) + 1):
        if math.fsum(steps[-count:]) >= 1000 * seconds:
            return steps[-count:]
    return []


def is_steady(steps, seconds):
    later = last_window(steps, seconds)
    earlier = last_window(steps[:len(steps) - len(later)], seconds)
    if not later or not earlier:
        return False
    before, now = statistics.median(earlier), statistics.median(later)
    deviations = [abs(step - before) for step in earlier] + [abs(step - now) for step in later]
    error = 1.2533 * 1.4826 * statistics.median(deviations) * math.sqrt(1 / len(earlier) + 1 / len(later))
    return abs(now - before) <= max(0.005 * now, 2 * error)


def decide_warm_up(steps, elapsed, rule):
    if len(steps) < rule["preparing_steps"] + 5:
        return "continue"
    prepared = steps[rule["preparing_steps"]:]
    least = rule["warmup_least_seconds"]
    if math.fsum(prepared) >= 1000 * least and is_steady(prepared, least / 2):
        return "steady"
    return "out-of-time" if elapsed >= rule["warmup_seconds"] else "continue"


def tail_of_student(t, degrees, intervals=20000):
    """P(T > t) for t > 0: Simpson over u = 1/x from 0 to 1/t."""
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)

    def density(u):  # times dx/du; falls as a power of u towards 0
        return 0.0 if u == 0.0 else scale * (1 + 1 / (u * u * degrees)) ** (-(degrees + 1) / 2) / (u * u)

    width = 1 / t / intervals
    inner = sum((4 if i % 2 else 2) * density(i * width) for i in range(1, intervals))
    return width / 3 * (density(0.0) + inner + density(1 / t))


def is_surely_slow(steps, slow):
    """As improbable as 4.5 standard deviations."""
    if len(steps) < 20 or not is_settled(steps):
        return False
    summary = statistics.median if slow["of"] == "median" else statistics.fmean
    values = [summary(block) for block in blocks_of(steps)]
    away = statistics.fmean(values) - slow["step_ms"]
    error = statistics.stdev(values) / math.sqrt(len(values))
    if away <= 0 or error == 0:
        return away > 0
    return tail_of_student(away / error, len(values) - 1) <= math.erfc(4.5 / math.sqrt(2)) / 2


def decide_measuring(steps, elapsed, next_seconds, rule, slow=None):
    if len(steps) < 3:
        return "continue"
    if len(steps) >= 20 and math.fsum(steps) >= 1000 * rule["min_seconds"]:
        first = next(steps[:n] for n in range(20, len(steps) + 1) if math.fsum(steps[:n]) >= 1000 * rule["min_seconds"])
        if not is_settled(first) and elapsed + math.fsum(first) / 1000 <= rule["max_seconds"]:
            return "drifting"
        medians = [statistics.median(block) for block in blocks_of(steps)]
        if is_settled(steps) and half_width(medians) <= rule["interval_pct"] / 100 * statistics.median(steps):
            return "precise"
    if slow and math.fsum(steps) >= 250 * rule["min_seconds"] and is_surely_slow(steps, slow):
        return "surely-slow"
    return "out-of-time" if elapsed + next_seconds > rule["max_seconds"] else "continue"


GPU = {"preparing_steps": 3, "warmup_least_seconds": 5, "warmup_seconds": 18, "min_seconds": 10, "interval_pct": 0.5,
       "max_seconds": 60}
CPU = {"preparing_steps": 1, "warmup_least_seconds": 0.5, "warmup_seconds": 18, "min_seconds": 1, "interval_pct": 0.5,
       "max_seconds": 60}


def series(seed, count, speed, noise=0.003, likeness=0.5):
    """Steps of `speed(seconds)` ms with noise that resembles the step before (autoregressive)."""
    draw, steps, now, error = random.Random(seed), [], 0.0, 0.0
    for _ in range(count):
        error = likeness * error + math.sqrt(1 - likeness ** 2) * draw.gauss(0, noise)
        steps.append(round(speed(now) * (1 + error), 3))
        now += steps[-1] / 1000
    return steps


def slowing(percent, tau, sustained=100.0):
    return lambda t: sustained * (1 - percent / 100 * math.exp(-t / tau))


def statistics_case(name, steps):
    blocks = blocks_of(steps)
    drift = drift_of(steps)
    case = {"name": name, "steps_ms": steps, "blocks": len(blocks), "block_means_ms": [statistics.fmean(b) for b in blocks],
            "mean_ms": statistics.fmean(steps), "median_ms": statistics.median(steps),
            "mean_half_width_ms": half_width([statistics.fmean(b) for b in blocks]),
            "median_half_width_ms": half_width([statistics.median(b) for b in blocks])}
    if drift:
        case["drift_pct"], case["drift_half_width_pct"] = drift
    return case


def warm_up_case(name, rule, steps, elapsed):
    return {"name": name, "rule": rule, "steps_ms": steps, "elapsed_seconds": elapsed,
            "decision": decide_warm_up(steps, elapsed, rule)}


def measuring_case(name, rule, steps, elapsed, next_seconds=0.1):
    return {"name": name, "rule": rule, "steps_ms": steps, "elapsed_seconds": elapsed, "next_seconds": next_seconds,
            "decision": decide_measuring(steps, elapsed, next_seconds, rule)}


def short_look_case(name, rule, steps, step_ms, of="mean"):
    slow, elapsed = {"step_ms": step_ms, "of": of}, math.fsum(steps) / 1000 + 6
    return {"name": name, "rule": rule, "steps_ms": steps, "elapsed_seconds": elapsed, "next_seconds": 0.1, "slow": slow,
            "decision": decide_measuring(steps, elapsed, 0.1, rule, slow)}


def main():
    constant = lambda t: 100.0
    capture = [900.0, 250.0, 101.0]
    even = series(1, 120, constant)
    tenth, fifth = series(2, 120, slowing(10, 10)), series(3, 120, slowing(5, 10))
    noisy = series(4, 300, lambda t: 10.0, noise=0.03, likeness=0.8)
    spike = [10.0] * 24 + [40.0]
    fixture = {
        "about": "What the rule of docs/trainer.md, \"When a stage is measured\", makes of series of steps; written by stop_rule.py",
        "statistics": [statistics_case("two steps", [10.0, 12.0]), statistics_case("seven steps", even[:7]),
                       statistics_case("nineteen steps are their own blocks", even[:19]),
                       statistics_case("twenty steps are ten blocks", even[:20]), statistics_case("twelve seconds", even),
                       statistics_case("slowing by a tenth", tenth), statistics_case("noise that lasts", noisy),
                       statistics_case("one late step", spike), statistics_case("many seconds are thirty blocks", even * 2)],
        "warm_up": [warm_up_case("preparing steps only", GPU, capture + [100.0] * 4, 99.0),
                    warm_up_case("too short", GPU, capture + [100.0] * 40, 5.2),
                    warm_up_case("even steps", GPU, capture + even[:60], 7.3),
                    warm_up_case("slowing by a tenth", GPU, capture + tenth[:60], 7.0),
                    warm_up_case("slowing by a tenth, later", GPU, capture + series(5, 260, slowing(10, 10)), 16.0),
                    warm_up_case("slowing by a tenth, out of time", GPU, capture + tenth[:60], 18.0),
                    warm_up_case("a processor", CPU, [50.0] + noisy[:60], 0.7),
                    warm_up_case("a processor with a jump", CPU, [50.0] + [10.0] * 30 + [11.0] * 30, 0.7),
                    warm_up_case("five steps and no time", CPU, [50.0, 10.0, 11.0, 12.0, 10.0, 11.0], 20.0),
                    warm_up_case("one step and no time", CPU, [50.0], 99.0)],
        "measuring": [measuring_case("two steps are no result", GPU, [100.0, 100.0], 99.0),
                      measuring_case("three steps at the end", GPU, [100.0] * 3, 60.0),
                      measuring_case("nineteen steps", CPU, [100.0] * 19, 3.0),
                      measuring_case("twenty steps", CPU, [100.0] * 20, 3.0),
                      measuring_case("not yet ten seconds", GPU, even[:90], 15.0),
                      measuring_case("even steps", GPU, even, 18.0),
                      measuring_case("slowing by a tenth", GPU, tenth, 18.0),
                      measuring_case("slowing by a tenth, no time for another", GPU, tenth, 55.0),
                      measuring_case("slowing by a twentieth", GPU, fifth, 18.0),
                      measuring_case("slowed by a tenth, settled", GPU, series(6, 120, lambda t: slowing(10, 10)(t + 35)), 45.0),
                      measuring_case("noise that lasts", CPU, noisy, 5.0),
                      measuring_case("noise that lasts, out of time", CPU, noisy, 59.95),
                      measuring_case("one late step", CPU, [50.0] * 40 + [200.0], 5.0)],
        "short_look": [short_look_case("a fifth slower", GPU, even[:40], 80.0),
                       short_look_case("a fifth slower, by the median", GPU, even[:40], 80.0, "median"),
                       short_look_case("a fifth faster", GPU, even[:40], 120.0),
                       short_look_case("equal", GPU, even[:40], 100.0),
                       short_look_case("nineteen steps", CPU, even[:19], 80.0),
                       short_look_case("not yet a quarter of the least time", GPU, even[:24], 80.0),
                       short_look_case("slowing", GPU, tenth[:40], 80.0),
                       short_look_case("a sixtieth slower, with noise that lasts", CPU, noisy[:40], 9.85),
                       short_look_case("a tenth slower, with noise that lasts", CPU, noisy[:40], 9.0),
                       short_look_case("a quarter slower, with noise that lasts", CPU, noisy[:40], 8.0),
                       short_look_case("steps without any noise", GPU, [100.0] * 30, 99.9),
                       short_look_case("a late step in the mean", GPU, [50.0] * 30 + [90.0] + [50.0] * 29, 49.0),
                       short_look_case("a late step in the median", GPU, [50.0] * 30 + [90.0] + [50.0] * 29, 49.0, "median")],
    }
    target = pathlib.Path(__file__).with_name("stop_rule.json")
    target.write_text(json.dumps(fixture, separators=(", ", ": ")).replace("{\"name\"", "\n{\"name\"") + "\n")
    for part in ("warm_up", "measuring", "short_look"):
        for case in fixture[part]:
            print(f"{part}: {case['name']}: {case['decision']}")


if __name__ == "__main__":
    main()
