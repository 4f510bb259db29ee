# SPDX-License-Identifier: GPL-3.0-or-later
"""A Python that has PyTorch, for the tests that need it: the one in PATH may be another than Debian's, for which python3-torch is installed."""

import importlib.util
import os
import shutil
import subprocess
import sys

DEBIAN_PYTHON = "/usr/bin/python3"
MARK = "QUADRIC_TEST_SEARCHED_TORCH"


def has_torch(python):
    return subprocess.run([python, "-c", "import torch.distributed"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def is_package_installed():
    query = shutil.which("dpkg-query")
    return query is not None and subprocess.run([query, "--show", "--showformat=${db:Status-Status}", "python3-torch"],
                                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout == b"installed"


def continue_with_torch():
    """Starts the script again in a Python that has PyTorch. Where there is none, it ends: with 77, for skipped, but only where the
    package is not installed either."""
    if importlib.util.find_spec("torch"):
        return
    if MARK not in os.environ and os.path.exists(DEBIAN_PYTHON) and has_torch(DEBIAN_PYTHON):
        os.environ[MARK] = "yes"
        os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON] + sys.argv)
    if is_package_installed():
        sys.exit("python3-torch is installed, but neither %s nor %s can import it" % (sys.executable, DEBIAN_PYTHON))
    print("skipped: neither %s nor %s has PyTorch, and the package python3-torch is not installed" % (sys.executable, DEBIAN_PYTHON))
    sys.exit(77)
