// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/view_deck.h"

#include "widgets/optimize/views/optimize_views.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/shown_view.h"
#include "widgets/text/wording.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

namespace quadric::widgets {

ViewDeck::ViewDeck(const OptimizeSession& session, QWidget* parent)
    : QTabWidget(parent)
    , m_session(session)
{
    setDocumentMode(true);
    setUsesScrollButtons(true);
    tabBar()->setAccessibleName(tr("Views of the answer"));
    auto* about = new QToolButton;
    about->setText(QStringLiteral("?"));
    about->setAutoRaise(true);
    about->setFocusPolicy(Qt::StrongFocus);
    about->setAccessibleName(tr("What is this?"));
    about->setToolTip(tr("What is this? (F1)"));
    setCornerWidget(about);
    connect(about, &QToolButton::clicked, this, &ViewDeck::explain);
    connect(this, &QTabWidget::currentChanged, this, &ViewDeck::showCurrent);
}

void ViewDeck::add(AnswerView* view, const ViewKind& kind)
{
    m_views.push_back(view);
    m_missed.push_back(std::nullopt);
    markView(*view, kind.id);
    setTabToolTip(addTab(view, kind.tabText()), viewSummary(kind));
    if (Plot* plot = view->plot())
        describePlot(*plot, kind);
    connect(view, &AnswerView::settingsPicked, this, &ViewDeck::settingsPicked);
    connect(view, &AnswerView::runsPicked, this, &ViewDeck::runsPicked);
    connect(view, &AnswerView::deviationRequested, this, &ViewDeck::deviationRequested);
    connect(view, &AnswerView::runsRequested, this, &ViewDeck::runsRequested);
    connect(view, &AnswerView::goOnRequested, this, &ViewDeck::goOnRequested);
    connect(view, &AnswerView::stopRequested, this, &ViewDeck::stopRequested);
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
    if (plot != nullptr)
        plot->setSource({nameText(answer.study().name), {}});
    m_views[index]->showAnswer(answer, missed);
}

void ViewDeck::explain()
{
    if (const auto* kind = findView(optimizeViews(), viewShownBy(currentWidget())))
        showAbout(this, aboutView(*kind));
}

/// Of words and tables; plots have a menu of their own.
void ViewDeck::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("&What is this?"), this, &ViewDeck::explain);
    menu->popup(event->globalPos());
}

void ViewDeck::showEvent(QShowEvent* event)
{
    QTabWidget::showEvent(event);
    showCurrent();
}

void ViewDeck::pickRuns(const PickedRuns& runs)
{
    for (const AnswerView* view : m_views)
        if (Plot* plot = view->plot())
            plot->setPickedRuns(runs);
}

} // namespace quadric::widgets
