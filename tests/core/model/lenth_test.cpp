// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle_study.h"

#include <gtest/gtest.h>

namespace quadric::model::test {

namespace {

std::string allTermsOf(const nlohmann::json& effects, const nlohmann::json& oracle)
{
    std::string formula;
    for (const auto& [name, effect] : effects.items())
        formula += (formula.empty() ? "" : " + ") + ourTerm(name, oracle);
    return formula;
}

} // namespace

TEST(Lenth, unreplicatedFactorialHasEffectsAndLimits)
{
    const nlohmann::json oracle = readOracle("07_filtration_2p4_lenth");
    const nlohmann::json expected = oracle["analyses"][0]["expected"];
    const Fit fit =
        fitResponse(studyOf(oracle), "filtration", {.model = allTermsOf(expected["effects"], oracle)});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_EQ(fit.dfResidual, 0);
    EXPECT_EQ(fit.effectLimit.method, "lenth");
    EXPECT_NEAR(fit.effectLimit.value, expected["me"].get<double>(), 1e-7);
    EXPECT_NEAR(fit.effectLimit.sme.value(), expected["sme"].get<double>(), 1e-7);
    EXPECT_NEAR(fit.effectLimit.pse.value(), expected["pse"].get<double>(), 1e-9);
    ASSERT_EQ(fit.effects.size(), expected["effects"].size());
    for (const auto& [name, effect] : expected["effects"].items()) {
        const AnovaRow& row = rowOf(fit.termRows, ourTerm(name, oracle));
        EXPECT_NEAR(row.ss, expected["sum_of_squares"][name].get<double>(), 1e-8) << name;
        EXPECT_NEAR(row.contribution.value(), expected["percent_contribution"][name].get<double>(), 1e-9)
            << name;
        EXPECT_FALSE(row.f.has_value());
        EXPECT_NEAR(2 * coefficientOf(fit, ourTerm(name, oracle)).estimate, effect.get<double>(), 1e-9)
            << name;
    }
}

TEST(Effects, matchThePublishedTableOfThePaper)
{
    const nlohmann::json oracle = readOracle("06_paper_2p5_full_3rep");
    const nlohmann::json printed = oracle["printed_in_paper"];
    const Fit fit =
        fitResponse(studyOf(oracle), "duration", {.model = modelOf(oracle["analyses"][0], oracle)});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    for (const Effect& effect : fit.effects) {
        std::string letters;
        for (const nlohmann::json& factor : oracle["factors"]) {
            if (effect.term.find(factor["name"].get<std::string>()) != std::string::npos)
                letters += factor["symbol"].get<std::string>();
        }
        const nlohmann::json row = printed["effects_fig20"][letters];
        EXPECT_NEAR(effect.effect, row["effect"].get<double>(), 0.0051) << effect.term;
        EXPECT_NEAR(effect.standardized.value(), row["abs_t"].get<double>(), 0.0051) << effect.term;
    }
    const nlohmann::json anova = printed["anova_fig21"];
    EXPECT_NEAR(rowOf(fit.anova, "Linear").f.value(), anova["linear_f"].get<double>(), 0.0051);
    EXPECT_NEAR(rowOf(fit.anova, "Interactions").f.value(), anova["two_way_f"].get<double>(), 0.0051);
    EXPECT_NEAR(rowOf(fit.anova, "3-factor interactions").f.value(), anova["three_way_f"].get<double>(),
                0.0051);
    EXPECT_NEAR(rowOf(fit.anova, "4-factor interactions").f.value(), anova["four_way_f"].get<double>(),
                0.0051);
    EXPECT_NEAR(rowOf(fit.anova, "5-factor interactions").f.value(), anova["five_way_f"].get<double>(),
                0.0051);
}

TEST(Effects, limitIsTheQuantileWithBonferroniBesideIt)
{
    const nlohmann::json oracle = readOracle("06_paper_2p5_full_3rep");
    for (const nlohmann::json& analysis : oracle["analyses"]) {
        const Fit fit = fitResponse(studyOf(oracle), "duration", {.model = modelOf(analysis, oracle)});
        EXPECT_EQ(fit.effectLimit.method, "t");
        EXPECT_NEAR(fit.effectLimit.value, analysis["expected"]["t_critical_0.05"].get<double>(), 1e-9);
        EXPECT_GT(fit.effectLimit.bonferroni.value(), fit.effectLimit.value);
    }
}

} // namespace quadric::model::test
