// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/curvature.h"
#include "core/model/base/distributions.h"
#include "core/model/fit/tables.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

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

std::optional<CurvatureTest> curvatureTest(const Fit& fit)
{
    if (!fit.isOk() || fit.data == nullptr || hasPowers(fit))
        return std::nullopt;
    const Observations& data = fit.data->observations;
    CurvatureTest test;
    const Eigen::VectorXd weights = weighted(data, weighted(data, Eigen::VectorXd::Ones(data.size())));
    double corners = 0.0, centers = 0.0, ofCorners = 0.0, ofCenters = 0.0; // sums of weights beside the sums
    for (Eigen::Index i = 0; i < data.size(); ++i) {
        const Place place = placeOf(data.points[static_cast<std::size_t>(i)], fit.factors);
        if (place == Place::Elsewhere)
            return std::nullopt;
        (place == Place::Corner ? corners : centers) += weights[i] * data.z[i];
        (place == Place::Corner ? ofCorners : ofCenters) += weights[i];
        ++(place == Place::Corner ? test.corners : test.centers);
    }
    if (test.corners == 0 || test.centers == 0)
        return std::nullopt;
    test.difference = corners / ofCorners - centers / ofCenters;
    test.ss = test.difference * test.difference * ofCorners * ofCenters / (ofCorners + ofCenters);
    const PureError pure = pureErrorOf(data, fit.data->replicateGroups);
    if (pure.df > 0 && pure.ss > 0) {
        test.f = test.ss / (pure.ss / pure.df);
        test.p = fProbability(*test.f, 1, pure.df);
    }
    return test;
}

} // namespace quadric::model
