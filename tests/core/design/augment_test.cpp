// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/augment.h"
#include "core/design/generate/fractional_factorial.h"
#include "design_fixture.h"

#include <Eigen/LU>
#include <gmock/gmock.h>

#include <map>
#include <set>

namespace quadric::design {
namespace {

using study::RunKind;
using ::testing::HasSubstr;

study::Study fraction(int factors, std::vector<std::string> generators)
{
    study::Study study = test::continuousStudy(factors, "fractional-factorial");
    study.design.generators = std::move(generators);
    return layOut(study);
}

study::Study spent(study::Study study)
{
    for (study::Run& run : study.runs) {
        run.status = study::RunStatus::Done;
        run.results["y"] = run.id;
    }
    return study;
}

std::string messageOf(const study::Study& study, Augmentation augmentation)
{
    try {
        augmented(study, augmentation);
    } catch (const DesignError& error) {
        return error.what();
    }
    return {};
}

TEST(Augment, KeepsEverySpentRunAsItIs)
{
    const study::Study before = spent(fraction(5, {"D=AB", "E=AC"}));
    for (const Augmentation augmentation :
         {Augmentation::Star, Augmentation::Center, Augmentation::Foldover, Augmentation::Semifoldover}) {
        const study::Study after = augmented(before, augmentation);
        ASSERT_GT(after.runs.size(), before.runs.size());
        std::set<int> ids;
        std::set<int> orders;
        for (std::size_t i = 0; i < after.runs.size(); ++i) {
            const study::Run& run = after.runs[i];
            ids.insert(run.id);
            orders.insert(run.order);
            if (i < before.runs.size()) {
                EXPECT_EQ(run, before.runs[i]);
                continue;
            }
            EXPECT_EQ(run.status, study::RunStatus::Pending);
            EXPECT_EQ(run.block, 2) << "runs of another day have a block of their own";
            EXPECT_GT(run.order, 8);
        }
        EXPECT_EQ(ids.size(), after.runs.size());
        EXPECT_EQ(orders.size(), after.runs.size());
        for (const study::Problem& problem : study::validate(after))
            EXPECT_FALSE(problem.isError) << problem.message;
    }
}

/// Montgomery 8: folding over a resolution III fraction gives resolution IV.
TEST(Foldover, TurnsResolutionThreeIntoFour)
{
    for (int factors = 5; factors <= 7; ++factors) {
        study::Study study = test::continuousStudy(factors, "fractional-factorial");
        study.design.runs = 8;
        study = layOut(study);
        ASSERT_EQ(fractionOf(study)->resolution, 3);
        const study::Study folded = augmented(study, Augmentation::Foldover);
        EXPECT_EQ(folded.runs.size(), 16U);
        ASSERT_TRUE(fractionOf(folded));
        EXPECT_EQ(fractionOf(folded)->resolution, 4) << factors;
    }
}

/// Reversing all of a resolution IV fraction whose words are even would only repeat its runs: another set of
/// factors must be reversed.
TEST(Foldover, TellsInteractionsOfResolutionFourApart)
{
    const study::Study study = fraction(4, {"D=ABC"});
    const study::Study folded = augmented(study, Augmentation::Foldover);
    EXPECT_TRUE(fractionOf(folded)->definingWords.empty()) << "the full factorial";
    const study::Study six = fraction(6, {"E=ABC", "F=BCD"});
    EXPECT_EQ(fractionOf(augmented(six, Augmentation::Foldover))->definingWords.size(), 1U);
}

/// Every set of factors, one after another: none leaves less aberration.
TEST(Foldover, ChoosesTheFactorsOfLeastAberration)
{
    for (const auto& [factors, basic] : {std::pair{6, 4}, {7, 5}, {8, 4}, {9, 5}}) {
        const Fraction design = minimumAberration(factors, basic);
        const std::size_t longest = static_cast<std::size_t>(factors);
        const auto remaining = [&](std::uint32_t plan) {
            std::vector<int> counts(longest + 1, 0);
            for (const Word& word : design.definingWords)
                if (Word{word.factors & plan, 1}.length() % 2 == 0)
                    ++counts[static_cast<std::size_t>(word.length())];
            return counts;
        };
        std::vector<int> least = remaining(0);
        for (std::uint32_t plan = 1; plan < 1U << factors; ++plan)
            least = std::min(least, remaining(plan));
        EXPECT_EQ(remaining(bestFoldover(design)), least) << factors << " " << basic;
    }
}

TEST(Foldover, MirrorsPlackettBurmanAndThreeLevelDesigns)
{
    study::Study study = test::continuousStudy(5, "plackett-burman");
    study.design.runs = 12;
    study = layOut(study);
    const Eigen::MatrixXd rows = test::codedRuns(augmented(study, Augmentation::Foldover));
    EXPECT_TRUE(rows.bottomRows(12).colwise().sum().isZero());
    EXPECT_EQ(test::sorted(test::signTexts(rows.topRows(12))),
              test::sorted(test::signTexts(-rows.bottomRows(12))));
    EXPECT_THAT(messageOf(layOut(test::continuousStudy(3, "full-factorial")), Augmentation::Foldover),
                HasSubstr("nothing is aliased"));
    study::Study mixed = test::continuousStudy(2, "full-factorial");
    mixed.factors.push_back(test::categorical("c", 3));
    EXPECT_THAT(messageOf(layOut(mixed), Augmentation::Foldover), HasSubstr("'c' has 3 levels"));
}

/// Mee & Peralta 2000: half as many runs as a foldover tell as many interactions of a 2^(4−1) apart.
TEST(Semifoldover, TellsEveryInteractionApartWithHalfTheRuns)
{
    const study::Study study = augmented(spent(fraction(4, {"D=ABC"})), Augmentation::Semifoldover);
    ASSERT_EQ(study.runs.size(), 12U);
    const Eigen::MatrixXd rows = test::codedRuns(study);
    Eigen::MatrixXd x(12, 12);
    x.col(0).setOnes();
    for (std::size_t i = 0; i < 12; ++i)
        x(static_cast<Eigen::Index>(i), 1) = study.runs[i].block;
    x.middleCols(2, 4) = rows;
    Eigen::Index column = 6;
    for (Eigen::Index i = 0; i < 4; ++i)
        for (Eigen::Index j = 0; j < i; ++j)
            x.col(column++) = rows.col(i).cwiseProduct(rows.col(j));
    EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(x).rank(), 12);
    EXPECT_THAT(messageOf(layOut(test::continuousStudy(4, "full-factorial")), Augmentation::Semifoldover),
                HasSubstr("full factorial"));
}

TEST(Star, MakesACentralCompositeDesign)
{
    study::Study study = test::continuousStudy(3, "full-factorial");
    for (study::Factor& factor : study.factors)
        factor.low = -10.0;
    study.design.centerRuns = 4;
    study = spent(layOut(study));
    study.design.alpha = "orthogonal";
    study = augmented(study, Augmentation::Star, {.runs = 2});
    ASSERT_EQ(study.runs.size(), 20U);
    // Orthogonal blocks: α² = 8 (6 + 2) / (2 (8 + 4)) (09_classical_designs.json: 1.632993…).
    double alpha = 0.0;
    for (const study::Run& run : study.runs)
        if (run.kind == RunKind::Axial)
            for (const auto& [name, value] : run.settings)
                alpha = std::max(alpha, (study::numberOf(value) - 5.0) / 15.0);
    EXPECT_NEAR(alpha, 1.632993161855452, 1e-12);
    const Eigen::MatrixXd x = test::quadraticColumns(test::codedRuns(study));
    EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(x).rank(), 10);
    EXPECT_THAT(messageOf(study, Augmentation::Star), HasSubstr("axial runs already"));
}

