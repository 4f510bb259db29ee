// SPDX-License-Identifier: GPL-3.0-or-later
// Sums and messages between ranks: one thread a rank, over real sockets, by the library of this build and by
// our own ring.
#include "core/trainer/base/failure.h"

#include "core/trainer/exchange/collective.h"
#include "rank_threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace quadric::trainer {
namespace {

using testing::asRanks;
using testing::Meet;

class AnyCollective : public ::testing::TestWithParam<Meet> {};

TEST_P(AnyCollective, SumsOverAllRanks)
{
    for (const int ranks : {2, 3}) {
        asRanks(
            ranks,
            [ranks](Collective& collective) {
                std::vector<float> values(1000);
                for (std::size_t i = 0; i < values.size(); ++i)
                    values[i] = static_cast<float>(i) + static_cast<float>(collective.rank());
                collective.sum(std::span(values));
                const int rankSum = ranks * (ranks - 1) / 2;
                for (std::size_t i = 0; i < values.size(); ++i)
                    ASSERT_EQ(values[i], static_cast<float>(ranks * static_cast<int>(i) + rankSum));
            },
            GetParam());
    }
}

TEST_P(AnyCollective, SumsFewerNumbersThanRanksAndMoreThanASocketHolds)
{
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{3'000'001}}) {
        asRanks(
            4,
            [count](Collective& collective) {
                std::vector<double> values(count, 1.0 + collective.rank());
                collective.sum(std::span(values));
                for (const double value : values)
                    ASSERT_EQ(value, 10.0);
            },
            GetParam());
    }
}

TEST_P(AnyCollective, RoundsEverySumOfSixteenBits)
{
    asRanks(
        2,
        [](Collective& collective) {
            // 1 + 2⁻⁸ lies between two neighbors in bfloat16; the even one is 1.
            const float mine = collective.rank() == 0 ? 1.0F : 0x1p-8F;
            std::vector<std::uint16_t> values(3, encode16(WireType::Bf16, mine));
            collective.sum(std::span(values), WireType::Bf16);
            EXPECT_EQ(decode16(WireType::Bf16, values[2]), 1.0F);
        },
        GetParam());
}

TEST_P(AnyCollective, GathersInTheOrderOfTheRanksAndCountsItsBytes)
{
    asRanks(
        3,
        [](Collective& collective) {
            const std::vector<int> mine(5, collective.rank());
            std::vector<int> all(15);
            collective.gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
            EXPECT_THAT(all, ::testing::ElementsAre(0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2));
            EXPECT_EQ(collective.bytesSent(), 2 * 5 * sizeof(int));
            std::vector<float> values(300, 1.0F);
            collective.sum(std::span(values));
            EXPECT_EQ(collective.bytesSent(), 2 * 5 * sizeof(int) + 2U * 2U * 300U * 4U / 3U);
        },
        GetParam());
}

TEST_P(AnyCollective, AMissingPeerIsATypedFailure)
{
    asRanks(
        2,
        [](Collective& collective) {
            double value = 1.0;
            collective.sum(std::span(&value, 1));
            if (collective.rank() == 1)
                return;
            try {
                collective.sum(std::span(&value, 1));
                ADD_FAILURE() << "the sum of a rank that is gone was returned";
            } catch (const Failure& failure) {
                EXPECT_EQ(failure.kind(), kCommunication);
            }
        },
        GetParam());
}

TEST_P(AnyCollective, AFolderThatIsNotThereIsATypedFailure)
{
    try {
        GetParam()(0, 2, {.folder = "/nowhere/at/all"});
        ADD_FAILURE() << "ranks cannot meet there";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), kCommunication);
        EXPECT_THAT(failure.what(), ::testing::HasSubstr("rank 0 could not reach its peers"));
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, AnyCollective, ::testing::Values(makeCollective, makeRingCollective),
                         [](const auto& instance) {
                             return instance.param == Meet{makeRingCollective} ? "Ring" : "Library";
                         });

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
