# SPDX-License-Identifier: GPL-3.0-or-later
"""What differs between two golden sets: numbers by a tolerance, everything else exactly."""
import itertools
import json
import re
from pathlib import Path

NUMBER = re.compile(r"(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)")
SHOWN = 3  # differences of a file that are printed
NEAR_ZERO = 1e-3  # times the tolerance: what two numbers may always differ by
SECTION = "--- "


def are_close(a, b, tolerance):
    return a == b or abs(a - b) <= tolerance * max(abs(a), abs(b), NEAR_ZERO)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def brief(value):
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else text[:157] + "…"


def json_differences(a, b, place, tolerance):
    """Pairs of a place, such as responses[0].sigma, and what it was and is."""
    if is_number(a) and is_number(b):
        if not are_close(a, b, tolerance):
            yield place, f"{a!r} is now {b!r}"
    elif isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(a.keys() | b.keys()):
            inner = f"{place}.{key}" if place else key
            if key not in b:
                yield inner, "is gone"
            elif key not in a:
                yield inner, "is new"
            else:
                yield from json_differences(a[key], b[key], inner, tolerance)
    elif isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            yield place, f"{len(a)} entries are now {len(b)}"
        for i, (x, y) in enumerate(zip(a, b)):
            yield from json_differences(x, y, f"{place}[{i}]", tolerance)
    elif type(a) is not type(b) or a != b:
        yield place, f"{brief(a)} is now {brief(b)}"


def are_lines_equal(a, b, tolerance):
    if a == b:
        return True
    parts, others = NUMBER.split(a), NUMBER.split(b)
    if len(parts) != len(others) or parts[::2] != others[::2]:
        return False
    return all(are_close(float(x), float(y), tolerance) for x, y in zip(parts[1::2], others[1::2]))


def line_differences(a, b, place, tolerance):
    for i, (x, y) in enumerate(itertools.zip_longest(a.splitlines(), b.splitlines()), start=1):
        if x is None or y is None:
            yield f"{place} line {i}".strip(), f"new: {brief(y)}" if x is None else f"gone: {brief(x)}"
        elif not are_lines_equal(x, y, tolerance):
            yield f"{place} line {i}".strip(), f"{brief(x)} is now {brief(y)}"


def sections_of(text):
    """The parts of an answer, by their headings: a part with a JSON document is compared as one."""
    sections, title, lines = [], "", []
    for line in text.split("\n"):
        if line.startswith(SECTION):
            sections.append((title, "\n".join(lines)))
            title, lines = line[len(SECTION):], []
        else:
            lines.append(line)
    return [*sections, (title, "\n".join(lines))]


def document_in(text):
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def text_differences(a, b, tolerance):
    sections, others = sections_of(a), sections_of(b)
    if [title for title, _ in sections] != [title for title, _ in others]:
        yield from line_differences(a, b, "", tolerance)
        return
    for (title, x), (_, y) in zip(sections, others):
        documents = document_in(x), document_in(y)
        if x == y:
            continue
        if None in documents:
            yield from line_differences(x, y, title, tolerance)
        else:
            yield from json_differences(*documents, "", tolerance)


def file_differences(a, b, tolerance):
    """Of two files; the texts are read only where their bytes differ."""
    first, second = a.read_bytes(), b.read_bytes()
    return [] if first == second else list(text_differences(first.decode(), second.decode(), tolerance))


def files_under(folder):
    return {str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file()}


def studies_of(names):
    return {name.split("/")[0] for name in names}


def compare(a, b, tolerance, excepted=None):
    """Prints what differs; returns whether nothing does. `excepted`: a regular expression, differences at whose `FILE: PLACE` are passed over."""
    a, b = Path(a), Path(b)
    names, others = files_under(a), files_under(b)
    known = re.compile(excepted) if excepted else None
    is_excepted = lambda name, place="": known is not None and known.search(f"{name}: {place}") is not None
    differing = passed = 0
    alone = studies_of(names) ^ studies_of(others)
    for study in sorted(alone):
        print(f"{study}: is {'new' if study in studies_of(others) else 'gone'}")
    for name in sorted(names | others):
        if name not in names or name not in others:
            found = [("", "is new" if name in others else "is gone")]
        else:
            found = file_differences(a / name, b / name, tolerance)
        left = [(place, what) for place, what in found if not is_excepted(name, place)]
        passed += len(found) - len(left)
        differing += bool(left)
        for place, what in [] if studies_of([name]) <= alone else left[:SHOWN]:
            print(f"{name}: {place + ': ' if place else ''}{what}")
        if len(left) > SHOWN:
            print(f"{name}: {len(left) - SHOWN} more differences")
    print(f"{differing} of {len(names | others)} files differ" + (f"; passed over: {passed}" if passed else ""))
    return differing == 0
