// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/time/run_durations.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"
#include "core/workload/knob_table.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <string>

namespace quadric::run {

namespace {

/// Expected ratio of a slope per coded unit to the noise of log seconds at equal settings: the ridge.
constexpr double kSlopePerNoise = 3.0;
/// Noise expected before any run, and how many runs that expectation counts for.
constexpr double kExpectedNoise = 0.05;
constexpr double kExpectedRuns = 1.0;
/// Student's t of fewer degrees of freedom would make the interval after one run useless.
constexpr double kLeastFreedom = 2.0;
/// More tell nothing new, and a runner must not grow with its runs.
constexpr std::size_t kMostRuns = 64;

Eigen::MatrixXd stacked(const std::vector<Eigen::RowVectorXd>& points)
{
    Eigen::MatrixXd rows(std::ssize(points), points.front().size());
    for (std::size_t i = 0; i < points.size(); ++i)
        rows.row(static_cast<Eigen::Index>(i)) = points[i];
    return rows;
}

/// Level and slopes of log seconds.
struct LogLinear {
    Eigen::VectorXd coefficients;
    Eigen::MatrixXd covariance; ///< in units of `variance`
    double variance = 0.0;      ///< of log seconds at equal settings
    double freedom = 0.0;
};

/// `points`: at least one.
LogLinear fitRidge(const std::vector<Eigen::RowVectorXd>& points, const std::vector<double>& logSeconds)
{
    const Eigen::MatrixXd x = stacked(points);
    const auto y = Eigen::Map<const Eigen::VectorXd>(logSeconds.data(), std::ssize(logSeconds));
    Eigen::VectorXd ridge = Eigen::VectorXd::Constant(x.cols(), 1.0 / (kSlopePerNoise * kSlopePerNoise));
    ridge[0] = 0.0; // nothing is expected of the level
    Eigen::MatrixXd information = algebra::cross(x);
    information.diagonal() += ridge;
    const algebra::Cholesky factor(information);
    const Eigen::VectorXd right = x.transpose() * y;
    LogLinear fit{.coefficients = factor.solve(right), .covariance = factor.inverse()};
    const double misfit = (y - x * fit.coefficients).squaredNorm() + ridge.dot(fit.coefficients.cwiseAbs2());
    const double freedom = static_cast<double>(x.rows()) - 1.0;
    fit.variance = (misfit + kExpectedRuns * kExpectedNoise * kExpectedNoise) / (freedom + kExpectedRuns);
    fit.freedom = std::max(freedom, kLeastFreedom);
    return fit;
}

/// The 95 % quantile of Student's t to 1 % (Abramowitz & Stegun 1964, eq. 26.7.5).
double upperT(double freedom)
{
    return 1.644854 + (1.523775 + (1.420205 + 0.98392 / freedom) / freedom) / freedom;
}

/// The logarithm of the sum is taken as linear in level and slopes (delta method); its mean is moved by half
/// the spread of the logarithms around it, because large durations add more than small ones take away.
void addQuantiles(DurationForecast& result, const LogLinear& fit, const Eigen::MatrixXd& x,
                  const Eigen::VectorXd& weighted)
{
    const Eigen::VectorXd part = weighted / weighted.sum();
    const Eigen::VectorXd gradient = x.transpose() * part;
    const double together = gradient.dot(fit.covariance * gradient) + part.squaredNorm();
    const double apart = part.dot(algebra::times(x, fit.covariance).cwiseProduct(x).rowwise().sum()) + 1.0;
    const double mean = std::log(weighted.sum()) + 0.5 * fit.variance * (apart - together);
    const double half = upperT(fit.freedom) * std::sqrt(fit.variance * together);
    result.low = std::exp(mean - half);
    result.median = std::exp(mean);
    result.high = std::exp(mean + half);
}

/// Starting the ranks, building the network and ending them, beside the limit that the trainer keeps.
constexpr double kStartSeconds = 3.0;
constexpr double kSimulatedSeconds = 0.2; ///< for a run, however long its limit is

/// Before this share of a run is done, its progress says too little about its length.
constexpr double kLeastDone = 0.05;
/// From this share on it says more than the other runs do.
constexpr double kTrustedDone = 0.25;
/// Of the work that is expected: something is left as long as runs are.
constexpr double kLeastLeft = 0.05;

std::optional<double> ownEstimate(const RunProgress& run, double leastDone)
{
    return run.done > leastDone ? std::optional(run.elapsedSeconds / run.done) : std::nullopt;
}

/// What the first of these tells that has come far enough, as if it were done.
DurationModel learnedFrom(const std::vector<RunProgress>& active, DurationModel model)
{
    for (const RunProgress& run : active) {
        if (const auto seconds = ownEstimate(run, kLeastDone)) {
            model.add(run.settings, *seconds);
            break;
        }
    }
    return model;
}

double rest(const RunProgress& run, double expected)
{
    if (const auto own = ownEstimate(run, kTrustedDone))
        return *own * (1.0 - run.done);
    return std::max(expected - run.elapsedSeconds, expected * (1.0 - run.done) * kLeastDone);
}

/// What the runs that wait, and then those in progress, are expected to take in all.
DurationForecast forecastOf(const DurationModel& model, const std::vector<WaitingRun>& waiting,
                            const std::vector<RunProgress>& active)
{
    std::vector<study::Settings> all;
    std::vector<double> weights;
    all.reserve(waiting.size() + active.size());
    weights.reserve(waiting.size() + active.size());
    for (const WaitingRun& run : waiting) {
        all.push_back(run.settings);
        weights.push_back(run.share);
    }
    for (const RunProgress& run : active) {
        all.push_back(run.settings);
        weights.push_back(ownEstimate(run, kTrustedDone) ? 0.0 : run.share);
    }
    return model.forecast(all, weights);
}

/// Runs begin one after another, each as soon as its share is free; nobody overtakes.
class Schedule {
public:
    void begin(double seconds, double share)
    {
        while (m_used + share > 1.0 + kRounding && !m_active.empty())
            endNext();
        m_used += share;
        m_active.push({m_now + seconds, share});
        m_end = std::max(m_end, m_now + seconds);
    }

