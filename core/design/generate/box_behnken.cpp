// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/box_behnken.h"

#include "core/design/base/factor_levels.h"
#include "core/design/generate/design_catalog.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::design {

namespace {

/// Incomplete blocks of the published designs: in each group the factors listed (counted from 1) take all
/// sign combinations (five factors: those with a positive product) while the others stay at 0. Box & Behnken,
/// "Some New Three Level Designs for the Study of Quantitative Variables", Technometrics 2 (1960) 455–475,
/// table 4. Each group set is a (partially) balanced incomplete block design.
/// `setSize` groups after one another form an orthogonal block, where it is not 0; groups of three and of
/// four factors can also be halved by the sign of their product.
struct Table {
    int factors;
    std::size_t setSize;
    std::vector<std::vector<int>> groups;

    int sets() const { return setSize > 0 ? static_cast<int>(groups.size() / setSize) : 0; }
    bool hasHalves() const { return groups.front().size() == 3 || groups.front().size() == 4; }
};

// clang-format off
const std::vector<Table>& tables()
{
    static const std::vector<Table> kTables = {
        {3, 0, {{1, 2}, {1, 3}, {2, 3}}},
        {4, 2, {{1, 2}, {3, 4}, {1, 4}, {2, 3}, {1, 3}, {2, 4}}},
        {5, 5, {{1, 2}, {1, 3}, {3, 4}, {4, 5}, {2, 5}, {1, 4}, {1, 5}, {2, 3}, {2, 4}, {3, 5}}},
        {6, 0, {{1, 2, 4}, {2, 3, 5}, {3, 4, 6}, {1, 4, 5}, {2, 5, 6}, {1, 3, 6}}},
        {7, 0, {{4, 5, 6}, {1, 6, 7}, {2, 5, 7}, {1, 2, 4}, {3, 4, 7}, {1, 3, 5}, {2, 3, 6}}},
        {9, 3, {{1, 4, 7}, {2, 5, 8}, {3, 6, 9}, {1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 5, 9}, {3, 4, 8},
                {2, 6, 7}, {1, 6, 8}, {2, 4, 9}, {3, 5, 7}, {1, 4, 7}, {2, 5, 8}, {3, 6, 9}}},
        {10, 0, {{2, 6, 7, 10}, {1, 2, 5, 10}, {2, 3, 7, 8}, {2, 4, 6, 9}, {1, 8, 9, 10},
                 {3, 4, 5, 10}, {1, 4, 7, 8}, {3, 5, 7, 9}, {1, 3, 6, 9}, {4, 5, 6, 8}}},
        {11, 0, {{3, 7, 8, 9, 11}, {1, 4, 8, 9, 10}, {2, 5, 9, 10, 11}, {1, 3, 6, 10, 11},
                 {1, 2, 4, 7, 11}, {1, 2, 3, 5, 8}, {2, 3, 4, 6, 9}, {3, 4, 5, 7, 10},
                 {4, 5, 6, 8, 11}, {1, 5, 6, 7, 9}, {2, 6, 7, 8, 10}}},
        {12, 0, {{1, 2, 5, 7}, {2, 3, 6, 8}, {3, 4, 7, 9}, {4, 5, 8, 10}, {5, 6, 9, 11}, {6, 7, 10, 12},
                 {1, 7, 8, 11}, {2, 8, 9, 12}, {1, 3, 9, 10}, {2, 4, 10, 11}, {3, 5, 11, 12}, {1, 4, 6, 12}}},
        {16, 4, {{1, 2, 6, 9}, {3, 4, 8, 11}, {5, 10, 13, 14}, {7, 12, 15, 16}, {2, 3, 7, 10}, {1, 4, 5, 12},
                 {6, 11, 14, 15}, {8, 9, 13, 16}, {2, 5, 6, 13}, {4, 7, 8, 15}, {1, 9, 10, 14}, {3, 11, 12, 16},
                 {3, 6, 7, 14}, {1, 5, 8, 16}, {2, 10, 11, 15}, {4, 9, 12, 13}, {1, 3, 13, 15}, {2, 4, 14, 16},
                 {5, 7, 9, 11}, {6, 8, 10, 12}, {4, 6, 10, 16}, {3, 5, 9, 15}, {1, 7, 11, 13}, {2, 8, 12, 14}}},
    };
    return kTables;
}
// clang-format on

const Table& tableFor(int factors)
{
    const auto& all = tables();
    const auto found = std::ranges::find(all, factors, &Table::factors);
    if (found == all.end())
        throw DesignError(
            "Box-Behnken designs are available for 3 to 7, 9 to 12 and 16 numeric factors, not for " +
            std::to_string(factors));
    return *found;
}

std::vector<int> blocksOf(const Table& table)
{
    std::vector<int> counts = {1};
    if (table.hasHalves())
        counts.push_back(2);
    if (table.sets() > 0)
        counts.push_back(table.sets());
    if (table.hasHalves() && table.sets() > 0)
        counts.push_back(2 * table.sets());
    return counts;
}

double productOf(const std::vector<int>& group, const Eigen::VectorXd& point)
{
    double product = 1.0;
    for (const int factor : group)
        product *= point[factor - 1];
    return product;
}

/// Whole sets of groups, halves of all groups, or halves of the sets.
int blockOf(const Table& table, int blocks, std::size_t group, const Eigen::VectorXd& point)
{
    if (blocks == 1)
        return 1;
    const int half = productOf(table.groups[group], point) < 0.0 ? 0 : 1;
    if (table.hasHalves() && blocks == 2)
        return half + 1;
    const int set = static_cast<int>(group / table.setSize);
    return blocks == table.sets() ? set + 1 : 2 * set + half + 1;
}

/// Five factors of a group are run at half of their sign combinations.
bool isInGroup(const std::vector<int>& group, const Eigen::VectorXd& point)
{
    constexpr std::size_t kHalved = 5;
    return group.size() < kHalved || productOf(group, point) > 0.0;
}

std::string listed(const std::vector<int>& numbers)
{
    std::vector<std::string> texts;
    for (const int number : numbers)
        texts.push_back(std::to_string(number));
    return text::formatList(texts, "or");
}

/// Sign combination `index` of a group in standard order: its first factor changes fastest.
Eigen::VectorXd pointOf(const std::vector<int>& group, unsigned index, int factors)
{
    Eigen::VectorXd point = Eigen::VectorXd::Zero(factors);
    for (std::size_t i = 0; i < group.size(); ++i)
        point[group[i] - 1] = (index >> i & 1U) != 0U ? 1.0 : -1.0;
    return point;
}

/// Center runs of the published design (Box & Behnken 1960, table 4): 3 for 3 and 4 factors, 6 for 5 to 7, 10
/// for 9 and 10, 12 for more.
int boxBehnkenCenters(int factors)
{
    return factors <= 4 ? 3 : factors <= 7 ? 6 : factors <= 10 ? 10 : 12;
}

} // namespace

