// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/run_menu.h"

#include "core/design/generate/replicate.h"
#include "widgets/base/theme.h"
#include "widgets/design/matrix/run_edits.h"
#include "widgets/design/run_sheet.h"

#include <QCoreApplication>
#include <QInputDialog>
#include <QMenu>

#include <algorithm>
#include <iterator>

namespace quadric::widgets {

namespace {

constexpr int kMostTimes = 20;

QString runWords(const char* text)
{
    return QCoreApplication::translate("RunMenu", text);
}

/// "run 8" or "3 runs".
QString runsInWords(const std::vector<int>& runs)
{
    return runs.size() == 1 ? runWords("run %1").arg(runs.front()) : formatCount(qint64(runs.size()), "run");
}

std::vector<int> runsThat(const RunSheet& sheet, const std::vector<int>& runs, bool (*is)(const study::Run&))
{
    std::vector<int> those;
    std::ranges::copy_if(runs, std::back_inserter(those), [&](int id) {
        const study::Run* run = study::findRun(sheet.context()->study, id);
        return run && is(*run);
    });
    return those;
}

bool isExcludedRun(const study::Run& run)
{
    return run.status == study::RunStatus::Excluded;
}

void addExclusion(QMenu& menu, RunSheet& sheet, const std::vector<int>& runs)
{
    const std::vector<int> excluded = runsThat(sheet, runs, isExcludedRun);
    const QString words = runsInWords(runs);
    if (excluded.size() == runs.size())
        menu.addAction(runWords("&Include %1").arg(words), &sheet, [&sheet, runs, words] {
            sheet.change(withRunsTakenBack(sheet.context()->study, runs), runWords("Include %1").arg(words));
        });
    else
        menu.addAction(runWords("&Exclude %1…").arg(words), &sheet,
                       [&sheet, runs] { askForExclusion(sheet, runs); });
}

void repeat(RunSheet& sheet, const std::vector<int>& runs, int times, const QString& label)
{
    const auto added = qint64(runs.size()) * times;
    sheet.change(design::withReplicates(sheet.context()->study, runs, times), label,
                 runWords("%1 added after all others.").arg(formatCount(added, "run")));
}

/// Replicate: the selected runs where they are several, otherwise the whole design.
void replicate(RunSheet& sheet, const std::vector<int>& picked)
{
    std::vector<int> runs = picked;
    if (runs.size() < 2)
        runs = design::runsOfDesign(sheet.context()->study);
    const QString words = picked.size() < 2 ? runWords("the design") : runsInWords(runs);
    bool isSure = false;
    const int times = QInputDialog::getInt(&sheet, runWords("Replicate %1").arg(words),
                                           runWords("How many more times shall %1 (%2) be measured?")
                                               .arg(words, formatCount(qint64(runs.size()), "run")),
                                           1, 1, kMostTimes, 1, &isSure);
    if (isSure)
        repeat(sheet, runs, times, runWords("Replicate %1").arg(words));
}

void addRepetition(QMenu& menu, RunSheet& sheet, const std::vector<int>& runs)
{
    const QString words = runsInWords(runs);
    menu.addAction(runWords("&Duplicate %1").arg(words), &sheet,
                   [&sheet, runs, words] { repeat(sheet, runs, 1, runWords("Duplicate %1").arg(words)); });
    menu.addAction(runWords("&Replicate %1…").arg(runs.size() < 2 ? runWords("the design") : words), &sheet,
                   [&sheet, runs] { replicate(sheet, runs); });
}

void addDeletion(QMenu& menu, RunSheet& sheet, const std::vector<int>& runs)
{
    const std::vector<int> deletable = runsThat(sheet, runs, canDelete);
    const bool isPossible = !deletable.empty();
    const QString words = runsInWords(isPossible ? deletable : runs);
    QAction* action =
        menu.addAction(isPossible ? runWords("De&lete %1").arg(words)
                                  : runWords("De&lete %1 (has results: exclude it instead)").arg(words),
                       &sheet, [&sheet, deletable, words] {
                           sheet.change(withoutRuns(sheet.context()->study, deletable),
                                        runWords("Delete %1").arg(words), runWords("Deleted %1.").arg(words));
                       });
    action->setEnabled(isPossible);
}

void addCells(QMenu& menu, RunSheet& sheet)
{
    RunMatrixView& view = sheet.view();
    menu.addAction(runWords("&Copy"), QKeySequence::Copy, &view, &RunMatrixView::copy);
    menu.addAction(runWords("Copy runs &with headings"), &view, &RunMatrixView::copyRuns);
    if (sheet.edits() != MatrixEdits{})
        menu.addAction(runWords("&Paste"), QKeySequence::Paste, &view, &RunMatrixView::paste);
    if (sheet.edits().results)
        menu.addAction(runWords("Cle&ar"), QKeySequence::Delete, &view, &RunMatrixView::clearCells);
    if (const int column = view.currentIndex().column(); column >= 0)
        menu.addAction(runWords("&Sort by this column"), &view, [&view, column] { view.sortBy(column); });
}

} // namespace

void askForExclusion(RunSheet& sheet, const std::vector<int>& runs)
{
    const QString words = runsInWords(runs);
    QInputDialog dialog(&sheet);
    dialog.setObjectName(QStringLiteral("excludeRuns"));
    dialog.setWindowTitle(runWords("Exclude %1").arg(words));
    dialog.setLabelText(runWords("Reason for excluding %1 (kept with the data):").arg(words));
    dialog.setOkButtonText(runWords("Exclude"));
    if (dialog.exec() == QDialog::Accepted)
        sheet.change(withRunsLeftOut(sheet.context()->study, runs, dialog.textValue().toStdString()),
                     runWords("Exclude %1").arg(words));
}

void showRunMenu(RunSheet& sheet, const QPoint& position)
{
    QMenu menu(&sheet);
    menu.setObjectName(QStringLiteral("runMenu"));
    addCells(menu, sheet);
    std::vector<int> runs = sheet.view().pickedRuns();
    if (runs.empty() && sheet.view().currentIndex().isValid())
        runs = {sheet.view().runIdAt(sheet.view().currentIndex().row())};
    if (!runs.empty() && !sheet.context()->isRunning) {
        menu.addSeparator();
        addExclusion(menu, sheet, runs);
        addRepetition(menu, sheet, runs);
        addDeletion(menu, sheet, runs);
    }
    menu.exec(sheet.view().viewport()->mapToGlobal(position));
}

} // namespace quadric::widgets
