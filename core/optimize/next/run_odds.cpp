// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/next/run_odds.h"

#include "core/algebra/factorizations.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quadric::optimize {

namespace {

/// Of the time of a run that gives a result, where a run that went out of memory does not say its own.
constexpr double kShareOutOfMemory = 0.1;
constexpr double kLeastSeconds = 1e-3;
constexpr double kReach = 0.5;    ///< length scale in coded units over √factors
constexpr double kOwnShare = 0.3; ///< variance of an outcome that its neighbours do not share
constexpr double kSmallestProbability = 1e-3;

double meanOf(const std::vector<double>& values)
{
    return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
}

} // namespace

RunOdds::RunOdds(const study::Study& study, std::function<double(const study::Settings&)> secondsOf)
    : m_feasibility(model::feasibilityOf(study))
    , m_secondsOf(std::move(secondsOf))
{
    for (const study::Factor& factor : study.factors)
        m_isNumeric.push_back(factor.isNumeric());
    learnTimes(study);
    if (m_feasibility)
        learnNearby();
}

void RunOdds::learnTimes(const study::Study& study)
{
    std::vector<double> done;
    for (const study::Run& run : study.runs) {
        if (run.status == study::RunStatus::Done && run.provenance.seconds.value_or(0.0) > 0.0)
            done.push_back(*run.provenance.seconds);
    }
    if (!done.empty())
        m_typical = meanOf(done);
    std::vector<double> failed;
    for (const study::Run& run : study.runs) {
        if (!study::isFailureOfSettings(run))
            continue;
        const bool isShort = run.failure && run.failure->kind == "out-of-memory";
        failed.push_back(run.provenance.seconds.value_or((isShort ? kShareOutOfMemory : 1.0) * m_typical));
        m_caution += run.kind == study::RunKind::Augment ? 1.0 : 0.0;
    }
    if (!failed.empty())
        m_failed = meanOf(failed);
}

void RunOdds::learnNearby()
{
    const model::RunOutcomes& outcomes = m_feasibility->outcomes();
    const Eigen::Index count = outcomes.points.rows();
    Eigen::MatrixXd covariance(count, count);
    Eigen::VectorXd residuals(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const Eigen::VectorXd x = outcomes.points.row(i).transpose();
        covariance.col(i) = nearnessAt(x);
        residuals[i] =
            (outcomes.hasRun[static_cast<std::size_t>(i)] ? 1.0 : 0.0) - m_feasibility->modeledAt(x);
    }
    covariance.diagonal().array() += kOwnShare;
    m_corrections = algebra::Cholesky(covariance).solve(residuals);
}

Eigen::VectorXd RunOdds::nearnessAt(const Eigen::VectorXd& x) const
{
    const Eigen::MatrixXd& points = m_feasibility->outcomes().points;
    Eigen::ArrayXd squares = Eigen::ArrayXd::Zero(points.rows());
    for (Eigen::Index j = 0; j < x.size(); ++j) {
        const Eigen::ArrayXd away = points.col(j).array() - x[j];
        if (m_isNumeric[static_cast<std::size_t>(j)])
            squares += away.square();
        else
            squares += (away != 0.0).cast<double>();
    }
    return (-0.5 * squares / (kReach * kReach * static_cast<double>(x.size()))).exp();
}

double RunOdds::probabilityAt(const Eigen::VectorXd& x) const
{
    if (!m_feasibility)
        return 1.0;
    if (m_feasibility->isKnownToFail(x))
        return 0.0;
    return std::clamp(m_feasibility->modeledAt(x) + m_corrections.dot(nearnessAt(x)), kSmallestProbability,
                      1.0);
}

double RunOdds::secondsOfResult(const study::Settings& settings) const
{
    return m_secondsOf ? m_secondsOf(settings) : 0.0;
}

double RunOdds::logWeight(const study::Settings& settings, double probability, Caution caution) const
{
    const double result = m_secondsOf ? m_secondsOf(settings) : m_typical;
    const double expected = probability * result + (1.0 - probability) * m_failed;
    const double power = caution == Caution::None ? 1.0 : m_caution;
    return power * std::log(std::max(probability, kSmallestProbability)) -
           std::log(std::max(expected, kLeastSeconds));
}

} // namespace quadric::optimize
