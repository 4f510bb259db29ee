// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/entry_sheet.h"

#include "widgets/base/style.h"
#include "widgets/design/run_sheet.h"
#include "widgets/text/wording.h"

#include <QHBoxLayout>
#include <QProgressBar>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kBarHeight = 6;

bool isWanted(const study::Run& run)
{
    return run.status != study::RunStatus::Excluded;
}

/// The first run in run order that has not all its results; null: none. One that was marked as failed was
/// measured.
const study::Run* nextRun(const study::Study& study)
{
    for (const study::Run* run : study::inRunOrder(study))
        if (run->status == study::RunStatus::Pending || run->status == study::RunStatus::Running)
            return run;
    return nullptr;
}

} // namespace

EntrySheet::EntrySheet(QWidget* parent)
    : QWidget(parent)
    , m_progress(titleLabel({}))
    , m_bar(new QProgressBar)
    , m_words(mutedLabel({}))
    , m_button(primaryButton({}))
    , m_sheet(new RunSheet)
{
    setObjectName(QStringLiteral("entrySheet"));
    nameWidget(m_progress, "entryProgress", tr("Results entered"));
    nameWidget(m_words, "entryWords", tr("What to do next"));
    nameWidget(m_button, "entryNext", tr("Next step"));
    m_bar->setAccessibleName(tr("Runs with all results"));
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(kBarHeight);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap);
    rows->setSpacing(kGroupGap);
    rows->addLayout(buildHeader());
    rows->addWidget(m_sheet, 1);
    connect(m_button, &QPushButton::clicked, this, &EntrySheet::act);
    connect(m_sheet, &RunSheet::changeRequested, this, &EntrySheet::changeRequested);
    connect(m_sheet, &RunSheet::undoRequested, this, &EntrySheet::undoRequested);
    connect(m_sheet, &RunSheet::runsPicked, this, &EntrySheet::runsPicked);
}

QLayout* EntrySheet::buildHeader()
{
    auto* texts = new QVBoxLayout;
    texts->setSpacing(kGap / 2);
    texts->addWidget(m_progress);
    texts->addWidget(m_bar);
    texts->addWidget(m_words);
    auto* header = new QHBoxLayout;
    header->setSpacing(kPageMargin);
    header->addLayout(texts, 1);
    header->addWidget(m_button, 0, Qt::AlignTop);
    return header;
}

bool EntrySheet::isFor(const study::Study& study)
{
    return study.benchmark.workload == "none";
}

void EntrySheet::setContext(const ContextPointer& context)
{
    const study::Study& study = context->study;
    const auto all = int(std::ranges::count_if(study.runs, isWanted));
    const int done = study::countRuns(study, study::RunStatus::Done);
    const study::Run* next = nextRun(study);
    m_next = next ? next->id : -1;
    const int failed = study::countRuns(study, study::RunStatus::Failed);
    const QString entered = tr("%1 of %2 entered").arg(done).arg(all);
    m_progress->setText(failed > 0 ? entered + tr(", %1 failed").arg(failed) : entered);
    m_bar->setRange(0, std::max(1, all));
    m_bar->setValue(done);
    m_words->setText(
        next ? tr("Next: run %1 (run order %2): %3. You enter the results yourself. Measure in run "
                  "order, then type or paste the results.")
                   .arg(next->id)
                   .arg(next->order)
                   .arg(settingsText(study, next->settings))
             : tr("No run is left to measure."));
    m_button->setText(next ? tr("Enter run %1").arg(next->id) : tr("Explore results"));
    m_sheet->setContext(context);
    m_sheet->model().setNextRun(m_next);
}

void EntrySheet::act()
{
    if (m_next < 0)
        emit exploreRequested();
    else
        m_sheet->view().goToResult(m_next);
}

void EntrySheet::pickRuns(const PickedRuns& runs)
{
    m_sheet->view().pickRuns(runs);
}

} // namespace quadric::widgets
