// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/model_choice.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/report/findings/advice.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/reading.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace quadric::report {
namespace {

using Random = std::mt19937_64;

/// One to three factors of any type, up to ten runs at settings that repeat, results that may be equal, 0,
/// negative, tiny or missing.
study::Study oddStudy(Random& random)
{
    const auto draw = [&random](int count) {
        return static_cast<int>(random() % static_cast<unsigned>(count));
    };
    study::Study study;
    const int factors = 1 + draw(3);
    for (int i = 0; i < factors; ++i) {
        study::Factor factor{.name = std::string(1, static_cast<char>('a' + i)), .low = 1.0, .high = 64.0};
        factor.type = draw(2) == 0 ? study::FactorType::Integer : study::FactorType::Continuous;
        if (draw(4) == 0) {
            factor.type = study::FactorType::Categorical;
            factor.categories = {"x", "y", "z"};
        }
        if (factor.isNumeric() && draw(3) == 0)
            factor.scale = study::Scale::Log2;
        study.factors.push_back(std::move(factor));
    }
    study.responses = {{.name = "speed", .unit = "img/s"}, {.name = "y", .goal = study::Goal::Minimize}};
    const int runs = draw(11);
    for (int id = 1; id <= runs; ++id) {
        study::Run run;
        run.id = run.order = id;
        run.status = draw(6) == 0 ? study::RunStatus::Failed : study::RunStatus::Done;
        run.block = 1 + draw(2);
        for (const study::Factor& factor : study.factors) {
            constexpr std::array<double, 4> kLevels{1.0, 8.0, 36.0, 64.0};
            run.settings[factor.name] =
                factor.isNumeric() ? study::Value(kLevels[static_cast<std::size_t>(draw(4))])
                                   : study::Value(factor.categories[static_cast<std::size_t>(draw(3))]);
        }
        if (run.status == study::RunStatus::Done) {
            run.results["speed"] = draw(5) == 0 ? 100.0 : std::exp(draw(1000) / 100.0);
            if (draw(8) != 0)
                run.results["y"] = draw(7) - 3.0;
        }
        study.runs.push_back(std::move(run));
    }
    return study;
}

/// Whatever the table: models, their findings, sentences and the best setting are computed or declined in
/// words, and what is predicted is finite and possible.
TEST(OddStudies, AreAnsweredOrDeclined)
{
    Random random(35);
    for (int i = 0; i < 400; ++i) {
        SCOPED_TRACE(i);
        const study::Study study = model::withChosenModels(oddStudy(random));
        const std::vector<model::Fit> fits = optimize::fitForGoals(study);
        ASSERT_EQ(fits.size(), study.responses.size());
        for (const model::Fit& fit : fits) {
            EXPECT_TRUE(fit.isOk() || !fit.message.empty());
            EXPECT_FALSE(findInFit(fit).empty());
            if (fit.isOk())
                readCoefficients(fit);
        }
        const optimize::Optimum best = optimize::findOptimum(study, fits);
        EXPECT_TRUE(best.isOk() || !best.message.empty());
        for (const optimize::ResponseAtOptimum& row : best.responses) {
            EXPECT_TRUE(std::isfinite(row.predicted.mean));
            EXPECT_TRUE(row.response != "speed" || row.predicted.mean >= 0.0);
        }
        EXPECT_FALSE(findNextSteps(study, fits, best, {}).empty());
    }
}

/// Eight runs of a sweep, one of which alone decides a coefficient: its answer ended with an exception.
TEST(OddStudies, ASettingThatAloneDecidesACoefficient)
{
    study::Study study;
    study.factors = {{.name = "g", .type = study::FactorType::Integer, .low = 8.0, .high = 64.0},
                     {.name = "b", .type = study::FactorType::Integer, .low = 32.0, .high = 256.0},
                     {.name = "m", .low = 9.0, .high = 71.7}};
    study.responses = {{.name = "y"}};
    const std::vector<std::array<double, 4>> rows{
        {8, 32, 9, 0.8},    {8, 256, 71.7, 392.5},  {8, 144, 40.3, 197.9},   {64, 144, 40.3, 1397.9},
        {36, 32, 9, 715.2}, {36, 144, 40.3, 999.7}, {36, 144, 40.3, 1005.8}, {36, 144, 40.3, 1009}};
    for (const auto& [g, b, m, y] : rows) {
        study::Run run;
        run.id = run.order = static_cast<int>(study.runs.size()) + 1;
        run.status = study::RunStatus::Done;
        run.settings = {{"g", g}, {"b", b}, {"m", m}};
        run.results["y"] = y;
        study.runs.push_back(std::move(run));
    }
    study = model::withChosenModels(study);
    const std::vector<model::Fit> fits = optimize::fitForGoals(study);
    ASSERT_TRUE(fits.front().isOk()) << fits.front().message;
    EXPECT_FALSE(findInFit(fits.front()).empty());
    EXPECT_TRUE(optimize::findOptimum(study, fits).isOk());
}

} // namespace
} // namespace quadric::report
