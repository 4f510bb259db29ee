// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/optimize_page.h"

#include "core/optimize/optimum.h"
#include "core/study/constraint.h"
#include "widgets/base/empty_state.h"
#include "widgets/explore/surface_panel.h"
#include "widgets/optimize/goal_column.h"
#include "widgets/optimize/profiler_data.h"
#include "widgets/optimize/trade_off_view.h"
#include "widgets/plots/surface_view.h"
#include "widgets/text/text_table_model.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kConfirmingRuns = 3;

bool hasModel(const std::vector<model::Fit>& fits)
{
    return std::any_of(fits.begin(), fits.end(), [](const model::Fit& fit) { return fit.isOk(); });
}

/// A setting from which to look around when no best one exists: the centre, as it can be run.
study::Settings centerOf(const study::Study& study)
{
    const study::Coding coding(study.factors);
    return coding.toLegalSettings(coding.center());
}

} // namespace

struct OptimizePage::Parts {
    QStackedLayout* stack = nullptr;
    EmptyState* empty = nullptr;
    QLabel* sentence = nullptr;
    QPushButton* confirm = nullptr;
    QPushButton* back = nullptr;
    GoalColumn* goals = nullptr;
    Profiler* profiler = nullptr;
    QTabWidget* tabs = nullptr;
    QComboBox* surfaceResponse = nullptr;
    SurfacePanel* surface = nullptr;
    TradeOffView* front = nullptr;
    TextTableModel* solutions = nullptr;
    QTableView* solutionView = nullptr;

    ContextPointer context;
    study::Study study;        ///< the context's, with the goals as the user is changing them
    optimize::Optimum best;    ///< for these goals
    study::Settings shown;     ///< where the profiler stands
    optimize::Optimum outcome; ///< what is predicted there

    QWidget* makeViews();
    QWidget* makeTop();
    QWidget* makeProfiler();
    QWidget* makeSurface();
    QWidget* makeSolutions();
    bool isAtBest() const { return best.isOk() && shown == best.settings; }
    void showEmpty();
    void fillSurfaceResponses();
    void optimizeAgain();
    void showSettings(const study::Settings& settings);
    void showSentence();
    void showProfiler();
    void showSurface();
};

QWidget* OptimizePage::Parts::makeTop()
{
    auto* top = new QWidget;
    sentence = new QLabel(top);
    sentence->setObjectName(QStringLiteral("recommendation"));
    sentence->setWordWrap(true);
    sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    sentence->setToolTip(tr("± is the 95 % interval for a single new run at this setting."));
    QFont large = sentence->font();
    large.setPointSizeF(large.pointSizeF() * 1.3);
    sentence->setFont(large);
    sentence->setMinimumHeight(2 * QFontMetrics(large).lineSpacing());
    confirm = new QPushButton(tr("&Confirm with %1 runs").arg(kConfirmingRuns), top);
    confirm->setMinimumHeight(40);
    confirm->setToolTip(tr("Adds new runs at this setting, to see whether the prediction holds."));
    auto* layout = new QHBoxLayout(top);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(16);
    layout->addWidget(sentence, 1);
    layout->addWidget(confirm);
    return top;
}

QWidget* OptimizePage::Parts::makeProfiler()
{
    auto* panel = new QWidget;
    profiler = new Profiler;
    profiler->setMinimumSize(240, 180);
    back = new QPushButton(tr("&Back to the optimum"), panel);
    auto* title = new QLabel(tr("Profiler: drag a red line to look at another setting"), panel);
    title->setWordWrap(true);
    auto* head = new QHBoxLayout;
    head->addWidget(title, 1);
    head->addWidget(back);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(profiler, 1);
    return panel;
}

QWidget* OptimizePage::Parts::makeSurface()
{
    auto* panel = new QWidget;
    surfaceResponse = new QComboBox(panel);
    surfaceResponse->setAccessibleName(tr("Response of the surface"));
    surfaceResponse->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    surfaceResponse->setMinimumContentsLength(8);
    surface = new SurfacePanel(panel);
    surface->addChooser(surfaceResponse);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(surface, 1);
    return panel;
}

