// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <map>
#include <string>
#include <vector>

namespace quadric::run {

using Names = std::map<std::string, std::string>; ///< by the old name

/// The study, whose factors have these new names already, with the new names wherever it mentions a factor:
/// command, variables, result file, constraints, formulas, design, settings of the runs. All at once, so that
/// two factors may change names.
study::Study withFactorsRenamed(study::Study study, const Names& names);

/// The same for responses: results and spreads of the runs, models, patterns.
study::Study withResponsesRenamed(study::Study study, const Names& names);

/// Knows under which names the rest of a study mentions the rows of a table whose names are typed.
class RenameTracker {
public:
    /// What is shown was not typed here: its names are those that the study mentions.
    void show(const std::vector<std::string>& names);

    /// The renames that a table with these names asks for. A row that is empty, or has the name of another
    /// one, keeps its old name until it has one of its own. Empty where rows came or went.
    Names take(const std::vector<std::string>& names);

private:
    std::vector<std::string> m_shown;     ///< of the rows, as they were typed last
    std::vector<std::string> m_mentioned; ///< of the rows, as the study mentions them
};

} // namespace quadric::run
