// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/gallery/gallery.h"

#include "core/text/numbers.h"
#include "widgets/base/display_context.h"
#include "widgets/gallery/answer_plots.h"
#include "widgets/gallery/design_plots.h"
#include "widgets/gallery/plot_kinds.h"
#include "widgets/monitor/run_charts.h"
#include "widgets/optimize/trade_off_view.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

std::string quoted(const std::string& text)
{
    return "\"" + text + "\"";
}

std::string listOf(const auto& items, auto nameOf)
{
    std::string list;
    for (const auto& item : items)
        list += (list.empty() ? "" : ", ") + std::string(nameOf(item));
    return list;
}

const PlotKind& kindOf(const std::string& name)
{
    if (const PlotKind* kind = findPlotKind(name))
        return *kind;
    throw PlotError("plot " + quoted(name) + ", expected one of " +
                    listOf(plotKinds(), [](const PlotKind& kind) { return kind.name; }));
}

std::size_t factorIndex(const study::Study& study, const std::string& name, bool mustBeNumeric)
{
    for (std::size_t i = 0; i < study.factors.size(); ++i)
        if (study.factors[i].name == name && (study.factors[i].isNumeric() || !mustBeNumeric))
            return i;
    throw PlotError("factor " + quoted(name) + " on an axis, expected a numeric one of " +
                    listOf(study.factors, [](const study::Factor& factor) { return factor.name; }));
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

void requireAxes(const PlotKind& kind, const study::Study& study, const std::vector<std::string>& factors)
{
    if (factors.empty())
        return;
    if (static_cast<int>(factors.size()) != kind.axes)
        throw PlotError(text::formatCount(factors.size(), "factor") + " for the plot " + kind.name +
                        ", expected " +
                        (kind.axes == 0 ? "none: it shows them all" : std::to_string(kind.axes)));
    for (std::size_t i = 0; i < factors.size(); ++i) {
        factorIndex(study, factors[i], true);
        if (std::ranges::count(factors, factors[i]) > 1)
            throw PlotError("factor " + quoted(factors[i]) + " on two axes, expected different ones");
    }
}

void requireResponses(const PlotKind& kind, const study::Study& study,
                      const std::vector<std::string>& responses)
{
    const std::size_t wanted = kind.subject == PlotSubject::TwoResponses ? 2
                               : kind.subject == PlotSubject::Response   ? 1
                                                                         : 0;
    if (!responses.empty() && wanted > 0 && responses.size() != wanted)
        throw PlotError(text::formatCount(responses.size(), "response") + " for the plot " + kind.name +
                        ", expected " + std::to_string(wanted));
    for (const std::string& name : responses)
        if (study::findResponse(study, name) == nullptr)
            throw PlotError("response " + quoted(name) + ", expected one of " +
                            listOf(study.responses, [](const study::Response& each) { return each.name; }));
}

void requireRun(const PlotKind& kind, const study::Study& study, int run)
{
    if (run == 0)
        return;
    if (kind.subject != PlotSubject::Run)
        throw PlotError("run " + std::to_string(run) + " for the plot " + kind.name + ", expected none");
    if (study::findRun(study, run) == nullptr)
        throw PlotError("run " + std::to_string(run) + ", expected the number of a run of the study");
}

} // namespace

struct Gallery::Parts {
    ContextPointer context;
    SampleReader reader;
    std::map<int, run::RunSamples> samples;   ///< of the runs that were asked for
    std::unique_ptr<OptimizeSession> session; ///< made when the first plot needs the answer

    const study::Study& study() const { return context->study; }
    const Answer& answer();
    const run::RunSamples& samplesOf(int run);
    std::shared_ptr<Plot> chartOf(const std::string& kind, int run);
    std::vector<std::string> responsesFor(const PlotKind& kind, const PlotRequest& request) const;
    std::shared_ptr<Plot> make(const PlotKind& kind, const PlotRequest& request);
};

const Answer& Gallery::Parts::answer()
{
    if (!session) {
        session = std::make_unique<OptimizeSession>();
        session->setContext(context);
    }
    return session->answer();
}

