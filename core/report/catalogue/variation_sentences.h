// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/catalogue.h"

/// What is said of weights and of where variation comes from.
namespace quadric::report::catalogue {

inline constexpr Entry kUnusedWeights{"weights-unused", Severity::Amber, "Weights", "{problem}",
                                      "Choose equal weights, or measure these runs with their spread."};
inline constexpr Entry kWeighted{
    "weights", Severity::Green, "Weights",
    "Runs are weighted by their spread: the heaviest counts {ratio} times as much as the lightest."};
inline constexpr Entry kWeightsLose{"weights-lose", Severity::Amber, "Weights",
                                    "Runs are weighted by their spread, but equal weights predict left-out "
                                    "runs better (log score {gain} higher).",
                                    "Choose equal weights."};
inline constexpr Entry kOtherWeights{
    "other-weights", Severity::Amber, "Weights",
    "Runs were measured with standard errors that differ by the factor {ratio}. Weights by spread predict "
    "left-out runs better (log score {gain} higher).",
    "Choose weights by spread."};
inline constexpr Entry kUnseenBlockTerms{
    "terms-between-blocks", Severity::Amber, "Blocks",
    "Constant within each block: {terms}. Any effect is part of the difference between blocks.",
    "Vary {terms} within blocks to estimate the effect."};

// Variance components
inline constexpr std::string_view kInsideRuns = "{sd} inside a run";
inline constexpr std::string_view kBetweenRuns = "{sd} between runs";
inline constexpr std::string_view kInsideAndBetweenRuns = "{sd} inside and between runs";
inline constexpr std::string_view kBetweenBlocks = "{sd} between blocks";
inline constexpr Entry kRunLonger{
    "variance-components", Severity::Green, "Variance components",
    "{response} varies by {parts} (standard deviations). Most of it is inside the runs.",
    "Run longer rather than more often."};
inline constexpr Entry kRunMoreOften{
    "variance-components", Severity::Green, "Variance components",
    "{response} varies by {parts} (standard deviations). Most of it is between runs.",
    "Run more often rather than longer."};
inline constexpr Entry kMoreBlocks{
    "variance-components", Severity::Green, "Variance components",
    "{response} varies by {parts} (standard deviations). Most of it is between blocks.",
    "Repeat the decision in several sessions; longer or more runs in one session gain little."};

} // namespace quadric::report::catalogue
