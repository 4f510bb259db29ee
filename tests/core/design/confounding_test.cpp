// SPDX-License-Identifier: GPL-3.0-or-later
#include "design_fixture.h"

#include "core/design/generate/confounding.h"
#include "core/design/generate/minimum_aberration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::design {
namespace {

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
        const Eigen::MatrixXd signs = signsOf(fraction);
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

} // namespace
} // namespace quadric::design
