// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/optimize_page.h"

#include "core/model/feasibility/feasibility.h"
#include "core/optimize/next/chosen_limits.h"
#include "widgets/base/style.h"
#include "widgets/optimize/answer_bar.h"
#include "widgets/optimize/goal_column.h"
#include "widgets/optimize/views/answer_figures.h"
#include "widgets/optimize/views/map_view.h"
#include "widgets/optimize/views/solutions_view.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/profiler/profiler.h"
#include "widgets/plots/view_kind.h"
#include "widgets/text/wording.h"

#include <QActionGroup>
#include <QContextMenuEvent>
#include <QInputDialog>
#include <QMenu>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr int kGoalLines = 12; ///< width of the goals, in heights of a line of text
constexpr int kDeckLines = 13; ///< height of the views, likewise
/// Least height of the profiler, in lines of text: of a row, and of the axes below all of them.
constexpr double kRowLines = 2.2, kAxisLines = 4.4, kMostLines = 14.0;

QSplitter* makeSplitter(Qt::Orientation orientation, int handle)
{
    auto* splitter = new QSplitter(orientation);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(handle);
    return splitter;
}

} // namespace

ViewDeck::ViewDeck(const OptimizeSession& session, QWidget* parent)
    : QTabWidget(parent)
    , m_session(session)
{
    setDocumentMode(true);
    tabBar()->hide();
    setFocusPolicy(Qt::NoFocus); // its proxy is the bar
    setFocusProxy(nullptr);
    addTab(makeMapAndFront(), tr("Map and front"));
    for (const OptimizeView& row : optimizeViews())
        if (row.make) {
            AnswerView* view = row.make();
            add(view, row);
            addTab(view, row.title);
        }
    connect(this, &QTabWidget::currentChanged, this, &ViewDeck::showVisible);
}

QWidget* ViewDeck::makeMapAndFront()
{
    auto* split = makeSplitter(Qt::Horizontal, kGap);
    auto* map = new MapView;
    auto* front = new TradeOffView;
    add(map, *findView(optimizeViews(), "map"));
    add(front, *findView(optimizeViews(), "trade-off"));
    split->addWidget(map);
    split->addWidget(front);
    split->setSizes({560, 420});
    connect(map, &MapView::surfaceToggled, front, &QWidget::setHidden);
    connect(map, &MapView::surfaceToggled, this, &ViewDeck::surfaceToggled);
    return split;
}

void ViewDeck::add(AnswerView* view, const ViewKind& kind)
{
    m_views.push_back(view);
    m_missed.push_back(std::nullopt);
    markView(*view, kind.id);
    if (Plot* plot = view->plot())
        describePlot(*plot, kind);
    connect(view, &AnswerView::settingsPicked, this, &ViewDeck::settingsPicked);
    connect(view, &AnswerView::runsPicked, this, &ViewDeck::runsPicked);
    connect(view, &AnswerView::deviationRequested, this, &ViewDeck::deviationRequested);
    connect(view, &AnswerView::runsRequested, this, &ViewDeck::runsRequested);
    connect(view, &AnswerView::goOnRequested, this, &ViewDeck::goOnRequested);
    connect(view, &AnswerView::stopRequested, this, &ViewDeck::stopRequested);
}

void ViewDeck::fillMenu(QMenu& menu)
{
    auto* group = new QActionGroup(&menu);
    for (int i = 0; i < count(); ++i) {
        const auto* view = qobject_cast<AnswerView*>(widget(i));
        if (view != nullptr && !view->isAbout(m_session.answer()))
            continue;
        QAction* action = menu.addAction(tabText(i), this, [this, i] { setCurrentIndex(i); });
        action->setCheckable(true);
        action->setChecked(i == currentIndex());
        action->setActionGroup(group);
    }
}

void ViewDeck::refresh(Change change)
{
    for (std::optional<Change>& missed : m_missed)
        missed = std::max(missed.value_or(change), change);
    const auto* shown = qobject_cast<AnswerView*>(currentWidget());
    if (shown != nullptr && m_session.hasModel() && !shown->isAbout(m_session.answer()))
        setCurrentIndex(0);
    showVisible();
}

void ViewDeck::showVisible()
{
    if (!isVisible() || !m_session.hasModel())
        return;
    const Answer& answer = m_session.answer();
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        AnswerView* view = m_views[i];
        const bool isInFront = view == currentWidget() || currentWidget()->isAncestorOf(view);
        if (!m_missed[i] || !isInFront)
            continue;
        const Change missed = *m_missed[i];
        m_missed[i].reset();
        if (Plot* plot = view->plot()) {
            if (plot->isSimulated() != answer.isSimulated())
                plot->setSimulated(answer.isSimulated());
            plot->setSource({nameText(answer.study().name), {}});
        }
        view->showAnswer(answer, missed);
    }
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
    showVisible();
}

void ViewDeck::pickRuns(const PickedRuns& runs)
{
    for (const AnswerView* view : m_views)
        if (Plot* plot = view->plot())
            plot->setPickedRuns(runs);
}

