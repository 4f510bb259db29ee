// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/gallery/answer_plots.h"

#include "core/optimize/limit_map.h"
#include "widgets/optimize/bar_rows.h"
#include "widgets/optimize/limit_plot.h"
#include "widgets/optimize/profiler_data.h"
#include "widgets/optimize/ramps_view.h"
#include "widgets/optimize/robust_view.h"
#include "widgets/optimize/sensitivity_view.h"
#include "widgets/optimize/trade_off_view.h"
#include "widgets/plots/surface_view.h"
#include "widgets/text/wording.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace quadric::widgets {

namespace {

constexpr int kLimitPoints = 33; ///< nodes along an axis, as on the page at rest
constexpr int kSurfacePoints = 41;

/// What is asked for; null fit: the study has none for the response.
struct Asked {
    const Answer& answer;
    const std::vector<std::string>& responses;
    const AxisChoice& axes;

    const study::Response* response() const
    {
        return responses.empty() ? nullptr : study::findResponse(answer.study, responses.front());
    }
    const model::Fit* fit() const
    {
        const auto found = responses.empty()
                               ? answer.fits().end()
                               : std::ranges::find(answer.fits(), responses.front(), &model::Fit::response);
        return found == answer.fits().end() ? nullptr : &*found;
    }
    study::CodedPoint point() const { return study::Coding(answer.study.factors).toCoded(answer.settings()); }
};

QString tr(const char* text)
{
    return QCoreApplication::translate("AnswerPlots", text);
}

template <typename Kind> std::shared_ptr<Kind> cleared(const QString& reason)
{
    auto plot = std::make_shared<Kind>();
    plot->clear(reason);
    return plot;
}

std::shared_ptr<Plot> profiler(const Asked& asked)
{
    auto plot = std::make_shared<Profiler>();
    plot->setData(profilerData(asked.answer));
    return plot;
}

std::shared_ptr<Plot> desirability(const Asked& asked)
{
    auto plot = std::make_shared<DesirabilityCurve>();
    const study::Response* response = asked.response();
    if (response == nullptr || asked.fit() == nullptr)
        return plot;
    plot->setAccessibleName(nameWithUnit(response->name, response->unit));
    const auto& shown = asked.answer.shown.responses;
    const auto at = std::ranges::find(shown, response->name, &optimize::ResponseAtOptimum::response);
    plot->setDesirability(optimize::desirabilityOf(*response, *asked.fit()),
                          at == shown.end()
                              ? std::nullopt
                              : std::optional(CurveMark(at->predicted.mean, at->predicted.prediction)));
    return plot;
}

std::shared_ptr<Plot> surfaceOf(const model::SurfaceGrid& grid)
{
    if (grid.x.empty())
        return cleared<SurfaceView>(tr("No response has a goal and a weight above 0."));
    auto plot = std::make_shared<SurfaceView>();
    plot->setGrid(grid);
    return plot;
}

std::shared_ptr<Plot> bestSurface(const Asked& asked)
{
    if (!asked.axes)
        return cleared<SurfaceView>(tr("A surface needs two numeric factors."));
    if (asked.fit() == nullptr || !asked.fit()->isOk())
        return cleared<SurfaceView>(asked.fit() ? QString::fromStdString(asked.fit()->message) : QString());
    return surfaceOf(model::surfaceGrid(*asked.fit(), asked.answer.study, asked.axes->first,
                                        asked.axes->second, asked.point(), kSurfacePoints));
}

std::shared_ptr<Plot> overallSurface(const Asked& asked)
{
    if (!asked.axes)
        return cleared<SurfaceView>(tr("A surface needs two numeric factors."));
    return surfaceOf(optimize::desirabilityGrid(asked.answer.study, asked.answer.fits(), asked.axes->first,
                                                asked.axes->second, asked.point(), kSurfacePoints));
}

std::shared_ptr<Plot> limits(const Asked& asked)
{
    if (!asked.axes)
        return cleared<LimitPlot>(tr("A map of the limits needs two numeric factors."));
    const Answer& answer = asked.answer;
    const optimize::LimitMap map = optimize::limitMap(answer.study, answer.fits(), asked.axes->first,
                                                      asked.axes->second, asked.point(), kLimitPoints);
    if (map.isEmpty())
        return cleared<LimitPlot>(tr("No response with a goal has a model, so there are no limits to show."));
    auto plot = std::make_shared<LimitPlot>();
    plot->setMap(map, {study::numberOf(answer.settings().at(map.xName)),
                       study::numberOf(answer.settings().at(map.yName))});
    return plot;
}

std::shared_ptr<Plot> tradeOff(const Asked& asked)
{
    if (asked.responses.size() < 2)
        return cleared<FrontPlot>(tr("A trade-off needs two responses with a goal and a model."));
    const Answer& answer = asked.answer;
    const auto front = optimize::tradeOffFront(answer.study, answer.fits());
    if (front.empty())
        return cleared<FrontPlot>(tr("No setting that can be run was found."));
    const QString x = QString::fromStdString(asked.responses[0]);
    const QString y = QString::fromStdString(asked.responses[1]);
    auto plot = std::make_shared<FrontPlot>();
    plot->setFront(front, frontAxis(answer.study, x), frontAxis(answer.study, y));
    plot->setShown(placeOnFront(answer, x, y));
    return plot;
}

std::shared_ptr<Plot> ramps(const Asked& asked)
{
    auto plot = std::make_shared<RampsPlot>();
    plot->setRamps(rampsOf(asked.answer));
    return plot;
}

std::shared_ptr<Plot> robustness(const Asked& asked)
{
    const Answer& answer = asked.answer;
    auto plot = std::make_shared<BarRows>();
    plot->setAccessibleName(tr("Probability of keeping each limit"));
    showProbabilities(*plot, optimize::limitProbabilities(answer.study, answer.fits(), answer.settings()),
                      optimize::findRobust(answer.study, answer.fits()));
    return plot;
}

std::shared_ptr<Plot> sensitivity(const Asked& asked)
{
    const Answer& answer = asked.answer;
    if (!answer.best.isOk())
        return cleared<BarRows>(QString::fromStdString(answer.best.message));
    auto plot = std::make_shared<BarRows>();
    plot->setAccessibleName(tr("Sensitivity of the overall desirability"));
    showSensitivities(*plot, optimize::sensitivityOf(answer.study, answer.fits(), answer.best),
                      answer.best.overall);
    return plot;
}

} // namespace

std::shared_ptr<Plot> answerPlot(const std::string& kind, const Answer& answer,
                                 const std::vector<std::string>& responses, const AxisChoice& axes)
{
    static const std::map<std::string, std::shared_ptr<Plot> (*)(const Asked&)> kMakers = {
        {"profiler", &profiler}, {"desirability", &desirability}, {"best-surface", &bestSurface},
        {"limits", &limits},     {"trade-off", &tradeOff},        {"overall-surface", &overallSurface},
        {"ramps", &ramps},       {"robustness", &robustness},     {"sensitivity", &sensitivity}};
    const auto maker = kMakers.find(kind);
    if (maker == kMakers.end())
        return nullptr;
    if (answer.settings().empty())
        return cleared<BarRows>(tr("There is no model yet to look for the best setting with."));
    return maker->second({answer, responses, axes});
}

} // namespace quadric::widgets
