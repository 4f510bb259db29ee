// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/exchange/cluster.h"

#include "core/trainer/base/failure.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace quadric::trainer {

namespace {

std::string textOf(const Environment& environment, const char* name, const std::string& otherwise)
{
    const char* value = environment(name);
    return value == nullptr || *value == '\0' ? otherwise : value;
}

int numberOf(const Environment& environment, const char* name, int otherwise)
{
    const char* text = environment(name);
    if (text == nullptr)
        return otherwise;
    int value = 0;
    const char* end = text + std::strlen(text);
    const auto [stop, error] = std::from_chars(text, end, value);
    if (error != std::errc() || stop != end || value < 0)
        throw Failure(kBadSettings,
                      std::string(name) + ": expected a whole number, found \"" + std::string(text) + '"');
    return value;
}

/// The largest number of Slurm's list of tasks per node, "2(x3),1": numbers in brackets count nodes.
int mostTasks(std::string_view list)
{
    int most = 1;
    while (!list.empty()) {
        int tasks = 0;
        std::from_chars(list.data(), list.data() + list.size(), tasks);
        most = std::max(most, tasks);
        const std::size_t comma = list.find(',');
        list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    }
    return most;
}

} // namespace

std::optional<ClusterPlace> clusterPlace(const Environment& environment, const std::string& host)
{
    if (environment("SLURM_STEP_ID") == nullptr || environment("SLURM_PROCID") == nullptr)
        return std::nullopt;
    ClusterPlace place;
    place.ranks = numberOf(environment, "SLURM_STEP_NUM_TASKS", numberOf(environment, "SLURM_NTASKS", 1));
    if (place.ranks < 2)
        return std::nullopt;
    place.rank = numberOf(environment, "SLURM_PROCID", 0);
    if (place.rank >= place.ranks)
        throw Failure(kBadSettings, "SLURM_PROCID is " + std::to_string(place.rank) + " of " +
                                        std::to_string(place.ranks) + " tasks");
    place.nodes = numberOf(environment, "SLURM_STEP_NUM_NODES", numberOf(environment, "SLURM_NNODES", 1));
    place.ranksOnNode =
        mostTasks(textOf(environment, "SLURM_STEP_TASKS_PER_NODE", std::to_string(place.ranks)));
    place.job = textOf(environment, "SLURM_JOB_ID", "0") + '.' + textOf(environment, "SLURM_STEP_ID", "0") +
                '.' + textOf(environment, "SLURM_RESTART_COUNT", "0");
    place.rendezvous = textOf(environment, "QUADRIC_RENDEZVOUS", ".") + "/quadric-trainer-" + place.job;
    place.address = textOf(environment, "QUADRIC_ADDRESS", place.nodes == 1 ? "127.0.0.1" : host);
    return place;
}

} // namespace quadric::trainer
