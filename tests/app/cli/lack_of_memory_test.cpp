// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/lack_of_memory.h"

#include <gtest/gtest.h>

#include <new>
#include <thread>

namespace {

TEST(LackOfMemoryDeathTest, EndsTheProgramWithASentenceInWhateverThread)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto lack = [] { throw std::bad_alloc(); };
    EXPECT_EXIT(
        {
            quadric::app::endWithoutMemory("quadric-test");
            std::thread(lack).join();
        },
        ::testing::ExitedWithCode(1), "quadric-test: there is not enough memory for this");
}

} // namespace
