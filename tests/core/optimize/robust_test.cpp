// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/distributions.h"
#include "core/optimize/answer/limit_probability.h"
#include "core/optimize/merit/error_propagation.h"

#include "fixtures.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace quadric::optimize {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Eigen::MatrixXd equicorrelated(Eigen::Index size, double correlation)
{
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Constant(size, size, correlation);
    matrix.diagonal().setOnes();
    return matrix;
}

/// Orthants: 1/4 + asin ρ/2π for two variables, 1/8 + 3 asin ρ/4π for three (Sheppard 1899).
TEST(NormalBox, OrthantsHaveClosedForms)
{
    for (const double correlation : {-0.4, 0.3, 0.8}) {
        const double pair = 0.25 + std::asin(correlation) / (2.0 * std::numbers::pi);
        const double triple = 0.125 + 3.0 * std::asin(correlation) / (4.0 * std::numbers::pi);
        for (const Eigen::Index size : {2, 3}) {
            const Eigen::VectorXd low = Eigen::VectorXd::Zero(size);
            const Eigen::VectorXd high = Eigen::VectorXd::Constant(size, kInfinity);
            EXPECT_NEAR(normalBoxProbability(low, high, equicorrelated(size, correlation), 4000),
                        size == 2 ? pair : triple, 2e-4)
                << size << " variables, correlation " << correlation;
        }
    }
}

TEST(NormalBox, IndependentVariablesMultiply)
{
    const Eigen::Vector3d low(-1.0, -kInfinity, 0.5);
    const Eigen::Vector3d high(1.0, 0.3, kInfinity);
    const double product = (model::normalBelow(1.0) - model::normalBelow(-1.0)) * model::normalBelow(0.3) *
                           (1.0 - model::normalBelow(0.5));
    EXPECT_NEAR(normalBoxProbability(low, high, Eigen::Matrix3d::Identity()), product, 1e-14);
    EXPECT_NEAR(model::normalBelow(1.0), 0.8413447460685429, 1e-14);
    EXPECT_NEAR(model::normalQuantile(0.975), 1.959963984540054, 1e-12);
}

/// Two variables that are the same one, but for rounding.
TEST(NormalBox, TakesASingularCorrelation)
{
    const double p = normalBoxProbability(Eigen::Vector2d(-kInfinity, -kInfinity), Eigen::Vector2d(0.5, 1.0),
                                          equicorrelated(2, 1.0), 4000);
    EXPECT_NEAR(p, model::normalBelow(0.5), 2e-3);
}

/// The predictive distribution by itself: half a prediction interval beyond its ends on each side.
TEST(LimitProbability, AgreesWithThePredictionInterval)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    Fitted fitted = tireTread(file, file.at("desirability").at("scenarios").at(0));
    const study::Settings settings = findOptimum(fitted.study, fitted.fits).settings;
    const study::CodedPoint point = study::Coding(fitted.study.factors).toCoded(settings);
    double product = 1.0;
    for (std::size_t i = 0; i < fitted.fits.size(); ++i) {
        study::Response& response = fitted.study.responses[i];
        const auto interval = *model::predict(fitted.fits[i], point).prediction;
        response.low = interval.low;
        response.high = interval.high;
        response.target = 0.5 * (interval.low + interval.high);
        product *= response.goal == study::Goal::Target ? 0.95 : 0.975;
    }
    const AllLimits limits = limitProbabilities(fitted.study, fitted.fits, settings);
    ASSERT_TRUE(limits.probability);
    EXPECT_NEAR(*limits.probability, product, 1e-9);
    for (std::size_t i = 0; i < limits.responses.size(); ++i)
        EXPECT_NEAR(limits.responses[i].probability,
                    fitted.study.responses[i].goal == study::Goal::Target ? 0.95 : 0.975, 1e-9);
}

