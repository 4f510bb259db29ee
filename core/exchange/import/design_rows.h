// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <map>
#include <vector>

namespace quadric::exchange {

/// A setting this near to a level, in coded units, counts as the level: designs are rounded to what can be
/// run.
inline constexpr double kLevelTolerance = 0.05;

/// Coded settings of a run, in the order of the factors.
using Row = std::vector<double>;

/// Runs that were made for something else (confirmation, baseline, augmentation) say nothing about the
/// design.
bool isOfDesign(const study::Run& run);

/// The coded settings of the design's runs, each value at its level; categorical factors as the index of the
/// level.
std::vector<Row> codedRows(const study::Study& study);

/// How many factors are at the center.
int zeros(const Row& row);
bool isCenter(const Row& row);
/// One factor off the center, at or beyond its limits.
bool isAxial(const Row& row);
/// Every factor at one of its limits.
bool isCorner(const Row& row);

/// The rows of a design sorted by what they are, center runs apart.
struct Parts {
    std::size_t factors = 0;
    bool isNumeric = true;
    int centers = 0;
    int axials = 0;
    std::vector<Row> others;   ///< neither center nor axial
    std::map<Row, int> points; ///< everything but the center
    int least = 0, most = 0;   ///< how often the points are repeated
    int runs = 0;

    int distinct() const { return static_cast<int>(points.size()); }
    bool isRegular() const { return least > 0 && least == most; }
};

Parts partsOf(const study::Study& study);

/// The design type of the command line that these rows are, or "custom"; see recognize().
std::string typeOf(const Parts& parts);

} // namespace quadric::exchange
