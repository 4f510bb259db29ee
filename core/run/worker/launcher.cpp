// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/launcher.h"

#include "core/machine/processor.h"
#include "core/run/recipe/baseline_needs.h"
#include "core/run/worker/worker_process.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace quadric::run {

namespace {

/// What CUDA_VISIBLE_DEVICES calls the GPU.
QString nameOf(const devices::Gpu& gpu)
{
    return gpu.uuid.empty() ? QString::number(gpu.index) : QString::fromStdString(gpu.uuid);
}

constexpr double kMostThreads = 1e6;

std::string engineOf(const study::Settings& settings)
{
    const auto found = settings.find("engine");
    const auto* name = found == settings.end() ? nullptr : std::get_if<std::string>(&found->second);
    return name ? *name : "auto";
}

/// Threads of a rank; a value that is none is left to the worker to refuse.
double threadsPerRank(const study::Settings& settings)
{
    const auto found = settings.find("threads_per_rank");
    const auto* threads = found == settings.end() ? nullptr : std::get_if<double>(&found->second);
    return threads && *threads >= 1.0 ? std::min(std::ceil(*threads), kMostThreads) : 1.0;
}

devices::Need gpus(int count, const devices::Inventory& inventory)
{
    const double share = static_cast<double>(count) / std::max<double>(1.0, double(inventory.gpus.size()));
    const double cores = std::floor(std::min(1.0, share) * static_cast<double>(inventory.cores.size()));
    return {.gpus = count, .cores = static_cast<int>(cores)};
}

devices::Need cores(double count, const devices::Inventory& inventory)
{
    return {.gpus = 0,
            .cores = static_cast<int>(std::min(count, static_cast<double>(inventory.cores.size())))};
}

class LocalLauncher : public Launcher {
public:
    explicit LocalLauncher(std::filesystem::path root)
        : m_root(std::move(root))
    {
    }

    std::string name() const override { return "local"; }
    int mostRuns() const override { return 1; }
    void check(const study::Study&, const std::filesystem::path&) const override {}

    std::unique_ptr<RunProcess> makeProcess(const study::Study&, const study::Run&) override
    {
        return std::make_unique<WorkerProcess>(m_root);
    }

    std::unique_ptr<RunProcess> reattach(const study::Study&, const study::Run&) override { return nullptr; }

private:
    std::filesystem::path m_root;
};

double part(std::size_t used, std::size_t all)
{
    return all == 0 ? 0.0 : static_cast<double>(used) / static_cast<double>(all);
}

class ParallelLauncher : public LocalLauncher {
public:
    ParallelLauncher(int mostRuns, devices::Inventory inventory)
        : LocalLauncher("/")
        , m_mostRuns(mostRuns)
        , m_allocator(std::move(inventory))
    {
    }

    int mostRuns() const override { return m_mostRuns; }

    void check(const study::Study& study, const std::filesystem::path&) const override
    {
        for (const study::Run& run : study.runs)
            need(study, run);
    }

    std::optional<Placement> place(const study::Study& study, const study::Run& run) override
    {
        const auto allocation = m_allocator.take(need(study, run));
        if (!allocation)
            return std::nullopt;
        m_taken[run.id] = *allocation;
        return makePlacement(*allocation, m_allocator.inventory());
    }

    void release(int runId) override
    {
        if (const auto taken = m_taken.extract(runId))
            m_allocator.returnAllocation(taken.mapped());
    }

    double share(const study::Study& study, const study::Run& run) const override
    {
        const devices::Need needed = need(study, run);
        const devices::Inventory& all = m_allocator.inventory();
        return std::clamp(std::max(part(static_cast<std::size_t>(needed.gpus), all.gpus.size()),
                                   part(static_cast<std::size_t>(needed.cores), all.cores.size())),
                          1.0 / m_mostRuns, 1.0);
    }

private:
    /// Looked up: it is asked for all runs that wait each time the remaining time is estimated.
    devices::Need need(const study::Study& study, const study::Run& run) const
    {
        const auto found = m_needs.find(run.settings);
        if (found != m_needs.end())
            return found->second;
        return m_needs.emplace(run.settings, needOf(study, run, m_allocator.inventory(), m_mostRuns))
            .first->second;
    }

    int m_mostRuns;
    devices::Allocator m_allocator;
    std::map<int, devices::Allocation> m_taken; ///< by id of the run
    /// By settings: a launcher has one study, whose fixed settings stay while its runs are executed.
    mutable std::map<study::Settings, devices::Need> m_needs;
};

} // namespace

Placement makePlacement(const devices::Allocation& allocation, const devices::Inventory& inventory)
{
    Placement placement;
    for (const std::size_t place : allocation.gpus)
        placement.gpus.push_back(inventory.gpus[place]);
    for (const std::size_t place : allocation.cores) {
        const std::vector<int>& cpus = inventory.cores[place].cpus;
        placement.cpus.insert(placement.cpus.end(), cpus.begin(), cpus.end());
    }
    std::ranges::sort(placement.cpus);
    placement.isConfined = !allocation.isWholeMachine;
    return placement;
}

void confine(Launch& launch, const Placement& placement)
{
    if (!placement.isConfined)
        return;
    launch.cpus = placement.cpus;
    QStringList names;
    for (const devices::Gpu& gpu : placement.gpus)
        names << nameOf(gpu);
    if (!names.isEmpty())
        launch.environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), names.join(QLatin1Char(',')));
}

void note(const Placement& placement, study::Provenance& provenance)
{
    for (const devices::Gpu& gpu : placement.gpus)
        provenance.devices.push_back({gpu.index, gpu.uuid, gpu.name});
    if (!placement.cpus.empty())
        provenance.cpus = machine::cpuListText(placement.cpus);
}

devices::Need needOf(const study::Study& study, const study::Run& run, const devices::Inventory& inventory,
                     int mostRuns)
{
    const study::Settings settings = workerSettings(study, run);
    const std::optional<int> ranks = readRankCount(study, run);
    const bool isBuiltin = study.benchmark.workload == "builtin";
    const std::string engine = isBuiltin ? engineOf(settings) : "auto";
    if (engine == "simulated")
        return {};
    if (engine == "cuda" || (engine != "cpu" && !inventory.gpus.empty()))
        return gpus(ranks.value_or(1), inventory);
    if (isBuiltin)
        return cores(ranks.value_or(1) * threadsPerRank(settings), inventory);
    const double equalShare = std::max(1.0, std::floor(double(inventory.cores.size()) / mostRuns));
    return cores(ranks ? *ranks : equalShare, inventory);
}

std::unique_ptr<Launcher> makeLocalLauncher(const std::filesystem::path& root)
{
    return std::make_unique<LocalLauncher>(root);
}

std::unique_ptr<Launcher> makeParallelLauncher(int mostRuns, devices::Inventory inventory)
{
    return std::make_unique<ParallelLauncher>(mostRuns, std::move(inventory));
}

} // namespace quadric::run
