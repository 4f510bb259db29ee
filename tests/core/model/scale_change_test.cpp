// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/predict.h"
#include "core/model/select/scale_change.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::model {
namespace {

/// y follows the logarithm of a, z is a straight line in a, both with a little noise.
study::Study twoResponses()
{
    study::Study study;
    study.factors = {{.name = "a", .low = 1, .high = 16}};
    study.responses = {{.name = "y", .unit = "s"}, {.name = "z"}, {.name = "none"}};
    study.model = {{"y", "linear"}, {"z", "linear"}, {"none", "linear"}};
    for (int i = 0; i < 10; ++i) {
        const double a = std::pow(2.0, i % 5), noise = 0.01 * std::sin(3.0 * i);
        study::Run run{.id = i + 1, .order = i + 1, .status = study::RunStatus::Done};
        run.settings = {{"a", a}};
        run.results = {{"y", 5 + 2 * std::log2(a) + noise}, {"z", 3 * a + noise}};
        study.runs.push_back(run);
    }
    return study;
}

/// Each setting predicted from a fit to the others.
double errorByBruteForce(const study::Study& study, const std::string& response)
{
    double sum = 0.0;
    for (const study::Run& left : study.runs) {
        study::Study rest = study;
        std::erase_if(rest.runs, [&](const study::Run& run) { return run.settings == left.settings; });
        const Fit fit = fitResponse(rest, response, {.model = "linear"});
        const double predicted = predictMean(fit, study::Coding(study.factors).toCoded(left.settings));
        sum += std::pow(left.results.at(response) - predicted, 2);
    }
    return std::sqrt(sum / static_cast<double>(study.runs.size()));
}

TEST(ScaleChange, HasTheErrorsForSettingsLeftOut)
{
    const study::Study before = twoResponses();
    study::Study after = before;
    after.factors[0].scale = study::Scale::Log2;
    const std::vector<ScaleChange> changes = compareScales(before, after);
    ASSERT_EQ(changes.size(), 3U);
    for (const std::size_t i : {0U, 1U}) {
        const std::string& response = changes[i].response;
        EXPECT_NEAR(*changes[i].before, errorByBruteForce(before, response), 1e-9);
        EXPECT_NEAR(*changes[i].after, errorByBruteForce(after, response), 1e-9);
    }
    EXPECT_EQ(changes[0].unit, "s");
    EXPECT_LT(*changes[0].after, *changes[0].before) << "y is straight over log2 a";
    EXPECT_GT(*changes[1].after, *changes[1].before) << "z is straight over a";
    EXPECT_FALSE(changes[2].before || changes[2].after) << "no result, no model";
}

} // namespace
} // namespace quadric::model
