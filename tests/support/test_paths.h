// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Where tests find files and programs. Only this library's object file knows where the tree lies, so that a compiler cache serves every clone.
namespace quadric {

/// The absolute path of a file or folder of the sources ("tests/references/x.json"). Lives as long as the program.
const char* sourcePath(const char* name);

/// The absolute path of what is built ("bin/quadric"). Lives as long as the program.
const char* builtPath(const char* name);

} // namespace quadric
