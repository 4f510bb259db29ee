// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/collective.h"

#include <functional>

namespace quadric::trainer::testing {

/// Runs the same function as every rank, one thread each, over real sockets of this process.
void asRanks(int ranks, const std::function<void(Collective&)>& function);

} // namespace quadric::trainer::testing
