// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/allocator.h"
#include "machine_fixture.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

#include <random>

using namespace quadric::devices;
using nlohmann::json;
using quadric::builtPath;
using quadric::test::MachineFixture;
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
    allocator.returnAllocation(*second);
    EXPECT_THAT(allocator.take({.gpus = 4}).value().gpus, ElementsAre(4, 5, 6, 7));
}

TEST(Allocator, WhoNeedsEverythingIsAlone)
{
    Allocator allocator(twoIslands());
    const auto small = allocator.take({.cores = 1});
    EXPECT_FALSE(allocator.take({.gpus = 8}));
    EXPECT_FALSE(allocator.take({.cores = 16}));
    EXPECT_FALSE(allocator.take({.gpus = 99}));
    allocator.returnAllocation(small.value());
    const auto everything = allocator.take({.gpus = 99});
    ASSERT_TRUE(everything && everything->isWholeMachine);
    EXPECT_EQ(everything->gpus.size(), 8U);
    EXPECT_EQ(everything->cores.size(), 16U);
    EXPECT_FALSE(allocator.take({}));
    allocator.returnAllocation(*everything);
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
            allocator.returnAllocation(held[which]);
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
        allocator.returnAllocation(each);
    EXPECT_TRUE(allocator.take({.gpus = 8}));
}

// The sets of GPUs and cores that runs get, against brute force over all sets.

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

namespace {

InventoryOptions optionsOf(const MachineFixture& machine)
{
    InventoryOptions options;
    options.root = machine.root();
    options.nvmlLibrary = builtPath("tests/core/machine/driver/libnvidia-ml.so.1");
    return options;
}

/// Eight GPUs; the first four and the last four hang on one processor each.
json eightGpus()
{
    json script = {{"driver", "550.54.15"}, {"cuda", 12040}, {"devices", json::array()}};
    for (int i = 0; i < 8; ++i) {
        script["devices"].push_back({{"uuid", "GPU-" + std::to_string(i) + "000"},
                                     {"name", "A100"},
                                     {"pci", "00000000:" + std::to_string(i + 1) + "B:00.0"},
                                     {"moments", json::array({json::object()})}});
        for (int j = 0; j < 8; ++j)
            script["ancestors"][static_cast<std::size_t>(i)].push_back(i / 4 == j / 4 ? 30 : 50);
    }
    return script;
}

/// Two sockets with a NUMA node each, on each two cores with two hardware threads: 0 and 4 are siblings.
void makeCores(const MachineFixture& machine)
{
    for (int cpu = 0; cpu < 8; ++cpu) {
        const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
        const int core = cpu % 4;
        machine.write(folder + "thread_siblings_list",
                      std::to_string(core) + "," + std::to_string(core + 4) + "\n");
        machine.write(folder + "physical_package_id", std::to_string(core / 2) + "\n");
    }
    machine.write("sys/devices/system/node/node0/cpulist", "0-1,4-5\n");
    machine.write("sys/devices/system/node/node1/cpulist", "2-3,6-7\n");
    machine.write("sys/devices/system/node/possible", "0-1\n");
}

std::vector<int> indicesOf(const Inventory& inventory)
{
    std::vector<int> indices;
    for (const Gpu& gpu : inventory.gpus)
        indices.push_back(gpu.index);
    return indices;
}

} // namespace

TEST(Inventory, ReadsGpusWithTheirLinksAndNodes)
{
    const MachineFixture machine;
    json script = eightGpus();
    for (std::size_t i = 0; i < 8; ++i) {
        for (std::size_t j = 0; j < 8; ++j)
            script["peers"][i].push_back(i / 2 == j / 2);
    }
    machine.setScript(script);
    machine.write("sys/bus/pci/devices/0000:1b:00.0/numa_node", "1\n");
    const Inventory inventory = readInventory(optionsOf(machine));
    ASSERT_EQ(inventory.gpus.size(), 8U);
    EXPECT_EQ(inventory.gpus[0], (Gpu{0, "GPU-0000", "A100", 1}));
    EXPECT_EQ(inventory.gpus[1].node, -1);
    EXPECT_EQ(inventory.links[0][1], GpuLink::NvLink);
    EXPECT_EQ(inventory.links[1][2], GpuLink::HostBridge);
    EXPECT_EQ(inventory.links[3][4], GpuLink::System);
}

