// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/evaluate/offers.h"
#include "design_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

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

} // namespace
} // namespace quadric::design
