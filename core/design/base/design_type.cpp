// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/design_type.h"

#include "core/model/base/distributions.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <numeric>

namespace quadric::design {

namespace {

using study::CodedPoint;
using study::Factor;

/// More runs are not laid out.
constexpr double kMostCombinations = 100000.0;

/// Every combination of the levels of the categorical factors, numeric entries 0.
std::vector<CodedPoint> categoryPoints(const study::Study& study)
{
    std::vector<CodedPoint> combinations = {study::Coding(study.factors).center()};
    for (std::size_t i = 0; i < study.factors.size(); ++i) {
        if (study.factors[i].isNumeric())
            continue;
        std::vector<CodedPoint> longer;
        for (std::size_t level = 0; level < study.factors[i].categories.size(); ++level)
            for (CodedPoint point : combinations) {
                point[static_cast<Eigen::Index>(i)] = static_cast<double>(level);
                longer.push_back(std::move(point));
            }
        combinations = std::move(longer);
    }
    return combinations;
}

/// Where in a block of `size` runs its center runs stand.
std::vector<std::size_t> centerPositions(std::size_t size, std::size_t centers, bool isFirst, bool isLast)
{
    if (centers == 0)
        return {};
    if (centers == 1)
        return {isFirst ? 0 : isLast ? size - 1 : size / 2};
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < centers; ++i)
        positions.push_back((i * (size - 1) + (centers - 1) / 2) / (centers - 1));
    return positions;
}

/// Random order of one block, the points begin … end − 1.
std::vector<std::size_t> blockOrder(const std::vector<DesignPoint>& points, std::size_t begin,
                                    std::size_t end, model::RandomBits& generator)
{
    std::vector<std::size_t> centers;
    std::vector<std::size_t> others;
    for (std::size_t i = begin; i < end; ++i)
        (points[i].kind == study::RunKind::Center ? centers : others).push_back(i);
    model::shuffle(others, generator);

    const std::vector<std::size_t> positions =
        centerPositions(end - begin, centers.size(), begin == 0, end == points.size());
    std::vector<std::size_t> order;
    std::size_t nextCenter = 0;
    std::size_t nextOther = 0;
    for (std::size_t position = 0; position < end - begin; ++position) {
        const bool isCenter = nextCenter < positions.size() && positions[nextCenter] == position;
        order.push_back(isCenter ? centers[nextCenter++] : others[nextOther++]);
    }
    return order;
}

} // namespace

std::vector<std::size_t> numericFactors(const study::Study& study)
{
    std::vector<std::size_t> numeric;
    for (std::size_t i = 0; i < study.factors.size(); ++i)
        if (study.factors[i].isNumeric())
            numeric.push_back(i);
    return numeric;
}

study::Study numericPart(study::Study study)
{
    std::erase_if(study.factors, [](const Factor& factor) { return !factor.isNumeric(); });
    return study;
}

int categoryCombinations(const study::Study& study)
{
    double combinations = 1.0;
    for (const Factor& factor : study.factors)
        if (!factor.isNumeric())
            combinations *= static_cast<double>(factor.categories.size());
    if (combinations > kMostCombinations)
        throw DesignError("the categorical factors have " + text::formatDecimals(combinations, 0) +
                          " combinations of levels, expected at most " +
                          text::formatDecimals(kMostCombinations, 0) +
                          ". An optimal design needs fewer runs than there are combinations");
    return static_cast<int>(combinations);
}

bool hasCenter(const Factor& factor)
{
    if (!factor.isNumeric())
        return false;
    const double middle = study::snapToLegal(factor, study::Coding({factor}).toActual(0, 0.0));
    return middle > factor.low && middle < factor.high;
}

void requireTwoLevels(const study::Study& study, std::string_view design)
{
    for (const Factor& factor : study.factors) {
        if (!factor.isNumeric() && factor.categories.size() != 2)
            throw DesignError(std::string(design) + " has two levels a factor; '" + factor.name + "' has " +
                              std::to_string(factor.categories.size()) +
                              ". A full factorial or an optimal design can hold it");
    }
}

double signToCoded(const Factor& factor, double sign)
{
    return factor.isNumeric() ? sign : sign > 0.0 ? 1.0 : 0.0;
}

