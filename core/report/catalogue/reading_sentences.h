// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/finding.h"

#include <string_view>

/// What the analysis of variance, the coefficients and the fits of a study say; of the settings that give a
/// result, of runs that are worth their time, and what to do next.
namespace quadric::report::catalogue {

// Analysis of variance
inline constexpr std::string_view kMeanModel = "The model is the mean alone: it contains no factor.";
inline constexpr std::string_view kUntestedModel =
    "The model cannot be tested: no degrees of freedom are left for error.";
inline constexpr std::string_view kBlocks =
    "The blocks differ ({p}); their difference is removed from all other effects.";

// Coefficients: {change}, {first} and {second} are made of the words below them
inline constexpr std::string_view kMainEffect =
    "Moving {factor} from {low} to {high} {change}, other factors at their center";
inline constexpr std::string_view kInteraction =
    "Moving {factor} from {low} to {high} {first} at {other} = {other low} and {second} at {other} = {other "
    "high}";
inline constexpr std::string_view kRaises = "raises {response} by {amount}";
inline constexpr std::string_view kLowers = "lowers {response} by {amount}";
inline constexpr std::string_view kKeeps = "does not change {response}";
inline constexpr std::string_view kMultiplies = "multiplies {response} by {amount}";
inline constexpr std::string_view kPercentagePoints = "percentage points";
inline constexpr std::string_view kAliasedEffect =
    "; aliased with {terms}: the runs show only the sum of these effects";
inline constexpr std::string_view kSignificantTerms = "Significant: {terms}.";
inline constexpr std::string_view kFurtherTerms = "Also significant: {terms}.";
inline constexpr std::string_view kNoEffect = "No effect is significant.";
inline constexpr std::string_view kLoneEffects =
    "Not significant among all {n} terms (familywise {level}), only if tested alone: {terms}.";
inline constexpr std::string_view kIdleTerms = "Not significant: {terms}.";

// Evidence for the models of a study, and cautions
inline constexpr std::string_view kOfResponse = "{response}: {sentence}";
inline constexpr std::string_view kFailed =
    "{n} run{|s} failed; the models contain no result at {its|their} setting{|s}.";
inline constexpr std::string_view kDisturbed =
    "{n} run{ was|s were} disturbed during the measurement: throttled, or on a shared machine.";
inline constexpr std::string_view kDependentResponses =
    "{first} and {second} are nearly one measurement (residual correlation {r}): as two goals they count "
    "twice in the desirability. Drop one goal, and compute probabilities with --correlated.";
inline constexpr std::string_view kPending = "{n} run{|s} of the design {is|are} still missing.";

// What is known of a setting
inline constexpr std::string_view kInfeasible = "Infeasible: {violation}.";
inline constexpr std::string_view kNotConfirmed = "Not confirmed: do not use this setting.";
inline constexpr std::string_view kNoVerdict = "No verdict yet: measure the confirming runs again.";
inline constexpr std::string_view kConfirmedBy = "Confirmed by {runs}.";
inline constexpr std::string_view kMissed = "{response}: measured {measured}, predicted {low} to {high}.";
inline constexpr std::string_view kScattered =
    "{response}: the confirming runs scatter more than the model's residuals allow.";
inline constexpr std::string_view kDisturbedRuns = "Disturbed while measured: {runs}{because}.";
inline constexpr std::string_view kPoorModel = "The model of {response} is poor: {finding}";

inline constexpr std::string_view kBestIsExtrapolation =
    "The best setting is an extrapolation: it is outside the region covered by runs. Confirm it before "
    "relying on it.";

inline constexpr std::string_view kChosenTerms =
    "The terms were chosen by these data: p and intervals of single terms do not account for that.";

// Best settings
inline constexpr std::string_view kCorrectedPrediction =
    "{response}: {predicted}, and {corrected} after correction for selecting the best setting.";

inline constexpr Entry kBoundary{"runs-boundary", Severity::Amber, "Probability of giving a result",
                                 "{n} of {all} settings gave no result ({causes}). {place}(By {method}.)"};
inline constexpr std::string_view kFactorOfBoundary =
    "With the other factors at the center, the probability falls below 50 % at {factor} {side} {value}.";
inline constexpr std::string_view kProbabilityThere =
    "Probability that a run gives a result: {probability} ({low} to {high}).";
inline constexpr std::string_view kRanThere = "A run at this setting gave a result.";
inline constexpr std::string_view kFailedThere =
    "A run at this setting will fail again: {runs} failed there.";
inline constexpr std::string_view kNotToBeUsed = "This setting fails: do not use it.";
inline constexpr std::string_view kMovedAnswer = "The confirmation of another setting failed ({runs}); "
                                                 "settings like it are left out, and the answer has moved.";
inline constexpr std::string_view kLimitedAnswer =
    "Only settings that give a result with at least {asked}{bound}, or where a run gave one.";

inline constexpr std::string_view kPlanConverged =
    "Stop here: no further run is expected to gain more than {least}.";
inline constexpr std::string_view kPlanOutOfTime =
    "The time ends before the gain does: the next run may gain {next}.";
inline constexpr std::string_view kPlanSpent = "The time is spent.";
inline constexpr std::string_view kPlanFailed =
    "Stopped: the last {n} added runs failed. Check their logs before going on.";
inline constexpr std::string_view kPlanTogether = "Together {n} {run|runs}, about {time}.";
inline constexpr std::string_view kPlanUntimed =
    "{n} {run|runs}. No run has reported how long it takes, so the time is not divided.";

inline constexpr std::string_view kMakeDesign = "Choose a design: no settings are planned yet.";
inline constexpr std::string_view kExecuteRest = "Execute the {n} {run that is|runs that are} left.";
inline constexpr std::string_view kAdviceFor = "{names}: {advice}";
inline constexpr std::string_view kConfirmBest =
    "Confirm the best setting with new runs before relying on it.";
inline constexpr std::string_view kAwaitConfirmation = "Wait for the runs that confirm the best setting.";
inline constexpr std::string_view kRefitAndRepeat =
    "Add the confirmation runs to the model and search again: the setting was not confirmed.";
inline constexpr std::string_view kUseConfirmed = "Use the best setting: new runs confirmed it.";
inline constexpr std::string_view kFindModel = "Set goals and fit models: there is no best setting yet.";

} // namespace quadric::report::catalogue
