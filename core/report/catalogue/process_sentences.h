// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/catalogue.h"

/// A Gaussian process beside the polynomial.
namespace quadric::report::catalogue {

inline constexpr std::string_view kProcessIsBetter =
    "{response} bends more than a {model} model can: the Gaussian process predicts new settings with an "
    "error of "
    "{process} instead of {polynomial}.";
inline constexpr std::string_view kPolynomialIsBetter =
    "{response}: the {model} model predicts new settings with an error of {polynomial}, the Gaussian process "
    "with "
    "{process}.";

} // namespace quadric::report::catalogue
