// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"
#include "experiment.h"

#include "core/model/feasibility/feasibility.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/next/run_plan.h"

#include <algorithm>
#include <cmath>

namespace quadric::answers {

namespace {

constexpr int kFactors = 3;
constexpr int kFewerStudies = 4; ///< than of other kinds: each takes the fit of a Gaussian process
constexpr int kPoints = 20;      ///< at which each study is asked

struct Mean {
    double value = 0.0, error = 0.0; ///< with its standard error
};

Mean meanOf(const std::vector<double>& values)
{
    const auto count = static_cast<double>(values.size());
    double mean = 0.0, squares = 0.0;
    for (const double value : values)
        mean += value / count;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return {mean, std::sqrt(squares / (count - 1.0) / count)};
}

study::CodedPoint drawPoint(Random& random)
{
    study::CodedPoint point(Eigen::VectorXd::Zero(kFactors));
    for (double& x : point.x)
        x = drawUniform(random, -1.0, 1.0);
    return point;
}

/// Which settings give a result, on the scale of standard deviations or log odds: above 0 rather than not.
struct Boundary {
    const char* words;
    bool isBent = false;
    bool isSharp = true; ///< a setting always runs or always fails; otherwise the log odds
    bool isTold = false; ///< it is the log of the limit over the memory, and the worker says an estimate
};

constexpr Boundary kBoundaries[] = {
    {"a plane"},
    {"a bent one", true},
    {"a bent one of memory, which the worker estimates to 5 %", true, true, true},
    {"log odds of a plane", false, false}};
constexpr double kEstimateError = 0.05;

struct Side {
    Boundary boundary;
    Eigen::Vector3d slope;
    double constant = 0.0;

    double at(const study::CodedPoint& point) const
    {
        const double bend =
            boundary.isBent ? 0.8 * point.x[0] * point.x[1] - 0.6 * point.x[2] * point.x[2] : 0.0;
        return constant + slope.dot(point.x) + bend;
    }
    double probability(const study::CodedPoint& point) const
    {
        const double odds = at(point);
        if (boundary.isSharp)
            return odds >= 0.0 ? 1.0 : 0.0;
        return 1.0 / (1.0 + std::exp(-odds));
    }
};

Side drawSide(const Boundary& boundary, Random& random)
{
    const double size = boundary.isSharp ? 1.0 : 2.0;
    return {boundary, size * Eigen::Vector3d(drawNormal(random), drawNormal(random), drawNormal(random)),
            size * drawUniform(random, 0.0, 0.8)};
}

/// Runs of a space-filling design that fail by chance, and give `value` of their point where they do not.
template <class Value>
study::Study ranWithFailures(int runs, const Side& side, const Value& value, Random& random)
{
    study::Study study = planned("latin-hypercube", kFactors, runs);
    const study::Coding coding(study.factors);
    for (study::Run& run : study.runs) {
        const study::CodedPoint point = coding.toCoded(run.settings);
        run.status = study::RunStatus::Done;
        if (side.boundary.isTold)
            run.provenance.memoryEstimateMib =
                1000.0 * std::exp(kEstimateError * drawNormal(random) - side.at(point));
        if (drawUniform(random, 0.0, 1.0) < side.probability(point)) {
            run.results["y"] = value(point);
            continue;
        }
        run.status = study::RunStatus::Failed;
        run.failure = study::Failure{"out-of-memory", ""};
    }
    return study;
}

/// Calls visit(what is said of a point, its true probability) at places of studies in which runs failed.
template <class Visit>
void visitPlaces(const Boundary& boundary, int studies, std::uint64_t seed, const Visit& visit)
{
    Random random(seed);
    for (int i = 0; i < studies; ++i) {
        const Side side = drawSide(boundary, random);
        const study::Study study = ranWithFailures(
            30, side, [](const study::CodedPoint&) { return 1.0; }, random);
        const model::Feasibility feasibility(study);
        for (int k = 0; k < kPoints && feasibility.hasFailures(); ++k) {
            const study::CodedPoint point = drawPoint(random);
            visit(feasibility.at(point.x), side.probability(point));
        }
    }
}

Claim simulateBoundary(const Boundary& boundary, int studies)
{
    int asked = 0;
    int right = 0;
    visitPlaces(boundary, studies, 61, [&](const model::RunProbability& found, double truth) {
        if (boundary.isSharp && found.low <= 0.5)
            return;
        ++asked;
        right +=
            boundary.isSharp ? (truth > 0.5 ? 1 : 0) : (found.low <= truth && truth <= found.high ? 1 : 0);
    });
    const std::string subject =
        boundary.isSharp ? "Settings whose 95 % interval of the probability lies above a half give a "
                           "result: boundary is "
                         : "95 % interval of the probability of giving a result: ";
    return makeShare(subject + boundary.words, right, std::max(asked, 1), boundary.isSharp ? 0.95 : 0.93,
                     1.0);
}

/// Settings that rather give a result than not, but not surely: the mean of what is said of them less the
/// share that does.
Claim simulateCalibration(const Boundary& boundary, int studies)
{
    std::vector<double> errors;
    visitPlaces(boundary, studies, 65, [&](const model::RunProbability& found, double truth) {
        if (found.probability > 0.5 && found.probability < 0.95)
            errors.push_back(found.probability - truth);
    });
    const Mean mean = meanOf(errors);
    return {
        std::string("Probability of giving a result, of 50 to 95 %, less the share that does: boundary is ") +
            boundary.words,
        static_cast<int>(errors.size()),
        mean.value,
        mean.error,
        -0.1,
        0.1,
        false,
        ""};
}

/// A hill on a slope, steeper than a quadratic follows where `steep` is large.
struct Hill {
    Eigen::Vector3d top, slope;
    double steep = 1.0;

