// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/exchange_options.h"
#include "core/trainer/exchange/collective.h"

namespace quadric::trainer {

/// Seconds that a rank needs to send that many bytes in that many messages, one after the other.
double transferSeconds(const LinkSpeed& link, double bytes, int messages);

/// The same collective, but no operation is faster than the link allows: messages as a ring sends them,
/// 2(N − 1) for a sum, N − 1 for a gathering. `inner` must outlive it.
std::unique_ptr<Collective> makeEmulatedLink(Collective& inner, const LinkSpeed& link);

} // namespace quadric::trainer
