// SPDX-License-Identifier: GPL-3.0-or-later
#include "design_fixture.h"

#include "core/design/generate/fraction.h"
#include "core/design/generate/fractional_factorial.h"
#include "core/design/generate/full_factorial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

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
    EXPECT_EQ(test::signTexts(makeFractionSigns(fraction)),
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
    const Eigen::MatrixXd signs = makeFractionSigns(fraction);
    EXPECT_TRUE(signs.col(3).isApprox(-signs.col(0).cwiseProduct(signs.col(1))));
}

/// What an effect is aliased with is what its column equals.
TEST(Fraction, ChainsAreThoseOfTheColumns)
{
    const Fraction fraction = fractionFor({.runs = 16}, 7);
    const Eigen::MatrixXd signs = makeFractionSigns(fraction);
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

/// Number of confounded effects of each length.
std::map<int, int> lengthsOf(const std::vector<std::uint32_t>& words)
{
    std::map<int, int> lengths;
    for (const std::uint32_t word : words)
        ++lengths[Word{word, 1}.length()];
    return lengths;
}

std::map<int, int> lengthsOf(const Blocking& blocking)
{
    std::vector<std::uint32_t> words;
    for (const Word& word : blocking.confounded)
        words.push_back(word.factors);
    return lengthsOf(words);
}

std::vector<std::uint32_t> productsOf(const std::vector<std::uint32_t>& generators)
{
    std::vector<std::uint32_t> words = {0U};
    for (const std::uint32_t generator : generators)
        for (std::size_t i = 0, size = words.size(); i < size; ++i)
            words.push_back(words[i] ^ generator);
    words.erase(words.begin());
    return words;
}

/// Sun, Wu & Chen 1997: minimum confounding of full factorials in blocks
/// (tests/references/designs/catalogue.R). Where the catalogue holds two divisions of a size, ours is as good
/// as the better one.
TEST(Confounding, IsThatOfTheCatalogueForFullFactorials)
{
    std::map<std::pair<int, int>, std::map<int, int>> best;
    const auto isBetter = [](const std::map<int, int>& a, const std::map<int, int>& b) {
        for (int length = 1; length <= 8; ++length) {
            const int countA = a.contains(length) ? a.at(length) : 0;
            const int countB = b.contains(length) ? b.at(length) : 0;
            if (countA != countB)
                return countA < countB;
        }
        return false;
    };
    const nlohmann::json catalogue = test::reference("designs/catalogue.json")["blocks"];
    for (const nlohmann::json& entry : catalogue) {
        if (entry["factors"] > 6 || entry["blocks"] > 16)
            continue;
        const std::map<int, int> lengths = lengthsOf(productsOf(entry["columns"]));
        const auto [at, isNew] =
            best.emplace(std::pair{entry["factors"].get<int>(), entry["blocks"].get<int>()}, lengths);
        if (!isNew && isBetter(lengths, at->second))
            at->second = lengths;
    }
    EXPECT_GT(best.size(), 10U);
    for (const auto& [size, expected] : best) {
        const Blocking blocking = leastConfounding(fractionFrom(size.first, {}), size.second);
        EXPECT_EQ(lengthsOf(blocking), expected) << size.first << " factors in " << size.second << " blocks";
    }
}

TEST(Confounding, NeverLosesAMainEffect)
{
    for (int factors = 4; factors <= 9; ++factors) {
        const Fraction fraction = minimumAberration(factors, factors == 4 ? 3 : 4);
        const Eigen::MatrixXd signs = makeFractionSigns(fraction);
        for (const int blocks : {2, 4}) {
            std::vector<int> block;
            try {
                block = blocksOf(leastConfounding(fraction, blocks), signs);
            } catch (const DesignError&) {
                continue;
            }
            for (int i = 1; i <= blocks; ++i) {
                EXPECT_EQ(std::ranges::count(block, i), signs.rows() / blocks);
                Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(factors);
                for (std::size_t row = 0; row < block.size(); ++row)
                    if (block[row] == i)
                        sum += signs.row(static_cast<Eigen::Index>(row));
                EXPECT_EQ(sum.cwiseAbs().maxCoeff(), 0.0)
                    << factors << " factors, block " << i << " of " << blocks;
            }
        }
    }
}

TEST(Confounding, CountsTheInteractionsThatAreLost)
{
    // 2^(4−1) with I = ABCD in two blocks: whatever is taken, two interactions go together.
    const Fraction fraction = minimumAberration(4, 3);
    const Blocking blocking = leastConfounding(fraction, 2);
    EXPECT_EQ(confoundedInteractions(fraction, blocking), 2);
    const Fraction full = fractionFrom(4, {});
    EXPECT_EQ(confoundedInteractions(full, leastConfounding(full, 2)), 0);
    EXPECT_EQ(lettersOf(leastConfounding(full, 2).confounded.front()), "ABCD");
}

TEST(Confounding, RefusesWhatWouldLoseAMainEffect)
{
    study::Study study = test::continuousStudy(3, "full-factorial");
    study.design.blocks = 8;
    EXPECT_THAT(test::messageOf(study), ::testing::HasSubstr("without losing a main effect"));
    study.design.blocks = 3;
    EXPECT_THAT(test::messageOf(study), ::testing::HasSubstr("cannot make 3"));
}

/// As many replicates as blocks: every block is a whole copy and nothing is lost.
TEST(Confounding, ReplicatesBecomeBlocksOfTheirOwn)
{
    study::Study study = test::continuousStudy(3, "full-factorial");
    study.design.replicates = 4;
    study.design.blocks = 2;
    study.design.centerRuns = 2;
    study = layOut(study);
    ASSERT_EQ(study.runs.size(), 34U);
    std::map<int, std::multiset<std::string>> blocks;
    const std::vector<std::string> texts = test::signTexts(test::codedRuns(study));
    for (std::size_t i = 0; i < texts.size(); ++i)
        blocks[study.runs[i].block].insert(texts[i]);
    EXPECT_EQ(blocks[1], blocks[2]);
    EXPECT_EQ(blocks[1].count("+-+"), 2U);
    // Four blocks of two replicates: each replicate is divided by ABC.
    study.design.replicates = 2;
    study.design.blocks = 4;
    study.design.centerRuns = 4;
    study = layOut(study);
    ASSERT_EQ(study.runs.size(), 20U);
    std::map<int, int> sizes;
    for (const study::Run& run : study.runs)
        ++sizes[run.block];
    EXPECT_EQ(sizes, (std::map<int, int>{{1, 5}, {2, 5}, {3, 5}, {4, 5}}));
}

using Pattern = std::vector<int>; ///< number of words of length 3, 4, …

Pattern patternOf(const Fraction& fraction)
{
    Pattern pattern(static_cast<std::size_t>(fraction.factors) - 2, 0);
    for (const auto& [length, count] : fraction.wordLengthPattern())
        pattern.at(static_cast<std::size_t>(length) - 3) = count;
    return pattern;
}

/// The least pattern of all fractions of `factors` factors in 2^basic runs: all sets of columns, one after
/// another. Two shortcuts that lose nothing: the basic columns are in every set (some relabeling does that),
/// and the columns beyond are taken in ascending order.
class BruteForce {
public:
    BruteForce(int factors, int basic)
        : m_factors(factors)
        , m_basic(basic)
        , m_best(static_cast<std::size_t>(factors) - 2, 1 << 30)
    {
        extend({0U}, 1U, 0);
    }
    const Pattern& best() const { return m_best; }

private:
    void extend(const std::vector<std::uint32_t>& words, std::uint32_t from, int added)
    {
        if (added == m_factors - m_basic) {
            Pattern pattern(m_best.size(), 0);
            for (std::size_t i = 1; i < words.size(); ++i) {
                const int length = std::popcount(words[i]);
                if (length < 3)
                    return;
                ++pattern[static_cast<std::size_t>(length) - 3];
            }
            m_best = std::min(m_best, pattern);
            return;
        }
        for (std::uint32_t column = from; column < 1U << m_basic; ++column) {
            if (std::popcount(column) < 2)
                continue;
            std::vector<std::uint32_t> longer = words;
            for (const std::uint32_t word : words)
                longer.push_back(word ^ column ^ (1U << (m_basic + added)));
            extend(longer, column + 1, added + 1);
        }
    }

    int m_factors;
    int m_basic;
    Pattern m_best;
};

class MinimumAberration : public ::testing::TestWithParam<std::pair<int, int>> {};

TEST_P(MinimumAberration, HasTheLeastPatternOfAllFractions)
{
    const auto [factors, basic] = GetParam();
    EXPECT_EQ(patternOf(minimumAberration(factors, basic)), BruteForce(factors, basic).best());
}

std::vector<std::pair<int, int>> sizes()
{
    std::vector<std::pair<int, int>> all;
    for (int factors = 3; factors <= 9; ++factors)
        for (int basic = 2; basic < factors; ++basic)
            if ((1 << basic) - 1 >= factors)
                all.emplace_back(factors, basic);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Sizes, MinimumAberration, ::testing::ValuesIn(sizes()), [](const auto& instance) {
    return std::to_string(instance.param.first) + "FactorsIn" + std::to_string(1 << instance.param.second);
});

/// tests/references/designs/catalogue.R made the file.
TEST(MinimumAberrationCatalogue, HasThePublishedPatternsUpToFifteenFactors)
{
    const nlohmann::json catalogue = test::reference("designs/catalogue.json")["fractions"];
    EXPECT_GT(catalogue.size(), 60U);
    for (const nlohmann::json& entry : catalogue) {
        const int factors = entry["factors"];
        const Fraction fraction = minimumAberration(factors, std::countr_zero(entry["runs"].get<unsigned>()));
        std::map<int, int> expected;
        for (const auto& [length, count] : entry["words"].items())
            expected[std::stoi(length)] = count.get<int>();
        EXPECT_EQ(fraction.wordLengthPattern(), expected) << entry;
        EXPECT_EQ(fraction.resolution, entry["resolution"].get<int>()) << entry;
        EXPECT_EQ(makeFractionSigns(fraction).rows(), entry["runs"].get<int>());
    }
}

/// Every size that exists can be asked for.
TEST(MinimumAberrationCatalogue, HasEverySize)
{
    for (int factors = 3; factors <= kMostFractionFactors; ++factors)
        for (int basic = 2; basic <= factors; ++basic) {
            if ((1 << basic) - 1 < factors) {
                EXPECT_THROW(minimumAberration(factors, basic), DesignError);
                continue;
            }
            const Fraction fraction = minimumAberration(factors, basic);
            EXPECT_EQ(fraction.factors, factors);
            EXPECT_EQ(fraction.basic, basic);
            EXPECT_TRUE(basic == factors || fraction.resolution >= 3) << factors << " " << basic;
        }
    EXPECT_THROW(minimumAberration(16, 5), DesignError);
}

} // namespace
} // namespace quadric::design
