// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/box_behnken.h"

#include <algorithm>
#include <array>

namespace quadric::design {

namespace {

/// Incomplete blocks of the published designs: in each group the factors listed (counted from 1) take all
/// sign combinations while the others stay at 0. Box & Behnken, "Some New Three Level Designs for the Study
/// of Quantitative Variables", Technometrics 2 (1960) 455–475, table 4. Each group set is a (partially)
/// balanced incomplete block design; for 6 and 7 factors its blocks are of size three.
/// `groupsPerBlock` groups after one another form an orthogonal block; where it is 0 (6 and 7 factors) each
/// group is halved by the sign of its three-factor product instead.
struct Table {
    int factors;
    int blocks;
    std::size_t groupsPerBlock;
    std::vector<std::vector<int>> groups;
};

const std::array<Table, 5>& tables()
{
    static const std::array<Table, 5> kTables = {{
        {3, 0, 0, {{1, 2}, {1, 3}, {2, 3}}},
        {4, 3, 2, {{1, 2}, {3, 4}, {1, 4}, {2, 3}, {1, 3}, {2, 4}}},
        {5, 2, 5, {{1, 2}, {1, 3}, {3, 4}, {4, 5}, {2, 5}, {1, 4}, {1, 5}, {2, 3}, {2, 4}, {3, 5}}},
        {6, 2, 0, {{1, 2, 4}, {2, 3, 5}, {3, 4, 6}, {1, 4, 5}, {2, 5, 6}, {1, 3, 6}}},
        {7, 2, 0, {{4, 5, 6}, {1, 6, 7}, {2, 5, 7}, {1, 2, 4}, {3, 4, 7}, {1, 3, 5}, {2, 3, 6}}},
    }};
    return kTables;
}

const Table& tableFor(int factors)
{
    const auto& all = tables();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Table& table) { return table.factors == factors; });
    if (found == all.end())
        throw DesignError("Box-Behnken designs are available for 3 to 7 numeric factors, not for " +
                          std::to_string(factors));
    return *found;
}

int blockOf(const Table& table, int blocks, std::size_t group, const Eigen::VectorXd& point)
{
    if (blocks == 1)
        return 1;
    if (table.groupsPerBlock > 0)
        return static_cast<int>(group / table.groupsPerBlock) + 1;
    double product = 1.0;
    for (const int factor : table.groups[group])
        product *= point[factor - 1];
    return product < 0.0 ? 1 : 2;
}

/// Sign combination `index` of a group in standard order: its first factor changes fastest.
Eigen::VectorXd pointOf(const std::vector<int>& group, unsigned index, int factors)
{
    Eigen::VectorXd point = Eigen::VectorXd::Zero(factors);
    for (std::size_t i = 0; i < group.size(); ++i)
        point[group[i] - 1] = (index >> i & 1U) != 0U ? 1.0 : -1.0;
    return point;
}

} // namespace

int boxBehnkenBlocks(int factors)
{
    return tableFor(factors).blocks;
}

std::vector<DesignPoint> boxBehnkenPoints(int factors, int blocks)
{
    const Table& table = tableFor(factors);
    if (blocks != 1 && blocks != table.blocks) {
        const std::string possible = table.blocks > 0 ? "1 or " + std::to_string(table.blocks) : "1";
        throw DesignError("The Box-Behnken design of " + std::to_string(factors) + " factors has no " +
                          std::to_string(blocks) + " orthogonal blocks; possible: " + possible);
    }
    std::vector<DesignPoint> points;
    for (std::size_t group = 0; group < table.groups.size(); ++group) {
        for (unsigned index = 0; index < 1U << table.groups[group].size(); ++index) {
            Eigen::VectorXd point = pointOf(table.groups[group], index, factors);
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

std::vector<DesignPoint> boxBehnkenOf(const study::Study& study, const std::stop_token& /*stop*/,
                                      const Progress& /*progress*/)
{
    for (const study::Factor& factor : study.factors) {
        if (!factor.isNumeric())
            throw DesignError("A Box-Behnken design needs numeric factors; '" + factor.name +
                              "' is categorical");
    }
    if (study.design.centerRuns < 1)
        throw DesignError("A Box-Behnken design needs at least one centre run to estimate its squares");
    return boxBehnkenPoints(static_cast<int>(study.factors.size()), study.design.blocks);
}

} // namespace quadric::design
