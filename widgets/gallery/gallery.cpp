// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/gallery/gallery.h"

#include "core/text/numbers.h"
#include "core/text/typed_text.h"
#include "widgets/design/quality/quality_panel.h"
#include "widgets/explore/views/explore_views.h"
#include "widgets/monitor/live_chart.h"
#include "widgets/monitor/run_charts.h"
#include "widgets/optimize/charts/row_charts.h"
#include "widgets/optimize/views/optimize_views.h"
#include "widgets/optimize/views/solutions_view.h"
#include "widgets/plan/plan_page.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

const std::vector<ViewKind>& viewKinds()
{
    static const std::vector<ViewKind> kinds = [] {
        std::vector<ViewKind> all;
        const auto add = [&all](const auto& rows) { all.insert(all.end(), rows.begin(), rows.end()); };
        add(designViews());
        add(runViews());
        add(exploreViews());
        add(optimizeViews());
        add(planViews());
        return all;
    }();
    return kinds;
}

const std::vector<ViewKind>& plotKinds()
{
    static const std::vector<ViewKind> kinds = [] {
        std::vector<ViewKind> plots = viewKinds();
        std::erase_if(plots, [](const ViewKind& kind) { return !kind.isPlot; });
        return plots;
    }();
    return kinds;
}

namespace {

std::string quoted(const std::string& text)
{
    return "\"" + text + "\"";
}

std::string describeAmong(const std::string& word, const auto& items, auto nameOf)
{
    std::vector<std::string> names;
    names.reserve(items.size());
    for (const auto& item : items)
        names.emplace_back(nameOf(item));
    return text::describeUnknown(word, names);
}

const ViewKind& requirePlotKind(const std::string& name)
{
    if (const ViewKind* kind = findView(plotKinds(), name))
        return *kind;
    throw PlotError("there is no plot " +
                    describeAmong(name, plotKinds(), [](const ViewKind& kind) { return kind.id; }));
}

std::size_t factorIndex(const study::Study& study, const std::string& name, bool mustBeNumeric)
{
    for (std::size_t i = 0; i < study.factors.size(); ++i)
        if (study.factors[i].name == name && (study.factors[i].isNumeric() || !mustBeNumeric))
            return i;
    std::vector<study::Factor> expected;
    std::ranges::copy_if(
        study.factors, std::back_inserter(expected),
        [mustBeNumeric](const study::Factor& each) { return each.isNumeric() || !mustBeNumeric; });
    throw PlotError(std::string(mustBeNumeric ? "there is no numeric factor " : "there is no factor ") +
                    describeAmong(name, expected, [](const study::Factor& factor) { return factor.name; }));
}

/// The first two numeric factors, as every page of the window begins.
AxisChoice firstAxes(const study::Study& study)
{
    std::vector<std::size_t> numeric;
    for (std::size_t i = 0; i < study.factors.size(); ++i)
        if (study.factors[i].isNumeric())
            numeric.push_back(i);
    return numeric.size() < 2 ? std::nullopt : AxisChoice({numeric[0], numeric[1]});
}

void requireAxes(const ViewKind& kind, const study::Study& study, const std::vector<std::string>& factors)
{
    if (factors.empty())
        return;
    if (static_cast<int>(factors.size()) != kind.axes)
        throw PlotError(text::formatCount(factors.size(), "factor") + " for the plot " + kind.id +
                        ", expected " +
                        (kind.axes == 0 ? "none: it shows them all" : std::to_string(kind.axes)));
    for (std::size_t i = 0; i < factors.size(); ++i) {
        factorIndex(study, factors[i], kind.axes > 1 && !kind.takesLevels);
        if (std::ranges::count(factors, factors[i]) > 1)
            throw PlotError("factor " + quoted(factors[i]) + " on two axes, expected different ones");
    }
}

void requireResponses(const ViewKind& kind, const study::Study& study,
                      const std::vector<std::string>& responses)
{
    const std::size_t wanted = kind.subject == ViewSubject::TwoResponses ? 2
                               : kind.subject == ViewSubject::Response   ? 1
                                                                         : 0;
    if (!responses.empty() && wanted > 0 && responses.size() != wanted)
        throw PlotError(text::formatCount(responses.size(), "response") + " for the plot " + kind.id +
                        ", expected " + std::to_string(wanted));
    for (const std::string& name : responses)
        if (study::findResponse(study, name) == nullptr)
            throw PlotError(
                "the study has no response " +
                describeAmong(name, study.responses, [](const study::Response& each) { return each.name; }));
}

void requireRun(const ViewKind& kind, const study::Study& study, int run)
{
    if (run == 0)
        return;
    if (kind.subject != ViewSubject::Run)
        throw PlotError("run " + std::to_string(run) + " for the plot " + kind.id + ", expected none");
    if (study::findRun(study, run) == nullptr)
        throw PlotError("run " + std::to_string(run) + ", expected the number of a run of the study");
}

} // namespace

