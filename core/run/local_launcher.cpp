// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launcher.h"
#include "core/run/worker_process.h"

namespace quadric::run {

namespace {

class LocalLauncher : public Launcher {
public:
    explicit LocalLauncher(int mostRuns)
        : m_mostRuns(mostRuns)
    {
    }

    std::string name() const override { return "local"; }
    int mostRuns() const override { return m_mostRuns; }
    void check(const study::Study&, const std::filesystem::path&) const override {}

    std::unique_ptr<RunProcess> makeProcess(const study::Study&, const study::Run&) override
    {
        return std::make_unique<WorkerProcess>();
    }

    std::unique_ptr<RunProcess> reattach(const study::Study&, const study::Run&) override { return nullptr; }

private:
    int m_mostRuns;
};

} // namespace

std::unique_ptr<Launcher> makeLocalLauncher(int mostRuns)
{
    return std::make_unique<LocalLauncher>(mostRuns);
}

} // namespace quadric::run
