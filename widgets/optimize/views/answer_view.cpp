// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/answer_view.h"

#include "core/optimize/answer/limit_probability.h"
#include "core/text/numbers.h"
#include "widgets/plots/base/plot.h"

#include <QVBoxLayout>

namespace quadric::widgets {

void AnswerView::showWhole(const AnswerSource& source)
{
    m_waits = true;
    choose(source);
    showAnswer(source.answer, Change::Models);
}

void AnswerView::setPlot(Plot* plot)
{
    m_plot = plot;
    connect(plot, &Plot::runsPicked, this, &AnswerView::runsPicked);
}

AnswerPlotView::AnswerPlotView(Plot* plot, const char* name, Show show)
    : m_show(std::move(show))
{
    setPlot(plot);
    plot->setObjectName(QLatin1String(name));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->addWidget(plot);
}

void AnswerPlotView::showAnswer(const Answer& answer, Change change)
{
    if (change != Change::Status)
        m_show(answer);
}

QString defaultLimitsText(const Answer& answer)
{
    const std::vector<std::string> names = optimize::findDefaultLimits(answer.study(), answer.fits());
    if (names.empty())
        return {};
    return AnswerView::tr(
               " Taken from the runs, which meet them therefore: limits of %1. Set the limits that "
               "you need.")
        .arg(QString::fromStdString(text::formatList(names)));
}

} // namespace quadric::widgets
