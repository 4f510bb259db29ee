// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

/// What a study may have at most. A file that is within these limits opens, runs and is exported; each of
/// them is far above what an experiment has, and small enough that no list is long because of a mistake.
namespace quadric::study {

/// Values in one document, counted while it is read: a value takes about a hundred bytes of memory, so that a
/// file of 64 MiB that has nothing but brackets stays below half a gigabyte.
inline constexpr std::size_t kMostValues = 5'000'000;

/// Every run has a setting of each factor; saturated screens have some hundred.
inline constexpr std::size_t kMostFactors = 1'000;

/// Every response gets a model of its own.
inline constexpr std::size_t kMostResponses = 1'000;

/// Of one factor: the step of a setting that is as good as continuous.
inline constexpr std::size_t kMostLevels = 100'000;

/// A design has at most as many.
inline constexpr std::size_t kMostRuns = 100'000;

/// Problems of one study that are listed one by one: nobody reads more, and every run can have one with every
/// factor.
inline constexpr std::size_t kMostProblems = 1'000;

} // namespace quadric::study
