// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/space/constraint.h"

#include "core/study/document/document.h"
#include "study_fixtures.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <clocale>
#include <cmath>
#include <locale>
#include <map>

namespace quadric::study {
namespace {

using ::testing::Contains;
using testing::documentWith;
using ::testing::HasSubstr;

/// The example of the format's description.
constexpr const char* kExample = R"({
  "quadric": 1,
  "name": "ResNet-50 scaling",
  "description": "…",
  "factors": [
    {"name": "gpu_count", "unit": "GPUs", "type": "integer", "low": 8, "high": 64, "scale": "log2", "multiple_of": 8, "binds": "ranks"},
    {"name": "batch_per_gpu", "unit": "images", "type": "integer", "low": 32, "high": 256, "scale": "log2"},
    {"name": "gradient_compression", "unit": "%", "type": "continuous", "low": 0, "high": 90},
    {"name": "bucket_mib", "type": "discrete", "levels": [1, 4, 25, 100]},
    {"name": "precision", "type": "categorical", "levels": ["fp32", "bf16"]}
  ],
  "fixed": {"network": "resnet50"},
  "responses": [
    {"name": "images_per_sec", "unit": "img/s", "goal": "maximize", "weight": 1.5, "low": 2000, "high": 30000, "shape": 1},
    {"name": "step_ms_p95", "unit": "ms", "goal": "target", "target": 80, "low": 60, "high": 120, "shape": [1, 2], "weight": 1, "transform": "log"}
  ],
  "constraints": ["gpu_count * batch_per_gpu <= 8192"],
  "design": {"type": "box-behnken", "center_runs": 3, "replicates": 1, "blocks": 1, "randomize": true, "seed": 42},
  "model": {"images_per_sec": "quadratic"},
  "benchmark": {"workload": "builtin", "engine": "auto", "options": {}},
  "runs": [
    {"id": 1, "order": 7, "block": 1, "kind": "design", "settings": {"gpu_count": 36, "batch_per_gpu": 32, "gradient_compression": 0},
     "status": "done", "results": {"images_per_sec": 4550.7}, "spread": {"images_per_sec": 11.2}, "provenance": {"source": "measured"}}
  ]
})";

TEST(DocumentTest, ReadsTheFactorsOfTheExample)
{
    const Study study = parseStudy(kExample, "example").study;
    ASSERT_EQ(study.factors.size(), 5U);
    EXPECT_EQ(study.factors[0], (Factor{.name = "gpu_count",
                                        .unit = "GPUs",
                                        .type = FactorType::Integer,
                                        .low = 8,
                                        .high = 64,
                                        .scale = Scale::Log2,
                                        .multipleOf = 8,
                                        .binds = "ranks"}));
    EXPECT_EQ(study.factors[3].levels, (std::vector<double>{1, 4, 25, 100}));
    EXPECT_EQ(study.factors[3].low, 1.0);
    EXPECT_EQ(study.factors[3].high, 100.0);
    EXPECT_EQ(study.factors[4].categories, (std::vector<std::string>{"fp32", "bf16"}));
    EXPECT_EQ(study.fixed, (Settings{{"network", "resnet50"}}));
}

TEST(DocumentTest, ReadsTheResponsesAndTheDesignOfTheExample)
{
    const Study study = parseStudy(kExample, "example").study;
    ASSERT_EQ(study.responses.size(), 2U);
    EXPECT_EQ(study.responses[1], (Response{.name = "step_ms_p95",
                                            .unit = "ms",
                                            .goal = Goal::Target,
                                            .target = 80,
                                            .low = 60,
                                            .high = 120,
                                            .shape = {1, 2},
                                            .transform = {TransformKind::Log}}));
    EXPECT_EQ(study.responses[0].weight, 1.5);
    EXPECT_EQ(study.constraints, (std::vector<std::string>{"gpu_count * batch_per_gpu <= 8192"}));
    EXPECT_EQ(study.design, (DesignSpec{.type = "box-behnken", .centerRuns = 3, .seed = 42}));
    EXPECT_EQ(study.model.at("images_per_sec"), "quadratic");
    EXPECT_EQ(study.benchmark, Benchmark{});
}

TEST(DocumentTest, ReadsTheRunOfTheExample)
{
    const Study study = parseStudy(kExample, "example").study;
    const study::Run expected{
        .id = 1,
        .order = 7,
        .settings = {{"gpu_count", 36.0}, {"batch_per_gpu", 32.0}, {"gradient_compression", 0.0}},
        .status = RunStatus::Done,
        .results = {{"images_per_sec", 4550.7}},
        .spread = {{"images_per_sec", 11.2}},
        .provenance = {Source::Measured, {}}};
    ASSERT_EQ(study.runs.size(), 1U);
    EXPECT_EQ(study.runs[0], expected);
}

