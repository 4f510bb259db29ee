// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "core/model/base/term.h"

namespace quadric::design {

/// Random points of the region in which predictions are wanted: the cube −1…+1 with equally likely levels of
/// categorical factors; with constraints only its legal settings (integers, multiples and lists taken to the
/// nearest legal value, then what satisfies the constraints).
struct DesignSpace {
    Eigen::MatrixXd points; ///< points × factors, coded; no rows where no legal point was found
    bool isConstrained = false;
    double share = 1.0;   ///< part of the cube that the constraints leave
    std::string sentence; ///< says so
};

/// The same points for a seed on every platform. Throws DesignError for a constraint that cannot be read.
DesignSpace designSpaceOf(const study::Study& study, int points, std::uint64_t seed);

/// Averages of the products of every two columns of a model over the region: in closed form over the cube,
/// over 20 000 of its points where constraints leave only part of it. Throws as designSpaceOf() does.
Eigen::MatrixXd regionMoments(const study::Study& study, const std::vector<model::Column>& columns);

} // namespace quadric::design
