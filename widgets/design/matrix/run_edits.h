// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QString>

#include <optional>

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

/// The study with these runs left out of all models, their results kept, and why.
study::Study withRunsLeftOut(study::Study study, const std::vector<int>& runIds, const std::string& reason);

/// The reverse of withRunsLeftOut().
study::Study withRunsTakenBack(study::Study study, const std::vector<int>& runIds);

/// True where nothing is known of the run but its settings: what was measured is excluded, never deleted.
bool canDelete(const study::Run& run);

/// The study without those of these runs that canDelete() allows.
study::Study withoutRuns(study::Study study, const std::vector<int>& runIds);

} // namespace quadric::widgets
