// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::trainer::testing {

/// Bytes that the kernel has sent, and seen acknowledged, over all TCP connections that this process has
/// open.
double bytesAcknowledged();

} // namespace quadric::trainer::testing
