// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace quadric::templates {

/// The study file of that name that is part of the program (resources/templates, resources/examples). Throws
/// std::out_of_range.
std::string_view studyText(std::string_view name);

} // namespace quadric::templates
