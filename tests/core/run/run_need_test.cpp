// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/run_need.h"

#include "core/run/recipe/approval.h"
#include "core/run/recipe/recipe.h"
#include "core/run/words/run_devices.h"
#include "core/run/worker/placement.h"

#include <gmock/gmock.h>

using namespace quadric;
using devices::Need;

namespace {

/// A machine of 16 cores with two hardware threads each, and as many GPUs.
devices::Inventory machineWith(int gpus)
{
    devices::Inventory inventory;
    for (int i = 0; i < gpus; ++i)
        inventory.gpus.push_back({i, "GPU-" + std::to_string(i), "A100"});
    for (int i = 0; i < 16; ++i)
        inventory.cores.push_back({{i, i + 16}});
    return inventory;
}

study::Study studyOf(const std::string& workload, const std::string& engine = "auto")
{
    study::Study study;
    study.factors = {
        {.name = "processes", .type = study::FactorType::Integer, .low = 1, .high = 64, .binds = "ranks"}};
    study.benchmark.workload = workload;
    study.benchmark.engine = engine;
    return study;
}

Need needOf(const study::Study& study, study::Settings settings, int gpus, int mostRuns = 4)
{
    return run::needOf(study, {.id = 1, .settings = std::move(settings)}, machineWith(gpus), mostRuns);
}

} // namespace

TEST(RunNeed, OfTheTrainerIsAGpuPerRankOrACorePerThread)
{
    EXPECT_EQ(needOf(studyOf("builtin", "cuda"), {{"processes", 2.0}}, 8), (Need{2, 4}));
    EXPECT_EQ(needOf(studyOf("builtin"), {{"processes", 2.0}}, 8), (Need{2, 4}));
    EXPECT_EQ(needOf(studyOf("builtin"), {{"processes", 2.0}}, 0), (Need{0, 2}));
    study::Study study = studyOf("builtin", "cpu");
    EXPECT_EQ(needOf(study, {{"processes", 3.0}}, 8), (Need{0, 3}));
    study.fixed["threads_per_rank"] = 2.0;
    EXPECT_EQ(needOf(study, {{"processes", 3.0}}, 8), (Need{0, 6}));
    EXPECT_EQ(needOf(study, {{"processes", 60.0}}, 8), (Need{0, 16})); // all: alone
    study.benchmark.options["engine"] = std::string("simulated");
    EXPECT_EQ(needOf(study, {{"processes", 60.0}}, 8), (Need{0, 0}));
}

TEST(RunNeed, OfOneRankUnlessSomethingSaysMore)
{
    study::Study study = studyOf("builtin", "cpu");
    study.factors.clear();
    EXPECT_EQ(needOf(study, {}, 0), (Need{0, 1}));
    study.fixed["ranks"] = 4.0;
    EXPECT_EQ(needOf(study, {}, 0), (Need{0, 4}));
}

TEST(RunNeed, OfACommandIsWhatItsFactorCounts)
{
    const study::Study bound = studyOf("command");
    EXPECT_EQ(needOf(bound, {{"processes", 3.0}}, 8), (Need{3, 6}));
    EXPECT_EQ(needOf(bound, {{"processes", 3.0}}, 0), (Need{0, 3}));
    EXPECT_EQ(needOf(bound, {{"processes", 9.0}}, 8), (Need{9, 16})); // more than there is: alone
    study::Study unbound = studyOf("command");
    unbound.factors.clear();
    EXPECT_EQ(needOf(unbound, {}, 8), (Need{1, 2}));
    EXPECT_EQ(needOf(unbound, {}, 0, 3), (Need{0, 5}));
    EXPECT_EQ(needOf(unbound, {}, 0, 64), (Need{0, 1}));
}

TEST(RunNeed, RanksThatAreNoNumberAreRefused)
{
    EXPECT_THROW(needOf(studyOf("command"), {{"processes", 1.5}}, 0), run::RecipeError);
}

TEST(Placement, IsHandedOverRecordedAndRead)
{
    const devices::Inventory inventory = machineWith(4);
    const run::Placement placement = run::placementOf({{1, 2}, {0, 1, 5}, false}, inventory);
    run::Launch launch(run::requireApproval(study::Study(), "/x.quadric"));
    run::confine(launch, placement);
    EXPECT_EQ(launch.environment.value("CUDA_VISIBLE_DEVICES"), "GPU-1,GPU-2");
    EXPECT_THAT(launch.cpus, testing::ElementsAre(0, 1, 5, 16, 17, 21));
    study::Provenance provenance;
    run::note(placement, provenance);
    EXPECT_EQ(provenance.cpus, "0-1,5,16-17,21");
    EXPECT_THAT(provenance.devices, testing::ElementsAre(study::ReservedGpu{1, "GPU-1", "A100"},
                                                         study::ReservedGpu{2, "GPU-2", "A100"}));
    EXPECT_EQ(run::devicesOf(provenance), (run::RunDevices{{1, 2}, "0-1,5,16-17,21"}));
    EXPECT_EQ(run::devicesOf(provenance).inWords(), "GPU 1, 2 · CPU 0-1,5,16-17,21");
}

/// The whole machine is recorded, but nothing is hidden from its run.
TEST(Placement, WhoIsAloneIsNotConfined)
{
    const run::Placement placement = run::placementOf({{0}, {0}, true}, machineWith(1));
    run::Launch launch(run::requireApproval(study::Study(), "/x.quadric"));
    run::confine(launch, placement);
    EXPECT_FALSE(launch.environment.contains("CUDA_VISIBLE_DEVICES"));
    EXPECT_TRUE(launch.cpus.empty());
    study::Provenance provenance;
    run::note(run::Placement(), provenance);
    EXPECT_EQ(provenance, study::Provenance());
    run::note(placement, provenance);
    EXPECT_EQ(provenance.devices.size(), 1U);
    EXPECT_FALSE(provenance.cpus.empty());
}

/// Whoever wrote it: what is no list of devices is not shown.
TEST(Placement, ReadsAnythingFromARecord)
{
    EXPECT_EQ(run::devicesOf({}).inWords(), "");
    for (const study::Facts& facts :
         {study::Facts{{"devices", "7"}, {"cpus", "[1]"}}, study::Facts{{"devices", "{"}, {"cpus", ""}},
          study::Facts{{"devices", "[{\"index\":\"a\"},3]"}, {"cpus", "\"<b>all</b>\""}}}) {
        study::Provenance provenance;
        study::takeFacts(provenance, facts);
        EXPECT_EQ(run::devicesOf(provenance), run::RunDevices{});
    }
}
