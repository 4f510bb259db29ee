// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/full_factorial.h"

#include "core/design/base/factor_levels.h"
#include "core/design/generate/confounding.h"
#include "core/design/generate/design_catalog.h"

#include <algorithm>

namespace quadric::design {

namespace {

using study::Factor;
using study::FactorType;
using study::Study;

constexpr double kMostPoints = 100000.0;

/// `count` of the indices 0 … size − 1, first and last among them.
std::vector<std::size_t> spreadIndices(std::size_t size, std::size_t count)
{
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < count; ++i)
        indices.push_back((i * (size - 1) + (count - 1) / 2) / (count - 1));
    return indices;
}

std::vector<double> discreteLevels(const Factor& factor, int count)
{
    const study::Coding coding({factor});
    std::vector<double> legal;
    for (const double level : factor.levels)
        if (level >= factor.low && level <= factor.high)
            legal.push_back(coding.toCoded(0, level));
    if (count > static_cast<int>(legal.size()))
        throw DesignError("factor '" + factor.name + "' has " + std::to_string(legal.size()) +
                          " levels, not " + std::to_string(count));
    std::vector<double> levels;
    for (const std::size_t i :
         spreadIndices(legal.size(), count > 0 ? static_cast<std::size_t>(count) : legal.size()))
        levels.push_back(legal[i]);
    return levels;
}

std::vector<double> categoryLevels(const Factor& factor, int count)
{
    if (count > 0 && count != static_cast<int>(factor.categories.size()))
        throw DesignError("categorical factor '" + factor.name + "' is run at all of its " +
                          std::to_string(factor.categories.size()) + " levels, not at " +
                          std::to_string(count));
    std::vector<double> levels;
    for (std::size_t i = 0; i < factor.categories.size(); ++i)
        levels.push_back(static_cast<double>(i));
    return levels;
}

std::vector<double> evenLevels(int count)
{
    std::vector<double> levels;
    levels.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        levels.push_back(-1.0 + 2.0 * i / (count - 1.0));
    return levels;
}

std::vector<std::vector<double>> allLevels(const Study& study)
{
    std::vector<std::vector<double>> levels;
    double points = 1.0;
    for (const Factor& factor : study.factors) {
        const auto count = study.design.levels.find(factor.name);
        levels.push_back(factorialLevels(factor, count == study.design.levels.end() ? 0 : count->second));
        points *= static_cast<double>(levels.back().size());
    }
    if (points > kMostPoints)
        throw DesignError("a full factorial of these factors would have " + study::toText(points) +
                          " runs. A fraction or an optimal design needs fewer");
    return levels;
}

/// Index of the level of every factor, one row a point.
Eigen::MatrixXi levelIndices(const std::vector<std::vector<double>>& levels)
{
    Eigen::Index rows = 1;
    for (const auto& factor : levels)
        rows *= static_cast<Eigen::Index>(factor.size());
    Eigen::MatrixXi indices(rows, static_cast<Eigen::Index>(levels.size()));
    Eigen::Index stride = 1;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const auto size = static_cast<Eigen::Index>(levels[i].size());
        for (Eigen::Index row = 0; row < rows; ++row)
            indices(row, static_cast<Eigen::Index>(i)) = static_cast<int>(row / stride % size);
        stride *= size;
    }
    return indices;
}

std::vector<Eigen::Index> factorsOfLevels(const std::vector<std::vector<double>>& levels, std::size_t count)
{
    std::vector<Eigen::Index> places;
    for (std::size_t i = 0; i < levels.size(); ++i)
        if (levels[i].size() == count)
            places.push_back(static_cast<Eigen::Index>(i));
    return places;
}

std::vector<int> twoLevelBlocks(const Eigen::MatrixXi& indices, const std::vector<Eigen::Index>& places,
                                int blocks)
{
    const Fraction full = fractionFrom(static_cast<int>(places.size()), {});
    const Eigen::MatrixXd signs = 2.0 * indices(Eigen::all, places).cast<double>().array() - 1.0;
    return blocksOf(leastConfounding(full, blocks), signs);
}

/// Three blocks by the component AB… of the interaction of all three-level factors: the sum of their levels
/// modulo 3 (Montgomery 9).
std::vector<int> threeLevelBlocks(const Eigen::MatrixXi& indices, const std::vector<Eigen::Index>& places)
{
    const Eigen::VectorXi sums = indices(Eigen::all, places).rowwise().sum();
    std::vector<int> blocks;
    for (const int sum : sums)
        blocks.push_back(sum % 3 + 1);
    return blocks;
}

std::vector<int> factorialBlocks(const std::vector<std::vector<double>>& levels,
                                 const Eigen::MatrixXi& indices, int blocks)
{
    const std::vector<Eigen::Index> two = factorsOfLevels(levels, 2);
    const std::vector<Eigen::Index> three = factorsOfLevels(levels, 3);
    if (blocks == 3 && three.size() >= 2)
        return threeLevelBlocks(indices, three);
    if (blocks % 2 == 0 && two.size() >= 2)
        return twoLevelBlocks(indices, two, blocks);
    throw DesignError(
        "A full factorial is divided into blocks by interactions of its two-level factors (2, 4, "
        "8 … blocks) or of its three-level factors (3 blocks); these factors cannot make " +
        std::to_string(blocks) + ". As many replicates as blocks can always be divided");
}

} // namespace

std::vector<double> factorialLevels(const Factor& factor, int count)
{
    if (!factor.isNumeric())
        return categoryLevels(factor, count);
    if (factor.type == FactorType::Discrete)
        return discreteLevels(factor, count);
    return evenLevels(count > 0 ? count : 2);
}

namespace {

/// Every combination of the levels, the first factor changing fastest. Blocks: two-level factorials are
/// divided by their longest interactions, factorials of three levels into 3 blocks by a component of theirs,
/// mixed ones by their two-level factors.
std::vector<DesignPoint> fullFactorialOf(const Study& study, const std::stop_token& /*stop*/,
                                         const Progress& /*progress*/)
{
    const std::vector<std::vector<double>> levels = allLevels(study);
    const Eigen::MatrixXi indices = levelIndices(levels);
    const std::vector<int> blocks = study.design.blocks == 1
                                        ? std::vector<int>(static_cast<std::size_t>(indices.rows()), 1)
                                        : factorialBlocks(levels, indices, study.design.blocks);
    std::vector<DesignPoint> points;
    for (Eigen::Index row = 0; row < indices.rows(); ++row) {
        study::CodedPoint point{Eigen::VectorXd(indices.cols())};
        for (std::size_t i = 0; i < levels.size(); ++i) {
            const auto column = static_cast<Eigen::Index>(i);
            point[column] = levels[i][static_cast<std::size_t>(indices(row, column))];
        }
        points.push_back({std::move(point), study::RunKind::Design, blocks[static_cast<std::size_t>(row)]});
    }
    std::ranges::stable_sort(points, {}, &DesignPoint::block);
    return points;
}

} // namespace

DesignType fullFactorialType()
{
    return {.name = "full-factorial",
            .title = "Full factorial",
            .purpose = "Every combination of the levels.",
            .points = fullFactorialOf,
            .keys = {"levels"},
            .importTitle = "full factorial design"};
}

} // namespace quadric::design
