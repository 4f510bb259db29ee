// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/sensitivity_view.h"

#include "widgets/base/theme.h"
#include "widgets/optimize/charts/bar_rows.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/text/wording.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

QString wordOf(optimize::GoalParameter parameter)
{
    switch (parameter) {
    case optimize::GoalParameter::Weight:
        return SensitivityView::tr("weight of %1");
    case optimize::GoalParameter::Low:
        return SensitivityView::tr("lower limit of %1");
    case optimize::GoalParameter::Target:
        return SensitivityView::tr("target of %1");
    case optimize::GoalParameter::High:
        break;
    }
    return SensitivityView::tr("upper limit of %1");
}

double swing(const optimize::GoalSensitivity& row)
{
    return std::abs(row.overallAbove - row.overallBelow);
}

BarRow rowOf(const optimize::GoalSensitivity& row)
{
    BarRow bar;
    bar.name = wordOf(row.parameter).arg(nameText(row.response));
    bar.text = SensitivityView::tr("%1 ± %2").arg(formatNumber(row.value), formatNumber(row.step));
    bar.from = row.overallBelow;
    bar.to = row.overallAbove;
    bar.isFalling = row.overallAbove < row.overallBelow;
    return bar;
}

/// The sensitivities as bars around the best overall desirability, largest swing first. Returns what matters
/// most in one sentence; empty when nothing takes part in the answer.
QString showSensitivities(BarRows& bars, std::vector<optimize::GoalSensitivity> sensitivities, double best)
{
    std::ranges::stable_sort(sensitivities, std::ranges::greater{}, swing);
    if (sensitivities.empty()) {
        bars.clear(SensitivityView::tr("No weight or limit takes part in the answer."));
        return {};
    }
    std::vector<BarRow> rows;
    rows.reserve(sensitivities.size());
    std::vector<double> ends{best};
    for (const optimize::GoalSensitivity& each : sensitivities) {
        rows.push_back(rowOf(each));
        ends.insert(ends.end(), {each.overallBelow, each.overallAbove});
    }
    QString words = SensitivityView::tr("What matters most is the %1. Hatched: D falls when it rises.")
                        .arg(rows.front().name);
    bars.setRows(std::move(rows), scaleOver(ends, false, 0.08), best,
                 SensitivityView::tr("best overall D when this alone is moved"));
    return words;
}

} // namespace

SensitivityView::SensitivityView(QWidget* parent)
    : AnswerView(parent)
    , m_words(new SteadyLabel(1, this))
    , m_bars(new BarRows(this))
{
    setPlot(m_bars);
    m_words->setObjectName(QStringLiteral("sensitivityText"));
    m_words->setToolTip(tr("Each weight is moved by a tenth of itself, each limit by a twentieth of the "
                           "distance between the limits, and the best setting is searched again."));
    m_bars->setObjectName(QStringLiteral("sensitivity"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_words);
    layout->addWidget(m_bars, 1);
}

void SensitivityView::showAnswer(const Answer& answer, Change change)
{
    if (change < Change::Goals)
        return;
    m_answer = answer;
    search();
}

void SensitivityView::search()
{
    if (!m_answer.best.isOk()) {
        m_job.cancel();
        m_words->setText({});
        m_bars->clear(QString::fromStdString(m_answer.best.message));
        return;
    }
    m_words->setText(tr("Searching again with every weight and limit moved a little …"));
    startSearch(
        m_job,
        [asked = m_answer](const std::stop_token& stop) {
            optimize::OptimizeOptions options = asked.searchOptions();
            options.stop = stop;
            return optimize::sensitivityOf(asked.study(), asked.fits(), asked.best, options);
        },
        [this](const std::vector<optimize::GoalSensitivity>& found) { show(found); });
}

void SensitivityView::show(const std::vector<optimize::GoalSensitivity>& sensitivities)
{
    m_words->setText(showSensitivities(*m_bars, sensitivities, m_answer.best.overall));
}

} // namespace quadric::widgets
