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
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
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
                     {CostPlot::tr("GPUs"), {}, true},
                     {money, {}, true},
                     {CostPlot::tr("energy (kWh)"), {}, true},
                     {CostPlot::tr("time (s)"), {}, true}};
    const auto text = [](const plan::Estimate& estimate) {
        return std::isfinite(estimate.high) ? formatInterval(estimate.value, estimate.low, estimate.high)
                                            : formatNumber(estimate.value);
    };
    for (const plan::CostPoint& point : plan.along)
        table.rows.push_back({formatNumber(point.setting), QString::number(point.gpus),
                              text(point.cost.money), text(point.cost.kilowattHours),
                              text(point.cost.seconds)});
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

SliderKind slowerKind()
{
    return {.name = PlanView::tr("At most slower by"),
            .tooltip = PlanView::tr("How much slower than the fastest settings the cheaper ones may be."),
            .low = 0.0,
            .high = 0.5,
            .show = showShare,
            .read = readShareFrom(0.0, 1.0),
            .expected = PlanView::tr("expected 0 % to 100 %")};
}

QString estimateText(const plan::Estimate& estimate)
{
    return std::isfinite(estimate.high) && std::isfinite(estimate.low)
               ? formatInterval(estimate.value, estimate.low, estimate.high)
               : PlanView::tr("%1 (no upper end)").arg(formatNumber(estimate.value));
}

/// What a run costs, in money and energy, and the cheapest settings that are not much slower, which are
/// searched for in the background.
class CostView : public PlanView {
public:
    CostView();

    QString remark() const override
    {
        return source().choices.least.empty() ? QString() : m_leastText->text();
    }

protected:
    void showControls() override;
    void showAnswer() override;

private:
    void addControls();
    void wire();
    void fillChoosers();
    QString costText(const plan::CostPlan& plan) const;
    void showLeast(const std::optional<plan::LimitedBest>& found);
    void showUse() { m_use->setEnabled(!m_found.empty() && m_found != source().settings); }

    ValueSlider* m_gpuHour = nullptr;
    ValueSlider* m_kilowattHour = nullptr;
    ValueSlider* m_fixed = nullptr;
    ValueSlider* m_watts = nullptr;
    QComboBox* m_energy = nullptr;
    QComboBox* m_least = nullptr;
    ValueSlider* m_slower = nullptr;
    CostPlot* m_figure = nullptr;
    QWidget* m_leastRow = nullptr;
    QLabel* m_leastText = nullptr;
    QPushButton* m_use = nullptr;
    /// What is searched for; prices have no part in it.
    struct LeastQuestion {
        int models = -1;
        std::string response = {}, least = {};
        double slower = 0.0;
        bool operator==(const LeastQuestion&) const = default;
    };
    LeastQuestion m_leastAsked;
    study::Settings m_found; ///< that the button takes
    FollowUp<std::optional<plan::LimitedBest>> m_leastJob;
};

CostView::CostView()
    : m_gpuHour(new ValueSlider(priceKind(tr("Price of a GPU hour"), tr("In any currency."), 20.0), this))
    , m_kilowattHour(
          new ValueSlider(priceKind(tr("Price of a kilowatt hour"), tr("In the same currency."), 1.0), this))
    , m_fixed(new ValueSlider(
          priceKind(tr("Fixed cost of a run"), tr("What each run costs besides, however long."), 100.0),
          this))
    , m_watts(new ValueSlider(wattsKind(), this))
    , m_slower(new ValueSlider(slowerKind(), this))
    , m_figure(new CostPlot(this))
    , m_leastRow(new QWidget(this))
    , m_leastText(new QLabel(m_leastRow))
    , m_use(new QPushButton(tr("&Use these settings"), m_leastRow))
{
    addControls();
    setPlot(m_figure);
    auto* row = marginless<QHBoxLayout>(m_leastRow);
    m_leastText->setWordWrap(true);
    m_leastText->setObjectName(QStringLiteral("costLeast"));
    m_leastText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_use->setObjectName(QStringLiteral("useLeast"));
    row->addWidget(m_leastText, 1);
    row->addWidget(m_use);
    addBelow(m_leastRow);
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
    m_least = addChooser(tr("Improve"),
                         tr("The response that is to be best among settings that are not much slower."),
                         QStringLiteral("costImprove"));
    addControl(m_slower);
    addSettings();
}

