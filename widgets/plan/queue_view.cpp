// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/queue_view.h"

#include "core/plan/plan_choices.h"
#include "core/plan/words/cluster_tables.h"
#include "core/text/numbers.h"
#include "widgets/base/theme.h"
#include "widgets/plan/plan_controls.h"
#include "widgets/plots/panel/panel_parts.h"

#include <QCheckBox>
#include <QTableView>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <stdexcept>

namespace quadric::widgets {

namespace {

constexpr double kHourSeconds = 3600.0;
constexpr double kHighResponse = 6.0; ///< times the mean job of a slow machine: the axis ends there
constexpr double kHighestLoad = 0.98; ///< of the larger capacity: lines end there
constexpr int kRates = 120;
constexpr int kFastLine = 0, kSlowLine = 1;

std::vector<double> ratesUpTo(double most)
{
    std::vector<double> rates;
    rates.reserve(kRates);
    for (int i = 1; i <= kRates; ++i)
        rates.push_back(most * i / kRates);
    return rates;
}

/// The slow machines' response at hardly any load, several times; higher where those at the rate that is
/// asked for are.
double topOf(const plan::QueueSystems& systems, const plan::ResponseCurves& curves, double rate)
{
    const double usual = kHighResponse * curves.slow.front();
    const plan::ResponseCurves here = plan::responseCurves(systems, {rate});
    double top = usual;
    for (const double response : {here.fast.front(), here.slow.front()})
        if (std::isfinite(response))
            top = std::max(top, 1.2 * std::min(response, 4.0 * usual));
    return top;
}

/// Up to where the axis goes: the line ends there, a system that is overloaded has none.
PanelLine makeResponseLine(const plan::ResponseCurves& curves, const std::vector<double>& responses,
                           double top, double unit, int category)
{
    PanelLine line{{}, {}, LineRole::Fit, category};
    for (std::size_t i = 0; i < curves.rates.size() && responses[i] <= top; ++i) {
        line.x.push_back(curves.rates[i] * kHourSeconds);
        line.y.push_back(responses[i] / unit);
    }
    return line;
}

void addSimulated(Panel& panel, const plan::QueueAnswer& answer, double rate, const text::TimeUnit& unit,
                  int category)
{
    if (!answer.simulated)
        return;
    const plan::Estimate& response = answer.simulated->response;
    panel.dots.push_back(
        {.x = rate * kHourSeconds,
         .y = response.value / unit.seconds,
         .role = DotRole::Mean,
         .tip = QueuePlot::tr("%1: mean response %2 %3")
                    .arg(QString::fromStdString(answer.name),
                         formatInterval(response.value / unit.seconds, response.low / unit.seconds,
                                        response.high / unit.seconds),
                         QLatin1String(unit.name)),
         .category = category});
}

SliderKind loadKind()
{
    return {.name = QueueView::tr("Load"),
            .tooltip = QueueView::tr("Jobs that come, as a share of what all slow machines can serve."),
            .low = 0.05,
            .high = 0.98,
            .show = showShare,
            .read = readShareFrom(0.01, 0.99),
            .expected = QueueView::tr("expected 1 % to 99 %")};
}

SliderKind speedUpKind()
{
    return {.name = QueueView::tr("Fast machine"),
            .tooltip = QueueView::tr("How many times as fast as a slow machine it does a job."),
            .low = 1.0,
            .high = 16.0,
            .isLog = true,
            .show = showNumber(QueueView::tr("× as fast")),
            .read = readNumberFrom(0.01, 1000.0, QueueView::tr("× as fast")),
            .expected = QueueView::tr("expected 0.01 to 1000")};
}

SliderKind variationKind()
{
    return {.name = QueueView::tr("Variation of the jobs"),
            .tooltip = QueueView::tr("Standard deviation of their times over the mean: 0 all alike, 1 "
                                     "exponential."),
            .low = 0.0,
            .high = 3.0,
            .show = showNumber({}),
            .read = readNumberFrom(0.0, 10.0, {}),
            .expected = QueueView::tr("expected 0 to 10")};
}

} // namespace

QueuePlot::QueuePlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Mean response over the rate of jobs"));
    clear(tr("No run tells how long a job takes."));
}

