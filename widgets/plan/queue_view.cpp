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

namespace quadric::widgets {

namespace {

constexpr double kHourSeconds = 3600.0;
constexpr double kHighResponse = 6.0; ///< times the mean job of a slow machine: the axis ends there
constexpr int kFastLine = 0, kSlowLine = 1, kGangDot = 2;

double responseAt(const std::vector<double>& rates, const std::vector<double>& responses, double rate)
{
    const auto above = std::ranges::lower_bound(rates, rate);
    return above == rates.end() ? responses.back()
                                : responses[static_cast<std::size_t>(above - rates.begin())];
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
         .tip = QueuePlot::tr("%1: mean response %2 %3, 95 % of the jobs at most %4 %3")
                    .arg(QString::fromStdString(answer.name),
                         formatInterval(response.value / unit.seconds, response.low / unit.seconds,
                                        response.high / unit.seconds),
                         QLatin1String(unit.name),
                         formatNumber(answer.simulated->responseQuantile / unit.seconds)),
         .category = category});
}

constexpr int kSimulatedJobs = 100'000;
constexpr double kAnHour = 3600.0;

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

SliderKind gangSpeedUpKind()
{
    SliderKind kind = speedUpKind();
    kind.name = QueueView::tr("Together");
    kind.tooltip = QueueView::tr("How many times as fast as one of them they do a job together.");
    return kind;
}

} // namespace

QueuePlot::QueuePlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Mean response over the rate of jobs"));
    clear(tr("No run tells how long a job takes."));
}

