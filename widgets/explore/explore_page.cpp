// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/explore_page.h"

#include "core/model/predict.h"
#include "widgets/base/empty_state.h"
#include "widgets/explore/model_bar.h"
#include "widgets/explore/report_card.h"
#include "widgets/explore/surface_panel.h"
#include "widgets/plots/effect_plots.h"
#include "widgets/plots/surface_view.h"
#include "widgets/text/wording.h"

#include <QLabel>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace quadric::widgets {

namespace {

/// A view of the grid under its title.
QWidget* makePanel(const QString& title, QWidget* content)
{
    auto* panel = new QWidget;
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    if (!title.isEmpty()) {
        auto* label = new QLabel(title, panel);
        QFont bold = label->font();
        bold.setBold(true);
        label->setFont(bold);
        layout->addWidget(label);
    }
    content->setMinimumSize(160, 120);
    layout->addWidget(content, 1);
    return panel;
}

QSplitter* makeRow(QWidget* left, QWidget* right)
{
    auto* row = new QSplitter(Qt::Horizontal);
    row->setChildrenCollapsible(false);
    row->setHandleWidth(16);
    row->addWidget(left);
    row->addWidget(right);
    row->setSizes({1000, 1000});
    return row;
}

} // namespace

struct ExplorePage::Parts {
    QStackedLayout* stack = nullptr;
    EmptyState* empty = nullptr;
    Step missingStep = Step::Run; ///< where the empty state's button leads
    ModelBar* bar = nullptr;
    ParetoChart* pareto = nullptr;
    MainEffectsPlot* effects = nullptr;
    SurfacePanel* surface = nullptr;
    ReportCard* card = nullptr;
    ContextPointer context;

    std::array<Plot*, 3> plots() const { return {pareto, effects, &surface->surface()}; }
    QWidget* makeViews();
    const model::Fit* fit() const;
    void showEmpty();
    void showFit();
    void showEffects(const model::Fit& fit);
};

QWidget* ExplorePage::Parts::makeViews()
{
    bar = new ModelBar;
    pareto = new ParetoChart;
    effects = new MainEffectsPlot;
    surface = new SurfacePanel;
    card = new ReportCard;
    auto* grid = new QSplitter(Qt::Vertical);
    grid->setChildrenCollapsible(false);
    grid->setHandleWidth(16);
    grid->addWidget(makeRow(makePanel(tr("Pareto chart of effects"), pareto),
                            makePanel(tr("Main effects, others at the centre"), effects)));
    grid->addWidget(makeRow(makePanel(tr("Response surface"), surface), makePanel({}, card)));
    grid->setSizes({1000, 1200});
    auto* views = new QWidget;
    auto* layout = new QVBoxLayout(views);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(16);
    layout->addWidget(bar);
    layout->addWidget(grid, 1);
    return views;
}

const model::Fit* ExplorePage::Parts::fit() const
{
    const int index = bar->response();
    if (!context || index < 0 || index >= static_cast<int>(context->fits.size()))
        return nullptr;
    return &context->fits[static_cast<std::size_t>(index)];
}

void ExplorePage::Parts::showEmpty()
{
    const bool hasRuns = context && !context->study.runs.empty();
    missingStep = hasRuns ? Step::Run : Step::Design;
    if (!hasRuns) {
        empty->setTexts(tr("Nothing to explore yet"),
                        tr("This study has no runs yet. Lay out a design first."), tr("Go to Design"));
        return;
    }
    const QString missing = context->fits.empty() ? tr("No run is finished yet.")
                                                  : QString::fromStdString(context->fits.front().message);
    empty->setTexts(tr("Nothing to explore yet"), missing, tr("Go to Run"));
}

void ExplorePage::Parts::showFit()
{
    const model::Fit* shown = fit();
    if (shown == nullptr)
        return;
    for (Plot* plot : plots())
        plot->setSimulated(study::hasSimulatedResults(context->study));
    card->setFit(*shown);
    surface->showFit(context->study, *shown);
    showEffects(*shown);
}

void ExplorePage::Parts::showEffects(const model::Fit& fit)
{
    if (!fit.isOk()) {
        pareto->clear(QString::fromStdString(fit.message));
        effects->clear(QString::fromStdString(fit.message));
        return;
    }
    pareto->setFit(fit);
    const study::CodedPoint center = study::Coding(context->study.factors).center();
    std::vector<model::EffectCurve> curves;
    for (std::size_t factor = 0; factor < context->study.factors.size(); ++factor)
        curves.push_back(model::effectCurve(fit, context->study, factor, center));
    effects->setCurves(curves);
}

ExplorePage::ExplorePage(QWidget* parent)
    : Page(parent)
    , m_parts(std::make_unique<Parts>())
{
    m_parts->empty = new EmptyState;
    m_parts->stack = new QStackedLayout(this);
    m_parts->stack->addWidget(m_parts->empty);
    m_parts->stack->addWidget(m_parts->makeViews());
    m_parts->showEmpty();
    connect(m_parts->empty, &EmptyState::buttonClicked, this,
            [this] { emit stepRequested(m_parts->missingStep); });
    connect(m_parts->bar, &ModelBar::responseChosen, this, [this] { m_parts->showFit(); });
    connect(m_parts->bar, &ModelBar::modelChosen, this, &ExplorePage::requestModel);
    connect(m_parts->bar, &ModelBar::transformChosen, this, &ExplorePage::requestTransform);
    for (Plot* plot : m_parts->plots())
        connect(plot, &Plot::runPicked, this, [this](int run) {
            pickRun(run);
            emit runPicked(run);
        });
}

ExplorePage::~ExplorePage() = default;

void ExplorePage::setContext(ContextPointer context)
{
    m_parts->context = std::move(context);
    const auto& fits = m_parts->context->fits;
    const bool hasModel = std::any_of(fits.begin(), fits.end(), [](const model::Fit& fit) {
        return fit.isOk() || fit.status == model::FitStatus::BadModel ||
               fit.status == model::FitStatus::BadTransform;
    });
    m_parts->stack->setCurrentIndex(hasModel ? 1 : 0);
    m_parts->bar->setStudy(m_parts->context->study);
    if (hasModel)
        m_parts->showFit();
    else
        m_parts->showEmpty();
}

void ExplorePage::requestModel(int response, const QString& model)
{
    study::Study after = m_parts->context->study;
    const std::string name = after.responses.at(static_cast<std::size_t>(response)).name;
    after.model[name] = model.toStdString();
    emit changeRequested(after, tr("Model of %1").arg(nameText(name)), {});
}

void ExplorePage::requestTransform(int response, const study::Transform& transform)
{
    study::Study after = m_parts->context->study;
    study::Response& changed = after.responses.at(static_cast<std::size_t>(response));
    changed.transform = transform;
    emit changeRequested(after, tr("Transform of %1").arg(nameText(changed.name)), {});
}

void ExplorePage::showResponse(const QString& response)
{
    if (!m_parts->context)
        return;
    const auto& responses = m_parts->context->study.responses;
    for (std::size_t i = 0; i < responses.size(); ++i)
        if (responses[i].name == response.toStdString())
            m_parts->bar->setResponse(static_cast<int>(i));
    m_parts->showFit();
}

void ExplorePage::pickRun(int run)
{
    for (Plot* plot : m_parts->plots())
        plot->setPickedRun(run);
}

} // namespace quadric::widgets
