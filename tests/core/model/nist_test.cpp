// SPDX-License-Identifier: GPL-3.0-or-later
// Regressions of the NIST StRD collection, solved with exact rationals (see tests/references/oracles).
#include "oracle_study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace quadric::model::test {

namespace {

const nlohmann::json& datasetNamed(const nlohmann::json& oracle, const std::string& name)
{
    for (const nlohmann::json& dataset : oracle["datasets"]) {
        if (dataset["name"] == name)
            return dataset;
    }
    throw std::runtime_error("no dataset " + name);
}

study::Study studyOfColumns(const nlohmann::json& predictors, const std::vector<std::string>& names)
{
    study::Study study = plainStudy(names);
    for (study::Factor& factor : study.factors) {
        const std::vector<double> values = predictors[factor.name];
        factor.low = *std::min_element(values.begin(), values.end());
        factor.high = *std::max_element(values.begin(), values.end());
    }
    for (std::size_t i = 0; i < predictors["y"].size(); ++i) {
        std::vector<study::Value> settings;
        for (const std::string& name : names)
            settings.emplace_back(predictors[name][i].get<double>());
        addRun(study, settings, predictors["y"][i]);
    }
    return study;
}

double actualCoefficient(const Fit& fit, const std::string& term)
{
    for (const ActualCoefficient& row : fit.actualCoefficients) {
        if (row.term == term)
            return row.estimate;
    }
    ADD_FAILURE() << "no coefficient " << term;
    return 0.0;
}

void expectDigits(double actual, double expected, double digits, const std::string& what)
{
    EXPECT_NEAR(actual, expected, std::pow(10.0, -digits) * std::abs(expected)) << what;
}

} // namespace

TEST(Nist, longley)
{
    const nlohmann::json oracle = readOracle("10_numerics");
    const nlohmann::json& data = datasetNamed(oracle, "Longley");
    const study::Study study = studyOfColumns(
        data["predictors"], {"GNP_deflator", "GNP", "unemployed", "armed_forces", "population", "year"});
    const Fit fit = fitResponse(study, "y", {.model = "linear"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    for (const auto& [name, expected] : data["coefficients"].items()) {
        expectDigits(actualCoefficient(fit, name == "Intercept" ? "1" : name), expected["estimate"], 10,
                     name);
        if (name == "Intercept")
            continue; // at the center of the region, not at zero
        expectDigits(coefficientOf(fit, name).t.value(), expected["t"], 10, name + " t");
        expectDigits(coefficientOf(fit, name).p.value(), expected["p"], 9, name + " p");
    }
    expectDigits(fit.sigma, data["sigma"], 11, "sigma");
    expectDigits(fit.r2.value(), data["r2"], 12, "r2");
    expectDigits(fit.r2Adjusted.value(), data["r2_adj"], 12, "r2_adj");
    expectDigits(rowOf(fit.anova, "Model").f.value(), data["f"], 11, "f");
}

TEST(Nist, norris)
{
    const nlohmann::json oracle = readOracle("10_numerics");
    const nlohmann::json& data = datasetNamed(oracle, "Norris");
    const Fit fit = fitResponse(studyOfColumns(data["predictors"], {"x"}), "y", {.model = "linear"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    expectDigits(actualCoefficient(fit, "1"), data["coefficients"]["Intercept"]["estimate"], 10, "intercept");
    expectDigits(actualCoefficient(fit, "x"), data["coefficients"]["x"]["estimate"], 12, "slope");
    expectDigits(fit.sigma, data["sigma"], 11, "sigma");
    expectDigits(fit.r2.value(), data["r2"], 13, "r2");
}

TEST(Nist, wamplerPolynomialsOfDegreeFive)
{
    const nlohmann::json oracle = readOracle("10_numerics");
    for (const std::string name : {"Wampler1", "Wampler2"}) {
        const nlohmann::json& data = datasetNamed(oracle, name);
        const Fit fit = fitResponse(studyOfColumns(data["predictors"], {"x"}), "y", {.model = "x^5"});
        ASSERT_TRUE(fit.isOk()) << fit.message;
        ASSERT_EQ(fit.actualCoefficients.size(), 6u);
        for (const auto& [term, expected] : data["coefficients"].items())
            expectDigits(actualCoefficient(fit, term == "Intercept" ? "1" : term), expected["estimate"], 8,
                         name + " " + term);
        EXPECT_EQ(fit.sigma, 0.0) << name;
        EXPECT_EQ(fit.r2, 1.0) << name;
        EXPECT_TRUE(hasWarning(fit, "no-residual-error"));
    }
}

// Filip and Wampler 3 to 5 (tests/references/models/nist.py). In coded units nearly every digit is right; the
// coefficients in actual units lose what the expansion of the coded polynomial loses, seven to eight digits
// for Filip's degree 10.
TEST(Nist, harderPolynomials)
{
    const nlohmann::json reference = readModelReference("nist");
    for (const nlohmann::json& data : reference["datasets"]) {
        const std::string name = data["name"];
        const bool isFilip = name == "Filip";
        const Fit fit = fitResponse(studyOfColumns(data, {"x"}), "y",
                                    {.model = "x^" + std::to_string(data["degree"].get<int>())});
        ASSERT_TRUE(fit.isOk()) << name << ": " << fit.message;
        EXPECT_TRUE(fit.aliased.empty()) << name;
        const nlohmann::json& coded = data["coded"];
        const nlohmann::json& actual = data["actual"];
        for (std::size_t k = 0; k < coded["estimates"].size(); ++k) {
            const std::string term = k == 0 ? "1" : (k == 1 ? "x" : "x^" + std::to_string(k));
            expectDigits(coefficientOf(fit, term).estimate, coded["estimates"][k], 9,
                         name + " coded " + term);
            expectDigits(coefficientOf(fit, term).se.value(), coded["se"][k], 9, name + " se " + term);
            expectDigits(actualCoefficient(fit, term), actual["estimates"][k], isFilip ? 6 : 7,
                         name + " actual " + term);
        }
        expectDigits(fit.sigma, coded["sigma"], 10, name + " sigma");
        expectDigits(fit.r2.value(), coded["r2"], 10, name + " r2");
        expectDigits(rowOf(fit.anova, "Model").f.value(), coded["f"], 9, name + " f");
    }
}

} // namespace quadric::model::test
