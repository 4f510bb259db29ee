// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/base/failure.h"
#include "core/trainer/exchange/cluster.h"

#include <gtest/gtest.h>

#include <map>

namespace quadric::trainer {
namespace {

std::optional<ClusterPlace> placeIn(const std::map<std::string, std::string>& variables)
{
    const auto environment = [&](const char* name) -> const char* {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    };
    return clusterPlace(environment, "node7");
}

/// As srun of Slurm 22.05 sets them for the third of five tasks on two nodes.
std::map<std::string, std::string> step()
{
    return {{"SLURM_JOB_ID", "42"}, {"SLURM_STEP_ID", "1"},        {"SLURM_PROCID", "2"},
            {"SLURM_NTASKS", "5"},  {"SLURM_STEP_NUM_TASKS", "5"}, {"SLURM_STEP_NUM_NODES", "2"},
            {"SLURM_NNODES", "2"},  {"SLURM_LOCALID", "2"},        {"SLURM_STEP_TASKS_PER_NODE", "3,2"}};
}

TEST(Cluster, ATaskKnowsItsPlaceAndItsPeers)
{
    const std::optional<ClusterPlace> place = placeIn(step());
    ASSERT_TRUE(place);
    EXPECT_EQ(place->rank, 2);
    EXPECT_EQ(place->ranks, 5);
    EXPECT_EQ(place->nodes, 2);
    EXPECT_EQ(place->ranksOnNode, 3);
    EXPECT_EQ(place->address, "node7");
    EXPECT_EQ(place->rendezvous, "./quadric-trainer-42.1.0");
}

TEST(Cluster, OneNodeTalksToItself)
{
    auto variables = step();
    variables["SLURM_STEP_NUM_NODES"] = "1";
    variables["SLURM_STEP_TASKS_PER_NODE"] = "5(x1)";
    variables["QUADRIC_RENDEZVOUS"] = "/shared";
    variables["SLURM_RESTART_COUNT"] = "2";
    EXPECT_EQ(placeIn(variables)->address, "127.0.0.1");
    EXPECT_EQ(placeIn(variables)->ranksOnNode, 5);
    EXPECT_EQ(placeIn(variables)->rendezvous, "/shared/quadric-trainer-42.1.2");
    variables["QUADRIC_ADDRESS"] = "10.0.0.7";
    EXPECT_EQ(placeIn(variables)->address, "10.0.0.7");
}

TEST(Cluster, WhereNoStepOfSeveralTasksRunsTheProgramLaunchesItsRanksItself)
{
    EXPECT_FALSE(placeIn({}));
    auto batchScript = step();
    batchScript.erase("SLURM_STEP_ID");
    EXPECT_FALSE(placeIn(batchScript));
    auto single = step();
    single["SLURM_STEP_NUM_TASKS"] = "1";
    EXPECT_FALSE(placeIn(single));
}

TEST(Cluster, ContradictionsAreNamed)
{
    auto variables = step();
    variables["SLURM_PROCID"] = "5";
    EXPECT_THROW(placeIn(variables), Failure);
    variables["SLURM_PROCID"] = "second";
    EXPECT_THROW(placeIn(variables), Failure);
}

} // namespace
} // namespace quadric::trainer
