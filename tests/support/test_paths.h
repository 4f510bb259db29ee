// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Where tests find files and programs. No other file is compiled with a path of the tree.
namespace quadric {

/// Absolute path of a file or folder of the sources ("tests/references/x.json"), kept until the program ends.
const char* sourcePath(const char* name);

/// Absolute path of what is built ("bin/quadric"), kept until the program ends.
const char* builtPath(const char* name);

} // namespace quadric
