// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace quadric::trainer {

// Successive steps resemble each other, so that intervals from single steps are too narrow. They are taken
// from blocks of successive steps instead (batch means: Law, Simulation Modeling and Analysis, section 9.5.3;
// 10 to 30 blocks: Schmeiser 1982). docs/trainer.md defines the numbers for other programs that measure.

/// A series has as many blocks as half seconds, from 10 to 30; below 20 steps each step is one.
std::size_t blockCount(std::span<const double> stepsMs);

/// Mean, or median, of each block. Block i of k contains the steps from ⌊i·n/k⌋ to ⌊(i+1)·n/k⌋ − 1.
std::vector<double> blockMeans(std::span<const double> stepsMs);
std::vector<double> blockMedians(std::span<const double> stepsMs);

/// Half widths of the 95 % intervals of the mean and of the median step, ms: Student's t over the blocks.
/// Nothing below two steps.
std::optional<double> meanStepHalfWidth(std::span<const double> stepsMs);
std::optional<double> medianStepHalfWidth(std::span<const double> stepsMs);

/// How much longer steps became from the beginning of a series to its end.
struct Drift {
    double percent = 0.0;   ///< of the mean step: slope of the line through the block means × blocks
    double halfWidth = 0.0; ///< of its 95 % interval, percentage points

    /// No drift that can be told from noise, or a negligible one (0.3 %).
    bool isSettled() const;
    /// More than 1 %, and no noise: the mean is not that of sustained work.
    bool disturbs() const;
};

/// Nothing below three steps.
std::optional<Drift> driftOf(std::span<const double> stepsMs);

} // namespace quadric::trainer
