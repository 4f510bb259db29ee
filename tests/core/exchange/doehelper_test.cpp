// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/doehelper.h"

#include "core/exchange/import/audit.h"
#include "core/model/fit/fit.h"
#include "core/study/document/document.h"
#include "study_fixtures.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace quadric::exchange {
namespace {

using nlohmann::json;
using study::testing::contentOf;
using study::testing::messageOf;
using study::testing::TemporaryFolder;
using study::testing::writeFile;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::filesystem::path kSample = sourcePath("tests/references/doehelper");

/// The sample's configuration and matrix with all fifteen results, each written under the number that
/// `fileNumber` gives to the row.
template <typename Function> void writeFifteen(const TemporaryFolder& folder, Function fileNumber)
{
    for (const char* name : {"config.json", "design_matrix.json"})
        std::filesystem::copy_file(kSample / name, folder / name);
    std::filesystem::create_directory(folder / "results");
    const json data = json::parse(contentOf(sourcePath("tests/references/resnet50-15-runs.json")));
    for (std::size_t row = 0; row < data["runs"].size(); ++row) {
        json result = data["runs"][row]["results"];
        result["parameters"] = data["runs"][row]["settings"];
        writeFile(folder / ("results/run_" + std::to_string(fileNumber(row)) + ".json"), result.dump());
    }
}

TEST(Doehelper, ReadsTheSample)
{
    const ImportedStudy imported = importDoehelper(kSample / "config.json", kSample / "results");
    const study::Study& study = imported.study;
    EXPECT_EQ(study.name, "Distributed Deep Learning Scaling");
    ASSERT_EQ(study.factors.size(), 3U);
    EXPECT_EQ(study.factors[1].name, "batch_per_gpu");
    EXPECT_EQ(study.factors[1].low, 32);
    EXPECT_EQ(study.factors[1].high, 256);
    EXPECT_EQ(std::get<std::string>(study.fixed.at("model")), "resnet50");
    ASSERT_EQ(study.responses.size(), 2U);
    EXPECT_EQ(study.responses[0].goal, study::Goal::Maximize);
    EXPECT_EQ(study.responses[0].weight, 1.5);
    EXPECT_EQ(study.design.type, "box-behnken");
    EXPECT_EQ(study.design.seed, 2024U);
    ASSERT_EQ(study.runs.size(), 15U);
    EXPECT_EQ(study.runs[9].results.at("images_per_sec"), 27276.1);
    EXPECT_EQ(study::countRuns(study, study::RunStatus::Done), 1);
    EXPECT_THAT(imported.warnings, Contains(HasSubstr("runner (an object) is ignored")));
}

TEST(Doehelper, BindsResultsByTheirSettings)
{
    const TemporaryFolder folder;
    writeFifteen(folder, [](std::size_t row) { return (row + 7) % 15 + 1; });
    const ImportedStudy imported = importDoehelper(folder / "config.json", folder / "results");
    const model::Fit fit = model::fitResponse(imported.study, "images_per_sec");
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_NEAR(*fit.r2, 0.998, 0.0005) << "joined by number the data give something else";
    EXPECT_THAT(imported.warnings, Contains(HasSubstr("it is bound by its settings")));
    EXPECT_THAT(imported.warnings,
                Contains(HasSubstr("Runs 2, 5 and 6 repeat one setting and agree in every digit")));
}

TEST(Doehelper, IsSilentWhereNumbersAndSettingsAgree)
{
    const TemporaryFolder folder;
    writeFifteen(folder, [](std::size_t row) { return row + 1; });
    const ImportedStudy imported = importDoehelper(folder / "config.json", folder / "results");
    EXPECT_THAT(imported.warnings, Each(Not(HasSubstr("bound by its settings"))));
    EXPECT_EQ(study::countRuns(imported.study, study::RunStatus::Done), 15);
}

TEST(Doehelper, ReadsTheOtherDialect)
{
    const TemporaryFolder folder;
    json config = json::parse(contentOf(kSample / "config.json"));
    config["fixed_factors"] = config["fixed"];
    config.erase("fixed");
    config.erase("design");
    for (json& response : config["responses"]) {
        response["optimize"] = response["objective"];
        response.erase("objective");
    }
    writeFile(folder / "config.json", config.dump());
    std::filesystem::copy_file(kSample / "design_matrix.json", folder / "design_matrix.json");
    const study::Study other = importDoehelper(folder / "config.json").study;
    const study::Study first = importDoehelper(kSample / "config.json").study;
    EXPECT_EQ(other, first);
}

TEST(Doehelper, LeavesOutResultsWithoutSettingsAndKeepsStrangers)
{
    const TemporaryFolder folder;
    writeFifteen(folder, [](std::size_t row) { return row + 1; });
    writeFile(folder / "results/run_16.json", R"({"images_per_sec": 1})");
    writeFile(folder / "results/run_17.json",
              R"({"images_per_sec": 5, "scaling_efficiency": 50,
                  "parameters": {"gpu_count": 100, "batch_per_gpu": 32, "gradient_compression": 0}})");
    const ImportedStudy imported = importDoehelper(folder / "config.json", folder / "results");
    EXPECT_EQ(imported.study.runs.size(), 16U);
    EXPECT_THAT(imported.warnings, Contains(HasSubstr("run_16.json is ignored")));
    EXPECT_THAT(imported.warnings, Contains(HasSubstr("run_17.json: its settings are no free row")));
    EXPECT_THAT(imported.warnings, Contains(HasSubstr("gpu_count is outside its range, 8 to 64")));
}

