// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/finding.h"

/// What is found about the runs of a design, about measurements and results from elsewhere and about blocks,
/// and whether twice the GPUs are worth it.
namespace quadric::report::catalogue {

inline constexpr Entry kRunsLeftOut{
    "runs-left-out", Severity::Amber, "Runs",
    "{n} failed or excluded run{ is|s are} not part of this evaluation: {runs}."};
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
inline constexpr Entry kEqualRuns{"equal-runs", Severity::Amber, "Settings",
                                  "Different points of the design have become equal: {runs}."};
inline constexpr Entry kLostTerms{"lost-terms", Severity::Red, "Settings",
                                  "These terms can no longer be estimated: {terms}.",
                                  "Choose a D-optimal design, which keeps to allowed settings."};

// How a search for an optimal design ended
inline constexpr std::string_view kSearch = "Best of {n} searches; {best} of them found it.";
inline constexpr std::string_view kStoppedSearch = "The search was stopped: this is the best design so far.";
inline constexpr std::string_view kRoundedLevels =
    "Levels are rounded to {digits} digits, which costs {loss} of the {criterion}-efficiency.";
// What a change of the runs does to a design
inline constexpr std::string_view kChange = "D-efficiency from {before} to {after}.";
inline constexpr std::string_view kLostChecks = "No longer: {checks}.";
inline constexpr std::string_view kWonChecks = "Now: {checks}.";
inline constexpr std::string_view kNoChange = "The quality of the design stays as it is.";

inline constexpr Entry kProgress{"progress", Severity::Green, "Runs", "{done} of {all} runs done{rest}."};
inline constexpr std::string_view kProgressRest = ", {n} pending";
inline constexpr Entry kFailures{"failed-runs", Severity::Red, "Failed", "{n} run{|s} failed: {reasons}.",
                                 "Check the log{|s} and retry the failed run{|s}."};
inline constexpr Entry kOutOfMemory{
    "out-of-memory-runs", Severity::Amber, "Memory", "{Runs} went out of memory.",
    "{It|They} would fail again: recommendations and further runs avoid such settings."};
inline constexpr Entry kDisturbances{"disturbed-runs", Severity::Amber, "Disturbed",
                                     "{n} run{ was|s were} disturbed: {reasons}.",
                                     "Rerun {it|them} when the machine is quiet."};
inline constexpr Entry kDisturbedBaselines{
    "disturbed-baselines", Severity::Amber, "Baselines",
    "{Runs} {is|are} related to baselines that were disturbed ({reasons}): scaling efficiency and speed-up "
    "may be too high there.",
    "Rerun {it|them} when the machine is quiet; baselines are measured again."};
inline constexpr Entry kSpread{"spread", Severity::Green, "Spread", "Widest spread inside a run: {spreads}."};
inline constexpr Entry kWideSpread{"wide-spread", Severity::Amber, "Spread",
                                   "Widest spread inside a run: {spreads}.",
                                   "Measure longer, or find out what makes the steps uneven."};
inline constexpr Entry kRepeatability{"repeatability", Severity::Green, "Repeatability",
                                      "Standard deviation of the {n} center points: {spreads}."};
// Results from elsewhere
inline constexpr Entry kCopies{
    "copied-results", Severity::Amber, "Replicates",
    "{Runs} repeat {settings} and agree in every digit of {responses}: copies, results of one random seed, "
    "or "
    "a source without noise. Each setting counts as one observation.",
    "Measure the replicates again. If they are real, enter the digits in which they differ."};
inline constexpr Entry kImpossibleSettings{
    "impossible-settings", Severity::Red, "Impossible settings",
    "{Runs} {has|have} {factor} at 0 or below, though its range begins at {low}.",
    "Correct the setting{|s}: axial runs of a table are often computed, not run."};
inline constexpr Entry kOutOfRange{"out-of-range", Severity::Amber, "Range",
                                   "{Runs}: {factor} is outside its range, {low} to {high}."};
inline constexpr Entry kNoResults{"missing-results", Severity::Amber, "Missing results",
                                  "{n} of {all} runs {has|have} no result."};

inline constexpr Entry kUnseenBlockTerms{
    "terms-between-blocks", Severity::Amber, "Blocks",
    "Constant within each block: {terms}. Any effect is part of the difference between blocks.",
    "Vary {terms} within blocks to estimate the effect."};

inline constexpr Entry kRandomBlocks{
    "terms-between-blocks", Severity::Amber, "Blocks",
    "Constant within each block: {terms}. Blocks count as drawn at random: {n} blocks estimate the effect "
    "with {df}.",
    "Vary {terms} within blocks, or run more blocks, to estimate the effect better."};

inline constexpr std::string_view kDoublingIsWorthIt =
    "Doubling brings {times} times the speed or more up to {gpus}.";
inline constexpr std::string_view kDoublingIsNotWorthIt =
    "Doubling {gpus} brings less than {times} times the speed.";

} // namespace quadric::report::catalogue
