// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/follow/run_durations.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"
#include "core/workload/knob_table.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace quadric::run {

namespace {

/// Expected ratio of a slope per coded unit to the noise of log seconds at equal settings: the ridge.
constexpr double kSlopePerNoise = 3.0;
constexpr std::size_t kMostRuns = 64;

/// 1 for the level, then coded values of numeric factors, one column of 0 and 1 per level of the others.
Eigen::RowVectorXd featuresOf(const study::Coding& coding, const study::Settings& settings)
{
    const study::CodedPoint point = coding.toCoded(settings);
    std::vector<double> values = {1.0};
    for (std::size_t i = 0; i < coding.factors().size(); ++i) {
        const study::Factor& factor = coding.factors()[i];
        const double coded = point[static_cast<Eigen::Index>(i)];
        if (factor.isNumeric())
            values.push_back(coded);
        for (std::size_t level = 0; !factor.isNumeric() && level < factor.categories.size(); ++level)
            values.push_back(coded == static_cast<double>(level) ? 1.0 : 0.0);
    }
    return Eigen::Map<Eigen::RowVectorXd>(values.data(), std::ssize(values));
}

/// Level and slopes.
Eigen::VectorXd fitRidge(const Eigen::MatrixXd& x, const Eigen::VectorXd& y)
{
    Eigen::VectorXd ridge = Eigen::VectorXd::Constant(x.cols(), 1.0 / (kSlopePerNoise * kSlopePerNoise));
    ridge[0] = 0.0; // nothing is expected of the level
    Eigen::MatrixXd information = algebra::cross(x);
    information.diagonal() += ridge;
    const Eigen::VectorXd right = x.transpose() * y;
    return algebra::Cholesky(information).solve(right);
}

bool hasDuration(const study::Run& run)
{
    const std::optional<double>& seconds = run.provenance.seconds;
    return run.status == study::RunStatus::Done && seconds && *seconds > 0.0 && std::isfinite(*seconds);
}

/// `sorted`: at least one, the smallest first. Linear between them (Hyndman & Fan 1996, type 7).
double quantile(const std::vector<double>& sorted, double share)
{
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

/// Starting the ranks, building the network and ending them, beside the limit that the trainer keeps.
constexpr double kStartSeconds = 3.0;
constexpr double kSimulatedSeconds = 0.2; ///< for a run, however long its limit is

/// Before this share of a run is done, its progress says too little about its length.
constexpr double kLeastDone = 0.05;
/// Of the work that is expected: something is left as long as runs are.
constexpr double kLeastLeft = 0.05;

std::optional<double> ownEstimate(const RunProgress& run)
{
    return run.done > kLeastDone ? std::optional(run.elapsedSeconds / run.done) : std::nullopt;
}

/// Of the runs that are done, the shortest first. Before there is one, what those in progress tell.
std::vector<double> knownDurations(const study::Study& study, const std::vector<RunProgress>& active)
{
    std::vector<double> durations;
    for (const study::Run& run : study.runs) {
        if (hasDuration(run))
            durations.push_back(*run.provenance.seconds);
    }
    for (std::size_t i = 0; durations.empty() && i < active.size(); ++i) {
        if (const auto seconds = ownEstimate(active[i]))
            durations.push_back(*seconds);
    }
    std::ranges::sort(durations);
    return durations;
}

} // namespace

std::function<double(const study::Settings&)> learnDurations(const study::Study& study)
{
    std::vector<const study::Run*> known;
    for (const study::Run& run : study.runs) {
        if (hasDuration(run))
            known.push_back(&run);
    }
    if (known.empty())
        return {};
    const std::size_t count = std::min(known.size(), kMostRuns);
    known.erase(known.begin(), known.end() - static_cast<std::ptrdiff_t>(count));
    const study::Coding coding(study.factors);
    Eigen::MatrixXd x(std::ssize(known), featuresOf(coding, known.front()->settings).size());
    Eigen::VectorXd logSeconds(std::ssize(known));
    for (Eigen::Index i = 0; i < std::ssize(known); ++i) {
        const study::Run& run = *known[static_cast<std::size_t>(i)];
        x.row(i) = featuresOf(coding, run.settings);
        logSeconds[i] = std::log(*run.provenance.seconds);
    }
    return [coding, coefficients = fitRidge(x, logSeconds)](const study::Settings& settings) {
        return std::exp(featuresOf(coding, settings).dot(coefficients));
    };
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
    const auto all = ownEstimate(run);
    return all ? std::optional(*all * (1.0 - run.done)) : std::nullopt;
}

std::optional<TimeLeft> estimateTimeLeft(const study::Study& study, const std::vector<double>& waitingShares,
                                         const std::vector<RunProgress>& active)
{
    if (waitingShares.empty() && active.empty())
        return TimeLeft{};
    const std::vector<double> durations = knownDurations(study, active);
    if (durations.empty())
        return std::nullopt;
    const auto secondsWith = [&](double each) {
        double work = 0.0, longest = waitingShares.empty() ? 0.0 : each;
        for (const double share : waitingShares)
            work += share * each;
        for (const RunProgress& run : active) {
            const double expected = std::max(each - run.elapsedSeconds, each * kLeastLeft);
            const double rest = secondsLeft(run).value_or(expected);
            work += run.share * rest;
            longest = std::max(longest, rest);
        }
        return std::max(work, longest);
    };
    return TimeLeft{secondsWith(quantile(durations, 0.5)), secondsWith(quantile(durations, 0.05)),
                    secondsWith(quantile(durations, 0.95))};
}

} // namespace quadric::run
