// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace quadric::run {

/// Why this process cannot open as many files as the start of a run takes, in one sentence; empty: it can.
std::string lackOfOpenFiles();

} // namespace quadric::run
