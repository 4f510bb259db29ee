// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/exchange/collective.h"

#include "core/trainer/base/failure.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstring>
#include <thread>

#include <sys/prctl.h>

namespace quadric::trainer {

namespace {

class LocalCollective : public Collective {
public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    void sum(std::span<float>) override {}
    void sum(std::span<double>) override {}
    void sum(std::span<std::uint16_t>, WireType) override {}
    void gather(std::span<const std::byte> mine, std::span<std::byte> all) override
    {
        std::ranges::copy(mine, all.begin());
    }
    std::uint64_t bytesSent() const override { return 0; }
};

constexpr unsigned long kTimerSlackNs = 1000; ///< Linux' 50 µs would drown the latency of fast networks

class EmulatedLink final : public Collective {
public:
    EmulatedLink(Collective& inner, const LinkSpeed& link)
        : m_inner(inner)
        , m_link(link)
    {
    }

    int rank() const override { return m_inner.rank(); }
    int size() const override { return m_inner.size(); }
    void sum(std::span<float> values) override
    {
        slowed(2, [&] { m_inner.sum(values); });
    }
    void sum(std::span<double> values) override
    {
        slowed(2, [&] { m_inner.sum(values); });
    }
    void sum(std::span<std::uint16_t> values, WireType type) override
    {
        slowed(2, [&] { m_inner.sum(values, type); });
    }
    void gather(std::span<const std::byte> mine, std::span<std::byte> all) override
    {
        slowed(1, [&] { m_inner.gather(mine, all); });
    }
    std::uint64_t bytesSent() const override { return m_inner.bytesSent(); }

private:
    using Clock = std::chrono::steady_clock;

    template <typename Operation> void slowed(int rounds, const Operation& operation)
    {
        const Clock::time_point begin = Clock::now();
        const std::uint64_t before = bytesSent();
        operation();
        const auto bytes = static_cast<double>(bytesSent() - before);
        const std::chrono::duration<double> wanted(transferSeconds(m_link, bytes, rounds * (size() - 1)));
        prctl(PR_SET_TIMERSLACK, kTimerSlackNs);
        std::this_thread::sleep_until(begin + std::chrono::duration_cast<Clock::duration>(wanted));
    }

    Collective& m_inner;
    LinkSpeed m_link;
};

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

/// What is the same for all launchers.
ClusterPlace finished(const Environment& environment, ClusterPlace place, const std::string& host)
{
    std::ranges::replace(place.job, '/', '-');
    place.failures = textOf(environment, "QUADRIC_RENDEZVOUS", "");
    place.rendezvous = textOf(environment, "QUADRIC_RENDEZVOUS", ".") + "/quadric-trainer-" + place.job;
    place.address = textOf(environment, "QUADRIC_ADDRESS", place.nodes == 1 ? "127.0.0.1" : host);
    return place;
}

void checkRank(const char* name, const ClusterPlace& place)
{
    if (place.rank >= place.ranks)
        throw Failure(kBadSettings, std::string(name) + " is " + std::to_string(place.rank) + " of " +
                                        std::to_string(place.ranks) + " tasks");
}

std::optional<ClusterPlace> slurmPlace(const Environment& environment, const std::string& host)
{
    if (environment("SLURM_STEP_ID") == nullptr || environment("SLURM_PROCID") == nullptr)
        return std::nullopt;
    ClusterPlace place;
    place.ranks = numberOf(environment, "SLURM_STEP_NUM_TASKS", numberOf(environment, "SLURM_NTASKS", 1));
    if (place.ranks < 2)
        return std::nullopt;
    place.rank = numberOf(environment, "SLURM_PROCID", 0);
    checkRank("SLURM_PROCID", place);
    place.nodes = numberOf(environment, "SLURM_STEP_NUM_NODES", numberOf(environment, "SLURM_NNODES", 1));
    place.ranksOnNode =
        mostTasks(textOf(environment, "SLURM_STEP_TASKS_PER_NODE", std::to_string(place.ranks)));
    place.placeOnNode = numberOf(environment, "SLURM_LOCALID", 0);
    place.job = textOf(environment, "SLURM_JOB_ID", "0") + '.' + textOf(environment, "SLURM_STEP_ID", "0") +
                '.' + textOf(environment, "SLURM_RESTART_COUNT", "0");
    return finished(environment, place, host);
}

/// Variables of a launcher beside Slurm. `job` is unlike that of every other start and tells that it is this
/// one.
struct LauncherNames {
    const char *rank, *ranks, *placeOnNode, *ranksOnNode, *job;
    std::array<const char*, 2> more; ///< that a start again changes; empty: none
};
constexpr std::array kLaunchers = {
    LauncherNames{"OMPI_COMM_WORLD_RANK",
                  "OMPI_COMM_WORLD_SIZE",
                  "OMPI_COMM_WORLD_LOCAL_RANK",
                  "OMPI_COMM_WORLD_LOCAL_SIZE",
                  "PMIX_NAMESPACE",
                  {"", ""}},
    LauncherNames{"RANK",
                  "WORLD_SIZE",
                  "LOCAL_RANK",
                  "LOCAL_WORLD_SIZE",
                  "TORCHELASTIC_RUN_ID",
                  {"MASTER_PORT", "TORCHELASTIC_RESTART_COUNT"}},
};

std::optional<ClusterPlace> readClusterPlace(const Environment& environment, const LauncherNames& names,
                                             const std::string& host)
{
    if (environment(names.job) == nullptr || environment(names.rank) == nullptr)
        return std::nullopt;
    ClusterPlace place;
    place.ranks = numberOf(environment, names.ranks, 1);
    if (place.ranks < 2)
        return std::nullopt;
    place.rank = numberOf(environment, names.rank, 0);
    checkRank(names.rank, place);
    place.placeOnNode = numberOf(environment, names.placeOnNode, 0);
    place.ranksOnNode = std::max(1, numberOf(environment, names.ranksOnNode, place.ranks));
    place.nodes = (place.ranks + place.ranksOnNode - 1) / place.ranksOnNode;
    place.job = textOf(environment, names.job, "0");
    for (const char* name : names.more) {
        if (*name != '\0')
            place.job += '.' + textOf(environment, name, "0");
    }
    return finished(environment, place, host);
}

} // namespace

std::unique_ptr<Collective> makeLocalCollective()
{
    return std::make_unique<LocalCollective>();
}

double transferSeconds(const LinkSpeed& link, double bytes, int messages)
{
    const double sending = link.gbit > 0.0 ? 8.0 * bytes / (1e9 * link.gbit) : 0.0;
    return messages * 1e-6 * link.latencyUs + sending;
}

std::unique_ptr<Collective> makeEmulatedLink(Collective& inner, const LinkSpeed& link)
{
    return std::make_unique<EmulatedLink>(inner, link);
}

std::optional<ClusterPlace> clusterPlace(const Environment& environment, const std::string& host)
{
    if (const std::optional<ClusterPlace> place = slurmPlace(environment, host))
        return place;
    for (const LauncherNames& names : kLaunchers) {
        if (const std::optional<ClusterPlace> place = readClusterPlace(environment, names, host))
            return place;
    }
    return std::nullopt;
}

} // namespace quadric::trainer
