// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <optional>

namespace quadric::model {

/// Runs of settings all of whose replicates ran directly one after another, so that nothing was set anew
/// between them; empty where a random order makes so many such settings in 5 % of studies or more. Of the
/// runs that are done, copies once (findCopies() of the first response), confirmation runs not; in the order
/// in which they started, where all of them tell, else in run order. With m of n runs at a setting all are
/// consecutive with probability m!(n − m + 1)!/n!; the number of such settings is taken as binomial.
std::vector<int> findConsecutiveReplicates(const study::Study& study);

/// How much of the run order the factors explain.
struct OrderDependence {
    double r2 = 0.0; ///< of the place in the order, by linear and squared terms, within blocks
    double p = 1.0;  ///< F test; uniform between 0 and 1 for a random order, nearly
    /// p below 0.01; below 0.05 where the runs were made in the order of their ids, and whatever p is where
    /// the design asks for that order.
    bool isConfounded = false;
};

/// Of the runs above. Empty where the runs are too few for the terms.
std::optional<OrderDependence> computeOrderDependence(const study::Study& study);

} // namespace quadric::model
