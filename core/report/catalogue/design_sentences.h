// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/catalogue.h"

/// What is found about the runs of a design.
namespace quadric::report::catalogue {

inline constexpr Entry kRunsLeftOut{
    "runs-left-out", Severity::Amber, "Runs",
    "{n} failed or excluded run{ is|s are} not part of this evaluation: {runs}."};
inline constexpr Entry kTermsLeftOut{"aliased-terms", Severity::Amber, "Alias structure",
                                     "Aliased with other terms and therefore not evaluated: {terms}.",
                                     "Augment the design to separate them, or choose a smaller model."};
inline constexpr Entry kNoError{"no-residual-df", Severity::Amber, "Degrees of freedom",
                                "No degrees of freedom are left for error: no power, no intervals.",
                                "Add runs or choose a smaller model."};
inline constexpr Entry kIllegalSettings{"illegal-settings", Severity::Red, "Settings", "{detail}"};

// What moving the points to allowed settings cost
inline constexpr Entry kRounded{"rounded-runs", Severity::Green, "Settings",
                                "{n} of {all} runs {was|were} rounded to allowed levels."};
inline constexpr Entry kMoved{"moved-runs", Severity::Amber, "Settings",
                              "{n} of {all} runs {was|were} changed to satisfy a constraint: {runs}."};
inline constexpr Entry kEdited{"edited-runs", Severity::Amber, "Settings",
                               "{n} of {all} runs {was|were} changed by hand: {runs}."};
inline constexpr Entry kLargestChange{"largest-change", Severity::Green, "Settings",
                                      "Largest change: {shift} coded units (run {run})."};
inline constexpr Entry kEqualRuns{"equal-runs", Severity::Amber, "Settings",
                                  "Different points of the design have become equal: {runs}."};
inline constexpr Entry kLostTerms{"lost-terms", Severity::Red, "Settings",
                                  "These terms can no longer be estimated: {terms}.",
                                  "Choose a D-optimal design, which keeps to allowed settings."};
inline constexpr Entry kCost{"moving-cost", Severity::Green, "Settings",
                             "For the {model} model this changes {changes}."};

// How a search for an optimal design ended
inline constexpr std::string_view kSearch = "Best of {n} searches; {best} of them found it.";
inline constexpr std::string_view kStoppedSearch = "The search was stopped: this is the best design so far.";
inline constexpr std::string_view kRoundedLevels =
    "Levels are rounded to {digits} digits, which costs {loss} of the {criterion}-efficiency.";
inline constexpr std::string_view kRoundedForFree =
    "Levels are rounded to {digits} digits, which costs no {criterion}-efficiency.";

// What a change of the runs does to a design
inline constexpr std::string_view kChange = "{name} from {before} to {after}";
inline constexpr std::string_view kLostChecks = "No longer: {checks}.";
inline constexpr std::string_view kWonChecks = "Now: {checks}.";
inline constexpr std::string_view kNoChange = "The quality of the design stays as it is.";
inline constexpr std::string_view kDEfficiency = "D-efficiency";
inline constexpr std::string_view kGEfficiency = "G-efficiency";
inline constexpr std::string_view kLargestCorrelation = "the largest correlation of two terms";
inline constexpr std::string_view kMeanVariance = "mean prediction variance";
inline constexpr std::string_view kCoefficientCount = "coefficients of the model";

} // namespace quadric::report::catalogue