/// Two copies of one response: their errors are the same, so both limits hold as often as one does.
TEST(LimitProbability, CorrelatedErrorsOfEqualResponses)
{
    Fitted fitted = scalingStudy();
    study::Study& study = fitted.study;
    study.responses[1].name = "copy";
    for (study::Run& run : study.runs)
        run.results["copy"] = run.results.at("images_per_sec");
    for (study::Response& response : study.responses) {
        response.low = 9000.0;
        response.high = 20000.0;
    }
    fitted.fits = model::fitStudy(study);
    ASSERT_NEAR(residualCorrelation(fitted.fits[0], fitted.fits[1]), 1.0, 1e-12);
    const study::Settings settings = {
        {"gpu_count", 48.0}, {"batch_per_gpu", 64.0}, {"gradient_compression", 45.0}};
    ProbabilityOptions options;
    const double alone = limitProbabilities(study, fitted.fits, settings).responses[0].probability;
    EXPECT_NEAR(*limitProbabilities(study, fitted.fits, settings).probability, alone * alone, 1e-12);
    const std::vector<DependentResponses> dependent = findDependentResponses(study, fitted.fits);
    ASSERT_EQ(dependent.size(), 1U);
    EXPECT_EQ(dependent[0].second, "copy");
    EXPECT_NE(limitProbabilities(study, fitted.fits, settings).assumption.find("--correlated"),
              std::string::npos);
    options.isCorrelated = true;
    EXPECT_NEAR(*limitProbabilities(study, fitted.fits, settings, options).probability, alone, 3e-3);
}

/// A straight line y = 100 + 10 x over x = 0 … 10 with hardly any error.
Fitted straightLine()
{
    Fitted fitted;
    study::Study& study = fitted.study;
    study.name = "line";
    study.factors = {{.name = "x", .low = 0.0, .high = 10.0}};
    study.responses = {{.name = "y", .goal = study::Goal::Target}};
    study.model["y"] = "linear";
    for (int i = 0; i <= 20; ++i) {
        study::Run run{
            .id = i + 1, .order = i + 1, .settings = {{"x", 0.5 * i}}, .status = study::RunStatus::Done};
        run.results["y"] = 100.0 + 5.0 * i + 1e-3 * std::sin(17.0 * i);
        study.runs.push_back(run);
    }
    fitted.fits = model::fitStudy(study);
    return fitted;
}

/// y is normal with 10 times the standard deviation of the setting.
TEST(LimitProbability, SettingsThatVaryWidenAStraightLine)
{
    Fitted fitted = straightLine();
    study::Response& y = fitted.study.responses[0];
    constexpr double kSd = 0.3;
    y.low = 150.0 - 1.5 * 10.0 * kSd;
    y.target = 150.0;
    y.high = 150.0 + 0.5 * 10.0 * kSd;
    const study::Settings settings{{"x", 5.0}};
    EXPECT_NEAR(limitProbabilities(fitted.study, fitted.fits, settings).probability.value_or(0.0), 1.0, 1e-6);
    const AllLimits limits =
        limitProbabilities(fitted.study, fitted.fits, settings, {.varying = {{"x", kSd}}});
    ASSERT_TRUE(limits.probability);
    EXPECT_NEAR(*limits.probability, model::normalBelow(0.5) - model::normalBelow(-1.5), 0.01);
    EXPECT_NEAR(limits.responses[0].probability, *limits.probability, 1e-12);
    EXPECT_NE(limits.assumption.find("Settings vary by a standard deviation of x 0.3."), std::string::npos);
    const RobustOptimum robust = findRobust(fitted.study, fitted.fits, {}, {.varying = {{"x", kSd}}});
    ASSERT_TRUE(robust.isOk());
    EXPECT_NEAR(study::numberOf(robust.settings.at("x")), 4.85, 0.1); // between the limits
    EXPECT_NEAR(*robust.limits.probability, model::normalBelow(1.0) - model::normalBelow(-1.0), 0.01);
}

/// Against drawing the settings at random.
TEST(LimitProbability, SettingsThatVaryAgreeWithRandomDraws)
{
    Fitted fitted = scalingStudy();
    study::Study& study = fitted.study;
    study.responses[0].low = 9000.0;
    study.responses[1].low = 80.0;
    const study::Settings settings = {
        {"gpu_count", 48.0}, {"batch_per_gpu", 64.0}, {"gradient_compression", 45.0}};
    const Variation sds{{"batch_per_gpu", 8.0}, {"gradient_compression", 6.0}};
    std::mt19937_64 generator(3);
    std::normal_distribution<double> normal;
    double sum = 0.0;
    constexpr int kDraws = 4000;
    for (int i = 0; i < kDraws; ++i) {
        study::Settings drawn = settings;
        for (const auto& [name, sd] : sds)
            drawn[name] = study::numberOf(settings.at(name)) + sd * normal(generator);
        sum += *limitProbabilities(study, fitted.fits, drawn).probability;
    }
    EXPECT_NEAR(*limitProbabilities(study, fitted.fits, settings, {.varying = sds}).probability, sum / kDraws,
                0.02);
}