void CostView::wire()
{
    follow(m_gpuHour, tr("Price of a GPU hour"), &plan::PlanChoices::gpuHour);
    follow(m_kilowattHour, tr("Price of a kilowatt hour"), &plan::PlanChoices::kilowattHour);
    follow(m_fixed, tr("Fixed cost of a run"), &plan::PlanChoices::fixedCost);
    follow(m_watts, tr("Power of a GPU"), &plan::PlanChoices::watts);
    follow(m_slower, tr("How much slower it may be"), &plan::PlanChoices::slower);
    follow(m_energy, tr("Energy"), &plan::PlanChoices::energy);
    follow(m_least, tr("What is to be improved"), &plan::PlanChoices::least);
    connect(m_use, &QPushButton::clicked, this, [this] {
        choose(tr("Cheaper settings"), [this](plan::PlanChoices& choices) { choices.at = m_found; });
    });
}

void CostView::fillChoosers()
{
    const QSignalBlocker quiet(m_energy), quietToo(m_least);
    m_energy->clear();
    m_least->clear();
    m_energy->addItem(tr("power × time"), QString());
    m_least->addItem(tr("(nothing)"), QString());
    for (const model::Fit& fit : source().context->decidingFits()) {
        if (!fit.isOk() || fit.dfResidual == 0 || fit.response == source().fit()->response)
            continue;
        m_energy->addItem(nameWithUnit(fit.response, fit.unit), QString::fromStdString(fit.response));
        m_least->addItem(nameText(fit.response), QString::fromStdString(fit.response));
    }
    const plan::PlanChoices& choices = source().choices;
    m_energy->setCurrentIndex(std::max(0, m_energy->findData(QString::fromStdString(choices.energy))));
    m_least->setCurrentIndex(std::max(0, m_least->findData(QString::fromStdString(choices.least))));
}

void CostView::showControls()
{
    fillChoosers();
    const plan::PlanChoices& choices = source().choices;
    m_gpuHour->setValue(choices.gpuHour);
    m_kilowattHour->setValue(choices.kilowattHour);
    m_fixed->setValue(choices.fixedCost);
    m_watts->setValue(choices.watts);
    m_watts->setVisible(choices.energy.empty());
    m_slower->setValue(choices.slower);
    m_slower->setVisible(!choices.least.empty());
    showSettings();
}

void CostView::showAnswer()
{
    const plan::CostPlan plan = plan::planCost(source().study(), source().context->decidingFits(),
                                               *source().fit(), source().settings, source().choices);
    setSentence(costText(plan));
    m_figure->setHeld(settingsText(source().study(), source().settings));
    m_figure->setPlan(source().study(), source().settings, plan);
    m_leastRow->setVisible(!source().choices.least.empty());
    if (source().choices.least.empty()) {
        m_leastAsked = {};
        return m_leastJob.cancel();
    }
    const LeastQuestion asked{source().models, source().fit()->response, source().choices.least,
                              source().choices.slower};
    if (asked == m_leastAsked)
        return showUse();
    m_leastAsked = asked;
    m_leastRow->setEnabled(false); // what it says is of the question before
    startJob(
        m_leastJob,
        [asked = source()](const std::stop_token& stop) {
            return plan::findLeast(asked.study(), asked.context->decidingFits(), *asked.fit(), asked.choices,
                                   stop);
        },
        [this](const std::optional<plan::LimitedBest>& found) { showLeast(found); });
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

void CostView::showLeast(const std::optional<plan::LimitedBest>& found)
{
    const bool isFound = found && found->optimum.isOk();
    m_found = isFound ? found->optimum.settings : study::Settings();
    m_leastRow->setEnabled(true);
    showUse();
    if (!isFound) {
        m_leastText->setText(found ? QString::fromStdString(found->optimum.message)
                                   : tr("This response has no model."));
        return;
    }
    const auto& responses = found->optimum.responses;
    const auto wanted =
        std::ranges::find(responses, source().choices.least, &optimize::ResponseAtOptimum::response);
    const study::Response* response = study::findResponse(source().study(), source().choices.least);
    m_leastText->setText(
        tr("At most %1 slower than the fastest: %2 gives %3 %4.")
            .arg(showShare(source().choices.slower), settingsText(source().study(), m_found),
                 nameText(source().choices.least),
                 wanted == responses.end() ? QString() : predictionText(wanted->predicted, response->unit)));
}

} // namespace

PlanView* makeCostView()
{
    return new CostView;
}

} // namespace quadric::widgets
