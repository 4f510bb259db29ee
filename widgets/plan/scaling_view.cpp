// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/scaling_view.h"

#include "core/plan/words/cluster_tables.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/plan/plan_controls.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

namespace quadric::widgets {

namespace {

constexpr int kApartLine = 1, kOverlappedLine = 2;

/// As far as the runs reach, and beyond them.
std::vector<PanelLine> lawLines(const plan::ScalePlan& plan, int lastMeasured)
{
    PanelLine inside, beyond;
    beyond.role = LineRole::Extrapolation;
    for (const plan::ForecastRow& row : plan.curve) {
        if (row.count <= lastMeasured) {
            inside.x.push_back(row.count);
            inside.y.push_back(row.speed.value);
        }
        if (row.count >= lastMeasured) {
            beyond.x.push_back(row.count);
            beyond.y.push_back(row.speed.value);
        }
    }
    return {inside, beyond};
}

PanelBand bandOf(const plan::ScalePlan& plan)
{
    PanelBand band;
    for (const plan::ForecastRow& row : plan.curve) {
        band.x.push_back(row.count);
        band.low.push_back(row.speed.low);
        band.high.push_back(row.speed.high);
    }
    return band;
}

PanelLine idealLine(const plan::ScalePlan& plan)
{
    const plan::ForecastRow& first = plan.curve.front();
    const int last = plan.curve.back().count;
    return straightLine(first.count, first.speed.value, last, first.speed.value * last / first.count,
                        LineRole::Reference);
}

std::vector<PanelDot> measuredDots(const plan::ScalePlan& plan, const QString& unit)
{
    std::vector<PanelDot> dots;
    for (const plan::ScalingPoint& point : plan.points)
        dots.push_back(
            {.x = double(point.count),
             .y = point.speed,
             .role = DotRole::Mean,
             .tip = ScalingPlot::tr("%1 GPUs: %2 %3 (mean of the runs, adjusted to these settings)")
                        .arg(point.count)
                        .arg(formatNumber(point.speed), unit)});
    return dots;
}

/// Without overlap and with it.
std::vector<PanelLine> linkLines(const plan::ScalePlan& plan)
{
    PanelLine apart, overlapped;
    apart.category = kApartLine;
    overlapped.category = kOverlappedLine;
    for (const plan::LinkSpeed& speed : plan.links) {
        apart.x.push_back(speed.count);
        apart.y.push_back(speed.apart);
        overlapped.x.push_back(speed.count);
        overlapped.y.push_back(speed.overlapped);
    }
    return {apart, overlapped};
}

AxisScale speedScale(const plan::ScalePlan& plan)
{
    std::vector<double> values{plan.curve.front().speed.value * plan.curve.back().count /
                               plan.curve.front().count};
    for (const plan::ForecastRow& row : plan.curve)
        values.insert(values.end(), {row.speed.low, row.speed.high});
    for (const plan::LinkSpeed& speed : plan.links)
        values.insert(values.end(), {speed.apart, speed.overlapped});
    std::erase_if(values, [](double value) { return !(value > 0.0); });
    return scaleOver(values, true, 0.04);
}

std::vector<LegendEntry> scalingLegend(const plan::ScalePlan& plan)
{
    std::vector<LegendEntry> legend{
        {.sample = LegendEntry::Sample::Dot, .text = ScalingPlot::tr("measured"), .dot = DotRole::Mean},
        {.sample = LegendEntry::Sample::LineInBand,
         .text = ScalingPlot::tr("forecast, %1 interval").arg(formatPercent(plan.confidence, 0))},
        {.sample = LegendEntry::Sample::Line, .text = ScalingPlot::tr("ideal"), .line = LineRole::Reference}};
    if (plan.links.empty())
        return legend;
    legend.push_back({.sample = LegendEntry::Sample::Line,
                      .text = ScalingPlot::tr("over the links, nothing hidden"),
                      .category = kApartLine});
    legend.push_back({.sample = LegendEntry::Sample::Line,
                      .text = ScalingPlot::tr("with overlap"),
                      .category = kOverlappedLine});
    return legend;
}

constexpr double kLinkShare = 0.01; ///< of the speeds over links, which come from round figures
constexpr int kShownSpeeds = 3;     ///< rows of the table that are seen at once

SliderKind worthKind()
{
    return {.name = ScalingView::tr("A doubling pays from"),
            .tooltip =
                ScalingView::tr("Twice the GPUs are worth their money where they multiply the speed by "
                                "at least this."),
            .low = 1.05,
            .high = 1.95,
            .show = showNumber(ScalingView::tr("× the speed")),
            .read = readNumberFrom(1.0, 2.0, ScalingView::tr("× the speed")),
            .expected = ScalingView::tr("expected 1 to 2")};
}

} // namespace

QString speedUnit(const model::Fit& fit)
{
    return plan::isRateUnit(fit.unit) ? QString::fromStdString(fit.unit) : QStringLiteral("1/s");
}

ScalingPlot::ScalingPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Speed of larger clusters"));
    clear(tr("No factor is the number of GPUs."));
}

