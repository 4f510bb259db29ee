// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/slurm_launcher.h"

#include "core/run/cluster/slurm_call.h"
#include "core/run/slurm/slurm_run.h"
#include "core/study/document/document.h"

#include <QFileInfo>
#include <QStandardPaths>

namespace quadric::run {

namespace {

constexpr int kPingPatienceMs = 10'000;

void checkPrograms()
{
    for (const char* program : {"sbatch", "squeue", "scontrol", "scancel", "sinfo"}) {
        if (QStandardPaths::findExecutable(QLatin1String(program)).isEmpty())
            throw RecipeError(std::string("the launcher is slurm, but there is no ") + program +
                              " on the PATH: start Quadric on a node that can submit jobs");
    }
}

/// Programs of Slurm look for a missing file for a minute before they say so.
void checkConfiguration()
{
    const QString file = qEnvironmentVariable("SLURM_CONF");
    if (!file.isEmpty() && !QFileInfo(file).isFile())
        throw RecipeError("SLURM_CONF names " + file.toStdString() + ", which is no file");
}

void checkController()
{
    const SlurmAnswer answer =
        askSlurm({QStringLiteral("scontrol"), {QStringLiteral("ping")}, {}, kPingPatienceMs});
    if (!answer.isGood())
        throw RecipeError("Slurm does not answer (scontrol ping: " + answer.problem() +
                          "): is its controller running?");
}

std::string settingsText(const study::Study& study, const study::Run& run)
{
    return study::writeSettings(workerSettings(study, run));
}

class SlurmLauncher : public Launcher {
public:
    SlurmLauncher(const study::Study& study, std::filesystem::path document)
        : m_document(std::move(document))
        , m_options(study.benchmark.slurm)
        , m_queue(std::make_shared<SlurmQueue>(m_options.pollSeconds))
    {
    }

    std::string name() const override { return "slurm"; }
    int mostRuns() const override { return m_options.mostJobs; }

    void check(const study::Study& study, const std::filesystem::path&) const override
    {
        for (const study::Run& run : study.runs)
            jobRequest(study, run, study.benchmark.slurm, {});
        checkPrograms();
        checkConfiguration();
        checkController();
    }

    std::unique_ptr<RunProcess> makeProcess(const study::Study& study, const study::Run& run) override
    {
        return makeRun(study, run, newJobName(m_document, run.id), false, {});
    }

    std::unique_ptr<RunProcess> reattach(const study::Study& study, const study::Run& run) override
    {
        const std::optional<study::SlurmJob>& left = run.provenance.slurm;
        if (!left || !isJobName(left->name, run.id))
            return nullptr;
        if (left->settings == settingsText(study, run))
            return makeRun(study, run, left->name, true, left->job);
        // Edited since: what the job measures belongs to no run any more.
        askSlurm({QStringLiteral("scancel"),
                  {QStringLiteral("--name=%1").arg(QString::fromStdString(left->name))}});
        return nullptr;
    }

private:
    std::unique_ptr<RunProcess> makeRun(const study::Study& study, const study::Run& run,
                                        const std::string& jobName, bool isLeftOver, const std::string& job)
    {
        JobRequest request = jobRequest(study, run, study.benchmark.slurm, jobName); // as it was approved
        request.settings = settingsText(study, run);
        return std::make_unique<SlurmRun>(std::move(request), JobFolder(m_document, jobName), m_queue,
                                          isLeftOver, job);
    }

    std::filesystem::path m_document;
    study::SlurmOptions m_options;
    std::shared_ptr<SlurmQueue> m_queue;
};

} // namespace

std::unique_ptr<Launcher> makeSlurmLauncher(const study::Study& study, const std::filesystem::path& document)
{
    refuseUnreadable(study.benchmark, {"slurm"});
    return std::make_unique<SlurmLauncher>(study, document);
}

} // namespace quadric::run
