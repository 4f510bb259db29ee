// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/design.h"
#include "core/design/base/design_type.h"
#include "core/design/evaluate/offers.h"
#include "design_fixture.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

namespace quadric::design {
namespace {

using ::testing::HasSubstr;

const DesignOffer& offerOf(const std::vector<DesignOffer>& offers, std::string_view title)
{
    const auto found = std::ranges::find(offers, title, &DesignOffer::title);
    if (found == offers.end())
        throw std::runtime_error("no offer " + std::string(title));
    return *found;
}

std::string recommendedType(const study::Study& study)
{
    std::string type;
    for (const DesignOffer& offer : offersFor(study)) {
        EXPECT_EQ(offer.isRecommended, !offer.reason.empty());
        if (offer.isRecommended) {
            EXPECT_EQ(type, "") << "one at most";
            EXPECT_TRUE(offer.isPossible);
            type = offer.spec.type;
        }
    }
    return type;
}

TEST(Offers, EveryPossibleOneIsWhatLayOutMakes)
{
    study::Study study = test::continuousStudy(5, "");
    for (const DesignOffer& offer : offersFor(study)) {
        EXPECT_NE(offer.title, "");
        EXPECT_EQ(offer.isPossible, offer.whyNot.empty()) << offer.title;
        if (!offer.isPossible || offer.isSlow)
            continue;
        study.design = offer.spec;
        EXPECT_EQ(layOut(study).runs.size(), std::size_t(offer.runs)) << offer.title;
        EXPECT_NE(offer.estimates, "") << offer.title;
    }
}

/// Known beforehand: 2³ has Var(b) = σ²/8 for each coefficient, the model 1 + 3 + 3 terms, one residual
/// degree of freedom; the average of x² over the cube is 1/3, of x²y² 1/9.
TEST(Offers, HaveTheNumbersOfTheFullFactorial)
{
    const DesignOffer offer = offerOf(offersFor(test::continuousStudy(3, "")), "Full factorial");
    EXPECT_EQ(offer.runs, 8);
    EXPECT_NEAR(*offer.predictionSe, std::sqrt((1.0 + 3.0 / 3.0 + 3.0 / 9.0) / 8.0), 1e-12);
    EXPECT_FALSE(offer.powerSquare);
    ASSERT_TRUE(offer.powerMain);
    EXPECT_NEAR(*offer.powerMain, *offer.powerInteraction, 1e-12);
    EXPECT_THAT(offer.estimates, HasSubstr("no curvature"));
}

TEST(Offers, SayWhatFractionsBuy)
{
    const std::vector<DesignOffer> offers = offersFor(test::continuousStudy(6, ""));
    const DesignOffer& high = offerOf(offers, "Fractional factorial, resolution VI");
    EXPECT_EQ(high.runs, 32);
    EXPECT_EQ(high.resolution, 6);
    EXPECT_TRUE(high.powerInteraction);
    const DesignOffer& low = offerOf(offers, "Fractional factorial, resolution IV");
    EXPECT_EQ(low.runs, 16);
    EXPECT_FALSE(low.powerInteraction) << "they are aliased with one another";
    EXPECT_THAT(low.estimates, HasSubstr("free of two-factor interactions"));
    EXPECT_EQ(offerOf(offers, "Box–Behnken").runs, 54);
    EXPECT_TRUE(offerOf(offers, "Box–Behnken").powerSquare);
    EXPECT_EQ(offerOf(offers, "Definitive screening").runs, 13);
}

TEST(Offers, SayWhyNot)
{
    study::Study study = test::continuousStudy(2, "");
    study.factors.push_back(test::categorical("precision", 3));
    const std::vector<DesignOffer> offers = offersFor(study);
    EXPECT_THAT(offerOf(offers, "Box–Behnken").whyNot, HasSubstr("'precision' is categorical"));
    EXPECT_THAT(offerOf(offers, "Plackett–Burman").whyNot, HasSubstr("'precision' has 3"));
    EXPECT_TRUE(offerOf(offers, "Full factorial").isPossible);
    study = test::continuousStudy(3, "");
    study.factors[1] = {.name = "batch", .type = study::FactorType::Integer, .low = 8, .high = 64};
    EXPECT_THAT(offerOf(offersFor(study), "Central composite, rotatable").whyNot, HasSubstr("'batch'"));
}

study::Study mixedStudy(int numeric, int levels)
{
    study::Study study = test::continuousStudy(numeric, "");
    study.factors.push_back(test::categorical("catalyst", levels));
    return study;
}

/// Laid out and judged by the evaluation, not by the offer.
Evaluation judged(study::Study study, const study::DesignSpec& spec)
{
    study.design = spec;
    return evaluate(layOut(study));
}

double leastMainPower(const Evaluation& evaluation)
{
    double least = 1.0;
    for (const PowerRow& row : evaluation.power)
        if (row.term.find_first_of("*^") == std::string::npos)
            least = std::min(least, row.power);
    return least;
}

/// Three numbers and a category of three levels: 13 Box–Behnken runs for each level, or 18 coefficients, five
/// spare runs and three replicates for the same model.
TEST(Offers, RecommendFewerRunsThanAClassicalDesignForEachLevel)
{
    const std::vector<DesignOffer> offers = offersFor(mixedStudy(3, 3));
    const DesignOffer* recommended = findRecommended(offers);
    ASSERT_NE(recommended, nullptr);
    EXPECT_EQ(recommended, &offers.front());
    EXPECT_EQ(recommended->spec.type, "i-optimal");
    EXPECT_EQ(recommended->runs, 26);
    EXPECT_THAT(recommended->reason, HasSubstr("in 26 runs instead of 39"));
}

/// By the evaluation of the runs that are laid out: 10 composite runs for each level, or 12 coefficients,
/// five spare runs and three replicates.
TEST(Offers, RecommendFewerRunsThatAnswerTheSame)
{
    const study::Study study = mixedStudy(2, 3);
    const std::vector<DesignOffer> offers = offersFor(study);
    const DesignOffer* recommended = findRecommended(offers);
    ASSERT_NE(recommended, nullptr);
    EXPECT_EQ(recommended->spec.type, "i-optimal");
    const Evaluation usual = judged(study, offerOf(offers, "Central composite, rotatable").spec);
    const Evaluation cheaper = judged(study, recommended->spec);
    EXPECT_EQ(usual.runs, 30);
    EXPECT_EQ(cheaper.runs, 20);
    EXPECT_EQ(cheaper.dfModel, usual.dfModel) << "the same terms";
    EXPECT_LE(cheaper.runs * cheaper.iValue, 1.25 * usual.runs * usual.iValue) << "each run tells as much";
    EXPECT_LE(std::sqrt(cheaper.iValue), 0.75);
    EXPECT_GE(leastMainPower(cheaper), 0.5);
    ASSERT_TRUE(recommended->predictionSe);
    EXPECT_NEAR(*recommended->predictionSe, std::sqrt(cheaper.iValue), 0.05) << "of the short search";
}

/// Where the runs would be as many, or where those that are spared cost the answer, the usual design stays.
TEST(Offers, RecommendTheUsualDesignWhereRunsAreNotSpared)
{
    for (const int factors : {2, 3}) {
        const study::Study study = test::continuousStudy(factors, "");
        const std::vector<DesignOffer> offers = offersFor(study);
        const DesignOffer* recommended = findRecommended(offers);
        ASSERT_NE(recommended, nullptr);
        EXPECT_NE(recommended->spec.type, "i-optimal");
        EXPECT_GT(offerOf(offers, "I-optimal").runs, 0.75 * recommended->runs);
    }
}

TEST(Offers, PutTheRecommendedFirstAndTheImpossibleLast)
{
    for (const study::Study& study : {test::continuousStudy(2, ""), test::continuousStudy(20, "")}) {
        const std::vector<DesignOffer> offers = offersFor(study);
        EXPECT_TRUE(offers.front().isRecommended);
        EXPECT_TRUE(std::ranges::is_partitioned(offers, &DesignOffer::isPossible));
    }
}

/// The numbers of a searched design are those of its runs.
TEST(Offers, TakeTheNumbersOfASearch)
{
    study::Study study = test::continuousStudy(2, "");
    DesignOffer offer = offerOf(offersFor(study), "I-optimal");
    EXPECT_FALSE(offer.predictionSe);
    study.design = offer.spec;
    const study::Study laidOut = layOut(study);
    fillOfferNumbers(offer, laidOut);
    const Evaluation evaluation = evaluate(laidOut);
    EXPECT_EQ(offer.runs, evaluation.runs);
    EXPECT_NEAR(*offer.predictionSe, std::sqrt(evaluation.iValue), 1e-9);
    EXPECT_NEAR(*offer.powerMain, leastMainPower(evaluation), 1e-9);
}

/// A constraint leaves part of the cube: predictions are wanted in that part alone.
TEST(Offers, JudgeTheRegionThatTheConstraintsLeave)
{
    study::Study study = test::continuousStudy(2, "");
    study.constraints = {"a + b <= 32"};
    const DesignOffer offer = offerOf(offersFor(study), "Central composite, face-centered");
    EXPECT_NEAR(*offer.predictionSe, std::sqrt(judged(study, offer.spec).iValue), 0.01);
}

/// Five center points cannot be shared by three levels.
TEST(Offers, ShareCenterPointsAmongCategories)
{
    const study::Study study = mixedStudy(2, 3);
    const study::DesignSpec even{.type = "central-composite",
                                 .centerRuns = usualCenterRuns(study, "central-composite")};
    EXPECT_EQ(even.centerRuns, 6);
    const auto balance = [&](const study::DesignSpec& spec) {
        const std::vector<Check> checks = judged(study, spec).checks;
        return *std::ranges::find(checks, "Level balance", &Check::name);
    };
    EXPECT_TRUE(balance(even).ok);
    study::DesignSpec uneven = even;
    uneven.centerRuns = 5;
    EXPECT_FALSE(balance(uneven).ok);
    EXPECT_THAT(balance(uneven).detail, HasSubstr("cannot be shared by 3 levels, choose 3 or 6"));
}

TEST(Offers, RecommendByTheFactors)
{
    EXPECT_EQ(recommendedType(test::continuousStudy(3, "")), "box-behnken");
    EXPECT_EQ(recommendedType(test::continuousStudy(2, "")), "central-composite");
    EXPECT_EQ(recommendedType(test::continuousStudy(7, "")), "definitive-screening");
    study::Study categories;
    categories.factors = {test::categorical("a", 3), test::categorical("b", 2)};
    EXPECT_EQ(recommendedType(categories), "full-factorial");
    study::Study empty;
    EXPECT_EQ(recommendedType(empty), "");
}

TEST(Offers, StopWhenAsked)
{
    std::stop_source source;
    source.request_stop();
    EXPECT_TRUE(offersFor(test::continuousStudy(5, ""), source.get_token()).empty());
}

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The names are those of the study format, which files of today contain.
TEST(DesignTypes, HaveTheNamesOfTheStudyFormat)
{
    EXPECT_THAT(designTypes(), ElementsAre("box-behnken", "central-composite", "full-factorial",
                                           "fractional-factorial", "plackett-burman", "definitive-screening",
                                           "latin-hypercube", "i-optimal", "d-optimal"));
    EXPECT_EQ(findDesignType("custom"), nullptr);
}

TEST(DesignTypes, SayWhatTheyAreCalledAndWhatTheyAreGoodFor)
{
    std::set<std::string_view> titles, purposes;
    for (const DesignType& type : allDesignTypes()) {
        EXPECT_NE(type.title, "") << type.name;
        EXPECT_TRUE(type.purpose.ends_with('.')) << type.name;
        EXPECT_TRUE(type.mainEffects.ends_with('.')) << type.name;
        titles.insert(type.title);
        purposes.insert(type.purpose);
    }
    EXPECT_EQ(titles.size(), allDesignTypes().size());
    EXPECT_EQ(purposes.size(), allDesignTypes().size());
}

TEST(DesignTypes, AreAllInTheDocument)
{
    std::ostringstream page;
    page << std::ifstream(sourcePath("docs/methods/designs.md")).rdbuf();
    for (const DesignType& type : allDesignTypes())
        EXPECT_THAT(page.str(), HasSubstr("`" + std::string(type.name) + "`"));
}

TEST(DesignTypes, TakeTheKeysThatMeanSomethingForThem)
{
    EXPECT_THAT(typesWithKey("alpha"), ElementsAre("central-composite"));
    EXPECT_THAT(typesWithKey("generators"), ElementsAre("fractional-factorial"));
    EXPECT_THAT(typesWithKey("model"), ElementsAre("i-optimal", "d-optimal"));
    EXPECT_THAT(typesWithKey("runs"),
                ElementsAre("fractional-factorial", "plackett-burman", "definitive-screening",
                            "latin-hypercube", "i-optimal", "d-optimal"));
    EXPECT_THAT(typesWithKey("seed"), IsEmpty()) << "suits every type";
}

} // namespace
} // namespace quadric::design
