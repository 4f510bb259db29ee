// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/answer_view.h"

#include "widgets/plots/plot.h"

#include <QVBoxLayout>

namespace quadric::widgets {

void AnswerView::showWhole(const AnswerSource& source)
{
    m_waits = true;
    choose(source);
    showAnswer(source.answer, Change::Models);
}

AnswerPlotView::AnswerPlotView(Plot* plot, const char* name, Show show)
    : m_plot(plot)
    , m_show(std::move(show))
{
    m_plot->setObjectName(QLatin1String(name));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->addWidget(m_plot);
}

void AnswerPlotView::showAnswer(const Answer& answer, Change change)
{
    if (change == Change::Status)
        return;
    if (m_plot->isSimulated() != answer.isSimulated())
        m_plot->setSimulated(answer.isSimulated());
    m_show(answer);
}

} // namespace quadric::widgets
