// SPDX-License-Identifier: GPL-3.0-or-later
// The sets of GPUs and cores that runs get, against brute force over all sets.
#include "core/run/devices/best_set.h"

#include <gmock/gmock.h>

#include <random>

using namespace quadric::devices;
using testing::ElementsAre;

namespace {

using Links = std::vector<std::vector<GpuLink>>;

/// `islands` of `size` GPUs, joined by NVLink inside and across the machine outside.
Links islandsOf(std::size_t islands, std::size_t size)
{
    const std::size_t all = islands * size;
    Links links(all, std::vector<GpuLink>(all, GpuLink::System));
    for (std::size_t a = 0; a < all; ++a) {
        for (std::size_t b = 0; b < all; ++b) {
            if (a / size == b / size)
                links[a][b] = GpuLink::NvLink;
        }
    }
    return links;
}

Links randomLinks(std::mt19937& random, std::size_t count)
{
    std::uniform_int_distribution level(0, 6);
    Links links(count, std::vector<GpuLink>(count, GpuLink::NvLink));
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a + 1; b < count; ++b)
            links[a][b] = links[b][a] = static_cast<GpuLink>(level(random));
    }
    return links;
}

/// A random part of 0 … count − 1 with `least` members at least.
Places randomPart(std::mt19937& random, std::size_t count, std::size_t least)
{
    Places all;
    for (std::size_t i = 0; i < count; ++i)
        all.push_back(i);
    std::ranges::shuffle(all, random);
    all.resize(std::uniform_int_distribution<std::size_t>(least, count)(random));
    std::ranges::sort(all);
    return all;
}

/// All sets of that many of the places.
std::vector<Places> allSets(const Places& of, std::size_t count)
{
    std::vector<Places> sets;
    for (std::size_t bits = 0; bits < std::size_t{1} << of.size(); ++bits) {
        Places set;
        for (std::size_t i = 0; i < of.size(); ++i) {
            if ((bits >> i & 1U) != 0)
                set.push_back(of[i]);
        }
        if (set.size() == count)
            sets.push_back(set);
    }
    return sets;
}

/// Worst link, sum of the links inside and of those cut, from the definition.
std::array<int, 3> costOf(const Links& links, const Places& set, const Places& free)
{
    int worst = 0;
    int twiceInside = 0;
    int cut = 0;
    for (const std::size_t a : set) {
        for (const std::size_t b : free) {
            const int link = static_cast<int>(links[a][b]);
            if (std::ranges::find(set, b) == set.end()) {
                cut += link;
            } else if (a != b) {
                worst = std::max(worst, link);
                twiceInside += link;
            }
        }
    }
    return {worst, twiceInside / 2, -cut};
}

std::vector<Core> randomCores(std::mt19937& random, int nodes, std::size_t count)
{
    std::vector<Core> cores;
    for (std::size_t i = 0; i < count; ++i) {
        const int node = std::uniform_int_distribution(0, nodes - 1)(random);
        cores.push_back({.cpus = {static_cast<int>(i)}, .node = node, .package = node / 2});
    }
    return cores;
}

/// Strange nodes, packages and nodes of a set of cores.
std::array<std::size_t, 3> spreadOf(const std::vector<Core>& cores, const Places& set,
                                    const std::set<int>& wanted)
{
    std::set<int> nodes, packages, strangers;
    for (const std::size_t place : set) {
        nodes.insert(cores[place].node);
        packages.insert(cores[place].package);
        if (!wanted.empty() && !wanted.contains(cores[place].node))
            strangers.insert(cores[place].node);
    }
    return {strangers.size(), packages.size(), nodes.size()};
}

} // namespace

TEST(BestConnected, NoSetIsBetterConnected)
{
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
        const std::size_t gpus = 2 + random() % 8;
        const Links links = randomLinks(random, gpus);
        const std::size_t count = 1 + random() % gpus;
        const Places free = randomPart(random, gpus, count);
        const Places best = bestConnected(links, free, count);
        ASSERT_EQ(best.size(), count);
        ASSERT_TRUE(std::ranges::includes(free, best));
        for (const Places& other : allSets(free, count))
            ASSERT_LE(costOf(links, best, free), costOf(links, other, free));
    }
}

TEST(BestConnected, StaysOnOneIslandAndBreaksNoOther)
{
    const Links links = islandsOf(2, 4);
    const Places all = {0, 1, 2, 3, 4, 5, 6, 7};
    EXPECT_THAT(bestConnected(links, all, 4), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(bestConnected(links, {0, 1, 3, 4, 5, 6, 7}, 4), ElementsAre(4, 5, 6, 7));
    EXPECT_THAT(bestConnected(links, {1, 2, 3, 4, 5, 6, 7}, 1), ElementsAre(1)); // of the broken island
    EXPECT_THAT(bestConnected(links, {0, 4, 5, 6, 7}, 1), ElementsAre(0));
    EXPECT_THAT(bestConnected(links, {2, 3, 4, 5, 6, 7}, 2), ElementsAre(2, 3));
    EXPECT_TRUE(bestConnected(links, all, 0).empty());
}

/// 32 GPUs have more sets than are looked at.
TEST(BestConnected, LargeMachinesGetAWholeIslandToo)
{
    const Links links = islandsOf(4, 8);
    Places free;
    for (std::size_t i = 3; i < 32; ++i)
        free.push_back(i);
    EXPECT_THAT(bestConnected(links, free, 8), ElementsAre(8, 9, 10, 11, 12, 13, 14, 15));
    EXPECT_THAT(bestConnected(links, free, 5), ElementsAre(3, 4, 5, 6, 7));
}

TEST(MostCompact, NoSetUsesFewerNodes)
{
    std::mt19937 random(11);
    for (int i = 0; i < 200; ++i) {
        const std::vector<Core> cores = randomCores(random, 5, 11);
        const std::size_t count = 1 + random() % cores.size();
        const Places free = randomPart(random, cores.size(), count);
        std::set<int> wanted;
        if (i % 2 == 0)
            wanted.insert(static_cast<int>(random() % 5));
        const Places best = mostCompact(cores, free, count, wanted);
        ASSERT_EQ(best.size(), count);
        ASSERT_TRUE(std::ranges::includes(free, best));
        for (const Places& other : allSets(free, count))
            ASSERT_LE(spreadOf(cores, best, wanted), spreadOf(cores, other, wanted));
    }
}

TEST(MostCompact, FillsSmallRestsFirst)
{
    std::vector<Core> cores;
    for (int i = 0; i < 8; ++i)
        cores.push_back({.cpus = {i}, .node = i / 4, .package = 0});
    EXPECT_THAT(mostCompact(cores, {0, 1, 2, 3, 6, 7}, 2), ElementsAre(6, 7));
    EXPECT_THAT(mostCompact(cores, {0, 1, 2, 3, 6, 7}, 3), ElementsAre(0, 1, 2));
    EXPECT_THAT(mostCompact(cores, {0, 1, 2, 3, 6, 7}, 2, {0}), ElementsAre(0, 1));
    EXPECT_THAT(mostCompact(cores, {0, 1, 2, 3, 6, 7}, 5).size(), 5);
}