    double at(const study::CodedPoint& point) const
    {
        return 100.0 + slope.dot(point.x) + 20.0 * std::exp(-steep * (point.x - top).squaredNorm());
    }
};

Hill drawHill(double steep, Random& random)
{
    Hill hill;
    hill.steep = steep;
    for (Eigen::Index i = 0; i < kFactors; ++i) {
        hill.top[i] = drawUniform(random, -0.8, 0.8);
        hill.slope[i] = 2.0 * drawNormal(random);
    }
    return hill;
}

/// What one run gave beyond the best prediction so far, over what it was expected to: the means over the
/// studies.
Claim simulateGain(bool hasFailures, int studies)
{
    Random random(62);
    double expected = 0.0;
    std::vector<double> given;
    const Side everywhere{kBoundaries[0], Eigen::Vector3d::Zero(), 1.0};
    for (int i = 0; i < studies; ++i) {
        const Hill hill = drawHill(1.0, random);
        const Side side = hasFailures ? drawSide(kBoundaries[1], random) : everywhere;
        const auto measure = [&](const study::CodedPoint& point) {
            return hill.at(point) + drawNormal(random);
        };
        const study::Study study = ranWithFailures(15, side, measure, random);
        const std::vector<model::Process> processes = model::fitProcesses(study);
        optimize::PlanOptions options;
        options.most = 1;
        options.leastGain = 0.0;
        const optimize::RunPlan plan = optimize::planRuns(study, processes, options);
        if (!plan.isOk() || plan.runs.empty())
            continue;
        const study::Coding coding(study.factors);
        double best = 0.0;
        for (const study::Run& run : study.runs)
            if (run.status == study::RunStatus::Done)
                best = std::max(best, processes.front().predictMean(coding.toCoded(run.settings)));
        const study::CodedPoint next = coding.toCoded(plan.runs.front().settings);
        const double gain = std::max(0.0, hill.at(next) / best - 1.0);
        given.push_back(side.probability(next) > 0.5 ? gain : 0.0);
        expected += plan.runs.front().gain;
    }
    const Mean mean = meanOf(given);
    expected /= static_cast<double>(given.size());
    return {std::string("Gain of the next run over the expected one") +
                (hasFailures ? ", some settings fail" : ""),
            static_cast<int>(given.size()),
            mean.value / expected,
            mean.error / expected,
            0.2,
            1.1, // what a run may gain is no promise, but no less than it gains
            false,
            ""};
}

} // namespace

std::vector<Claim> simulateFollowUps(int studies)
{
    studies = std::max(studies / kFewerStudies, 10);
    std::vector<Claim> claims;
    for (const Boundary& boundary : kBoundaries)
        claims.push_back(simulateBoundary(boundary, studies));
    for (const std::size_t bent : {1, 2})
        claims.push_back(simulateCalibration(kBoundaries[bent], studies));
    claims.push_back(simulateGain(false, studies));
    claims.push_back(simulateGain(true, studies));
    return claims;
}

} // namespace quadric::answers
