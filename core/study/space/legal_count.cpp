// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/space/legal_space.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quadric::study {

double countCombinations(const std::vector<std::vector<double>>& values)
{
    double product = 1.0;
    for (const std::vector<double>& of : values)
        product *= static_cast<double>(of.size());
    return product;
}

Eigen::VectorXd combinationAt(const std::vector<std::vector<double>>& values, std::size_t index)
{
    Eigen::VectorXd point(std::ssize(values));
    for (std::size_t i = 0; i < values.size(); ++i) {
        point[static_cast<Eigen::Index>(i)] = values[i][index % values[i].size()];
        index /= values[i].size();
    }
    return point;
}

namespace {

/// The only positive root of x^(d+1) = x + 1: powers of its inverse fill the d-dimensional cube most evenly.
double generalizedGoldenRatio(Eigen::Index dimensions)
{
    double root = 2.0;
    for (int i = 0; i < 60; ++i)
        root = std::pow(1.0 + root, 1.0 / (static_cast<double>(dimensions) + 1.0));
    return root;
}

double codedAt(const LegalAxis& axis, double fraction)
{
    if (axis.coded.empty())
        return 2.0 * fraction - 1.0;
    const auto count = static_cast<double>(axis.count());
    return axis.coded[static_cast<std::size_t>(std::min(fraction * count, count - 1.0))];
}

long countAmongCombinations(const LegalSpace& space, const std::vector<std::vector<double>>& values,
                            long combinations)
{
    long legal = 0;
    for (long i = 0; i < combinations; ++i)
        legal += space.satisfiesConstraints(combinationAt(values, static_cast<std::size_t>(i))) ? 1 : 0;
    return legal;
}

double shareOfSpreadPoints(const LegalSpace& space, long points)
{
    const double ratio = generalizedGoldenRatio(space.size());
    Eigen::VectorXd point(space.size());
    long legal = 0;
    for (long i = 0; i < points; ++i) {
        for (Eigen::Index f = 0; f < space.size(); ++f) {
            const double step = std::pow(ratio, -static_cast<double>(f + 1));
            const double place = 0.5 + step * static_cast<double>(i + 1);
            point[f] = codedAt(space.axis(f), place - std::floor(place));
        }
        legal += space.satisfiesConstraints(point) ? 1 : 0;
    }
    return static_cast<double>(legal) / static_cast<double>(points);
}

LegalCount countIn(const LegalSpace& space, long most)
{
    std::vector<std::vector<double>> values;
    for (const LegalAxis& axis : space.axes())
        values.push_back(axis.coded);
    const double combinations =
        std::ranges::any_of(values, &std::vector<double>::empty) ? INFINITY : countCombinations(values);
    LegalCount count;
    if (combinations <= static_cast<double>(most)) {
        count.combinations = static_cast<long>(combinations);
        count.legal = countAmongCombinations(space, values, *count.combinations);
        count.share = static_cast<double>(*count.legal) / combinations;
    } else if (!space.constraints().isEmpty()) {
        count.share = shareOfSpreadPoints(space, most);
    } else if (std::isfinite(combinations)) {
        count.combinations = count.legal = static_cast<long>(std::min(combinations, 1e15));
    }
    return count;
}

} // namespace

LegalCount countLegal(const Study& study, long most)
{
    const Coding sound(study.factors); // throws for factors that are not
    try {
        return countIn(LegalSpace(study, {.mostListed = static_cast<std::size_t>(most)}), most);
    } catch (const std::invalid_argument&) { // a constraint that cannot be read holds nowhere
        return {.legal = 0, .share = 0.0};
    }
}

} // namespace quadric::study
