// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/catalogue.h"

/// What is found about a measurement, and about results from elsewhere.
namespace quadric::report::catalogue {

inline constexpr Entry kProgress{"progress", Severity::Green, "Runs", "{done} of {all} runs done{rest}."};
inline constexpr std::string_view kProgressRest = ", {n} pending";
inline constexpr Entry kFailures{"failed-runs", Severity::Red, "Failed", "{n} run{|s} failed: {reasons}.",
                                 "Check the log{|s} and retry the failed run{|s}."};
inline constexpr Entry kOutOfMemory{
    "out-of-memory-runs", Severity::Amber, "Memory", "{Runs} went out of memory.",
    "{It|They} would fail again: recommendations and further runs avoid such settings."};
inline constexpr Entry kCancellations{"cancelled-runs", Severity::Green, "Cancelled",
                                      "{Runs} {was|were} cancelled."};
inline constexpr Entry kDisturbances{"disturbed-runs", Severity::Amber, "Disturbed",
                                     "{n} run{ was|s were} disturbed: {reasons}.",
                                     "Rerun {it|them} when the machine is quiet."};
inline constexpr Entry kDisturbedBaselines{
    "disturbed-baselines", Severity::Amber, "Baselines",
    "{Runs} {is|are} related to baselines that were disturbed ({reasons}): scaling efficiency and speed-up "
    "may be too high there.",
    "Rerun {it|them} when the machine is quiet; baselines are measured again."};
inline constexpr Entry kRetries{"retried-runs", Severity::Green, "Retried",
                                "{Runs} needed more than one attempt."};
inline constexpr Entry kSpread{"spread", Severity::Green, "Spread", "Widest spread inside a run: {spreads}."};
inline constexpr Entry kWideSpread{"wide-spread", Severity::Amber, "Spread",
                                   "Widest spread inside a run: {spreads}.",
                                   "Measure longer, or find out what makes the steps uneven."};
inline constexpr Entry kRepeatability{"repeatability", Severity::Green, "Repeatability",
                                      "Standard deviation of the {n} center points: {spreads}."};
inline constexpr Entry kUnknownDrift{
    "unknown-drift", Severity::Green, "Drift",
    "Not enough runs yet (needs 3 center points, or more runs than the model has terms)."};
inline constexpr Entry kMeasuredDrift{"drift", Severity::Red, "Drift",
                                      "{response} drifts with the run order ({p}).",
                                      "Check clocks and temperatures, and rerun the first runs."};
inline constexpr Entry kCenterDrift{
    "drift", Severity::Red, "Drift",
    "The center points drift: {response} changed by {share} from the first to the last ({p}).",
    "Check clocks and temperatures, and rerun the first runs."};

inline constexpr Entry kConsecutiveReplicates{
    "consecutive-replicates", Severity::Amber, "Replicates",
    "{Runs} repeat their setting directly one after another: they show how steady the machine is, not how "
    "well a setting can be set again, so pure error is too small.",
    "Run replicates in random order among the other runs."};
inline constexpr Entry kOrderFollowsFactors{"order-follows-factors", Severity::Amber, "Run order",
                                            "The run order is not random (the factors explain {r2} of it, "
                                            "{p}): a drift of the machine would look like their effects.",
                                            "Randomize the run order."};

// Results from elsewhere
inline constexpr Entry kCopies{
    "copied-results", Severity::Amber, "Replicates",
    "{Runs} repeat {settings} and agree in every digit of {responses}: copies, or results of one random "
    "seed. Each setting counts as one observation.",
    "Measure the replicates again. If they are real, enter the digits in which they differ."};
inline constexpr Entry kNoiselessReplicates{
    "copied-results", Severity::Amber, "Replicates",
    "{Runs} repeat {settings} and agree in every digit of {responses}, and no other replicates differ: "
    "copies, or a source without noise. Each setting counts as one observation, and intervals show the "
    "misfit of the model, not noise.",
    "Measure the replicates again. If the source is deterministic, use the runs for other settings."};
inline constexpr Entry kImpossibleSettings{
    "impossible-settings", Severity::Red, "Impossible settings",
    "{Runs} {has|have} {factor} at 0 or below, though its range begins at {low}.",
    "Correct the setting{|s}: axial runs of a table are often computed, not run."};
inline constexpr Entry kClamped{
    "clamped-results", Severity::Amber, "Clamped values",
    "{Runs} have the same {end} {response}, {value}, at different settings: the values look clamped."};
inline constexpr Entry kOutOfRange{"out-of-range", Severity::Amber, "Range",
                                   "{Runs}: {factor} is outside its range, {low} to {high}."};
inline constexpr Entry kNoResults{"missing-results", Severity::Amber, "Missing results",
                                  "{n} of {all} runs {has|have} no result."};

} // namespace quadric::report::catalogue