void QueuePlot::setQueue(const plan::QueueSystems& systems, double rate,
                         const std::optional<plan::QueuePlan>& plan,
                         const std::optional<plan::QueueTurn>& turn)
{
    const plan::ResponseCurves curves = plan::responseCurves(systems);
    double top = kHighResponse * curves.slow.front();
    for (const double response :
         {responseAt(curves.rates, curves.fast, rate), responseAt(curves.rates, curves.slow, rate)})
        if (std::isfinite(response))
            top = std::max(top, 1.2 * std::min(response, 4.0 * kHighResponse * curves.slow.front()));
    const text::TimeUnit unit = text::findTimeUnit(curves.slow.front());
    Panel panel;
    panel.x = {tr("jobs per hour"), {0.0, curves.rates.back() * kHourSeconds * 1.02, false}};
    panel.y = {tr("mean response (%1)").arg(QLatin1String(unit.name)), {0.0, top / unit.seconds, false}};
    panel.lines.push_back(makeResponseLine(curves, curves.fast, top, unit.seconds, kFastLine));
    if (!plan::hasGangs(systems.slow)) // for which there is no formula
        panel.lines.push_back(makeResponseLine(curves, curves.slow, top, unit.seconds, kSlowLine));
    panel.lines.push_back(
        straightLine(rate * kHourSeconds, 0.0, rate * kHourSeconds, top / unit.seconds, LineRole::Reference));
    if (turn && turn->rate)
        panel.limits.push_back({*turn->rate * kHourSeconds, tr("the answer turns")});
    PanelBoard board;
    board.legend = {{.sample = LegendEntry::Sample::Line,
                     .text = QString::fromStdString(systems.fast.name),
                     .category = kFastLine},
                    {.sample = LegendEntry::Sample::Line,
                     .text = QString::fromStdString(systems.slow.name),
                     .category = kSlowLine},
                    {.sample = LegendEntry::Sample::Dot, .text = tr("simulated"), .dot = DotRole::Plain}};
    if (plan && plan->gangs && plan->gangs->simulated) // it has no line, and no dot where it is overloaded
        board.legend.push_back({.sample = LegendEntry::Sample::Dot,
                                .text = QString::fromStdString(systems.gangs->name),
                                .dot = DotRole::Mean,
                                .category = kGangDot});
    if (plan) {
        addSimulated(panel, plan->fast, rate, unit, kFastLine);
        addSimulated(panel, plan->slow, rate, unit, kSlowLine);
        if (plan->gangs)
            addSimulated(panel, *plan->gangs, rate, unit, kGangDot);
        board.table = typeset(plan::makeQueueTable(plan::answersOf(*plan)));
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
    , m_gang(
          new ValueSlider(countKind(tr("GPUs for each job"),
                                    tr("Slow machines that serve one job together; 1: none do."), 16, 1000),
                          this))
    , m_gangSpeedUp(new ValueSlider(gangSpeedUpKind(), this))
    , m_jobs(new JobSource(this))
    , m_isSpread(new QCheckBox(tr("Jobs of a distribution"), this))
    , m_variation(new ValueSlider(variationKind(), this))
    , m_price(
          new ValueSlider(priceKind(tr("Price of waiting, per hour"),
                                    tr("What an hour of waiting of one job costs, in any currency."), 100.0),
                          this))
    , m_figure(new QueuePlot(this))
{
    m_load->setObjectName(QStringLiteral("queueLoad"));
    m_isSpread->setObjectName(QStringLiteral("queueSpread"));
    m_isSpread->setToolTip(tr("Not the times of the runs, but a gamma distribution with their mean."));
    for (QWidget* control :
         {static_cast<QWidget*>(m_load), static_cast<QWidget*>(m_machines), static_cast<QWidget*>(m_speedUp),
          static_cast<QWidget*>(m_gang), static_cast<QWidget*>(m_gangSpeedUp), static_cast<QWidget*>(m_jobs),
          static_cast<QWidget*>(m_isSpread), static_cast<QWidget*>(m_variation),
          static_cast<QWidget*>(m_price)})
        addControl(control);
    setPlot(m_figure);
    m_systemTable = addTable(tr("Systems"));
    m_variabilityTable = addTable(tr("Variability and load"));
    for (QTableView* table : {m_systemTable, m_variabilityTable})
        table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    addSliders();
}

void QueueView::addSliders()
{
    follow(m_load, tr("Load"), &plan::PlanChoices::load);
    follow(m_machines, tr("Slow machines"), &plan::PlanChoices::machines);
    follow(m_speedUp, tr("Fast machine"), &plan::PlanChoices::speedUp);
    follow(m_variation, tr("Variation of the jobs"), &plan::PlanChoices::variation);
    follow(m_price, tr("Price of waiting"), &plan::PlanChoices::waitingPrice);
    follow(m_gang, tr("GPUs for each job"), &plan::PlanChoices::gang);
    follow(m_gangSpeedUp, tr("Speed of a gang"), &plan::PlanChoices::gangSpeedUp);
    connect(m_jobs, &JobSource::choicesChanged, this, &PlanView::choicesChanged);
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
    m_gang->setValue(choices.gang);
    m_gangSpeedUp->setValue(choices.gangSpeedUp.value_or(choices.gang));
    m_gangSpeedUp->setVisible(choices.gang > 1);
    m_jobs->showChoices(choices);
    m_isSpread->setChecked(choices.variation.has_value());
    m_variation->setVisible(choices.variation.has_value());
    m_variation->setValue(choices.variation.value_or(1.0));
    m_price->setValue(choices.waitingPrice);
}

void QueueView::showAnswer()
{
    plan::PlanChoices planOf = source().choices;
    planOf.waitingPrice = 0.0; // it changes the sentence only
    const bool isSame = m_models == source().models && planOf == m_planOf;
    if (!isSame && !ask())
        return;
    if (!isSame)
        simulate();
    m_planOf = planOf;
    showQueue();
}

/// The systems, and the rate at which jobs come; false where there is no answer, with the reason.
bool QueueView::ask()
{
    plan::PlanChoices turnOf = source().choices;
    turnOf.load = turnOf.waitingPrice = 0.0;
    m_rate = source().choices.load * m_capacity;
    if (m_models == source().models && m_turnOf == turnOf)
        return true; // the same systems
    try {
        m_asked = plan::queueQuestion(source().study(), *source().fit(), source().choices);
    } catch (const std::invalid_argument& error) {
        m_planJob.cancel();
        m_turnJob.cancel();
        m_turn.reset();
        m_models = -1;
        const QString reason = QString::fromUtf8(error.what());
        setSentence(reason);
        m_figure->clear(reason);
        showTable(m_systemTable, {});
        showTable(m_variabilityTable, {});
        return false;
    }
    m_models = source().models;
    m_turnOf = turnOf;
    m_turn.reset();
    m_turnJob.cancel();
    m_capacity = plan::computeCapacity(m_asked.slow, plan::drawArrivals(kCapacityJobs, 1));
    m_rate = source().choices.load * m_capacity;
    return true;
}

/// Where the answer turns does not depend on the load and the price.
void QueueView::simulate()
{
    m_plan.reset();
    startJob(
        m_planJob,
        [systems = m_asked, rate = m_rate](const std::stop_token&) {
            return plan::planQueue(systems, rate, plan::drawArrivals(kSimulatedJobs, 1));
        },
        [this](const plan::QueuePlan& plan) {
            m_plan = plan;
            showQueue();
        });
    if (m_turn || m_turnJob.isBusy())
        return;
    startJob(
        m_turnJob,
        [systems = m_asked](const std::stop_token&) {
            return plan::findTurn(systems, plan::kLowAndHighLoad, plan::drawArrivals(kSimulatedJobs, 1));
        },
        [this](const plan::QueueTurn& turn) {
            m_turn = turn;
            showQueue();
        });
}

QString QueueView::queueText() const
{
    const QString rate = formatNumber(m_rate * kAnHour);
    if (!m_plan)
        return tr("%1 jobs per hour: simulating …").arg(rate);
    QString text =
        m_plan->difference
            ? tr("At %1 jobs per hour, ").arg(rate) + QString::fromStdString(plan::describeDifference(
                                                          m_plan->fast, m_plan->slow, m_plan->difference))
            : QString::fromStdString(
                  plan::describeOverload(m_plan->fast.simulated ? m_plan->slow : m_plan->fast, m_rate));
    if (m_plan->gangs && !m_plan->gangs->simulated)
        text += tr(" They overload %1.").arg(QString::fromStdString(m_plan->gangs->name));
    if (m_plan->gangDifference)
        text += QLatin1Char(' ') + QString::fromStdString(plan::describeDifference(
                                       m_plan->fast, *m_plan->gangs, m_plan->gangDifference));
    if (m_turn)
        text += QLatin1Char(' ') +
                QString::fromStdString(plan::describeTurn(m_plan->fast, m_plan->slow, m_turn->rate));
    const double price = source().choices.waitingPrice;
    const auto cost = [&](const plan::QueueAnswer& system) {
        const plan::Estimate& wait = system.simulated->wait;
        return formatInterval(price * m_rate * wait.value, price * m_rate * wait.low,
                              price * m_rate * wait.high);
    };
    if (price > 0.0 && m_plan->difference)
        text += tr(" Waiting costs per hour: %1 with %2, %3 with %4.")
                    .arg(cost(m_plan->fast), QString::fromStdString(m_plan->fast.name), cost(m_plan->slow),
                         QString::fromStdString(m_plan->slow.name));
    return text;
}

void QueueView::showQueue()
{
    m_figure->setQueue(m_asked, m_rate, m_plan, m_turn);
    setSentence(queueText());
    // What is of the question before stays, but is not offered as an answer.
    m_systemTable->setEnabled(m_plan.has_value());
    m_variabilityTable->setEnabled(m_turn.has_value());
    if (m_plan)
        showTable(m_systemTable, plan::makeQueueTable(plan::answersOf(*m_plan)));
    if (m_turn)
        showTable(m_variabilityTable, plan::makeVariabilityTable(m_turn->table));
}

} // namespace quadric::widgets
