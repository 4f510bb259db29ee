// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <span>
#include <string_view>

namespace quadric::templates {

/// A starting point for a new study, which the wizard and `quadric new` offer
/// (resources/templates/NAME.quadric).
struct Template {
    std::string_view name; ///< for the command line: "slow-network"
    std::string_view title;
    std::string_view about; ///< one sentence or two
};

/// All templates, the preferred one first.
std::span<const Template> templates();

/// Names of the example studies, which can be started from like templates: they have their runs already.
std::span<const std::string_view> examples();

/// The study of a template, without runs, with as many ranks as so many cores can have; or an example as it
/// is. Throws std::out_of_range for a name that is neither.
study::Study studyFrom(std::string_view name, int cores);

} // namespace quadric::templates