TEST(Star, StaysOnTheFacesWhereItMust)
{
    study::Study study = test::continuousStudy(2, "full-factorial");
    study.factors[0].low = 0.0;
    study.factors.push_back(test::categorical("c", 2));
    study = augmented(layOut(study), Augmentation::Star);
    const Eigen::MatrixXd rows = test::codedRuns(study);
    EXPECT_EQ(rows.leftCols(2).cwiseAbs().maxCoeff(), 1.0);
    EXPECT_EQ(std::ranges::count(study.runs, RunKind::Axial, &study::Run::kind), 8)
        << "four at each category";
    EXPECT_THAT(messageOf(layOut(test::continuousStudy(3, "latin-hypercube")), Augmentation::Star),
                HasSubstr("star points are added to two-level designs"));
}

TEST(Center, AddsRunsInTheMiddle)
{
    study::Study study = layOut(test::continuousStudy(3, "full-factorial"));
    study = augmented(study, Augmentation::Center, {.runs = 2});
    ASSERT_EQ(study.runs.size(), 10U);
    EXPECT_EQ(study.runs.back().kind, RunKind::Center);
    EXPECT_EQ(study.runs.back().block, 1) << "nothing has been run yet";
    EXPECT_EQ(study.runs.back().settings.at("a"), study::Value(15.0));
    EXPECT_EQ(runCount(study), 10) << "the specification goes along";
    EXPECT_THAT(messageOf(test::continuousStudy(3, ""), Augmentation::Center), HasSubstr("no runs yet"));
}

