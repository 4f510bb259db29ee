// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QString>

namespace quadric::widgets {

/// A study after a change that the user asked for, or why it cannot be made (the study is then as before).
struct Edit {
    study::Study study;
    QString problem;
    bool isPossible() const { return problem.isEmpty(); }
};

/// A run that waits and has no result: a result belongs to the settings that produced it.
bool canChangeSettings(const study::Run& run);

/// The study with another setting of one run, checked: a number or a level, one that can be run, and inside
/// all constraints.
Edit withSetting(const study::Study& study, int runId, const std::string& factor, const QString& typed);

/// The study with this result typed into the run (`value` empty: taken away). A run counts as done once every
/// response has a value, and as waiting before that.
study::Study withTypedResult(study::Study study, int runId, const std::string& response,
                             std::optional<double> value);

/// The study with the run left out of all models, its results kept, and why.
study::Study withRunLeftOut(study::Study study, int runId, const std::string& reason);

/// The reverse of withRunLeftOut().
study::Study withRunTakenBack(study::Study study, int runId);

} // namespace quadric::widgets
