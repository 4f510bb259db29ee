// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/devices/inventory.h"
#include "machine_fixture.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

using quadric::builtPath;
using namespace quadric::devices;
using nlohmann::json;
using quadric::test::MachineFixture;
using testing::ElementsAre;

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
