// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment.h"

#include "core/design/base/design.h"

#include <cmath>
#include <numbers>

namespace quadric::answers {

double drawUniform(Random& random, double low, double high)
{
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
}

double drawNormal(Random& random)
{
    const double u = 1.0 - drawUniform(random, 0.0, 1.0);
    return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * drawUniform(random, 0.0, 1.0));
}

double Truth::at(const study::CodedPoint& x) const
{
    return constant + linear.dot(x.x) + x.x.dot(quadratic * x.x);
}

study::Study planned(const std::string& designType, int factors, int runs)
{
    study::Study study;
    study.name = designType;
    for (int i = 0; i < factors; ++i) {
        study::Factor factor;
        factor.name = std::string(1, static_cast<char>('A' + i));
        factor.low = -1.0;
        factor.high = 1.0;
        study.factors.push_back(factor);
    }
    study::Response response;
    response.name = "y";
    response.goal = study::Goal::Maximize;
    study.responses.push_back(response);
    study.design.type = designType;
    if (runs > 0)
        study.design.runs = runs;
    study.design.centerRuns = design::usualCenterRuns(study, designType);
    return design::layOut(study);
}

Truth noiseOnly(int factors, double sigma)
{
    return {50.0, Eigen::VectorXd::Zero(factors), Eigen::MatrixXd::Zero(factors, factors), sigma};
}

Truth drawTruth(Random& random, int factors, double size, double sigma)
{
    Truth truth = noiseOnly(factors, sigma);
    for (Eigen::Index i = 0; i < factors; ++i) {
        truth.linear[i] = size * drawNormal(random);
        truth.quadratic(i, i) = size / 2.0 * drawNormal(random);
        for (Eigen::Index j = 0; j < i; ++j)
            truth.quadratic(i, j) = truth.quadratic(j, i) = size / 4.0 * drawNormal(random);
    }
    return truth;
}

study::Study measured(study::Study study, const Truth& truth, Random& random)
{
    const study::Coding coding(study.factors);
    for (study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Pending)
            continue;
        run.results["y"] = truth.at(coding.toCoded(run.settings)) + truth.sigma * drawNormal(random);
        run.status = study::RunStatus::Done;
    }
    return study;
}

} // namespace quadric::answers
