# SPDX-License-Identifier: GPL-3.0-or-later
"""quadric run beside terminals that come and go: closed under it, under nohup, under --detach; what is drawn on
them. Usage: terminal_test.py QUADRIC"""
import fcntl
import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

QUADRIC = sys.argv.pop(1)
PATIENCE = 60.0
REPETITIONS = 3


class Terminal:
    """A program with a terminal of its own, which is the session's."""

    def __init__(self, folder, *command):
        self.text = ""
        ours, theirs = pty.openpty()
        self.ours = ours
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
            for stream in range(3):
                os.dup2(theirs, stream)
            os.close(ours)
            os.chdir(folder)
            os.execvpe(command[0], command, dict(os.environ, TERM="xterm"))
        os.close(theirs)

    def read_until(self, what):
        end = time.monotonic() + PATIENCE
        while what not in self.text and time.monotonic() < end:
            if select.select([self.ours], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.ours, 65536).decode()
                except OSError:  # the last writer has gone
                    return self.text
        return self.text

    def close(self):
        os.close(self.ours)

    def wait(self):
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


class TerminalTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="quadric-"))
        os.environ["XDG_CONFIG_HOME"] = str(self.folder / "config")
        os.environ["XDG_RUNTIME_DIR"] = str(self.folder)
        self.hold = self.folder / "hold"
        self.hold.touch()
        worker = "[ {a} = 1 ] || while [ -e hold ]; do sleep 0.05; done; echo '{{\"y\": 0.25}}'"
        self.study = {
            "quadric": 1, "name": "terminal", "factors": [{"name": "a", "low": 0, "high": 9}], "responses": [{"name": "y"}],
            "benchmark": {"workload": "command", "argv": ["/bin/sh", "-c", worker], "parse": {"json": "last"}},
            "runs": [{"id": i, "order": i, "settings": {"a": i}, "status": "pending"} for i in (1, 2)]}
        self.write_study()
        self.quadric("run", "s.quadric", "--test", "--approve")

    def tearDown(self):
        self.quadric("control", "s.quadric", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def write_study(self):
        (self.folder / "s.quadric").write_text(json.dumps(self.study))

    def quadric(self, *arguments):
        return subprocess.run([QUADRIC, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)

    def status(self):
        return json.loads(self.quadric("status", "s.quadric", "--json").stdout)

    def wait_for(self, holds):
        end = time.monotonic() + PATIENCE
        while not holds(now := self.status()) and time.monotonic() < end:
            time.sleep(0.1)
        self.assertTrue(holds(now), now)

    def release(self):
        """Both runs end, as far as somebody still executes them."""
        self.hold.unlink()
        self.wait_for(lambda now: not now["running"])
        return self.status()["done"]

    def test_a_closed_terminal_stops_a_plain_runner(self):
        for _ in range(REPETITIONS):
            self.write_study()
            terminal = Terminal(self.folder, QUADRIC, "run", "s.quadric")
            self.assertIn("run 2 for", terminal.read_until("run 2 for"))
            terminal.close()
            terminal.wait()
            now = self.status()
            self.assertEqual((now["running"], now["done"], now["pending"]), (False, 1, 1))

    def test_a_runner_under_nohup_goes_on(self):
        for _ in range(REPETITIONS):
            self.hold.touch()
            self.write_study()
            terminal = Terminal(self.folder, "nohup", QUADRIC, "run", "s.quadric")
            self.wait_for(lambda now: now["done"] == 1 and now["active"])
            terminal.close()
            time.sleep(0.3)
            self.assertTrue(self.status()["running"])
            self.assertEqual(self.release(), 2)
            self.assertEqual(terminal.wait(), 0)

    def test_a_detached_runner_goes_on_and_can_be_followed_and_stopped(self):
        for _ in range(REPETITIONS):
            self.hold.touch()
            self.write_study()
            terminal = Terminal(self.folder, QUADRIC, "run", "--detach", "s.quadric", "--keep-going")
            self.assertIn("quadric control s.quadric stop", terminal.read_until(" stop"))
            self.assertEqual(terminal.wait(), 0)
            terminal.close()
            follower = Terminal(self.folder, QUADRIC, "status", "s.quadric", "--follow")
            text = follower.read_until("run 2 for")
            self.assertIn("[1/2] run 1: a=1", text)
            self.assertIn("run 1: y 0.25\r\n", text)
            self.assertIn("1 of 2 runs finished \N{MIDDLE DOT} run 2 for", text)
            self.assertEqual(self.release(), 2)
            self.assertIn("Finished: 2 runs done", follower.read_until("Finished"))
            self.assertEqual(follower.wait(), 0)
            follower.close()

    def test_a_detached_runner_is_stopped_by_control(self):
        self.assertEqual(self.quadric("run", "s.quadric", "--detach").returncode, 0)
        self.wait_for(lambda now: now["active"])
        beside = self.quadric("run", "s.quadric", "--test")
        self.assertIn("this test disturbs their measurement", beside.stderr)
        self.assertEqual(self.quadric("control", "s.quadric", "stop").returncode, 0)
        self.wait_for(lambda now: not now["running"])

    def test_a_file_that_the_command_writes_is_listed_without_a_warning(self):
        self.study["benchmark"]["writes"] = ["hold"]
        self.write_study()
        info = self.quadric("info", "s.quadric")
        self.assertEqual((info.returncode, info.stderr), (0, ""))
        refused = self.quadric("run", "s.quadric")
        self.assertIn("Not watched: added 'hold, which the command writes'", refused.stderr)

    def test_following_nobody_says_so(self):
        nobody = self.quadric("status", "s.quadric", "--follow")
        self.assertEqual(nobody.returncode, 1)
        self.assertIn("no runner executes this study", nobody.stderr)

    def test_what_cannot_start_detached_says_why(self):
        self.study["benchmark"]["argv"].append("changed")
        self.write_study()
        refused = self.quadric("run", "s.quadric", "--detach")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("is not approved", refused.stderr)

    def test_an_approval_that_cannot_be_saved_counts_for_this_start(self):
        self.hold.unlink()
        os.environ["XDG_CONFIG_HOME"] = str(self.folder / "s.quadric")  # no folder
        self.assertEqual(self.quadric("run", "s.quadric").returncode, 2)
        once = self.quadric("run", "s.quadric", "--approve")
        self.assertEqual(once.returncode, 0, once.stderr)
        self.assertIn("approved for this start only: the approval cannot be saved: ", once.stderr)
        self.assertIn("run 2: y 0.25\n", once.stdout)


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    unittest.main()
