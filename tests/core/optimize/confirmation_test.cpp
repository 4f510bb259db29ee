// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/distributions.h"
#include "core/model/fit/regression.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/answer/optimism.h"
#include "core/optimize/confirmation.h"
#include "fixtures.h"

#include <gmock/gmock.h>

#include <cmath>

namespace quadric::optimize {
namespace {

const study::Settings kSettings = {
    {"gpu_count", 32.0}, {"batch_per_gpu", 128.0}, {"gradient_compression", 45.0}};

/// Significance of the mean of several runs of one of two responses: four fifths of its share of 5 %.
const double kAlphaOfMean = 0.8 * (1.0 - std::sqrt(0.95));

/// The scaling study with confirmation runs of both responses, `shift` half widths off the prediction.
Fitted confirmed(const std::vector<double>& shifts)
{
    Fitted fitted = scalingStudy();
    const study::CodedPoint point = study::Coding(fitted.study.factors).toCoded(kSettings);
    const std::vector<study::Settings> settings(shifts.size(), kSettings);
    fitted.study = study::withRuns(fitted.study, settings, study::RunKind::Confirmation);
    for (std::size_t i = 0; i < shifts.size(); ++i) {
        study::Run& run = fitted.study.runs[fitted.study.runs.size() - shifts.size() + i];
        run.status = study::RunStatus::Done;
        for (const model::Fit& fit : fitted.fits) {
            const model::Prediction p =
                model::predict(fit, point, static_cast<int>(shifts.size()), 1.0 - kAlphaOfMean);
            run.results[fit.response] = p.mean + shifts[i] * (p.prediction->high - p.mean);
        }
    }
    fitted.fits = model::fitStudy(fitted.study);
    return fitted;
}

TEST(Confirmation, RunsStayOutOfTheFitUnlessAskedFor)
{
    const Fitted without = scalingStudy();
    Fitted fitted = confirmed({5.0, 5.1});
    EXPECT_EQ(fitted.fits[0].n, without.fits[0].n);
    EXPECT_EQ(fitted.fits[0].beta, without.fits[0].beta);
    for (study::Run& run : fitted.study.runs) {
        if (run.kind == study::RunKind::Confirmation)
            run.kind = study::RunKind::Augment;
    }
    const std::vector<model::Fit> with = model::fitStudy(fitted.study);
    EXPECT_EQ(with[0].n, without.fits[0].n + 2);
    EXPECT_NE(with[0].beta, without.fits[0].beta);
    EXPECT_TRUE(confirmationVerdicts(fitted.study, with).empty());
}

TEST(Confirmation, DisturbedRunsGiveNoVerdict)
{
    Fitted fitted = confirmed({5.0, 5.1, 5.2});
    ASSERT_EQ(confirmationVerdicts(fitted.study, fitted.fits).front().outcome(),
              ConfirmationOutcome::Refuted);
    study::Run& run = fitted.study.runs.back();
    run.provenance.disturbed = true;
    run.provenance.disturbedBecause = "throttled";
    const Confirmation verdict = confirmationVerdicts(fitted.study, fitted.fits).front();
    EXPECT_EQ(verdict.outcome(), ConfirmationOutcome::Disturbed);
    EXPECT_FALSE(verdict.hasVerdict());
    EXPECT_FALSE(verdict.isConfirmed);
    EXPECT_EQ(verdict.disturbed, std::vector<int>{run.id});
    EXPECT_EQ(verdict.disturbance, "throttled");
    run.status = study::RunStatus::Excluded;
    EXPECT_EQ(confirmationVerdicts(fitted.study, fitted.fits).front().outcome(),
              ConfirmationOutcome::Refuted);
}

/// The mean of shifts 0.2 and 1.2 is 0.7 half widths of the interval for two runs; of 1 and 1.4 it is 1.2.
TEST(Confirmation, HoldsTheMeanAgainstTheIntervalForSoManyRuns)
{
    for (const double second : {0.2, 1.4}) {
        const double expected = second < 1.0 ? 0.7 : 1.2;
        const Fitted fitted = confirmed({second < 1.0 ? 1.2 : 1.0, second});
        const std::vector<Confirmation> verdicts = confirmationVerdicts(fitted.study, fitted.fits);
        ASSERT_EQ(verdicts.size(), 1U);
        EXPECT_EQ(verdicts[0].settings, kSettings);
        EXPECT_EQ(verdicts[0].pending, 0);
        EXPECT_EQ(verdicts[0].isConfirmed, expected < 1.0);
        ASSERT_EQ(verdicts[0].responses.size(), 2U);
        for (const ConfirmedResponse& row : verdicts[0].responses) {
            EXPECT_EQ(row.runs, 2);
            EXPECT_NEAR(*row.halfWidths, expected, 1e-9);
            EXPECT_EQ(row.isInside, expected < 1.0);
            const auto fit = std::find_if(fitted.fits.begin(), fitted.fits.end(),
                                          [&](const model::Fit& f) { return f.response == row.response; });
            const double half = model::tLimit(kAlphaOfMean, fit->dfResidual) * fit->sigma *
                                std::sqrt(0.5 + row.predicted.leverage);
            EXPECT_NEAR(row.distance, expected * half, 1e-9 * half);
            EXPECT_THAT(row.sentence, testing::HasSubstr(expected < 1.0 ? "inside" : "outside"));
            EXPECT_THAT(row.sentence, testing::HasSubstr("the mean of 2 runs"));
            // The half widths are about 2600 and 0.68: no decimals, and two.
            const std::string number = row.response == "images_per_sec" ? "[0-9]+" : "[0-9]+[.][0-9][0-9]";
            EXPECT_THAT(row.sentence,
                        testing::ContainsRegex("runs is " + number + ", predicted " + number + ": "));
            EXPECT_THAT(row.sentence, testing::ContainsRegex("the interval " + number + " to " + number +
                                                             ", " + number + " above the prediction"));
        }
    }
}

/// Runs whose mean is the prediction to the digit, far apart from one another.
TEST(Confirmation, RefutesRunsThatScatter)
{
    for (const double shift : {0.2, 8.0}) {
        const Fitted fitted = confirmed({-shift, 0.0, shift});
        const Confirmation verdict = confirmationVerdicts(fitted.study, fitted.fits).at(0);
        EXPECT_EQ(verdict.isConfirmed, shift < 1.0);
        for (const ConfirmedResponse& row : verdict.responses) {
            EXPECT_TRUE(row.isInside);
            EXPECT_EQ(row.isScattered, shift > 1.0);
            EXPECT_EQ(row.sentence.find("scatter") != std::string::npos, shift > 1.0);
            const auto fit = std::ranges::find(fitted.fits, row.response, &model::Fit::response);
            const double half = row.predicted.prediction->high - row.predicted.mean;
            const double ratio = shift * shift * half * half / (fit->sigma * fit->sigma);
            EXPECT_NEAR(*row.scatterP, model::fProbability(ratio, 2, fit->dfResidual), 1e-9);
        }
    }
}

TEST(Confirmation, RefutesASettingThatCannotBeRun)
{
    for (const std::string kind :
         {"out-of-memory", "timeout", "crash", "cancelled", "job-lost", "node-lost", "preempted", "requeued",
          "not-started", "device-lost", "disk-full", "setup-failed"}) {
        const bool isVerdict = kind == "out-of-memory" || kind == "timeout" || kind == "crash";
        Fitted fitted = confirmed({0.0, 0.1});
        study::Run& run = fitted.study.runs.back();
        run.status = study::RunStatus::Failed;
        run.results.clear();
        run.failure = study::Failure{kind, "as said"};
        const Confirmation verdict = confirmationVerdicts(fitted.study, fitted.fits).at(0);
        EXPECT_EQ(verdict.failed.size(), isVerdict ? 1U : 0U) << kind;
        EXPECT_EQ(verdict.isConfirmed, !isVerdict) << kind;
        EXPECT_EQ(verdict.failure.find("could not be run") != std::string::npos, isVerdict)
            << verdict.failure;
    }
}

/// Values whose logarithms scatter around that of the prediction: the mean that is compared is not theirs.
TEST(Confirmation, NamesTheGeometricMeanOfALogModel)
{
    Fitted fitted = scalingStudy();
    for (study::Response& response : fitted.study.responses)
        response.transform.kind = study::TransformKind::Log;
    fitted.study = study::withRuns(fitted.study, {kSettings, kSettings}, study::RunKind::Confirmation);
    for (std::size_t i = 0; i < 2; ++i) {
        study::Run& run = fitted.study.runs[fitted.study.runs.size() - 2 + i];
        run.status = study::RunStatus::Done;
        run.results = {{"images_per_sec", i == 0 ? 10000.0 : 40000.0}, {"scaling_efficiency", 60.0}};
    }
    fitted.fits = model::fitStudy(fitted.study);
    const Confirmation verdict = confirmationVerdicts(fitted.study, fitted.fits).at(0);
    EXPECT_THAT(verdict.responses.at(0).sentence,
                testing::HasSubstr("the geometric mean of 2 runs is 20000"));
    EXPECT_NEAR(verdict.responses.at(0).observed, 20000.0, 1e-6);
}

/// Two blocks of a factorial that differ by 4 and by 6, and confirming runs `shift` above the prediction.
Fitted confirmedInBlocks(const std::vector<double>& shifts, const std::vector<int>& blocks)
{
    Fitted fitted;
    fitted.study.factors = {{.name = "A", .low = -1.0, .high = 1.0}, {.name = "B", .low = -1.0, .high = 1.0}};
    fitted.study.responses = {{.name = "y"}};
    fitted.study.model["y"] = "A + B";
    const auto add = [&](double a, double b, double y, int block, study::RunKind kind) {
        study::Run run;
        run.id = run.order = static_cast<int>(fitted.study.runs.size()) + 1;
        run.block = block;
        run.kind = kind;
        run.settings = {{"A", a}, {"B", b}};
        run.results = {{"y", y}};
        run.status = study::RunStatus::Done;
        fitted.study.runs.push_back(run);
    };
    int i = 0;
    for (const int block : {1, 2, 3})
        for (const double a : {-1.0, 1.0})
            for (const double b : {-1.0, 1.0})
                add(a, b, 50 + 2 * a - b + 5.0 * block + 0.1 * ((7 * ++i) % 5), block,
                    study::RunKind::Design);
    const double predicted =
        model::predictMean(model::fitStudy(fitted.study)[0], study::CodedPoint(Eigen::Vector2d(0.5, 0.5)));
    for (std::size_t k = 0; k < shifts.size(); ++k)
        add(0.5, 0.5, predicted + shifts[k], blocks[k], study::RunKind::Confirmation);
    fitted.fits = model::fitStudy(fitted.study);
    return fitted;
}

/// Blocks differ by 5, runs by 0.1: three runs of a new session that are 6 off refute nothing.
TEST(Confirmation, RunsInANewBlockMayDifferAsBlocksDo)
{
    const Fitted fitted = confirmedInBlocks({6.0, 6.1, 5.9}, {4, 4, 4});
    const Confirmation verdict = confirmationVerdicts(fitted.study, fitted.fits).at(0);
    const ConfirmedResponse& row = verdict.responses.at(0);
    EXPECT_TRUE(verdict.isConfirmed) << row.sentence;
    EXPECT_LT(row.predicted.prediction->high - row.predicted.mean, 1.0);
    EXPECT_THAT(row.sentence, testing::HasSubstr("for a new block"));
    EXPECT_NEAR(*row.halfWidths * (row.predicted.newBlock->high - row.predicted.mean), 6.0, 1e-9);
    const Fitted far = confirmedInBlocks({60.0, 60.1, 59.9}, {4, 4, 4});
    EXPECT_FALSE(confirmationVerdicts(far.study, far.fits).at(0).isConfirmed);
}

/// Scatter is that within the new blocks: two of them may differ by 5.
TEST(Confirmation, BlocksOfConfirmingRunsAreNoScatter)
{
    const Fitted apart = confirmedInBlocks({-2.5, -2.4, 2.5, 2.6}, {4, 4, 5, 5});
    EXPECT_FALSE(confirmationVerdicts(apart.study, apart.fits).at(0).responses.at(0).isScattered);
    const Fitted within = confirmedInBlocks({-2.5, 2.5, 2.6, -2.4}, {4, 4, 5, 5});
    EXPECT_TRUE(confirmationVerdicts(within.study, within.fits).at(0).responses.at(0).isScattered);
}

TEST(Confirmation, WaitsForResults)
{
    Fitted fitted = scalingStudy();
    EXPECT_TRUE(confirmationVerdicts(fitted.study, fitted.fits).empty());
    fitted.study = study::withRuns(fitted.study, {kSettings, kSettings}, study::RunKind::Confirmation);
    const std::vector<Confirmation> verdicts = confirmationVerdicts(fitted.study, fitted.fits);
    ASSERT_EQ(verdicts.size(), 1U);
    EXPECT_EQ(verdicts[0].pending, 2);
    EXPECT_TRUE(verdicts[0].responses.empty());
    EXPECT_FALSE(verdicts[0].isConfirmed);
}

/// The eight corners of A, B, C with y = 50 + effect·(A + B + C) ± 1, the sign that of A·B·C: to a linear
/// model of A, B and C an error of standard deviation √2 that is orthogonal to it.
study::Study corners(double effect)
{
    study::Study study;
    for (const char* name : {"A", "B", "C"}) {
        study::Factor& factor = study.factors.emplace_back();
        factor.name = name;
        factor.low = -1.0;
        factor.high = 1.0;
    }
    study.responses.emplace_back().name = "y";
    study.responses.front().goal = study::Goal::Maximize;
    study.model["y"] = "linear";
    for (int i = 0; i < 8; ++i) {
        const auto at = [i](int factor) { return (i >> factor) % 2 == 0 ? -1.0 : 1.0; };
        study::Run& run = study.runs.emplace_back();
        run.id = run.order = i + 1;
        run.status = study::RunStatus::Done;
        run.settings = {{"A", at(0)}, {"B", at(1)}, {"C", at(2)}};
        run.results["y"] = 50.0 + effect * (at(0) + at(1) + at(2)) + at(0) * at(1) * at(2);
    }
    return study;
}

CorrectedPrediction correctedOf(const study::Study& study, int replicates)
{
    const std::vector<model::Fit> fits = fitForGoals(study);
    return correctOptimum(study, fits, findOptimum(study, fits), {}, replicates).responses.at(0);
}

// The best corner of three effects that are noise is the sum of three half-normal variables of standard
// deviation σ/√8 above the truth: 3 σ √(2/(8π)).
TEST(OptimismTest, NoiseIsAsOptimisticAsHalfNormalVariables)
{
    const CorrectedPrediction y = correctedOf(corners(0.0), 300);
    EXPECT_NEAR(y.optimism, 3.0 * std::sqrt(2.0) * std::sqrt(2.0 / (8.0 * M_PI)), 0.2);
    EXPECT_NEAR(y.mean, 50.0 - y.optimism, 1e-9);
}

// The best corner is the same for all noise: nothing was chosen by it, and the interval is the textbook one,
// of t with 4 degrees of freedom and leverage 1/2 (R: qt(0.975, 4) * sqrt(2 * 0.5)).
TEST(OptimismTest, LargeEffectsAreNotCorrected)
{
    const CorrectedPrediction y = correctedOf(corners(20.0), 200);
    EXPECT_NEAR(y.optimism, 0.0, 4.0 / std::sqrt(200.0));
    EXPECT_NEAR(y.confidence->high - y.mean, 2.776445105, 0.5);
    EXPECT_NEAR(y.prediction->high - y.mean, 2.776445105 * std::sqrt(3.0), 0.5);
}

TEST(OptimismTest, TheSameStudyHasTheSameCorrection)
{
    EXPECT_EQ(correctedOf(corners(0.0), 20).mean, correctedOf(corners(0.0), 20).mean);
}

TEST(OptimismTest, WithoutErrorOrWhenStoppedThereIsNoCorrection)
{
    study::Study study = corners(1.0);
    const std::vector<model::Fit> fits = fitForGoals(study);
    const Optimum optimum = findOptimum(study, fits);
    std::stop_source stop;
    stop.request_stop();
    OptimizeOptions options;
    options.stop = stop.get_token();
    EXPECT_THAT(correctOptimum(study, fits, optimum, options).responses, testing::IsEmpty());
    study.model["y"] = "A + B + C + A*B + A*C + B*C + A*B*C";
    const std::vector<model::Fit> saturated = fitForGoals(study);
    EXPECT_THAT(correctOptimum(study, saturated, findOptimum(study, saturated)).responses,
                testing::IsEmpty());
}

} // namespace

} // namespace quadric::optimize
