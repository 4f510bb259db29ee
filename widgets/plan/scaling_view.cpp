// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/scaling_view.h"

#include "core/plan/words/cluster_tables.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/plan/plan_controls.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <QTableView>

namespace quadric::widgets {

namespace {

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

std::vector<PanelDot> measuredDots(const plan::ScaleModel& scale, const QString& unit)
{
    std::vector<PanelDot> dots;
    for (const plan::ScalingPoint& point : scale.points)
        dots.push_back(
            {.x = double(point.count),
             .y = point.speed,
             .role = DotRole::Mean,
             .tip = ScalingPlot::tr("%1 GPUs: %2 %3 (mean of the runs, adjusted to these settings)")
                        .arg(point.count)
                        .arg(formatNumber(point.speed), unit)});
    return dots;
}

AxisScale speedScale(const plan::ScalePlan& plan)
{
    std::vector<double> values{plan.curve.front().speed.value * plan.curve.back().count /
                               plan.curve.front().count};
    for (const plan::ForecastRow& row : plan.curve)
        values.insert(values.end(), {row.speed.low, row.speed.high});
    std::erase_if(values, [](double value) { return !(value > 0.0); });
    return scaleOver(values, true, 0.04);
}

constexpr int kShownSpeeds = 3; ///< rows of the table that are seen at once

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

void ScalingPlot::setPlan(const model::Fit& fit, const plan::ScaleModel& scale, const plan::ScalePlan& plan)
{
    if (plan.rows.empty())
        return clear(QString::fromStdString(scale.forecast.message));
    Panel panel;
    panel.grid = PanelGrid::Both;
    const double first = plan.curve.front().count, last = plan.curve.back().count;
    panel.x = {tr("GPUs"), scaleOver({first, last}, true, 0.03)};
    panel.y = {tr("speed (%1)").arg(speedUnit(fit)), speedScale(plan)};
    panel.bands.push_back(bandOf(plan));
    panel.lines.push_back(idealLine(plan));
    for (PanelLine& line : lawLines(plan, scale.forecast.measured.back()))
        panel.lines.push_back(std::move(line));
    panel.dots = measuredDots(scale, speedUnit(fit));
    if (plan.lastWorthwhile < last)
        panel.limits.push_back(
            {double(plan.lastWorthwhile), tr("doubling pays up to %1").arg(plan.lastWorthwhile)});
    PanelBoard board;
    board.title = nameText(fit.response);
    board.panels.push_back(std::move(panel));
    board.legend = {{.sample = LegendEntry::Sample::Dot, .text = tr("measured"), .dot = DotRole::Mean},
                    {.sample = LegendEntry::Sample::LineInBand,
                     .text = tr("forecast, %1 interval").arg(formatPercent(plan::kForecastConfidence, 0))},
                    {.sample = LegendEntry::Sample::Line, .text = tr("ideal"), .line = LineRole::Reference}};
    board.table = typeset(plan::makeSpeedTable(plan.rows));
    setBoard(std::move(board));
}

ScalingView::ScalingView(QWidget* parent)
    : PlanView(parent)
    , m_doublings(new ValueSlider(
          countKind(tr("Doublings beyond the runs"),
                    tr("How far beyond the largest measured count the forecast goes."), 8, 10),
          this))
    , m_worth(new ValueSlider(worthKind(), this))
    , m_figure(new ScalingPlot(this))
{
    m_factor =
        addChooser(tr("GPUs"), tr("The factor that is the number of GPUs."), QStringLiteral("scaleFactor"));
    addControl(m_doublings);
    addControl(m_worth);
    addSettings();
    setPlot(m_figure);
    m_table = addTable(tr("Speeds"));
    follow(m_doublings, tr("Doublings"), &plan::PlanChoices::doublings);
    follow(m_worth, tr("What a doubling is worth"), &plan::PlanChoices::worth);
    follow(m_factor, tr("Number of GPUs"), &plan::PlanChoices::countFactor);
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
    showSettings(factorName());
}

/// The laws are fitted anew only where what they follow changes.
void ScalingView::fitModel(std::size_t factor)
{
    const model::Fit& fit = *source().fit();
    const Fitted asked{source().models, fit.response, factor, source().settings};
    if (asked == m_fitted)
        return;
    m_model = plan::modelScale(source().study(), fit, factor, asked.settings);
    m_fitted = asked;
}

void ScalingView::showAnswer()
{
    if (const auto factor = plan::countFactorOf(source().study(), source().choices)) {
        fitModel(*factor);
    } else {
        m_model = {.forecast = {.message = "Choose the factor that is the number of GPUs."}};
        m_fitted = {};
    }
    const plan::ScalePlan plan = plan::planScale(m_model.forecast, source().choices);
    setSentence(scaleText(plan));
    m_figure->setPlan(*source().fit(), m_model, plan);
    m_table->setVisible(!plan.rows.empty());
    if (plan.rows.empty())
        setRemark({});
    else
        showSpeeds(plan);
}

QString ScalingView::scaleText(const plan::ScalePlan& plan) const
{
    if (plan.rows.empty())
        return QString::fromStdString(m_model.forecast.message);
    const plan::ForecastRow& last = plan.rows.back();
    QString text = tr("%1 GPUs give %2 %3 (%4 interval %5), %6 of ideal. ")
                       .arg(last.count)
                       .arg(formatNumber(last.speed.value, (last.speed.high - last.speed.low) / 2.0),
                            speedUnit(*source().fit()), formatPercent(plan::kForecastConfidence, 0),
                            QString::fromStdString(text::formatRange(last.speed.low, last.speed.high,
                                                                     text::Typography::Typeset)),
                            formatPercent(last.efficiency, 0));
    text += QString::fromStdString(
        plan::describeWorth(source().choices.worth, plan.lastWorthwhile, plan.rows.front().count));
    return text + cautionText(false);
}

void ScalingView::showSpeeds(const plan::ScalePlan& plan)
{
    showTable(m_table, plan::makeSpeedTable(plan.rows), kShownSpeeds);
    QStringList sentences;
    for (const std::string& sentence : plan::listLawAssumptions(m_model.forecast.laws.front().law.kind))
        sentences << QString::fromStdString(sentence);
    setRemark(tr("Assumptions: %1").arg(sentences.join(QLatin1Char(' '))));
}

} // namespace quadric::widgets
