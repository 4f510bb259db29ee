// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/catalogue.h"

/// A Gaussian process beside the polynomial.
namespace quadric::report::catalogue {

inline constexpr std::string_view kProcessIsBetter =
    "{response} bends more than a {model} model can: the Gaussian process predicts new settings with an "
    "error of {process} instead of {polynomial}.";
inline constexpr std::string_view kProcessMayBeBetter =
    "{response}: settings left out are predicted with an error of {process} by the Gaussian process and of "
    "{polynomial} by the {model} model. With these runs even a correct {model} model would fall this far "
    "behind: that is no evidence against it.";
inline constexpr std::string_view kPolynomialIsBetter =
    "{response}: the {model} model predicts new settings with an error of {polynomial}, the Gaussian process "
    "with {process}.";

inline constexpr std::string_view kProcessGain = "{response} {process} instead of {polynomial}";
inline constexpr std::string_view kProcessGainAlone =
    "{response} {process}, where the polynomial cannot be estimated without some of the settings";
inline constexpr std::string_view kProcessAdvice =
    "A Gaussian process predicts settings left out with smaller errors: {gains}.";

} // namespace quadric::report::catalogue
