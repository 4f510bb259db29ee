// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/shell/completion.h"
#include "core/study/study.h"

#include <functional>

namespace quadric::app {

/// The candidates for what is typed behind the last comma, with what stands before it; without those that are
/// listed there already.
Completion listed(const std::string& typed, const Completion& items);

/// "name=" for each name; behind the equals sign what `valuesOf` says of that name. A candidate that ends
/// with an equals sign wants a value.
Completion assigned(const std::string& typed, const Completion& names,
                    const std::function<Completion(const std::string&)>& valuesOf);

Completion factorNames(const study::Study& study);
Completion numericFactorNames(const study::Study& study);
Completion responseNames(const study::Study& study);

/// The values that a factor has in the study's runs, its levels and its ends, ascending.
Completion levelsOf(const study::Study& study, const std::string& factor);

/// Numbers of the runs with one of these statuses (none given: of all), with settings or results as meaning.
Completion runNumbers(const study::Study& study, const std::vector<study::RunStatus>& statuses = {});

/// "pause", …, and "retry:4" for the runs that it can be said of.
Completion controlRequests(const study::Study& study, const std::string& typed);

} // namespace quadric::app
