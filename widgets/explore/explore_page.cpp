// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/explore_page.h"

#include "core/model/process/process_choice.h"
#include "core/model/select/cross_validation.h"
#include "core/model/select/recommendation.h"
#include "core/model/select/recommended_models.h"
#include "core/report/findings/answer_findings.h"
#include "core/study/shown_study.h"
#include "widgets/base/job_runner.h"
#include "widgets/base/page.h"
#include "widgets/explore/model_bar.h"
#include "widgets/explore/view_grid.h"
#include "widgets/text/wording.h"

#include <QLabel>
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

/// Other factor scales concern all responses, whose recommended models then go together.
bool changesFactors(const model::Recommendation& scales)
{
    return !scales.log2Factors.empty() || !scales.linearFactors.empty();
}

bool differInSliceOnly(const StudyContext& a, const StudyContext& b)
{
    const auto isShownAlike = [&](const study::Response& response) {
        return model::isProcessShown(a.study, response.name) == model::isProcessShown(b.study, response.name);
    };
    return std::ranges::all_of(a.study.responses, isShownAlike) && a.isRunning == b.isRunning &&
           a.path == b.path && study::differInViewOnly(a.study, b.study) &&
           readKeptArrangement(a.study) == readKeptArrangement(b.study);
}

} // namespace

struct ExplorePage::Parts {
    QStackedLayout* stack = nullptr;
    EmptyState* empty = nullptr;
    Step missingStep = Step::Run; ///< where the empty state's button leads
    ModelBar* bar = nullptr;
    QLabel* comparison = nullptr; ///< of both kinds of model
    ViewGrid* grid = nullptr;
    ContextPointer context;
    JobRunner<QString> compared;

    QWidget* makeViews();
    const model::Fit* fit() const;
    const model::Recommendation* scales() const;
    void showEmpty();
    void showFit();
    void compare(const model::Fit& fit);
};

QWidget* ExplorePage::Parts::makeViews()
{
    bar = new ModelBar;
    grid = new ViewGrid;
    auto* views = new QWidget;
    auto* layout = new QVBoxLayout(views);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(16);
    comparison = new QLabel;
    comparison->setObjectName(QStringLiteral("modelComparison"));
    comparison->setWordWrap(true);
    comparison->setTextInteractionFlags(Qt::TextSelectableByMouse);
    comparison->hide();
    layout->addWidget(bar);
    layout->addWidget(comparison);
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

/// What is recommended for the response shown; null where that is not known.
const model::Recommendation* ExplorePage::Parts::scales() const
{
    const auto index = static_cast<std::size_t>(std::max(0, bar->response()));
    return context && index < context->scales.size() ? &context->scales[index] : nullptr;
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
    grid->showFit(context->study, *shown, scales() ? *scales() : model::recommendScales(*shown));
    compare(*shown);
}

/// In the background; what is shown of the process is then known already.
void ExplorePage::Parts::compare(const model::Fit& fit)
{
    compared.start(
        [fit, study = context->study](const std::stop_token&) {
            return QString::fromStdString(
                report::compareProcesses(study, {fit}, {*model::fitProcessCached(study, fit.response)}));
        },
        [this, isShown = model::isProcessShown(context->study, fit.response)](const QString& sentence) {
            comparison->setText(isShown ? sentence + tr(" Surface, contour map, main effects and the page "
                                                        "Optimize follow the Gaussian process, the other "
                                                        "views the polynomial.")
                                        : sentence);
            comparison->setVisible(!sentence.isEmpty());
        });
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
    connect(m_parts->bar, &ModelBar::weightsChosen, this, &ExplorePage::requestWeights);
    connect(m_parts->bar, &ModelBar::recommendationChosen, this, &ExplorePage::requestRecommendation);
    connect(m_parts->bar, &ModelBar::factorsChosen, this, &ExplorePage::requestFactors);
    connect(m_parts->bar, &ModelBar::recommendedModelsChosen, this, &ExplorePage::requestRecommendedModels);
    connect(m_parts->grid, &ViewGrid::arranged, this, &ExplorePage::requestArrangement);
    connect(m_parts->grid, &ViewGrid::valueHeld, this, &ExplorePage::requestSlice);
    connect(m_parts->grid, &ViewGrid::modelRequested, this,
            [this](const QString& model) { requestModel(m_parts->bar->response(), model); });
    connect(m_parts->grid, &ViewGrid::remedyRequested, this, [this](const report::Finding& finding) {
        emit remedyRequested(finding, m_parts->bar->response());
    });
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
    const bool isProcess = model == QLatin1String(kProcessModel);
    after = model::withProcessShown(std::move(after), name, isProcess);
    if (!isProcess)
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

void ExplorePage::requestWeights(int response, study::Weights weights)
{
    study::Study after = m_parts->context->study;
    study::Response& changed = after.responses.at(static_cast<std::size_t>(response));
    changed.weights = weights;
    emit changeRequested(after, tr("Weights of %1").arg(nameText(changed.name)), {});
}

/// The order by AICc, and the transform; where other factor scales are recommended, the models of all
/// responses; weights that predict better. Factor scales stay while a runner owns the study.
void ExplorePage::requestRecommendation(int response)
{
    const study::Study& before = m_parts->context->study;
    const std::string name = before.responses.at(static_cast<std::size_t>(response)).name;
    study::Study after = before;
    if (const model::Recommendation* scales = m_parts->scales())
        after = changesFactors(*scales) ? model::withRecommendedModels(before, m_parts->context->scales)
                                        : model::withScales(before, name, *scales);
    if (m_parts->context->isRunning)
        after.factors = before.factors;
    after = model::withProcessShown(std::move(after), name, false);
    after.model[name] = "auto";
    after.responses.at(static_cast<std::size_t>(response)).weights = model::recommendedWeights(after, name);
    emit changeRequested(after, tr("Recommended model of %1").arg(nameText(name)), {});
}

/// Factor scales stay while a runner owns the study.
void ExplorePage::requestFactors(const std::vector<study::Factor>& factors)
{
    if (m_parts->context->isRunning)
        return;
    study::Study after = m_parts->context->study;
    after.factors = factors;
    emit changeRequested(after, tr("Factor scales"), {});
}

void ExplorePage::requestRecommendedModels()
{
    const study::Study& before = m_parts->context->study;
    study::Study after = model::withRecommendedModels(before, m_parts->context->scales);
    if (m_parts->context->isRunning)
        after.factors = before.factors;
    emit changeRequested(after, tr("Use recommended models"), {});
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
