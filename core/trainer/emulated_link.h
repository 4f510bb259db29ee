// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/collective.h"

namespace quadric::trainer {

/// A network that is slower than the one that is there.
struct LinkSpeed {
    double gbit = 0.0;      ///< gigabits per second that a rank can send; 0: no limit
    double latencyUs = 0.0; ///< of each message
    bool isEmulated() const { return gbit > 0.0 || latencyUs > 0.0; }
};

/// Seconds that a rank needs to send that many bytes in that many messages, one after the other.
double transferSeconds(const LinkSpeed& link, double bytes, int messages);

/// The same collective, but no operation is faster than the link allows: messages as a ring sends them,
/// 2(N − 1) for a sum, N − 1 for a gathering. `inner` must outlive it.
std::unique_ptr<Collective> makeEmulatedLink(Collective& inner, const LinkSpeed& link);

} // namespace quadric::trainer
