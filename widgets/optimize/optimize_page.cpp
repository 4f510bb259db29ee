// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/optimize_page.h"

#include "widgets/optimize/goal_column.h"
#include "widgets/optimize/profiler_panel.h"
#include "widgets/optimize/recommended_setting.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/view_kind.h"
#include "widgets/text/wording.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QSplitter>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

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
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        m_missed[i] = std::max(m_missed[i].value_or(change), change);
        const bool isShown = !m_session.hasModel() || m_views[i]->isAbout(m_session.answer());
        if (isTabVisible(static_cast<int>(i)) != isShown)
            setTabVisible(static_cast<int>(i), isShown);
    }
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

namespace {

constexpr int kGoalLines = 14; ///< width of the goals, in heights of a line of text
constexpr int kDeckLines = 13; ///< height of the views, likewise

} // namespace

struct OptimizePage::Parts {
    OptimizeSession session;
    QStackedLayout* stack = nullptr;
    EmptyState* empty = nullptr;
    SentenceBar* sentence = nullptr;
    ConfirmationBanner* confirmation = nullptr;
    GoalColumn* goals = nullptr;
    ProfilerPanel* profiler = nullptr;
    ViewDeck* deck = nullptr;
};

OptimizePage::OptimizePage(QWidget* parent)
    : Page(parent)
    , m_parts(std::make_unique<Parts>())
{
    m_parts->empty = new EmptyState;
    m_parts->stack = new QStackedLayout(this);
    m_parts->stack->addWidget(m_parts->empty);
    m_parts->stack->addWidget(makeViews());
    showEmpty();
    wire();
}

OptimizePage::~OptimizePage() = default;

QWidget* OptimizePage::makeViews()
{
    auto* views = new QWidget;
    m_parts->sentence = new SentenceBar(m_parts->session);
    m_parts->confirmation = new ConfirmationBanner;
    m_parts->goals = new GoalColumn;
    m_parts->goals->setMinimumWidth(std::max(248, kGoalLines * fontMetrics().height()));
    m_parts->profiler = new ProfilerPanel(m_parts->session);
    m_parts->deck = new ViewDeck(m_parts->session);
    for (const OptimizeView& row : optimizeViews())
        if (row.make)
            m_parts->deck->add(row.make(), row);
    m_parts->deck->setMinimumHeight(kDeckLines * fontMetrics().height());
    auto* right = new QSplitter(Qt::Vertical);
    right->setChildrenCollapsible(false);
    right->addWidget(m_parts->profiler);
    right->addWidget(m_parts->deck);
    right->setSizes({1100, 1000});
    auto* split = new QSplitter(Qt::Horizontal);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(16);
    split->addWidget(m_parts->goals);
    split->addWidget(right);
    split->setSizes({320, 900});
    split->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(views);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(8);
    layout->addWidget(m_parts->sentence);
    layout->addWidget(m_parts->confirmation);
    layout->addWidget(split, 1);
    return views;
}

void OptimizePage::wire()
{
    OptimizeSession& session = m_parts->session;
    connect(m_parts->empty, &EmptyState::buttonClicked, this, [this, &session] {
        const ContextPointer& context = session.answer().context;
        emit stepRequested(context && !context->study.runs.empty() ? Step::Run : Step::Design);
    });
    connect(&session, &OptimizeSession::changed, this, &OptimizePage::refresh);
    connect(&session, &OptimizeSession::changeRequested, this, &Page::changeRequested);
    connect(m_parts->goals, &GoalColumn::edited, &session, &OptimizeSession::changeResponse);
    connect(m_parts->sentence, &SentenceBar::confirmRequested, this, &OptimizePage::confirmRequested);
    connect(m_parts->confirmation, &ConfirmationBanner::fitRequested, &session,
            &OptimizeSession::fitConfirmation);
    connect(m_parts->confirmation, &ConfirmationBanner::repeatRequested, this,
            &OptimizePage::repeatRequested);
    connect(m_parts->deck, &ViewDeck::settingsPicked, &session, &OptimizeSession::look);
    connect(m_parts->deck, &ViewDeck::deviationRequested, &session, &OptimizeSession::setVariation);
    connect(m_parts->deck, &ViewDeck::runsRequested, this,
            [this, &session](const std::vector<study::Settings>& settings) {
                session.addRuns(settings);
                emit stepRequested(Step::Run);
            });
    connect(m_parts->deck, &ViewDeck::goOnRequested, this, &OptimizePage::goOnRequested);
    connect(m_parts->deck, &ViewDeck::stopRequested, this, &OptimizePage::stopRequested);
    connect(m_parts->deck, &ViewDeck::runsPicked, this, [this](const PickedRuns& runs) {
        pickRuns(runs);
        emit runsPicked(runs);
    });
}

void OptimizePage::setContext(ContextPointer context)
{
    m_parts->session.setContext(std::move(context));
}

void OptimizePage::refresh(Change change)
{
    const OptimizeSession& session = m_parts->session;
    m_parts->stack->setCurrentIndex(session.hasModel() ? 1 : 0);
    if (!session.hasModel()) {
        showEmpty();
        return;
    }
    const Answer& answer = session.answer();
    m_parts->sentence->refresh(change);
    if (change == Change::Models)
        m_parts->confirmation->showConfirmations(answer.study(), answer.confirmations);
    if (change >= Change::Goals)
        m_parts->goals->setStudy(answer.study(), answer.fits());
    if (change >= Change::Look)
        m_parts->goals->setOutcome(answer.shown);
    m_parts->profiler->refresh(change);
    m_parts->deck->refresh(change);
}

void OptimizePage::showEmpty()
{
    const ContextPointer& context = m_parts->session.answer().context;
    const bool hasRuns = context && !context->study.runs.empty();
    const QString missing = context && !context->fits.empty()
                                ? QString::fromStdString(context->fits.front().message)
                                : tr("No run is finished yet.");
    m_parts->empty->setTexts(tr("No model to optimize yet"),
                             hasRuns ? missing : tr("This study has no runs yet. Lay out a design first."),
                             hasRuns ? tr("Go to Run") : tr("Go to Design"));
}

void OptimizePage::showTried(const TriedRuns& tried)
{
    m_parts->session.setTried(tried);
}

void OptimizePage::pickRuns(const PickedRuns& runs)
{
    m_parts->deck->pickRuns(runs);
}

} // namespace quadric::widgets
