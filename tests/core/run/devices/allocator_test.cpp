// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/devices/allocator.h"

#include <gmock/gmock.h>

#include <random>

using namespace quadric::devices;
using testing::ElementsAre;

namespace {

/// Two NUMA nodes, each with four GPUs joined by NVLink and eight cores.
Inventory twoIslands()
{
    Inventory inventory;
    for (int i = 0; i < 8; ++i) {
        inventory.gpus.push_back({i, "GPU-" + std::to_string(i), "A100", i / 4});
        auto& links = inventory.links.emplace_back();
        for (int j = 0; j < 8; ++j)
            links.push_back(i / 4 == j / 4 ? GpuLink::NvLink : GpuLink::System);
    }
    for (int i = 0; i < 16; ++i)
        inventory.cores.push_back({{i, i + 16}, i / 8, i / 8});
    return inventory;
}

bool areDisjoint(const Places& a, const Places& b)
{
    return std::ranges::none_of(a,
                                [&b](std::size_t place) { return std::ranges::find(b, place) != b.end(); });
}

} // namespace

TEST(Allocator, GivesGpusOfOneIslandWithTheCoresBesideThem)
{
    Allocator allocator(twoIslands());
    const auto first = allocator.take({.gpus = 3, .cores = 6});
    const auto second = allocator.take({.gpus = 2, .cores = 4});
    ASSERT_TRUE(first && second);
    EXPECT_THAT(first->gpus, ElementsAre(0, 1, 2));
    EXPECT_THAT(first->cores, ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_THAT(second->gpus, ElementsAre(4, 5));
    EXPECT_THAT(second->cores, ElementsAre(8, 9, 10, 11));
    EXPECT_FALSE(allocator.take({.gpus = 4}));
    allocator.giveBack(*second);
    EXPECT_THAT(allocator.take({.gpus = 4}).value().gpus, ElementsAre(4, 5, 6, 7));
}

TEST(Allocator, WhoNeedsEverythingIsAlone)
{
    Allocator allocator(twoIslands());
    const auto small = allocator.take({.cores = 1});
    EXPECT_FALSE(allocator.take({.gpus = 8}));
    EXPECT_FALSE(allocator.take({.cores = 16}));
    EXPECT_FALSE(allocator.take({.gpus = 99}));
    allocator.giveBack(small.value());
    const auto everything = allocator.take({.gpus = 99});
    ASSERT_TRUE(everything && everything->isWholeMachine);
    EXPECT_EQ(everything->gpus.size(), 8U);
    EXPECT_EQ(everything->cores.size(), 16U);
    EXPECT_FALSE(allocator.take({}));
    allocator.giveBack(*everything);
    EXPECT_TRUE(allocator.take({}));
}

TEST(Allocator, AMachineWithoutGpusIsLeftToWhoAsksForThem)
{
    Inventory inventory;
    inventory.cores = {{{0}, 0, 0}, {{1}, 0, 0}};
    Allocator allocator(inventory);
    EXPECT_TRUE(allocator.take({.gpus = 1}).value().isWholeMachine);
}

TEST(Allocator, NothingIsEverGivenTwice)
{
    std::mt19937 random(3);
    Allocator allocator(twoIslands());
    std::vector<Allocation> held;
    for (int i = 0; i < 5000; ++i) {
        if (!held.empty() && random() % 2 == 0) {
            const std::size_t which = random() % held.size();
            allocator.giveBack(held[which]);
            held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
            continue;
        }
        const Need need{.gpus = static_cast<int>(random() % 9), .cores = static_cast<int>(random() % 17)};
        const auto given = allocator.take(need);
        if (!given)
            continue;
        ASSERT_GE(given->gpus.size(), static_cast<std::size_t>(need.gpus));
        ASSERT_GE(given->cores.size(), static_cast<std::size_t>(need.cores));
        for (const Allocation& other : held)
            ASSERT_TRUE(areDisjoint(given->gpus, other.gpus) && areDisjoint(given->cores, other.cores));
        ASSERT_TRUE(held.empty() || !given->isWholeMachine);
        held.push_back(*given);
    }
    for (const Allocation& each : held)
        allocator.giveBack(each);
    EXPECT_TRUE(allocator.take({.gpus = 8}));
}
