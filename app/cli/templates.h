// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace quadric::app {

/// A study that comes with the program (resources/examples).
struct Template {
    std::string_view name;
    std::string_view text; ///< the study file
};

std::span<const Template> templates();

} // namespace quadric::app
