// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/job_processes.h"
#include "core/machine/node_record.h"
#include "reader_fixture.h"

#include <gtest/gtest.h>

using namespace quadric;
using namespace quadric::machine;
using nlohmann::json;

namespace {

Summary summaryWith(double foreignPct, double heatPct)
{
    Summary summary;
    summary.samples = 20;
    summary.seconds = 2.0;
    summary.foreignPct = foreignPct;
    summary.driver = "550.54.15";
    summary.devices = {{.identity = {0, "GPU-a", "H100"}, .throttledPct = {{"heat", heatPct}}}};
    return summary;
}

} // namespace

TEST(NodeRecord, NodesOfAJobAreToldApart)
{
    const Findings found =
        findingsOfNodes({nodeRecord("n1", summaryWith(30.0, 0.0)), nodeRecord("n2", summaryWith(0.0, 50.0)),
                         "", "{\"node\": 3}", "{\"node\": \"n3\", \"telemetry\": 1}", "half a li"});
    const json nodes = json::parse(found.entries.at("telemetry")).at("nodes");
    ASSERT_EQ(nodes.size(), 2U);
    EXPECT_EQ(nodes[0].at("node"), "n1");
    EXPECT_EQ(nodes[0].at("samples"), 20);
    EXPECT_EQ(nodes[1].at("devices").at(0).at("throttled_pct").at("heat"), 50.0);
    EXPECT_EQ(json::parse(found.entries.at("driver")).at("version"), "550.54.15");
    EXPECT_EQ(found.disturbance, "n1: other processes used 30 % of the machine; "
                                 "n2: GPU 0 was slowed by heat for 50 % of the run");
    EXPECT_EQ(found.otherDisturbance, "n2: GPU 0 was slowed by heat for 50 % of the run");
    EXPECT_EQ(found.loss, "");
}

TEST(NodeRecord, WithoutNodesNothingIsFound)
{
    EXPECT_TRUE(findingsOfNodes({}).entries.empty());
}

/// Two steps of job 12 and one of job 1; the shell of a user who looks for them is none.
TEST(JobProcesses, AreThoseOfItsSteps)
{
    const test::MachineFixture machine;
    for (const int pid : {10, 11, 20, 30, 40, 50})
        machine.setProcess(pid, "slurmstepd", 5, pid == 10 ? std::vector{11} : std::vector<int>{});
    machine.write("proc/10/cmdline", "slurmstepd: [12.batch]");
    machine.write("proc/11/cmdline", "sleep");
    machine.write("proc/20/cmdline", "slurmstepd: [12.0]");
    machine.write("proc/30/cmdline", "slurmstepd: [1.0]");
    machine.write("proc/40/cmdline", "grep slurmstepd: [12.0]");
    machine.write("proc/50/cmdline", "slurmstepd: [122.0]");
    std::vector<int> found = processesOfJob(machine.root(), "12");
    std::ranges::sort(found);
    EXPECT_EQ(found, (std::vector<int>{10, 11, 20}));
}

/// Of 400 ticks process 100 has used 100, the job 200.
TEST(JobProcesses, AreNoStrangers)
{
    const test::MachineFixture machine;
    machine.setProcess(100, "watch", 0);
    machine.setProcess(10, "slurmstepd", 0);
    machine.write("proc/10/cmdline", "slurmstepd: [12.0]");
    machine.setMachine(0, 0);
    ReaderOptions options = test::readerOptions(machine);
    options.ownJob = "12";
    Reader reader(options);
    const Sample before = reader.read();
    machine.setProcess(100, "watch", 100);
    machine.setProcess(10, "slurmstepd", 200);
    machine.setMachine(400, 400);
    EXPECT_NEAR(sharesBetween(before, reader.read()).foreignPct, 12.5, 1e-9);
}
