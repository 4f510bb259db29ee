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

} // namespace quadric::study
