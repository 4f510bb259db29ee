// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_bar.h"

#include "core/run/follow/run_durations.h"
#include "core/run/recipe/baseline_needs.h"
#include "core/study/run_records.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <array>

namespace quadric::widgets {

namespace {

using study::BaselineMode;

struct KindWords {
    BaselineMode mode;
    const char *name, *sentence, *label;
};

constexpr std::array kKindWords = {
    KindWords{BaselineMode::Shared, "shared",
              "The speed of one rank is measured once for all runs that can be related to it, in a separate "
              "run.",
              "Shared baselines"},
    KindWords{BaselineMode::Own, "one in each run",
              "Each run measures the speed of one rank itself, in 35 % of its time. Better where others "
              "use the machine all the time.",
              "A baseline in each run"},
    KindWords{BaselineMode::Off, "none",
              "The speed of one rank is not measured: there is no scaling efficiency.", "No baselines"}};

const KindWords& findModeWords(BaselineMode mode)
{
    return *std::ranges::find(kKindWords, mode, &KindWords::mode);
}

/// Empty where none is asked for, or where what the study says cannot be read: the runner refuses that.
std::optional<BaselineMode> modeOf(const study::Study& study)
{
    const bool isShown =
        run::asksForBaselines(study) && study::findProblem(study.benchmark, "baseline").empty();
    return isShown ? std::optional(study.benchmark.baseline) : std::nullopt;
}

constexpr qreal kLargeText = 1.3;

int waitingRuns(const study::Study& study)
{
    return study::countRuns(study, study::RunStatus::Pending) +
           study::countRuns(study, study::RunStatus::Running);
}

QString summaryText(const study::Study& study)
{
    const auto total = static_cast<int>(study.runs.size());
    const int done = study::countRuns(study, study::RunStatus::Done);
    const int failed = study::countFailed(study);
    const int cancelled = study::countCancelled(study);
    const QString all =
        total == 1 ? RunBar::tr("The only run is done") : RunBar::tr("All %1 runs are done").arg(total);
    QString text = done == total ? all : RunBar::tr("%1 of %2 runs done").arg(done).arg(total);
    if (failed > 0)
        text += RunBar::tr(" · %1 failed").arg(failed);
    if (cancelled > 0)
        text += RunBar::tr(" · %1 cancelled").arg(cancelled);
    return text;
}

QString startText(const study::Study& study)
{
    const int waiting = waitingRuns(study);
    const bool hasBegun = study::countRuns(study, study::RunStatus::Done) > 0;
    if (waiting == 0)
        return hasBegun ? RunBar::tr("E&xplore results") : RunBar::tr("No runs pending");
    if (waiting == 1)
        return hasBegun ? RunBar::tr("St&art the last run") : RunBar::tr("St&art the run");
    return hasBegun ? RunBar::tr("St&art remaining %1 runs").arg(waiting)
                    : RunBar::tr("St&art %1 runs").arg(waiting);
}

/// Runs at once on this machine, as the study says; empty where its runs are jobs of a cluster, or where what
/// it says cannot be read, which the runner will refuse.
std::optional<int> parallelHere(const study::Study& study)
{
    const study::Benchmark& benchmark = study.benchmark;
    const bool isReadable = study::findProblem(benchmark, "launcher").empty() &&
                            study::findProblem(benchmark, "parallel").empty();
    return isReadable && benchmark.launcher == study::LauncherKind::Local ? std::optional(benchmark.parallel)
                                                                          : std::nullopt;
}

/// Of the pending runs, from those that are done, or from the limit that their settings have; empty: not
/// known.
std::optional<double> secondsToCome(const study::Study& study)
{
    const int atOnce = parallelHere(study).value_or(1);
    const auto pending = static_cast<std::size_t>(study::countRuns(study, study::RunStatus::Pending));
    if (const auto left = run::estimateTimeLeft(study, std::vector(pending, 1.0 / atOnce), {}))
        return left->seconds;
    const std::optional<double> seconds = run::expectedSeconds(study);
    return seconds ? std::optional(*seconds / atOnce) : std::nullopt;
}

/// What a start takes.
QString forecastText(const study::Study& study)
{
    const int pending = study::countRuns(study, study::RunStatus::Pending);
    const std::optional<double> seconds = pending == 0 ? std::nullopt : secondsToCome(study);
    if (!seconds)
        return {};
    const QString time = formatRoughDuration(*seconds);
    return pending == 1 ? RunBar::tr("1 run takes about %1").arg(time)
                        : RunBar::tr("%1 runs take about %2").arg(pending).arg(time);
}

/// With its interval where that is worth telling.
QString leftText(const std::optional<run::TimeLeft>& left)
{
    if (!left)
        return {};
    return left->isUncertain() ? remainingText(left->seconds, left->low, left->high)
                               : remainingText(left->seconds);
}

} // namespace

BaselineChooser::BaselineChooser(QWidget* parent)
    : QWidget(parent)
    , m_mode(new QComboBox)
{
    for (const KindWords& words : kKindWords) {
        m_mode->addItem(tr(words.name), static_cast<int>(words.mode));
        m_mode->setItemData(m_mode->count() - 1, tr(words.sentence), Qt::ToolTipRole);
    }
    nameWidget(m_mode, "baseline", tr("Baseline of the scaling efficiency"));
    setToolTip(
        tr("Where the speed of one rank comes from, to which the scaling efficiency relates the speed of "
           "several."));
    auto* label = new QLabel(tr("Base&line"));
    label->setBuddy(m_mode);
    auto* layout = marginless<QHBoxLayout>(this, 8);
    layout->addWidget(label);
    layout->addWidget(m_mode);
    connect(m_mode, &QComboBox::activated, this,
            [this] { emit modeChosen(static_cast<BaselineMode>(m_mode->currentData().toInt())); });
}

void BaselineChooser::setStudy(const study::Study& study)
{
    const auto mode = modeOf(study);
    setVisible(mode.has_value());
    m_mode->setCurrentIndex(m_mode->findData(static_cast<int>(mode.value_or(BaselineMode::Shared))));
}

QString BaselineChooser::sentence() const
{
    return tr(findModeWords(static_cast<BaselineMode>(m_mode->currentData().toInt())).sentence);
}

QString baselineModeLabel(BaselineMode mode)
{
    return BaselineChooser::tr(findModeWords(mode).label);
}

RunBar::RunBar(QWidget* parent)
    : QWidget(parent)
    , m_summary(new QLabel(this))
    , m_simulated(new QLabel(tr("simulated data"), this))
    , m_words(new QLabel(this))
    , m_done(new QProgressBar(this))
    , m_baseline(new BaselineChooser(this))
    , m_stop(new QPushButton(tr("S&top"), this))
    , m_button(primaryButton({}, this))
{
    QFont large = m_summary->font();
    large.setPointSizeF(large.pointSizeF() * kLargeText);
    m_summary->setFont(large);
    m_words->setWordWrap(true);
    m_done->setTextVisible(false);
    m_done->setFixedHeight(6);
    m_done->setAccessibleName(tr("Runs done"));
    m_stop->setToolTip(tr("Ends the run in progress, which becomes pending again; all results are kept"));
    m_simulated->setObjectName(QStringLiteral("simulated"));
    m_simulated->setToolTip(tr("The results are simulated, not measured."));
    m_simulated->setStyleSheet(QStringLiteral("QLabel { border: 1px solid palette(mid); border-radius: 4px; "
                                              "padding: 1px 6px; }"));
    m_button->setObjectName(QStringLiteral("startRuns"));
    m_button->setMinimumWidth(176);
    auto* heading = new QHBoxLayout;
    heading->setSpacing(8);
    heading->addWidget(m_summary);
    heading->addWidget(m_simulated);
    heading->addStretch(1);
    auto* words = new QVBoxLayout;
    words->setSpacing(4);
    words->addLayout(heading);
    words->addWidget(m_done);
    words->addWidget(m_words);
    auto* layout = marginless<QHBoxLayout>(this, 16);
    layout->addLayout(words, 1);
    layout->addWidget(m_baseline);
    layout->addWidget(makeParallel());
    layout->addWidget(m_stop);
    layout->addWidget(m_button);
    connect(m_button, &QPushButton::clicked, this, &RunBar::click);
    connect(m_baseline, &BaselineChooser::modeChosen, this, &RunBar::baselineChosen);
    connect(m_stop, &QPushButton::clicked, this, &RunBar::stopRequested);
}

QWidget* RunBar::makeParallel()
{
    m_parallel = new QSpinBox;
    m_parallel->setRange(1, study::kMostParallelRuns);
    m_parallel->setAccessibleName(tr("Runs at once"));
    m_parallel->setKeyboardTracking(false);
    auto* label = new QLabel(tr("Runs at &once"));
    label->setBuddy(m_parallel);
    m_parallelField = new QWidget;
    m_parallelField->setToolTip(tr(
        "<p>How many runs are measured at the same time. Each has GPUs, or whole processor cores, that no "
        "other run uses; a run that needs all of them is measured alone.</p>"
        "<p>Runs side by side still share memory bandwidth, caches, power and cooling: results can be lower "
        "and scatter more than one at a time. For measurements that are compared, keep 1, or one number for "
        "the whole study.</p>"));
    auto* layout = marginless<QHBoxLayout>(m_parallelField, 8);
    layout->addWidget(label);
    layout->addWidget(m_parallel);
    connect(m_parallel, &QSpinBox::valueChanged, this, &RunBar::parallelChosen);
    return m_parallelField;
}

void RunBar::showParallel(const study::Study& study)
{
    const std::optional<int> runs = parallelHere(study);
    const QSignalBlocker isShowing(m_parallel);
    m_parallel->setValue(runs.value_or(1));
    m_parallelField->setVisible(runs.has_value());
    m_parallelField->setEnabled(!m_state.isRunning);
}

void RunBar::show(const study::Study& study, const BarState& state)
{
    m_state = state;
    m_summary->setText(summaryText(study));
    m_simulated->setVisible(study::hasSimulatedResults(study));
    m_done->setRange(0, static_cast<int>(study.runs.size()));
    m_done->setValue(study::countRuns(study, study::RunStatus::Done));
    showWords(study);
    showParallel(study);
    m_baseline->setStudy(study);
    m_baseline->setEnabled(!m_state.isRunning);
    showButtons(study);
}

void RunBar::showWords(const study::Study& study)
{
    QStringList words;
    const int active = study::countRuns(study, study::RunStatus::Running);
    if (m_state.isRunning && active > 1)
        words << tr("%1 runs at work").arg(active);
    if (m_state.isRunning && m_state.isPaused)
        words << tr("Paused: no further run is started");
    if (m_state.isRunning)
        words << leftText(m_state.remaining);
    else
        words << forecastText(study);
    words.removeAll(QString());
    m_words->setText(words.join(QStringLiteral(" · ")));
    m_words->setVisible(!words.isEmpty());
}

void RunBar::showButtons(const study::Study& study)
{
    const bool isFinished = !m_state.isRunning && waitingRuns(study) == 0;
    m_canExplore = isFinished && study::countRuns(study, study::RunStatus::Done) > 0;
    m_button->setEnabled(!isFinished || m_canExplore);
    if (m_stop->hasFocus() && !m_state.isRunning)
        m_button->setFocus(); // not the next field, into which the next keys would go
    m_stop->setVisible(m_state.isRunning);
    if (!m_state.isRunning)
        m_button->setText(startText(study));
    else
        m_button->setText(m_state.isPaused ? tr("&Resume") : tr("&Pause"));
}

void RunBar::click()
{
    if (m_canExplore)
        emit resultsRequested();
    else if (!m_state.isRunning)
        emit startRequested();
    else if (m_state.isPaused)
        emit resumeRequested();
    else
        emit pauseRequested();
}

namespace {

using Severity = RunMessage::Severity;
using Remedy = RunMessage::Remedy;

std::vector<int> failedRuns(const study::Study& study)
{
    std::vector<int> ids;
    for (const study::Run* run : study::inRunOrder(study)) {
        if (run->status == study::RunStatus::Failed && !study::isCancelled(*run))
            ids.push_back(run->id);
    }
    return ids;
}

/// What is said now: why the runner asks, the last message, or that runs have failed.
RunMessage messageNow(const MessageState& state, std::size_t failed)
{
    if (state.isRunning && !state.pausedBecause.isEmpty())
        return {state.pausedBecause, Severity::Warning};
    if (state.isRunning && state.message.severity == Severity::News)
        return {}; // passing news, for which nothing should move
    if (!state.message.words.isEmpty() || state.isRunning || failed == 0)
        return state.message;
    return {MessageBar::tr("%1 failed. The row of each gives the reason.")
                .arg(formatCount(static_cast<qint64>(failed), "run")),
            Severity::Warning};
}

Banner::Tone severityTone(Severity severity)
{
    switch (severity) {
    case Severity::News:
        return Banner::Tone::News;
    case Severity::Good:
        return Banner::Tone::Good;
    case Severity::Warning:
        return Banner::Tone::Warning;
    case Severity::Error:
        break;
    }
    return Banner::Tone::Error;
}

QString severityMark(Severity severity)
{
    switch (severity) {
    case Severity::News:
        return QStringLiteral("●");
    case Severity::Good:
        return QStringLiteral("✓");
    case Severity::Warning:
        return QStringLiteral("▲");
    case Severity::Error:
        break;
    }
    return QStringLiteral("✖");
}

} // namespace

MessageBar::MessageBar(QWidget* parent)
    : Banner(parent)
    , m_edit(addButton("editMeasurement", tr("Edit &measurement…")))
    , m_retry(addButton("retryFailed", {}))
    , m_start(addButton("resumeRuns", tr("Res&ume")))
    , m_goOn(addButton("goOnAnyway", tr("&Go on anyway")))
    , m_stop(addButton("stopRuns", tr("Stop")))
{
    nameWidget(this, "runMessage", tr("Message"));
    hide();
    connect(m_edit, &QPushButton::clicked, this, &MessageBar::editRequested);
    connect(m_retry, &QPushButton::clicked, this, [this] { emit retryRequested(m_failed); });
    connect(m_start, &QPushButton::clicked, this, &MessageBar::startRequested);
    connect(m_goOn, &QPushButton::clicked, this, &MessageBar::goOnRequested);
    connect(m_stop, &QPushButton::clicked, this, &MessageBar::stopRequested);
}

void MessageBar::show(const study::Study& study, const MessageState& state)
{
    m_failed = failedRuns(study);
    const RunMessage message = messageNow(state, m_failed.size());
    setTone(severityTone(message.severity), severityMark(message.severity));
    setWords(message.words);
    showButtons(study, state);
    setVisible(!message.words.isEmpty());
}

void MessageBar::showButtons(const study::Study& study, const MessageState& state)
{
    const bool isAsking = state.isRunning && !state.pausedBecause.isEmpty();
    const bool canRetry = !state.isRunning && !m_failed.empty() && study.benchmark.workload != "none";
    const Remedy remedy = state.message.remedy;
    m_goOn->setVisible(isAsking);
    m_stop->setVisible(isAsking);
    m_retry->setVisible(canRetry);
    m_retry->setText(m_failed.size() == 1
                         ? tr("Retry 1 &failed run")
                         : tr("Retry %1 &failed runs").arg(static_cast<qint64>(m_failed.size())));
    m_start->setVisible(!state.isRunning && remedy == Remedy::Start);
    // A command of the user's own is what most failures are about.
    m_edit->setVisible(!state.isRunning && (remedy == Remedy::EditMeasurement ||
                                            (canRetry && study.benchmark.workload == "command")));
}

} // namespace quadric::widgets
