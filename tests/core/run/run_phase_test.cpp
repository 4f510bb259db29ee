// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/run_phase.h"

#include <gtest/gtest.h>

#include <array>

using namespace quadric::run;
using enum RunPhase;

namespace {
constexpr std::array kAll = {Waiting, Starting, Executing, Stopping, Done, Failed};
}

TEST(RunPhase, OutcomesAreFinal)
{
    for (const RunPhase phase : kAll) {
        EXPECT_FALSE(mayMove(Done, phase)) << nameOf(phase);
        EXPECT_FALSE(mayMove(Failed, phase)) << nameOf(phase);
        EXPECT_FALSE(mayMove(phase, phase)) << nameOf(phase);
    }
}

TEST(RunPhase, NothingIsDoneThatDidNotStart)
{
    EXPECT_FALSE(mayMove(Waiting, Executing));
    EXPECT_FALSE(mayMove(Waiting, Done));
    EXPECT_FALSE(mayMove(Waiting, Failed));
    EXPECT_FALSE(mayMove(Starting, Done));
}

TEST(RunPhase, OnlyStoppingLeadsBack)
{
    for (const RunPhase phase : kAll)
        EXPECT_EQ(mayMove(phase, Waiting), phase == Stopping) << nameOf(phase);
}
