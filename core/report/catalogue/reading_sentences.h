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

// Coefficients
inline constexpr std::string_view kMainEffect =
    "Moving {factor} from {low} to {high} {change}, other factors at their center.";
inline constexpr std::string_view kLevelEffect =
    "Moving {factor} between its levels {change}, other factors at their center.";
inline constexpr std::string_view kCurvedDown =
    "{response} curves down along {factor}: at mid-range it is above the straight line between both ends.";
inline constexpr std::string_view kCurvedUp =
    "{response} curves up along {factor}: at mid-range it is below the straight line between both ends.";
inline constexpr std::string_view kHigherDegree =
    "{response} follows a curve of degree {degree} along {factor}.";
inline constexpr std::string_view kGrowingEffect = "The effect of {factor} grows with {other}.";
inline constexpr std::string_view kShrinkingEffect =
    "The effect of {factor} shrinks, and may reverse, as {other} increases.";
inline constexpr std::string_view kDependentEffect = "The effect of {factor} depends on {other}.";
inline constexpr std::string_view kJointEffect = "{term} interact: the effect of each depends on the others.";
inline constexpr std::string_view kRaises = "raises {response} by {amount}";
inline constexpr std::string_view kLowers = "lowers {response} by {amount}";
inline constexpr std::string_view kMultiplies = "multiplies {response} by {amount}";
inline constexpr std::string_view kRaisesTransformed = "raises the {transform} of {response} by {amount}";
inline constexpr std::string_view kLowersTransformed = "lowers the {transform} of {response} by {amount}";
inline constexpr std::string_view kPercentagePoints = "percentage points";
inline constexpr std::string_view kFurtherTerms = "{n} further small {term is|terms are} significant.";
inline constexpr std::string_view kNoEffect = "No effect is significant.";
inline constexpr std::string_view kIdleTerms = "Not significant: {terms}.";

// Evidence for the models of a study, and cautions
inline constexpr std::string_view kOfResponse = "{response}: {sentence}";
inline constexpr std::string_view kReplicates = "Replicates estimate the pure error ({df} of freedom).";
inline constexpr std::string_view kAllMeasured = "All results were measured.";
inline constexpr std::string_view kFailed =
    "{n} run{|s} failed; the models know nothing about {its|their} setting{|s}.";
inline constexpr std::string_view kDisturbed =
    "{n} run{ was|s were} disturbed during the measurement: throttled, or on a shared machine.";
inline constexpr std::string_view kPending = "{n} run{|s} of the design {is|are} still missing.";

inline constexpr std::string_view kBestIsExtrapolation =
    "The best setting is an extrapolation: it is outside the region covered by runs. Confirm it before "
    "relying on it.";

} // namespace quadric::report::catalogue
