// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace quadric::report {

/// Gives a pattern of the catalogue, or a topic, in the language of the reader. It is called from any thread.
using PatternLookup = std::string (*)(std::string_view pattern);

/// From now on every sentence of the catalogue is made of what `lookup` gives for its pattern; null: of the
/// English pattern itself, which is what files and commands say.
void setPatternLookup(PatternLookup lookup);

/// The pattern as it is looked up now.
std::string lookUpPattern(std::string_view pattern);

} // namespace quadric::report
