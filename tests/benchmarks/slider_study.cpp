// SPDX-License-Identifier: GPL-3.0-or-later
#include "slider_study.h"

#include <cmath>

namespace quadric {

namespace {

study::Factor factorOf(int index, BenchmarkFactors kind)
{
    study::Factor factor;
    factor.name = std::string(1, static_cast<char>('a' + index));
    factor.low = 8;
    factor.high = index == 1 ? 256 : 64;
    const bool isInteger = kind == BenchmarkFactors::Listed || (kind == BenchmarkFactors::Mixed && index < 2);
    factor.type = isInteger ? study::FactorType::Integer : study::FactorType::Continuous;
    return factor;
}

double measured(int response, const Eigen::VectorXd& x)
{
    double sum = 10.0;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        sum += std::sin(1.0 + response + 2.0 * static_cast<double>(i)) * x[i];
        sum -= 0.4 * std::cos(2.0 * response + static_cast<double>(i)) * x[i] * x[i];
        sum += 0.3 * std::sin(response + static_cast<double>(i)) * x[i] * x[(i + 1) % x.size()];
    }
    // A little noise that a quadratic model cannot follow, so that there are intervals.
    return sum + 0.05 * std::sin(37.0 * sum + 11.0 * x.sum());
}

/// Walks through the grid of three levels in steps that have no divisor in common with it.
study::CodedPoint pointOf(int row, int factors)
{
    const auto size = static_cast<long>(std::pow(3, factors));
    long rest = (row * 13L) % size;
    study::CodedPoint point{Eigen::VectorXd(factors)};
    for (Eigen::Index i = 0; i < factors; ++i, rest /= 3)
        point[i] = static_cast<double>(rest % 3) - 1.0;
    return point;
}

} // namespace

study::Study sliderStudy(int factors, int responses, int runs, BenchmarkFactors kind)
{
    study::Study study;
    study.name = "slider";
    for (int i = 0; i < factors; ++i)
        study.factors.push_back(factorOf(i, kind));
    for (int i = 0; i < responses; ++i) {
        study::Response response;
        response.name = "y" + std::to_string(i);
        response.goal = i % 2 == 0 ? study::Goal::Maximize : study::Goal::Minimize;
        study.responses.push_back(response);
    }
    const study::Coding coding(study.factors);
    for (int row = 0; row < runs; ++row) {
        study::Run run;
        run.id = run.order = row + 1;
        run.status = study::RunStatus::Done;
        run.settings = coding.toLegalSettings(pointOf(row, factors));
        for (int i = 0; i < responses; ++i)
            run.results["y" + std::to_string(i)] = measured(i, coding.toCoded(run.settings).x);
        study.runs.push_back(run);
    }
    return study;
}

} // namespace quadric