void ScalingPlot::setPlan(const model::Fit& fit, const plan::ScalePlan& plan)
{
    if (plan.laws.empty())
        return clear(QString::fromStdString(plan.message));
    const int lastMeasured = plan::distinctCounts(plan.points).back();
    Panel panel;
    panel.grid = PanelGrid::Both;
    const double first = plan.curve.front().count, last = plan.curve.back().count;
    panel.x = {tr("GPUs"), scaleOver({first, last}, true, 0.03)};
    panel.y = {tr("speed (%1)").arg(speedUnit(fit)), speedScale(plan)};
    panel.bands.push_back(bandOf(plan));
    panel.lines.push_back(idealLine(plan));
    for (PanelLine& line : lawLines(plan, lastMeasured))
        panel.lines.push_back(std::move(line));
    if (!plan.links.empty())
        for (PanelLine& line : linkLines(plan))
            panel.lines.push_back(std::move(line));
    panel.dots = measuredDots(plan, speedUnit(fit));
    if (plan.lastWorthwhile < last)
        panel.limits.push_back(
            {double(plan.lastWorthwhile), tr("doubling pays up to %1").arg(plan.lastWorthwhile)});
    PanelBoard board;
    board.title = nameText(fit.response);
    board.panels.push_back(std::move(panel));
    board.legend = scalingLegend(plan);
    board.table = typeset(plan::makeSpeedTable(plan.rows, plan.confidence));
    setBoard(std::move(board));
}

ScalingView::ScalingView(QWidget* parent)
    : PlanView(parent)
    , m_doublings(new ValueSlider(
          countKind(tr("Doublings beyond the runs"),
                    tr("How far beyond the largest measured count the forecast goes."), 8, 10),
          this))
    , m_worth(new ValueSlider(worthKind(), this))
    , m_perNode(new ValueSlider(
          countKind(tr("GPUs of a node"),
                    tr("1: all links are alike. Otherwise the laws of exchange have two levels."), 16, 1024),
          this))
    , m_price(
          new ValueSlider(priceKind(tr("Price of a GPU hour"),
                                    tr("In any currency; adds the cost of a million units of work."), 20.0),
                          this))
    , m_links(new LinkControls(this))
    , m_figure(new ScalingPlot(this))
    , m_assumptions(mutedLabel({}, this))
{
    m_factor =
        addChooser(tr("GPUs"), tr("The factor that is the number of GPUs."), QStringLiteral("scaleFactor"));
    for (ValueSlider* control : {m_doublings, m_worth, m_perNode, m_price})
        addControl(control);
    addControl(m_links);
    addSettings();
    setPlot(m_figure);
    m_table = addTable(tr("Speeds"));
    m_assumptions->setObjectName(QStringLiteral("scaleAssumptions"));
    addBelow(m_assumptions);
    wire();
}

void ScalingView::wire()
{
    follow(m_doublings, tr("Doublings"), &plan::PlanChoices::doublings);
    follow(m_worth, tr("What a doubling is worth"), &plan::PlanChoices::worth);
    follow(m_perNode, tr("GPUs of a node"), &plan::PlanChoices::perNode);
    follow(m_price, tr("Price of a GPU hour"), &plan::PlanChoices::gpuHour);
    follow(m_factor, tr("Number of GPUs"), &plan::PlanChoices::countFactor);
    connect(m_links, &LinkControls::choicesChanged, this, &PlanView::choicesChanged);
}