struct Gallery::Parts {
    ContextPointer context;
    SampleReader reader;
    std::map<int, run::RunSamples> samples;   ///< of the runs that were asked for
    std::unique_ptr<OptimizeSession> session; ///< made when the first plot needs the answer
    std::optional<Judgment> judged;           ///< of the design, likewise
    std::optional<PlanSource> planned;        ///< what the study plans, likewise

    const study::Study& study() const { return context->study; }
    const Answer& answer();
    const run::RunSamples& readSamplesOnce(int run);
    const Judgment& judgment();
    const run::RunSamples& samplesFor(const RunView& view, int run);
    std::vector<std::string> responsesFor(const ViewKind& kind, const PlotRequest& request) const;
    AxisChoice axesFor(const PlotRequest& request) const;
    std::shared_ptr<Plot> drawModel(const ExploreView& view, const PlotRequest& request) const;
    std::shared_ptr<Plot> drawAnswer(const OptimizeView& view, const PlotRequest& request);
    const PlanSource& planSource();
    std::shared_ptr<Plot> drawPlan(const PlanViewRow& view);
    std::shared_ptr<Plot> draw(const PlotRequest& request);
    void mark(Plot& plot, bool showsResults) const;
};

const Answer& Gallery::Parts::answer()
{
    if (!session) {
        session = std::make_unique<OptimizeSession>();
        session->setContext(context);
        session->findRegionNow();
    }
    return session->answer();
}

const run::RunSamples& Gallery::Parts::readSamplesOnce(int run)
{
    const auto [found, isNew] = samples.try_emplace(run);
    if (isNew && reader)
        found->second = reader(run);
    return found->second;
}

const Judgment& Gallery::Parts::judgment()
{
    if (!judged)
        judged = judge(study(), {});
    return *judged;
}

/// The samples of one run; of the last one that the view has something for where none is named.
const run::RunSamples& Gallery::Parts::samplesFor(const RunView& view, int run)
{
    static const run::RunSamples kNone;
    if (run != 0)
        return readSamplesOnce(run);
    const std::vector<const study::Run*> runs = study::inRunOrder(study());
    for (auto each = runs.rbegin(); each != runs.rend(); ++each)
        if (!view.draw(readSamplesOnce((*each)->id))->table().rows.empty())
            return readSamplesOnce((*each)->id);
    return kNone;
}

std::vector<std::string> Gallery::Parts::responsesFor(const ViewKind& kind, const PlotRequest& request) const
{
    if (!request.responses.empty() || kind.subject == ViewSubject::Study)
        return request.responses;
    if (kind.subject == ViewSubject::Response)
        return study().responses.empty() ? std::vector<std::string>{}
                                         : std::vector<std::string>{study().responses.front().name};
    std::vector<std::string> names;
    for (const QString& name : tradedResponses(study(), context->fits).mid(0, 2))
        names.push_back(name.toStdString());
    return names;
}

AxisChoice Gallery::Parts::axesFor(const PlotRequest& request) const
{
    if (request.factors.size() != 2)
        return firstAxes(study());
    return AxisChoice(
        {factorIndex(study(), request.factors[0], true), factorIndex(study(), request.factors[1], true)});
}

std::shared_ptr<Plot> Gallery::Parts::drawModel(const ExploreView& view, const PlotRequest& request) const
{
    const std::vector<std::string> responses = responsesFor(view, request);
    const auto fit = std::ranges::find_if(context->fits, [&responses](const model::Fit& each) {
        return !responses.empty() && each.response == responses.front();
    });
    if (fit == context->fits.end())
        throw PlotError("the study has no response, expected one to fit a model to");
    std::vector<std::size_t> axes;
    for (const std::string& name : request.factors)
        axes.push_back(factorIndex(study(), name, false));
    return view.draw({study(), *fit, axes});
}

std::shared_ptr<Plot> Gallery::Parts::drawAnswer(const OptimizeView& view, const PlotRequest& request)
{
    if (!answer().settings().empty()) {
        const bool isOfStudy = view.subject == ViewSubject::Study;
        return view.draw({answer(), isOfStudy ? std::vector<std::string>() : responsesFor(view, request),
                          axesFor(request)});
    }
    auto plot = std::make_shared<BarRows>();
    plot->clear(tr("There is no model yet to look for the best setting with."));
    return plot;
}

const PlanSource& Gallery::Parts::planSource()
{
    if (!planned)
        planned = makePlanSource(context);
    return *planned;
}

