// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::study {

/// Most characters of a name, unit or level that are shown.
inline constexpr std::size_t kLongestShown = 80;

/// The text as it can stand on a line: control characters and marks that turn the direction of reading become
/// spaces, what is longer than `most` characters (code points) ends in "…". UTF-8.
std::string shownText(std::string_view text, std::size_t most = kLongestShown);

/// The same study for showing: every name, unit and level of factors and responses as shownText() gives it,
/// different ones kept different, wherever the study uses them. Most studies are returned as they are.
Study withDisplayNames(Study study);

/// Where all views of a fitted model hold the factors that they do not show, in actual units: for each factor
/// the value that the user has chosen (`view.slice` of the document) where the factor can still be run at it
/// inside its range, otherwise the value nearest to the center that can be run. Throws std::invalid_argument
/// for factors that cannot be coded.
Settings readSlice(const Study& study);

/// The study with one factor held at `value`; at the center nothing is kept. A value that the factor cannot
/// be run at, and a factor that there is not, change nothing.
Study withHeld(Study study, std::string_view factor, const Value& value);

/// Whether the two differ in nothing but how pages are arranged and where views hold the factors.
bool differInViewOnly(const Study& a, const Study& b);

} // namespace quadric::study
