// SPDX-License-Identifier: GPL-3.0-or-later
// What the script of the HTML report computes against core, run by a small ECMAScript engine (duk).
#include "core/exchange/export/profiler_model.h"

#include "core/model/predict/predict.h"
#include "core/optimize/merit/desirability.h"
#include "core/study/document/json.h"
#include "core/study/space/constraint.h"
#include "core/text/numbers.h"
#include "tests/support/test_paths.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

namespace quadric::exchange {
namespace {

using study::Json;

constexpr double kAgreement = 1e-12;

/// Every coding, transform and goal, blocks, shapes, a response without a goal.
study::Study hardStudy()
{
    study::Study study;
    study.name = "hard";
    study.factors = {{.name = "gpus",
                      .unit = "GPUs",
                      .type = study::FactorType::Integer,
                      .low = 8,
                      .high = 128,
                      .scale = study::Scale::Log2,
                      .multipleOf = 4},
                     {.name = "rate", .low = -0.5, .high = 1.75},
                     {.name = "bucket",
                      .unit = "MB",
                      .type = study::FactorType::Discrete,
                      .low = 1,
                      .high = 25,
                      .scale = study::Scale::Log2,
                      .levels = {1, 2, 5, 10, 25}},
                     {.name = "precision </script>",
                      .type = study::FactorType::Categorical,
                      .categories = {"fp32", "bf16", "fp8"}}};
    study.fixed = {{"nodes", 4.0}, {"fabric", std::string("ib")}};
    using Goal = study::Goal;
    using Kind = study::TransformKind;
    study.responses = {
        {.name = "plain", .unit = "img/s", .goal = Goal::Maximize, .shape = {0.7}, .weight = 2},
        {.name = "log", .goal = Goal::Minimize, .low = 1.2, .high = 6, .transform = {.kind = Kind::Log}},
        {.name = "root",
         .goal = Goal::Target,
         .target = 5,
         .low = 0.1,
         .high = 30,
         .shape = {0.5, 2},
         .transform = {.kind = Kind::Sqrt}},
        {.name = "inverse", .goal = Goal::None, .transform = {.kind = Kind::Inverse}},
        {.name = "power", .transform = {.kind = Kind::BoxCox, .lambda = -0.6}},
        {.name = "share", .transform = {.kind = Kind::Logit}, .bounds = study::Bounds{0.0, 400.0}}};
    study.constraints = {"gpus * bucket <= 1000 and not (rate > 1.6)",
                         "precision_is == \"on\" or gpus / (rate + 0.5) > 8 or fabric == 'ib'"};
    study.fixed["precision_is"] = std::string("on");
    return study;
}

void addRuns(study::Study& study, int blocks)
{
    std::mt19937_64 random(7);
    std::normal_distribution<double> noise(0.0, 0.05);
    for (int i = 0; i < 60; ++i) {
        study::Run run{.id = i + 1, .order = i + 1, .block = 1 + i % blocks};
        const double a = std::pow(2.0, 3 + i % 5), rate = -0.5 + 2.25 * (i / 5 % 4) / 3.0;
        const double bucket = study.factors[2].levels[static_cast<std::size_t>(i * 7 % 5)];
        const auto level = static_cast<std::size_t>(i % 3);
        run.settings = {{"gpus", a},
                        {"rate", rate},
                        {"bucket", bucket},
                        {"precision </script>", study.factors[3].categories[level]}};
        const double z = 0.2 * std::log2(a) + 0.3 * rate - 0.15 * rate * rate + 0.1 * std::log2(bucket) +
                         0.2 * static_cast<double>(level) + 0.3 * (i % blocks) + noise(random);
        run.status = study::RunStatus::Done;
        run.results = {{"plain", 100 * z},
                       {"log", std::exp(z)},
                       {"root", std::pow(z + 2, 2)},
                       {"inverse", 1 / (z + 2)},
                       {"power", std::pow(1 + 0.2 * z, 2)},
                       {"share", 400 / (1 + std::exp(1 - z))}};
        study.runs.push_back(std::move(run));
    }
}

class ProfilerScript : public ::testing::Test {
protected:
    void SetUp() override
    {
        if (std::system("duk -e '' > /dev/null 2>&1") != 0)
            GTEST_SKIP() << "duktape is not installed";
        m_folder = std::filesystem::path(::testing::TempDir()) /
                   ("profiler_script_" + std::to_string(std::random_device{}()));
        std::filesystem::create_directory(m_folder);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    /// What print() prints, line by line, after the script of the report.
    std::vector<std::string> run(const std::string& program) const
    {
        std::ofstream(m_folder / "test.js") << program;
        const std::string scripts = sourcePath("resources/report");
        const std::string out = (m_folder / "out").string();
        const std::string command = "duk " + scripts + "/profiler_model.js " + scripts +
                                    "/profiler_numbers.js " + (m_folder / "test.js").string() + " > " + out +
                                    " 2>&1";
        EXPECT_EQ(std::system(command.c_str()), 0);
        std::vector<std::string> lines;
        std::ifstream in(out);
        for (std::string line; std::getline(in, line);)
            lines.push_back(line);
        return lines;
    }

    void expectAgreement(const study::Study& study) const;

private:
    std::filesystem::path m_folder;
};

void expectNear(const Json& value, double expected, const std::string& what)
{
    EXPECT_NEAR(value.get<double>(), expected, kAgreement * std::max(std::abs(expected), 1e-6)) << what;
}

/// Near a pole of the transform an error of the half width is magnified as the half width itself.
void expectInterval(const Json& value, const std::optional<model::Interval>& expected, double mean,
                    const std::string& what)
{
    ASSERT_EQ(value.is_null(), !expected) << what;
    if (!expected)
        return;
    const double ends = std::abs(expected->low) + std::abs(expected->high);
    const double size = ends * std::max(ends / std::abs(mean), 1.0);
    EXPECT_NEAR(value[0].get<double>(), expected->low, kAgreement * size) << what;
    EXPECT_NEAR(value[1].get<double>(), expected->high, kAgreement * size) << what;
}

std::vector<study::CodedPoint> randomPoints(const study::Coding& coding, int count)
{
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> inside(-1.0, 1.0);
    std::vector<study::CodedPoint> points;
    for (int i = 0; i < count; ++i) {
        study::CodedPoint point = coding.center();
        for (Eigen::Index j = 0; j < point.size(); ++j)
            point[j] = coding.factors()[static_cast<std::size_t>(j)].isNumeric()
                           ? inside(random)
                           : std::floor((inside(random) + 1) * 1.499);
        points.push_back(coding.toCoded(coding.toLegalSettings(point)));
    }
    return points;
}

Json valuesAt(const study::Coding& coding, const study::CodedPoint& point)
{
    Json values = Json::array();
    for (Eigen::Index j = 0; j < point.size(); ++j)
        values.push_back(coding.toActual(static_cast<std::size_t>(j), point[j]));
    return values;
}

void ProfilerScript::expectAgreement(const study::Study& study) const
{
    const std::vector<model::Fit> fits = model::fitStudy(study);
    const study::Coding coding(study.factors);
    const auto points = randomPoints(coding, 300);
    Json at = Json::array();
    for (const study::CodedPoint& point : points)
        at.push_back(valuesAt(coding, point));
    const std::string models = profilerModel(study, fits, coding.toSettings(points.front()));
    ASSERT_EQ(models.find('<'), std::string::npos);
    const auto lines = run("var model = " + models + ";\n" + at.dump() +
                           ".forEach(function (point) { var p = quadric.predict(model, point);\n"
                           "p.isLegal = quadric.findViolation(model, point) === null;\n"
                           "print(JSON.stringify(p)); });\n");
    ASSERT_EQ(lines.size(), points.size()) << (lines.empty() ? "" : lines.front());
    const optimize::Goals goals = optimize::goalsOf(study, fits);
    ASSERT_EQ(goals.count(), study.responses.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Json said = Json::parse(lines[i]);
        std::vector<double> means;
        for (std::size_t k = 0; k < goals.count(); ++k) {
            const model::Prediction expected = model::predict(*goals.fits[k], points[i]);
            const Json& response = said["responses"][k];
            const std::string what = goals.fits[k]->response + " " + lines[i];
            expectNear(response["mean"], expected.mean, what);
            expectInterval(response["confidence"], expected.confidence, expected.mean, what);
            expectInterval(response["newRun"], expected.ofNewRuns(), expected.mean, what);
            EXPECT_EQ(response["isExtrapolation"].get<bool>(), expected.isExtrapolation) << what;
            expectNear(response["desirability"], optimize::valueOf(goals.desirabilities[k], expected.mean),
                       what);
            means.push_back(expected.mean);
        }
        expectNear(said["overall"], optimize::overall(goals.desirabilities, means), lines[i]);
        EXPECT_EQ(said["isLegal"].get<bool>(), study::isLegal(study, coding.toSettings(points[i])));
    }
}

TEST_F(ProfilerScript, PredictsWhatCorePredicts)
{
    study::Study study = hardStudy();
    addRuns(study, 1);
    expectAgreement(study);
}

TEST_F(ProfilerScript, KnowsTheIntervalsOfANewBlock)
{
    study::Study study = hardStudy();
    addRuns(study, 4);
    expectAgreement(study);
}

TEST_F(ProfilerScript, KnowsTheIntervalsOfAChosenModel)
{
    study::Study study = hardStudy();
    addRuns(study, 2);
    for (const study::Response& response : study.responses)
        study.model[response.name] = "auto";
    expectAgreement(study);
}

/// Three levels of each factor, and speeds near 0.
TEST_F(ProfilerScript, KnowsUnseenBendsAndTheValuesThatCannotBe)
{
    study::Study study;
    study.factors = {{.name = "a", .low = -1, .high = 1}, {.name = "b", .low = -1, .high = 1}};
    study.responses = {{.name = "bent"}, {.name = "speed", .unit = "img/s"}};
    study.model = {{"bent", "auto"}, {"speed", "linear"}};
    std::mt19937_64 random(3);
    std::normal_distribution<double> noise(0.0, 0.3);
    for (int i = 0; i < 18; ++i) {
        const double a = i % 3 - 1, b = i / 3 % 3 - 1;
        study::Run run{.id = i + 1, .order = i + 1, .status = study::RunStatus::Done};
        run.settings = {{"a", a}, {"b", b}};
        run.results = {{"bent", 5 + a + 4 * a * a + b + noise(random)},
                       {"speed", std::max(1 + 0.6 * a + 0.3 * b + noise(random), 0.0)}};
        study.runs.push_back(std::move(run));
    }
    const std::vector<model::Fit> fits = model::fitStudy(study);
    ASSERT_FALSE(fits[0].unseenBends.empty());
    ASSERT_TRUE(fits[1].bounds.has_value());
    expectAgreement(study);
}

TEST_F(ProfilerScript, JudgesUndefinedConditionsAsCoreDoes)
{
    study::Study study = hardStudy();
    addRuns(study, 1);
    for (const char* constraint :
         {"gpus / (rate - rate) > 1", "not (gpus / (rate - rate) > 1)", "gpus % 8 == 0 or rate / 0 > 1",
          "rate > 5 and rate / 0 > 1", "not (rate > 5 and rate / 0 > 1)", "-gpus < -16 or nodes != 4",
          "gpus % 3 == 1 and bucket >= 2"}) {
        study.constraints = {constraint};
        SCOPED_TRACE(constraint);
        expectAgreement(study);
    }
}

TEST_F(ProfilerScript, WritesNumbersAsTheProgramDoes)
{
    const std::vector<std::pair<double, double>> values = {
        {49317.2, 2512}, {49317.2, 0.123}, {-0.004567, 0.00012}, {1.5996e13, 4e9},
        {2.5e-7, 3e-9},  {0, 0.4},         {123456789, 512},     {99.96, 0.5},
        {0.3425, 0.011}, {5.517, 0.09},    {-12345, 99.7},       {7, 0.06}};
    Json list = Json::array();
    for (const auto& [value, error] : values)
        list.push_back({value, error});
    const auto lines = run(list.dump() + ".forEach(function (v) { print(quadric.formatNumber(v[0], v[1]));\n"
                                         "print(quadric.formatDigits(v[0], 6)); });\n");
    ASSERT_EQ(lines.size(), 2 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto& [value, error] = values[i];
        EXPECT_EQ(lines[2 * i], text::formatNumber(value, error, text::Typography::Typeset));
        EXPECT_EQ(lines[2 * i + 1], text::formatDigits(value, 6, text::Typography::Typeset));
    }
}

} // namespace
} // namespace quadric::exchange
