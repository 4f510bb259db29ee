// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/deadline.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace quadric::plan {
namespace {

using study::Settings;
using study::Study;

study::Factor factorFrom(const std::string& name, double low, double high)
{
    study::Factor factor;
    factor.name = name;
    factor.low = low;
    factor.high = high;
    return factor;
}

void addRun(Study& study, const Settings& settings, double y)
{
    study::Run run;
    run.id = run.order = static_cast<int>(study.runs.size()) + 1;
    run.settings = settings;
    run.status = study::RunStatus::Done;
    run.results = {{"t", y}};
    study.runs.push_back(run);
}

Study studyWith(std::vector<study::Factor> factors)
{
    Study study;
    study.factors = std::move(factors);
    study.responses = {{.name = "t", .unit = "s"}};
    return study;
}

double normal(std::mt19937_64& random, double mean, double sd)
{
    const double u = (static_cast<double>(random() >> 11U) + 0.5) * 0x1p-53;
    return mean + sd * boost::math::quantile(boost::math::normal(), u);
}

/// Simple regression by hand: y = 10, 13, 13, 16 at x = −1, −1, 1, 1 has b₀ = 13, b₁ = 1.5, s² = 9/2 and
/// variance s²(1 + 1/4 + x²/4) of a new run.
Study byHand()
{
    Study study = studyWith({factorFrom("x", -1, 1)});
    for (const auto& [x, y] : {std::pair(-1.0, 10.0), {-1.0, 13.0}, {1.0, 13.0}, {1.0, 16.0}})
        addRun(study, {{"x", x}}, y);
    return study;
}

TEST(RunTime, IsThePredictiveDistributionOfARegression)
{
    const model::Fit fit = model::fitResponse(byHand(), "t", {.model = "linear"});
    const RunTime time(fit, {}, study::Coding(fit.factors).toCoded({{"x", 1.0}}));
    const boost::math::students_t t(2);
    const double sd = std::sqrt(4.5 * 1.5);
    EXPECT_NEAR(time.probabilityWithin(16.0), boost::math::cdf(t, 1.5 / sd), 1e-12);
    EXPECT_NEAR(time.quantile(0.95), 14.5 + sd * boost::math::quantile(t, 0.95), 1e-9);
    EXPECT_NEAR(time.probabilityWithin(time.quantile(0.05)), 0.05, 1e-12);
}

TEST(RunTime, KnowsEpochsAndSpeeds)
{
    const model::Fit fit = model::fitResponse(byHand(), "t", {.model = "linear"});
    const study::CodedPoint point = study::Coding(fit.factors).toCoded({{"x", 0.0}});
    const boost::math::students_t t(2);
    const double sd = std::sqrt(4.5 * 1.25);
    const double slow = 13.0 + sd * boost::math::quantile(t, 0.9),
                 fast = 13.0 - sd * boost::math::quantile(t, 0.9);
    const RunTime epochs(fit, {WorkKind::PerUnit, 20.0, 60.0}, point); // min per epoch
    EXPECT_NEAR(epochs.quantile(0.9), 60.0 * 20.0 * slow, 1e-6);
    EXPECT_NEAR(epochs.largestAmount(60.0 * slow * 7.0, 0.9), 7.0, 1e-9);
    const RunTime images(fit, {WorkKind::Speed, 1000.0, 1.0}, point); // images per second
    EXPECT_NEAR(images.quantile(0.9), 1000.0 / fast, 1e-9);
    EXPECT_NEAR(images.probabilityWithin(1000.0 / fast), 0.9, 1e-12);
    EXPECT_NEAR(images.largestAmount(10.0, 0.9), 10.0 * fast, 1e-9);
    EXPECT_EQ(images.probabilityWithin(0.0), 0.0);
    EXPECT_EQ(epochs.largestAmount(0.0, 0.9), 0.0);
}

TEST(RunTime, KnowsTransforms)
{
    Study study = byHand();
    for (study::Run& run : study.runs)
        run.results["t"] = std::exp(run.results["t"] / 10.0);
    const study::CodedPoint point = study::Coding(study.factors).toCoded({{"x", 0.0}});
    const boost::math::students_t t(2);
    const double upper = 1.3 + 0.1 * std::sqrt(4.5 * 1.25) * boost::math::quantile(t, 0.9);
    const model::Fit log = model::fitResponse(
        study, "t", {.model = "linear", .transform = study::Transform{study::TransformKind::Log}});
    EXPECT_NEAR(RunTime(log, {}, point).quantile(0.9), std::exp(upper), 1e-9);
    EXPECT_NEAR(RunTime(log, {}, point).probabilityWithin(std::exp(upper)), 0.9, 1e-12);
    EXPECT_EQ(RunTime(log, {}, point).probabilityWithin(0.0), 0.0);
    for (study::Run& run : study.runs)
        run.results["t"] = 1.0 / (std::log(run.results["t"]) + 10.0);
    const model::Fit inverse = model::fitResponse(
        study, "t", {.model = "linear", .transform = study::Transform{study::TransformKind::Inverse}});
    const double lower = 11.3 - 0.1 * std::sqrt(4.5 * 1.25) * boost::math::quantile(t, 0.9);
    EXPECT_NEAR(RunTime(inverse, {}, point).quantile(0.9), 1.0 / lower, 1e-9);
    EXPECT_NEAR(RunTime(inverse, {}, point).probabilityWithin(1.0 / lower), 0.9, 1e-12);
}

/// Quadratic truth over two factors: P(done in time) holds within ±3 points in 10,000 new runs at random
/// settings, from 50 to 99 %.
TEST(Deadline, IsMetAsOftenAsItSays)
{
    std::mt19937_64 random(11);
    const auto truth = [](double a, double b) {
        return 50 + 9 * a - 6 * b + 3 * a * b + 4 * a * a + 2 * b * b;
    };
    constexpr std::array kAsked = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99};
    std::array<int, kAsked.size()> met{};
    for (int i = 0; i < 500; ++i) {
        Study study = studyWith({factorFrom("a", -1, 1), factorFrom("b", -1, 1)});
        for (const double a : {-1.0, 0.0, 1.0})
            for (const double b : {-1.0, 0.0, 1.0})
                addRun(study, {{"a", a}, {"b", b}}, normal(random, truth(a, b), 2.0));
        addRun(study, {{"a", 0.0}, {"b", 0.0}}, normal(random, truth(0, 0), 2.0));
        const model::Fit fit = model::fitResponse(study, "t", {.model = "quadratic"});
        for (int j = 0; j < 20; ++j) {
            const double a = 1.0 - 2.0 * static_cast<double>(random() % 1001) / 1000.0;
            const double b = 1.0 - 2.0 * static_cast<double>(random() % 1001) / 1000.0;
            const RunTime time(fit, {}, study::Coding(fit.factors).toCoded({{"a", a}, {"b", b}}));
            const double needed = normal(random, truth(a, b), 2.0);
            for (std::size_t k = 0; k < kAsked.size(); ++k)
                met[k] += needed <= time.quantile(kAsked[k]);
        }
    }
    for (std::size_t k = 0; k < kAsked.size(); ++k)
        EXPECT_NEAR(met[k] / 10000.0, kAsked[k], 0.03);
}

