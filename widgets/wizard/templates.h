// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/launch.h"
#include "core/study/study.h"

#include <vector>

namespace quadric::widgets {

/// A starting point for a new study: everything filled in, runs not yet laid out.
struct StudyTemplate {
    QString name;
    QString about;
    study::Study study;
};

/// The templates with ranges for this machine, the preferred one first.
std::vector<StudyTemplate> studyTemplates(const run::Machine& machine);

} // namespace quadric::widgets
