# SPDX-License-Identifier: MIT-0
# Copyright 2026 Quadric authors. Copy this file into your project under whatever terms that has: unlike the rest of Quadric it is
# under MIT-0, which asks for nothing, not even this notice, and comes without any warranty.
"""Lets Quadric measure a training loop of your own.

    import quadric_worker as quadric

    batch = quadric.setting("batch_per_gpu", 32)
    for x, y in quadric.steps(loader, items_per_rank=batch, unit="images"):
        ...                                       # the training step as it is

Started by Quadric, the loop is measured: warm-up, steps until the result is precise enough, one result by rank 0. Started in any
other way, the loop is what it was, so that the lines can stay in the script. Needs Python 3.8 and nothing else; where the script
uses PyTorch, steps on a GPU are timed by CUDA events and the ranks agree through torch.distributed. The names of settings and
results, and what is measured: docs/any-training-job.md of Quadric.

    python3 quadric_worker.py [--ranks 4] train.py

starts the ranks of one machine as torchrun does; without --ranks as many as the setting gpus or ranks says, otherwise one.
"""

import atexit
import contextlib
import json
import math
import os
import platform
import socket
import subprocess
import sys
import time

PROTOCOL = 1
_BEGAN = time.perf_counter()


# ---- What Quadric has given to this process ------------------------------------------------------------------------------------


def started():
    """Whether Quadric has started this process."""
    return "QUADRIC_SETTINGS" in os.environ


def settings():
    """The settings of this run: factors and fixed settings by name; empty where Quadric has not started it."""
    return json.loads(os.environ["QUADRIC_SETTINGS"]) if started() else {}


def setting(name, default):
    """The setting `name` in the type of `default`, or `default` where Quadric says nothing about it."""
    value = settings().get(name, default)
    if isinstance(default, bool):
        return value if isinstance(value, bool) else str(value).lower() in ("1", "1.0", "true", "yes", "on")
    return type(default)(value) if isinstance(default, (int, float, str)) else value


# ---- Numbers: the definitions of core/trainer/base/statistics.h and core/trainer/measure/stage_rule.h ---------------------


def _total(values):
    total = 0.0  # one after the other: sum() of Python 3.12 rounds in another way
    for value in values:
        total += value
    return total


def quantile(samples, probability):
    """Linear between order statistics (Hyndman and Fan 1996, type 7)."""
    values = sorted(samples)
    position = probability * (len(values) - 1)
    below = math.floor(position)
    if below + 1 == len(values):
        return values[below]
    return values[below] + (position - below) * (values[below + 1] - values[below])


def median(samples):
    return quantile(samples, 0.5)


def student_quantile(degrees):
    """The 97.5 % quantile of Student's t (Abramowitz and Stegun 26.7.5)."""
    few = (12.706204736, 4.302652730, 3.182446305, 2.776445105)
    if 1 <= degrees <= len(few):
        return few[degrees - 1]
    v, x = float(degrees), 1.959963984540054
    x3 = x * x * x
    x5 = x3 * x * x
    x7 = x5 * x * x
    return (x + (x3 + x) / (4 * v) + (5 * x5 + 16 * x3 + 3 * x) / (96 * v * v)
            + (3 * x7 + 19 * x5 + 17 * x3 - 15 * x) / (384 * v * v * v))


def _mean(values):
    return _total(values) / float(len(values))


def standard_error_of_mean(samples):
    """s / √n; at least two samples."""
    count, mean = float(len(samples)), _mean(samples)
    squares = _total((sample - mean) * (sample - mean) for sample in samples)
    return math.sqrt(squares / (count - 1.0) / count)


def mean_half_width(samples):
    """Half width of the 95 % interval of the mean; None below two samples."""
    if len(samples) < 2:
        return None
    return student_quantile(len(samples) - 1) * standard_error_of_mean(samples)


