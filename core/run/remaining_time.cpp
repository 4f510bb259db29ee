// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/remaining_time.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

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

std::vector<study::Settings> settingsOf(const std::vector<study::Settings>& waiting,
                                        const std::vector<RunProgress>& active)
{
    std::vector<study::Settings> all = waiting;
    for (const RunProgress& run : active)
        all.push_back(run.settings);
    return all;
}

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

std::optional<double> RemainingTime::seconds(const std::vector<study::Settings>& waiting,
                                             const std::vector<RunProgress>& active, int mostAtOnce) const
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
    double sum = std::accumulate(expected.begin(), expected.begin() + std::ssize(waiting), 0.0);
    for (std::size_t i = 0; i < active.size(); ++i)
        sum += rest(active[i], expected[waiting.size() + i]);
    const auto runs = static_cast<double>(all.size());
    return sum / std::clamp(runs, 1.0, static_cast<double>(std::max(1, mostAtOnce)));
}

} // namespace quadric::run
