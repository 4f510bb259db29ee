// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/run_sheet.h"

#include "core/study/document/merge.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/design/notice_bar.h"
#include "widgets/design/run_menu.h"

#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace quadric::widgets {

namespace {

constexpr int kShownProblems = 8;

} // namespace

RunSheet::RunSheet(QWidget* parent)
    : QWidget(parent)
    , m_matrix(new MatrixPanel)
    , m_notice(new NoticeBar)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGroupGap);
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
    connect(&view(), &RunMatrixView::pasteRequested, this, &RunSheet::takePaste);
    connect(&view(), &RunMatrixView::clearRequested, this, &RunSheet::clearCells);
    connect(&view(), &QWidget::customContextMenuRequested, this,
            [this](const QPoint& position) { showRunMenu(*this, position); });
    connect(&model(), &RunMatrixModel::resultTyped, this, &RunSheet::takeResult);
    connect(&model(), &RunMatrixModel::resultRefused, this, &RunSheet::clearNotice);
    connect(&model(), &RunMatrixModel::settingTyped, this, &RunSheet::takeSetting);
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
    if (now.path == start.path)
        change(study::merge(start.study, after, now.study).study, label, notice);
}

void RunSheet::takeResult(int runId, const QString& response, double value, bool known)
{
    change(withTypedResult(m_context->study, runId, response.toStdString(),
                           known ? std::optional(value) : std::nullopt),
           tr("Type %1 of run %2").arg(response).arg(runId));
}

void RunSheet::takeSetting(int runId, const QString& factor, const QString& typed)
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

bool RunSheet::mayPaste(int taken, const QStringList& problems)
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

void RunSheet::takePaste(const QString& text)
{
    const ContextPointer start = m_context;
    const Paste paste = pasteInto(start->study, model().matrix(), view().pasteTarget(), edits(), text);
    if (!paste.problems.isEmpty()) {
        if (!mayPaste(paste.taken, paste.problems))
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

} // namespace quadric::widgets
