// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/launcher.h"
#include "core/run/worker/run_need.h"
#include "core/run/worker/worker_process.h"

#include <algorithm>
#include <map>

namespace quadric::run {

namespace {

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
        return placementOf(*allocation, m_allocator.inventory());
    }

    void release(int runId) override
    {
        if (const auto taken = m_taken.extract(runId))
            m_allocator.giveBack(taken.mapped());
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

std::unique_ptr<Launcher> makeLocalLauncher(const std::filesystem::path& root)
{
    return std::make_unique<LocalLauncher>(root);
}

std::unique_ptr<Launcher> makeParallelLauncher(int mostRuns, devices::Inventory inventory)
{
    return std::make_unique<ParallelLauncher>(mostRuns, std::move(inventory));
}

} // namespace quadric::run