QWidget* OptimizePage::Parts::makeSolutions()
{
    solutionView = new QTableView;
    solutions = new TextTableModel(solutionView);
    setUpTable(*solutionView);
    solutionView->setModel(solutions);
    solutionView->setAccessibleName(tr("Ranked settings"));
    return solutionView;
}

QWidget* OptimizePage::Parts::makeViews()
{
    goals = new GoalColumn;
    goals->setMinimumWidth(264);
    front = new TradeOffView;
    tabs = new QTabWidget;
    tabs->setDocumentMode(true);
    tabs->addTab(makeSurface(), tr("Surface"));
    tabs->addTab(front, tr("Trade-off"));
    tabs->addTab(makeSolutions(), tr("Ranked settings"));
    auto* right = new QSplitter(Qt::Vertical);
    right->setChildrenCollapsible(false);
    right->addWidget(makeProfiler());
    right->addWidget(tabs);
    right->setSizes({1200, 1000});
    auto* split = new QSplitter(Qt::Horizontal);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(16);
    split->addWidget(goals);
    split->addWidget(right);
    split->setSizes({320, 900});
    split->setStretchFactor(1, 1);
    auto* views = new QWidget;
    auto* layout = new QVBoxLayout(views);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(16);
    layout->addWidget(makeTop());
    layout->addWidget(split, 1);
    return views;
}

void OptimizePage::Parts::showEmpty()
{
    const bool hasRuns = context && !context->study.runs.empty();
    const QString missing = context && !context->fits.empty()
                                ? QString::fromStdString(context->fits.front().message)
                                : tr("No run is finished yet.");
    empty->setTexts(tr("No model to optimize yet"),
                    hasRuns ? missing : tr("This study has no runs yet. Lay out a design first."),
                    hasRuns ? tr("Go to Run") : tr("Go to Design"));
}

void OptimizePage::Parts::fillSurfaceResponses()
{
    const int chosen = std::max(0, surfaceResponse->currentIndex());
    surfaceResponse->clear();
    for (const study::Response& response : study.responses)
        surfaceResponse->addItem(nameWithUnit(response.name, response.unit));
    surfaceResponse->setCurrentIndex(std::min(chosen, surfaceResponse->count() - 1));
}

void OptimizePage::Parts::optimizeAgain()
{
    best = optimize::findOptimum(study, context->fits);
    solutions->setTable(solutionTable(study, best.solutions));
    goals->setStudy(study, context->fits);
    front->setStudy(study, context->fits);
    showSettings(best.isOk() ? best.settings : centerOf(study));
}

void OptimizePage::Parts::showSettings(const study::Settings& settings)
{
    shown = settings;
    outcome = isAtBest() ? best : optimize::assess(study, context->fits, shown);
    showSentence();
    goals->setOutcome(outcome);
    front->setShown(outcome);
    showProfiler();
    showSurface();
    back->setEnabled(best.isOk() && !isAtBest());
}

void OptimizePage::Parts::showSentence()
{
    if (!best.isOk()) {
        sentence->setText(QString::fromStdString(best.message));
        confirm->setEnabled(false);
        return;
    }
    const bool canRun = study::isLegal(study, shown);
    QString text = recommendationText(study, outcome);
    if (!canRun)
        text += tr(" Cannot be run: a constraint forbids this setting.");
    sentence->setText(text);
    confirm->setEnabled(canRun && !context->isRunning);
}

void OptimizePage::Parts::showProfiler()
{
    profiler->setSimulated(study::hasSimulatedResults(study));
    profiler->setData(profilerData(study, context->fits, shown));
}

void OptimizePage::Parts::showSurface()
{
    const auto index = static_cast<std::size_t>(std::max(0, surfaceResponse->currentIndex()));
    if (surface->isVisible() && index < context->fits.size())
        surface->showFitAt(study, context->fits[index], study::Coding(study.factors).toCoded(shown));
}

