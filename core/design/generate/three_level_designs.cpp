// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/three_level_designs.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"
#include "core/design/base/design_type.h"
#include "core/design/generate/design_catalog.h"
#include "core/design/generate/plackett_burman.h"
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
    texts.reserve(numbers.size());
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
int boxBehnkenCenters(const study::Study& study)
{
    const auto factors = static_cast<int>(numericFactors(study).size());
    return sharedCenters(study, factors <= 4 ? 3 : factors <= 7 ? 6 : factors <= 10 ? 10 : 12);
}

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

constexpr int kLeastOrder = 4;
constexpr int kMostOrder = 50;
constexpr int kLeastForScreening = 3;

/// Places of the factors that have two levels only.
std::vector<Eigen::Index> twoLevelFactors(const study::Study& study)
{
    std::vector<Eigen::Index> places;
    for (std::size_t i = 0; i < study.factors.size(); ++i)
        if (!hasCenter(study.factors[i]))
            places.push_back(static_cast<Eigen::Index>(i));
    return places;
}

std::string listed(const std::vector<int>& orders, int factors)
{
    std::vector<std::string> runs;
    for (const int order : orders)
        if (order >= factors && runs.size() < 4)
            runs.push_back(std::to_string(2 * order));
    return text::joinWords(runs);
}

/// The smallest order for the factors, or the one whose design has the runs asked for (its center run may
/// be counted or not).
int orderFor(const study::DesignSpec& spec, int factors)
{
    if (factors < kLeastForScreening)
        throw DesignError("A definitive screening design needs 3 factors or more, not " +
                          std::to_string(factors) + ". A full factorial can hold them");
    const std::vector<int> orders = conferenceOrders();
    const int asked = spec.runs / 2;
    const auto order =
        std::ranges::find_if(orders, [&](int m) { return m >= factors && (spec.runs == 0 || m == asked); });
    if (order != orders.end())
        return *order;
    if (factors > orders.back())
        throw DesignError("Definitive screening designs hold up to " + std::to_string(orders.back()) +
                          " factors, not " + std::to_string(factors));
    throw DesignError("a definitive screening design of " + std::to_string(factors) + " factors has " +
                      listed(orders, factors) + " … runs beside the center runs, not " +
                      std::to_string(spec.runs));
}

double informationOn(const Eigen::MatrixXd& rows)
{
    Eigen::MatrixXd x(rows.rows(), rows.cols() + 1);
    x << Eigen::VectorXd::Ones(rows.rows()), rows;
    return algebra::determinant(algebra::cross(x));
}

/// Entries that must not be 0, each with its partner of the other sign.
using Pair = std::array<Eigen::Index, 3>; // row, mirrored row, column

std::vector<Pair> openPairs(const Eigen::MatrixXd& rows, const std::vector<Eigen::Index>& twoLevel)
{
    std::vector<Pair> pairs;
    for (Eigen::Index row = 0; row + 1 < rows.rows(); row += 2)
        for (const Eigen::Index column : twoLevel)
            if (rows(row, column) == 0.0)
                pairs.push_back({row, row + 1, column});
    return pairs;
}

/// Signs by exchange until no single change makes the determinant larger.
void fillPairs(Eigen::MatrixXd& rows, const std::vector<Pair>& pairs)
{
    const auto set = [&](const Pair& pair, double sign) {
        rows(pair[0], pair[2]) = sign;
        rows(pair[1], pair[2]) = -sign;
    };
    for (const Pair& pair : pairs)
        set(pair, 1.0);
    double best = informationOn(rows);
    for (bool isBetter = true; isBetter;) {
        isBetter = false;
        for (const Pair& pair : pairs) {
            const double sign = rows(pair[0], pair[2]);
            set(pair, -sign);
            const double information = informationOn(rows);
            if (information > best * (1.0 + 1e-9)) {
                best = information;
                isBetter = true;
            } else {
                set(pair, sign);
            }
        }
    }
}

Eigen::MatrixXd filled(const Eigen::MatrixXd& design, const std::vector<Eigen::Index>& twoLevel, int centers)
{
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(design.rows() + centers, design.cols());
    rows.topRows(design.rows()) = design;
    fillPairs(rows, openPairs(rows, twoLevel));
    return rows;
}

