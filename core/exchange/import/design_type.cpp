// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/box_behnken.h"
#include "core/exchange/import/design_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace quadric::exchange {

namespace {

bool isOnThreeLevels(const Row& row)
{
    return std::ranges::all_of(row, [](double x) { return x == 0.0 || std::abs(x) == 1.0; });
}

/// How often the points appear, rarest first, as multiples of the rarest; empty where they are none.
std::vector<int> multiplicities(const std::map<Row, int>& points)
{
    std::vector<int> counts;
    counts.reserve(points.size());
    for (const auto& [row, count] : points)
        counts.push_back(count);
    std::ranges::sort(counts);
    for (std::size_t i = counts.size(); i-- > 0;) {
        if (counts[i] % counts[0] != 0)
            return {};
        counts[i] /= counts[0];
    }
    return counts;
}

std::map<Row, int> publishedBoxBehnken(int factors)
{
    std::map<Row, int> points;
    const Eigen::MatrixXd design = design::boxBehnken(factors);
    for (const auto& point : design.rowwise())
        ++points[Row(point.begin(), point.end())];
    return points;
}

/// As many points as the published design has, as often, and in each as many factors off the center.
bool isBoxBehnken(const Parts& parts)
{
    const std::vector<int> known = design::boxBehnkenFactors();
    const auto factors = static_cast<int>(parts.factors);
    if (!parts.isNumeric || std::ranges::find(known, factors) == known.end())
        return false;
    const std::map<Row, int> published = publishedBoxBehnken(factors);
    const int inactive = zeros(published.begin()->first);
    return multiplicities(parts.points) == multiplicities(published) &&
           std::ranges::all_of(parts.points, [inactive](const auto& entry) {
               return isOnThreeLevels(entry.first) && zeros(entry.first) == inactive;
           });
}

bool isOrthogonalTwoLevel(const std::vector<Row>& rows)
{
    if (rows.empty() || !std::ranges::all_of(rows, isCorner))
        return false;
    const std::size_t factors = rows.front().size();
    for (std::size_t i = 0; i < factors; ++i) {
        for (std::size_t j = i; j < factors; ++j) {
            double sum = 0, product = 0;
            for (const Row& row : rows) {
                sum += row[i];
                product += row[i] * row[j];
            }
            if (sum != 0 || (i != j && product != 0))
                return false;
        }
    }
    return true;
}

/// A regular fraction is a coset of a group: the product of any three of its runs is one of its runs.
bool isRegularFraction(const std::set<Row>& rows)
{
    const Row& first = *rows.begin();
    for (const Row& a : rows) {
        for (const Row& b : rows) {
            Row product(first.size());
            for (std::size_t i = 0; i < first.size(); ++i)
                product[i] = first[i] * a[i] * b[i];
            if (!rows.contains(product))
                return false;
        }
    }
    return true;
}

/// Two axial runs for every factor, all the others corners of an orthogonal cube.
bool isCentralComposite(const Parts& parts)
{
    if (!parts.isNumeric || parts.factors < 2 || parts.axials == 0 || !isOrthogonalTwoLevel(parts.others))
        return false;
    std::vector<int> below(parts.factors), above(parts.factors);
    for (const auto& [row, count] : parts.points) {
        if (!isAxial(row))
            continue;
        for (std::size_t i = 0; i < row.size(); ++i) {
            below[i] += row[i] < 0 ? count : 0;
            above[i] += row[i] > 0 ? count : 0;
        }
    }
    return below == above && std::ranges::all_of(below, [&](int n) { return n > 0 && n == below.front(); });
}

bool isFullFactorial(const Parts& parts)
{
    if (!parts.isRegular() || (parts.factors == 1 && parts.distinct() < 2))
        return false;
    std::size_t combinations = 1;
    std::vector<std::set<double>> levels(parts.factors);
    for (const auto& [row, count] : parts.points) {
        for (std::size_t i = 0; i < row.size(); ++i)
            levels[i].insert(row[i]);
    }
    for (const std::set<double>& values : levels)
        combinations *= values.size();
    const bool centerIsPoint =
        parts.isNumeric &&
        std::ranges::all_of(levels, [](const std::set<double>& values) { return values.contains(0.0); });
    const std::size_t centerPoints = centerIsPoint ? 1 : 0;
    const bool hasCenter = !centerIsPoint || parts.centers == parts.least;
    return static_cast<std::size_t>(parts.distinct()) + centerPoints == combinations && hasCenter &&
           std::ranges::all_of(levels, [](const std::set<double>& values) { return values.size() > 1; });
}

/// Each point's mirror image is there too, and one factor at a time is at zero.
bool isDefinitiveScreening(const Parts& parts)
{
    if (!parts.isNumeric || parts.factors < 3 || parts.centers < 1 || !parts.isRegular())
        return false;
    const int conference = parts.distinct() / 2;
    if (conference < static_cast<int>(parts.factors) || conference > static_cast<int>(parts.factors) + 1)
        return false;
    return std::ranges::all_of(parts.points, [&](const auto& entry) {
        Row mirror = entry.first;
        std::ranges::transform(mirror, mirror.begin(), [](double x) { return x == 0 ? 0.0 : -x; });
        return isOnThreeLevels(entry.first) && zeros(entry.first) <= 1 && parts.points.contains(mirror);
    });
}

bool isLatinHypercube(const Parts& parts)
{
    if (!parts.isNumeric || parts.distinct() + parts.centers != parts.runs || parts.runs < 4)
        return false;
    for (std::size_t i = 0; i < parts.factors; ++i) {
        std::set<double> values;
        for (const auto& [row, count] : parts.points)
            values.insert(row[i]);
        if (static_cast<int>(values.size()) != parts.distinct())
            return false;
    }
    return true;
}

} // namespace

std::string typeOf(const Parts& parts)
{
    if (parts.points.empty())
        return "custom";
    if (isBoxBehnken(parts))
        return "box-behnken";
    if (isFullFactorial(parts))
        return "full-factorial";
    if (isCentralComposite(parts))
        return "central-composite";
    if (isDefinitiveScreening(parts))
        return "definitive-screening";
    std::set<Row> corners;
    for (const auto& [row, count] : parts.points)
        corners.insert(row);
    if (parts.isRegular() && isOrthogonalTwoLevel(parts.others) && parts.axials == 0)
        return isRegularFraction(corners) ? "fractional-factorial" : "plackett-burman";
    return isLatinHypercube(parts) ? "latin-hypercube" : "custom";
}

} // namespace quadric::exchange
