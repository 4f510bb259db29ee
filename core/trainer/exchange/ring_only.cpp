// SPDX-License-Identifier: GPL-3.0-or-later
// The collective of a build without Gloo.
#include "core/trainer/exchange/collective.h"

namespace quadric::trainer {

std::unique_ptr<Collective> makeCollective(int rank, int size, const Rendezvous& rendezvous)
{
    return makeRingCollective(rank, size, rendezvous);
}

std::string collectiveLibrary()
{
    return "TCP ring of quadric-trainer";
}

} // namespace quadric::trainer