TEST(Calibration, IsWhatFittingWithoutASettingGives)
{
    std::mt19937_64 random(5);
    Study study = studyWith({factorFrom("a", -1, 1), factorFrom("b", -1, 1)});
    for (int copy = 0; copy < 2; ++copy)
        for (const double a : {-1.0, 0.0, 1.0})
            for (const double b : {-1.0, 0.0, 1.0})
                addRun(study, {{"a", a}, {"b", b}}, normal(random, 20 + 3 * a - b, 2.0));
    const model::Fit fit = model::fitResponse(study, "t", {.model = "linear"});
    constexpr std::array kAsked = {0.1, 0.3, 0.5, 0.7, 0.9};
    std::array<int, kAsked.size()> below{};
    for (std::size_t left = 0; left < 9; ++left) {
        Study rest = study;
        rest.runs[left].status = rest.runs[left + 9].status = study::RunStatus::Excluded;
        const model::Fit without = model::fitResponse(rest, "t", {.model = "linear"});
        for (const std::size_t run : {left, left + 9}) {
            const RunTime time(without, {}, study::Coding(fit.factors).toCoded(study.runs[run].settings));
            for (std::size_t k = 0; k < kAsked.size(); ++k)
                below[k] += study.runs[run].results["t"] <= time.quantile(kAsked[k]);
        }
    }
    const Calibration calibration = calibrate(fit, 0.5);
    ASSERT_EQ(calibration.message, "");
    EXPECT_EQ(calibration.runs, 18);
    EXPECT_EQ(calibration.settings, 9);
    EXPECT_EQ(calibration.kept, 0);
    for (std::size_t k = 0; k < kAsked.size(); ++k)
        EXPECT_DOUBLE_EQ(calibrate(fit, kAsked[k]).reached, below[k] / 18.0);
    EXPECT_DOUBLE_EQ(calibrate(fit, 0.1, true).reached, 1.0 - below[4] / 18.0);
    // Clopper & Pearson where all lie below: 0.025^(1/18) to 1.
    const model::Interval all = calibrate(fit, 1.0).interval;
    EXPECT_NEAR(all.low, std::pow(0.025, 1.0 / 18.0), 1e-9);
    EXPECT_EQ(all.high, 1.0);
}

/// The published equation of Schouten & Mukherjee (Fig. 12) with its standard deviation of 28.3622 s.
double paperSeconds(const std::array<double, 5>& v)
{
    const auto [c, p, b, l, e] = v;
    return 136.9 - 38.8 * c - 49.9 * p - 0.499 * b - 1335 * l + 115.60 * e + 21.18 * c * p + 0.1077 * c * b +
           222 * c * l - 24.01 * c * e + 0.1613 * p * b + 502 * p * l - 15.912 * p * e + 3.60 * b * l -
           0.06528 * b * e - 47.3 * l * e - 0.0550 * c * p * b - 212.8 * c * p * l + 2.495 * c * p * e +
           0.02080 * c * b * e + 45.2 * c * l * e - 0.401 * b * l * e;
}

