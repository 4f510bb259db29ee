// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/remaining_time.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace quadric::run {

namespace {

/// Before this share of a run is done, its progress says too little about its length.
constexpr double kLeastDone = 0.05;

} // namespace

RemainingTime::RemainingTime(const study::Study& study)
{
    for (const study::Run& run : study.runs) {
        const auto found = run.provenance.details.find("seconds");
        if (run.status != study::RunStatus::Done || found == run.provenance.details.end())
            continue;
        const nlohmann::json value = nlohmann::json::parse(found->second, nullptr, false);
        if (value.is_number())
            m_seconds.push_back(value.get<double>());
    }
}

std::optional<double> RemainingTime::secondsOfARun(const std::vector<RunProgress>& active) const
{
    if (!m_seconds.empty())
        return std::accumulate(m_seconds.begin(), m_seconds.end(), 0.0) /
               static_cast<double>(m_seconds.size());
    for (const RunProgress& run : active) {
        if (run.done > kLeastDone)
            return run.elapsedSeconds / run.done;
    }
    return std::nullopt;
}

std::optional<double> RemainingTime::seconds(int waiting, const std::vector<RunProgress>& active,
                                             int mostAtOnce) const
{
    double runs = waiting;
    for (const RunProgress& run : active)
        runs += 1.0 - run.done;
    if (runs == 0.0)
        return 0.0;
    const std::optional<double> each = secondsOfARun(active);
    const double atOnce = std::clamp(static_cast<double>(active.size()) + waiting, 1.0,
                                     static_cast<double>(std::max(1, mostAtOnce)));
    return each ? std::optional(*each * runs / atOnce) : std::nullopt;
}

} // namespace quadric::run
