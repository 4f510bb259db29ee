#!/usr/bin/env python3
"""Presses Tab in a real shell with Quadric's completion file: shell_completion_test.py SHELL COMPLETION-FILE QUADRIC STUDY."""
import os
import pty
import select
import shutil
import signal
import sys
import tempfile
import time

shell, completions, quadric, study = sys.argv[1:]
PATIENCE = 20  # seconds until a word must stand on the screen

START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}[shell]
LOAD = {
    "bash": "bind 'set bell-style none'; source " + completions,
    "zsh": f"autoload -Uz compinit; fpath=({os.path.dirname(completions)} $fpath); compinit -u -D",
    "fish": "source " + completions,
}[shell]

# What is typed before Tab, and what stands on the screen then.
CASES = [
    ("quadric optim", "quadric optimize "),
    ("quadric optimize s.quadric --solu", "--solutions "),
    ("quadric optimize s.quadric --weight im", "--weight images_per_sec="),
    ("quadric predict s.quadric --at gpu_count=8,ba", "gpu_count=8,batch_per_gpu="),
    ("quadric control s.quadric retr", "control s.quadric retry:"),
    ("quadric plot --theme=l", "--theme=light"),
    ("quadric info s.q", "info s.quadric"),
]


class Terminal:
    def __init__(self, folder):
        environment = {"PATH": folder + "/bin:" + os.environ["PATH"], "HOME": folder, "TERM": "dumb", "PS1": "> ",
                       "LANG": "C.UTF-8", "HISTFILE": "", "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")}
        self.pid, self.screen = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(START[0], START, environment)

    def type(self, text):
        os.write(self.screen, text.encode())

    def wait_for(self, words):
        seen, deadline = "", time.monotonic() + PATIENCE
        while words not in seen:
            ready, _, _ = select.select([self.screen], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                sys.exit(f"{shell}: \"{words}\" is not on the screen, but: {seen!r}")
            seen += os.read(self.screen, 4096).decode(errors="replace").replace("\x07", "")
        return seen


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/bin")
        os.symlink(quadric, folder + "/bin/quadric")
        shutil.copy(study, folder + "/s.quadric")
        terminal = Terminal(folder)
        terminal.type(LOAD + "; echo re''ady\n")
        terminal.wait_for("ready")
        for typed, expected in CASES:
            terminal.type(typed + "\t")
            terminal.wait_for(expected)
            terminal.type("\x15")  # the line is not executed
        os.kill(terminal.pid, signal.SIGKILL)
        os.waitpid(terminal.pid, 0)
    print(f"{shell} completes {len(CASES)} lines")


main()
