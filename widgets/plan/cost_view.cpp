// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/cost.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/plan/plan_controls.h"
#include "widgets/plan/plan_view.h"
#include "widgets/plots/panel/panel_plot.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

/// What a run costs and how long it takes over the number of GPUs, with 95 % bands.
class CostPlot : public PanelPlot {
public:
    explicit CostPlot(QWidget* parent = nullptr);
    void setPlan(const study::Study& study, const study::Settings& settings, const plan::CostPlan& plan);
};

using Part = plan::Estimate plan::RunCost::*;

/// The axis goes no further than so many times the largest median, for an interval may have no end.
constexpr double kMostOfBand = 2.0;

/// Median and band of one part of the costs; where an end is not finite there is no band.
Panel costPanel(const study::Study& study, const study::Settings& settings, const plan::CostPlan& plan,
                Part part, const QString& title, double unit)
{
    const study::Factor& factor = *study::findFactor(study, plan.factor);
    Panel panel;
    PanelLine line;
    PanelBand band;
    std::vector<double> values{0.0}; // that the axis shows
    for (const plan::CostPoint& point : plan.along) {
        const plan::Estimate& estimate = point.cost.*part;
        if (!std::isfinite(estimate.value))
            continue;
        line.x.push_back(point.setting);
        line.y.push_back(estimate.value / unit);
        const double high = std::isfinite(estimate.high) ? estimate.high : estimate.value;
        band.x.push_back(point.setting);
        band.low.push_back(estimate.low / unit);
        band.high.push_back(high / unit);
    }
    const double largest = line.y.empty() ? 1.0 : *std::ranges::max_element(line.y);
    for (const double high : band.high)
        values.push_back(std::min(high, kMostOfBand * largest));
    panel.x = {nameWithUnit(factor.name, factor.unit),
               scaleOver(line.x, factor.scale == study::Scale::Log2, 0.02)};
    panel.y = {title, scaleOver(values, false)};
    panel.bands.push_back(std::move(band));
    panel.lines.push_back(std::move(line));
    const double here = (plan.here.*part).value / unit;
    if (std::isfinite(here))
        panel.dots.push_back({.x = study::numberOf(settings.at(plan.factor)),
                              .y = here,
                              .role = DotRole::Shown,
                              .tip = CostPlot::tr("at the settings: %1").arg(formatNumber(here))});
    return panel;
}

TextTable costTable(const study::Study& study, const plan::CostPlan& plan, const QString& money)
{
    const study::Factor& factor = *study::findFactor(study, plan.factor);
    TextTable table;
    table.caption = CostPlot::tr("Cost of a run");
    table.columns = {{nameWithUnit(factor.name, factor.unit), {}, true},
                     {money, {}, true},
                     {CostPlot::tr("energy (kWh)"), {}, true},
                     {CostPlot::tr("time (s)"), {}, true}};
    const auto text = [](const plan::Estimate& estimate) {
        return std::isfinite(estimate.high) ? formatInterval(estimate.value, estimate.low, estimate.high)
                                            : formatNumber(estimate.value);
    };
    for (const plan::CostPoint& point : plan.along)
        table.rows.push_back({formatNumber(point.setting), text(point.cost.money),
                              text(point.cost.kilowattHours), text(point.cost.seconds)});
    return table;
}

CostPlot::CostPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Cost of a run"));
    clear(tr("No numeric factor to go along."));
}

void CostPlot::setPlan(const study::Study& study, const study::Settings& settings, const plan::CostPlan& plan)
{
    if (plan.along.empty())
        return clear(tr("No numeric factor to go along."));
    double longest = 0.0;
    for (const plan::CostPoint& point : plan.along)
        if (std::isfinite(point.cost.seconds.value))
            longest = std::max(longest, point.cost.seconds.value);
    const text::TimeUnit unit = text::findTimeUnit(longest);
    const QString money = plan.isInGpuHours ? tr("GPU hours of a run") : tr("cost of a run");
    PanelBoard board;
    board.panels.push_back(costPanel(study, settings, plan, &plan::RunCost::money, money, 1.0));
    board.panels.push_back(costPanel(study, settings, plan, &plan::RunCost::seconds,
                                     tr("time of a run (%1)").arg(QLatin1String(unit.name)), unit.seconds));
    board.legend = {
        {.sample = LegendEntry::Sample::LineInBand, .text = tr("median, 95 % interval of one run")},
        {.sample = LegendEntry::Sample::Dot, .text = tr("at the settings"), .dot = DotRole::Shown}};
    board.table = costTable(study, plan, money);
    setBoard(std::move(board));
}

SliderKind wattsKind()
{
    return {.name = PlanView::tr("Power of a GPU"),
            .tooltip = PlanView::tr("With its share of the machine, where no response is the energy."),
            .low = 0.0,
            .high = 1500.0,
            .show = showNumber(QStringLiteral("W")),
            .read = readNumberFrom(0.0, 1e6, QStringLiteral("W")),
            .expected = PlanView::tr("expected 0 W or more")};
}