void checkCenters(const study::DesignSpec& spec, bool isMixed)
{
    if (spec.centerRuns < 1)
        throw DesignError(
            "A definitive screening design needs at least one center run to estimate its squares");
    if (isMixed && spec.centerRuns % 2 != 0)
        throw DesignError("A definitive screening design with factors of two levels needs its center runs in "
                          "pairs, not " +
                          std::to_string(spec.centerRuns));
    if (isMixed && spec.blocks > 1)
        throw DesignError(
            "A definitive screening design with factors of two levels has no orthogonal blocks; ask "
            "for as many replicates as blocks");
}

/// Jones & Nachtsheim 2011: the rows of a conference matrix, each followed by its mirror image, without the
/// center run: 2m × factors entries −1, 0, +1. `order` is that of the matrix, at least `factors`. Throws
/// DesignError when there is no matrix of this order.
Eigen::MatrixXd definitiveScreening(int factors, int order)
{
    const Eigen::MatrixXd conference = conferenceMatrix(order);
    if (conference.size() == 0 || factors > order)
        throw DesignError("there is no conference matrix of order " + std::to_string(order) + " for " +
                          std::to_string(factors) + " factors");
    Eigen::MatrixXd rows(2 * order, factors);
    for (Eigen::Index i = 0; i < order; ++i) {
        rows.row(2 * i) = conference.row(i).head(factors);
        rows.row(2 * i + 1) = -conference.row(i).head(factors);
    }
    return rows;
}

/// The factors that have a middle level at three levels. Factors of two levels (categorical ones, and numeric
/// ones without a value in the middle) have their zeros replaced by one sign in the run and the other in its
/// mirror image, chosen for the largest determinant of the main effects; the center runs then come in pairs
/// that mirror these factors (DSD-augment of Jones & Nachtsheim 2013). `runs` asks for a larger matrix of
/// which some columns stay empty. Blocks hold whole pairs.
std::vector<DesignPoint> definitiveScreeningOf(const study::Study& study, const std::stop_token& /*stop*/,
                                               const Progress& /*progress*/)
{
    requireTwoLevels(study, "A definitive screening design with categorical factors");
    const study::DesignSpec& spec = study.design;
    const int factors = static_cast<int>(study.factors.size());
    const std::vector<Eigen::Index> twoLevel = twoLevelFactors(study);
    const int order = orderFor(spec, factors);
    if (spec.blocks > order)
        throw DesignError("a definitive screening design of " + std::to_string(2 * order) +
                          " runs has at most " + std::to_string(order) + " blocks, not " +
                          std::to_string(spec.blocks));
    checkCenters(spec, !twoLevel.empty());

    Eigen::MatrixXd rows = definitiveScreening(factors, order);
    if (!twoLevel.empty())
        rows = filled(rows, twoLevel, spec.centerRuns);
    std::vector<DesignPoint> points = pointsOfSigns(study, rows);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const int pair = static_cast<int>(i) / 2;
        points[i].block = pair % spec.blocks + 1;
        if (pair >= order)
            points[i].kind = study::RunKind::Center;
    }
    std::ranges::stable_sort(points, {}, &DesignPoint::block);
    return points;
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

DesignType boxBehnkenType()
{
    return {.name = "box-behnken",
            .title = "Box–Behnken",
            .purpose = "Three levels per factor and no extreme corners: finds curvature with few runs.",
            .points = boxBehnkenOf,
            .centers = boxBehnkenCenters,
            .importTitle = "Box–Behnken design"};
}

std::vector<int> conferenceOrders()
{
    std::vector<int> orders;
    for (int order = kLeastOrder; order <= kMostOrder; order += 2)
        if (conferenceMatrix(order).size() > 0)
            orders.push_back(order);
    return orders;
}

DesignType definitiveScreeningType()
{
    return {
        .name = "definitive-screening",
        .title = "Definitive screening",
        .purpose = "Screens main effects and sees curvature.",
        .points = definitiveScreeningOf,
        .centers =
            [](const study::Study& study) { return std::ranges::all_of(study.factors, hasCenter) ? 1 : 2; },
        .keys = {"runs"},
        .mainEffects =
            "Main effects free of everything else, and whether curvature or interactions are there.",
        .importTitle = "definitive screening design"};
}

} // namespace quadric::design
