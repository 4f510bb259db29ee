// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

namespace quadric::design {

/// The places of the numeric factors in the study.
std::vector<std::size_t> numericFactors(const study::Study& study);

/// The study with its numeric factors alone.
study::Study numericPart(study::Study study);

/// How many combinations the levels of the categorical factors have; 1 without them.
int categoryCombinations(const study::Study& study);

/// A numeric factor with a value that can be run between low and high, so that a center exists.
bool hasCenter(const study::Factor& factor);

/// Throws DesignError naming the first factor that `design` ("A Plackett-Burman design") cannot hold at two
/// levels, and what can.
void requireTwoLevels(const study::Study& study, std::string_view design);

/// Coded value of a sign: the sign for numeric factors, index 0 (−) or 1 (+) for categorical ones of two
/// levels.
double codedOf(const study::Factor& factor, double sign);

/// One point per row of signs −1, 0, +1 (columns in the study's order), all in block 1.
std::vector<DesignPoint> pointsOfSigns(const study::Study& study, const Eigen::MatrixXd& signs);

/// The points of a design in the numeric factors (entries in their order), repeated at every combination of
/// the levels of the categorical ones; the last categorical factor changes slowest.
std::vector<DesignPoint> crossWithCategories(const study::Study& study,
                                             const std::vector<DesignPoint>& numeric);

/// Center runs: numeric factors at 0; categorical ones, and numeric ones without a value that can be run
/// between low and high, through all combinations of their levels in turn. Throws DesignError when no factor
/// has a center.
std::vector<study::CodedPoint> centerPoints(const study::Study& study, int count);

/// At least so many center runs, shared evenly by the combinations of the categories, unless that would
/// double them.
int sharedCenters(const study::Study& study, int centers);

/// All 2^count sign combinations, the first column changing fastest.
Eigen::MatrixXd signCombinations(int count);

/// "'c' is categorical" or "'c' and 'd' are categorical"; empty where no factor is.
std::string categoricalNames(const study::Study& study);

} // namespace quadric::design
