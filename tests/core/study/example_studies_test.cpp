// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document.h"

#include "study_fixtures.h"
#include "tests/support/test_paths.h"

#include <nlohmann/json.hpp>

#include <map>

namespace quadric::study {
namespace {

/// Box & Behnken 1960, table 4, three factors, in standard order; three center runs.
const std::vector<std::vector<double>> kBoxBehnken = {
    {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 1, 0}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1}, {1, 0, 1},
    {0, -1, -1}, {0, 1, -1}, {0, -1, 1}, {0, 1, 1}, {0, 0, 0},   {0, 0, 0},  {0, 0, 0}};

LoadedStudy loadExample(const std::string& name)
{
    return loadStudy(std::filesystem::path(sourcePath("resources/examples")) / (name + ".quadric"));
}

void expectBoxBehnken(const Study& study)
{
    const Coding coding(study.factors);
    ASSERT_EQ(study.runs.size(), kBoxBehnken.size());
    for (const study::Run& run : study.runs) {
        const auto& expected = kBoxBehnken.at(static_cast<std::size_t>(run.id) - 1);
        const CodedPoint point = coding.toCoded(run.settings);
        for (Eigen::Index i = 0; i < 3; ++i)
            EXPECT_NEAR(point[i], expected[static_cast<std::size_t>(i)], 1e-12) << "run " << run.id;
        EXPECT_EQ(run.kind, run.id > 12 ? RunKind::Center : RunKind::Design);
    }
}

class ExampleStudyTest : public ::testing::TestWithParam<const char*> {};

TEST_P(ExampleStudyTest, IsSoundAndWrittenAsQuadricWritesIt)
{
    const LoadedStudy loaded = loadExample(GetParam());
    EXPECT_EQ(loaded.warnings, std::vector<std::string>{});
    EXPECT_EQ(validate(loaded.study), std::vector<Problem>{});
    EXPECT_EQ(testing::contentOf(std::filesystem::path(sourcePath("resources/examples")) /
                                 (GetParam() + std::string(".quadric"))),
              writeStudy(loaded.study));
}

TEST_P(ExampleStudyTest, IsABoxBehnkenDesign)
{
    expectBoxBehnken(loadExample(GetParam()).study);
}

TEST_P(ExampleStudyTest, RunOrderIsAPermutation)
{
    const Study study = loadExample(GetParam()).study;
    int expected = 1;
    for (const study::Run* run : inRunOrder(study))
        EXPECT_EQ(run->order, expected++);
}

INSTANTIATE_TEST_SUITE_P(All, ExampleStudyTest, ::testing::Values("resnet50-scaling", "cpu-ranks"));

TEST(ExampleStudiesTest, ScalingStudyHoldsExactlyThePublishedData)
{
    const Study study = loadExample("resnet50-scaling").study;
    const auto published =
        nlohmann::json::parse(testing::contentOf(sourcePath("tests/references/resnet50-15-runs.json")));
    const std::vector<const study::Run*> runs = inRunOrder(study);
    ASSERT_EQ(runs.size(), published["runs"].size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        Settings settings;
        for (const auto& item : published["runs"][i]["settings"].items())
            settings[item.key()] = item.value().get<double>();
        EXPECT_EQ(runs[i]->settings, settings);
        const auto results = published["runs"][i]["results"].get<std::map<std::string, double>>();
        EXPECT_EQ((std::map<std::string, double>(runs[i]->results.begin(), runs[i]->results.end())), results);
    }
}

TEST(ExampleStudiesTest, ScalingStudySaysThatItIsSimulated)
{
    const Study study = loadExample("resnet50-scaling").study;
    EXPECT_TRUE(hasSimulatedResults(study));
    EXPECT_EQ(countRuns(study, RunStatus::Done), 15);
    EXPECT_EQ(study.benchmark.workload, "none");
    EXPECT_EQ(findResponse(study, "images_per_sec")->weight, 1.5);
    EXPECT_EQ(findFactor(study, "gpu_count")->binds, "ranks");
}

TEST(ExampleStudiesTest, MeasuredStudyWaitsToBeRun)
{
    const Study study = loadExample("cpu-ranks").study;
    EXPECT_EQ(countRuns(study, RunStatus::Pending), 15);
    EXPECT_FALSE(hasSimulatedResults(study));
    EXPECT_EQ(study.benchmark.workload, "builtin");
    EXPECT_EQ(study.fixed.at("ranks"), Value(2.0));
}

} // namespace
} // namespace quadric::study
