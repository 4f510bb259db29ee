// SPDX-License-Identifier: GPL-3.0-or-later
// Which plans the ranks of a played GPU compute with, and what later runs know of it.
#include "core/trainer/base/failure.h"
#include "core/trainer/cuda/cuda_engine.h"
#include "core/trainer/gpu/convolution_choices.h"

#include "../rank_threads.h"
#include "played_gpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace quadric::trainer::cuda {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Workload tensorCoreRun(int ranks)
{
    Workload workload;
    workload.engine = EngineKind::Cuda;
    workload.precision = Precision::Bf16;
    workload.network = "resnet8";
    workload.imageSize = 9;
    workload.batchPerRank = 2;
    workload.ranks = ranks;
    return workload;
}

class PlansOnPlayedGpu : public ::testing::Test {
protected:
    void SetUp() override
    {
        testing::newPlayedGpu(testing::Order::OthersLate);
        std::string folder = (fs::temp_directory_path() / "quadric-plans-XXXXXX").string();
        ASSERT_NE(mkdtemp(folder.data()), nullptr);
        m_folder = folder;
        setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    }
    void TearDown() override
    {
        EXPECT_THAT(testing::violations(), IsEmpty());
        fs::remove_all(m_folder);
    }

    /// The records of all ranks; rank r has its fastest plan at the place `fastest[r]`.
    std::vector<PlanRecord> records(const std::vector<int>& fastest)
    {
        std::vector<PlanRecord> found(fastest.size());
        testing::asRanks(static_cast<int>(fastest.size()), [&](Collective& collective) {
            const auto rank = static_cast<std::size_t>(collective.rank());
            testing::engineMilliseconds() = [&fastest, rank](int engine) {
                return engine == fastest[rank] ? 5.0 : 8.0;
            };
            const std::unique_ptr<Engine> engine =
                newCudaEngine(tensorCoreRun(static_cast<int>(fastest.size())), collective);
            found[rank] = engine->facts().plans;
        });
        return found;
    }
    std::vector<fs::path> files() const
    {
        std::vector<fs::path> list;
        for (const auto& entry : fs::recursive_directory_iterator(m_folder)) {
            if (entry.is_regular_file())
                list.push_back(entry.path());
        }
        return list;
    }
    void overwrite(const std::string& text) { std::ofstream(files().at(0)) << text; }

    fs::path m_folder;
};

/// ResNet-8: two passes of the first convolution, three of the equal ones of stage 1, and three of each of
/// the two convolutions and the shortcut of stages 2 and 3.
constexpr int kProblems = 2 + 3 + 2 * 9;

TEST_F(PlansOnPlayedGpu, OneRankTakesItsFastestPlanAndRecordsIt)
{
    const PlanRecord record = records({3}).front();
    EXPECT_THAT(record.engines, ElementsAre(Pair("engine 1003", kProblems)));
    EXPECT_EQ(record.timed, kProblems);
    EXPECT_EQ(record.kept, 0);
}

TEST_F(PlansOnPlayedGpu, AllRanksTakeTheChoiceOfTheFirstOne)
{
    const std::vector<PlanRecord> found = records({3, 5});
    for (const PlanRecord& record : found) {
        EXPECT_THAT(record.engines, ElementsAre(Pair("engine 1003", kProblems)));
        EXPECT_TRUE(record.areEqualOnAllRanks);
        EXPECT_EQ(record.hash, found.front().hash);
    }
    EXPECT_EQ(found[1].timed, 0) << "rank 1 times nothing";
}

TEST_F(PlansOnPlayedGpu, ALaterRunComputesWithTheSamePlansAndTimesNothing)
{
    const PlanRecord first = records({3}).front();
    const int timed = testing::callsOf("convolution with engine 1005");
    const PlanRecord later = records({5}).front();
    EXPECT_EQ(later.hash, first.hash);
    EXPECT_EQ(later.timed, 0);
    EXPECT_EQ(later.kept, kProblems);
    EXPECT_EQ(testing::callsOf("convolution with engine 1005"), timed);
}

TEST_F(PlansOnPlayedGpu, AFileThatIsDamagedOrOfAnotherReleaseIsWrittenAnew)
{
    records({3});
    ASSERT_EQ(files().size(), 1U);
    std::ifstream stream(files()[0]);
    const std::string good((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    std::string old = good;
    old.replace(old.find("91900"), 5, "90300");
    for (const std::string& text : {std::string(), good.substr(0, good.size() / 2), old}) {
        overwrite(text);
        EXPECT_EQ(records({4}).front().timed, kProblems);
        EXPECT_EQ(records({6}).front().engines.begin()->first, "engine 1004");
    }
}

/// The place is that of another plan now: cuDNN ranks anew with what the file does not name.
TEST_F(PlansOnPlayedGpu, AChoiceThatCudnnDoesNotProposeAnyMoreIsTimedAgain)
{
    records({3});
    std::ifstream stream(files().at(0));
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    text.replace(text.find("engine 1003"), 11, "engine 1999");
    overwrite(text);
    const PlanRecord record = records({5}).front();
    EXPECT_EQ(record.timed, 1);
    EXPECT_EQ(record.kept, kProblems - 1);
}

TEST_F(PlansOnPlayedGpu, WithoutACacheEveryRunTimes)
{
    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    EXPECT_EQ(records({3}).front().timed, kProblems);
    EXPECT_EQ(records({3}).front().timed, kProblems);
}

} // namespace
} // namespace quadric::trainer::cuda
