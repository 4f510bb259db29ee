// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/run_sheet.h"

#include "core/design/generate/augment.h"
#include "core/study/new_records.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/design/matrix/run_matrix.h"
#include "widgets/text/wording.h"

#include <QHBoxLayout>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace quadric::widgets {

NoticeBar::NoticeBar(QWidget* parent)
    : QWidget(parent)
    , m_mark(new QLabel)
    , m_sentence(new QLabel)
    , m_undo(quietButton(tr("U&ndo")))
{
    setObjectName(QStringLiteral("noticeBar"));
    setAttribute(Qt::WA_StyledBackground);
    setStyleSheet(QStringLiteral("#noticeBar { background: palette(alternate-base); border-radius: 4px; }"));
    nameWidget(m_sentence, "noticeSentence", tr("Notice"));
    nameWidget(m_undo, "noticeUndo", tr("Undo the change"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kGap, kGap / 2, kGap, kGap / 2);
    row->setSpacing(kGap);
    row->addWidget(m_mark, 0, Qt::AlignTop);
    row->addWidget(m_sentence, 1);
    row->addWidget(m_undo, 0, Qt::AlignTop);
    connect(m_undo, &QPushButton::clicked, this, &NoticeBar::undoClicked);
    clear();
}

void NoticeBar::say(const QString& sentence, Tone tone, bool canUndo)
{
    m_mark->setText(tone == Tone::Warning ? QStringLiteral("⚠") : QStringLiteral("✓"));
    m_sentence->setText(sentence);
    m_undo->setVisible(canUndo);
    show();
}

void NoticeBar::clear()
{
    m_sentence->clear();
    hide();
}

QString NoticeBar::sentence() const
{
    return m_sentence->text();
}

namespace {

constexpr int kShownProblems = 8;

constexpr int kMostTimes = 20;

/// "run 8" or "3 runs".
QString runsInWords(const std::vector<int>& runs)
{
    return runs.size() == 1 ? tr("run %1").arg(runs.front()) : formatCount(qint64(runs.size()), "run");
}

std::vector<int> filterRuns(const RunSheet& sheet, const std::vector<int>& runs,
                            bool (*is)(const study::Run&))
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
    const std::vector<int> excluded = filterRuns(sheet, runs, isExcludedRun);
    const QString words = runsInWords(runs);
    if (excluded.size() == runs.size())
        menu.addAction(tr("&Include %1").arg(words), &sheet, [&sheet, runs, words] {
            sheet.change(withRunsTakenBack(sheet.context()->study, runs), tr("Include %1").arg(words));
        });
    else
        menu.addAction(tr("&Exclude %1…").arg(words), &sheet,
                       [&sheet, runs] { askForExclusion(sheet, runs); });
}

void repeat(RunSheet& sheet, const std::vector<int>& runs, int times, const QString& label)
{
    const auto added = qint64(runs.size()) * times;
    sheet.change(design::withReplicates(sheet.context()->study, runs, times), label,
                 tr("%1 added after all others.").arg(formatCount(added, "run")));
}

/// Replicate: the selected runs where they are several, otherwise the whole design.
void replicate(RunSheet& sheet, const std::vector<int>& picked)
{
    std::vector<int> runs = picked;
    if (runs.size() < 2)
        runs = design::runsOfDesign(sheet.context()->study);
    const QString words = picked.size() < 2 ? tr("the design") : runsInWords(runs);
    bool isSure = false;
    const int times = QInputDialog::getInt(&sheet, tr("Replicate %1").arg(words),
                                           tr("How many more times shall %1 (%2) be measured?")
                                               .arg(words, formatCount(qint64(runs.size()), "run")),
                                           1, 1, kMostTimes, 1, &isSure);
    if (isSure)
        repeat(sheet, runs, times, tr("Replicate %1").arg(words));
}

void addRepetition(QMenu& menu, RunSheet& sheet, const std::vector<int>& runs)
{
    const QString words = runsInWords(runs);
    menu.addAction(tr("&Duplicate %1").arg(words), &sheet,
                   [&sheet, runs, words] { repeat(sheet, runs, 1, tr("Duplicate %1").arg(words)); });
    menu.addAction(tr("&Replicate %1…").arg(runs.size() < 2 ? tr("the design") : words), &sheet,
                   [&sheet, runs] { replicate(sheet, runs); });
}

void addDeletion(QMenu& menu, RunSheet& sheet, const std::vector<int>& runs)
{
    const std::vector<int> deletable = filterRuns(sheet, runs, canDelete);
    const bool isPossible = !deletable.empty();
    const QString words = runsInWords(isPossible ? deletable : runs);
    QAction* action =
        menu.addAction(isPossible ? tr("De&lete %1").arg(words)
                                  : tr("De&lete %1 (has results: exclude it instead)").arg(words),
                       &sheet, [&sheet, deletable, words] {
                           sheet.change(withoutRuns(sheet.context()->study, deletable),
                                        tr("Delete %1").arg(words), tr("Deleted %1.").arg(words));
                       });
    action->setEnabled(isPossible);
}

void addCells(QMenu& menu, RunSheet& sheet)
{
    RunMatrixView& view = sheet.view();
    menu.addAction(tr("&Copy"), QKeySequence::Copy, &view, &RunMatrixView::copy);
    menu.addAction(tr("Copy runs &with headings"), &view, &RunMatrixView::copyRuns);
    if (sheet.edits() != MatrixEdits{})
        menu.addAction(tr("&Paste"), QKeySequence::Paste, &view, &RunMatrixView::paste);
    if (sheet.edits().results)
        menu.addAction(tr("Cle&ar"), QKeySequence::Delete, &view, &RunMatrixView::clearCells);
    if (const int column = view.currentIndex().column(); column >= 0)
        menu.addAction(tr("&Sort by this column"), &view, [&view, column] { view.sortBy(column); });
}

} // namespace

