// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/contour_profile.h"

#include "core/model/feasibility/feasibility.h"
#include "core/optimize/merit/desirability.h"
#include "core/optimize/merit/goals.h"
#include "core/study/space/violation.h"
#include "widgets/base/theme.h"
#include "widgets/optimize/session/setting_steps.h"
#include "widgets/plots/panel/feasible_region.h"
#include "widgets/plots/scene/grid_lookup.h"
#include "widgets/text/wording.h"

#include <QCoreApplication>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kMapPoints = 33;
constexpr int kPlaces = 25; ///< of the region of the best setting along each axis

QString inMap(const char* text)
{
    return QCoreApplication::translate("ContourProfiler", text);
}

QString percentOf(double share)
{
    return formatPercent(share, 0).replace(QLatin1Char(' '), QChar::Nbsp);
}

study::CodedPoint placeIn(const Answer& answer)
{
    return study::Coding(answer.study().factors).toCoded(answer.settings());
}

/// "throughput 49 300 ± 5 100 img/s, below its limit 52 000".
QString predictionLine(const model::Fit& fit, const optimize::Desirability& desirability,
                       const study::CodedPoint& point)
{
    const model::Prediction prediction = model::predict(fit, point);
    QString line = nameText(fit.response) + QLatin1Char(' ') + predictionText(prediction, fit.unit);
    const bool isLimited = optimize::takesPart(desirability);
    if (isLimited && desirability.goal != study::Goal::Minimize && prediction.mean < desirability.low)
        return line + inMap(", below its limit %1").arg(formatNumber(desirability.low));
    if (isLimited && desirability.goal != study::Goal::Maximize && prediction.mean > desirability.high)
        return line + inMap(", above its limit %1").arg(formatNumber(desirability.high));
    return line;
}

std::shared_ptr<Plot> drawMap(const AnswerSource& source, optimize::MapResponses which)
{
    auto plot = std::make_shared<ContourProfilerPlot>();
    const Answer& answer = source.answer;
    ContourProfile profile;
    if (source.axes && answer.context)
        profile.map = answerMap(answer, source.axes, which);
    if (profile.map.isEmpty()) {
        plot->clear(inMap("A map needs two numeric factors and a response with a model."));
        return plot;
    }
    profile.shown = placeOf(answer, source.axes->first, source.axes->second);
    profile.support = answerSupport(answer, source.axes);
    profile.places = placesOf(answer, source.axes, {});
    if (which == optimize::MapResponses::All)
        profile.contours = predictionsOf(answer, profile.map);
    plot->setHeld(heldBeside(answer, source.axes->first, source.axes->second));
    plot->setProfile(profile);
    return plot;
}

} // namespace

MapPlace mapPlaceOf(const Answer& answer, const AxisChoice& axes)
{
    MapPlace place{axes, answer.settings()};
    if (axes) {
        place.others.erase(answer.study().factors[axes->first].name);
        place.others.erase(answer.study().factors[axes->second].name);
    }
    return place;
}

optimize::LimitMap answerMap(const Answer& answer, const AxisChoice& axes, optimize::MapResponses which)
{
    return optimize::limitMap(answer.study(), answer.fits(), axes->first, axes->second, placeIn(answer),
                              kMapPoints, which);
}

Eigen::MatrixXd answerSupport(const Answer& answer, const AxisChoice& axes)
{
    return optimize::supportGrid(answer.study(), answer.fits(), axes->first, axes->second, placeIn(answer),
                                 kMapPoints);
}

std::vector<std::optional<double>> predictionsOf(const Answer& answer, const optimize::LimitMap& map)
{
    std::vector<std::optional<double>> predictions;
    for (const optimize::LimitLayer& layer : map.layers) {
        const auto at =
            std::ranges::find(answer.shown.responses, layer.response, &optimize::ResponseAtOptimum::response);
        predictions.push_back(at == answer.shown.responses.end() ? std::nullopt
                                                                 : std::optional(at->predicted.mean));
    }
    return predictions;
}

