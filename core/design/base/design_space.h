// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "core/model/base/term.h"
#include "core/study/space/legal_space.h"

namespace quadric::design {

/// The settings that can be run. Throws DesignError for a factor that is not sound and for a constraint that
/// cannot be read.
study::LegalSpace makeLegalSpace(const study::Study& study, const study::LegalSpaceOptions& options = {});

/// The same; throws DesignError for a factor without a legal value, too.
study::LegalSpace makeSpaceToDesign(const study::Study& study, const study::LegalSpaceOptions& options = {});

/// Legal points for a model whose highest power of factor i is `powers[i]`: all combinations of evenly spread
/// levels, at least one more than the power for each factor and as many as keep the number below `most`;
/// where even those are more, a random part of them, drawn from `seed`. points × factors, coded. Throws
/// DesignError when no point is legal.
Eigen::MatrixXd legalCandidates(const study::LegalSpace& space, const std::vector<int>& powers,
                                std::size_t most = 4000, std::uint64_t seed = 1);

/// The settings with which the points of a design are run: the nearest legal value of every factor on its
/// scale and, where a constraint forbids the result, the nearest settings that satisfy all of them (in coded
/// units, only factors that a constraint names are moved). Throws DesignError naming the point and the
/// constraint where none was found, and for a constraint that cannot be read.
std::vector<study::Settings> legalSettings(const study::Study& study, const std::vector<DesignPoint>& points);

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
DesignSpace sampleDesignSpace(const study::Study& study, int points, std::uint64_t seed);

/// Averages of the products of every two columns of a model over the region: in closed form over the cube,
/// over 20 000 of its points where constraints leave only part of it. Throws as sampleDesignSpace() does.
Eigen::MatrixXd regionMoments(const study::Study& study, const std::vector<model::Column>& columns);

} // namespace quadric::design
