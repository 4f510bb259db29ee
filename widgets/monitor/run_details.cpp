// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_details.h"

#include "core/report/findings/measurement_findings.h"
#include "core/run/words/run_devices.h"
#include "core/study/disturbance.h"
#include "core/study/outcome.h"
#include "core/text/numbers.h"
#include "widgets/base/theme.h"
#include "widgets/monitor/log_panel.h"
#include "widgets/monitor/run_actions.h"
#include "widgets/monitor/run_charts.h"
#include "widgets/text/findings_list.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

/// Why the run failed, or what disturbed it; empty for a run that is as it should be.
QString problemOf(const study::Run& run)
{
    if (study::isCancelled(run))
        return RunDetails::tr("Cancelled: this run has no result.");
    if (run.status == study::RunStatus::Failed && run.failure)
        return RunDetails::tr("Failed: %1").arg(QString::fromStdString(run.failure->message));
    const std::string disturbance = study::disturbanceOf(run);
    return disturbance.empty() ? QString()
                               : RunDetails::tr("Disturbed: %1").arg(QString::fromStdString(disturbance));
}

/// Which run it is, and on which devices where it had some for itself.
QString titleOf(const study::Run& run)
{
    const QString title = run.kind == study::RunKind::Baseline
                              ? RunDetails::tr("<b>Run %1</b> · baseline").arg(run.id)
                              : RunDetails::tr("<b>Run %1</b> · order %2").arg(run.id).arg(run.order);
    const std::string devices = run::devicesOf(run.provenance).inWords();
    return devices.empty() ? title : title + QStringLiteral(" · ") + QString::fromStdString(devices);
}

} // namespace

RunDetails::RunDetails(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_problem(new QLabel(this))
    , m_actions(new RunActions(this))
    , m_tabs(new QTabWidget)
    , m_log(new LogPanel)
{
    m_title->setTextFormat(Qt::RichText);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* header = new QHBoxLayout;
    header->addWidget(m_title);
    header->addStretch(1);
    header->addWidget(m_actions);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_log, tr("Log"));
    m_tabs->addTab(makeCard(), tr("Data quality"));
    auto* split = new QSplitter(Qt::Horizontal);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(16);
    split->addWidget(m_charts = new RunCharts);
    split->addWidget(m_tabs);
    split->setSizes({1000, 1000});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(header);
    layout->addWidget(m_problem);
    layout->addWidget(split, 1);
    setRun(nullptr);
}

QWidget* RunDetails::makeCard()
{
    m_findings = new FindingsList;
    m_repeat = new QPushButton;
    m_repeat->hide();
    connect(m_repeat, &QPushButton::clicked, this, [this] { emit repeatRequested(m_disturbed); });
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(16);
    layout->addWidget(m_findings);
    layout->addWidget(m_repeat, 0, Qt::AlignLeft);
    layout->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return scroll;
}

void RunDetails::forget()
{
    m_log->clearSearch();
    m_charts->forget();
    setRun(nullptr);
}

void RunDetails::searchLog()
{
    m_tabs->setCurrentIndex(0);
    m_log->goToSearch();
}

void RunDetails::setRun(const study::Run* run)
{
    m_samples = {};
    updateRun(run);
    showCharts();
    m_log->setText({}, logHint());
}

void RunDetails::updateRun(const study::Run* run)
{
    m_title->setText(run ? titleOf(*run) : tr("No run selected"));
    const QString problem = run ? problemOf(*run) : QString();
    const bool isFailed = run && run->status == study::RunStatus::Failed;
    const PlotColors colors = plotColors(palette());
    QPalette words = m_problem->palette();
    words.setColor(QPalette::WindowText, run && study::isCancelled(*run) ? colors.mutedText
                                         : isFailed                      ? colors.error
                                                                         : colors.warning);
    m_problem->setPalette(words);
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    const State before = m_state;
    if (!run)
        m_state = State::None;
    else if (run->status == study::RunStatus::Running)
        m_state = State::Running;
    else
        m_state = run->status == study::RunStatus::Pending ? State::Waiting : State::Over;
    if (m_state == before)
        return;
    m_log->setHint(logHint());
    showCharts();
}

/// A run that has ended without anything to draw leaves the room to its log.
void RunDetails::showCharts()
{
    m_charts->setSamples(m_samples, chartHint(), m_state == State::Running);
    m_charts->setVisible(m_state != State::Over || m_charts->hasCharts());
}

void RunDetails::setContext(const StudyContext& context)
{
    const study::Benchmark& benchmark = context.study.benchmark;
    m_charts->setTellsSteps(benchmark.workload != "command" ||
                            benchmark.parse.kind == study::ParseSpec::Kind::Protocol);
    if (m_charts->setResponses(context.study.responses))
        showCharts();
    m_charts->setSimulated(study::hasSimulatedResults(context.study));
    m_charts->setStudyName(QString::fromStdString(context.study.name));
    const auto card = report::findInMeasurement(context.study, context.fits);
    const auto warnings = std::ranges::count_if(
        card, [](const report::Finding& finding) { return finding.severity != report::Severity::Green; });
    m_findings->setFindings(card);
    m_tabs->setTabText(
        1, warnings == 0
               ? tr("Data quality")
               : tr("Data quality (%1)").arg(QString::fromStdString(text::formatCount(warnings, "warning"))));
    m_disturbed = report::disturbedRuns(context.study);
    m_repeat->setVisible(!m_disturbed.empty());
    m_repeat->setText(m_disturbed.size() == 1 ? tr("Repeat the disturbed run")
                                              : tr("Repeat the %1 disturbed runs").arg(m_disturbed.size()));
}

QString RunDetails::logHint() const
{
    switch (m_state) {
    case State::None:
        return tr("Select a run to see its log.");
    case State::Waiting:
        return tr("This run has not been started yet.");
    case State::Running:
        return tr("No output yet.");
    case State::Over:
        break;
    }
    return tr("No output, or the log file is missing.");
}

QString RunDetails::chartHint() const
{
    switch (m_state) {
    case State::None:
        return tr("Select a run to see its measurements.");
    case State::Waiting:
        return tr("This run has not been started yet.");
    case State::Running:
        return tr("Measurements appear here while the run goes on.");
    case State::Over:
        break;
    }
    return tr("No measurements over time for this run.");
}

void RunDetails::setCompared(std::vector<run::ComparedRun> runs)
{
    m_charts->setCompared(std::move(runs));
    showCharts();
}

void RunDetails::takeSamples(const run::RunSamples& samples, bool isStart)
{
    if (isStart)
        m_samples = samples;
    else {
        m_samples.steps.insert(m_samples.steps.end(), samples.steps.begin(), samples.steps.end());
        m_samples.machine.insert(m_samples.machine.end(), samples.machine.begin(), samples.machine.end());
        m_samples.responses.insert(m_samples.responses.end(), samples.responses.begin(),
                                   samples.responses.end());
        if (!samples.unit.empty())
            m_samples.unit = samples.unit;
    }
    showCharts();
}

void RunDetails::takeLog(const QString& text, bool isStart)
{
    if (isStart)
        m_log->setText(text, logHint());
    else
        m_log->append(text);
}

} // namespace quadric::widgets
