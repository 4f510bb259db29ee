// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/robust_view.h"

#include "core/report/findings/node_findings.h"
#include "widgets/base/theme.h"
#include "widgets/optimize/charts/bar_rows.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/optimize/views/variation_column.h"
#include "widgets/text/wording.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

QString limitsOf(const optimize::LimitProbability& row)
{
    const QString name = nameText(row.response);
    if (row.low && row.high)
        return RobustView::tr("%1 from %2 to %3").arg(name, formatNumber(*row.low), formatNumber(*row.high));
    if (row.low)
        return name + QStringLiteral(" ≥ ") + formatNumber(*row.low);
    return row.high ? name + QStringLiteral(" ≤ ") + formatNumber(*row.high) : name;
}

} // namespace

void showProbabilities(BarRows& bars, const optimize::AllLimits& here,
                       const std::optional<optimize::RobustOptimum>& robust)
{
    if (!here.probability) {
        bars.clear(QString::fromStdString(here.assumption));
        return;
    }
    std::vector<BarRow> rows;
    for (const optimize::LimitProbability& row : here.responses)
        rows.push_back({limitsOf(row), formatPercent(row.probability, 0), 0.0, row.probability});
    rows.push_back(
        {RobustView::tr("all at once"), formatPercent(*here.probability, 0), 0.0, *here.probability});
    for (std::size_t i = 0; robust && robust->isOk() && i < rows.size(); ++i)
        if (i < robust->limits.responses.size())
            rows[i].mark = robust->limits.responses[i].probability;
        else
            rows[i].mark = robust->limits.probability;
    bars.setRows(std::move(rows), {0.0, 1.01, false}, {},
                 RobustView::tr("probability; the red mark: at the most robust setting"));
}

RobustView::RobustView(QWidget* parent)
    : AnswerView(parent)
    , m_here(new SteadyLabel(1, this))
    , m_there(new SteadyLabel(1, this))
    , m_look(new QPushButton(tr("&Show in profiler"), this))
    , m_bars(new BarRows(this))
    , m_variation(new VariationColumn(this))
{
    setPlot(m_bars);
    m_here->setGrowing(true);
    m_here->setObjectName(QStringLiteral("probabilityHere"));
    m_here->setToolTip(tr("Probability that one future run at this setting is inside the limits of every "
                          "response, by the predictive distributions of the models."));
    m_there->setObjectName(QStringLiteral("probabilityBest"));
    m_there->setToolTip(tr("The setting that can be run at which this probability is largest."));
    m_look->setObjectName(QStringLiteral("lookAtRobust"));
    m_bars->setObjectName(QStringLiteral("probabilities"));
    auto* best = new QHBoxLayout;
    best->setSpacing(8);
    best->addWidget(m_there, 1);
    best->addWidget(m_look);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_here);
    layout->addLayout(best);
    auto* below = new QHBoxLayout;
    below->setSpacing(16);
    below->addWidget(m_bars, 1);
    below->addWidget(m_variation);
    layout->addLayout(below, 1);
    connect(m_variation, &VariationColumn::deviationRequested, this, &AnswerView::deviationRequested);
    connect(m_look, &QPushButton::clicked, this, [this] {
        if (m_robust && m_robust->isOk())
            emit settingsPicked(m_robust->settings);
    });
}

void RobustView::showAnswer(const Answer& answer, Change change)
{
    if (change == Change::Status)
        return;
    m_answer = answer;
    if (change >= Change::Goals)
        search();
    showHere();
    showRobust();
}

void RobustView::search()
{
    m_robust.reset();
    startSearch(
        m_job,
        [asked = m_answer](const std::stop_token& stop) {
            optimize::OptimizeOptions options = asked.searchOptions();
            options.stop = stop;
            return optimize::findRobust(asked.study(), asked.fits(), options,
                                        {.varying = optimize::variationOf(asked.study())});
        },
        [this](const optimize::RobustOptimum& robust) {
            m_robust = robust;
            showHere();
            showRobust();
        });
}

void RobustView::showHere()
{
    const optimize::AllLimits here =
        optimize::limitProbabilities(m_answer.study(), m_answer.fits(), m_answer.settings(),
                                     {.varying = optimize::variationOf(m_answer.study())});
    m_variation->setVariation(m_answer.study());
    m_here->setText(here.probability
                        ? tr("A run at this setting meets all limits with a probability of %1. ")
                                  .arg(formatPercent(*here.probability, 0)) +
                              QString::fromStdString(here.assumption) + defaultLimitsText(m_answer)
                        : QString::fromStdString(here.assumption));
    showProbabilities(*m_bars, here, m_robust);
}

/// Of a most robust setting that was found.
QString RobustView::robustText() const
{
    const std::string idle = report::describeIdleRanks(m_answer.study(), m_robust->settings);
    QString text = tr("Most robust setting: %1 at %2, D = %3.")
                       .arg(formatPercent(*m_robust->limits.probability, 0),
                            settingsText(m_answer.study(), m_robust->settings),
                            desirabilityText(m_robust->assessment.overall));
    if (m_robust->corrected)
        text += tr(" After correction for selecting the best setting: %1.")
                    .arg(formatPercent(*m_robust->corrected, 0));
    return idle.empty() ? text : text + QLatin1Char(' ') + QString::fromStdString(idle);
}

void RobustView::showRobust()
{
    m_look->setEnabled(m_robust && m_robust->isOk() && m_robust->settings != m_answer.settings());
    if (!m_robust)
        m_there->setText(tr("Searching for the most robust setting …"));
    else if (!m_robust->isOk() || !m_robust->limits.probability)
        m_there->setText(QString::fromStdString(m_robust->message.empty() ? m_robust->limits.assumption
                                                                          : m_robust->message));
    else
        m_there->setText(robustText());
}

} // namespace quadric::widgets