std::shared_ptr<Plot> Gallery::Parts::drawPlan(const PlanViewRow& view)
{
    if (planSource().isReady())
        return view.draw(planSource());
    auto plot = std::make_shared<BarRows>();
    plot->clear(tr("No response with a model tells how long the work takes."));
    return plot;
}

std::shared_ptr<Plot> Gallery::Parts::draw(const PlotRequest& request)
{
    if (const auto* view = findView(designViews(), request.kind))
        return view->draw({study(), request.factors, [this]() -> const Judgment& { return judgment(); }});
    if (const auto* view = findView(runViews(), request.kind))
        return view->draw(samplesFor(*view, request.run));
    if (const auto* view = findView(exploreViews(), request.kind))
        return drawModel(*view, request);
    if (const auto* view = findView(planViews(), request.kind))
        return drawPlan(*view);
    return drawAnswer(*findView(optimizeViews(), request.kind), request);
}

/// Whose it is, and that its data are simulated.
void Gallery::Parts::mark(Plot& plot, bool showsResults) const
{
    plot.setSimulated(showsResults && study::hasSimulatedResults(study()));
    plot.setSource({nameText(study().name), {}});
}

Gallery::Gallery(ContextPointer context, SampleReader samples)
    : m_parts(std::make_unique<Parts>())
{
    m_parts->context = withDisplayNames(std::move(context));
    m_parts->reader = std::move(samples);
}

Gallery::~Gallery() = default;

std::shared_ptr<Plot> Gallery::plot(const PlotRequest& request)
{
    const ViewKind& kind = requirePlotKind(request.kind);
    requireAxes(kind, m_parts->study(), request.factors);
    requireResponses(kind, m_parts->study(), request.responses);
    requireRun(kind, m_parts->study(), request.run);
    std::shared_ptr<Plot> plot = m_parts->draw(request);
    m_parts->mark(*plot, kind.showsResults);
    if (plot->accessibleName().isEmpty())
        plot->setAccessibleName(kind.title);
    return plot;
}

std::string Gallery::explainEmptyPlot(const PlotRequest& request) const
{
    const ViewKind& kind = requirePlotKind(request.kind);
    const std::vector<model::Fit>& fits = m_parts->context->fits;
    if (kind.page == "run") {
        const std::string nobody =
            request.run == 0 ? "no run has left" : "run " + std::to_string(request.run) + " has not left";
        return m_parts->draw(request)->table().rows.empty() ? nobody + " samples of it beside the study" : "";
    }
    if (kind.page == "design")
        return m_parts->study().runs.empty() ? "the study has no runs yet" : "";
    if (kind.page == "plan")
        return m_parts->planSource().isReady() ? ""
                                               : "no response with a model tells how long the work takes";
    if (kind.subject == ViewSubject::TwoResponses && tradedResponses(m_parts->study(), fits).size() < 2)
        return "a Pareto front needs two responses with a goal and a model";
    if (kind.subject != ViewSubject::Response || kind.page == "optimize") {
        if (std::ranges::none_of(fits, &model::Fit::isOk))
            return "no response has a model yet";
    }
    for (const std::string& name : m_parts->responsesFor(kind, request)) {
        const auto fit = std::ranges::find(fits, name, &model::Fit::response);
        if (fit != fits.end() && !fit->isOk())
            return fit->message;
    }
    return "";
}

std::vector<PlotRequest> Gallery::all() const
{
    std::vector<PlotRequest> requests;
    const auto add = [&](const PlotRequest& request) {
        if (explainEmptyPlot(request).empty())
            requests.push_back(request);
    };
    for (const ViewKind& kind : plotKinds()) {
        if (kind.subject == ViewSubject::Run)
            for (const study::Run* run : study::inRunOrder(m_parts->study()))
                add({kind.id, {}, {}, run->id});
        else if (kind.subject != ViewSubject::Response)
            add({kind.id});
        else
            for (const model::Fit& fit : m_parts->context->fits)
                add({kind.id, {fit.response}});
    }
    return requests;
}

const optimize::Optimum& Gallery::best()
{
    return m_parts->answer().best;
}

std::pair<QString, std::vector<PlanAnswer>> Gallery::plan()
{
    std::vector<PlanAnswer> answers = planAnswers(m_parts->planSource());
    for (const PlanAnswer& answer : answers)
        m_parts->mark(*answer.plot, true);
    return {answers.empty() ? QString() : describeWork(m_parts->planSource()), std::move(answers)};
}

const optimize::OptimumRegion& Gallery::region()
{
    static const optimize::OptimumRegion none;
    const Answer& answer = m_parts->answer();
    return answer.region ? *answer.region : none;
}

} // namespace quadric::widgets
