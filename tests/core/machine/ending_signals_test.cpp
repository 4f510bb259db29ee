// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/ending_signals.h"

#include <gtest/gtest.h>

namespace quadric::machine {
namespace {

TEST(EndingSignals, LeaveAHangUpAloneThatIsIgnored)
{
    const auto before = std::signal(SIGHUP, SIG_IGN);
    const sigset_t underNohup = endingSignals();
    EXPECT_EQ(sigismember(&underNohup, SIGHUP), 0);
    EXPECT_EQ(sigismember(&underNohup, SIGTERM), 1);
    EXPECT_EQ(sigismember(&underNohup, SIGINT), 1);
    std::signal(SIGHUP, SIG_DFL);
    const sigset_t usual = endingSignals();
    EXPECT_EQ(sigismember(&usual, SIGHUP), 1);
    std::signal(SIGHUP, before);
}

} // namespace
} // namespace quadric::machine
