// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_page.h"

#include "widgets/base/empty_state.h"
#include "widgets/base/style.h"
#include "widgets/plan/plan_views.h"
#include "widgets/plan/work_bar.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/shown_view.h"
#include "widgets/text/wording.h"

#include <QStackedLayout>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

PlanPage::PlanPage(QWidget* parent)
    : Page(parent)
    , m_stack(new QStackedLayout(this))
    , m_empty(new EmptyState)
{
    m_stack->addWidget(m_empty);
    m_stack->addWidget(makeViews());
    letViewsNeedRoom(false);
    showEmpty();
    connect(m_empty, &EmptyState::buttonClicked, this, [this] {
        const ContextPointer& context = m_session.source().context;
        const bool hasModel = context && std::ranges::any_of(context->decidingFits(), &model::Fit::isOk);
        const bool hasRuns = context && !context->study.runs.empty();
        emit stepRequested(hasRuns && !hasModel ? Step::Run : Step::Design);
    });
    connect(&m_session, &PlanSession::changed, this, &PlanPage::refresh);
    connect(&m_session, &PlanSession::changeRequested, this, &Page::changeRequested);
}

/// Views that are not shown must not make the page wide.
void PlanPage::letViewsNeedRoom(bool areShown)
{
    const auto policy = areShown ? QSizePolicy::Preferred : QSizePolicy::Ignored;
    m_stack->widget(1)->setSizePolicy(policy, policy);
}

QWidget* PlanPage::makeViews()
{
    auto* all = new QWidget;
    m_work = new WorkBar;
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->tabBar()->setAccessibleName(tr("Questions"));
    for (const PlanViewRow& row : planViews()) {
        PlanView* view = row.make();
        markView(*view, row.id);
        if (Plot* plot = view->plot())
            describePlot(*plot, row);
        m_tabs->setTabToolTip(m_tabs->addTab(view, row.tabText()), viewSummary(row));
        connect(view, &PlanView::choicesChanged, &m_session, &PlanSession::choose);
        m_views.push_back(view);
        m_isOld.push_back(true);
    }
    auto* about = new QToolButton;
    about->setText(QStringLiteral("?"));
    about->setAutoRaise(true);
    about->setFocusPolicy(Qt::StrongFocus);
    about->setAccessibleName(tr("What is this?"));
    about->setToolTip(tr("What is this? (F1)"));
    m_tabs->setCornerWidget(about);
    connect(about, &QToolButton::clicked, this, &PlanPage::explain);
    connect(m_tabs, &QTabWidget::currentChanged, this, &PlanPage::showCurrent);
    connect(m_work, &WorkBar::choicesChanged, &m_session, &PlanSession::choose);
    auto* layout = new QVBoxLayout(all);
    layout->setContentsMargins(kGroupGap, kGroupGap, kGroupGap, kGroupGap);
    layout->setSpacing(kGap);
    layout->addWidget(m_work);
    layout->addWidget(m_tabs, 1);
    return all;
}

void PlanPage::setContext(ContextPointer context)
{
    m_session.setContext(std::move(context));
}

void PlanPage::refresh()
{
    const PlanSource& source = m_session.source();
    m_stack->setCurrentIndex(source.isReady() ? 1 : 0);
    letViewsNeedRoom(source.isReady());
    if (!source.isReady())
        return showEmpty();
    m_work->showWork(source);
    m_isOld.assign(m_isOld.size(), true);
    showCurrent();
}

void PlanPage::showCurrent()
{
    const auto index = static_cast<std::size_t>(std::max(0, m_tabs->currentIndex()));
    const PlanSource& source = m_session.source();
    if (index >= m_views.size() || !m_isOld[index] || !source.isReady())
        return;
    m_isOld[index] = false;
    if (Plot* plot = m_views[index]->plot()) {
        plot->setSimulated(study::hasSimulatedResults(source.study()));
        plot->setSource({nameText(source.study().name), {}});
    }
    m_views[index]->showPlan(source);
}

void PlanPage::explain()
{
    if (const auto* kind = findView(planViews(), viewShownBy(m_tabs->currentWidget())))
        showAbout(this, aboutView(*kind));
}

void PlanPage::showEmpty()
{
    const PlanSource& source = m_session.source();
    if (!source.context || source.study().runs.empty())
        return m_empty->setTexts(tr("Nothing to plan with yet"),
                                 tr("This study has no runs yet. Lay out a design first."),
                                 tr("Go to Design"));
    const auto& fits = source.context->decidingFits();
    if (std::ranges::none_of(fits, &model::Fit::isOk))
        return m_empty->setTexts(tr("Nothing to plan with yet"),
                                 fits.empty() ? tr("No run is finished yet.")
                                              : QString::fromStdString(fits.front().message),
                                 tr("Go to Run"));
    m_empty->setTexts(tr("No response tells how long the work takes"),
                      source.problem.empty()
                          ? tr("A plan needs a response with a model that is a time (s, min, h) or a speed "
                               "(img/s), and more runs than the model has terms.")
                          : QString::fromStdString(source.problem),
                      tr("Go to Design"));
}

} // namespace quadric::widgets
