// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/definitive_screening.h"

#include "core/algebra/householder_qr.h"
#include "core/algebra/products.h"
#include "core/design/base/factor_levels.h"
#include "core/design/generate/design_catalog.h"
#include "core/design/generate/paley.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::design {

namespace {

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

} // namespace

std::vector<int> conferenceOrders()
{
    std::vector<int> orders;
    for (int order = kLeastOrder; order <= kMostOrder; order += 2)
        if (conferenceMatrix(order).size() > 0)
            orders.push_back(order);
    return orders;
}

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

namespace {

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
