// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/process/process.h"

#include "core/algebra/factorizations.h"
#include "core/model/base/distributions.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace quadric::model {

namespace {

constexpr Eigen::Index kFewestRuns = 4;
constexpr Eigen::Index kFewestDegrees = 3;
constexpr double kShareOfMean = 0.6; ///< largest share of the runs that the coefficients of a mean may be
constexpr double kFarAbove = 1000.0; ///< times the largest value seen: where a transform explodes
constexpr double kSmallPivot = 1e-8;

/// The mean of a process: columns that the runs can tell apart.
struct Trend {
    std::vector<Column> columns;
    Eigen::MatrixXd matrix;
};

std::vector<Trend> trendsFor(const Observations& data, const std::vector<study::Factor>& factors)
{
    std::vector<Trend> trends;
    for (const Order order : {Order::Mean, Order::Linear, Order::Quadratic}) {
        Trend trend{columnsOf(termsOf(order, factors), factors), {}};
        trend.matrix = designMatrix(data, blocksOf(data), trend.columns, factors);
        const Eigen::Index n = data.size();
        const Eigen::Index p = trend.matrix.cols();
        const bool isSmall =
            order == Order::Mean || static_cast<double>(p) <= kShareOfMean * static_cast<double>(n);
        if (isSmall && n - p >= kFewestDegrees && algebra::rank(trend.matrix, kSmallPivot) == p)
            trends.push_back(std::move(trend));
    }
    return trends;
}

Eigen::MatrixXd pointsOf(const Observations& data, std::size_t factors)
{
    Eigen::MatrixXd points(data.size(), static_cast<Eigen::Index>(factors));
    for (Eigen::Index i = 0; i < data.size(); ++i)
        points.row(i) = data.points[static_cast<std::size_t>(i)].x.transpose();
    return points;
}

/// Groups of the same setting and block, as sets of one setting.
std::vector<int> settingGroups(const Observations& data, const std::vector<study::Factor>& factors)
{
    Observations together = data;
    std::ranges::fill(together.blocks, 0);
    return replicateGroups(together, factors);
}

Process unusable(Process process, FitStatus status, std::string message)
{
    process.status = status;
    process.message = std::move(message);
    return process;
}

/// What is given stays; otherwise also the logarithm, where there is one: rates and times are often products.
std::vector<study::Transform> transformsFor(const study::Study& study, std::string_view response,
                                            const ProcessOptions& options, const Observations& data)
{
    const study::Response* asked = study::findResponse(study, response);
    if (asked != nullptr && (options.transform || asked->bounds))
        return {transformFor(*asked, options.transform, data.y)};
    const study::Transform own = asked != nullptr ? asked->transform : study::Transform{};
    if (options.transform)
        return {*options.transform};
    if (own.kind != study::TransformKind::None || data.y.size() == 0 || data.y.minCoeff() <= 0.0)
        return {own};
    return {own, study::Transform{study::TransformKind::Log}};
}

/// A log density on the scale of a transform, of the same values in their own unit.
double inOwnUnit(double logScore, const study::Transform& transform, const Eigen::VectorXd& z)
{
    for (const double value : z)
        logScore -=
            std::log(std::max(std::abs(inverseSlope(transform, value)), std::numeric_limits<double>::min()));
    return logScore;
}

} // namespace

Eigen::VectorXd Process::trendAt(const Eigen::VectorXd& x) const
{
    Eigen::VectorXd row = Eigen::VectorXd::Zero(std::ssize(m_columns) + m_blockColumns);
    const study::CodedPoint point(x);
    for (std::size_t j = 0; j < m_columns.size(); ++j)
        row[j == 0 ? 0 : static_cast<Eigen::Index>(j) + m_blockColumns] =
            valueAt(m_columns[j], point, factors);
    return row;
}

double Process::meanAt(const Eigen::VectorXd& x) const
{
    return m_kriging->meanAt(m_data, x, trendAt(x));
}

SurfaceValue Process::surfaceAt(const Eigen::VectorXd& x) const
{
    const Eigen::VectorXd trend = trendAt(x);
    const Kriging::Value value = m_kriging->at(m_data, x, trend);
    const double likeliest = m_kriging->variance() * value.varianceFactor;
    double variance = likeliest;
    for (std::size_t i = 0; i + 1 < m_around.size(); i += 2) {
        const Kriging::Value up = m_around[i].at(m_data, x, trend);
        const Kriging::Value down = m_around[i + 1].at(m_data, x, trend);
        variance += 0.25 * std::pow(up.mean - down.mean, 2) +
                    0.5 * (m_around[i].variance() * up.varianceFactor +
                           m_around[i + 1].variance() * down.varianceFactor - 2.0 * likeliest);
    }
    return {value.mean, std::sqrt(m_spread * std::max(variance, 0.0))};
}

/// Solutions beside the likeliest, for what the parameters leave open.
void Process::solveAround()
{
    m_around.clear();
    for (Eigen::Index i = 0; i < m_steps.cols(); ++i) {
        std::optional<Kriging> up = Kriging::solve(m_data, m_kriging->parameters() + m_steps.col(i));
        std::optional<Kriging> down = Kriging::solve(m_data, m_kriging->parameters() - m_steps.col(i));
        if (!up || !down)
            continue;
        m_around.push_back(std::move(*up));
        m_around.push_back(std::move(*down));
    }
}

double Process::toResponseUnit(double z) const
{
    if (transform.kind == study::TransformKind::Logit)
        return invertTransform(transform, z);
    const double most = kFarAbove * std::max(std::abs(smallestObserved), std::abs(largestObserved));
    if (!isInvertible(transform, z))
        return most;
    const double y = invertTransform(transform, z);
    return std::isfinite(y) ? std::clamp(y, -most, most) : most;
}

