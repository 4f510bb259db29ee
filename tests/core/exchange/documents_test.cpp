// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/export/documents.h"
#include "core/exchange/export/fit_script.h"
#include "core/study/document/document.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::exchange {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

study::Study hostile()
{
    study::Study study = study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
    study.name = "x\"\nsystem('rm')|<b>\\end{table}$";
    study.responses[0].unit = "a|b & 5%_{$}";
    return study;
}

TEST(Documents, NoTextOfTheStudyBreaksOutOfItsPlace)
{
    const study::Study study = hostile();
    const auto fits = model::fitStudy(study);
    for (const std::string& script : {rScript(study, fits), pythonScript(study, fits)})
        EXPECT_THAT(script.substr(0, script.find('\n')), HasSubstr("system('rm')")) << "the comment was left";
    const std::string markdown = markdownTables(study, fits);
    EXPECT_THAT(markdown, HasSubstr("\\<b\\>"));
    EXPECT_THAT(markdown, HasSubstr("a\\|b"));
    const std::string latex = latexTables(study, fits);
    EXPECT_THAT(latex, HasSubstr("a|b \\& 5\\%\\_\\{\\$\\}"));
}

TEST(Documents, TablesCarryTheNumbersOfTheFit)
{
    const study::Study study =
        study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
    const auto fits = model::fitStudy(study);
    const std::string markdown = markdownTables(study, fits);
    EXPECT_THAT(markdown, HasSubstr("| R² | 0.998 |"));
    EXPECT_THAT(markdown, HasSubstr("| gpu\\_count | 79"));
    EXPECT_THAT(markdown, HasSubstr("simulated, not measured"));
    EXPECT_THAT(latexTables(study, fits), HasSubstr("(simulated data)"));
}

TEST(Documents, ScriptsFitWithTheWeightsOfTheRuns)
{
    study::Study study = study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
    const std::string equal = rScript(study, model::fitStudy(study));
    for (study::Run& run : study.runs)
        run.spread["images_per_sec"] = 20.0 * run.id;
    study.responses[0].weights = study::Weights::Spread;
    const auto fits = model::fitStudy(study);
    ASSERT_TRUE(fits[0].weighting.has_value());
    const std::string heaviest = study::toText(fits[0].weighting->heaviest).substr(0, 8);
    EXPECT_THAT(rScript(study, fits), HasSubstr(heaviest));
    EXPECT_THAT(pythonScript(study, fits), HasSubstr(heaviest));
    EXPECT_THAT(equal, Not(HasSubstr(heaviest)));
}

TEST(Documents, RunsWithoutResultsHaveEmptyCells)
{
    study::Study study = study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
    study.runs[0].status = study::RunStatus::Pending;
    study.runs[0].results.clear();
    study.runs[0].provenance = {};
    const TextRows rows = runRows(study);
    EXPECT_EQ(rows.size(), 16U);
    const std::vector<std::string> expected = {"1",  "9", "1", "design", "pending", "36",
                                               "32", "0", "",  "",       ""};
    EXPECT_EQ(rows[1], expected);
    EXPECT_EQ(rows[0][5], "gpu_count (GPUs)");
    EXPECT_EQ(rows[0][9], "images_per_sec (img/s)");
}

} // namespace
} // namespace quadric::exchange
