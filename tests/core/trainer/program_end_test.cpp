// SPDX-License-Identifier: GPL-3.0-or-later
// The real program when a process of it is ended.
#include "trainer_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <thread>

namespace quadric::trainer {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::TrainerProcess;
using testing::twoRanks;

bool allGone(const std::vector<pid_t>& processes)
{
    for (const auto end = std::chrono::steady_clock::now() + 5s; std::chrono::steady_clock::now() < end;
         std::this_thread::sleep_for(10ms)) {
        if (std::ranges::none_of(processes, testing::isAlive))
            return true;
    }
    return false;
}

TEST(Program, ARankThatIsKilledEndsTheRunWithinFiveSeconds)
{
    TrainerProcess trainer(twoRanks("60"));
    ASSERT_TRUE(trainer.waitFor("progress"));
    const std::vector<pid_t> ranks = trainer.ranks();
    ASSERT_EQ(ranks.size(), 2U);
    kill(ranks[1], SIGKILL);
    EXPECT_EQ(trainer.wait(5s), 1);
    EXPECT_TRUE(allGone(ranks));
    const json failure = trainer.last();
    EXPECT_EQ(failure.at("event"), "failure");
    EXPECT_EQ(failure.at("kind"), "rank-lost");
    EXPECT_NE(failure.at("message").get<std::string>().find("rank 1"), std::string::npos);
}

TEST(Program, AnEndedLauncherTakesItsRanksAlong)
{
    for (const int signal : {SIGTERM, SIGKILL}) {
        TrainerProcess trainer(twoRanks("60"));
        ASSERT_TRUE(trainer.waitFor("progress"));
        const std::vector<pid_t> ranks = trainer.ranks();
        ASSERT_EQ(ranks.size(), 2U);
        trainer.signal(signal);
        EXPECT_EQ(trainer.wait(5s), 128 + signal);
        EXPECT_TRUE(allGone(ranks));
        if (signal == SIGTERM) {
            EXPECT_EQ(trainer.last().at("kind"), "cancelled");
        }
    }
}

} // namespace
} // namespace quadric::trainer
