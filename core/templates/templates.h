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

/// A file that a training script of one's own needs, or an example of one.
struct WorkerFile {
    std::string_view name;
    std::string_view text;
};

/// As they are installed in share/quadric/worker.
std::span<const WorkerFile> workerFiles();

/// What a study that was begun from the template `before` becomes when `after` is chosen instead. Whatever
/// the user has changed stays: texts, factors and responses (by name), fixed settings, constraints, the
/// design, the parts of the command. What is as `before` made it gives way to what `after` has. How runs are
/// measured is always that of `after`. Runs are left out: the design has to be laid out anew. The study need
/// not be sound.
study::Study changeTemplate(const study::Study& mine, const study::Study& before, const study::Study& after);

} // namespace quadric::templates
