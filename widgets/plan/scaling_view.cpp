// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/scaling_view.h"

#include "core/plan/words/scaling_tables.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/plan/link_controls.h"
#include "widgets/plan/scaling_plot.h"
#include "widgets/plan/value_slider.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QLabel>
#include <QTableView>

namespace quadric::widgets {

namespace {

constexpr double kLinkShare = 0.01; ///< of the speeds over links, which come from round figures
constexpr int kShownSpeeds = 3;     ///< rows of the table that are seen at once

SliderKind doublingsKind()
{
    return countKind(ScalingView::tr("Doublings beyond the runs"),
                     ScalingView::tr("How far beyond the largest measured count the forecast goes."), 8, 10);
}

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

SliderKind perNodeKind()
{
    return countKind(
        ScalingView::tr("GPUs of a node"),
        ScalingView::tr("1: all links are alike. Otherwise the laws of exchange have two levels."), 16, 1024);
}

} // namespace

ScalingView::ScalingView(QWidget* parent)
    : PlanView(parent)
    , m_doublings(new ValueSlider(doublingsKind(), this))
    , m_worth(new ValueSlider(worthKind(), this))
    , m_perNode(new ValueSlider(perNodeKind(), this))
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
    for (const std::string& sentence : plan::assumptionsOf(plan.laws.front().law.kind))
        sentences << QString::fromStdString(sentence);
    m_assumptions->setText(tr("Assumptions: %1").arg(sentences.join(QLatin1Char(' '))));
}

} // namespace quadric::widgets
