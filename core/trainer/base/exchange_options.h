// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/wire_type.h"

namespace quadric::trainer {

/// Which gradients a rank sends.
enum class CompressionMethod {
    Topk,   ///< each rank its own largest ones, as position and value, by all-gather
    Aligned ///< the same chunks on all ranks, by all-reduce; chosen by scores that are all-reduced first
};

struct ExchangeOptions {
    CompressionMethod method = CompressionMethod::Topk;
    double compressionPct = 0.0; ///< share of a bucket's gradients that is not sent; 0: no selection at all
    WireType wire = WireType::Fp32;
};

/// A network that is slower than the one that is there.
struct LinkSpeed {
    double gbit = 0.0;      ///< gigabits per second that a rank can send; 0: no limit
    double latencyUs = 0.0; ///< of each message
    bool isEmulated() const { return gbit > 0.0 || latencyUs > 0.0; }
};

} // namespace quadric::trainer