TEST(DocumentTest, WhatIsWrittenReadsBackTheSame)
{
    const Study study = parseStudy(kExample, "example").study;
    const std::string text = writeStudy(study);
    EXPECT_EQ(parseStudy(text, "again").study, study);
    EXPECT_EQ(writeStudy(parseStudy(text, "again").study), text);
}

TEST(DocumentTest, EveryFieldSurvives)
{
    Study study = testing::smallStudy();
    study.responses[0].transform = {TransformKind::BoxCox, -0.25};
    study.responses.push_back({.name = "share", .bounds = Bounds{0.0, 100.0}});
    study.responses.push_back({.name = "count", .bounds = Bounds{}});
    study.derived = {{"share", "count / 2"}};
    study.benchmark = {.workload = "command",
                       .engine = "cpu",
                       .options = {{"x", 0.1}, {"y", "z"}},
                       .argv = {"sh", "-c", "echo \"{a}\"\n"},
                       .env = {{"K", "v w"}},
                       .cwd = "/tmp",
                       .parse = {.kind = ParseSpec::Kind::File, .file = "{a}.json"},
                       .timeoutSeconds = 12.5};
    study.design.seed = 18446744073709551615ULL;
    study.design.alpha = "1.5";
    study.design.runs = 24;
    study.design.generators = {"D=AB", "E=-AC"};
    study.design.resolution = 4;
    study.design.model = "a + a^2";
    study.design.levels = {{"a", 5}};
    study.design.digits = 0;
    study.runs[0].status = RunStatus::Failed;
    study.runs[0].failure = Failure{"crash", "it \"fell\" over\tö"};
    study.runs[1].status = RunStatus::Excluded;
    study.runs[1].reason = "disturbed";
    study.runs[1].kind = RunKind::Axial;
    study.runs[2].status = RunStatus::Running;
    study.runs[2].provenance = {.source = Source::Typed, .log = "a.log", .unknown = {{"note", "[1]"}}};
    study.runs[2].provenance.device = {"cpu", {{"cores", "2"}}};
    study.runs[2].results = {{"y", 0.1 + 0.2}, {"z", 1e-300}, {"big", 1.7976931348623157e308}};
    EXPECT_EQ(parseStudy(writeStudy(study), "again").study, study);
}

TEST(DocumentTest, DesignOptionsAreWrittenWhereTheyAreSet)
{
    const Study plain = testing::smallStudy();
    for (const char* key : {"\"alpha\"", "\"generators\"", "\"resolution\"", "\"levels\"", "\"digits\""})
        EXPECT_EQ(writeStudy(plain).find(key), std::string::npos) << key;
    for (const char* alpha : {R"("face")", R"("1.25")", "1.25"}) {
        const Study study = parseStudy(documentWith(R"("design": {"type": "central-composite", "alpha": )" +
                                                    std::string(alpha) + "}"),
                                       "alpha")
                                .study;
        EXPECT_EQ(study.design.alpha, alpha[1] == 'f' ? "face" : "1.25");
        EXPECT_EQ(parseStudy(writeStudy(study), "again").study, study);
    }
}

TEST(DocumentTest, DefaultsStandInForWhatIsMissing)
{
    const LoadedStudy loaded = parseStudy(R"({"quadric": 1})", "bare");
    EXPECT_EQ(loaded.study, Study{});
    EXPECT_TRUE(loaded.warnings.empty());
    const Study run = parseStudy(documentWith(R"("runs": [{"id": 4, "settings": {"a": 1}}])"), "run").study;
    EXPECT_EQ(run.runs[0], (study::Run{.id = 4, .order = 4, .settings = {{"a", 1.0}}}));
}

TEST(DocumentTest, UnknownKeysAreKeptAndNamedOnEveryLevel)
{
    const std::string text = R"({"quadric": 1, "color": [1, {"x": null}],
      "factors": [{"name": "a", "low": 0, "high": 1, "levels": [1]}],
      "responses": [{"name": "y", "tint": true}],
      "design": {"shape": 1.5}, "benchmark": {"nice": 19},
      "runs": [{"id": 1, "settings": {"a": 0}, "tag": "x", "status": "failed",
                "failure": {"kind": "crash", "message": "m", "signal": 9},
                "provenance": {"source": "typed", "who": "me"}}]})";
    const LoadedStudy loaded = parseStudy(text, "f.quadric");
    for (const char* path : {"color", "factors[0].levels", "responses[0].tint", "design.shape",
                             "benchmark.nice", "runs[0].tag", "runs[0].failure.signal"}) {
        EXPECT_THAT(loaded.warnings, Contains(HasSubstr("f.quadric: " + std::string(path) + ": "))) << path;
    }
    EXPECT_EQ(loaded.warnings.size(), 7U);
    EXPECT_EQ(loaded.study.unknown.at("color"), R"([1, {"x": null}])");
    const std::string written = writeStudy(loaded.study);
    for (const char* kept :
         {R"("color": [1, {"x": null}])", R"("levels": [1])", R"("tint": true)", R"("shape": 1.5)",
          R"("nice": 19)", R"("tag": "x")", R"("signal": 9)", R"("who": "me")"}) {
        EXPECT_THAT(written, HasSubstr(kept));
    }
    EXPECT_EQ(parseStudy(written, "again").study, loaded.study);
}

