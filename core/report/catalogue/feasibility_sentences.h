// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/catalogue.h"

/// Which settings give a result, where runs failed for a reason that repeats.
namespace quadric::report::catalogue {

inline constexpr Entry kBoundary{"runs-boundary", Severity::Amber, "Probability of giving a result",
                                 "{n} of {all} settings gave no result ({causes}). {place} {sureness}"};
inline constexpr std::string_view kSharesOfRegion =
    "{safe} of the region gives a result with at least {asked}, {failing} with less than 50 %.";
inline constexpr std::string_view kFactorOfBoundary =
    "With the other factors at the center, the probability falls below 50 % at {factor} {side} {value}.";
inline constexpr std::string_view kSureness =
    "Settings left out were predicted with a Brier score of {brier} ({method}).";
inline constexpr std::string_view kUnlearned = "These runs do not show which other settings fail.";
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

} // namespace quadric::report::catalogue
