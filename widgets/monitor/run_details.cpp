// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_details.h"

#include "core/report/findings/measurement_findings.h"
#include "core/run/words/events.h"
#include "core/study/run.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/monitor/run_actions.h"
#include "widgets/monitor/run_charts.h"
#include "widgets/text/findings_list.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

/// More than Quadric keeps of a log (run::RunLog::kMostLines).
constexpr int kMostLines = 250000;
constexpr int kMostMarks = 1000;
constexpr double kMarkOpacity = 0.35;

/// Why the run failed, or what disturbed it; empty for a run that is as it should be.
QString describeRunProblem(const study::Run& run)
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
QString formatRunTitle(const study::Run& run)
{
    const QString title = run.kind == study::RunKind::Baseline
                              ? RunDetails::tr("<b>Run %1</b> · baseline").arg(run.id)
                              : RunDetails::tr("<b>Run %1</b> · order %2").arg(run.id).arg(run.order);
    const std::string devices = run::readRunDevices(run.provenance).inWords();
    return devices.empty() ? title : title + QStringLiteral(" · ") + QString::fromStdString(devices);
}

} // namespace

LogPanel::LogPanel(QWidget* parent)
    : QWidget(parent)
    , m_search(new QLineEdit(this))
    , m_count(new QLabel(this))
    , m_text(new QPlainTextEdit(this))
{
    m_search->setPlaceholderText(
        tr("Search the log (%1)").arg(QKeySequence(QKeySequence::Find).toString(QKeySequence::NativeText)));
    m_search->setAccessibleName(tr("Search the log"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_text->setReadOnly(true);
    m_text->setFont(fixedFont());
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setMaximumBlockCount(kMostLines);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setAccessibleName(tr("Log of the run"));
    auto* bar = new QHBoxLayout;
    bar->addWidget(m_search, 1);
    bar->addWidget(m_count);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(bar);
    layout->addWidget(m_text, 1);
    connect(m_search, &QLineEdit::textChanged, this, &LogPanel::search);
}

void LogPanel::setText(const QString& text, const QString& hint)
{
    QScrollBar* bar = m_text->verticalScrollBar();
    const int before = bar->value();
    const bool isAtEnd = before == bar->maximum();
    m_text->setPlaceholderText(hint);
    m_text->setPlainText(text);
    if (isAtEnd)
        m_text->moveCursor(QTextCursor::End);
    else
        bar->setValue(before);
    m_text->horizontalScrollBar()->setValue(0);
    search();
}

void LogPanel::goToSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void LogPanel::clearSearch()
{
    m_search->clear();
}

void LogPanel::setHint(const QString& hint)
{
    m_text->setPlaceholderText(hint);
}

void LogPanel::append(const QString& text)
{
    QScrollBar* bar = m_text->verticalScrollBar();
    const bool isAtEnd = bar->value() == bar->maximum();
    QTextCursor end(m_text->document());
    end.movePosition(QTextCursor::End);
    end.insertText(text);
    if (isAtEnd)
        bar->setValue(bar->maximum());
    if (!m_search->text().isEmpty())
        search();
}

/// Finds all places anew; the current one stays the current one while it is one.
void LogPanel::search()
{
    const int before = m_current >= 0 && m_current < m_places.size() ? m_places[m_current] : -1;
    m_places.clear();
    const QString words = m_search->text();
    const QString text = words.isEmpty() ? QString() : m_text->toPlainText();
    for (qsizetype at = text.indexOf(words, 0, Qt::CaseInsensitive); at >= 0 && !words.isEmpty();
         at = text.indexOf(words, at + words.size(), Qt::CaseInsensitive))
        m_places << static_cast<int>(at);
    m_current = static_cast<int>(m_places.indexOf(before));
    if (m_current < 0 && !m_places.isEmpty())
        step(1);
    mark();
    showCount();
}

void LogPanel::step(int by)
{
    if (m_places.isEmpty())
        return;
    const auto count = static_cast<int>(m_places.size());
    m_current = m_current < 0 ? 0 : (m_current + by + count) % count;
    QTextCursor cursor(m_text->document());
    cursor.setPosition(m_places[m_current]);
    cursor.setPosition(m_places[m_current] + static_cast<int>(m_search->text().size()),
                       QTextCursor::KeepAnchor);
    m_text->setTextCursor(cursor);
    m_text->ensureCursorVisible();
    showCount();
}

void LogPanel::showCount()
{
    if (m_search->text().isEmpty())
        m_count->clear();
    else if (m_places.isEmpty())
        m_count->setText(tr("not found"));
    else
        m_count->setText(tr("%1 of %2").arg(m_current + 1).arg(m_places.size()));
}

void LogPanel::mark()
{
    QList<QTextEdit::ExtraSelection> marks;
    const QColor ground = blend(plotColors(palette()).warning, palette().color(QPalette::Base), kMarkOpacity);
    for (const int place : m_places.mid(0, kMostMarks)) {
        QTextEdit::ExtraSelection each;
        each.format.setBackground(ground);
        each.cursor = QTextCursor(m_text->document());
        each.cursor.setPosition(place);
        each.cursor.setPosition(place + static_cast<int>(m_search->text().size()), QTextCursor::KeepAnchor);
        marks << each;
    }
    m_text->setExtraSelections(marks);
}

void LogPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        mark();
}

bool LogPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            step(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

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
    auto* layout = marginless<QVBoxLayout>(this, 8);
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
    auto* scroll = scrollAreaFor(content);
    scroll->setAccessibleName(tr("Data quality"));
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
    m_title->setText(run ? formatRunTitle(*run) : tr("No run selected"));
    const QString problem = run ? describeRunProblem(*run) : QString();
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

void RunDetails::updateSamples(const run::RunSamples& samples, bool isStart)
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

void RunDetails::updateLog(const QString& text, bool isStart)
{
    if (isStart)
        m_log->setText(text, logHint());
    else
        m_log->append(text);
}

} // namespace quadric::widgets
