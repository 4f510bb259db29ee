// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/design_space.h"

#include "core/algebra/products.h"
#include "core/design/base/information.h"
#include "core/design/base/legal_points.h"
#include "core/design/base/prediction_variance.h"
#include "core/model/base/random_draw.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::design {

namespace {

/// Draws for each point that is wanted, at most: a region smaller than this share of the cube gets fewer
/// points.
constexpr int kMostDraws = 5;

/// Coordinates of all points: 40 MB. 50 factors still have 100,000 points.
constexpr std::size_t kMostCoordinates = 5'000'000;

Eigen::MatrixXd cubePoints(const std::vector<study::Factor>& factors, int count, model::RandomBits& generator)
{
    Eigen::MatrixXd points(count, static_cast<Eigen::Index>(factors.size()));
    for (std::size_t i = 0; i < factors.size(); ++i) {
        auto column = points.col(static_cast<Eigen::Index>(i));
        for (double& value : column)
            value = model::drawUnit(generator);
        if (factors[i].isNumeric())
            column = 2.0 * column.array() - 1.0;
        else
            column = (column.array() * static_cast<double>(factors[i].categories.size())).floor();
    }
    return points;
}

/// A legal coded value: uniform on the coded scale, then that of the nearest setting that can be run.
double legalAt(const study::LegalSpace& legal, Eigen::Index axis, double unit)
{
    const double coded = legal.isNumeric(axis)
                             ? legal.snap(axis, 2.0 * unit - 1.0)
                             : std::floor(unit * static_cast<double>(legal.axis(axis).count()));
    return legal.coding().toCoded(static_cast<std::size_t>(axis), legal.actualAt(axis, coded));
}

void drawLegal(const study::Study& study, int count, model::RandomBits& generator, DesignSpace& space)
{
    const study::LegalSpace legal = makeLegalSpace(study);
    Eigen::VectorXd point(legal.size());
    space.points.resize(count, legal.size());
    int found = 0;
    double drawn = 0.0;
    for (; found < count && drawn < static_cast<double>(kMostDraws) * count; ++drawn) {
        for (Eigen::Index i = 0; i < legal.size(); ++i)
            point[i] = legalAt(legal, i, model::drawUnit(generator));
        if (legal.satisfiesConstraints(point))
            space.points.row(found++) = point;
    }
    space.points.conservativeResize(found, Eigen::NoChange);
    space.share = drawn > 0.0 ? found / drawn : 0.0;
}

/// Points over which products are averaged where constraints allow no closed form.
constexpr int kMomentPoints = 20000;
constexpr std::uint64_t kMomentSeed = 1;

} // namespace

DesignSpace designSpaceOf(const study::Study& study, int points, std::uint64_t seed)
{
    model::RandomBits generator(seed);
    points = static_cast<int>(std::min(static_cast<std::size_t>(points),
                                       kMostCoordinates / std::max<std::size_t>(1, study.factors.size())));
    DesignSpace space;
    space.isConstrained = !study.constraints.empty();
    if (!space.isConstrained) {
        space.points = cubePoints(study.factors, points, generator);
        space.sentence = "Predictions anywhere between low and high of every factor";
        return space;
    }
    drawLegal(study, points, generator, space);
    space.sentence = space.points.rows() > 0
                         ? "Predictions for legal settings only: the constraints leave " +
                               text::formatPercent(space.share) + " of the region between low and high"
                         : "No legal setting was found between low and high: the constraints exclude them";
    return space;
}

Eigen::MatrixXd regionMoments(const study::Study& study, const std::vector<model::Column>& columns)
{
    if (study.constraints.empty())
        return momentMatrix(columns, study.factors);
    const DesignSpace space = designSpaceOf(study, kMomentPoints, kMomentSeed);
    if (space.points.rows() == 0)
        return momentMatrix(columns, study.factors);
    const Eigen::MatrixXd rows = ColumnTable(columns, study.factors).at(space.points);
    return algebra::cross(rows) / static_cast<double>(rows.rows());
}

} // namespace quadric::design
