// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::study {

/// Where all views of a fitted model hold the factors that they do not show, in actual units: for each factor
/// the value that the user has chosen (`view.slice` of the document) where the factor can still be run at it
/// inside its range, otherwise the value nearest to the center that can be run. Throws std::invalid_argument
/// for factors that cannot be coded.
Settings sliceOf(const Study& study);

/// The study with one factor held at `value`; at the center nothing is kept. A value that the factor cannot
/// be run at, and a factor that there is not, change nothing.
Study withHeld(Study study, std::string_view factor, const Value& value);

/// Whether the two differ in nothing but how pages are arranged and where views hold the factors.
bool differInViewOnly(const Study& a, const Study& b);

} // namespace quadric::study
