// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace quadric::run {

/// Which limit of this process keeps it from starting a run, in one sentence; empty: none. It has to open
/// some dozen files for each, and to write logs and records.
std::string findLimitInTheWay();

} // namespace quadric::run
