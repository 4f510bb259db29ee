// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/run_order.h"

#include "core/model/base/random_draw.h"

#include <numeric>

namespace quadric::design {

namespace {

/// Fisher–Yates.
void shuffle(std::vector<std::size_t>& values, model::RandomBits& generator)
{
    for (std::size_t i = values.size(); i > 1; --i)
        std::swap(values[i - 1], values[model::drawBelow(generator, i)]);
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
    shuffle(others, generator);

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
