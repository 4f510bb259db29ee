// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/cost_view.h"

#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/plan/cost_plot.h"
#include "widgets/plan/value_slider.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>

#include <cmath>

namespace quadric::widgets {

namespace {

SliderKind wattsKind()
{
    return {.name = CostView::tr("Power of a GPU"),
            .tooltip = CostView::tr("With its share of the machine, where no response is the energy."),
            .low = 0.0,
            .high = 1500.0,
            .show = showNumber(QStringLiteral("W")),
            .read = readNumberFrom(0.0, 1e6, QStringLiteral("W")),
            .expected = CostView::tr("expected 0 W or more")};
}

SliderKind slowerKind()
{
    return {.name = CostView::tr("At most slower by"),
            .tooltip = CostView::tr("How much slower than the fastest settings the cheaper ones may be."),
            .low = 0.0,
            .high = 0.5,
            .show = showShare,
            .read = readShareFrom(0.0, 1.0),
            .expected = CostView::tr("expected 0 % to 100 %")};
}

QString estimateText(const plan::Estimate& estimate)
{
    return std::isfinite(estimate.high) && std::isfinite(estimate.low)
               ? formatInterval(estimate.value, estimate.low, estimate.high)
               : CostView::tr("%1 (no upper end)").arg(formatNumber(estimate.value));
}

} // namespace

CostView::CostView(QWidget* parent)
    : PlanView(parent)
    , m_gpuHour(new ValueSlider(priceKind(tr("Price of a GPU hour"), tr("In any currency."), 20.0), this))
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
    auto* row = new QHBoxLayout(m_leastRow);
    row->setContentsMargins(0, 0, 0, 0);
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
    showCost(plan::planCost(source().study(), source().context->decidingFits(), *source().fit(),
                            source().settings, source().choices));
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

QString CostView::remark() const
{
    return source().choices.least.empty() ? QString() : m_leastText->text();
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

void CostView::showCost(const plan::CostPlan& plan)
{
    setSentence(costText(plan));
    m_figure->setHeld(settingsText(source().study(), source().settings));
    m_figure->setPlan(source().study(), source().settings, plan);
}

void CostView::showUse()
{
    m_use->setEnabled(!m_found.empty() && m_found != source().settings);
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

} // namespace quadric::widgets
