// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/profile.h"

#include "core/model/feasibility/running_map.h"
#include "core/optimize/merit/goals.h"
#include "core/study/space/feasible_grid.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

std::vector<double> desirabilitiesOf(const Desirability& desirability, const std::vector<double>& mean)
{
    std::vector<double> values;
    if (desirability.goal == study::Goal::None)
        return values;
    values.reserve(mean.size());
    for (const double y : mean)
        values.push_back(valueOf(desirability, y));
    return values;
}

/// Overall desirability along one factor, from the responses' curves.
std::vector<double> overallAlong(const Goals& goals, const Profile& profile, std::size_t factor)
{
    std::vector<double> values;
    std::vector<double> predicted(goals.count());
    const std::size_t points = profile.curves.front()[factor].curve.mean.size();
    for (std::size_t point = 0; point < points; ++point) {
        for (std::size_t row = 0; row < goals.count(); ++row)
            predicted[row] = profile.curves[row][factor].curve.mean[point];
        values.push_back(overall(goals.desirabilities, predicted));
    }
    return values;
}

/// Curves are linear between their points; the setting itself is one of them, so that its reading is exact.
void insertCurrent(const model::Fit& fit, std::size_t factor, const study::CodedPoint& at,
                   model::EffectCurve& curve)
{
    constexpr double kSame = 1e-9;
    const double coded = at[static_cast<Eigen::Index>(factor)];
    if (!fit.factors[factor].isNumeric() || std::abs(coded) > 1.0)
        return;
    const double actual = study::Coding(fit.factors).toActual(factor, coded);
    const auto place = std::lower_bound(curve.actual.begin(), curve.actual.end(), actual);
    const double width = curve.actual.back() - curve.actual.front();
    const auto isThere = [&](auto point) { return std::abs(*point - actual) <= kSame * width; };
    if ((place != curve.actual.end() && isThere(place)) ||
        (place != curve.actual.begin() && isThere(place - 1)))
        return;
    const auto index = place - curve.actual.begin();
    const model::Prediction prediction = model::predict(fit, at);
    curve.actual.insert(place, actual);
    curve.mean.insert(curve.mean.begin() + index, prediction.mean);
    curve.isExtrapolation.insert(curve.isExtrapolation.begin() + index, prediction.isExtrapolation);
    if (curve.low.empty() || !prediction.confidence) {
        curve.low.clear();
        curve.high.clear();
        return;
    }
    curve.low.insert(curve.low.begin() + index, prediction.confidence->low);
    curve.high.insert(curve.high.begin() + index, prediction.confidence->high);
}

std::vector<study::Range> infeasibleAlong(const study::Study& study, std::size_t factor,
                                          const study::CodedPoint& at, const std::vector<double>& places)
{
    const study::FeasibleLine line =
        study::feasibleLine(study, {factor, places}, study::programValues(study::Coding(study.factors), at));
    return study::infeasibleRanges(study.factors[factor], places, line);
}

std::vector<study::Range> failingAlong(const study::Study& study, std::size_t factor,
                                       const study::CodedPoint& at, const std::vector<double>& places)
{
    return study::infeasibleRanges(study.factors[factor], places,
                                   model::runningLine(study, {factor, places}, at));
}

} // namespace

Profile profile(const study::Study& study, const std::vector<model::Fit>& fits,
                const study::Settings& settings, int points)
{
    const Goals goals = goalsOf(study, fits);
    Profile result;
    if (goals.count() == 0)
        return result;
    const study::CodedPoint at = study::Coding(study.factors).toCoded(settings);
    for (std::size_t row = 0; row < goals.count(); ++row) {
        result.responses.push_back(goals.fits[row]->response);
        std::vector<ProfileCurve>& curves = result.curves.emplace_back();
        for (std::size_t factor = 0; factor < study.factors.size(); ++factor) {
            ProfileCurve& added = curves.emplace_back();
            added.curve = model::effectCurve(*goals.fits[row], factor, at, points);
            insertCurrent(*goals.fits[row], factor, at, added.curve);
            added.desirability = desirabilitiesOf(goals.desirabilities[row], added.curve.mean);
        }
    }
    for (std::size_t factor = 0; factor < study.factors.size(); ++factor) {
        result.overall.push_back(overallAlong(goals, result, factor));
        const std::vector<double>& places = result.curves.front()[factor].curve.actual;
        result.infeasible.push_back(infeasibleAlong(study, factor, at, places));
        result.failing.push_back(failingAlong(study, factor, at, places));
    }
    return result;
}

} // namespace quadric::optimize
