// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/running_map.h"

#include "core/study/outcome.h"

#include <cmath>

namespace quadric::model {

namespace {

/// Coded settings nearer to the map than this are on it: a slider reaches them.
constexpr double kOnMap = 0.01;

bool isOnMap(const Eigen::VectorXd& x, std::size_t xFactor, std::size_t yFactor, const study::CodedPoint& at)
{
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const auto factor = static_cast<std::size_t>(i);
        if (factor != xFactor && factor != yFactor && std::abs(x[i] - at[i]) > kOnMap)
            return false;
    }
    return true;
}

double actualOf(const study::Coding& coding, std::size_t factor, const Eigen::VectorXd& x)
{
    const double coded = x[static_cast<Eigen::Index>(factor)];
    return coding.factors()[factor].isNumeric() ? coding.toActual(factor, coded) : coded;
}

} // namespace

study::FeasibleGrid runningGrid(const study::Study& study, const study::MapAxis& x, const study::MapAxis& y,
                                const study::CodedPoint& at)
{
    study::FeasibleGrid grid;
    const std::shared_ptr<const Feasibility> feasibility = feasibilityOf(study);
    if (!feasibility)
        return grid;
    grid.level = kEvenChance;
    grid.value = probabilityGrid(*feasibility, study::Coding(study.factors), x.factor, x.values, y.factor,
                                 y.values, at);
    return grid;
}

study::FeasibleLine runningLine(const study::Study& study, const study::MapAxis& along,
                                const study::CodedPoint& at)
{
    study::FeasibleLine line;
    const std::shared_ptr<const Feasibility> feasibility = feasibilityOf(study);
    if (!feasibility)
        return line;
    line.level = kEvenChance;
    const study::Coding coding(study.factors);
    const bool isNumeric = study.factors[along.factor].isNumeric();
    Eigen::VectorXd point = at.x;
    for (const double value : along.values) {
        point[static_cast<Eigen::Index>(along.factor)] =
            isNumeric ? coding.toCoded(along.factor, value) : value;
        line.value.push_back(feasibility->probabilityAt(point));
    }
    return line;
}

std::vector<FailedPoint> failedPoints(const study::Study& study, std::size_t xFactor, std::size_t yFactor,
                                      const study::CodedPoint& at)
{
    std::vector<FailedPoint> points;
    const study::Coding coding(study.factors);
    for (const study::Run& run : study.runs) {
        if (!study::isFailureOfSettings(run))
            continue;
        const std::optional<Eigen::VectorXd> x = findPlace(coding, run.settings);
        if (x && isOnMap(*x, xFactor, yFactor, at))
            points.push_back({run.id, actualOf(coding, xFactor, *x), actualOf(coding, yFactor, *x),
                              run.failure ? run.failure->kind : std::string()});
    }
    return points;
}

MarkedSurface marked(SurfaceGrid surface, const study::Study& study, std::size_t xFactor, std::size_t yFactor,
                     const study::CodedPoint& at)
{
    MarkedSurface result(std::move(surface));
    if (result.x.empty())
        return result;
    result.running = runningGrid(study, {xFactor, result.x}, {yFactor, result.y}, at);
    result.failed = failedPoints(study, xFactor, yFactor, at);
    return result;
}

} // namespace quadric::model