OptimizePage::OptimizePage(QWidget* parent)
    : Page(parent)
    , m_parts(std::make_unique<Parts>())
{
    m_parts->empty = new EmptyState;
    m_parts->stack = new QStackedLayout(this);
    m_parts->stack->addWidget(m_parts->empty);
    m_parts->stack->addWidget(m_parts->makeViews());
    m_parts->showEmpty();
    wire();
}

OptimizePage::~OptimizePage() = default;

void OptimizePage::wire()
{
    connect(m_parts->empty, &EmptyState::buttonClicked, this, [this] {
        const bool hasRuns = m_parts->context && !m_parts->context->study.runs.empty();
        emit stepRequested(hasRuns ? Step::Run : Step::Design);
    });
    connect(m_parts->goals, &GoalColumn::edited, this, &OptimizePage::requestResponse);
    connect(m_parts->confirm, &QPushButton::clicked, this,
            [this] { emit confirmRequested(m_parts->shown, kConfirmingRuns); });
    connect(m_parts->back, &QPushButton::clicked, this,
            [this] { m_parts->showSettings(m_parts->best.settings); });
    connect(m_parts->profiler, &Profiler::valueRequested, this, [this](int factor, double actual) {
        m_parts->showSettings(
            withValue(m_parts->study, m_parts->shown, static_cast<std::size_t>(factor), actual));
    });
    connect(m_parts->front, &TradeOffView::settingsPicked, this,
            [this](const study::Settings& settings) { m_parts->showSettings(settings); });
    connect(m_parts->solutionView, &QTableView::clicked, this, &OptimizePage::showSolution);
    connect(m_parts->solutionView, &QTableView::activated, this, &OptimizePage::showSolution);
    connect(m_parts->surfaceResponse, &QComboBox::activated, this, [this] { m_parts->showSurface(); });
    connect(m_parts->tabs, &QTabWidget::currentChanged, this, [this] {
        if (m_parts->context)
            m_parts->showSurface();
    });
    connect(&m_parts->surface->surface(), &Plot::runPicked, this, [this](int run) {
        pickRun(run);
        emit runPicked(run);
    });
}

void OptimizePage::setContext(ContextPointer context)
{
    const bool isOwnChange = m_parts->context && context->study == m_parts->study;
    m_parts->context = std::move(context);
    m_parts->stack->setCurrentIndex(hasModel(m_parts->context->fits) ? 1 : 0);
    if (!hasModel(m_parts->context->fits)) {
        m_parts->study = m_parts->context->study;
        m_parts->showEmpty();
        return;
    }
    if (isOwnChange) {
        m_parts->showSentence();
        return;
    }
    m_parts->study = m_parts->context->study;
    m_parts->fillSurfaceResponses();
    m_parts->optimizeAgain();
}

void OptimizePage::requestResponse(int response, const study::Response& after, const QString& what, int drag)
{
    m_parts->study.responses.at(static_cast<std::size_t>(response)) = after;
    m_parts->optimizeAgain();
    const QString name = nameText(after.name);
    const QString label = what == QLatin1String("weight")   ? tr("Weight of %1").arg(name)
                          : what == QLatin1String("limits") ? tr("Limits of %1").arg(name)
                                                            : tr("Goal of %1").arg(name);
    const QString key = QStringLiteral("%1:%2:%3").arg(what, QString::fromStdString(after.name)).arg(drag);
    emit changeRequested(m_parts->study, label, key);
}

void OptimizePage::showSolution(const QModelIndex& index)
{
    const auto row = static_cast<std::size_t>(index.row());
    if (row < m_parts->best.solutions.size())
        m_parts->showSettings(m_parts->best.solutions[row].settings);
}

void OptimizePage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    if (m_parts->context && hasModel(m_parts->context->fits))
        m_parts->showSurface();
}

void OptimizePage::pickRun(int run)
{
    m_parts->surface->surface().setPickedRun(run);
}

} // namespace quadric::widgets
