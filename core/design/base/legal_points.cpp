// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/legal_points.h"

#include "core/model/base/random_draw.h"
#include "core/text/numbers.h"

#include <algorithm>
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

namespace {

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

study::Settings repaired(const study::Study& study, const study::LegalSpace& space,
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

} // namespace

std::vector<study::Settings> legalSettings(const study::Study& study, const std::vector<DesignPoint>& points)
{
    const study::LegalSpace space = makeSpaceToDesign(study);
    std::vector<study::Settings> all;
    for (const DesignPoint& point : points) {
        study::Settings settings = space.coding().toLegalSettings(point.point);
        if (!study.constraints.empty() && !study::isLegal(study, settings))
            settings = repaired(study, space, settings, all.size());
        all.push_back(std::move(settings));
    }
    return all;
}

} // namespace quadric::design