constexpr double kPaperSd = 28.3622;
constexpr std::array<const char*, 5> kPaperNames = {"c", "p", "b", "l", "e"};
constexpr std::array<std::array<double, 2>, 5> kPaperLevels = {
    {{1, 3}, {1, 4}, {32, 256}, {0.01, 0.05}, {5, 20}}};
constexpr const char* kPaperModel =
    "c + p + b + l + e + c*p + c*b + c*l + c*e + p*b + p*l + p*e + b*l + b*e + l*e + c*p*b + c*p*l + c*p*e + "
    "c*b*e + c*l*e + b*l*e";

std::array<double, 5> paperPoint(unsigned corner)
{
    std::array<double, 5> point{};
    for (std::size_t i = 0; i < 5; ++i)
        point[i] = kPaperLevels[i][corner >> i & 1U];
    return point;
}

Settings settingsOf(const std::array<double, 5>& point)
{
    Settings settings;
    for (std::size_t i = 0; i < 5; ++i)
        settings.emplace(kPaperNames[i], point[i]);
    return settings;
}

Study paperStudy(std::mt19937_64& random)
{
    std::vector<study::Factor> factors;
    for (std::size_t i = 0; i < 5; ++i)
        factors.push_back(factorFrom(kPaperNames[i], kPaperLevels[i][0], kPaperLevels[i][1]));
    factors[4].type = study::FactorType::Integer;
    Study study = studyWith(std::move(factors));
    for (unsigned run = 0; run < 96; ++run)
        addRun(study, settingsOf(paperPoint(run % 32)),
               normal(random, paperSeconds(paperPoint(run % 32)), kPaperSd));
    return study;
}

/// What the paper does: the largest number of epochs whose predicted time, the mean of regression and random
/// forest, is below the limit. Grown on two levels, a forest says the mean of the runs at the nearer one.
double paperEpochs(const Study& study, const model::Fit& fit, std::array<double, 5> point, double limit)
{
    std::array<double, 2> forest{};
    for (const study::Run& run : study.runs) {
        std::array<double, 5> settings{};
        for (std::size_t i = 0; i < 5; ++i)
            settings[i] = std::get<double>(run.settings.at(kPaperNames[i]));
        for (std::size_t level = 0; level < 2; ++level) {
            point[4] = kPaperLevels[4][level];
            forest[level] += settings == point ? run.results.at("t") / 3.0 : 0.0;
        }
    }
    for (double epochs = 20; epochs >= 5; --epochs) {
        point[4] = epochs;
        const double regression =
            model::predictMean(fit, study::Coding(fit.factors).toCoded(settingsOf(point)));
        if ((regression + forest[epochs < 12.5 ? 0 : 1]) / 2.0 < limit)
            return epochs;
    }
    return 0.0;
}

struct Tally {
    int cases = 0, met = 0;
    double epochs = 0.0;
    double share() const { return static_cast<double>(met) / cases; }
};

/// Bar: at least 95 % on time where 95 % is asked, at no fewer epochs than the paper's rule where it reaches
/// 83 %. As it stands the rule reaches 60 % here (the forest's step at 12.5 epochs), so that it is given a
/// share of the time that brings it there.
TEST(Deadline, BeatsThePaperOnItsOwnData)
{
    constexpr std::array kShares = {1.0, 0.79, 0.78, 0.77, 0.76, 0.75, 0.74, 0.72, 0.7};
    std::mt19937_64 random(83);
    Tally ours;
    std::array<Tally, kShares.size()> theirs;
    for (int i = 0; i < 40; ++i) {
        const Study study = paperStudy(random);
        const model::Fit fit = model::fitResponse(study, "t", {.model = kPaperModel});
        for (int j = 0; j < 50; ++j) {
            std::array<double, 5> point = paperPoint(static_cast<unsigned>(random() % 16));
            std::array<double, 5> longest = point;
            longest[4] = 20;
            const double share = static_cast<double>(random() % 1000) / 1000.0;
            const double limit = std::lerp(paperSeconds(point), paperSeconds(longest), share);
            const auto add = [&](Tally& tally, double epochs) {
                point[4] = epochs;
                ++tally.cases;
                tally.epochs += epochs;
                tally.met += normal(random, paperSeconds(point), kPaperSd) <= limit;
            };
            const auto largest = findLargestSetting(fit, {}, settingsOf(point), "e", limit, 0.95);
            if (!largest)
                continue; // not even 5 epochs: nobody would start
            add(ours, largest->value);
            for (std::size_t k = 0; k < kShares.size(); ++k)
                add(theirs[k], std::max(5.0, paperEpochs(study, fit, point, kShares[k] * limit)));
        }
    }
    EXPECT_GE(ours.share(), 0.95);
    EXPECT_LT(theirs[0].share(), 0.83);
    const auto* const held =
        std::ranges::find_if(theirs, [](const Tally& tally) { return tally.share() >= 0.83; });
    ASSERT_NE(held, theirs.end());
    EXPECT_GE(ours.epochs / ours.cases, held->epochs / held->cases); // 11.1 and 10.7
}

} // namespace
} // namespace quadric::plan