model::MarkedSurface smallSurface(const optimize::LimitMap& map, const optimize::LimitLayer& layer,
                                  int points)
{
    model::MarkedSurface grid;
    grid.xName = map.xName;
    grid.xUnit = map.xUnit;
    grid.yName = map.yName;
    grid.yUnit = map.yUnit;
    grid.xIsLog2 = map.xIsLog2;
    grid.yIsLog2 = map.yIsLog2;
    grid.response = layer.response;
    grid.responseUnit = layer.unit;
    grid.x = map.x;
    grid.y = map.y;
    grid.z = layer.value;
    grid.feasible = map.constraints;
    grid.running = map.running;
    return thinned(grid, static_cast<std::size_t>(points));
}

Eigen::MatrixXd placesOf(const Answer& answer, const AxisChoice& axes, const std::stop_token& stop)
{
    if (!axes || !answer.region || answer.region->isEmpty())
        return {};
    const std::vector<study::Factor>& factors = answer.study().factors;
    const study::Coding coding(factors);
    const auto actual = [&coding](std::size_t factor, int i) {
        return coding.toActual(factor, -1.0 + 2.0 * i / (kPlaces - 1.0));
    };
    Eigen::MatrixXd places = Eigen::MatrixXd::Zero(kPlaces, kPlaces);
    study::Settings settings = answer.settings();
    for (int i = 0; i < kPlaces && !stop.stop_requested(); ++i) {
        for (int j = 0; j < kPlaces; ++j) {
            settings[factors[axes->first].name] = actual(axes->first, i);
            settings[factors[axes->second].name] = actual(axes->second, j);
            places(i, j) = answer.region->contains(settings) ? 1.0 : 0.0;
        }
    }
    return places;
}

std::function<QString(double x, double y)> readingOf(const Answer& answer, const AxisChoice& axes)
{
    return [context = answer.context, held = answer.held, settings = answer.settings(),
            axes](double x, double y) mutable {
        const std::vector<study::Factor>& factors = held->factors;
        settings[factors[axes->first].name] = x;
        settings[factors[axes->second].name] = y;
        const auto setting = [&](std::size_t factor, double value) {
            return nameText(factors[factor].name) + QLatin1Char(' ') + valueText(factors[factor], value);
        };
        QStringList lines{setting(axes->first, x), setting(axes->second, y)};
        const study::CodedPoint point = study::Coding(factors).toCoded(settings);
        const optimize::Goals goals = optimize::goalsOf(*held, context->decidingFits());
        for (std::size_t row = 0; row < goals.count(); ++row)
            lines << predictionLine(*goals.fits[row], goals.desirabilities[row], point);
        if (const auto feasibility = model::feasibilityOf(*held))
            lines << runsWithText(feasibility->probabilityAt(point.x));
        if (const QString why = infeasibleText(study::findViolation(*held, settings)); !why.isEmpty())
            lines << why;
        return lines.join(QLatin1Char('\n'));
    };
}

QString limitsText(const optimize::LimitMap& map)
{
    const bool hasLimits = std::ranges::any_of(
        map.layers, [](const optimize::LimitLayer& layer) { return layer.low || layer.high; });
    if (!hasLimits)
        return inMap("No response has a limit to meet.");
    QString size = map.feasible > 0.0
                       ? inMap("All limits hold on %1 of this map.").arg(percentOf(map.feasible))
                       : inMap("Nowhere on this map do all limits hold at once.");
    const auto worst = std::ranges::max_element(
        map.layers, {}, [](const optimize::LimitLayer& layer) { return layer.forbidsAlone; });
    if (worst->forbidsAlone <= 0.0)
        return size;
    return size + inMap(" What limits it most: %1, which alone rules out another %2.")
                      .arg(nameText(worst->response), percentOf(worst->forbidsAlone));
}

std::shared_ptr<Plot> drawContourProfiler(const AnswerSource& source)
{
    return drawMap(source, optimize::MapResponses::All);
}

std::shared_ptr<Plot> drawLimits(const AnswerSource& source)
{
    std::shared_ptr<Plot> plot = drawMap(source, optimize::MapResponses::Limited);
    plot->setAccessibleName({});
    return plot;
}

} // namespace quadric::widgets