def blocks_of(steps_ms):
    """Blocks of successive steps, which resemble each other: as many as half seconds, from 10 to 30; below 20 steps each is one."""
    count = len(steps_ms)
    if count >= 20:
        count = min(int(min(max(math.floor(_total(steps_ms) / 500.0), 10.0), 30.0)), count)
    return [steps_ms[i * len(steps_ms) // count:(i + 1) * len(steps_ms) // count] for i in range(count)]


def mean_step_half_width(steps_ms):
    """Half width of the 95 % interval of the mean step; None below two steps."""
    return mean_half_width([_mean(block) for block in blocks_of(steps_ms)])


def median_step_half_width(steps_ms):
    """The same of the median step."""
    return mean_half_width([median(block) for block in blocks_of(steps_ms)])


def drift_of(steps_ms):
    """How much longer steps became from the first to the last, in per cent, and the half width of its 95 % interval."""
    means = [_mean(block) for block in blocks_of(steps_ms)]
    if len(means) < 3:
        return None
    count, mean = float(len(means)), _mean(means)
    xx = xy = yy = 0.0
    for i, value in enumerate(means):
        x, y = i - (count - 1.0) / 2.0, value - mean
        xx, xy, yy = xx + x * x, xy + x * y, yy + y * y
    slope = xy / xx
    error = math.sqrt(max(0.0, yy - slope * xy) / (count - 2.0) / xx)
    to_percent = 100.0 * count / mean
    return slope * to_percent, student_quantile(len(means) - 2) * error * to_percent


# ---- When to measure and when to stop: the rule of core/trainer/measure/stage_rule.h -------------------------------------------

_CONTINUE, _BEGIN_MEASURING, _STOP = 0, 1, 2
_FEWEST_STEPS, _ENOUGH_STEPS, _WINDOW_STEPS = 3, 20, 5
_SURE_DEVIATIONS, _SHARE_TO_LOOK = 4.5, 0.25
_IN_WORDS = {"precise": "the 95 % interval of the median step is narrow enough", "out-of-time": "the time limit was reached",
             "surely-slow": "the setting is worse than the best one with 99.9 % certainty", "loop-ended": "the loop ended"}


def is_surely_slow(steps_ms, slow_ms, summary):
    """Whether steps that have settled are longer than `slow_ms` with 99.9 % certainty, however often it is asked; `summary` is
    median() for the median step, otherwise the mean step is meant. The t of the blocks is compared by Wallace's equivalent."""
    if len(steps_ms) < _ENOUGH_STEPS or not _is_settled(steps_ms):
        return False
    blocks = [summary(block) for block in blocks_of(steps_ms)]
    away, error, v = _mean(blocks) - slow_ms, standard_error_of_mean(blocks), len(blocks) - 1.0
    if away <= 0.0 or error <= 0.0:
        return away > 0.0
    return (8.0 * v + 1.0) / (8.0 * v + 3.0) * math.sqrt(v * math.log1p((away / error) ** 2 / v)) >= _SURE_DEVIATIONS


def _short_look():
    """What this run is compared with while it is measured; None: it is measured in full."""
    return json.loads(os.environ["QUADRIC_SHORT_LOOK"]) if "QUADRIC_SHORT_LOOK" in os.environ else None


class StageRule:
    """What docs/trainer.md, "When a stage is measured", decides about a series of steps."""

    def __init__(self, preparing_steps=1, warmup_least_seconds=0.5, warmup_seconds=30.0, min_seconds=1.0, interval_pct=0.5,
                 max_seconds=60.0, slow_step=None):
        self.preparing_steps = preparing_steps
        self.warmup_least_seconds = warmup_least_seconds
        self.warmup_seconds = warmup_seconds
        self.min_seconds = min_seconds
        self.interval_pct = interval_pct
        self.max_seconds = max_seconds
        self.slow_step = slow_step  # milliseconds, and what they are compared with: median() or the mean

    def decide_warm_up(self, steps_ms, elapsed_seconds):
        """"continue", "steady" or "out-of-time"."""
        if len(steps_ms) < self.preparing_steps + _WINDOW_STEPS:
            return "continue"
        prepared = steps_ms[self.preparing_steps:]
        if _total(prepared) / 1000.0 >= self.warmup_least_seconds and is_steady(prepared, self.warmup_least_seconds / 2.0):
            return "steady"
        return "out-of-time" if elapsed_seconds >= self.warmup_seconds else "continue"

    def decide_measuring(self, steps_ms, elapsed_seconds, next_seconds):
        """"continue", "drifting" (measuring begins anew), "precise", "surely-slow" or "out-of-time"."""
        if len(steps_ms) < _FEWEST_STEPS:
            return "continue"
        if len(steps_ms) >= _ENOUGH_STEPS and _total(steps_ms) / 1000.0 >= self.min_seconds:
            first = self._first_part(steps_ms)
            if not _is_settled(first) and elapsed_seconds + _total(first) / 1000.0 <= self.max_seconds:
                return "drifting"
            if _is_settled(steps_ms) and median_step_half_width(steps_ms) <= self.interval_pct / 100.0 * median(steps_ms):
                return "precise"
        if self.slow_step and _total(steps_ms) / 1000.0 >= _SHARE_TO_LOOK * self.min_seconds and \
                is_surely_slow(steps_ms, *self.slow_step):
            return "surely-slow"
        return "out-of-time" if elapsed_seconds + next_seconds > self.max_seconds else "continue"

    def _first_part(self, steps_ms):
        total = 0.0
        for count, step_ms in enumerate(steps_ms, 1):
            total += step_ms / 1000.0
            if count >= _ENOUGH_STEPS and total >= self.min_seconds:
                return steps_ms[:count]
        return steps_ms


def _is_settled(steps_ms):
    drift = drift_of(steps_ms)
    return drift is not None and abs(drift[0]) <= max(0.3, drift[1])


def _last_window(steps_ms, seconds):
    total = 0.0
    for count in range(1, len(steps_ms) + 1):
        total += steps_ms[-count] / 1000.0
        if count >= _WINDOW_STEPS and total >= seconds:
            return steps_ms[-count:]
    return []


def is_steady(steps_ms, window_seconds):
    """Whether the medians of the last two windows differ by at most 0.5 %, or by what their scatter explains."""
    later = _last_window(steps_ms, window_seconds)
    earlier = _last_window(steps_ms[:len(steps_ms) - len(later)], window_seconds)
    if not later or not earlier:
        return False
    before, now = median(earlier), median(later)
    deviations = [abs(step - before) for step in earlier] + [abs(step - now) for step in later]
    error = 1.2533 * 1.4826 * median(deviations) * math.sqrt(1.0 / len(earlier) + 1.0 / len(later))
    return abs(now - before) <= max(0.005 * now, 2.0 * error)


class StageMeter:
    """Warm-up, then measured steps, until the rule is content. Fed with numbers only."""

    def __init__(self, rule):
        self.rule = rule
        self.is_measuring = False
        self.warmup_ms = []
        self.warmup_was_steady = False
        self.steps_ms = []
        self.stop_reason = "loop-ended"
        self._recent_ms = 0.0

    def add(self, step_ms):
        self._recent_ms = step_ms
        (self.steps_ms if self.is_measuring else self.warmup_ms).append(step_ms)

    def decide(self, elapsed_seconds):
        if not self.is_measuring:
            return self._decide_to_measure(elapsed_seconds)
        next_seconds = self.next_block() * self._recent_ms / 1000.0
        decision = self.rule.decide_measuring(self.steps_ms, elapsed_seconds, next_seconds)
        if decision == "continue":
            return _CONTINUE
        if decision == "drifting":
            self.warmup_ms += self.steps_ms
            self.steps_ms, self.warmup_was_steady = [], False
            return _BEGIN_MEASURING
        self.stop_reason = decision
        self.warmup_was_steady = self.warmup_was_steady or decision in ("precise", "surely-slow")
        return _STOP

    def next_block(self):
        if self._recent_ms <= 0.0:
            return 1
        return int(min(max(100.0 / self._recent_ms, 1.0), 64.0))

    def _decide_to_measure(self, elapsed_seconds):
        decision = self.rule.decide_warm_up(self.warmup_ms, elapsed_seconds)
        if decision == "continue":
            return _CONTINUE
        self.is_measuring, self.warmup_was_steady = True, decision == "steady"
        return _BEGIN_MEASURING


# ---- The ranks -----------------------------------------------------------------------------------------------------------------


def _torch():
    """PyTorch where the script has loaded it; nothing is loaded for the measurement."""
    return sys.modules.get("torch")


def _distributed():
    torch = _torch()
    dist = getattr(torch, "distributed", None)
    return dist if dist is not None and dist.is_available() and dist.is_initialized() else None


def _uses_gpu():
    torch = _torch()
    return torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized()


def _from_environment(names, otherwise):
    for name in names:
        if os.environ.get(name, "").isdigit():
            return int(os.environ[name])
    return otherwise


def rank():
    """The number of this process among those that train together."""
    dist = _distributed()
    return dist.get_rank() if dist else _from_environment(
        ("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"), 0)


def world_size():
    """How many processes train together."""
    dist = _distributed()
    return dist.get_world_size() if dist else _from_environment(
        ("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"), 1)


def _store():
    """Where the ranks have met. A message between GPUs would make every rank wait until its GPU is idle, and one between processors
    has waited for ever for a rank that had sent its part and ended."""
    return _torch().distributed.distributed_c10d._get_default_store()


def _share_by_torch():
    """Lets all ranks know what rank 0 says."""
    store, count = _store(), [0]

    def share(values):
        count[0] += 1
        key = "quadric/%d" % count[0]
        if rank() == 0:
            store.set(key, json.dumps(values))
            return values
        return json.loads(store.get(key))

    return share


def _sum_on_rank_0(values):
    """Summed over the ranks; None on the others, and where they have no way to do that."""
    if world_size() == 1:
        return values
    if not _distributed():
        return None
    if rank() != 0:
        _store().set("quadric/sum/%d" % rank(), json.dumps(values))
        return None
    others = [json.loads(_store().get("quadric/sum/%d" % other)) for other in range(1, world_size())]
    return [_total(column) for column in zip(values, *others)]


# ---- What is said --------------------------------------------------------------------------------------------------------------


def say(event, **fields):
    """One line by one call, behind whatever the script has begun to print: lines of several ranks do not mix."""
    line = json.dumps(dict(event=event, **fields))
    try:
        sys.stdout.flush()
        os.write(1, ("\n" + line + "\n" if event in ("result", "failure") else line + "\n").encode())
    except (OSError, ValueError):
        pass  # nobody reads any more


def _device():
    name = platform.processor() or platform.machine()
    if not _uses_gpu():
        return {"name": name, "cores": os.cpu_count()}
    cuda = _torch().cuda
    names = [cuda.get_device_name(i) for i in range(cuda.device_count())]
    return {"name": cuda.get_device_name(), "gpus": [{"name": each} for each in names]}


def _versions():
    versions = {"python": platform.python_version()}
    torch = _torch()
    if torch is None:
        return versions
    versions["torch"] = str(torch.__version__)
    if _uses_gpu():
        versions["cuda"] = str(torch.version.cuda)
        versions["cudnn"] = str(torch.backends.cudnn.version())
        if _distributed() and "nccl" in str(_distributed().get_backend()):
            versions["nccl"] = ".".join(str(part) for part in torch.cuda.nccl.version())
    return versions


def _is_out_of_memory(error):
    kinds = [kind.__name__ for kind in type(error).__mro__]
    words = ("out of memory", "can't allocate memory", "CUBLAS_STATUS_ALLOC_FAILED", "Failed to CUDA calloc")
    return "MemoryError" in kinds or "OutOfMemoryError" in kinds or any(word in str(error) for word in words)


def _peak_mib():
    """Largest memory so far: allocated and reserved on the GPU, or of the process."""
    if _uses_gpu():
        cuda = _torch().cuda
        return [cuda.max_memory_allocated() / 2.0**20, cuda.max_memory_reserved() / 2.0**20]
    try:
        import resource
    except ImportError:
        return [0.0, 0.0]
    return [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0, 0.0]


# ---- The measurement -----------------------------------------------------------------------------------------------------------


class _HostClock:
    name = "host"

    def mark(self):
        return time.perf_counter()

    def read(self, marks):
        """The durations between the marks, and the marks that go on; what is done until the next step is none of it."""
        return [1000.0 * (after - before) for before, after in zip(marks, marks[1:])], [self.mark()]


class _GpuClock:
    """Events on the current stream. The host waits for the last step but one, so that the GPU is never idle because of it."""

    name = "CUDA events"

    def mark(self):
        event = _torch().cuda.Event(enable_timing=True)
        event.record()
        return event

    def read(self, marks):
        if len(marks) < 3:
            return [], marks
        marks[-2].synchronize()
        return [before.elapsed_time(after) for before, after in zip(marks[:-1], marks[1:-1])], marks[-2:]


def _slow_step(items, unit):
    """The step that QUADRIC_SHORT_LOOK stands for, where its response is calculated from the time of steps alone."""
    bar = _short_look()
    if bar is None or bar["worse_than"] <= 0.0:
        return None
    if bar["response"] == "step_ms":
        return bar["worse_than"], median
    work = {"steps_per_sec": 1.0, unit + "_per_sec": items}.get(bar["response"])
    return None if work is None else (1000.0 * work / bar["worse_than"], _mean)


def _rule_from_settings(slow_step):
    given, on_gpu = settings(), _uses_gpu()

    def number(name, default):
        value = given.get(name, default)
        return float(default if value == "none" else value)

    seconds = number("max_seconds", 60.0)
    least = number("min_seconds", 10.0 if on_gpu else 1.0)
    warmup = min(number("warmup_seconds", 30.0), 0.3 * seconds)
    # The first step of all is none of the series: compilers may take minutes for it.
    return StageRule(preparing_steps=2 if on_gpu else 0, max_seconds=seconds, min_seconds=least, warmup_seconds=warmup,
                     warmup_least_seconds=min(number("warmup_least_seconds", least / 2.0), warmup),
                     interval_pct=number("interval_pct", 0.5), slow_step=slow_step)


class _Measurement:
    """One in a process, whatever loop its steps come from."""

    def __init__(self, items, items_per_rank, unit, share):
        self.items = items if items is not None else None if items_per_rank is None else items_per_rank * world_size()
        self.unit = unit
        self.leads = rank() == 0
        self.share = share or (_share_by_torch() if _distributed() else None)
        # Ranks that cannot agree must all make the steps that the script wants.
        self.may_end_loop = world_size() == 1 or self.share is not None
        self.goes_on = True
        self.is_finished = False
        self.marks = []
        self.block = 1
        self.last_sample = self.last_progress = -1.0
        self.decided_seconds = 0.0
        if self.leads:
            say("hello", protocol=PROTOCOL, device=_device(), versions=_versions())

    def end_step(self):
        """Whether the loop goes on."""
        if not self.marks:
            self._begin()
            return True
        if self.is_finished or not (self.leads or self.may_end_loop):
            return self.goes_on
        self.marks.append(self.clock.mark())
        self.steps_of_block += 1
        if self.steps_of_block == self.block:
            self._end_block()
        return self.goes_on

    def _begin(self):
        """After the first step, which prepares: kernels are compiled and loaded, ranks connect."""
        self.clock = _GpuClock() if _uses_gpu() else _HostClock()
        self.meter = StageMeter(_rule_from_settings(_slow_step(self.items, self.unit)))
        self.marks = [self.clock.mark()]
        self.steps_of_block = 0
        self.stage_began = time.perf_counter()

    def _end_block(self):
        command = _CONTINUE
        if self.leads:
            steps_ms, self.marks = self.clock.read(self.marks)
            self._take(steps_ms)
            command = self._decide()
            self.block = self.meter.next_block()
        else:
            self.marks = self.marks[-1:]
        if self.share and world_size() > 1:
            command, self.block = (int(value) for value in self.share([command, self.block]))
        if command == _STOP:
            self.goes_on = not self.may_end_loop
            self.finish(together=self.may_end_loop)
        self.steps_of_block = 0
        if isinstance(self.clock, _HostClock):
            self.marks = [self.clock.mark()]

    def _decide(self):
        """Looking at a long series takes time: once for each fiftieth that it has grown."""
        elapsed = time.perf_counter() - self.stage_began
        is_last = elapsed + 0.1 > self.meter.rule.max_seconds
        if self.meter.is_measuring and elapsed < 1.02 * self.decided_seconds and not is_last:
            return _CONTINUE
        self.decided_seconds = elapsed
        return self.meter.decide(elapsed)

    def _take(self, steps_ms):
        now = time.perf_counter()
        ended = now - _total(steps_ms) / 1000.0
        for step_ms in steps_ms:
            self.meter.add(step_ms)
            ended += step_ms / 1000.0
            if self.meter.is_measuring and ended - self.last_sample >= 0.05:
                self.last_sample = ended
                items = {} if self.items is None else {"items": self.items, "unit": self.unit}
                say("sample", step_ms=step_ms, seconds=ended - _BEGAN, **items)
        if now - self.last_progress >= 0.2:
            self.last_progress = now
            say("progress", done=min(1.0, (now - self.stage_began) / self.meter.rule.max_seconds),
                 phase="measure" if self.meter.is_measuring else "warm-up", samples=len(self.meter.steps_ms))

    def finish(self, together):
        """On all ranks at the same step, or on rank 0 alone when its loop has ended."""
        self.is_finished = True
        peaks = _sum_on_rank_0(_peak_mib()) if together or world_size() == 1 else None
        if self.leads:
            say("result", responses=self._responses(peaks), spread=self._spread(), provenance=self._provenance())

    def _rates(self):
        steps_ms = self.meter.steps_ms
        seconds = _total(steps_ms) / 1000.0
        rates = {"steps_per_sec": len(steps_ms) / seconds}
        if self.items is not None:
            rates[self.unit + "_per_sec"] = self.items * len(steps_ms) / seconds
        return rates

    def _responses(self, peaks):
        steps_ms = self.meter.steps_ms
        responses = dict(self._rates(), step_ms=median(steps_ms), step_ms_p95=quantile(steps_ms, 0.95))
        if peaks:
            responses["memory_peak_mib"] = peaks[0]
            if _uses_gpu():
                responses["memory_reserved_mib"] = peaks[1]
        for results_of in _more_by_step:
            responses.update(results_of(_mean(steps_ms) / 1000.0))
        responses.update(_more)
        return responses

    def _spread(self):
        steps_ms = self.meter.steps_ms
        relative = mean_step_half_width(steps_ms) / _mean(steps_ms)
        spread = {name: rate * relative for name, rate in self._rates().items()}
        spread["step_ms"] = median_step_half_width(steps_ms)
        return spread

    def _provenance(self):
        meter = self.meter
        facts = {"ranks": world_size(), "samples": len(meter.steps_ms), "blocks": len(blocks_of(meter.steps_ms)),
                 "measured_seconds": _total(meter.steps_ms) / 1000.0, "warm_up_steps": len(meter.warmup_ms) + 1,
                 "warm_up_seconds": _total(meter.warmup_ms) / 1000.0, "warm_up_steady": meter.warmup_was_steady,
                 "stopped_because": _IN_WORDS[meter.stop_reason], "clock": self.clock.name,
                 "warnings": self._warnings(), "spread_is": "half width of the 95 % interval"}
        if self.items is not None:
            facts["items_per_step"] = self.items
        if meter.stop_reason == "surely-slow":
            facts["short_look"] = _short_look()
        percent, half_width = drift_of(meter.steps_ms)
        facts.update(drift_pct=percent, drift_half_width_pct=half_width)
        if abs(percent) > max(1.0, half_width):
            facts["disturbed"] = True
            facts["disturbed_because"] = "drifting: the steps became %.1f %% %s while they were measured" % (
                abs(percent), "slower" if percent > 0.0 else "faster")
        return facts

    def _warnings(self):
        meter, said = self.meter, []
        seconds = _total(meter.steps_ms) / 1000.0
        if meter.stop_reason == "surely-slow":
            return said
        if len(meter.steps_ms) < _ENOUGH_STEPS:
            said.append("only %d steps were measured; raise max_seconds" % len(meter.steps_ms))
        elif seconds < meter.rule.min_seconds:
            said.append("measured for %.1f s instead of %.1f s; raise max_seconds" % (seconds, meter.rule.min_seconds))
        if not meter.warmup_was_steady:
            said.append("the steps had not settled when the measurement began; raise max_seconds")
        return said


_current = None


def _measurement(items, items_per_rank, unit, share):
    global _current
    if _current is None:
        _current = _Measurement(items, items_per_rank, unit, share)
    return _current


def steps(loader, items=None, items_per_rank=None, unit="items", share=None):
    """What `loader` gives, step by step. Started by Quadric, the loop is measured; it ends when the result is precise enough, and
    begins again where the loader is used up before.

    items           what all ranks together work on in a step (images, tokens), or
    items_per_rank  what each of them works on; the result is `unit` + "_per_sec"
    share           gives all ranks the list of numbers that rank 0 has, where they do not use torch.distributed
    """
    if not started():
        yield from loader
        return
    measurement = _measurement(items, items_per_rank, unit, share)
    while measurement.goes_on:
        is_empty = True
        for batch in loader:
            is_empty = False
            yield batch
            if not measurement.end_step():
                return
        if is_empty or iter(loader) is loader or not measurement.may_end_loop:
            return


def step(items=None, items_per_rank=None, unit="items", share=None):
    """Says that a step has ended, for loops that steps() does not fit. Returns whether the loop goes on."""
    return not started() or _measurement(items, items_per_rank, unit, share).end_step()


def report_of(results_of):
    """Further results that depend on the mean step: `results_of` gives them by name for its seconds."""
    if started():
        _more_by_step.append(results_of)


def done():
    """Whether the measurement has ended: the rest of the script may be left out."""
    return _current is not None and _current.is_finished


def report(**results):
    """Further results of this run, as accuracy=0.93: before the loop ends."""
    if started():
        _more.update({name: float(value) for name, value in results.items()})


# ---- How the script ends -------------------------------------------------------------------------------------------------------

_more = {}
_more_by_step = []
_has_failed = False


def _on_exception(kind, error, trace):
    global _has_failed
    _has_failed = True
    if _is_out_of_memory(error):
        say("failure", kind="out-of-memory", message="rank %d: %s" % (rank(), (str(error) or kind.__name__).split("\n")[0]))
    _hook_before(kind, error, trace)


def _on_exit():
    measurement = _current
    if _has_failed or measurement is None or measurement.is_finished or not measurement.leads:
        return
    measured = len(measurement.meter.steps_ms) if measurement.marks else 0
    if measured >= _FEWEST_STEPS:
        measurement.finish(together=False)
    else:
        say("failure", kind="missing-result", message="The loop ended after %d measured steps, expected %d or more; give steps()"
             " a loader that can be read again" % (measured, _FEWEST_STEPS))


if started():
    _hook_before = sys.excepthook
    sys.excepthook = _on_exception
    atexit.register(_on_exit)


# ---- Ranks of one machine, without torchrun ------------------------------------------------------------------------------------


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_ranks(count, command):
    """Starts the command as ranks of this machine that meet as those of torchrun do (RANK, WORLD_SIZE, …); when one ends badly,
    all do. Returns the exit status."""
    port, processes = str(_free_port()), []
    for number in range(count):
        environment = dict(os.environ, RANK=str(number), LOCAL_RANK=str(number), WORLD_SIZE=str(count), MASTER_ADDR="127.0.0.1",
                           MASTER_PORT=port)
        processes.append(subprocess.Popen(command, env=environment))
    status, left = 0, list(processes)
    while left and status == 0:
        with contextlib.suppress(subprocess.TimeoutExpired):
            left[0].wait(0.1)
        status = next((process.returncode for process in left if process.poll()), 0)
        left = [process for process in left if process.poll() is None]
    for number, process in enumerate(processes):
        if (process.returncode or 0) < 0:
            sys.stderr.write("rank %d was ended by signal %d%s\n" % (
                number, -process.returncode, ", as where memory runs out" if process.returncode == -9 else ""))
    for process in left:
        process.kill()
        process.wait()
    return status if status >= 0 else 128 - status


def _ranks_of_run():
    """As the run's settings say it, under the names that Quadric takes for a number of ranks."""
    names = ("ranks", "gpus", "gpu_count", "num_gpus", "n_gpus", "ngpus", "nproc", "nproc_per_node", "world_size")
    return next((str(setting(name, 1)) for name in names if name in settings()), "1")


def _main(arguments):
    is_told = arguments[:1] == ["--ranks"]
    ranks, script = (arguments[1:2] or [""])[0] if is_told else _ranks_of_run(), arguments[2:] if is_told else arguments
    if not script or not ranks.isdigit() or int(ranks) < 1:
        sys.exit("expected: python3 quadric_worker.py [--ranks N] SCRIPT [ARGUMENT …], with N from 1")
    sys.exit(start_ranks(int(ranks), [sys.executable] + script))


if __name__ == "__main__":
    _main(sys.argv[1:])