struct OptimizePage::Parts {
    OptimizeSession session;
    QStackedLayout* stack = nullptr;
    EmptyState* empty = nullptr;
    AnswerBar* bar = nullptr;
    GoalColumn* goals = nullptr;
    Profiler* profiler = nullptr;
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
    m_parts->bar = new AnswerBar(m_parts->session);
    m_parts->goals = new GoalColumn;
    m_parts->goals->setMinimumWidth(std::max(224, kGoalLines * fontMetrics().height()));
    m_parts->profiler = new Profiler;
    m_parts->profiler->setObjectName(QStringLiteral("profiler"));
    describePlot(*m_parts->profiler, *findView(optimizeViews(), "profiler"));
    m_parts->deck = new ViewDeck(m_parts->session);
    m_parts->deck->setMinimumHeight(kDeckLines * fontMetrics().height());
    addMenu();
    QSplitter* right = makeSplitter(Qt::Vertical, kGap);
    right->addWidget(m_parts->profiler);
    right->addWidget(m_parts->deck);
    right->setSizes({800, 1000});
    QSplitter* split = makeSplitter(Qt::Horizontal, kGap);
    split->addWidget(m_parts->goals);
    split->addWidget(right);
    split->setSizes({224, 988});
    split->setStretchFactor(1, 1);
    auto* views = new QWidget;
    auto* layout = new QVBoxLayout(views);
    layout->setContentsMargins(kGroupGap, kGap, kGroupGap, kGap);
    layout->setSpacing(kGap);
    layout->addWidget(m_parts->bar);
    layout->addWidget(split, 1);
    return views;
}

void OptimizePage::addMenu()
{
    auto* more = new QToolButton;
    more->setText(tr("More"));
    nameWidget(more, "more", tr("More"));
    more->setToolTip(tr("Other views of the answer, and what the search is allowed."));
    more->setPopupMode(QToolButton::InstantPopup);
    more->setFocusPolicy(Qt::StrongFocus);
    more->setMenu(new QMenu(more));
    m_parts->bar->addButton(more);
    connect(more->menu(), &QMenu::aboutToShow, this, [this, more] { fillMenu(*more->menu()); });
}

void OptimizePage::fillMenu(QMenu& menu)
{
    menu.clear();
    m_parts->deck->fillMenu(menu);
    menu.addSeparator();
    OptimizeSession& session = m_parts->session;
    QMenu* beyond = menu.addMenu(tr("E&xtrapolation"));
    beyond->setToolTip(tr("What is done about settings that no run supports."));
    const std::array<QString, 3> choices{tr("Allow"), tr("Warn"), tr("Stay near the runs")};
    for (std::size_t i = 0; i < choices.size(); ++i) { // in the order of optimize::NearRuns
        const auto choice = static_cast<optimize::NearRuns>(i);
        QAction* action =
            beyond->addAction(choices[i], this, [&session, choice] { session.setNearRuns(choice); });
        action->setCheckable(true);
        action->setChecked(optimize::readNearRuns(session.answer().study()) == choice);
    }
    if (model::feasibilityOf(session.answer().study()))
        menu.addAction(tr("&Least chance of a result…"), this, &OptimizePage::askRunsLimit);
}

/// Only where runs failed is there anything to ask for.
void OptimizePage::askRunsLimit()
{
    OptimizeSession& session = m_parts->session;
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Least chance of a result"));
    dialog->setLabelText(
        tr("How surely a setting has to give a result to be recommended, in percent, learned from the runs "
           "that failed; above 50 % by the lower end of the 95 % interval."));
    dialog->setInputMode(QInputDialog::IntInput);
    dialog->setIntRange(0, 99);
    dialog->setIntValue(
        static_cast<int>(std::lround(100.0 * optimize::readLeastRunsProbability(session.answer().study()))));
    connect(dialog, &QInputDialog::intValueSelected, &session,
            [&session](int percent) { session.setRunsLimit(percent / 100.0); });
    dialog->open();
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
    connect(m_parts->profiler, &Profiler::valueRequested, &session, &OptimizeSession::moveFactor);
    connect(m_parts->profiler, &Profiler::lockToggled, &session, &OptimizeSession::toggleLock);
    connect(m_parts->bar, &AnswerBar::confirmRequested, this, &OptimizePage::confirmRequested);
    connect(&m_parts->bar->confirmation(), &ConfirmationPopup::fitRequested, &session,
            &OptimizeSession::fitConfirmation);
    connect(&m_parts->bar->confirmation(), &ConfirmationPopup::repeatRequested, this,
            &OptimizePage::repeatRequested);
    connect(m_parts->deck, &ViewDeck::surfaceToggled, m_parts->profiler, &QWidget::setHidden);
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
    m_parts->bar->refresh(change);
    if (change >= Change::Goals)
        m_parts->goals->setStudy(answer.study(), answer.fits());
    if (change >= Change::Look)
        m_parts->goals->setOutcome(answer.shown);
    if (change != Change::Status)
        refreshProfiler();
    m_parts->deck->refresh(change);
}

void OptimizePage::refreshProfiler()
{
    const Answer& answer = m_parts->session.answer();
    Profiler& profiler = *m_parts->profiler;
    if (profiler.isSimulated() != answer.isSimulated())
        profiler.setSimulated(answer.isSimulated());
    profiler.setSource({nameText(answer.study().name), {}});
    const ProfilerData shown = profilerData(answer);
    const double lines =
        std::min(kMostLines, kRowLines * static_cast<double>(shown.cells.size()) + kAxisLines);
    profiler.setMinimumSize(240, std::max(180, static_cast<int>(lines * fontMetrics().height())));
    profiler.setData(shown);
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
