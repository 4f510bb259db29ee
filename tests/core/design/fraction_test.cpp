// SPDX-License-Identifier: GPL-3.0-or-later
#include "design_fixture.h"

#include "core/design/generate/fraction.h"
#include "core/design/generate/fractional_factorial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::design {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

study::DesignSpec specOf(const json& fraction)
{
    study::DesignSpec spec;
    spec.generators = fraction["generators"].get<std::vector<std::string>>();
    return spec;
}

std::set<std::set<std::string>> chainSets(const json& chains)
{
    std::set<std::set<std::string>> sets;
    for (const json& chain : chains)
        sets.insert(chain.get<std::set<std::string>>());
    return sets;
}

std::set<std::set<std::string>> chainSets(const std::vector<AliasChain>& chains)
{
    std::set<std::set<std::string>> sets;
    for (const AliasChain& chain : chains) {
        std::set<std::string> words;
        for (const Word& word : chain)
            words.insert(lettersOf(word));
        sets.insert(words);
    }
    return sets;
}

std::map<int, int> patternOf(const json& words)
{
    std::map<int, int> pattern;
    for (const auto& [length, count] : words.items())
        pattern[std::stoi(length)] = count.get<int>();
    return pattern;
}

/// tests/references/oracles/08_alias_structures.json: combinatorics, cross-checked with the R package FrF2.
class AliasOracle : public ::testing::TestWithParam<std::string> {
protected:
    json oracle = test::reference("oracles/08_alias_structures.json")["fractions"][GetParam()];
    Fraction fraction = fractionFor(specOf(oracle), oracle["k"]);
};

TEST_P(AliasOracle, HasTheDefiningRelation)
{
    std::vector<std::string> words;
    for (const Word& word : fraction.definingWords)
        words.push_back(lettersOf(word));
    EXPECT_EQ(words, oracle["defining_relation"].get<std::vector<std::string>>());
    EXPECT_EQ(fraction.resolution, oracle["resolution"]);
    EXPECT_EQ(fraction.wordLengthPattern(), patternOf(oracle["word_length_pattern"]));
    EXPECT_EQ(fraction.generators(), specOf(oracle).generators);
}

TEST_P(AliasOracle, HasTheCompleteAliasChains)
{
    EXPECT_EQ(chainSets(fraction.aliasChains(fraction.factors)), chainSets(oracle["alias_chains"]));
}

TEST_P(AliasOracle, HasTheRunsInStandardOrder)
{
    EXPECT_EQ(test::signTexts(signsOf(fraction)),
              oracle["standard_order_runs"].get<std::vector<std::string>>());
}

TEST_P(AliasOracle, IsFoundAgainFromItsRuns)
{
    study::Study study = test::continuousStudy(oracle["k"], "fractional-factorial");
    study.design.generators = specOf(oracle).generators;
    study.design.centerRuns = 2;
    const std::optional<Fraction> found = fractionOf(layOut(study));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->definingWords, fraction.definingWords);
    EXPECT_EQ(found->basic, fraction.basic);
}

INSTANTIATE_TEST_SUITE_P(Fractions, AliasOracle,
                         ::testing::Values("2^(5-2) III D=AB E=AC", "2^(3-1) III", "2^(4-1) IV", "2^(5-1) V",
                                           "2^(6-3) III"),
                         [](const auto& instance) { return "Oracle" + std::to_string(instance.index); });

TEST(Fraction, KeepsTheSignsOfTheGenerators)
{
    const Fraction fraction = fractionFor({.generators = {"D=-AB", "E=AC"}}, 5);
    std::vector<std::string> words;
    for (const Word& word : fraction.definingWords)
        words.push_back(lettersOf(word));
    // ABD = −1 and ACE = +1 make BCDE = −1.
    EXPECT_THAT(words, ::testing::ElementsAre("-ABD", "ACE", "-BCDE"));
    EXPECT_EQ(fraction.generators(), (std::vector<std::string>{"D=-AB", "E=AC"}));
    const std::vector<AliasChain> chains = fraction.aliasChains(2);
    EXPECT_EQ(lettersOf(chains.front()[1]), "-BD");
    EXPECT_EQ(nameOf(chains.front()[1], test::continuousStudy(5, "").factors), "-b*d");
    const Eigen::MatrixXd signs = signsOf(fraction);
    EXPECT_TRUE(signs.col(3).isApprox(-signs.col(0).cwiseProduct(signs.col(1))));
}

