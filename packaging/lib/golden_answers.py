# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program answers about a study of the golden set, as text that is the same at every time and place."""
import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

from golden_compare import SECTION, document_in
from golden_formulas import rounded, setting
from golden_studies import STUDY

LONGEST_SECONDS = 300
WIDTH = 160
EXPORTS = ("csv", "tsv", "json", "R", "py", "md", "tex")


# What is asked of every study

def place(document, coded):
    """Settings on the command line; of levels the first."""
    values = [f"{item['name']}={setting(item, 0 if 'levels' in item else coded)}" for item in document["factors"]]
    return [word for value in values for word in ("--at", value)]


def commands_about(document):
    """Name and arguments of what is asked of every study."""
    asked = [("info", ["info", STUDY, "--json"]), ("info-text", ["info", STUDY]), ("status", ["status", STUDY, "--json"]),
             ("evaluate", ["evaluate", STUDY, "--json"]), ("evaluate-linear", ["evaluate", STUDY, "--json", "--model", "linear"]),
             ("plots", ["plot", STUDY, "--all", "plots", "--json"]), ("report", ["report", STUDY, "--preset", "full", "-o", "report.html", "--json"]),
             ("report-summary", ["report", STUDY, "-o", "report.html", "--json"])]
    asked += [(f"export-{kind}", ["export", STUDY, "-o", "-", "--format", kind]) for kind in EXPORTS]
    if shutil.which("pdftotext"):
        asked.append(("report-pdf", ["report", STUDY, "--preset", "engineering", "-o", "report.pdf", "--json"]))
    if not any(run.get("results") for run in document["runs"]):
        return asked
    return asked + [
        ("analyze", ["analyze", STUDY, "--json"]), ("analyze-text", ["analyze", STUDY]), ("analyze-full", ["analyze", STUDY, "--full"]),
        ("analyze-path", ["analyze", STUDY, "--json", "--path", "--kfold", "4", "--seed", "3", "--confidence", "0.9"]),
        ("analyze-quadratic", ["analyze", STUDY, "--json", "--model", "quadratic"]),
        ("predict", ["predict", STUDY, "--json", *place(document, 0)]), ("predict-corner", ["predict", STUDY, "--json", "--runs", "3", *place(document, 1)]),
        ("predict-text", ["predict", STUDY, *place(document, 0.5)]), ("optimize", ["optimize", STUDY, "--json"]), ("optimize-text", ["optimize", STUDY])]


# The small set that is stored has these answers, without long tables, of a list the first entries, of a number the first digits.
FEW = {"analyze", "evaluate", "next", "optimize", "predict"}
LEFT_OUT = {"alias_matrix", "by_level", "front", "may_be_best", "orders", "reading", "sequential_terms"}
ENTRIES, NUMBERS, DIGITS = 3, 12, 9


# Texts that do not depend on time and place

