// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/time/remaining_time.h"

#include <algorithm>
#include <queue>

namespace quadric::run {

namespace {

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
            noteDone(run.settings, *run.provenance.seconds);
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
