// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/remaining_time.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <queue>

namespace quadric::run {

namespace {

/// Before this share of a run is done, its progress says too little about its length.
constexpr double kLeastDone = 0.05;
/// From this share on it says more than the other runs do.
constexpr double kTrustedDone = 0.25;

std::optional<double> ownEstimate(const RunProgress& run, double leastDone)
{
    return run.done > leastDone ? std::optional(run.elapsedSeconds / run.done) : std::nullopt;
}

/// What a run like the first of these takes that has come far enough to tell.
std::optional<double> secondsOfFirst(const std::vector<RunProgress>& active)
{
    for (const RunProgress& run : active) {
        if (const auto seconds = ownEstimate(run, kLeastDone))
            return seconds;
    }
    return std::nullopt;
}

double rest(const RunProgress& run, double expected)
{
    if (const auto own = ownEstimate(run, kTrustedDone))
        return *own * (1.0 - run.done);
    return std::max(expected - run.elapsedSeconds, expected * (1.0 - run.done) * kLeastDone);
}

std::vector<study::Settings> settingsOf(const std::vector<WaitingRun>& waiting,
                                        const std::vector<RunProgress>& active)
{
    std::vector<study::Settings> all;
    all.reserve(waiting.size() + active.size());
    for (const WaitingRun& run : waiting)
        all.push_back(run.settings);
    for (const RunProgress& run : active)
        all.push_back(run.settings);
    return all;
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
        const auto found = run.provenance.details.find("seconds");
        if (run.status != study::RunStatus::Done || found == run.provenance.details.end())
            continue;
        const nlohmann::json value = nlohmann::json::parse(found->second, nullptr, false);
        if (value.is_number())
            noteDone(run.settings, value.get<double>());
    }
}

std::optional<double> RemainingTime::seconds(const std::vector<WaitingRun>& waiting,
                                             const std::vector<RunProgress>& active) const
{
    const std::vector<study::Settings> all = settingsOf(waiting, active);
    if (all.empty())
        return 0.0;
    std::vector<double> expected = m_model.seconds(all);
    if (expected.empty()) {
        const auto first = secondsOfFirst(active);
        if (!first)
            return std::nullopt;
        expected.assign(all.size(), *first);
    }
    Schedule schedule;
    for (std::size_t i = 0; i < active.size(); ++i)
        schedule.begin(rest(active[i], expected[waiting.size() + i]), active[i].share);
    for (std::size_t i = 0; i < waiting.size(); ++i)
        schedule.begin(expected[i], waiting[i].share);
    return schedule.end();
}

} // namespace quadric::run
