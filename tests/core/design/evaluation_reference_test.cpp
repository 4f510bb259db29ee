// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/optimal/optimal.h"

#include "design_fixture.h"
#include "design_studies.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace quadric::design {
namespace {

std::size_t indexOf(const std::vector<std::string>& names, const std::string& name)
{
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(found, names.end()) << name;
    return static_cast<std::size_t>(found - names.begin());
}

double at(const NamedMatrix& matrix, const std::string& row, const std::string& column)
{
    return matrix.values(static_cast<Eigen::Index>(indexOf(matrix.rows, row)),
                         static_cast<Eigen::Index>(indexOf(matrix.columns, column)));
}

/// The designs of tests/references/designs/evaluation.R, judged by base R.
class FollowsR : public testing::TestWithParam<const char*> {
protected:
    FollowsR()
        : expected(test::reference("designs/evaluation.json").at(GetParam()))
        , study(codedStudy(expected.at("points").get<std::vector<std::vector<double>>>()))
        , terms(expected.at("terms").get<std::vector<std::string>>())
    {
        for (std::size_t i = 0; i < study.runs.size(); ++i)
            study.runs[i].block = expected.at("block").at(i);
    }
    nlohmann::json expected;
    study::Study study;
    std::vector<std::string> terms;
};

TEST_P(FollowsR, InEfficiencyAndLeverage)
{
    const Evaluation evaluation = evaluate(study);
    EXPECT_NEAR(evaluation.dEfficiency, expected.at("d_efficiency"), 1e-7);
    EXPECT_NEAR(evaluation.aEfficiency, expected.at("a_efficiency"), 1e-7);
    EXPECT_NEAR(evaluation.iValue, expected.at("i_value"), 1e-9);
    ASSERT_EQ(evaluation.leverage.size(), study.runs.size());
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        EXPECT_NEAR(evaluation.leverage[i].leverage, expected.at("leverage").at(i), 1e-9);
}

TEST_P(FollowsR, InPower)
{
    for (const double sd : {1.0, 2.0}) {
        const Evaluation evaluation = evaluate(study, "quadratic", {.effectSd = sd});
        const auto& power = expected.at(sd == 1.0 ? "power_1" : "power_2");
        ASSERT_EQ(evaluation.power.size(), power.size());
        for (const PowerRow& row : evaluation.power)
            EXPECT_NEAR(row.power, power.at(indexOf(terms, row.term) - 1), 1e-8) << row.term;
    }
}

TEST_P(FollowsR, InTheAliasMatrix)
{
    const NamedMatrix alias = evaluate(study).aliasMatrix;
    const auto further = expected.at("alias_terms").get<std::vector<std::string>>();
    for (std::size_t i = 0; i < terms.size(); ++i)
        for (std::size_t j = 0; j < further.size(); ++j)
            EXPECT_NEAR(at(alias, terms[i], further[j]), expected.at("alias").at(i).at(j), 1e-9)
                << terms[i] << " " << further[j];
}

TEST_P(FollowsR, InTheCorrelations)
{
    const NamedMatrix map = evaluate(study).correlation;
    for (std::size_t i = 1; i < terms.size(); ++i)
        for (std::size_t j = 1; j < terms.size(); ++j)
            EXPECT_NEAR(at(map, terms[i], terms[j]), expected.at("correlation").at(i - 1).at(j - 1), 1e-9);
}

/// R draws a million points, we 100,000 of our own: the standard error of a quantile is about 0.3 % here.
TEST_P(FollowsR, InTheFractionOfDesignSpace)
{
    const std::vector<FdsPoint> curve = evaluate(study).fds;
    for (std::size_t i = 0; i < expected.at("fds_fraction").size(); ++i) {
        const double fraction = expected.at("fds_fraction").at(i);
        const double se = expected.at("fds_se").at(i);
        EXPECT_NEAR(curve[static_cast<std::size_t>(std::lround(fraction * 100))].se, se, 0.01 * se);
    }
}

INSTANTIATE_TEST_SUITE_P(Designs, FollowsR,
                         testing::Values("box_behnken_3", "central_composite_2_blocks", "irregular_2"));

/// 2^(5−2) with D = AB, E = AC: I = ABD = ACE = BCDE, resolution III (tests/references/oracles/08).
TEST(EvaluationOfAFraction, NamesRelationResolutionAndChains)
{
    study::Study study = codedStudy({{0, 0, 0, 0, 0}});
    study.design.type = "fractional-factorial";
    study.design.generators = {"D=AB", "E=AC"};
    study.design.centerRuns = 0;
    const Evaluation evaluation = evaluate(layOut(study, true), "linear");
    EXPECT_EQ(evaluation.resolution, 3);
    EXPECT_EQ(evaluation.definingRelation, (std::vector<std::string>{"a*b*d", "a*c*e", "b*c*d*e"}));
    const std::vector<std::string> chain = {"a", "b*d", "c*e"};
    EXPECT_NE(std::find(evaluation.aliases.begin(), evaluation.aliases.end(), chain),
              evaluation.aliases.end());
}

/// At least 99 % of the best that many starts of an independent search in R found (optimal.R), which looks
/// at the levels −1, 0, 1 only.
TEST(OptimalReference, ReachesTheBestKnown)
{
    for (const auto& known : test::reference("designs/optimal.json")) {
        const int factors = known.at("factors");
        study::Study study = codedStudy({std::vector<double>(static_cast<std::size_t>(factors), 0.0)});
        study.runs.clear();
        const bool isD = known.at("criterion") == "D";
        OptimalRequest request;
        request.criterion = isD ? Criterion::D : Criterion::I;
        request.runs = known.at("runs");
        request.starts = 10;
        const double found = optimalDesign(study, request).value;
        const double best = known.at("best");
        EXPECT_GE(isD ? found / best : best / found, 0.99) << known;
    }
}

} // namespace
} // namespace quadric::design
