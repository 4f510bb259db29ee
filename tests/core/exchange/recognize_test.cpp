// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/recognize.h"

#include "core/design/generate/box_behnken.h"
#include "tests/support/test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace quadric::exchange {
namespace {

using Rows = std::vector<std::vector<double>>;

/// Factors a, b, c … from 10 to 30 with the runs at coded rows.
study::Study studyOf(const Rows& rows)
{
    study::Study study;
    for (std::size_t i = 0; i < rows.front().size(); ++i)
        study.factors.push_back({.name = std::string(1, static_cast<char>('a' + i)), .low = 10, .high = 30});
    for (const std::vector<double>& row : rows) {
        study::Run run;
        run.id = run.order = static_cast<int>(study.runs.size()) + 1;
        for (std::size_t i = 0; i < row.size(); ++i)
            run.settings[study.factors[i].name] = 20 + 10 * row[i];
        study.runs.push_back(run);
    }
    return study;
}

Rows rowsOf(const nlohmann::json& texts)
{
    Rows rows;
    for (const auto& text : texts) {
        std::vector<double> row;
        for (const char c : text.get<std::string>())
            row.push_back(c == '-' ? -1.0 : c == '+' ? 1.0 : 0.0);
        rows.push_back(row);
    }
    return rows;
}

nlohmann::json oracle()
{
    std::ifstream file(sourcePath("tests/references/oracles/09_classical_designs.json"));
    return nlohmann::json::parse(file);
}

Rows factorial(std::size_t factors)
{
    Rows rows;
    for (std::size_t bits = 0; bits < (std::size_t{1} << factors); ++bits) {
        std::vector<double> row;
        for (std::size_t i = 0; i < factors; ++i)
            row.push_back((bits >> i & 1) != 0 ? 1.0 : -1.0);
        rows.push_back(row);
    }
    return rows;
}

Rows composite(std::size_t factors, double alpha)
{
    Rows rows = factorial(factors);
    for (std::size_t i = 0; i < factors; ++i) {
        for (const double sign : {-1.0, 1.0}) {
            rows.emplace_back(factors, 0.0);
            rows.back()[i] = sign * alpha;
        }
    }
    rows.emplace_back(factors, 0.0);
    return rows;
}

std::string typeOf(const Rows& rows)
{
    return recognize(studyOf(rows)).type;
}

TEST(Recognize, KnowsPublishedBoxBehnkenDesigns)
{
    const nlohmann::json designs = oracle();
    for (const auto& [factors, entry] : designs["box_behnken"].items()) {
        Rows rows = rowsOf(entry["noncentre_runs_sorted"]);
        EXPECT_EQ(typeOf(rows), "box-behnken") << factors;
        rows.pop_back();
        EXPECT_EQ(typeOf(rows), "custom") << factors << " without a run";
    }
}

TEST(Recognize, KnowsEveryBoxBehnkenDesignThatIsLaidOut)
{
    for (const int factors : design::boxBehnkenFactors()) {
        Rows rows;
        const Eigen::MatrixXd points = design::boxBehnken(factors);
        for (const auto& point : points.rowwise())
            rows.emplace_back(point.begin(), point.end());
        EXPECT_EQ(typeOf(rows), "box-behnken") << factors;
    }
}

TEST(Recognize, KnowsPlackettBurmanAndDefinitiveScreening)
{
    const nlohmann::json designs = oracle();
    for (const auto& [runs, entry] : designs["plackett_burman"].items())
        EXPECT_EQ(typeOf(rowsOf(entry["runs_sorted"])), "plackett-burman") << runs;
    for (const auto& [factors, entry] : designs["definitive_screening"].items())
        EXPECT_EQ(typeOf(rowsOf(entry["example_runs_sorted"])), "definitive-screening") << factors;
}

TEST(Recognize, KnowsFactorialsAndFractions)
{
    EXPECT_EQ(typeOf(factorial(3)), "full-factorial");
    Rows twice = factorial(3);
    std::ranges::copy(factorial(3), std::back_inserter(twice));
    EXPECT_EQ(typeOf(twice), "full-factorial");
    EXPECT_EQ(recognize(studyOf(twice)).replicates, 2);
    Rows half = factorial(3);
    for (std::vector<double>& row : half)
        row.push_back(row[0] * row[1] * row[2]);
    EXPECT_EQ(typeOf(half), "fractional-factorial");
    Rows threeLevels;
    for (const double a : {-1.0, 0.0, 1.0}) {
        for (const double b : {-1.0, 0.0, 1.0})
            threeLevels.push_back({a, b});
    }
    EXPECT_EQ(typeOf(threeLevels), "full-factorial");
}

TEST(Recognize, KnowsCentralCompositeAndItsInnerLevels)
{
    for (const double alpha : {1.0, std::sqrt(2.0), std::pow(8.0, 0.25)}) {
        Rows rows = composite(3, alpha);
        EXPECT_EQ(typeOf(rows), "central-composite") << alpha;
        study::Study study = studyOf(rows);
        for (study::Factor& factor : study.factors)
            factor.low = factor.high = 0;
        setRangesFromRuns(study);
        EXPECT_NEAR(study.factors[1].low, 10, 1e-9) << alpha;
        EXPECT_NEAR(study.factors[1].high, 30, 1e-9) << alpha;
        applyRecognized(study, recognize(study));
        EXPECT_EQ(std::ranges::count(study.runs, study::RunKind::Axial, &study::Run::kind), 6);
        EXPECT_EQ(std::ranges::count(study.runs, study::RunKind::Center, &study::Run::kind), 1);
    }
}

TEST(Recognize, KnowsLatinHypercubesAndLeavesTheRest)
{
    EXPECT_EQ(typeOf({{-1, 0.5}, {-0.5, -1}, {0, 1}, {0.5, -0.5}, {1, 0}}), "latin-hypercube");
    EXPECT_EQ(typeOf({{-1, -1}, {-1, 1}, {0.3, 0.2}, {0.3, -0.4}, {1, 1}}), "custom");
}

TEST(Recognize, CountsARoundedSettingAsItsLevel)
{
    Rows rows = composite(3, 1.0);
    rows[2][1] += 0.02;
    EXPECT_EQ(typeOf(rows), "central-composite");
    rows[2][1] += 0.2;
    EXPECT_EQ(typeOf(rows), "custom");
}

TEST(Recognize, LeavesConfirmationRunsAside)
{
    study::Study study = studyOf(factorial(3));
    study.runs.push_back(study.runs.front());
    study.runs.back().kind = study::RunKind::Confirmation;
    study.runs.back().settings["a"] = 12.0;
    EXPECT_EQ(recognize(study).type, "full-factorial");
    applyRecognized(study, recognize(study));
    EXPECT_EQ(study.runs.back().kind, study::RunKind::Confirmation);
}

} // namespace
} // namespace quadric::exchange
