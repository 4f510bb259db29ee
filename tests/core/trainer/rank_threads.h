// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/exchange/collective.h"

#include <functional>

namespace quadric::trainer::testing {

/// How a rank finds its peers: makeCollective() or makeRingCollective().
using Meet = std::unique_ptr<Collective> (*)(int rank, int size, const Rendezvous& rendezvous);

/// Runs the same function as every rank, one thread each, over real sockets of this process.
void asRanks(int ranks, const std::function<void(Collective&)>& function, Meet meet = makeCollective);

} // namespace quadric::trainer::testing
