// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/robust_view.h"

#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/base/typed_value.h"
#include "widgets/optimize/charts/row_charts.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/text/wording.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace quadric::widgets {

VariationColumn::VariationColumn(QWidget* parent)
    : QWidget(parent)
    , m_grid(marginlessGrid(this, 8, 4))
{
    auto* title = new QLabel(tr("Settings vary by (std. dev.)"), this);
    title->setToolTip(tr("How far a setting in use is from its value: a standard deviation for each numeric "
                         "factor, all independent and normal. The probabilities include it."));
    m_grid->addWidget(title, 0, 0, 1, 2);
}

void VariationColumn::setVariation(const study::Study& study)
{
    std::vector<study::Factor> numeric;
    std::ranges::copy_if(study.factors, std::back_inserter(numeric), &study::Factor::isNumeric);
    if (numeric != m_factors) {
        m_factors = std::move(numeric);
        makeRows();
    }
    const optimize::Variation sds = optimize::readVariation(study);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const auto found = sds.find(m_factors[i].name);
        const double sd = found == sds.end() ? 0.0 : found->second;
        m_rows[i].value->setValue(sd > 0.0 ? valueText(m_factors[i], sd) : tr("exact"),
                                  QString::fromStdString(study::toText(sd)));
    }
}

void VariationColumn::makeRows()
{
    for (const Row& row : m_rows) {
        delete row.name;
        delete row.value;
    }
    m_rows.clear();
    for (const study::Factor& factor : m_factors) {
        const int line = static_cast<int>(m_rows.size()) + 1;
        Row& row = m_rows.emplace_back();
        row.name = new QLabel(nameText(factor.name), this);
        row.value = new ValueField(this);
        row.value->setAccessibleName(tr("Standard deviation of %1").arg(nameText(factor.name)));
        row.value->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("00 000 images")));
        row.value->setTaker([this, factor](const QString& typed) { return requestDeviation(factor, typed); });
        m_grid->addWidget(row.name, line, 0);
        m_grid->addWidget(row.value, line, 1);
    }
    m_grid->setRowStretch(static_cast<int>(m_rows.size()) + 1, 1);
}

QString VariationColumn::requestDeviation(const study::Factor& factor, const QString& typed)
{
    const std::optional<double> sd = typed.isEmpty() ? 0.0 : parseQuantity(typed, factor.unit);
    if (!sd || *sd < 0.0)
        return tr("expected a standard deviation of 0 or more");
    emit deviationRequested(QString::fromStdString(factor.name), *sd);
    return {};
}

namespace {

QString formatLimits(const optimize::LimitProbability& row)
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
        rows.push_back({formatLimits(row), formatPercent(row.probability, 0), row.probability});
    rows.push_back({RobustView::tr("all at once"), formatPercent(*here.probability, 0), *here.probability});
    for (std::size_t i = 0; robust && robust->isOk() && i < rows.size(); ++i)
        if (i < robust->limits.responses.size())
            rows[i].mark = robust->limits.responses[i].probability;
        else
            rows[i].mark = robust->limits.probability;
    bars.setRows(std::move(rows), {0.0, 1.01, false},
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

bool RobustView::isAbout(const Answer& answer) const
{
    return optimize::hasSetLimits(answer.study());
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
                                        {.varying = optimize::readVariation(asked.study())});
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
                                     {.varying = optimize::readVariation(m_answer.study())});
    m_variation->setVariation(m_answer.study());
    m_here->setText(here.probability ? tr("A run at this setting meets all limits with a probability of %1. ")
                                               .arg(formatPercent(*here.probability, 0)) +
                                           QString::fromStdString(here.assumption)
                                     : QString::fromStdString(here.assumption));
    showProbabilities(*m_bars, here, m_robust);
}

/// Of a most robust setting that was found.
QString RobustView::robustText() const
{
    QString text = tr("Most robust setting: %1 at %2, D = %3.")
                       .arg(formatPercent(*m_robust->limits.probability, 0),
                            settingsText(m_answer.study(), m_robust->settings),
                            desirabilityText(m_robust->assessment.overall));
    if (m_robust->isCorrectionWorthWords())
        text += tr(" After correction for selecting the best setting: %1.")
                    .arg(formatPercent(*m_robust->corrected, 0));
    return text;
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