TEST(Doehelper, NamesEverythingThatItLeavesAlone)
{
    const TemporaryFolder folder;
    writeFifteen(folder, [](std::size_t row) { return row + 1; });
    writeFile(folder / "results/run_2.json", "{\"images_per_sec\": 1, ");
    writeFile(folder / "results/notes.txt", "measured on Monday");
    json result = json::parse(contentOf(folder / "results/run_3.json"));
    result["loss"] = 0.3;
    result["parameters"]["model"] = "resnet18";
    result["parameters"]["host"] = "a";
    writeFile(folder / "results/run_3.json", result.dump());
    const ImportedStudy imported = importDoehelper(folder / "config.json", folder / "results");
    EXPECT_EQ(study::countRuns(imported.study, study::RunStatus::Done), 14) << "the others were lost";
    EXPECT_THAT(imported.warnings, Contains(HasSubstr("run_2.json: images_per_sec: not a valid JSON")));
    EXPECT_THAT(imported.warnings, Contains("notes.txt is ignored: no result file (.json)"));
    EXPECT_THAT(imported.warnings, Contains("the result files: loss and parameters.host are ignored"));
    EXPECT_THAT(imported.warnings,
                Contains("run_3.json: model is \"resnet18\", the configuration fixes resnet50"));
    EXPECT_THAT(imported.warnings,
                Contains("design_matrix.json: metadata, operation and whole_plot_id (15 times) are ignored"));
    EXPECT_THAT(imported.warnings,
                Contains(StartsWith("metadata: author (\"AI Infrastructure Team\") and version")));
}

TEST(Doehelper, NamesALevelThatItsFactorDoesNotHave)
{
    const TemporaryFolder folder;
    writeFile(folder / "config.json", R"({"metadata": {"name": "s"}, "factors": [
        {"name": "a", "type": "continuous", "levels": ["8", "64"]},
        {"name": "c", "type": "categorical", "levels": ["u", "w"]}],
        "responses": [{"name": "y"}], "settings": {"operation": "box_behnken"}})");
    writeFile(folder / "design_matrix.json", R"({"factor_names": ["a", "c"], "runs": [
        {"run_id": 1, "block_id": 1, "factor_values": {"a": "8", "c": "v"}}]})");
    try {
        importDoehelper(folder / "config.json", {});
        ADD_FAILURE() << "the level v was taken";
    } catch (const study::DocumentError& error) {
        EXPECT_THAT(error.what(), HasSubstr("factor c: \"v\" is not one of its levels"));
    }
}