/// An older driver tells only what the links lead to: one GPU after another, or a switch.
TEST(Inventory, ReadsNvlinkFromTheEndsOfTheLinks)
{
    const MachineFixture machine;
    json script = eightGpus();
    const auto linkTo = [&script](std::size_t gpu, const json& ends) {
        script["devices"][gpu]["nvlinks"] = ends;
    };
    linkTo(0, {"00000000:2B:00.0"});
    linkTo(1, {"00000000:1B:00.0", "00000000:3B:00.0"});
    linkTo(2, {"00000000:2B:00.0"});
    linkTo(4, {"00000000:C1:00.0"});
    linkTo(7, {"00000000:C1:00.0"});
    machine.setScript(script);
    const auto links = readInventory(optionsOf(machine)).links;
    EXPECT_EQ(links[0][1], GpuLink::NvLink);
    EXPECT_EQ(links[2][1], GpuLink::NvLink);
    EXPECT_EQ(links[0][2], GpuLink::HostBridge); // both are linked to GPU 1, which is no switch
    EXPECT_EQ(links[4][7], GpuLink::NvLink);
    EXPECT_EQ(links[4][5], GpuLink::HostBridge);
}

TEST(Inventory, TakesTheGpusThatCudaWouldSee)
{
    const MachineFixture machine;
    machine.setScript(eightGpus());
    const auto visible = [&machine](const std::string& variable) {
        InventoryOptions options = optionsOf(machine);
        options.visibleGpus = variable;
        return indicesOf(readInventory(options));
    };
    EXPECT_THAT(visible("6, GPU-1,3"), ElementsAre(6, 1, 3));
    EXPECT_THAT(visible("2,9,3"), ElementsAre(2));
    EXPECT_THAT(visible("2,2"), ElementsAre(2));
    EXPECT_TRUE(visible("").empty());
    EXPECT_TRUE(visible("-1").empty());
}

TEST(Inventory, GroupsTheHardwareThreadsOfACore)
{
    const MachineFixture machine;
    makeCores(machine);
    InventoryOptions options = optionsOf(machine);
    options.cpus = {0, 1, 2, 3, 4, 5, 6, 7};
    EXPECT_THAT(readInventory(options).cores,
                ElementsAre(Core{{0, 4}, 0, 0}, Core{{1, 5}, 0, 0}, Core{{2, 6}, 1, 1}, Core{{3, 7}, 1, 1}));
    options.cpus = {1, 4, 6}; // what taskset or a cluster has left
    EXPECT_THAT(readInventory(options).cores, ElementsAre(Core{{4}, 0, 0}, Core{{1}, 0, 0}, Core{{6}, 1, 1}));
    options.cpus = {0, 1, 2, 3, 4, 5, 6, 7};
    options.mostCpus = 5; // a container may use the time of five
    EXPECT_THAT(readInventory(options).cores, ElementsAre(Core{{0, 4}, 0, 0}, Core{{1, 5}, 0, 0}));
    options.mostCpus = 1;
    EXPECT_EQ(readInventory(options).cores.size(), 1U);
}

TEST(Inventory, EachProcessorIsACoreWhereNothingIsTold)
{
    const MachineFixture machine;
    InventoryOptions options = optionsOf(machine);
    options.cpus = {0, 1};
    const Inventory inventory = readInventory(options);
    EXPECT_THAT(inventory.cores, ElementsAre(Core{{0}, 0, 0}, Core{{1}, 0, 0}));
    EXPECT_TRUE(inventory.gpus.empty());
}