std::vector<DesignPoint> pointsOfSigns(const study::Study& study, const Eigen::MatrixXd& signs)
{
    std::vector<DesignPoint> points;
    points.reserve(static_cast<std::size_t>(signs.rows()));
    for (Eigen::Index row = 0; row < signs.rows(); ++row) {
        Eigen::VectorXd x(signs.cols());
        for (Eigen::Index i = 0; i < signs.cols(); ++i)
            x[i] = signToCoded(study.factors[static_cast<std::size_t>(i)], signs(row, i));
        points.push_back({CodedPoint(std::move(x)), study::RunKind::Design, 1});
    }
    return points;
}

std::vector<DesignPoint> crossWithCategories(const study::Study& study,
                                             const std::vector<DesignPoint>& numeric)
{
    const std::vector<std::size_t> places = numericFactors(study);
    const double all = static_cast<double>(numeric.size()) * categoryCombinations(study);
    if (all > kMostCombinations)
        throw DesignError("the design would have " + text::formatDecimals(all, 0) +
                          " runs, one for each combination of categories, expected at most " +
                          text::formatDecimals(kMostCombinations, 0) + ". An optimal design needs fewer");
    std::vector<DesignPoint> points;
    for (const CodedPoint& combination : categoryPoints(study)) {
        for (const DesignPoint& base : numeric) {
            CodedPoint point = combination;
            for (std::size_t i = 0; i < places.size(); ++i)
                point[static_cast<Eigen::Index>(places[i])] = base.point[static_cast<Eigen::Index>(i)];
            points.push_back({std::move(point), base.kind, base.block});
        }
    }
    std::ranges::stable_sort(points, {}, &DesignPoint::block);
    return points;
}

std::vector<CodedPoint> centerPoints(const study::Study& study, int count)
{
    if (count > 0 && std::ranges::none_of(study.factors, hasCenter))
        throw DesignError("no factor has a value in the middle; ask for no center runs");
    std::vector<CodedPoint> points(static_cast<std::size_t>(count), study::Coding(study.factors).center());
    std::size_t stride = 1;
    for (std::size_t i = 0; i < study.factors.size(); ++i) {
        const Factor& factor = study.factors[i];
        if (hasCenter(factor))
            continue;
        const std::size_t levels = factor.isNumeric() ? 2 : factor.categories.size();
        for (std::size_t run = 0; run < points.size(); ++run) {
            const auto level = static_cast<double>(run / stride % levels);
            points[run][static_cast<Eigen::Index>(i)] = factor.isNumeric() ? 2.0 * level - 1.0 : level;
        }
        stride *= levels;
    }
    return points;
}

int sharedCenters(const study::Study& study, int centers)
{
    int combinations = 1;
    for (const Factor& factor : study.factors)
        if (!factor.isNumeric() && combinations <= centers)
            combinations *= std::max(1, static_cast<int>(factor.categories.size()));
    const int shared = (centers + combinations - 1) / combinations * combinations;
    return shared < 2 * centers ? shared : centers;
}

Eigen::MatrixXd signCombinations(int count)
{
    Eigen::MatrixXd signs(Eigen::Index{1} << count, count);
    for (Eigen::Index row = 0; row < signs.rows(); ++row)
        for (int i = 0; i < count; ++i)
            signs(row, i) = (row >> i & 1) != 0 ? 1.0 : -1.0;
    return signs;
}

std::string categoricalNames(const study::Study& study)
{
    std::vector<std::string> names;
    for (const Factor& factor : study.factors)
        if (!factor.isNumeric())
            names.push_back("'" + factor.name + "'");
    if (names.empty())
        return {};
    return text::formatList(names) + (names.size() == 1 ? " is categorical" : " are categorical");
}

std::vector<std::size_t> runOrder(const std::vector<DesignPoint>& points, bool randomize, std::uint64_t seed)
{
    std::vector<std::size_t> order;
    if (!randomize) {
        order.resize(points.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        return order;
    }
    model::RandomBits generator(seed);
    for (std::size_t begin = 0; begin < points.size();) {
        std::size_t end = begin;
        while (end < points.size() && points[end].block == points[begin].block)
            ++end;
        const std::vector<std::size_t> block = blockOrder(points, begin, end, generator);
        order.insert(order.end(), block.begin(), block.end());
        begin = end;
    }
    return order;
}

} // namespace quadric::design