/// The factor that is the number of GPUs; empty: none is.
std::string ScalingView::factorName() const
{
    const auto count = plan::countFactorOf(source().study(), source().choices);
    return count ? source().study().factors[*count].name : std::string();
}

void ScalingView::showControls()
{
    listNumericFactors(*m_factor, factorName());
    const plan::PlanChoices& choices = source().choices;
    m_doublings->setValue(choices.doublings);
    m_worth->setValue(choices.worth);
    m_perNode->setValue(choices.perNode);
    m_price->setValue(choices.gpuHour);
    m_links->showLinks(source());
    showSettings(factorName());
}

const plan::ScaleModel& ScalingView::modelFor(std::size_t factor)
{
    const model::Fit& fit = *source().fit();
    const Fitted asked{source().models, fit.response, factor, source().settings, source().choices.perNode};
    if (asked != m_fitted) {
        m_model = plan::modelScale(source().study(), fit, factor, asked.settings, asked.perNode);
        m_fitted = asked;
        m_curve.clear();
    }
    if (const int doublings = source().choices.doublings;
        m_curve.empty() || doublings != m_doublingsOfCurve) {
        m_curve = plan::curveOf(m_model, doublings);
        m_doublingsOfCurve = doublings;
    }
    return m_model;
}

void ScalingView::showAnswer()
{
    const auto factor = plan::countFactorOf(source().study(), source().choices);
    if (!factor)
        return showScale({.message = "Choose the factor that is the number of GPUs."});
    const plan::ScaleModel& scale = modelFor(*factor);
    showScale(plan::planScale(scale, m_curve, source().study(), *source().fit(), source().settings,
                              source().choices));
}

QString ScalingView::scaleText(const plan::ScalePlan& plan) const
{
    if (plan.laws.empty())
        return QString::fromStdString(plan.message);
    const plan::ForecastRow& last = plan.rows.back();
    const QString unit = speedUnit(*source().fit());
    QString text = tr("%1 GPUs give %2 %3 (%4 interval %5), %6 of ideal. ")
                       .arg(last.count)
                       .arg(formatNumber(last.speed.value, (last.speed.high - last.speed.low) / 2.0), unit,
                            formatPercent(plan.confidence, 0),
                            QString::fromStdString(text::formatRange(last.speed.low, last.speed.high,
                                                                     text::Typography::Typeset)),
                            formatPercent(last.efficiency, 0));
    text += QString::fromStdString(
        plan::describeWorth(source().choices.worth, plan.lastWorthwhile, plan.rows.front().count));
    if (const auto idle = plan::findIdleCounts(plan.rows, plan.node))
        text += QLatin1Char(' ') + QString::fromStdString(idle->sentence);
    if (!plan.links.empty()) {
        const plan::LinkSpeed& most = plan.links.back();
        text += tr(" Over the chosen links %1 GPUs give %2 to %3 %4.")
                    .arg(most.count)
                    .arg(formatNumber(most.apart, kLinkShare * most.apart),
                         formatNumber(most.overlapped, kLinkShare * most.overlapped), unit);
    }
    return text + cautionText(false);
}

QString ScalingView::remark() const
{
    return m_assumptions->text();
}

void ScalingView::showScale(const plan::ScalePlan& plan)
{
    setSentence(scaleText(plan));
    m_figure->setPlan(*source().fit(), plan);
    m_table->setVisible(!plan.laws.empty());
    m_assumptions->setVisible(!plan.laws.empty());
    if (plan.laws.empty())
        return;
    const double price = source().choices.gpuHour;
    std::function<plan::Estimate(const plan::ForecastRow&)> cost;
    if (price > 0.0)
        cost = [this, price](const plan::ForecastRow& row) {
            return plan::costOfMillion(price, row, 1.0 / plan::perSecond(*source().fit(), 1.0));
        };
    showTable(m_table, plan::makeSpeedTable(plan.rows, plan.confidence, cost, plan.links), kShownSpeeds);
    QStringList sentences;
    for (const std::string& sentence : plan::listLawAssumptions(plan.laws.front().law.kind))
        sentences << QString::fromStdString(sentence);
    m_assumptions->setText(tr("Assumptions: %1").arg(sentences.join(QLatin1Char(' '))));
}

} // namespace quadric::widgets
