// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launcher.h"
#include "core/run/worker_process.h"

namespace quadric::run {

namespace {

class LocalLauncher : public Launcher {
public:
    LocalLauncher(int mostRuns, std::filesystem::path root)
        : m_mostRuns(mostRuns)
        , m_root(std::move(root))
    {
    }

    std::string name() const override { return "local"; }
    int mostRuns() const override { return m_mostRuns; }
    void check(const study::Study&, const std::filesystem::path&) const override {}

    std::unique_ptr<RunProcess> makeProcess(const study::Study&, const study::Run&) override
    {
        return std::make_unique<WorkerProcess>(m_root);
    }

    std::unique_ptr<RunProcess> reattach(const study::Study&, const study::Run&) override { return nullptr; }

private:
    int m_mostRuns;
    std::filesystem::path m_root;
};

} // namespace

std::unique_ptr<Launcher> makeLocalLauncher(int mostRuns, const std::filesystem::path& root)
{
    return std::make_unique<LocalLauncher>(mostRuns, root);
}

} // namespace quadric::run