RunSheet::RunSheet(QWidget* parent)
    : QWidget(parent)
    , m_matrix(new MatrixPanel)
    , m_notice(new NoticeBar)
{
    auto* column = marginless<QVBoxLayout>(this, kGroupGap);
    column->addWidget(m_matrix, 1);
    column->addWidget(m_notice);
    connectMatrix();
}

/// A cell that is being typed into says so when it goes; there is nobody left to hear it.
RunSheet::~RunSheet()
{
    view().disconnect(this);
    model().disconnect(this);
}

void RunSheet::connectMatrix()
{
    connect(&view(), &RunMatrixView::runsPicked, this, &RunSheet::runsPicked);
    connect(&view(), &RunMatrixView::pasteRequested, this, &RunSheet::pasteText);
    connect(&view(), &RunMatrixView::clearRequested, this, &RunSheet::clearCells);
    connect(&view(), &QWidget::customContextMenuRequested, this,
            [this](const QPoint& position) { showRunMenu(*this, position); });
    connect(&model(), &RunMatrixModel::resultTyped, this, &RunSheet::changeResult);
    connect(&model(), &RunMatrixModel::resultRefused, this, &RunSheet::clearNotice);
    connect(&model(), &RunMatrixModel::settingTyped, this, &RunSheet::changeSetting);
    connect(m_notice, &NoticeBar::undoClicked, this, [this] {
        clearNotice();
        emit undoRequested();
    });
}

MatrixEdits RunSheet::edits() const
{
    if (!m_context || m_context->isRunning)
        return {};
    return {m_context->study.benchmark.workload == "none", true};
}

void RunSheet::setContext(ContextPointer context)
{
    const ContextPointer before = std::exchange(m_context, std::move(context));
    if (before && before->path != m_context->path)
        model().forgetRefused();
    m_matrix->setStudy(m_context->study, edits());
    clearNotice();
}

/// What was typed and cannot be taken is not forgotten before it is mended.
void RunSheet::clearNotice()
{
    m_notice->clear();
    const auto& refused = model().refused();
    if (refused.empty())
        return;
    const QString first = refused.begin()->second.reason;
    m_notice->say(
        refused.size() == 1
            ? first
            : tr("%1 %2 more cells have values that cannot be read.").arg(first).arg(refused.size() - 1),
        NoticeBar::Tone::Warning);
}

void RunSheet::change(const study::Study& after, const QString& label, const QString& notice)
{
    if (after == m_context->study)
        return;
    emit changeRequested(after, label, {});
    if (!notice.isEmpty() && m_context->study == after)
        m_notice->say(notice, NoticeBar::Tone::Plain, true);
}