def one_line(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def pretty(value, indent=0):
    """Keys in order; what is short stands on one line."""
    line = one_line(value)
    if not value or not isinstance(value, (dict, list)) or len(line) + indent <= WIDTH:
        return line
    inner = " " * (indent + 1)
    if isinstance(value, dict):
        parts = [f"{inner}{one_line(key)}: {pretty(value[key], indent + 1)}" for key in sorted(value)]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(inner + pretty(each, indent + 1) for each in value) + "\n" + " " * indent + "]"


def shortened(value):
    if isinstance(value, dict):
        return {key: shortened(each) for key, each in value.items() if key not in LEFT_OUT}
    if isinstance(value, list):
        kept = NUMBERS if not any(isinstance(each, (dict, list)) for each in value) else ENTRIES
        more = [f"and {len(value) - kept} more"] if len(value) > kept else []
        return [shortened(each) for each in value[:kept]] + more
    return rounded(value, DIGITS) if isinstance(value, float) else value


def near_days():
    today = datetime.date.today()
    return [today + datetime.timedelta(days=days) for days in (-1, 0, 1)]


def steady(text, folder, program):
    """Without what changes by itself: folders, times, made-up identities, versions."""
    for day in near_days():
        text = re.sub(day.isoformat() + r"[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?", "TIME", text)
        text = text.replace(day.isoformat(), "DATE").replace(day.strftime("%A, ") + f"{day.day} " + day.strftime("%B %Y"), "DATE")
        text = text.replace(day.strftime("%A, %B ") + f"{day.day}, {day.year}", "DATE").replace(day.strftime("%A, %d %B %Y"), "DATE")
    text = text.replace(str(folder), "FOLDER").replace(str(program), "PROGRAM")
    text = re.sub(r"\b[0-9a-f]{32}\b", "IDENTITY", text)
    return re.sub(r"\b(Quadric|Qt) \d+\.\d+(\.\d+)*", r"\1 VERSION", text)


class ReportText(HTMLParser):
    """The texts of a report, one a line, and the data of its scripts; styles and scripts say nothing about the study."""

    def __init__(self):
        super().__init__()
        self.lines, self.unread, self.is_data = [], 0, False

    def handle_starttag(self, tag, attributes):
        self.is_data = tag == "script" and ("type", "application/json") in attributes
        self.unread += tag in ("style", "script") and not self.is_data

    def handle_endtag(self, tag):
        self.unread -= tag in ("style", "script") and not self.is_data
        self.is_data = False

    def handle_data(self, data):
        text = " ".join(data.split())
        if text and not self.unread:
            self.lines += pretty(json.loads(text)).split("\n") if self.is_data else [text]


def report_text(path):
    reader = ReportText()
    reader.feed(path.read_text())
    return "\n".join(reader.lines)


def pdf_text(path):
    """Page by page; how far texts on a line are apart depends on the length of the date."""
    result = subprocess.run(["pdftotext", "-layout", path, "-"], check=True, capture_output=True, text=True)
    return re.sub(r" {2,}", "  ", result.stdout)


def plot_text(path):
    """One line for each element of a picture: what it draws with which numbers, or its text; embedded pictures by their digest."""
    lines = []
    for element in ElementTree.fromstring(path.read_text()).iter():
        words = [element.tag.split("}")[-1]]
        for key, value in sorted(element.attrib.items()):
            is_embedded = value.startswith("data:")
            words.append(f"{key.split('}')[-1]}={hashlib.sha256(value.encode()).hexdigest() if is_embedded else ' '.join(value.split())}")
        lines.append(" ".join([*words, *(element.text or "").split()]))
    return "\n".join(lines)


# Commands

class Program:
    def __init__(self, path, home):
        self.path = Path(path).resolve()
        kept = {key: os.environ[key] for key in ("PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS") if key in os.environ}
        places = {f"XDG_{name}": str(home / name.lower()) for name in ("CONFIG_HOME", "CACHE_HOME", "DATA_HOME", "STATE_HOME", "RUNTIME_DIR")}
        for folder in places.values():
            Path(folder).mkdir(parents=True, exist_ok=True, mode=0o700)
        fixed = {"HOME": str(home), "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "dumb", "COLUMNS": "120", "QT_QPA_PLATFORM": "offscreen"}
        self.environment = {**kept, **places, **fixed}

    def run(self, words, folder):
        return subprocess.run([self.path, *words], cwd=folder, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST_SECONDS)


def fill(folder, golden, document):
    folder.mkdir(parents=True)
    for name, text in golden.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    if document is not None:
        (folder / STUDY).write_text(json.dumps(document, ensure_ascii=False, indent=1))


def settled(document, name):
    """A study that commands have made, without what is different each time: its identity, and where and when it was run."""
    document["id"] = hashlib.md5(name.encode()).hexdigest()
    for run in document["runs"]:
        if "provenance" in run:
            run["provenance"] = {"source": run["provenance"].get("source", "unknown")}
    return document


def prepared(golden, program, folder):
    """The document of the study after the commands that make it. Raises RuntimeError where one fails."""
    if not golden.prepare:
        return golden.document
    fill(folder, golden, golden.document)
    for words in golden.prepare:
        result = program.run(words, folder)
        if result.returncode != 0:
            raise RuntimeError(f"{golden.name}: quadric {' '.join(words)}: {result.stderr.decode()}")
    return settled(json.loads((folder / STUDY).read_text()), golden.name)


def section(title, text, is_short=False):
    document = document_in(text)
    body = text.rstrip("\n") if document is None else pretty(shortened(document) if is_short else document)
    return f"{SECTION}{title}\n{body}\n" if body else ""


def answer_to(steps, program, folder, is_short):
    """All that the commands print, and the reports that they write."""
    text = ""
    for words in steps:
        result = program.run(words, folder)
        text += f"{SECTION}quadric {' '.join(words)}\nexit status {result.returncode}\n"
        text += section("standard output", result.stdout.decode(errors="backslashreplace"), is_short)
        text += section("standard error", result.stderr.decode(errors="backslashreplace"))
    if (folder / "report.html").exists():
        text += f"{SECTION}report\n{report_text(folder / 'report.html')}\n"
    if (folder / "report.pdf").exists():
        text += f"{SECTION}report\n{pdf_text(folder / 'report.pdf')}\n"
    return steady(text, folder, program.path)


def write_answer(steps, golden, document, program, folder, out, is_short):
    """One file for the answer, and one for each plot in a folder beside it."""
    fill(folder, golden, document)
    Path(f"{out}.txt").write_text(answer_to(steps, program, folder, is_short))
    for picture in sorted(folder.glob("plots/*.svg")):
        out.mkdir(exist_ok=True)
        (out / f"{picture.stem}.txt").write_text(steady(plot_text(picture), folder, program.path) + "\n")
    shutil.rmtree(folder)
