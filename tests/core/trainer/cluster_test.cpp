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

/// As mpirun of Open MPI 5 and torchrun set them for the fourth of four processes on two nodes.
TEST(Cluster, MpirunAndTorchrunTellTheirProcessesTheSame)
{
    const std::map<std::string, std::string> mpirun = {{"OMPI_COMM_WORLD_RANK", "3"},
                                                       {"OMPI_COMM_WORLD_SIZE", "4"},
                                                       {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                                                       {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                                                       {"PMIX_NAMESPACE", "prterun-n1-77@1"}};
    const std::map<std::string, std::string> torchrun = {{"RANK", "3"},
                                                         {"WORLD_SIZE", "4"},
                                                         {"LOCAL_RANK", "1"},
                                                         {"LOCAL_WORLD_SIZE", "2"},
                                                         {"MASTER_PORT", "29500"},
                                                         {"TORCHELASTIC_RUN_ID", "a/b"},
                                                         {"TORCHELASTIC_RESTART_COUNT", "1"}};
    for (const auto& variables : {mpirun, torchrun}) {
        const std::optional<ClusterPlace> place = placeIn(variables);
        ASSERT_TRUE(place);
        EXPECT_EQ(place->rank, 3);
        EXPECT_EQ(place->ranks, 4);
        EXPECT_EQ(place->nodes, 2);
        EXPECT_EQ(place->ranksOnNode, 2);
        EXPECT_EQ(place->placeOnNode, 1);
        EXPECT_EQ(place->address, "node7");
    }
    EXPECT_EQ(placeIn(mpirun)->rendezvous, "./quadric-trainer-prterun-n1-77@1");
    EXPECT_EQ(placeIn(torchrun)->rendezvous, "./quadric-trainer-a-b.29500.1");
    EXPECT_FALSE(placeIn({{"RANK", "0"}, {"WORLD_SIZE", "2"}})) << "somebody's variables, but no launcher";
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
