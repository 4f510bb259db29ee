// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/profiler_panel.h"

#include "core/model/feasibility/feasibility.h"
#include "core/optimize/next/chosen_limits.h"
#include "core/report/tables/answer_tables.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/optimize/views/answer_figures.h"
#include "widgets/optimize/views/optimize_views.h"
#include "widgets/plots/profiler/profiler.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

/// Least height of the profiler, in lines of text: of a row, and of the axes below all of them.
constexpr double kRowLines = 2.2, kAxisLines = 4.4, kMostLines = 14.0;

/// A smaller share of the interval's half width is a difference between two searches, not between settings.
constexpr double kLeastDifference = 0.005;

/// "images_per_sec −8 400 img/s": what is predicted with the padlocks less what is predicted without.
QStringList differences(const Answer& answer)
{
    QStringList parts;
    for (std::size_t i = 0; i < answer.best.responses.size() && i < answer.free.responses.size(); ++i) {
        const optimize::ResponseAtOptimum& held = answer.best.responses[i];
        const study::Response* response = study::findResponse(answer.study(), held.response);
        const double change = held.predicted.mean - answer.free.responses[i].predicted.mean;
        const std::optional<double> uncertainty = report::findUncertainty(held.predicted);
        const double least =
            kLeastDifference * uncertainty.value_or(std::abs(answer.free.responses[i].predicted.mean));
        if (response == nullptr || response->goal == study::Goal::None || std::abs(change) <= least)
            continue;
        const std::string unit = text::unitOfDifference(response->unit);
        const QString sign = change > 0 ? QStringLiteral("+") : QString();
        parts << nameText(held.response) + QLatin1Char(' ') + sign + formatNumber(change, uncertainty) +
                     (unit.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(unit));
    }
    return parts;
}

} // namespace

QString costText(const Answer& answer)
{
    if (answer.locked.empty())
        return {};
    const QString held = ProfilerPanel::tr("With %1 held").arg(settingsText(answer.study(), answer.locked));
    if (!answer.best.isOk())
        return held + QStringLiteral(": ") + QString::fromStdString(answer.best.message);
    if (!answer.free.isOk() || answer.free.settings == answer.best.settings)
        return ProfilerPanel::tr("%1: no cost, the best setting has it.").arg(held);
    const QString before = desirabilityText(answer.free.overall),
                  after = desirabilityText(answer.best.overall);
    const QStringList changes = differences(answer);
    if (changes.isEmpty() && before == after)
        return ProfilerPanel::tr("%1: almost no cost, D = %2 either way.").arg(held, after);
    const QString cost = before == after
                             ? ProfilerPanel::tr("%1: D stays at %2").arg(held, after)
                             : ProfilerPanel::tr("%1: D falls from %2 to %3").arg(held, before, after);
    return cost +
           (changes.isEmpty() ? QString() : QStringLiteral("; ") + changes.join(QStringLiteral(", "))) +
           QLatin1Char('.');
}

ProfilerPanel::ProfilerPanel(OptimizeSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_words(new SteadyLabel(1, this))
    , m_back(new QPushButton(tr("&Back to the optimum"), this))
    , m_profiler(new Profiler(this))
{
    m_words->setObjectName(QStringLiteral("lockCost"));
    m_words->setToolTip(
        tr("Lock a factor with its padlock, or with the key L, to see what holding it costs."));
    m_back->setObjectName(QStringLiteral("backToOptimum"));
    m_profiler->setObjectName(QStringLiteral("profiler"));
    describePlot(*m_profiler, *findView(optimizeViews(), "profiler"));
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_words, 1);
    addRunsLimit(*head);
    addNearRunsChooser(*head);
    head->addWidget(m_back);
    auto* layout = marginless<QVBoxLayout>(this, 4);
    layout->addLayout(head);
    layout->addWidget(m_profiler, 1);
    connect(m_back, &QPushButton::clicked, &m_session, &OptimizeSession::returnToBest);
    connect(m_profiler, &Profiler::valueRequested, &m_session, &OptimizeSession::moveFactor);
    connect(m_profiler, &Profiler::lockToggled, &m_session, &OptimizeSession::toggleLock);
}

/// In the order of optimize::NearRuns.
void ProfilerPanel::addNearRunsChooser(QHBoxLayout& row)
{
    m_nearRuns = addLabeledChooser(row, tr("E&xtrapolation"), this);
    nameWidget(m_nearRuns, "nearRuns", tr("Extrapolation"));
    m_nearRuns->addItems({tr("allow"), tr("warn"), tr("stay near the runs")});
    m_nearRuns->setToolTip(
        tr("Settings that no run supports are allowed, marked with a warning, or avoided by search and "
           "profiler."));
    connect(m_nearRuns, &QComboBox::activated, &m_session,
            [this](int choice) { m_session.setNearRuns(static_cast<optimize::NearRuns>(choice)); });
}

/// Only where runs failed is there anything to ask for.
void ProfilerPanel::addRunsLimit(QHBoxLayout& row)
{
    m_runsLimitName = new QLabel(tr("P(r&uns) ≥"), this);
    m_runsLimit = new QSpinBox(this);
    nameWidget(m_runsLimit, "runsLimit", tr("Least P(runs)"));
    m_runsLimit->setRange(0, 99);
    m_runsLimit->setSingleStep(5);
    m_runsLimit->setSuffix(tr(" %"));
    m_runsLimit->setKeyboardTracking(false);
    m_runsLimit->setToolTip(
        tr("How surely a setting has to give a result to be recommended, learned from the runs that failed; "
           "above 50 % by the lower end of the 95 % interval. Settings where a run gave a result are always "
           "allowed, those where one failed never."));
    m_runsLimitName->setBuddy(m_runsLimit);
    row.addWidget(m_runsLimitName);
    row.addWidget(m_runsLimit);
    connect(m_runsLimit, &QSpinBox::valueChanged, &m_session,
            [this](int percent) { m_session.setRunsLimit(percent / 100.0); });
}

void ProfilerPanel::showRunsLimit(const study::Study& study)
{
    const bool isAsked = model::feasibilityOf(study) != nullptr;
    m_runsLimitName->setVisible(isAsked);
    m_runsLimit->setVisible(isAsked);
    const QSignalBlocker quiet(m_runsLimit);
    m_runsLimit->setValue(static_cast<int>(std::lround(100.0 * optimize::readLeastRunsProbability(study))));
}

void ProfilerPanel::refresh(Change change)
{
    if (change == Change::Status)
        return;
    const Answer& answer = m_session.answer();
    const QString cost = costText(answer);
    m_words->setText(cost.isEmpty() ? tr("Drag a red line to change a factor; lock it with the padlock.")
                                    : cost);
    if (m_profiler->isSimulated() != answer.isSimulated())
        m_profiler->setSimulated(answer.isSimulated());
    m_profiler->setSource({nameText(answer.study().name), {}});
    const ProfilerData shown = profilerData(answer);
    const double lines =
        std::min(kMostLines, kRowLines * static_cast<double>(shown.cells.size()) + kAxisLines);
    m_profiler->setMinimumSize(240, std::max(180, static_cast<int>(lines * fontMetrics().height())));
    m_profiler->setData(shown);
    showRunsLimit(answer.study());
    m_nearRuns->setCurrentIndex(static_cast<int>(optimize::readNearRuns(answer.study())));
    m_back->setEnabled(answer.best.isOk() && !answer.isAtBest());
}

} // namespace quadric::widgets
