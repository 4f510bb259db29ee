#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What quadric_worker.py makes of the series in a JSON file, as JSON, for worker_rule_test.cpp. Usage: rule_answers.py FILE"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "resources" / "worker"))
import quadric_worker as worker  # noqa: E402


def answer(case):
    steps = case["steps_ms"]
    rule = worker.StageRule(**case["rule"])
    return {"median": worker.median(steps), "p95": worker.quantile(steps, 0.95), "blocks": len(worker.blocks_of(steps)),
            "mean_half_width": worker.mean_step_half_width(steps), "median_half_width": worker.median_step_half_width(steps),
            "drift": worker.drift_of(steps), "warm_up": rule.decide_warm_up(steps, case["elapsed_seconds"]),
            "measuring": rule.decide_measuring(steps, case["elapsed_seconds"], case["next_seconds"])}


print(json.dumps([answer(case) for case in json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))]))