    /// When the last one is done.
    double end() const { return m_end; }

private:
    struct Active {
        double end = 0.0, share = 0.0;
        bool operator>(const Active& other) const { return end > other.end; }
    };

    void endNext()
    {
        m_now = std::max(m_now, m_active.top().end);
        m_used -= m_active.top().share;
        m_active.pop();
    }

    static constexpr double kRounding = 1e-9;
    std::priority_queue<Active, std::vector<Active>, std::greater<>> m_active;
    double m_now = 0.0, m_used = 0.0, m_end = 0.0;
};

} // namespace

DurationModel::DurationModel(const std::vector<study::Factor>& factors)
    : m_coding(factors)
{
}

/// 1 for the level, then coded values of numeric factors, one column of 0 and 1 per level of the others.
Eigen::RowVectorXd DurationModel::features(const study::Settings& settings) const
{
    const study::CodedPoint point = m_coding.toCoded(settings);
    std::vector<double> values = {1.0};
    for (std::size_t i = 0; i < m_coding.factors().size(); ++i) {
        const study::Factor& factor = m_coding.factors()[i];
        const double coded = point[static_cast<Eigen::Index>(i)];
        if (factor.isNumeric())
            values.push_back(coded);
        for (std::size_t level = 0; !factor.isNumeric() && level < factor.categories.size(); ++level)
            values.push_back(coded == static_cast<double>(level) ? 1.0 : 0.0);
    }
    return Eigen::Map<Eigen::RowVectorXd>(values.data(), std::ssize(values));
}

void DurationModel::add(const study::Settings& settings, double seconds)
{
    if (!(seconds > 0.0) || !std::isfinite(seconds))
        return;
    if (m_logSeconds.size() == kMostRuns) {
        m_features.erase(m_features.begin());
        m_logSeconds.erase(m_logSeconds.begin());
    }
    m_features.push_back(features(settings));
    m_logSeconds.push_back(std::log(seconds));
}

DurationForecast DurationModel::forecast(const std::vector<study::Settings>& runs,
                                         const std::vector<double>& weights) const
{
    DurationForecast result{.seconds = std::vector<double>(runs.size(), 0.0)};
    if (isEmpty() || runs.empty())
        return result;
    const LogLinear fit = fitRidge(m_features, m_logSeconds);
    std::vector<Eigen::RowVectorXd> points;
    for (const study::Settings& settings : runs)
        points.push_back(features(settings));
    const Eigen::MatrixXd x = stacked(points);
    Eigen::Map<Eigen::VectorXd> seconds(result.seconds.data(), x.rows());
    seconds = (x * fit.coefficients).array().exp();
    const Eigen::VectorXd weighted =
        seconds.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(weights.data(), x.rows()));
    if (!weighted.isZero(0.0))
        addQuantiles(result, fit, x, weighted);
    return result;
}

