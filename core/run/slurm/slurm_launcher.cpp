// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/slurm_launcher.h"

#include "core/run/slurm/slurm_call.h"
#include "core/run/slurm/slurm_run.h"

#include <QFileInfo>
#include <QStandardPaths>

#include <nlohmann/json.hpp>

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

class SlurmLauncher : public Launcher {
public:
    SlurmLauncher(const study::Study& study, std::filesystem::path document)
        : m_document(std::move(document))
        , m_options(readSlurmOptions(study))
        , m_queue(std::make_shared<SlurmQueue>(m_options.pollSeconds))
    {
    }

    std::string name() const override { return "slurm"; }
    int mostRuns() const override { return m_options.mostJobs; }

    void check(const study::Study& study, const std::filesystem::path&) const override
    {
        for (const study::Run& run : study.runs)
            jobRequest(study, run, m_options, {});
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
        const auto found = run.provenance.details.find("slurm");
        if (found == run.provenance.details.end())
            return nullptr;
        const nlohmann::json facts = nlohmann::json::parse(found->second, nullptr, false);
        if (!facts.is_object() || !facts.value("job_name", nlohmann::json()).is_string())
            return nullptr;
        const nlohmann::json job = facts.value("job", nlohmann::json(""));
        return makeRun(study, run, facts["job_name"].get<std::string>(), true,
                       job.is_string() ? job.get<std::string>() : std::string());
    }

private:
    std::unique_ptr<RunProcess> makeRun(const study::Study& study, const study::Run& run,
                                        const std::string& jobName, bool isLeftOver, const std::string& job)
    {
        return std::make_unique<SlurmRun>(jobRequest(study, run, m_options, jobName),
                                          JobFolder(m_document, jobName), m_queue, isLeftOver, job);
    }

    std::filesystem::path m_document;
    SlurmOptions m_options;
    std::shared_ptr<SlurmQueue> m_queue;
};

} // namespace

std::unique_ptr<Launcher> makeSlurmLauncher(const study::Study& study, const std::filesystem::path& document)
{
    return std::make_unique<SlurmLauncher>(study, document);
}

std::unique_ptr<Launcher> launcherFor(const study::Study& study, const std::filesystem::path& document,
                                      const std::string& asked)
{
    if (!asked.empty() && asked != "local" && asked != "slurm")
        throw RecipeError("--launcher: found " + asked + ", expected local or slurm");
    const bool isSlurm = asked.empty() ? usesSlurm(study) : asked == "slurm";
    return isSlurm ? makeSlurmLauncher(study, document) : makeLocalLauncher();
}

} // namespace quadric::run
