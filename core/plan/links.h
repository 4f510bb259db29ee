// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/link_table.h"

#include <string_view>
#include <vector>

namespace quadric::plan {

/// α and β that an all-reduce was measured with.
struct LinkMeasurement {
    int ranks = 0;
    double latencyUs = 0.0;       ///< of a message of the ring
    double gigabytesPerSec = 0.0; ///< of a GPU: what nccl-tests calls bus bandwidth of very large messages
    int sizes = 0;                ///< lines that were read
};

/// The output of all_reduce_perf of nccl-tests: 2(n − 1)α + 2(n − 1)/n × bytes/B fitted to the out-of-place
/// times by least squares of relative errors. The number of ranks n is counted in its list of ranks. Throws
/// std::invalid_argument where there are fewer than two sizes, fewer than two ranks, or no column of times.
LinkMeasurement readNcclTests(std::string_view text);

/// Ring all-reduce in nodes and between them, as kLinks has it: seconds.
struct Exchange {
    workload::Link node, network;
    int perNode = 8;
    double bytes = 0.0;
};
double exchangeSeconds(const Exchange& exchange, int count);

/// Speed over given links when one GPU is known: N × batch/(t₁ + exchange), where nothing of the exchange is
/// hidden by the computing and where two thirds of the computing can hide it (the backward pass).
/// `unitSeconds`: of the unit of time in that of the speeds, 60 for img/min.
struct LinkSpeed {
    int count = 1;
    double apart = 0.0, overlapped = 0.0;
};
std::vector<LinkSpeed> speedsOver(const Exchange& exchange, double speedOfOne, double batchPerGpu,
                                  const std::vector<int>& counts, double unitSeconds = 1.0);

} // namespace quadric::plan
