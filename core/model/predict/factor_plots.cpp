// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/curves.h"
#include "core/model/predict/observed_runs.h"
#include "core/study/space/violation.h"

#include <cmath>
#include <stdexcept>

namespace quadric::model {

namespace {

/// Runs count as being at a corner when they are this near to it, coded.
constexpr double kNearCorner = 0.1;

PerturbationCurve perturbationOf(const Fit& fit, const study::Coding& coding, std::size_t factor,
                                 const study::CodedPoint& at, int points)
{
    const auto index = static_cast<Eigen::Index>(factor);
    PerturbationCurve curve;
    curve.factor = fit.factors[factor].name;
    curve.unit = fit.factors[factor].unit;
    study::CodedPoint point = at;
    for (const double coded : positionsAlong(fit, factor, points, Span::Region)) {
        point[index] = coded;
        const Prediction prediction = predict(fit, point);
        curve.coded.push_back(coded - at[index]);
        curve.actual.push_back(coding.toActual(factor, coded));
        curve.mean.push_back(prediction.mean);
        if (prediction.confidence) {
            curve.low.push_back(prediction.confidence->low);
            curve.high.push_back(prediction.confidence->high);
        }
    }
    if (curve.low.size() != curve.mean.size()) {
        curve.low.clear();
        curve.high.clear();
    }
    return curve;
}

void checkFactors(const Fit& fit, const std::array<std::size_t, 3>& factors)
{
    const bool isDifferent = factors[0] != factors[1] && factors[0] != factors[2] && factors[1] != factors[2];
    for (const std::size_t factor : factors) {
        if (factor >= fit.factors.size() || !isDifferent)
            throw std::invalid_argument("a cube needs three different factors of the study");
    }
}

double cornerLevel(const study::Factor& factor, bool isHigh)
{
    if (factor.isNumeric())
        return isHigh ? 1.0 : -1.0;
    return isHigh ? static_cast<double>(factor.categories.size()) - 1 : 0.0;
}

/// What the runs at the corner show there, factors besides the three held as in `point`.
std::optional<double> adjustedAt(const Fit& fit, const std::vector<ObservedRun>& runs,
                                 const std::array<std::size_t, 3>& factors, const CubeCorner& corner,
                                 const study::CodedPoint& point)
{
    std::vector<double> residuals;
    for (const ObservedRun& run : runs) {
        bool isHere = true;
        for (std::size_t i = 0; i < 3; ++i) {
            const double coded = run.point[static_cast<Eigen::Index>(factors[i])];
            isHere = isHere && std::abs(coded - corner.coded[i]) <= kNearCorner;
        }
        if (isHere)
            residuals.push_back(run.residual);
    }
    return residuals.empty() ? std::nullopt : std::optional(adjustedMean(fit, point, residuals));
}

} // namespace

std::vector<PerturbationCurve> perturbationPlot(const Fit& fit, const study::CodedPoint& at, int points)
{
    std::vector<PerturbationCurve> curves;
    if (!fit.isOk())
        return curves;
    const study::Coding coding(fit.factors);
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        if (fit.factors[i].isNumeric())
            curves.push_back(perturbationOf(fit, coding, i, at, points));
    }
    return curves;
}

CubePlot cubePlot(const Fit& fit, const study::Study& study, const std::array<std::size_t, 3>& factors,
                  const study::CodedPoint& at)
{
    checkFactors(fit, factors);
    CubePlot plot;
    plot.response = fit.response;
    plot.responseUnit = fit.unit;
    for (std::size_t i = 0; i < 3; ++i)
        plot.factors[i] = fit.factors[factors[i]].name;
    if (!fit.isOk())
        return plot;
    const study::Coding coding(fit.factors);
    const std::vector<ObservedRun> runs = observedRuns(fit, study);
    for (unsigned corner = 0; corner < 8; ++corner) {
        CubeCorner each;
        study::CodedPoint point = at;
        for (std::size_t i = 0; i < 3; ++i) {
            each.coded[i] = cornerLevel(fit.factors[factors[i]], ((corner >> i) & 1U) != 0);
            each.actual[i] = actualAt(coding, factors[i], each.coded[i]);
            point[static_cast<Eigen::Index>(factors[i])] = each.coded[i];
        }
        each.prediction = predict(fit, point);
        each.adjusted = adjustedAt(fit, runs, factors, each, point);
        each.violation = study::findViolation(study, coding.toSettings(point));
        plot.corners.push_back(each);
    }
    return plot;
}

} // namespace quadric::model