std::vector<int> boxBehnkenFactors()
{
    std::vector<int> counts;
    for (const Table& table : tables())
        counts.push_back(table.factors);
    return counts;
}

std::vector<int> boxBehnkenBlocks(int factors)
{
    return blocksOf(tableFor(factors));
}

std::vector<DesignPoint> boxBehnkenPoints(int factors, int blocks)
{
    const Table& table = tableFor(factors);
    const std::vector<int> possible = blocksOf(table);
    if (std::ranges::find(possible, blocks) == possible.end())
        throw DesignError("The Box-Behnken design of " + std::to_string(factors) + " factors has no " +
                          std::to_string(blocks) + " orthogonal blocks; possible: " + listed(possible));
    std::vector<DesignPoint> points;
    for (std::size_t group = 0; group < table.groups.size(); ++group) {
        for (unsigned index = 0; index < 1U << table.groups[group].size(); ++index) {
            Eigen::VectorXd point = pointOf(table.groups[group], index, factors);
            if (!isInGroup(table.groups[group], point))
                continue;
            const int block = blockOf(table, blocks, group, point);
            points.push_back({study::CodedPoint(std::move(point)), study::RunKind::Design, block});
        }
    }
    std::stable_sort(points.begin(), points.end(),
                     [](const DesignPoint& a, const DesignPoint& b) { return a.block < b.block; });
    return points;
}

Eigen::MatrixXd boxBehnken(int factors)
{
    const std::vector<DesignPoint> points = boxBehnkenPoints(factors, 1);
    Eigen::MatrixXd rows(static_cast<Eigen::Index>(points.size()), factors);
    for (std::size_t i = 0; i < points.size(); ++i)
        rows.row(static_cast<Eigen::Index>(i)) = points[i].point.x.transpose();
    return rows;
}

namespace {

/// Repeated at every combination of the categorical factors.
std::vector<DesignPoint> boxBehnkenOf(const study::Study& study, const std::stop_token& /*stop*/,
                                      const Progress& /*progress*/)
{
    const int factors = static_cast<int>(numericFactors(study).size());
    if (const std::vector<int> known = boxBehnkenFactors();
        std::ranges::find(known, factors) == known.end() && !categoricalNames(study).empty())
        throw DesignError("A Box-Behnken design needs 3 to 7, 9 to 12 or 16 numeric factors; " +
                          categoricalNames(study) + ", which leaves " + std::to_string(factors));
    std::vector<DesignPoint> points = boxBehnkenPoints(factors, study.design.blocks);
    if (study.design.centerRuns < 1)
        throw DesignError("A Box-Behnken design needs at least one center run to estimate its squares");
    return crossWithCategories(study, points);
}

int boxBehnkenCentersOf(const study::Study& study)
{
    return sharedCenters(study, boxBehnkenCenters(static_cast<int>(numericFactors(study).size())));
}

} // namespace

DesignType boxBehnkenType()
{
    return {.name = "box-behnken",
            .title = "Box–Behnken",
            .purpose = "Three levels per factor and no extreme corners: finds curvature with few runs.",
            .points = boxBehnkenOf,
            .centers = boxBehnkenCentersOf,
            .importTitle = "Box–Behnken design"};
}

} // namespace quadric::design