TEST(VaryingSettings, AreKeptInTheView)
{
    study::Study study = scalingStudy().study;
    EXPECT_TRUE(readVariation(study).empty());
    const study::Study varied = withVariation(withVariation(study, "gpu_count", 2.0), "batch_per_gpu", 0.5);
    EXPECT_EQ(readVariation(varied), (Variation{{"gpu_count", 2.0}, {"batch_per_gpu", 0.5}}));
    EXPECT_EQ(withVariation(withVariation(varied, "gpu_count", 0.0), "batch_per_gpu", 0.0), study);
    EXPECT_THROW(VaryingSettings(study, {{"nobody", 1.0}}), std::invalid_argument);
    EXPECT_THROW(VaryingSettings(study, {{"gpu_count", -1.0}}), std::invalid_argument);
    EXPECT_EQ(
        VaryingSettings(study, {{"gpu_count", 0.0}}).around(study::Coding(study.factors).center(), 8).size(),
        1U);
}

TEST(LimitProbability, SaysWhatIsMissing)
{
    Fitted fitted = scalingStudy();
    fitted.study.responses[0].low = 9000.0;
    for (model::Fit& fit : fitted.fits)
        fit.dfResidual = 0;
    const study::Settings settings = findOptimum(fitted.study, fitted.fits).settings;
    const AllLimits limits = limitProbabilities(fitted.study, fitted.fits, settings);
    EXPECT_FALSE(limits.probability);
    EXPECT_NE(limits.assumption.find("images_per_sec"), std::string::npos);
    EXPECT_EQ(findRobust(fitted.study, fitted.fits).status, OptimumStatus::NoModel);
}

/// The ends of the observed ranges, which nobody asked for, are no limits: nor is the end that is wished for.
TEST(LimitProbability, CountsLimitsThatAreSet)
{
    Fitted fitted = scalingStudy();
    const study::Settings settings = findOptimum(fitted.study, fitted.fits).settings;
    fitted.study.responses[0].high = 20000.0;
    EXPECT_FALSE(hasSetLimits(fitted.study));
    EXPECT_FALSE(limitProbabilities(fitted.study, fitted.fits, settings).probability);
    EXPECT_THAT(findRobust(fitted.study, fitted.fits).message, testing::StartsWith("No limit is set"));
    fitted.study.responses[0].low = 9000.0;
    EXPECT_TRUE(hasSetLimits(fitted.study));
    const AllLimits limits = limitProbabilities(fitted.study, fitted.fits, settings);
    ASSERT_EQ(limits.responses.size(), 1U);
    EXPECT_EQ(limits.responses[0].low, 9000.0);
    EXPECT_FALSE(limits.responses[0].high);
    EXPECT_EQ(limits.probability, limits.responses[0].probability);
}

/// Against every legal setting on a coarse lattice.
TEST(RobustOptimum, IsNotBeatenOnALattice)
{
    Fitted fitted = scalingStudy();
    fitted.study.constraints = {"gpu_count * batch_per_gpu <= 8192"};
    fitted.study.responses[0].low = 8000.0;
    fitted.study.responses[0].high = 20000.0;
    fitted.study.responses[1].low = 88.0;
    fitted.study.responses[1].high = 100.0;
    const RobustOptimum robust = findRobust(fitted.study, fitted.fits);
    ASSERT_TRUE(robust.isOk()) << robust.message;
    for (double gpus = 8; gpus <= 64; gpus += 8)
        for (double batch = 32; batch <= 256; batch += 14)
            for (double compression = 0; compression <= 90; compression += 10) {
                if (gpus * batch > 8192)
                    continue;
                const study::Settings settings = {
                    {"gpu_count", gpus}, {"batch_per_gpu", batch}, {"gradient_compression", compression}};
                EXPECT_LE(*limitProbabilities(fitted.study, fitted.fits, settings).probability,
                          *robust.limits.probability + 1e-9);
            }
    EXPECT_GT(*robust.limits.probability, 0.5);
}

