// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/convolution_choices.h"
#include "core/trainer/gpu/step_plan.h"
#include "core/trainer/gpu/weight_layout.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <thread>
#include <vector>

namespace quadric::trainer::cuda {
namespace {

namespace fs = std::filesystem;

const PlanConditions kHere{"NVIDIA H200", "580.65.06", "91900", std::size_t{2} << 30};

class Choices : public ::testing::Test {
protected:
    void SetUp() override
    {
        std::string folder = (fs::temp_directory_path() / "quadric-choices-XXXXXX").string();
        ASSERT_NE(mkdtemp(folder.data()), nullptr);
        m_folder = folder;
    }
    void TearDown() override { fs::remove_all(m_folder); }
    void keep(const std::string& problem, std::size_t place, const PlanConditions& conditions = kHere) const
    {
        PlanChoices choices(m_folder, conditions);
        choices.add(problem, {place, "engine " + std::to_string(place)});
        EXPECT_TRUE(choices.save());
    }

    fs::path m_folder;
};

TEST_F(Choices, AreFoundAgainByProblem)
{
    keep("forward", 3);
    keep("backward", 1);
    const PlanChoices found(m_folder, kHere);
    EXPECT_EQ(found.find("forward"), (PlanChoice{3, "engine 3"}));
    EXPECT_EQ(found.find("backward"), (PlanChoice{1, "engine 1"}));
    EXPECT_FALSE(found.find("another"));
}

TEST_F(Choices, HoldForTheirConditionsOnly)
{
    keep("forward", 3);
    std::vector<PlanConditions> others(4, kHere);
    others[0].gpu = "NVIDIA H100";
    others[1].driver = "550.54.15";
    others[2].cudnn = "90300";
    others[3].workspaceLimit /= 2;
    for (const PlanConditions& other : others)
        EXPECT_FALSE(PlanChoices(m_folder, other).find("forward"))
            << other.gpu << other.driver << other.cudnn;
}

/// Two conditions of equal hash would share a file.
TEST_F(Choices, OfAFileWithOtherConditionsInItAreIgnored)
{
    keep("forward", 3);
    PlanConditions other = kHere;
    other.gpu = "NVIDIA H100";
    fs::rename(PlanChoices(m_folder, kHere).file(), PlanChoices(m_folder, other).file());
    EXPECT_FALSE(PlanChoices(m_folder, other).find("forward"));
}

TEST_F(Choices, OfADamagedFileAreIgnoredAndTheFileIsWrittenAnew)
{
    const fs::path file = PlanChoices(m_folder, kHere).file();
    keep("forward", 3);
    std::ifstream stream(file);
    const std::string good((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    std::string strange = good;
    strange.replace(strange.find(": 3"), 3, ": []");
    for (const std::string& text :
         {std::string("not JSON"), std::string("[1, 2]"), good.substr(0, 40), strange}) {
        std::ofstream(file) << text;
        EXPECT_FALSE(PlanChoices(m_folder, kHere).find("forward")) << text;
        keep("forward", 4);
        EXPECT_EQ(PlanChoices(m_folder, kHere).find("forward"), (PlanChoice{4, "engine 4"}));
    }
}

TEST_F(Choices, WithoutAFolderNothingIsKept)
{
    PlanChoices nowhere({}, kHere);
    nowhere.add("forward", {3, "engine 3"});
    EXPECT_FALSE(nowhere.save());
    EXPECT_TRUE(nowhere.find("forward")) << "this run still knows it";
    EXPECT_FALSE(PlanChoices("/proc/nowhere", kHere).save());
}

/// Several runs end at the same time, and others begin: they find a whole file or none.
TEST_F(Choices, WrittenAtTheSameTimeAreWholeForEveryReader)
{
    std::atomic<bool> areWriting = true;
    keep("first", 0);
    int damaged = 0;
    std::jthread reader([&] {
        while (areWriting)
            damaged += PlanChoices(m_folder, kHere).find("first") ? 0 : 1;
    });
    {
        std::vector<std::jthread> writers;
        for (int writer = 0; writer < 4; ++writer)
            writers.emplace_back([&, writer] {
                for (int i = 0; i < 50; ++i)
                    keep(std::to_string(writer), static_cast<std::size_t>(i));
            });
    }
    areWriting = false;
    reader.join();
    EXPECT_EQ(damaged, 0);
    const fs::directory_iterator all(m_folder);
    EXPECT_EQ(std::distance(begin(all), end(all)), 1) << "nothing is left beside the file";
}

TEST(PlanChoicesFolder, IsInTheUsersCache)
{
    const char* before = std::getenv("XDG_CACHE_HOME");
    const std::string kept = before == nullptr ? "" : before;
    setenv("XDG_CACHE_HOME", "/somewhere", 1);
    EXPECT_EQ(planChoicesFolder(), "/somewhere/quadric/convolution-plans");
    setenv("XDG_CACHE_HOME", "relative", 1); // is to be ignored, says the specification
    setenv("HOME", "/home/me", 1);
    EXPECT_EQ(planChoicesFolder(), "/home/me/.cache/quadric/convolution-plans");
    setenv("XDG_CACHE_HOME", kept.c_str(), 1);
}

TEST(WorkspaceLimit, IsAPowerOfTwoThatLeavesHalfAndEndsAt2Gib)
{
    constexpr std::size_t kMib = std::size_t{1} << 20;
    EXPECT_EQ(workspaceLimit(100000 * kMib), 2048 * kMib);
    EXPECT_EQ(workspaceLimit(4096 * kMib), 2048 * kMib);
    EXPECT_EQ(workspaceLimit(4095 * kMib), 1024 * kMib);
    EXPECT_EQ(workspaceLimit(1200 * kMib), 512 * kMib) << "as much as the estimate counts";
    EXPECT_EQ(workspaceLimit(0), 0U);
}

// How threads share a matrix, and how tensors lie: what kernels and convolutions rely on.

TEST(ChannelGrid, EveryPackAndRowHasAThreadAndPartialSumsFit)
{
    for (const int width : {1, 4, 8}) {
        for (const int packs : {1, 3, 8, 24, 32, 33, 256}) {
            for (const std::size_t rows : {1U, 2U, 255U, 100000U, 3211264U}) {
                const ChannelGrid grid = channelGrid(rows, packs * width, width, kReducingBlocks);
                EXPECT_EQ(grid.lanes * grid.rows, kThreads);
                EXPECT_TRUE(std::has_single_bit(grid.rows)) << "rows are summed in halves";
                EXPECT_GE(grid.lanes * grid.stripes, static_cast<unsigned>(packs));
                EXPECT_LT(grid.lanes * (grid.stripes - 1), static_cast<unsigned>(packs));
                EXPECT_GE(grid.rowBlocks, 1U);
                EXPECT_LE(2U * grid.rowBlocks * static_cast<unsigned>(packs * width),
                          partialSums(packs * width));
            }
        }
    }
}

TEST(WeightLayout, ChannelsLieNextToEachOtherAndComeBack)
{
    std::vector<float> plain(2 * 3 * 2 * 2);
    std::iota(plain.begin(), plain.end(), 0.0F);
    const std::vector<std::int64_t> dims = {2, 3, 2, 2};
    const std::vector<float> last = channelsLast(dims, plain);
    for (std::size_t o = 0; o < 2; ++o)
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t y = 0; y < 2; ++y)
                for (std::size_t x = 0; x < 2; ++x)
                    EXPECT_EQ(last[((o * 2 + y) * 2 + x) * 3 + c], plain[((o * 3 + c) * 2 + y) * 2 + x]);
    EXPECT_EQ(channelsFirst(dims, last), plain);
    EXPECT_EQ(channelsLast({24}, plain), plain) << "a bias has no order to change";
}

} // namespace
} // namespace quadric::trainer::cuda
