// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/view_deck.h"

#include "widgets/plots/base/plot.h"

#include <QTabBar>

#include <algorithm>

namespace quadric::widgets {

ViewDeck::ViewDeck(const OptimizeSession& session, QWidget* parent)
    : QTabWidget(parent)
    , m_session(session)
{
    setDocumentMode(true);
    setUsesScrollButtons(true);
    tabBar()->setAccessibleName(tr("Views of the answer"));
    connect(this, &QTabWidget::currentChanged, this, &ViewDeck::showCurrent);
}

void ViewDeck::add(AnswerView* view, const ViewKind& kind)
{
    m_views.push_back(view);
    m_missed.push_back(std::nullopt);
    setTabToolTip(addTab(view, kind.tabText()), viewSummary(kind));
    if (Plot* plot = view->plot())
        describePlot(*plot, kind);
    connect(view, &AnswerView::settingsPicked, this, &ViewDeck::settingsPicked);
    connect(view, &AnswerView::runPicked, this, &ViewDeck::runPicked);
    connect(view, &AnswerView::runsRequested, this, &ViewDeck::runsRequested);
}

void ViewDeck::refresh(Change change)
{
    for (std::optional<Change>& missed : m_missed)
        missed = std::max(missed.value_or(change), change);
    showCurrent();
}

void ViewDeck::showCurrent()
{
    const auto index = static_cast<std::size_t>(currentIndex());
    if (index >= m_views.size() || !m_missed[index] || !isVisible() || !m_session.hasModel())
        return;
    const Change missed = *m_missed[index];
    m_missed[index].reset();
    const Answer& answer = m_session.answer();
    Plot* plot = m_views[index]->plot();
    if (plot != nullptr && plot->isSimulated() != answer.isSimulated())
        plot->setSimulated(answer.isSimulated());
    m_views[index]->showAnswer(answer, missed);
}

void ViewDeck::showEvent(QShowEvent* event)
{
    QTabWidget::showEvent(event);
    showCurrent();
}

void ViewDeck::pickRun(int run)
{
    for (const AnswerView* view : m_views)
        if (Plot* plot = view->plot())
            plot->setPickedRun(run);
}

} // namespace quadric::widgets
