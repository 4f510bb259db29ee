// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/explore_page.h"

#include "core/model/select/model_choice.h"
#include "core/study/shown_study.h"
#include "widgets/base/page.h"
#include "widgets/explore/model_bar.h"
#include "widgets/explore/view_grid.h"
#include "widgets/text/wording.h"

#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace quadric::widgets {

namespace {

constexpr const char* kPage = "explore"; ///< of the arrangement among those of other pages

Arrangement readKeptArrangement(const study::Study& study)
{
    const auto kept = study.view.find(kPage);
    return kept == study.view.end() ? defaultArrangement() : readArrangement(kept->second);
}

bool differInSliceOnly(const StudyContext& a, const StudyContext& b)
{
    return a.isRunning == b.isRunning && a.path == b.path && study::differInViewOnly(a.study, b.study) &&
           readKeptArrangement(a.study) == readKeptArrangement(b.study);
}

} // namespace

struct ExplorePage::Parts {
    QStackedLayout* stack = nullptr;
    EmptyState* empty = nullptr;
    Step missingStep = Step::Run; ///< where the empty state's button leads
    ModelBar* bar = nullptr;
    ViewGrid* grid = nullptr;
    ContextPointer context;

    QWidget* makeViews();
    const model::Fit* fit() const;
    void showEmpty();
    void showFit();
};

QWidget* ExplorePage::Parts::makeViews()
{
    bar = new ModelBar;
    grid = new ViewGrid;
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
    if (shown != nullptr)
        grid->showFit(context->study, *shown);
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
    connect(m_parts->bar, &ModelBar::factorsChosen, this, &ExplorePage::requestFactors);
    connect(m_parts->bar, &ModelBar::automaticChosen, this, &ExplorePage::requestAutomaticModels);
    connect(m_parts->grid, &ViewGrid::arranged, this, &ExplorePage::requestArrangement);
    connect(m_parts->grid, &ViewGrid::valueHeld, this, &ExplorePage::requestSlice);
    connect(m_parts->grid, &ViewGrid::modelRequested, this,
            [this](const QString& model) { requestModel(m_parts->bar->response(), model); });
    connect(m_parts->grid, &ViewGrid::remedyRequested, this, &Page::remedyRequested);
    connect(m_parts->grid, &ViewGrid::runsPicked, this, [this](const PickedRuns& runs) {
        pickRuns(runs);
        emit runsPicked(runs);
    });
}

ExplorePage::~ExplorePage() = default;

void ExplorePage::setContext(ContextPointer context)
{
    const ContextPointer before = std::exchange(m_parts->context, std::move(context));
    if (before && differInSliceOnly(*before, *m_parts->context))
        return m_parts->grid->moveSlice(m_parts->context->study);
    const auto& fits = m_parts->context->fits;
    const bool hasModel = std::any_of(fits.begin(), fits.end(), [](const model::Fit& fit) {
        return fit.status != model::FitStatus::NoData; // what else is missing, the model bar may mend
    });
    m_parts->stack->setCurrentIndex(hasModel ? 1 : 0);
    m_parts->bar->setStudy(m_parts->context->study, fits);
    m_parts->grid->setArrangement(readKeptArrangement(m_parts->context->study));
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
    const study::Study& before = m_parts->context->study;
    const std::string name = before.responses.at(static_cast<std::size_t>(response)).name;
    emit changeRequested(model::withTransform(before, name, transform),
                         tr("Transform of %1").arg(nameText(name)), {});
}

void ExplorePage::requestFactors(const std::vector<study::Factor>& factors)
{
    study::Study after = m_parts->context->study;
    after.factors = factors;
    emit changeRequested(after, tr("Factor scales"), {});
}

void ExplorePage::requestAutomaticModels()
{
    emit changeRequested(model::withoutModels(m_parts->context->study), tr("Choose models automatically"),
                         {});
}

void ExplorePage::requestArrangement()
{
    if (!m_parts->context)
        return;
    study::Study after = m_parts->context->study;
    after.view[kPage] = writeArrangement(m_parts->grid->arrangement());
    emit changeRequested(after, tr("Arrangement of the views"), QStringLiteral("explore-views"));
}

/// The views follow at once; the page hears of its own change and has nothing left to do.
void ExplorePage::requestSlice(const QString& factor, const study::Value& value)
{
    const study::Study after = study::withHeld(m_parts->context->study, factor.toStdString(), value);
    m_parts->grid->moveSlice(after);
    emit changeRequested(after, tr("Hold %1").arg(factor), QStringLiteral("slice-") + factor);
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

void ExplorePage::showView(const std::string& view)
{
    m_parts->grid->showView(view);
}

void ExplorePage::pickRuns(const PickedRuns& runs)
{
    m_parts->grid->setPickedRuns(runs);
}

} // namespace quadric::widgets