/// What an effect is aliased with is what its column equals.
TEST(Fraction, ChainsAreThoseOfTheColumns)
{
    const Fraction fraction = fractionFor({.runs = 16}, 7);
    const Eigen::MatrixXd signs = signsOf(fraction);
    const auto column = [&](const Word& word) {
        Eigen::ArrayXd product = Eigen::ArrayXd::Constant(signs.rows(), word.sign);
        for (int i = 0; i < 7; ++i)
            if ((word.factors >> i & 1U) != 0U)
                product *= signs.col(i).array();
        return product;
    };
    int listed = 0;
    for (const AliasChain& chain : fraction.aliasChains(7, true)) {
        for (const Word& word : chain)
            EXPECT_TRUE(column(word).isApprox(column(chain.front()))) << lettersOf(word);
        listed += static_cast<int>(chain.size());
    }
    EXPECT_EQ(listed, 127 - 7)
        << "every effect but the seven words of the defining relation stands in one chain";
}

TEST(Fraction, RunsThatAreNoRegularFractionHaveNone)
{
    study::Study study = layOut(test::continuousStudy(4, "fractional-factorial"));
    EXPECT_TRUE(fractionOf(study));
    study.runs.pop_back();
    EXPECT_FALSE(fractionOf(study));
    study::Study threeLevels = test::continuousStudy(5, "definitive-screening");
    threeLevels.design.centerRuns = 1;
    EXPECT_FALSE(fractionOf(layOut(threeLevels)));
    study::Study plackettBurman = test::continuousStudy(5, "plackett-burman");
    plackettBurman.design.runs = 12;
    EXPECT_FALSE(fractionOf(layOut(plackettBurman)));
}

TEST(Fraction, AFullFactorialHasNoDefiningWords)
{
    const std::optional<Fraction> fraction = fractionOf(layOut(test::continuousStudy(3, "full-factorial")));
    ASSERT_TRUE(fraction);
    EXPECT_TRUE(fraction->definingWords.empty());
    EXPECT_EQ(fraction->resolution, 0);
    EXPECT_TRUE(fraction->aliasChains().empty());
}

TEST(FractionalFactorial, ChoosesTheSmallestOfResolutionFour)
{
    const std::map<int, int> kRuns = {{3, 4}, {4, 8}, {5, 16}, {6, 16}, {7, 16}, {8, 16}, {9, 32}, {15, 32}};
    for (const auto& [factors, runs] : kRuns)
        EXPECT_EQ(layOut(test::continuousStudy(factors, "fractional-factorial")).runs.size(),
                  std::size_t(runs))
            << factors;
}

TEST(FractionalFactorial, HoldsTheResolutionAskedFor)
{
    study::Study study = test::continuousStudy(6, "fractional-factorial");
    study.design.resolution = 5;
    EXPECT_EQ(layOut(study).runs.size(), 32U);
    study.design.runs = 16;
    EXPECT_THAT(test::messageOf(study), HasSubstr("16 runs has resolution 4, not 5; that needs 32 runs"));
}

TEST(FractionalFactorial, RefusesWhatCannotBe)
{
    study::Study study = test::continuousStudy(5, "fractional-factorial");
    study.design.generators = {"D=AB", "E=AB"};
    EXPECT_THAT(test::messageOf(study), HasSubstr("DE is the same in every run"));
    study.design.generators = {"D=AB", "D=AB"};
    EXPECT_THAT(test::messageOf(study), HasSubstr("not independent"));
    study.design.generators = {"D=AH"};
    EXPECT_THAT(test::messageOf(study), HasSubstr("'H' is not one of the factors A to E"));
    study.design.generators = {"D=AD"};
    EXPECT_THAT(test::messageOf(study), HasSubstr("product of itself"));
    study.design.generators = {"E=ABCD"};
    study.design.runs = 8;
    EXPECT_THAT(test::messageOf(study), HasSubstr("give 16 runs, not 8"));
    study.design.generators.clear();
    study.design.runs = 12;
    EXPECT_THAT(test::messageOf(study), HasSubstr("power of 2"));
    study.design.runs = 4;
    EXPECT_THAT(test::messageOf(study), HasSubstr("8 to 32 runs"));
    study = test::continuousStudy(2, "fractional-factorial");
    EXPECT_THAT(test::messageOf(study), HasSubstr("3 factors or more"));
    study = test::continuousStudy(3, "fractional-factorial");
    study.factors.push_back(test::categorical("d", 3));
    EXPECT_THAT(test::messageOf(study), HasSubstr("'d' has 3"));
}

TEST(FractionalFactorial, HoldsCategoricalFactorsOfTwoLevels)
{
    study::Study study = test::continuousStudy(3, "fractional-factorial");
    study.factors.push_back(test::categorical("d", 2));
    study.design.centerRuns = 2;
    study = layOut(study);
    int first = 0;
    for (const study::Run& run : study.runs)
        first += run.settings.at("d") == study::Value("d1") ? 1 : 0;
    EXPECT_EQ(first, 5) << "four of the eight corners and one of the two center runs";
    ASSERT_TRUE(fractionOf(study));
    EXPECT_EQ(fractionOf(study)->resolution, 4);
}

} // namespace
} // namespace quadric::design