void QueuePlot::setQueue(const plan::QueueSystems& systems, double rate,
                         const std::optional<plan::QueuePlan>& plan)
{
    const double most =
        kHighestLoad * std::max(plan::capacityOf(systems.fast), plan::capacityOf(systems.slow));
    const plan::ResponseCurves curves = plan::responseCurves(systems, ratesUpTo(most));
    const double top = topOf(systems, curves, rate);
    const text::TimeUnit unit = text::findTimeUnit(curves.slow.front());
    Panel panel;
    panel.x = {tr("jobs per hour"), {0.0, most * kHourSeconds * 1.02, false}};
    panel.y = {tr("mean response (%1)").arg(QLatin1String(unit.name)), {0.0, top / unit.seconds, false}};
    panel.lines = {
        makeResponseLine(curves, curves.fast, top, unit.seconds, kFastLine),
        makeResponseLine(curves, curves.slow, top, unit.seconds, kSlowLine),
        straightLine(rate * kHourSeconds, 0.0, rate * kHourSeconds, top / unit.seconds, LineRole::Reference)};
    PanelBoard board;
    board.legend = {{.sample = LegendEntry::Sample::Line,
                     .text = QString::fromStdString(systems.fast.name),
                     .category = kFastLine},
                    {.sample = LegendEntry::Sample::Line,
                     .text = QString::fromStdString(systems.slow.name),
                     .category = kSlowLine},
                    {.sample = LegendEntry::Sample::Dot, .text = tr("simulated"), .dot = DotRole::Plain}};
    if (plan) {
        addSimulated(panel, plan->fast, rate, unit, kFastLine);
        addSimulated(panel, plan->slow, rate, unit, kSlowLine);
        board.table = typeset(plan::makeQueueTable(*plan));
    }
    board.panels.push_back(std::move(panel));
    setBoard(std::move(board));
}

QueueView::QueueView(QWidget* parent)
    : PlanView(parent)
    , m_load(new ValueSlider(loadKind(), this))
    , m_machines(new ValueSlider(countKind(tr("Slow machines"),
                                           tr("How many slow machines there are instead of the fast one."),
                                           16, 1000),
                                 this))
    , m_speedUp(new ValueSlider(speedUpKind(), this))
    , m_isSpread(new QCheckBox(tr("Jobs of a distribution"), this))
    , m_variation(new ValueSlider(variationKind(), this))
    , m_figure(new QueuePlot(this))
{
    m_load->setObjectName(QStringLiteral("queueLoad"));
    m_isSpread->setObjectName(QStringLiteral("queueSpread"));
    m_isSpread->setToolTip(tr("Not the times of the runs, but a gamma distribution with their mean."));
    for (QWidget* control :
         std::initializer_list<QWidget*>{m_load, m_machines, m_speedUp, m_isSpread, m_variation})
        addControl(control);
    setPlot(m_figure);
    m_systemTable = addTable(tr("Systems"));
    m_systemTable->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    wire();
}

void QueueView::wire()
{
    follow(m_load, tr("Load"), &plan::PlanChoices::load);
    follow(m_machines, tr("Slow machines"), &plan::PlanChoices::machines);
    follow(m_speedUp, tr("Fast machine"), &plan::PlanChoices::speedUp);
    follow(m_variation, tr("Variation of the jobs"), &plan::PlanChoices::variation);
    connect(m_isSpread, &QCheckBox::clicked, this, [this](bool isSpread) {
        choose(tr("Jobs that queue"), [isSpread](plan::PlanChoices& choices) {
            choices.variation = isSpread ? std::optional(1.0) : std::nullopt;
        });
    });
}

void QueueView::showControls()
{
    const plan::PlanChoices& choices = source().choices;
    m_load->setValue(choices.load);
    m_machines->setValue(choices.machines);
    m_speedUp->setValue(choices.speedUp.value_or(choices.machines));
    m_isSpread->setChecked(choices.variation.has_value());
    m_variation->setVisible(choices.variation.has_value());
    m_variation->setValue(choices.variation.value_or(1.0));
}

void QueueView::showAnswer()
{
    if (m_models != source().models || source().choices != m_planOf) {
        m_models = -1;
        if (!ask())
            return;
        m_models = source().models;
        m_planOf = source().choices;
    }
    showQueue();
}

/// Whether there are jobs; otherwise it says why there are none.
bool QueueView::ask()
{
    m_plan.reset();
    try {
        m_asked = plan::queueQuestion(source().study(), *source().fit(), source().choices);
        m_rate = source().choices.load * plan::capacityOf(m_asked.slow);
    } catch (const std::invalid_argument& error) {
        m_planJob.cancel();
        const QString reason = QString::fromUtf8(error.what());
        setSentence(reason);
        m_figure->clear(reason);
        showTable(m_systemTable, {});
        return false;
    }
    startJob(
        m_planJob,
        [systems = m_asked, rate = m_rate](const std::stop_token&) { return plan::planQueue(systems, rate); },
        [this](const plan::QueuePlan& plan) {
            m_plan = plan;
            showQueue();
        });
    return true;
}

QString QueueView::queueText() const
{
    const QString rate = formatNumber(m_rate * kHourSeconds);
    if (!m_plan)
        return tr("%1 jobs per hour: simulating …").arg(rate);
    const QString answer = QString::fromStdString(plan::describeQueue(*m_plan));
    return m_plan->difference ? tr("At %1 jobs per hour, %2").arg(rate, answer) : answer;
}

void QueueView::showQueue()
{
    m_figure->setQueue(m_asked, m_rate, m_plan);
    setSentence(queueText());
    m_systemTable->setEnabled(m_plan.has_value()); // what is of the question before is no answer
    if (m_plan)
        showTable(m_systemTable, plan::makeQueueTable(*m_plan));
}

} // namespace quadric::widgets