TEST(Doehelper, SaysWhatIsWrongWithAConfiguration)
{
    const TemporaryFolder folder;
    json config = json::parse(contentOf(kSample / "config.json"));
    config["factors"][1]["levels"] = {"32"};
    writeFile(folder / "config.json", config.dump());
    try {
        importDoehelper(folder / "config.json");
        FAIL() << "a factor with one level was accepted";
    } catch (const ImportError& error) {
        EXPECT_THAT(error.what(), HasSubstr("factor \"batch_per_gpu\": levels is"));
        EXPECT_THAT(error.what(), HasSubstr("expected a list with at least two values"));
    }
}

study::Study example()
{
    return study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
}

AuditItem onlyItem(const Claims& claims, const study::Study& study = example())
{
    const std::vector<AuditItem> items = audit(study, claims);
    EXPECT_EQ(items.size(), 1U);
    return items.empty() ? AuditItem{} : items.front();
}

TEST(Audit, RefutesThePublishedPage)
{
    const std::string path = sourcePath("resources/examples/resnet50-scaling-claims.json");
    const std::vector<AuditItem> items = audit(example(), parseClaims(contentOf(path), path));
    int differing = 0;
    std::string all;
    for (const AuditItem& item : items) {
        differing += item.verdict == Verdict::Differs ? 1 : 0;
        all += item.data + "\n";
    }
    EXPECT_EQ(items.size(), 12U);
    EXPECT_EQ(differing, 11) << "everything but the best observed run";
    EXPECT_THAT(all, HasSubstr("joined to other rows"));
    EXPECT_THAT(all, HasSubstr("R² 0.998"));
    EXPECT_THAT(all, HasSubstr("gave 2723.4; the claim is 6.1 times too large"));
    EXPECT_THAT(all, HasSubstr("the mean alone predicts better"));
}

TEST(Audit, AgreesWithWhatIsRight)
{
    Claims claims;
    claims.fits = {{.response = "images_per_sec", .model = "quadratic", .r2 = 0.998}};
    EXPECT_EQ(onlyItem(claims).verdict, Verdict::Agrees);
    claims.fits = {{.response = "images_per_sec",
                    .model = "linear",
                    .coefficients = {{"1", 10695.9}, {"gpu_count", 7939.2}, {"batch_per_gpu", 5655.3}}}};
    EXPECT_EQ(onlyItem(claims).verdict, Verdict::Agrees);
}

TEST(Audit, JudgesUnmeasuredSettingsByThePredictionInterval)
{
    Claims claims;
    claims.settings = {
        {.what = "setting",
         .settings = {{"gpu_count", 48.0}, {"batch_per_gpu", 200.0}, {"gradient_compression", 45.0}},
         .values = {{"images_per_sec", 19000.0}}}};
    EXPECT_EQ(onlyItem(claims).verdict, Verdict::Agrees) << onlyItem(claims).data;
    claims.settings[0].values["images_per_sec"] = 30000;
    EXPECT_EQ(onlyItem(claims).verdict, Verdict::Differs);
    claims.settings[0].settings.erase("gpu_count");
    EXPECT_EQ(onlyItem(claims).verdict, Verdict::CannotTell);
}

TEST(Audit, TellsWeakFromStrongScaling)
{
    Claims claims;
    claims.scaling = {{"scaling_efficiency", Scaling::Strong}};
    EXPECT_EQ(onlyItem(claims).verdict, Verdict::Differs) << "the batch of each GPU is held";
    study::Study study = example();
    study.factors[1].name = "global_batch";
    EXPECT_EQ(onlyItem(claims, study).verdict, Verdict::Agrees);
    study.factors[1].name = "rate";
    EXPECT_EQ(onlyItem(claims, study).verdict, Verdict::CannotTell);
}

TEST(Audit, RefusesClaimsThatCannotBeRead)
{
    const auto message = [](const std::string& text) {
        return messageOf<study::DocumentError>([&] { parseClaims(text, "claims.json"); });
    };
    EXPECT_THAT(message(R"({"fits": [{"model": "linear"}]})"), HasSubstr("claims.json"));
    EXPECT_THAT(message(R"({"scaling": {"y": "fast"}})"), HasSubstr("expected \"weak\" or \"strong\""));
    EXPECT_THAT(message("[]"), HasSubstr("expected"));
}

} // namespace
} // namespace quadric::exchange
