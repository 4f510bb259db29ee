// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"
#include "widgets/wizard/sheets/sheet_model.h"

#include <QStringList>

#include <vector>

namespace quadric::widgets {

enum class WizardStep;

/// Something to mend, and the step of the wizard where it is mended.
struct WizardProblem {
    WizardStep step;
    QString words = {};
    bool isError = true;         ///< the study cannot be made
    bool isShownInPlace = false; ///< the page says it beside what is wrong
    bool isMissing = false;      ///< nothing is wrong, it is only not entered yet
};

/// What is wrong with a study that is being made, step by step: what study::validate() finds, what is still
/// missing, and what the built-in workload would not do. Without the runs, which are laid out by the program.
std::vector<WizardProblem> findWizardProblems(const study::Study& study);

/// A problem of study::validate() as a sentence, for people who look at a table and not at a file.
QString problemWords(const study::Study& study, const study::Problem& problem);

/// The cells of a table that study::validate() finds something in, or in which something was refused. `list`
/// is "factors" or "responses", `columns` the column of each key of the document.
std::vector<CellProblem> cellProblems(const study::Study& study, const char* list,
                                      const std::map<QString, int>& columns, const SheetModel& sheet);

/// A sentence for each.
QStringList inWords(const std::vector<CellProblem>& problems);

} // namespace quadric::widgets