double Process::predictMean(const study::CodedPoint& point) const
{
    return toResponseUnit(meanAt(point.x));
}

Interval Process::predictNewRun(const study::CodedPoint& point, double confidence) const
{
    const auto [z, deviation] = surfaceAt(point.x);
    const double half = tLimit(1.0 - confidence, m_kriging->df()) * std::hypot(deviation, sigma);
    const auto [low, high] = std::minmax({toResponseUnit(z - half), toResponseUnit(z + half)});
    return {low, high};
}

Process Process::withRun(const Eigen::VectorXd& x) const
{
    Process more = *this;
    const Eigen::Index count = m_data.values.size();
    more.m_data.points.conservativeResize(count + 1, Eigen::NoChange);
    more.m_data.points.row(count) = x.transpose();
    more.m_data.trend.conservativeResize(count + 1, Eigen::NoChange);
    more.m_data.trend.row(count) = trendAt(x).transpose();
    more.m_data.values.conservativeResize(count + 1);
    more.m_data.values[count] = meanAt(x);
    std::optional<Kriging> solved = Kriging::solve(more.m_data, m_kriging->parameters());
    if (!solved)
        return *this;
    // A result that is as predicted says nothing of the variance.
    solved->keepVariance(*m_kriging);
    more.m_kriging = std::move(solved);
    more.solveAround();
    for (std::size_t i = 0; i < std::min(more.m_around.size(), m_around.size()); ++i)
        more.m_around[i].keepVariance(m_around[i]);
    return more;
}

/// Fits candidate after candidate and keeps the one that predicts settings left out best.
class ProcessChooser {
public:
    ProcessChooser(Process process, int starts, std::vector<int> groups)
        : m_best(std::move(process))
        , m_starts(starts)
        , m_groups(std::move(groups))
    {
    }

    void consider(const study::Transform& transform, const Observations& data, Trend trend)
    {
        KrigingData candidate{m_best.m_data.correlation, m_best.m_data.points, std::move(trend.matrix),
                              data.z};
        const std::optional<Kriging> kriging = findKriging(candidate, m_starts, m_known);
        if (!kriging)
            return;
        m_starts = std::max(1, m_starts - 1);
        m_known = kriging->parameters();
        const LeftOut left = leaveOutGroups(candidate, *kriging, m_groups);
        const double score = inOwnUnit(left.logScore, transform, data.z);
        if (m_best.m_kriging && score <= m_score)
            return;
        m_score = score;
        m_best.transform = transform;
        m_best.m_columns = std::move(trend.columns);
        m_best.m_data = std::move(candidate);
        m_best.m_kriging = kriging;
        m_best.m_spread = std::max(1.0, (left.residuals.array() / left.deviations.array()).square().mean());
    }

    Process result() &&
    {
        if (!m_best.m_kriging)
            return unusable(std::move(m_best), FitStatus::TooFewRuns,
                            "the runs do not determine a Gaussian process: all results are the same, or too "
                            "few");
        m_best.status = FitStatus::Ok;
        m_best.m_steps = parameterSteps(m_best.m_data, *m_best.m_kriging);
        m_best.solveAround();
        m_best.sigma = std::sqrt(m_best.m_kriging->variance() * m_best.m_spread * m_best.m_kriging->noise());
        return std::move(m_best);
    }

private:
    Process m_best;
    double m_score = 0.0; ///< log density of the values at settings left out
    int m_starts;
    std::vector<int> m_groups;
    Eigen::VectorXd m_known; ///< parameters of the latest candidate, where the next one starts
};

Process fitProcess(const study::Study& study, std::string_view response, const ProcessOptions& options)
{
    Process process;
    process.response = response;
    process.factors = study.factors;
    const study::Response* asked = study::findResponse(study, response);
    if (asked != nullptr)
        process.transform = asked->transform;
    process.transform = options.transform.value_or(process.transform);
    Observations data;
    try {
        data = collect(study, response);
        if (asked != nullptr)
            process.transform = transformFor(*asked, options.transform, data.y);
        transformObservations(process.transform, response, data);
    } catch (const std::domain_error& error) {
        return unusable(std::move(process), FitStatus::BadTransform, error.what());
    } catch (const std::invalid_argument& error) {
        return unusable(std::move(process), FitStatus::NoData, error.what());
    }
    if (data.size() < kFewestRuns)
        return unusable(std::move(process), FitStatus::TooFewRuns,
                        "a Gaussian process needs " + std::to_string(kFewestRuns) + " runs with a result");
    process.smallestObserved = data.y.minCoeff();
    process.largestObserved = data.y.maxCoeff();
    process.m_data = {Correlation(study.factors), pointsOf(data, study.factors.size()), {}, data.z};
    process.m_blockColumns = static_cast<Eigen::Index>(countBlockColumns(data));

    ProcessChooser chooser(std::move(process), options.starts, settingGroups(data, study.factors));
    for (const study::Transform& transform : transformsFor(study, response, options, data)) {
        Observations scaled = data;
        transformObservations(transform, response, scaled);
        for (Trend& trend : trendsFor(scaled, study.factors))
            chooser.consider(transform, scaled, std::move(trend));
    }
    return std::move(chooser).result();
}

std::vector<Process> fitProcesses(const study::Study& study, const ProcessOptions& options)
{
    std::vector<Process> processes;
    for (const study::Response& response : study.responses)
        processes.push_back(fitProcess(study, response.name, options));
    return processes;
}

} // namespace quadric::model
