// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::model {

/// Replicates whose results agree to the last digit although chance would hardly let them: copied rows,
/// results of one random seed, or a source without noise. A group is one observation.
struct Copies {
    std::vector<std::vector<int>> groups; ///< ids of the runs of each group in the study's order, two or more
    bool areAllReplicates = false;        ///< no replicate differs from another one of its setting

    /// Whether a run repeats one that stands before it in its group.
    bool isRepetition(int run) const;
};

/// Of the runs that a model of this response is fitted to. Runs at one setting are copies where they agree in
/// the response, or in every response, and so many agreements in the response, or in one of the others,
/// happen by rounding in less than 1 % of studies: with N pairs of replicates, each of which agrees with
/// probability d·f(0)/(s·√2), the binomial probability of as many. d is the resolution of the values (their
/// common step, or their last significant digit where that is coarser), s the smaller of the pooled absolute
/// and relative standard deviation of the replicates with density f of Student's t; where no replicates
/// differ, 0.5 % of the range or of the value with the normal density.
Copies findCopies(const study::Study& study, std::string_view response);

} // namespace quadric::model
