// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/node_size.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::study {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Study gpuStudy(double low = 8, double high = 64)
{
    Study study;
    study.factors = {{.name = "gpus", .type = FactorType::Integer, .low = low, .high = high},
                     {.name = "batch", .type = FactorType::Integer, .low = 1, .high = 64}};
    return study;
}

/// Counted by hand: 59 = 7 × 8 + 3, so an eighth node has five GPUs to spare.
TEST(NodeSize, NamesWhatStaysIdle)
{
    Study study = gpuStudy();
    study.fixed["gpus_per_node"] = 8.0;
    const auto idle = idleRanksAt(study, {{"gpus", 59.0}, {"batch", 3.0}});
    ASSERT_TRUE(idle.has_value());
    EXPECT_EQ(idle->nodes, 8);
    EXPECT_EQ(idle->idle(), 5);
    EXPECT_EQ(idle->all(), 64);
    EXPECT_EQ(idle->node.source, "setting gpus_per_node");
    EXPECT_THAT(idle->wholeCounts, ElementsAre(56, 64));
    EXPECT_THAT(idleRanksAt(study, {{"gpus", 9.0}})->wholeCounts, ElementsAre(8, 16));
    study.factors[0].high = 60;
    EXPECT_THAT(idleRanksAt(study, {{"gpus", 59.0}})->wholeCounts, ElementsAre(56)) << "64 is out of range";
    study.factors[0].type = FactorType::Discrete;
    study.factors[0].levels = {16, 40, 59};
    EXPECT_THAT(idleRanksAt(study, {{"gpus", 59.0}})->wholeCounts, ElementsAre(40)) << "48, 56: no levels";
}

TEST(NodeSize, LeavesWholeNodesAndPartsOfOneAlone)
{
    const Study study = gpuStudy(1, 64);
    for (const double count : {1.0, 3.0, 8.0, 16.0, 56.0, 64.0})
        EXPECT_FALSE(idleRanksAt(study, {{"gpus", count}}).has_value()) << count;
    for (const double count : {9.0, 59.0, 60.0})
        EXPECT_TRUE(idleRanksAt(study, {{"gpus", count}}).has_value()) << count;
    EXPECT_FALSE(idleRanksAt(study, {{"batch", 59.0}}).has_value());
    EXPECT_FALSE(idleRanksAt(study, {{"gpus", std::string("59")}}).has_value());
}

TEST(NodeSize, IsWhatTheStudySays)
{
    Study study = gpuStudy();
    EXPECT_FALSE(nodeSizeOf(study).has_value());
    EXPECT_EQ(likelyNodeSize(study, study.factors[0])->ranks, 8);
    EXPECT_THAT(likelyNodeSize(study, study.factors[0])->source, HasSubstr("assumed"));
    EXPECT_FALSE(likelyNodeSize(study, study.factors[1]).has_value()) << "batches have no nodes";
    study.fixed["ranks_per_node"] = 4.0;
    EXPECT_EQ(nodeSizeOf(study)->ranks, 4);
    EXPECT_EQ(nodeSizeOf(study, {{"ranks_per_node", 16.0}})->ranks, 16) << "as a factor of the run";
    study.fixed["ranks_per_node"] = std::string("many");
    EXPECT_FALSE(nodeSizeOf(study).has_value());
    study.benchmark.launcher = LauncherKind::Slurm;
    study.benchmark.slurm.ranksPerNode = 2;
    EXPECT_EQ(nodeSizeOf(study)->ranks, 2);
    Study simulated = gpuStudy();
    simulated.benchmark.engine = "simulated";
    EXPECT_EQ(nodeSizeOf(simulated), (NodeSize{8, "nodes of the simulation"}));
    simulated.benchmark.engine = "auto";
    simulated.fixed["engine"] = std::string("simulated");
    EXPECT_TRUE(nodeSizeOf(simulated).has_value());
}

} // namespace
} // namespace quadric::study