std::function<double(const study::Settings&)> DurationModel::secondsOf() const
{
    if (isEmpty())
        return {};
    return [model = *this,
            coefficients = fitRidge(m_features, m_logSeconds).coefficients](const study::Settings& settings) {
        return std::exp(model.features(settings).transpose().dot(coefficients));
    };
}

DurationModel learnDurations(const study::Study& study)
{
    DurationModel durations(study.factors);
    for (const study::Run& run : study.runs) {
        if (run.status == study::RunStatus::Done && run.provenance.seconds)
            durations.add(run.settings, *run.provenance.seconds);
    }
    return durations;
}

std::optional<double> expectedSeconds(const study::Study& study)
{
    if (study.benchmark.workload != "builtin")
        return std::nullopt;
    const double pending = study::countRuns(study, study::RunStatus::Pending);
    const auto engine = study.fixed.find("engine");
    if (engine != study.fixed.end() && study::toText(engine->second) == "simulated")
        return pending * kSimulatedSeconds;
    constexpr const workload::Knob& limit = workload::knob("max_seconds");
    const auto found = study.fixed.find(limit.name);
    const double seconds =
        found == study.fixed.end() ? std::stod(std::string(limit.usual)) : study::numberOf(found->second);
    return seconds > 0.0 ? std::optional(pending * (seconds + kStartSeconds)) : std::nullopt;
}

std::optional<double> secondsLeft(const RunProgress& run)
{
    const auto all = ownEstimate(run, kLeastDone);
    return all ? std::optional(*all * (1.0 - run.done)) : std::nullopt;
}

RemainingTime::RemainingTime(const study::Study& study)
    : m_model(study.factors)
{
    for (const study::Run& run : study.runs) {
        if (run.status == study::RunStatus::Done && run.provenance.seconds)
            addMeasuredDuration(run.settings, *run.provenance.seconds);
    }
}

std::optional<TimeLeft> RemainingTime::estimate(const std::vector<WaitingRun>& waiting,
                                                const std::vector<RunProgress>& active) const
{
    if (waiting.empty() && active.empty())
        return TimeLeft{};
    const DurationModel byProgress = m_model.isEmpty() ? learnedFrom(active, m_model) : DurationModel();
    const DurationModel& model = m_model.isEmpty() ? byProgress : m_model; // which remembers what it learned
    if (model.isEmpty())
        return std::nullopt;
    const DurationForecast expected = forecastOf(model, waiting, active);
    Schedule schedule;
    double work = 0.0, unknown = 0.0; // seconds × share: all of it, and the part that the runs done tell of
    const auto begin = [&](double seconds, double share) {
        schedule.begin(seconds, share);
        work += seconds * share;
    };
    for (std::size_t i = 0; i < active.size(); ++i) {
        const double all = expected.seconds[waiting.size() + i];
        begin(rest(active[i], all), active[i].share);
        unknown += ownEstimate(active[i], kTrustedDone) ? 0.0 : all * active[i].share;
    }
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        begin(expected.seconds[i], waiting[i].share);
        unknown += expected.seconds[i] * waiting[i].share;
    }
    const auto at = [&](double quantile) {
        return schedule.end() * std::max(kLeastLeft, 1.0 + (quantile - unknown) / work);
    };
    return TimeLeft{at(expected.median), at(expected.low), at(expected.high)};
}

} // namespace quadric::run
