// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/baseline_needs.h"
#include "core/study/space/constraint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

study::Study studyOf(double low, double high)
{
    study::Study study;
    study.factors = {{.name = "gpus", .type = study::FactorType::Integer, .low = low, .high = high}};
    return study;
}

/// What sinfo of Slurm 22.05.8 said of a cluster of our own with three kinds of nodes.
constexpr const char* kMixedCluster = "c1|48|(null)|all*|down\n"
                                      "c1|48|(null)|cpu|down\n"
                                      "h1|64|gpu:h100:8|all*|down\n"
                                      "h1|64|gpu:h100:8|gpu|down\n"
                                      "h2|64|gpu:h100:8|all*|down\n"
                                      "h2|64|gpu:h100:8|gpu|down\n"
                                      "n1|8|gpu:4|all*|idle\n"
                                      "n2|8|gpu:4|all*|idle\n"
                                      "v1|32|gpu:v100:4,gpu:k80:2|all*|down\n"
                                      "v1|32|gpu:v100:4,gpu:k80:2|gpu|down\n";

study::Study slurmStudy(const std::string& partition, int ranksPerNode)
{
    study::Study study = studyOf(1, 64);
    study.factors[0].unit = "GPUs";
    study.factors[0].binds = "ranks";
    study.benchmark.launcher = study::LauncherKind::Slurm;
    study.benchmark.slurm.partition = partition;
    study.benchmark.slurm.ranksPerNode = ranksPerNode;
    return study;
}

TEST(LegalCounts, NodesAreThoseThatTheRunsWillBeOn)
{
    study::Study study = studyOf(1, 64);
    EXPECT_TRUE(nodeSizeFor(study, {})->isAssumed);
    EXPECT_EQ(nodeSizeFor(study, {.gpusHere = 4})->ranks, 4);
    study.fixed["ranks_per_node"] = 6.0;
    EXPECT_EQ(nodeSizeFor(study, {.gpusHere = 4})->ranks, 6);
    study = slurmStudy("", 8);
    EXPECT_EQ(nodeSizeFor(study, {.gpusHere = 4})->ranks, 8);
    EXPECT_THAT(nodeSizeFor(study, {.gpusHere = 4})->source, HasSubstr("Slurm"));
}

TEST(LegalCounts, SlurmsNodesLimitTheRanksOfANode)
{
    const NodesSeen seen{.cluster = parseClusterNodes(kMixedCluster)};
    const auto size = [&seen](const std::string& partition, int ranksPerNode) {
        return *nodeSizeFor(slurmStudy(partition, ranksPerNode), seen);
    };
    EXPECT_EQ(size("gpu", 16).ranks, 8);
    EXPECT_EQ(size("gpu", 16).source, "sinfo: partition gpu has 1 node of 6 and 2 nodes of 8 GPUs");
    EXPECT_EQ(size("gpu", 2).source,
              "sinfo: partition gpu has 1 node of 6 and 2 nodes of 8 GPUs; the jobs use 2");
    EXPECT_EQ(size("gpu", 2).ranks, 2);
    EXPECT_EQ(size("", 8).ranks, 4) << "of the default partition, where as many nodes have 4 as have 8";
    EXPECT_EQ(size("cpu", 8), (NodeSize{8, "ranks per node of the Slurm jobs"})) << "no GPUs there";
    study::Study large = slurmStudy("gpu", 8);
    large.benchmark.slurm.gpusPerRank = 4;
    EXPECT_EQ(nodeSizeFor(large, seen)->ranks, 2) << "ranks of four GPUs";
    large.benchmark.slurm.gpusPerRank = 0;
    EXPECT_EQ(nodeSizeFor(large, seen)->ranks, 8) << "ranks without GPUs";
}

/// Jobs of 8 ranks on nodes of 4 GPUs would be refused.
TEST(LegalCounts, TakeTheNodeIntoTheJobs)
{
    const study::Study study = slurmStudy("", 8);
    const auto node = nodeSizeFor(study, {.cluster = parseClusterNodes(kMixedCluster)});
    const auto proposals = proposeCounts(study, node);
    ASSERT_EQ(proposals.size(), 2U);
    const study::Study taken = withCounts(study, proposals[0]);
    EXPECT_EQ(taken.factors[0].multipleOf, 4);
    EXPECT_EQ(taken.benchmark.slurm.ranksPerNode, 4);
    EXPECT_THAT(proposals[0].reason, HasSubstr("The jobs get 4 ranks per node."));
    EXPECT_EQ(withCounts(study, proposeCounts(study, NodeSize{8, "x"})[0]).benchmark.slurm.ranksPerNode, 8);
}

TEST(LegalCounts, AreWholeNodesOrPowersOfTwo)
{
    const auto proposals = proposeCounts(studyOf(5, 60), NodeSize{8, "this machine"});
    ASSERT_EQ(proposals.size(), 2U);
    EXPECT_EQ(proposals[0].title, "Multiples of 8: 8, 16, 24, 32, … 56");
    EXPECT_THAT(proposals[0].reason, HasSubstr("A node has 8 (this machine)"));
    EXPECT_THAT(study::legalValues(proposals[0].factor, 1, 100),
                ElementsAre(8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96));
    EXPECT_DOUBLE_EQ(proposals[0].factor.high, 56.0) << "59 GPUs cannot be had on nodes of 8";
    EXPECT_EQ(proposals[1].title, "Powers of two: 8, 16, 32");
    EXPECT_EQ(proposals[1].factor.scale, study::Scale::Log2);
    EXPECT_EQ(proposeCounts(studyOf(1, 8), NodeSize{8, "x"}).size(), 1U)
        << "within a node there are no multiples";
    EXPECT_TRUE(proposeCounts({}, NodeSize{8, "x"}).empty());
}

/// Every tensor × pipeline × data parallel split of 8 GPUs on a node of 4, by hand: tp, pp from 1, 2, 4 (8).
TEST(LegalCounts, ParallelSizesDivideTheRanks)
{
    const study::Study study = withParallelism(studyOf(8, 16), NodeSize{4, "x"});
    ASSERT_EQ(study.factors.size(), 3U);
    EXPECT_THAT(study.factors[1].levels, ElementsAre(1, 2, 4));
    EXPECT_THAT(study.factors[2].levels, ElementsAre(1, 2, 4, 8));
    ASSERT_THAT(study.constraints, ElementsAre("gpus % (tp * pp) == 0"));
    const study::Constraint constraint(study.constraints[0]);
    int legal = 0;
    for (const double tp : study.factors[1].levels) {
        for (const double pp : study.factors[2].levels)
            legal += constraint.holds({{"gpus", 8.0}, {"tp", tp}, {"pp", pp}}) ? 1 : 0;
    }
    EXPECT_EQ(legal, 9) << "all but 2×8, 4×4 and 4×8";
    EXPECT_EQ(withParallelism(study, NodeSize{4, "x"}), study) << "once is enough";
}

} // namespace
} // namespace quadric::run
