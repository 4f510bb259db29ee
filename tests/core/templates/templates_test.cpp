// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/templates/templates.h"

#include "core/design/base/design.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace quadric::templates {
namespace {

using ::testing::IsEmpty;

TEST(Templates, HaveTheirOwnNamesAndWords)
{
    std::set<std::string_view> names(examples().begin(), examples().end());
    for (const Template& item : templates()) {
        EXPECT_TRUE(names.insert(item.name).second) << item.name;
        EXPECT_FALSE(item.title.empty() || item.about.empty()) << item.name;
        EXPECT_TRUE(item.about.ends_with('.')) << item.name;
    }
    EXPECT_THROW(studyFrom("none such", 2), std::out_of_range);
}

/// Every file of the folder is offered, without warnings, as Quadric writes it.
TEST(Templates, AreTheStudyFilesOfTheirFolder)
{
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(sourcePath("resources/templates")))
        files += entry.path().extension() == ".quadric" ? 1 : 0;
    EXPECT_EQ(files, templates().size());
    for (const Template& item : templates()) {
        const std::string path = sourcePath("resources/templates/") + std::string(item.name) + ".quadric";
        const study::LoadedStudy loaded = study::loadStudy(path);
        EXPECT_THAT(loaded.warnings, IsEmpty()) << path;
        EXPECT_THAT(loaded.study.runs, IsEmpty()) << path;
        EXPECT_EQ(study::writeStudy(loaded.study), study::readTextFile(path));
        EXPECT_EQ(studyFrom(item.name, 2), loaded.study) << "two cores are what the files are written for";
    }
}

TEST(Templates, CanBeLaidOutOnAnyMachine)
{
    for (const Template& item : templates()) {
        for (const int cores : {0, 1, 2, 4, 7, 64}) {
            const study::Study study = studyFrom(item.name, cores);
            EXPECT_THAT(study::validate(study), IsEmpty()) << item.name << " on " << cores;
            if (study.factors.empty())
                continue;
            EXPECT_EQ(study.factors.size(), 3U) << item.name;
            EXPECT_EQ(design::layOut(study).runs.size(), 15U) << item.name << " on " << cores;
        }
    }
}

TEST(Templates, ThisMachineVariesRanksWhereThereAreCoresForThreeNumbersOfThem)
{
    const study::Study small = studyFrom("this-machine", 3);
    EXPECT_EQ(study::findFactor(small, "ranks"), nullptr);
    EXPECT_EQ(small.fixed.at("ranks"), study::Value(2.0));
    const study::Study large = studyFrom("this-machine", 7);
    EXPECT_EQ(large.factors.front().name, "ranks");
    EXPECT_EQ(large.factors.front().high, 4.0) << "a power of two";
    EXPECT_FALSE(large.fixed.contains("ranks"));
    EXPECT_EQ(large.fixed.at("bucket_mib"), study::Value(1.0));
    EXPECT_EQ(study::findFactor(large, "bucket_mib"), nullptr);
}

TEST(Templates, AreBlankForFieldsOfTheirOwn)
{
    for (const auto& [name, workload] :
         {std::pair{"blank", "none"}, {"enter-results", "none"}, {"own-command", "command"}}) {
        const study::Study study = studyFrom(name, 2);
        EXPECT_THAT(study.factors, IsEmpty()) << name;
        EXPECT_THAT(study.responses, IsEmpty()) << name;
        EXPECT_THAT(study.fixed, IsEmpty()) << name;
        EXPECT_EQ(study.benchmark.workload, workload);
    }
}

/// Somebody fills in everything, looks at each other template and comes back.
TEST(ChangedTemplate, LosesNothingThatTheUserHasChanged)
{
    const study::Study blank = studyFrom("own-command", 2);
    study::Study mine = blank;
    mine.name = "Suzuki coupling";
    mine.description = "Which catalyst?";
    mine.factors = {
        {.name = "temperature", .unit = "°C", .low = 60.0, .high = 120.0},
        {.name = "catalyst", .type = study::FactorType::Categorical, .categories = {"Pd", "Pt", "Ni"}}};
    mine.responses = {{.name = "yield", .unit = "%"}};
    mine.fixed["solvent"] = std::string("toluene");
    mine.constraints = {"temperature <= 110"};
    mine.design.type = "i-optimal";
    mine.benchmark.argv = {"./react", "{temperature}"};
    mine.benchmark.timeoutSeconds = 42.0;
    const study::Study wanted = mine;
    const study::Study* before = &blank;
    std::vector<study::Study> others;
    for (const Template& item : templates())
        others.push_back(studyFrom(item.name, 2));
    others.push_back(blank);
    for (const study::Study& after : others) {
        mine = changeTemplate(mine, *before, after);
        before = &after;
        EXPECT_EQ(mine.benchmark.workload, after.benchmark.workload);
        EXPECT_EQ(mine.factors.size(), after.factors.size() + 2) << after.name;
        EXPECT_EQ(mine.benchmark.argv, wanted.benchmark.argv) << after.name;
        EXPECT_EQ(mine.name, "Suzuki coupling");
    }
    EXPECT_EQ(mine, wanted);
}

TEST(ChangedTemplate, GivesAllOfTheOtherTemplateWhereNothingWasChanged)
{
    for (const Template& from : templates()) {
        for (const Template& to : templates())
            EXPECT_EQ(changeTemplate(studyFrom(from.name, 2), studyFrom(from.name, 2), studyFrom(to.name, 2)),
                      studyFrom(to.name, 2))
                << from.name << " to " << to.name;
    }
}

/// A factor of the template that was changed stays, in its place where the other template has it too; a
/// setting that has become a factor is not fixed any more.
TEST(ChangedTemplate, KeepsChangedFactorsOfTheTemplateInTheirPlace)
{
    const study::Study machine = studyFrom("this-machine", 2), network = studyFrom("slow-network", 2);
    study::Study mine = machine;
    mine.factors[0].high = 64.0;
    mine.factors[1].low = 24.0;
    mine.fixed["link_gbit"] = 2.0;
    const study::Study changed = changeTemplate(mine, machine, network);
    ASSERT_EQ(changed.factors.size(), 4U);
    EXPECT_EQ(changed.factors[0], mine.factors[0]);
    EXPECT_EQ(changed.factors[1], network.factors[1]);
    EXPECT_EQ(changed.factors[3], mine.factors[1]);
    EXPECT_FALSE(changed.fixed.contains("link_gbit"));
    EXPECT_EQ(changed.fixed.at("ranks"), network.fixed.at("ranks"));
}

TEST(Templates, TwoRanksShareASingleCore)
{
    EXPECT_TRUE(studyFrom("slow-network", 1).fixed.contains("oversubscribe"));
    EXPECT_FALSE(studyFrom("slow-network", 2).fixed.contains("oversubscribe"));
}

TEST(Templates, ExamplesKeepTheirRuns)
{
    for (const std::string name : {"cpu-ranks", "h200-resnet18", "resnet50-scaling"})
        EXPECT_EQ(studyFrom(name, 64),
                  study::loadStudy(sourcePath(("resources/examples/" + name + ".quadric").c_str())).study);
}

} // namespace
} // namespace quadric::templates
