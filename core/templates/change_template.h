// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::templates {

/// What a study that was begun from the template `before` becomes when `after` is chosen instead. Whatever
/// the user has changed stays: texts, factors and responses (by name), fixed settings, constraints, the
/// design, the parts of the command. What is as `before` made it gives way to what `after` has. How runs are
/// measured is always that of `after`. Runs are left out: the design has to be laid out anew. The study need
/// not be sound.
study::Study changeTemplate(const study::Study& mine, const study::Study& before, const study::Study& after);

} // namespace quadric::templates
