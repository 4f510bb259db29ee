// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

/// What the analysis of variance, the coefficients and the fits of a study say, as patterns of
/// core/report/catalogue.h.
namespace quadric::report::catalogue {

// Analysis of variance
inline constexpr std::string_view kMeanModel = "The model is the mean alone: it contains no factor.";
inline constexpr std::string_view kUntestedModel =
    "The model cannot be tested: no degrees of freedom are left for error.";
inline constexpr std::string_view kActiveGroups = "Significant: {groups}.";
inline constexpr std::string_view kIdleGroups =
    "Not significant: {groups}; a smaller model may predict as well.";
inline constexpr std::string_view kBlocks =
    "The blocks differ ({p}); their difference is removed from all other effects.";

inline constexpr std::string_view kHierarchicalGroups =
    "Not significant by themselves: {groups}; significant terms of higher order contain them.";

// Coefficients: {change} and its kin are made of the words below them
inline constexpr std::string_view kMainEffect =
    "Moving {factor} from {low} to {high} {change}, other factors at their center";
inline constexpr std::string_view kLevelEffect =
    "Of the levels of {factor}, {low} has the lowest {response} and {high} the highest: moving from {low} to "
    "{high} {change}, other factors at their center";
inline constexpr std::string_view kInteraction =
    "Moving {factor} from {low} to {high} {first} at {other} = {other low} and {second} at {other} = {other "
    "high}: {trend}";
inline constexpr std::string_view kCurvedDown =
    "{response} curves down along {factor}: at mid-range ({middle}) it is {amount} above the straight line "
    "between both ends";
inline constexpr std::string_view kCurvedUp = "{response} curves up along {factor}: at mid-range ({middle}) "
                                              "it is {amount} below the straight line between both ends";
inline constexpr std::string_view kStraight =
    "{response} does not curve along {factor} on its own scale, only on that of the model";
inline constexpr std::string_view kShape = "Along {factor}, {response} {segments} (degree {degree})";
inline constexpr std::string_view kFirstSegment = "{moves} from {from} to {to}";
inline constexpr std::string_view kNextSegment = "{moves} to {to}";
inline constexpr std::string_view kJointEffect = "{term} interact: the effect of each depends on the others";
inline constexpr std::string_view kRaises = "raises {response} by {amount}";
inline constexpr std::string_view kLowers = "lowers {response} by {amount}";
inline constexpr std::string_view kKeeps = "does not change {response}";
inline constexpr std::string_view kMultiplies = "multiplies {response} by {amount}";
inline constexpr std::string_view kAgain = "by {amount}";
inline constexpr std::string_view kOnModelScale = "the {transform} of {response}";
inline constexpr std::string_view kOnLog2Axis = "{middle} on the log₂ axis";
inline constexpr std::string_view kPercentagePoints = "percentage points";
inline constexpr std::string_view kGrowingEffect = "the effect of {factor} grows with {other}";
inline constexpr std::string_view kShrinkingEffect = "the effect of {factor} shrinks as {other} increases";
inline constexpr std::string_view kReversingEffect = "the effect of {factor} reverses";
inline constexpr std::string_view kDependentEffect = "the effect of {factor} depends on {other}";
inline constexpr std::string_view kEvenEffect =
    "on the scale of these values the effect of {factor} is about the same";
inline constexpr std::string_view kAliasedEffect =
    "; aliased with {terms}: the runs show only the sum of these effects";
inline constexpr std::string_view kPartlyAliasedEffect =
    "; partly aliased with {n} interaction{|s} or square{|s} outside the model";
inline constexpr std::string_view kFurtherTerms = "{n} further small {term is|terms are} significant.";
inline constexpr std::string_view kNoEffect = "No effect is significant.";
inline constexpr std::string_view kNoEffectOfAll =
    "No effect is significant when all {n} terms are tested together.";
inline constexpr std::string_view kLoneEffects =
    "Not significant among all {n} terms (familywise {level}), only if tested alone: {terms}.";
inline constexpr std::string_view kContainedTerms =
    "Not significant by themselves, but contained in significant terms: {terms}.";
inline constexpr std::string_view kIdleTerms = "Not significant: {terms}.";

// Evidence for the models of a study, and cautions
inline constexpr std::string_view kOfResponse = "{response}: {sentence}";
inline constexpr std::string_view kReplicates = "Replicates estimate the pure error ({df} of freedom).";
inline constexpr std::string_view kAllMeasured = "All results were measured.";
inline constexpr std::string_view kFailed =
    "{n} run{|s} failed; the models contain no result at {its|their} setting{|s}.";
inline constexpr std::string_view kDisturbed =
    "{n} run{ was|s were} disturbed during the measurement: throttled, or on a shared machine.";
inline constexpr std::string_view kDependentResponses =
    "{first} and {second} are nearly one measurement (residual correlation {r}): as two goals they count "
    "twice in the desirability. Drop one goal, and compute probabilities with --correlated.";
inline constexpr std::string_view kPending = "{n} run{|s} of the design {is|are} still missing.";

// Models that the runs recommend
inline constexpr std::string_view kOtherModels =
    "The runs recommend other models: {changes}. Errors are those for settings left out of the fit.";
inline constexpr std::string_view kOtherTransform =
    "{response} with transform {transform} (error {after} instead of {before}{unit})";
inline constexpr std::string_view kSameTransform = "{response} (error {after} instead of {before}{unit})";
inline constexpr std::string_view kOnLog2 = "{factor} on a log2 scale";
inline constexpr std::string_view kOnLinear = "{factor} on a linear scale";

// What is known of a setting
inline constexpr std::string_view kInfeasible = "Infeasible: {violation}.";
inline constexpr std::string_view kNotConfirmed = "Not confirmed: do not use this setting.";
inline constexpr std::string_view kNoVerdict = "No verdict yet: measure the confirming runs again.";
inline constexpr std::string_view kConfirmedBy = "Confirmed by {runs}.";
inline constexpr std::string_view kMissed = "{response}: measured {measured}, predicted {low} to {high}.";
inline constexpr std::string_view kScattered =
    "{response}: the confirming runs scatter more than the model's residuals allow.";
inline constexpr std::string_view kDisturbedRuns = "Disturbed while measured: {runs}.";
inline constexpr std::string_view kDisturbedBecause = "Disturbed while measured: {runs} ({because}).";
inline constexpr std::string_view kPoorModel = "The model of {response} is poor: {finding}";

inline constexpr std::string_view kBestIsExtrapolation =
    "The best setting is an extrapolation: it is outside the region covered by runs. Confirm it before "
    "relying on it.";

inline constexpr std::string_view kChosenTerms =
    "The terms were chosen by these data: p and intervals of single terms do not account for that.";

// Best settings
inline constexpr std::string_view kCorrectedPrediction =
    "{response}: {predicted}, and {corrected} after correction for selecting the best setting ({range} for a "
    "new run).";

} // namespace quadric::report::catalogue
