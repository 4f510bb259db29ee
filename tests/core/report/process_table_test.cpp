// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/process/shown_process.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/process_findings.h"
#include "core/report/table_text.h"
#include "core/report/tables/process_table.h"

#include <gmock/gmock.h>

#include <cmath>

namespace quadric::report {
namespace {

/// y by a and a category, 24 runs.
template <class Function> study::Study played(Function f)
{
    study::Study study;
    study.factors = {{.name = "a", .low = -1.0, .high = 1.0},
                     {.name = "c", .type = study::FactorType::Categorical, .categories = {"x", "z"}}};
    study.responses = {{.name = "y", .goal = study::Goal::Maximize}};
    for (int i = 0; i < 24; ++i) {
        const double a = -1.0 + 2.0 * std::fmod(0.5 + i * 0.6180339887, 1.0);
        const std::string level = i % 2 == 0 ? "x" : "z";
        study::Run run{.id = i + 1, .order = i + 1, .settings = {{"a", a}, {"c", level}}};
        run.status = study::RunStatus::Done;
        run.results["y"] = f(a, i);
        study.runs.push_back(std::move(run));
    }
    return study;
}

TEST(ProcessTable, NamesWhatWasLearned)
{
    const study::Study study = played([](double a, int) { return 10.0 + std::sin(4.0 * a); });
    const model::Process process = model::fitProcess(study, "y");
    ASSERT_TRUE(process.isOk()) << process.message;
    const Table table = makeProcessTable(process);
    std::vector<std::string> names;
    for (const auto& row : table.rows)
        names.push_back(formatCell(row.front()));
    EXPECT_THAT(names,
                testing::ElementsAre("Transform", "Mean", "Length scale of a",
                                     "Correlation between levels of c", "σ", "Error at settings left out"));
}

/// Noise cannot be predicted, a sine can: what is said of the process follows.
TEST(ProcessVerdict, IsThatOfSettingsLeftOut)
{
    const auto verdictOf = [](const study::Study& study) {
        return judgeFit(model::fitOf(model::processOf(study, "y"), study));
    };
    const Verdict good = verdictOf(played([](double a, int) { return 10.0 + std::sin(4.0 * a); }));
    EXPECT_EQ(good.severity, Severity::Green) << good.sentence;
    EXPECT_THAT(good.sentence, testing::HasSubstr("each setting left out in turn"));
    const Verdict poor =
        verdictOf(played([](double, int i) { return 10.0 + std::fmod(i * i * 0.754877666, 1.0); }));
    EXPECT_EQ(poor.severity, Severity::Red) << poor.sentence;
}

/// The predicted R² against fits without each run, with the parameters of all.
TEST(ProcessVerdict, PredictedR2IsThatOfTheErrors)
{
    const study::Study study =
        played([](double a, int i) { return 10.0 + std::sin(4.0 * a) + 0.1 * std::cos(9.0 * i); });
    const auto process = model::processOf(study, "y");
    double sum = 0.0, mean = 0.0, total = 0.0;
    for (const study::Run& run : study.runs)
        mean += run.results.at("y") / 24.0;
    for (std::size_t i = 0; i < 24; ++i) {
        const double y = study.runs[i].results.at("y");
        total += std::pow(y - mean, 2);
        sum += std::pow(y - process->toResponseUnit(process->leftOutMean[static_cast<Eigen::Index>(i)]), 2);
    }
    EXPECT_NEAR(*model::fitOf(process, study).r2Predicted, 1.0 - sum / total, 1e-12);
}

/// Said where the error is at least a third smaller, of responses with a goal that are not shown so yet.
TEST(ProcessAdvice, IsGivenWhereAPolynomialBendsTooLittle)
{
    const study::Study bent = played([](double a, int) { return 10.0 + std::sin(4.0 * a); });
    const ProcessAdvice advice = adviseProcesses(bent, model::fitStudy(bent));
    EXPECT_THAT(advice.responses, testing::ElementsAre("y"));
    EXPECT_THAT(advice.sentence, testing::HasSubstr("predicts settings left out with smaller errors: y "));
    const study::Study shown = model::withProcessShown(bent, "y", true);
    EXPECT_TRUE(adviseProcesses(shown, model::fitStudy(shown)).sentence.empty()) << "it is used";
    study::Study aimless = bent;
    aimless.responses[0].goal = study::Goal::None;
    EXPECT_TRUE(adviseProcesses(aimless, model::fitStudy(aimless)).responses.empty());
    const study::Study straight = played([](double a, int i) { return 10.0 + a + 0.05 * std::cos(9.0 * i); });
    EXPECT_TRUE(adviseProcesses(straight, model::fitStudy(straight)).responses.empty());
}

} // namespace
} // namespace quadric::report
