// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/design_space.h"

#include "core/algebra/products.h"
#include "core/design/base/information.h"
#include "core/model/base/distributions.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quadric::design {

study::LegalSpace makeLegalSpace(const study::Study& study, const study::LegalSpaceOptions& options)
{
    try {
        const study::ConstraintProgram readable(study);
    } catch (const std::invalid_argument& error) {
        throw DesignError(std::string("constraints: ") + error.what());
    }
    try {
        return study::LegalSpace(study, options);
    } catch (const std::invalid_argument& error) {
        throw DesignError(error.what());
    }
}

study::LegalSpace makeSpaceToDesign(const study::Study& study, const study::LegalSpaceOptions& options)
{
    study::LegalSpace space = makeLegalSpace(study, options);
    try {
        space.checkValues();
    } catch (const std::invalid_argument& error) {
        throw DesignError(error.what());
    }
    return space;
}

namespace {

/// Levels of each factor for a candidate set, as many as stay near `most` combinations.
std::vector<std::vector<double>> levelsFor(const study::LegalSpace& space, const std::vector<int>& powers,
                                           int more)
{
    std::vector<std::vector<double>> levels;
    for (Eigen::Index i = 0; i < space.size(); ++i)
        levels.push_back(space.spread(i, std::max(2, powers[static_cast<std::size_t>(i)] + 1 + more)));
    return levels;
}

/// Those of `draws` points made by `pointAt` that are legal, at most `most` of them.
template <typename PointAt>
Eigen::MatrixXd legalAmong(const study::LegalSpace& space, std::size_t draws, std::size_t most,
                           const PointAt& pointAt)
{
    Eigen::MatrixXd points(static_cast<Eigen::Index>(most), space.size());
    Eigen::Index kept = 0;
    for (std::size_t draw = 0; draw < draws && kept < points.rows(); ++draw) {
        const Eigen::VectorXd point = pointAt(draw);
        if (space.satisfiesConstraints(point))
            points.row(kept++) = point;
    }
    points.conservativeResize(kept, Eigen::NoChange);
    return points;
}

Eigen::MatrixXd allLegal(const study::LegalSpace& space, const std::vector<std::vector<double>>& levels)
{
    const auto count = static_cast<std::size_t>(study::countCombinations(levels));
    return legalAmong(space, count, count,
                      [&](std::size_t index) { return study::combinationAt(levels, index); });
}

/// Random combinations of the levels that are legal, at most `most` of them.
Eigen::MatrixXd someLegal(const study::LegalSpace& space, const std::vector<std::vector<double>>& levels,
                          std::size_t most, std::uint64_t seed)
{
    constexpr std::size_t kDrawsForEach = 50;
    model::RandomBits random(seed);
    return legalAmong(space, kDrawsForEach * most, most, [&](std::size_t) {
        Eigen::VectorXd point(space.size());
        for (std::size_t i = 0; i < levels.size(); ++i)
            point[static_cast<Eigen::Index>(i)] = levels[i][model::drawBelow(random, levels[i].size())];
        return point;
    });
}

std::string describe(const study::Settings& settings)
{
    return text::joinWords(settings, ", ", [](const auto& setting) {
        return setting.first + " = " + study::toText(setting.second);
    });
}

/// The first constraint that does not hold.
std::string brokenConstraint(const study::Study& study, study::Settings settings)
{
    settings.insert(study.fixed.begin(), study.fixed.end());
    for (const std::string& text : study.constraints) {
        if (!study::Constraint(text).holds(settings))
            return text;
    }
    return {};
}

study::Settings findNearestLegal(const study::Study& study, const study::LegalSpace& space,
                                 const study::Settings& snapped, std::size_t run)
{
    const auto point = space.nearest(space.coding().toCoded(snapped).x);
    if (point)
        return space.coding().toLegalSettings(study::CodedPoint(*point));
    throw DesignError("run " + std::to_string(run + 1) + " (" + describe(snapped) +
                      ") does not satisfy the constraint '" + brokenConstraint(study, snapped) +
                      "', and no settings near it do. Narrow the factors' ranges, or lay out a d-optimal "
                      "design, which looks for legal settings only");
}

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

Eigen::MatrixXd legalCandidates(const study::LegalSpace& space, const std::vector<int>& powers,
                                std::size_t most, std::uint64_t seed)
{
    const auto limit = static_cast<double>(most);
    const bool hasConstraints = !space.constraints().isEmpty();
    int more = hasConstraints ? 2 : 0;
    while (more < 8 && study::countCombinations(levelsFor(space, powers, more + 2)) <= limit)
        more += 2; // keeps −1, 0 and +1 among the levels
    while (more > 0 && study::countCombinations(levelsFor(space, powers, more)) > limit)
        more -= 2;
    const std::vector<std::vector<double>> levels = levelsFor(space, powers, more);
    Eigen::MatrixXd points = study::countCombinations(levels) <= limit ? allLegal(space, levels)
                                                                       : someLegal(space, levels, most, seed);
    if (points.rows() == 0 && hasConstraints)
        points = someLegal(space, levelsFor(space, powers, 100), most, seed);
    if (points.rows() == 0)
        throw DesignError("no setting between low and high of the factors satisfies the constraints");
    return points;
}

std::vector<study::Settings> legalSettings(const study::Study& study, const std::vector<DesignPoint>& points)
{
    const study::LegalSpace space = makeSpaceToDesign(study);
    std::vector<study::Settings> all;
    for (const DesignPoint& point : points) {
        study::Settings settings = space.coding().toLegalSettings(point.point);
        if (!study.constraints.empty() && !study::isLegal(study, settings))
            settings = findNearestLegal(study, space, settings, all.size());
        all.push_back(std::move(settings));
    }
    return all;
}

DesignSpace sampleDesignSpace(const study::Study& study, int points, std::uint64_t seed)
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
    const DesignSpace space = sampleDesignSpace(study, kMomentPoints, kMomentSeed);
    if (space.points.rows() == 0)
        return momentMatrix(columns, study.factors);
    const Eigen::MatrixXd rows = ColumnTable(columns, study.factors).at(space.points);
    return algebra::cross(rows) / static_cast<double>(rows.rows());
}

} // namespace quadric::design
