// SPDX-License-Identifier: GPL-3.0-or-later
// What a significant term does to the response: sentences of studies whose truth is known.
#include "core/model/predict/simple_effects.h"
#include "core/report/findings/reading.h"
#include "oracle_study.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

namespace quadric::report {
namespace {

using namespace model::test;
using model::fitResponse;
using study::TransformKind;
using testing::HasSubstr;
using testing::Not;

/// A small error that no term explains.
double errorOf(std::size_t run)
{
    return 0.05 * std::sin(12.9898 * static_cast<double>(run * run + 1));
}

/// The truth on a grid of both factors, three times.
study::Study gridStudy(const std::vector<double>& levels, const std::function<double(double, double)>& truth)
{
    study::Study study = plainStudy({"A", "B"});
    for (int repeat = 0; repeat < 3; ++repeat)
        for (const std::vector<study::Value>& point : gridOf(2, levels)) {
            const double a = std::get<double>(point[0]), b = std::get<double>(point[1]);
            addRun(study, point, truth(a, b) + errorOf(study.runs.size()));
        }
    return study;
}

std::string readingOf(const study::Study& study, const model::FitOptions& options)
{
    std::string text;
    for (const std::string& sentence : readCoefficients(fitResponse(study, "y", options)))
        text += sentence + '\n';
    return text;
}

} // namespace

TEST(EffectSentences, anEffectThatShrinksIsNotSaidToGrow)
{
    const study::Study study = gridStudy({-1, 1}, [](double a, double b) { return 20 - 3 * a + a * b; });
    const std::string text = readingOf(study, {.model = "interactions"});
    EXPECT_THAT(text, HasSubstr("Moving A from −1 to 1 lowers y by 8"));
    EXPECT_THAT(text, HasSubstr("at B = −1 and by 3.9"));
    EXPECT_THAT(text, HasSubstr("at B = 1: the effect of A shrinks as B increases"));
}

TEST(EffectSentences, anEffectThatChangesItsSignReverses)
{
    const study::Study study = gridStudy({-1, 1}, [](double a, double b) { return 20 + a - 3 * a * b; });
    EXPECT_THAT(readingOf(study, {.model = "interactions"}), HasSubstr("at B = 1: the effect of A reverses"));
}

TEST(EffectSentences, levelsOfACategoryHaveTheirNames)
{
    study::Study study = plainStudy({"A", "prec"});
    study.factors[1] = study::Factor{
        .name = "prec", .type = study::FactorType::Categorical, .categories = {"fp32", "bf16", "fp8"}};
    const std::vector<double> slopes{2, 0.5, -2};
    for (int repeat = 0; repeat < 3; ++repeat)
        for (const double a : {-1.0, 0.0, 1.0})
            for (std::size_t level = 0; level < 3; ++level)
                addRun(study, {a, study.factors[1].categories[level]},
                       10 + slopes[level] * a + errorOf(study.runs.size()));
    const std::string text = readingOf(study, {.model = "interactions"});
    EXPECT_THAT(text, HasSubstr("raises y by 4"));
    EXPECT_THAT(text, HasSubstr("at prec = fp32 and lowers y by "));
    EXPECT_THAT(text, HasSubstr("at prec = fp8: the effect of A reverses"));
    EXPECT_THAT(text, Not(HasSubstr("high prec")));
}

/// From −1 to 1 y rises by 4 although the coefficient of A is −1.
TEST(EffectSentences, aCubicTermIsPartOfTheChange)
{
    const study::Study study =
        gridStudy({-1, -0.5, 0, 0.5, 1}, [](double a, double) { return 10 - a + 3 * a * a * a; });
    const std::string text = readingOf(study, {.model = "A^3 + B"});
    EXPECT_THAT(text, HasSubstr("Moving A from −1 to 1 raises y by "));
    EXPECT_THAT(text, Not(HasSubstr("lowers")));
    EXPECT_THAT(text, HasSubstr("Along A, y rises from −1 to "));
    EXPECT_THAT(text, HasSubstr("(degree 3)"));
}

/// 1/y bends up, so y bends down.
TEST(EffectSentences, curvatureIsThatOfTheResponse)
{
    const study::Study study =
        gridStudy({-1, 0, 1}, [](double a, double) { return 1 / (5 + 1.5 * a * a + 0.6 * a); });
    study::Study exact = study;
    for (study::Run& run : exact.runs)
        run.results["y"] +=
            0.01 * errorOf(static_cast<std::size_t>(run.id)) - errorOf(static_cast<std::size_t>(run.id - 1));
    const std::string text =
        readingOf(exact, {.model = "quadratic", .transform = study::Transform{TransformKind::Inverse}});
    EXPECT_THAT(text, HasSubstr("y curves down along A"));
    EXPECT_THAT(text, HasSubstr("above the straight line"));
}

/// Seven factors in eight runs: A·B looks like an effect of a factor that has none.
TEST(EffectSentences, anAliasedEffectNamesWhatItContains)
{
    study::Study study = plainStudy({"A", "B", "C", "D", "E", "F", "G"});
    for (int i = 0; i < 8; ++i) {
        const double a = (i & 1) != 0 ? 1 : -1, b = (i & 2) != 0 ? 1 : -1, c = (i & 4) != 0 ? 1 : -1;
        addRun(study, {a, b, c, a * b, a * c, b * c, a * b * c},
               50 + 3 * a * b + 0.1 * errorOf(study.runs.size()));
    }
    const std::string text = readingOf(study, {.model = "linear"});
    EXPECT_THAT(text, HasSubstr("Moving D from −1 to 1 raises y by 6"));
    EXPECT_THAT(text, HasSubstr("aliased with A × B, C × G and E × F"));
}

TEST(EffectSentences, aTermThatASignificantOneContainsIsNotIdle)
{
    const study::Study study = gridStudy({-1, 1}, [](double a, double b) { return 20 + 3 * a * b; });
    const std::string text = readingOf(study, {.model = "interactions"});
    EXPECT_THAT(text, HasSubstr("contained in significant terms: "));
    EXPECT_THAT(text, Not(HasSubstr("Not significant: ")));
    const std::string anova = readAnova(fitResponse(study, "y", {.model = "interactions"}))[2];
    EXPECT_EQ(anova,
              "Not significant by themselves: main effects; significant terms of higher order contain them.");
}

} // namespace quadric::report
