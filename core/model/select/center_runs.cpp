// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/center_runs.h"

#include "core/model/base/copies.h"
#include "core/model/base/distributions.h"
#include "core/model/base/thresholds.h"
#include "core/model/fit/regression.h"
#include "core/model/fit/tables.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace quadric::model {

namespace {

constexpr std::size_t kFewestPoints = 3;
constexpr double kNoResidual = 1e-12; ///< of the total sum of squares

struct Point {
    double order = 0.0, value = 0.0;
};

/// Order and result of the runs at the commonest setting of the center, in run order.
std::vector<Point> sentinelPoints(const study::Study& study, std::string_view response)
{
    const Copies copies = findCopies(study, response);
    std::map<study::Settings, std::vector<Point>> bySetting;
    for (const study::Run* run : study::inRunOrder(study)) {
        const auto result = run->results.find(response);
        if (run->kind == study::RunKind::Center && run->status == study::RunStatus::Done &&
            result != run->results.end() && !copies.isRepetition(run->id))
            bySetting[run->settings].push_back({static_cast<double>(run->order), result->second});
    }
    std::vector<Point> most;
    for (auto& [settings, points] : bySetting) {
        if (points.size() > most.size())
            most = std::move(points);
    }
    return most;
}

/// Runs count as corners and centers when they are this near, coded.
constexpr double kNear = 0.02;

enum class Place { Corner, Center, Elsewhere };

Place placeOf(const study::CodedPoint& point, const std::vector<study::Factor>& factors)
{
    bool isCorner = true, isCenter = true, hasNumeric = false;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (!factors[i].isNumeric())
            continue;
        const double size = std::abs(point[static_cast<Eigen::Index>(i)]);
        hasNumeric = true;
        isCorner = isCorner && std::abs(size - 1) <= kNear;
        isCenter = isCenter && size <= kNear;
    }
    if (!hasNumeric)
        return Place::Elsewhere;
    return isCorner ? Place::Corner : (isCenter ? Place::Center : Place::Elsewhere);
}

bool hasPowers(const Fit& fit)
{
    return std::ranges::any_of(fit.terms, [](const Term& term) {
        return std::ranges::any_of(term.powers, [](int power) { return power > 1; });
    });
}

} // namespace

std::optional<Sentinels> summarizeSentinels(const study::Study& study, std::string_view response)
{
    const std::vector<Point> points = sentinelPoints(study, response);
    if (points.size() < kFewestPoints)
        return std::nullopt;
    const auto n = static_cast<double>(points.size());
    double meanOrder = 0.0, mean = 0.0;
    for (const Point& point : points) {
        meanOrder += point.order / n;
        mean += point.value / n;
    }
    double sxx = 0.0, sxy = 0.0, syy = 0.0;
    for (const Point& point : points) {
        sxx += (point.order - meanOrder) * (point.order - meanOrder);
        sxy += (point.order - meanOrder) * (point.value - mean);
        syy += (point.value - mean) * (point.value - mean);
    }
    Sentinels found{.runs = static_cast<int>(points.size()),
                    .mean = mean,
                    .sd = std::sqrt(syy / (n - 1)),
                    .t = {},
                    .p = {}};
    found.perRun = sxy / sxx;
    found.change = found.perRun * (points.back().order - points.front().order);
    const double rest = syy - found.perRun * sxy;
    if (rest > kNoResidual * syy) {
        found.t = found.perRun / std::sqrt(rest / (n - 2) / sxx);
        found.p = tProbability(*found.t, n - 2);
    }
    return found;
}

std::optional<CurvatureTest> curvatureTest(const Fit& fit)
{
    if (!fit.isOk() || fit.data == nullptr || hasPowers(fit))
        return std::nullopt;
    const Observations& data = fit.data->observations;
    CurvatureTest test;
    double corners = 0.0, centers = 0.0;
    for (Eigen::Index i = 0; i < data.size(); ++i) {
        const Place place = placeOf(data.points[static_cast<std::size_t>(i)], fit.factors);
        if (place == Place::Elsewhere)
            return std::nullopt;
        (place == Place::Corner ? corners : centers) += data.z[i];
        ++(place == Place::Corner ? test.corners : test.centers);
    }
    if (test.corners == 0 || test.centers == 0)
        return std::nullopt;
    test.difference = corners / test.corners - centers / test.centers;
    test.ss = test.difference * test.difference * test.corners * test.centers / (test.corners + test.centers);
    const PureError pure = computePureError(data, fit.data->replicateGroups);
    if (pure.df > 0 && pure.ss > 0) {
        test.f = test.ss / (pure.ss / pure.df);
        test.p = fProbability(*test.f, 1, pure.df);
    }
    return test;
}

} // namespace quadric::model