Fitted hill()
{
    Fitted fitted;
    fitted.study.factors.resize(2);
    fitted.study.factors[0].name = "a";
    fitted.study.factors[0].low = 10.0;
    fitted.study.factors[0].high = 30.0;
    fitted.study.factors[1].name = "b";
    fitted.study.factors[1].low = 1.0;
    fitted.study.factors[1].high = 16.0;
    fitted.study.factors[1].scale = study::Scale::Log2;
    study::Response response;
    response.name = "y";
    fitted.study.responses = {response};
    fitted.fits = {polynomialFit(fitted.study, "y", {50.0, 3.0, -2.0, 1.5, -4.0, 2.5}, 0.0, 60.0)};
    return fitted;
}

/// With one linear factor the expansion is exact: y = c + g x + h x², x = (v − 20)/10, v ~ N(v₀, s²):
/// variance (g + 2 h x₀)² t² + 2 h² t⁴ with t = s/10, shift h t².
TEST(ErrorPropagation, IsExactForAQuadratic)
{
    const Fitted fitted = hill();
    const auto rows = propagateError(fitted.study, fitted.fits, {{"a", 24.0}, {"b", 4.0}}, {{"a", 3.0}});
    ASSERT_EQ(rows.size(), 1U);
    const double slope = 3.0 + 2.0 * -4.0 * 0.4; // b in the middle: no interaction
    EXPECT_NEAR(rows[0].sd, std::sqrt(slope * slope * 0.09 + 2.0 * 16.0 * 0.0081), 1e-9);
    EXPECT_NEAR(rows[0].shift, -4.0 * 0.09, 1e-9);
    ASSERT_EQ(rows[0].factors.size(), 1U);
    EXPECT_NEAR(rows[0].factors[0].second, rows[0].sd, 1e-12);
}

/// Both factors, one of them on the log2 scale, against 400 000 simulated settings.
TEST(ErrorPropagation, AgreesWithSimulation)
{
    const Fitted fitted = hill();
    const study::Coding coding(fitted.study.factors);
    const auto rows =
        propagateError(fitted.study, fitted.fits, {{"a", 14.0}, {"b", 6.0}}, {{"a", 1.5}, {"b", 0.4}});
    std::mt19937_64 generator(3);
    std::normal_distribution<double> normal;
    double sum = 0.0;
    double squares = 0.0;
    constexpr int kCount = 400000;
    for (int i = 0; i < kCount; ++i) {
        const study::CodedPoint point = coding.toCoded(
            study::Settings{{"a", 14.0 + 1.5 * normal(generator)}, {"b", 6.0 + 0.4 * normal(generator)}});
        const double y = model::predictMean(fitted.fits[0], point);
        sum += y;
        squares += y * y;
    }
    const double mean = sum / kCount;
    const double sd = std::sqrt(squares / kCount - mean * mean);
    EXPECT_NEAR(rows[0].sd / sd, 1.0, 0.01);
    const double nominal =
        model::predictMean(fitted.fits[0], coding.toCoded(study::Settings{{"a", 14.0}, {"b", 6.0}}));
    EXPECT_NEAR(rows[0].shift, mean - nominal, 5.0 * sd / std::sqrt(kCount) + 0.002);
}

TEST(ErrorPropagation, NamesWhatIsWrong)
{
    const Fitted fitted = hill();
    const study::Settings settings = {{"a", 14.0}, {"b", 6.0}};
    EXPECT_THROW(propagateError(fitted.study, fitted.fits, settings, {{"c", 1.0}}), std::invalid_argument);
    EXPECT_THROW(propagateError(fitted.study, fitted.fits, settings, {{"a", -1.0}}), std::invalid_argument);
    EXPECT_EQ(propagateError(fitted.study, fitted.fits, settings, {})[0].sd, 0.0);
}

} // namespace
} // namespace quadric::optimize