TEST(DocumentTest, TheArrangementOfAPageIsKeptWithoutAWarning)
{
    for (
        const std::string view :
        {R"({"explore": {"heights": [1, 1.25], "note": {}, "views": [["anova"], []], "widths": [[1], [0.5]]}})",
         R"({"explore": {"heights": [null], "views": 7}, "other": {}})", R"({})", R"("no view")",
         R"({"explore": [1]})"}) {
        const LoadedStudy loaded = parseStudy(R"({"quadric": 1, "view": )" + view + "}", "s");
        EXPECT_TRUE(loaded.warnings.empty());
        EXPECT_THAT(writeStudy(loaded.study), HasSubstr("\n  \"view\": " + view + "\n}\n"));
        EXPECT_EQ(parseStudy(writeStudy(loaded.study), "again").study, loaded.study);
    }
    const Study study =
        parseStudy(R"({"quadric": 1, "view": {"explore": {"views": [["anova", "cube"]]}}})", "s").study;
    EXPECT_EQ(study.view.at("explore").views, (std::vector<std::vector<std::string>>{{"anova", "cube"}}));
}

TEST(DocumentTest, AKnownKeyWinsOverAnUnknownOneOfTheSameName)
{
    Study study = testing::smallStudy();
    study.factors[0].unknown = {{"low", "99"}, {"note", "not JSON {"}};
    const Study again = parseStudy(writeStudy(study), "again").study;
    EXPECT_EQ(again.factors[0].low, 0.0);
    EXPECT_EQ(again.factors[0].unknown.at("note"), "\"not JSON {\"");
}

TEST(DocumentTest, LevelsAreSorted)
{
    const Study study =
        parseStudy(R"({"quadric": 1, "factors": [{"name": "b", "type": "discrete", "levels": [25, 1, 4]}]})",
                   "s")
            .study;
    EXPECT_EQ(study.factors[0].levels, (std::vector<double>{1, 4, 25}));
    EXPECT_EQ(study.factors[0].high, 25.0);
}

TEST(DocumentTest, TextThatIsNotUtf8IsWrittenReadable)
{
    study::Run run{.id = 1, .status = RunStatus::Failed, .failure = Failure{"crash", "worker said \xff\xfe"}};
    EXPECT_THAT(writeRun(run), HasSubstr("worker said \xEF\xBF\xBD"));
}

TEST(DocumentTest, NumbersThatAreNotFiniteAreNotWritten)
{
    EXPECT_THROW(static_cast<void>(writeSettings({{"a", std::nan("")}})), DocumentError);
    const study::Run run{.id = 1, .results = {{"y", HUGE_VAL}}};
    EXPECT_THROW(static_cast<void>(writeRun(run)), DocumentError);
}

TEST(DocumentTest, SettingsRoundTrip)
{
    const Settings settings = {{"a", 0.1}, {"b", 1e21}, {"c", "x\"y"}, {"d", -3.0}};
    EXPECT_EQ(parseSettings(writeSettings(settings), "s"), settings);
    EXPECT_EQ(writeSettings({{"a", 36.0}, {"b", 0.5}}), R"({"a": 36, "b": 0.5})");
    EXPECT_THROW(static_cast<void>(parseSettings(R"({"a": [1]})", "s")), DocumentError);
}

/// Decimal comma and grouping, as a German locale has them.
class CommaNumbers : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

TEST(DocumentTest, NumbersIgnoreTheProcessLocale)
{
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
    const Settings settings = {{"a", 12345.678}, {"b", 1234567.0}};
    const std::string written = writeSettings(settings);
    const Settings read = parseSettings(written, "s");
    std::locale::global(before);
    EXPECT_EQ(written, R"({"a": 12345.678, "b": 1234567})");
    EXPECT_EQ(read, settings);
}

TEST(DocumentTest, NumbersIgnoreTheLocaleOfTheCLibrary)
{
    const std::string before = std::setlocale(LC_ALL, nullptr);
    if (!std::setlocale(LC_ALL, "de_DE.UTF-8") && !std::setlocale(LC_ALL, "fr_FR.UTF-8"))
        GTEST_SKIP() << "no locale with a decimal comma is installed";
    const Settings settings = {{"a", 0.25}};
    const std::string written = writeSettings(settings);
    const Settings read = parseSettings(R"({"a": 0.25})", "s");
    const bool holds = Constraint("a < 0.5").holds(settings);
    std::setlocale(LC_ALL, before.c_str());
    EXPECT_EQ(written, R"({"a": 0.25})");
    EXPECT_EQ(read, settings);
    EXPECT_TRUE(holds);
}

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
