// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

/// What to do next in a study.
namespace quadric::report::catalogue {

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