void RunSheet::changeFrom(const StudyContext& start, const study::Study& after, const QString& label,
                          const QString& notice)
{
    const StudyContext& now = *m_context;
    if (now.path != start.path)
        return;
    study::Study next = now.study; // only runs were worked on: the rest is as it is now
    next.runs = study::withNewRecords(after, start.study, now.study).runs;
    next.design = after.design;
    change(next, label, notice);
}

void RunSheet::changeResult(int runId, const QString& response, double value, bool known)
{
    change(withTypedResult(m_context->study, runId, response.toStdString(),
                           known ? std::optional(value) : std::nullopt),
           tr("Type %1 of run %2").arg(response).arg(runId));
}

void RunSheet::changeSetting(int runId, const QString& factor, const QString& typed)
{
    const Edit edit = withSetting(m_context->study, runId, factor.toStdString(), typed);
    if (!edit.isPossible()) {
        model().refuse(runId, factor, {typed, edit.problem});
        return m_notice->say(edit.problem, NoticeBar::Tone::Warning);
    }
    emit settingChanging(runId, factor, typed);
    change(edit.study, tr("Set %1 of run %2").arg(factor).arg(runId));
}

void RunSheet::clearCells(const std::vector<MatrixCell>& cells)
{
    study::Study after = m_context->study;
    int cleared = 0;
    model().forgetRefused();
    for (const MatrixCell& cell : cells) {
        const std::string name = model().matrix().nameOf(cell.column);
        const study::Run* run = study::findRun(after, cell.runId);
        if (cell.column.kind != MatrixColumn::Result || !edits().results || !run ||
            !run->results.contains(name))
            continue;
        after = withTypedResult(std::move(after), cell.runId, name, std::nullopt);
        ++cleared;
    }
    const QString results = formatCount(cleared, "result");
    change(after, tr("Clear %1").arg(results), cleared > 1 ? tr("%1 cleared.").arg(results) : QString());
}

bool RunSheet::confirmPartialPaste(int taken, const QStringList& problems)
{
    const auto count = qint64(problems.size());
    QMessageBox box(QMessageBox::Warning, tr("Paste"),
                    count == 1 ? tr("1 value was not pasted") : tr("%1 values were not pasted").arg(count),
                    QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("pasteProblems"));
    box.setInformativeText(problems.mid(0, kShownProblems).join(QLatin1Char('\n')));
    box.setDetailedText(count > kShownProblems ? problems.join(QLatin1Char('\n')) : QString());
    if (taken > 0)
        box.addButton(tr("Paste the other %1").arg(taken), QMessageBox::AcceptRole)
            ->setObjectName(QStringLiteral("takeOthers"));
    return box.exec() != QMessageBox::Cancel;
}

void RunSheet::pasteText(const QString& text)
{
    const ContextPointer start = m_context;
    const Paste paste = pasteInto(start->study, model().matrix(), view().pasteTarget(), edits(), text);
    if (!paste.problems.isEmpty()) {
        if (!confirmPartialPaste(paste.taken, paste.problems))
            return;
        for (const RefusedPaste& refused : paste.refused)
            model().refuse(refused.runId, refused.name, refused.cell);
    } else if (paste.taken == 0) {
        return m_notice->say(tr("Nothing to paste here. Select the first result cell and paste again."),
                             NoticeBar::Tone::Warning);
    }
    const QString cells = formatCount(paste.taken, "cell");
    changeFrom(*start, paste.study, tr("Paste %1").arg(cells), tr("%1 pasted.").arg(cells));
}

void askForExclusion(RunSheet& sheet, const std::vector<int>& runs)
{
    const QString words = runsInWords(runs);
    QInputDialog dialog(&sheet);
    dialog.setObjectName(QStringLiteral("excludeRuns"));
    dialog.setWindowTitle(tr("Exclude %1").arg(words));
    dialog.setLabelText(tr("Reason for excluding %1 (kept with the data):").arg(words));
    dialog.setOkButtonText(tr("Exclude"));
    if (dialog.exec() == QDialog::Accepted)
        sheet.change(withRunsLeftOut(sheet.context()->study, runs, dialog.textValue().toStdString()),
                     tr("Exclude %1").arg(words));
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
