// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/predict.h"
#include "core/model/select/cross_validation.h"
#include "core/model/select/repeated_validation.h"
#include "oracle_study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace quadric::model::test {

namespace {

/// The prediction of each run by a model fitted to the other folds: brute force.
std::vector<double> refitted(const study::Study& study, const Fit& fit, const CrossValidation& validation,
                             const std::string& model)
{
    const study::Coding coding(study.factors);
    std::vector<double> predicted;
    for (std::size_t i = 0; i < validation.runs.size(); ++i) {
        study::Study rest = study;
        for (std::size_t j = 0; j < validation.runs.size(); ++j) {
            if (validation.foldOf[j] == validation.foldOf[i])
                study::findRun(rest, validation.runs[j])->status = study::RunStatus::Excluded;
        }
        const Fit other = fitResponse(rest, fit.response, {.model = model, .transform = fit.transform});
        predicted.push_back(
            predictMean(other, coding.toCoded(study::findRun(study, validation.runs[i])->settings)));
    }
    return predicted;
}

} // namespace

TEST(CrossValidationTest, isWhatFittingAnewGives)
{
    for (const int folds : {0, 4, 7}) {
        for (const std::string transform : {"none", "log"}) {
            const study::Study study = studyOf(readOracle("05_tire_tread_derringer_suich"));
            const Fit fit = fitResponse(study, "abrasion",
                                        {.model = "linear", .transform = study::transformFrom(transform)});
            const CrossValidation validation = crossValidate(fit, folds, 3);
            ASSERT_TRUE(validation.error.has_value()) << validation.message;
            const std::vector<double> expected = refitted(study, fit, validation, "linear");
            double squares = 0.0;
            for (std::size_t i = 0; i < expected.size(); ++i) {
                EXPECT_NEAR(validation.predicted[i], expected[i], 1e-8 * std::abs(expected[i]));
                squares += std::pow(study.runs[i].results.at("abrasion") - expected[i], 2);
            }
            EXPECT_NEAR(*validation.error, std::sqrt(squares / static_cast<double>(expected.size())), 1e-7);
        }
    }
}

TEST(CrossValidationTest, onePerSettingIsPressWithoutReplicates)
{
    study::Study study = plainStudy({"A", "B"});
    for (const std::vector<study::Value>& point : gridOf(2, {-1, -0.5, 0, 1}))
        addRun(study, point, std::exp(std::get<double>(point[0])) + std::sin(3 * std::get<double>(point[1])));
    const Fit fit = fitResponse(study, "y");
    const CrossValidation validation = crossValidate(fit, 0);
    EXPECT_NEAR(validation.r2.value(), fit.r2Predicted.value(), 1e-12);
    EXPECT_NEAR(validation.s.value() * validation.s.value() * 16, fit.press.value(), 1e-10);
}

TEST(CrossValidationTest, replicatesStayTogetherAndFoldsAreEven)
{
    const study::Study study = studyOf(readOracle("06_paper_2p5_full_3rep"));
    const Fit fit = fitResponse(study, "duration", {.model = "interactions"});
    const CrossValidation validation = crossValidate(fit, 5, 9);
    std::map<std::string, std::set<int>> folds;
    std::map<int, int> sizes;
    for (std::size_t i = 0; i < validation.runs.size(); ++i) {
        std::string setting;
        for (const auto& [name, value] : study::findRun(study, validation.runs[i])->settings)
            setting += study::toText(value) + " ";
        folds[setting].insert(validation.foldOf[i]);
        ++sizes[validation.foldOf[i]];
    }
    for (const auto& [setting, used] : folds)
        EXPECT_EQ(used.size(), 1U) << setting;
    for (const auto& [fold, size] : sizes)
        EXPECT_NEAR(size, 96 / 5.0, 3.0);
}

TEST(CrossValidationTest, theSeedDecidesTheFolds)
{
    const study::Study study = studyOf(readOracle("06_paper_2p5_full_3rep"));
    const Fit fit = fitResponse(study, "duration", {.model = "linear"});
    EXPECT_EQ(crossValidate(fit, 5, 1).foldOf, crossValidate(fit, 5, 1).foldOf);
    EXPECT_NE(crossValidate(fit, 5, 1).foldOf, crossValidate(fit, 5, 2).foldOf);
}

TEST(CrossValidationTest, saysWhyThereIsNone)
{
    const study::Study study = studyOf(readOracle("04_trebuchet_bbd3"));
    const Fit fit = fitResponse(study, "y");
    EXPECT_NE(crossValidate(fit, 50).message.find("(13)"), std::string::npos);
    EXPECT_FALSE(crossValidate(fit, 1).error.has_value());
    // Without the center runs a Box–Behnken design cannot estimate its squares.
    const CrossValidation bySetting = crossValidate(fit, 0);
    EXPECT_FALSE(bySetting.error.has_value());
    EXPECT_NE(bySetting.message.find("cannot be estimated"), std::string::npos);
    EXPECT_FALSE(crossValidate(fitResponse(study, "nothing"), 5).message.empty());
}

TEST(CrossValidationTest, repeatsSpreadAsTheirSeedsDo)
{
    const study::Study study = studyOf(readOracle("05_tire_tread_derringer_suich"));
    const Fit fit = fitResponse(study, "abrasion", {.model = "linear"});
    const RepeatedValidation repeated = repeatValidation(fit, 5, 3);
    double sum = 0.0, low = 1.0, high = -1e9;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const CrossValidation single = crossValidate(fit, 5, seed);
        sum += single.error.value();
        low = std::min(low, single.r2.value());
        high = std::max(high, single.r2.value());
    }
    EXPECT_EQ(repeated.repeats, 3);
    EXPECT_NEAR(repeated.error, sum / 3.0, 1e-12 * sum);
    EXPECT_EQ(repeated.r2Low, low);
    EXPECT_EQ(repeated.r2High, high);
    EXPECT_LT(low, high);
    EXPECT_GT(repeated.errorSd, 0.0);
}

TEST(CrossValidationTest, tooManyFoldsSayWhatIsMissing)
{
    const study::Study study = studyOf(readOracle("05_tire_tread_derringer_suich"));
    const RepeatedValidation repeated = repeatValidation(fitResponse(study, "abrasion"), 1000);
    EXPECT_FALSE(repeated.isOk());
    EXPECT_NE(repeated.message.find("1000"), std::string::npos);
}

} // namespace quadric::model::test