const run::RunSamples& Gallery::Parts::samplesOf(int run)
{
    const auto [found, isNew] = samples.try_emplace(run);
    if (isNew && reader)
        found->second = reader(run);
    return found->second;
}

/// The chart of one run; of the last one that has something to show where none is named.
std::shared_ptr<Plot> Gallery::Parts::chartOf(const std::string& kind, int run)
{
    if (run != 0)
        return runChart(kind, samplesOf(run));
    const std::vector<const study::Run*> runs = study::inRunOrder(study());
    for (auto each = runs.rbegin(); each != runs.rend(); ++each)
        if (auto chart = runChart(kind, samplesOf((*each)->id)); !chart->table().rows.empty())
            return chart;
    return runChart(kind, {});
}

std::vector<std::string> Gallery::Parts::responsesFor(const PlotKind& kind, const PlotRequest& request) const
{
    if (!request.responses.empty() || kind.subject == PlotSubject::Study)
        return request.responses;
    if (kind.subject == PlotSubject::Response)
        return study().responses.empty() ? std::vector<std::string>{}
                                         : std::vector<std::string>{study().responses.front().name};
    std::vector<std::string> names;
    for (const QString& name : tradedResponses(study(), context->fits).mid(0, 2))
        names.push_back(name.toStdString());
    return names;
}

std::shared_ptr<Plot> Gallery::Parts::make(const PlotKind& kind, const PlotRequest& request)
{
    if (kind.page == "run")
        return chartOf(kind.name, request.run);
    if (kind.page == "design")
        return designPlot(kind.name, study(), request.factors);
    const std::vector<std::string> responses = responsesFor(kind, request);
    AxisChoice axes = firstAxes(study());
    if (request.factors.size() == 2)
        axes = {factorIndex(study(), request.factors[0], true),
                factorIndex(study(), request.factors[1], true)};
    if (kind.page == "optimize")
        return answerPlot(kind.name, answer(), responses, axes);
    const auto fit = std::ranges::find_if(context->fits, [&responses](const model::Fit& each) {
        return !responses.empty() && each.response == responses.front();
    });
    if (fit == context->fits.end())
        throw PlotError("the study has no response, expected one to fit a model to");
    return modelPlot(kind.name, study(), *fit, axes);
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
    const PlotKind& kind = kindOf(request.kind);
    requireAxes(kind, m_parts->study(), request.factors);
    requireResponses(kind, m_parts->study(), request.responses);
    requireRun(kind, m_parts->study(), request.run);
    std::shared_ptr<Plot> plot = m_parts->make(kind, request);
    plot->setSimulated(study::hasSimulatedResults(m_parts->study()));
    if (plot->accessibleName().isEmpty())
        plot->setAccessibleName(kind.title);
    return plot;
}

std::string Gallery::whyNothing(const PlotRequest& request) const
{
    const PlotKind& kind = kindOf(request.kind);
    const std::vector<model::Fit>& fits = m_parts->context->fits;
    if (kind.page == "run") {
        const std::string nobody =
            request.run == 0 ? "no run has left" : "run " + std::to_string(request.run) + " has not left";
        return m_parts->chartOf(kind.name, request.run)->table().rows.empty()
                   ? nobody + " samples of it beside the study"
                   : "";
    }
    if (kind.page == "design")
        return m_parts->study().runs.empty() ? "the study has no runs yet" : "";
    if (kind.subject == PlotSubject::TwoResponses && tradedResponses(m_parts->study(), fits).size() < 2)
        return "a trade-off is between two responses that have a goal and a model";
    if (kind.subject != PlotSubject::Response || kind.page == "optimize") {
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
        if (whyNothing(request).empty())
            requests.push_back(request);
    };
    for (const PlotKind& kind : plotKinds()) {
        if (kind.subject == PlotSubject::Run)
            for (const study::Run* run : study::inRunOrder(m_parts->study()))
                add({kind.name, {}, {}, run->id});
        else if (kind.subject != PlotSubject::Response)
            add({kind.name});
        else
            for (const model::Fit& fit : m_parts->context->fits)
                add({kind.name, {fit.response}});
    }
    return requests;
}

const optimize::Optimum& Gallery::best()
{
    return m_parts->answer().best;
}

} // namespace quadric::widgets