QString estimateText(const plan::Estimate& estimate)
{
    return std::isfinite(estimate.high) && std::isfinite(estimate.low)
               ? formatInterval(estimate.value, estimate.low, estimate.high)
               : PlanView::tr("%1 (no upper end)").arg(formatNumber(estimate.value));
}

/// What a run costs, in money and energy.
class CostView : public PlanView {
public:
    CostView();

protected:
    void showControls() override;
    void showAnswer() override;

private:
    void addControls();
    void wire();
    void fillChooser();
    QString costText(const plan::CostPlan& plan) const;

    ValueSlider* m_gpuHour = nullptr;
    ValueSlider* m_kilowattHour = nullptr;
    ValueSlider* m_fixed = nullptr;
    ValueSlider* m_watts = nullptr;
    QComboBox* m_energy = nullptr;
    CostPlot* m_figure = nullptr;
};

CostView::CostView()
    : m_gpuHour(new ValueSlider(priceKind(tr("Price of a GPU hour"), tr("In any currency."), 20.0), this))
    , m_kilowattHour(
          new ValueSlider(priceKind(tr("Price of a kilowatt hour"), tr("In the same currency."), 1.0), this))
    , m_fixed(new ValueSlider(
          priceKind(tr("Fixed cost of a run"), tr("What each run costs besides, however long."), 100.0),
          this))
    , m_watts(new ValueSlider(wattsKind(), this))
    , m_figure(new CostPlot(this))
{
    addControls();
    setPlot(m_figure);
    wire();
}

void CostView::addControls()
{
    m_gpuHour->setObjectName(QStringLiteral("costGpuHour"));
    addControl(m_gpuHour);
    addControl(m_kilowattHour);
    addControl(m_fixed);
    m_energy = addChooser(tr("Energy"),
                          tr("Where the energy comes from: power × time, or a response that is the "
                             "energy of all GPUs for a unit of the work, in J."),
                          QStringLiteral("costEnergy"));
    addControl(m_watts);
    addSettings();
}

void CostView::wire()
{
    follow(m_gpuHour, tr("Price of a GPU hour"), &plan::PlanChoices::gpuHour);
    follow(m_kilowattHour, tr("Price of a kilowatt hour"), &plan::PlanChoices::kilowattHour);
    follow(m_fixed, tr("Fixed cost of a run"), &plan::PlanChoices::fixedCost);
    follow(m_watts, tr("Power of a GPU"), &plan::PlanChoices::watts);
    follow(m_energy, tr("Energy"), &plan::PlanChoices::energy);
}

void CostView::fillChooser()
{
    const QSignalBlocker quiet(m_energy);
    m_energy->clear();
    m_energy->addItem(tr("power × time"), QString());
    for (const model::Fit& fit : source().context->fits)
        if (fit.isOk() && fit.dfResidual > 0 && fit.response != source().fit()->response)
            m_energy->addItem(nameWithUnit(fit.response, fit.unit), QString::fromStdString(fit.response));
    m_energy->setCurrentIndex(
        std::max(0, m_energy->findData(QString::fromStdString(source().choices.energy))));
}

void CostView::showControls()
{
    fillChooser();
    const plan::PlanChoices& choices = source().choices;
    m_gpuHour->setValue(choices.gpuHour);
    m_kilowattHour->setValue(choices.kilowattHour);
    m_fixed->setValue(choices.fixedCost);
    m_watts->setValue(choices.watts);
    m_watts->setVisible(choices.energy.empty());
    showSettings();
}

void CostView::showAnswer()
{
    const plan::CostPlan plan = plan::planCost(source().study(), source().context->fits, *source().fit(),
                                               source().settings, source().choices);
    setSentence(costText(plan));
    m_figure->setHeld(settingsText(source().study(), source().settings));
    m_figure->setPlan(source().study(), source().settings, plan);
}

QString CostView::costText(const plan::CostPlan& plan) const
{
    if (QString impossible = impossibleText(source().settings); !impossible.isEmpty())
        return impossible;
    const QString money = estimateText(plan.here.money), gpus = formatCount(plan.gpus, "GPU");
    QString text = plan.isInGpuHours ? tr("One run takes %1 GPU hours on %2 (median, 95 % interval).")
                                     : tr("One run costs %1 on %2 (median, 95 % interval).");
    text = text.arg(money, gpus);
    if (std::isfinite(plan.here.seconds.value))
        text += tr(" Time: %1.").arg(formatDuration(plan.here.seconds.value));
    if (plan.here.kilowattHours.value > 0.0)
        text += tr(" Energy: %1 kWh.").arg(estimateText(plan.here.kilowattHours));
    if (plan.isInGpuHours)
        text += tr(" Set a price to see costs.");
    return text + cautionText(plan.isExtrapolation);
}

} // namespace

PlanView* makeCostView()
{
    return new CostView;
}

} // namespace quadric::widgets