/// Runs with a large a and b went out of memory: the corner that a plain optimal design would take is left
/// out.
TEST(OptimalRuns, LeaveOutWhatIsKnownToFail)
{
    study::Study study = layOut(test::continuousStudy(2, "full-factorial"));
    study = augmented(study, Augmentation::Center, {.runs = 1});
    const auto isTooMuch = [](const study::Settings& settings) {
        return study::numberOf(settings.at("a")) + study::numberOf(settings.at("b")) > 33.0;
    };
    study = spent(study);
    for (const double a : {16.0, 18.0, 20.0}) {
        for (const double b : {12.0, 16.0, 20.0})
            study = study::withRuns(study, {{{"a", a}, {"b", b}}}, RunKind::Augment);
    }
    for (study::Run& run : study.runs) {
        run.status = isTooMuch(run.settings) ? study::RunStatus::Failed : study::RunStatus::Done;
        if (run.status == study::RunStatus::Failed) {
            run.results.clear();
            run.failure = study::Failure{"out-of-memory", ""};
        }
    }
    const study::Study after = augmented(study, Augmentation::Optimal, {.runs = 4, .model = "quadratic"});
    ASSERT_EQ(after.runs.size(), study.runs.size() + 4);
    for (std::size_t i = study.runs.size(); i < after.runs.size(); ++i)
        EXPECT_LT(study::numberOf(after.runs[i].settings.at("a")) +
                      study::numberOf(after.runs[i].settings.at("b")),
                  35.0);
    study::Study unaware = study;
    for (study::Run& run : unaware.runs) {
        if (run.failure)
            run.failure->kind = "cancelled";
    }
    const study::Study there = augmented(unaware, Augmentation::Optimal, {.runs = 4, .model = "quadratic"});
    EXPECT_TRUE(std::any_of(there.runs.end() - 4, there.runs.end(), [&](const study::Run& run) {
        return isTooMuch(run.settings);
    })) << "otherwise this test says nothing";
}

TEST(Augment, HasNames)
{
    for (const std::string& name : augmentations())
        EXPECT_EQ(nameOf(*augmentationFrom(name)), name);
    EXPECT_FALSE(augmentationFrom("fold"));
}

study::Study threeFactorBoxBehnken()
{
    study::Study study = test::continuousStudy(3, "box-behnken");
    study.design.centerRuns = 3;
    return layOut(std::move(study));
}

TEST(Replicate, RepeatsEachRunAfterAllOthers)
{
    study::Study before = threeFactorBoxBehnken();
    before.design.randomize = true;
    before.runs[0].status = study::RunStatus::Excluded;
    before.runs[1].results["y"] = 1;
    const std::vector<int> ids = runsOfDesign(before);
    ASSERT_EQ(ids.size(), before.runs.size() - 1) << "an excluded run is no part of the design";
    const study::Study after = withReplicates(before, ids, 2);
    ASSERT_EQ(after.runs.size(), before.runs.size() + 2 * ids.size());
    std::map<study::Settings, int> counts;
    std::set<int> known, orders;
    for (std::size_t i = 0; i < after.runs.size(); ++i) {
        const study::Run& run = after.runs[i];
        EXPECT_TRUE(known.insert(run.id).second && orders.insert(run.order).second) << run.id;
        if (i < before.runs.size()) {
            EXPECT_EQ(run, before.runs[i]);
            continue;
        }
        EXPECT_GT(run.order, static_cast<int>(before.runs.size()));
        EXPECT_EQ(run.status, study::RunStatus::Pending);
        EXPECT_TRUE(run.results.empty());
        EXPECT_TRUE(run.kind == RunKind::Augment || run.kind == RunKind::Center);
        ++counts[run.settings];
    }
    for (const int id : ids)
        EXPECT_EQ(counts[study::findRun(before, id)->settings] % 2, 0);
}

TEST(Replicate, KeepsBlocksAndIgnoresUnknownRuns)
{
    study::Study study = threeFactorBoxBehnken();
    study.runs[4].block = 2;
    const study::Study after = withReplicates(study, {study.runs[4].id, study.runs[0].id, 4711}, 1);
    ASSERT_EQ(after.runs.size(), study.runs.size() + 2);
    for (const std::size_t place : {study.runs.size(), study.runs.size() + 1}) {
        const study::Run& run = after.runs[place];
        EXPECT_EQ(run.block, run.settings == study.runs[4].settings ? 2 : 1);
    }
}

} // namespace
} // namespace quadric::design
