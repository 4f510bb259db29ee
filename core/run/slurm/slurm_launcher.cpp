// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/slurm_launcher.h"

#include "core/run/slurm/slurm_run.h"
#include "core/study/document/document.h"

#include <QFileInfo>
#include <QStandardPaths>
#include <QTimer>

#include <algorithm>
#include <array>

// How a run gets into the queue, or is found there again.

namespace quadric::run {

namespace {

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != text.npos;
}

/// A node that the controller does not hear of now: it may come back, and its numbers are those of the
/// configuration.
bool isAway(const ClusterNode& node)
{
    constexpr std::array<std::string_view, 6> starts = {"unknown", "down", "fail", "reboot", "power", "boot"};
    const bool isMarked =
        !node.state.empty() && contains("*~#!%$@^-", node.state.substr(node.state.size() - 1));
    return isMarked || std::ranges::any_of(starts, [&](auto start) { return node.state.starts_with(start); });
}

bool canGive(const ClusterNode& node, const JobRequest& request)
{
    return node.gpus >= request.gpusPerNode && node.cpus >= request.ranksPerNode * request.cpusPerRank;
}

/// How many nodes that could be part of the job are away, where all together would be enough; 0: these nodes
/// can never do it.
std::ptrdiff_t countAwaited(const JobRequest& request, const std::vector<ClusterNode>& all)
{
    const std::vector<ClusterNode> nodes = filterByPartition(all, request.partition);
    const auto gives = [&request](const ClusterNode& node) { return canGive(node, request); };
    return std::ranges::count_if(nodes, gives) < request.nodes
               ? 0
               : std::ranges::count_if(nodes, [&](const auto& node) { return gives(node) && isAway(node); });
}

bool mayComeBack(const JobRequest& request, const std::vector<ClusterNode>& nodes)
{
    return filterByPartition(nodes, request.partition).empty() || countAwaited(request, nodes) > 0;
}

bool passes(std::string_view text)
{
    constexpr auto words = std::to_array<std::string_view>({
        "Unable to contact slurm controller",
        "Socket timed out",
        "emporarily",
        "Job violates accounting",
        "slurm_persist_conn",
        "Connection refused",
        "Connection reset",
        "Connection timed out",
        "Zero Bytes were transmitted",
        "standby mode",
        "Unexpected message received",
        "Required node not available",
        "not available now",
        "Nodes required for job are DOWN",
        "uthentication",
        "QOSMaxSubmitJobPerUserLimit",
        "MaxSubmitJob",
        "too many jobs",
    });
    return std::any_of(words.begin(), words.end(),
                       [text](std::string_view word) { return contains(text, word); });
}

/// No node fits now, and sbatch does not say whether one ever will.
bool concernsNodes(std::string_view standardError)
{
    return contains(standardError, "Requested node configuration is not available") ||
           contains(standardError, "Node count specification invalid") ||
           contains(standardError, "More processors requested");
}

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

/// sbatch may have to wait for a busy controller.
constexpr int kSubmitPatienceMs = 90'000;
/// For how long a request is repeated that the cluster refuses for now, and how long to wait in between:
/// twice as long each time.
constexpr qint64 kRefusalPatienceMs = 600'000;
constexpr int kFirstRefusalPauseMs = 2'000;
constexpr int kLongestRefusalPauseMs = 60'000;
constexpr int kFirstLookMs = 300;

} // namespace

SubmitError submitError(std::string_view standardError, const JobRequest& request,
                        const std::vector<ClusterNode>& nodes)
{
    return {"Slurm refuses the job: " + lastLines(standardError) + ". The run asks for " + request.inWords() +
                " (benchmark.slurm)",
            passes(standardError) || (concernsNodes(standardError) && mayComeBack(request, nodes))};
}

std::unique_ptr<Launcher> makeSlurmLauncher(const study::Study& study, const std::filesystem::path& document)
{
    refuseUnreadable(study.benchmark, {"slurm"});
    return std::make_unique<SlurmLauncher>(study, document);
}

/// sbatch may have been at work when the former runner died, or has not answered.
void SlurmRun::searchForJob()
{
    if (m_stage == Stage::Ended)
        return;
    m_stage = Stage::Looking;
    showState("looking for its job in the queue of Slurm");
    m_queue->pollQueue();
}

void SlurmRun::searchQueueForName(const QueueLook& look)
{
    const auto found = look.jobs.find(m_request.name);
    const std::string claim = m_folder.claim();
    if (found != look.jobs.end())
        watch(found->second.id);
    else if (!claim.empty())
        watch(claim);
    else if (look.problem.empty())
        test();
    else
        handleNoAnswer(look.problem);
}

void SlurmRun::test()
{
    if (m_stage == Stage::Ended)
        return;
    m_stage = Stage::Submitting;
    showState("being submitted to Slurm");
    try {
        m_folder.write(m_script);
    } catch (const std::exception& error) {
        end({WorkerExit::Kind::NotStarted, 0, error.what(), 0.0, {}});
        return;
    }
    const SlurmCall call{QStringLiteral("sbatch"),
                         {QStringLiteral("--test-only"), QStringLiteral("job.sh")},
                         QString::fromStdString(m_folder.path().string()),
                         kSubmitPatienceMs};
    callSlurm(this, call, [this](const SlurmAnswer& answer) {
        if (m_endReason)
            end(makeWorkerExit(*m_endReason));
        else if (answer.isGood())
            submit();
        else
            refused(answer);
    });
}

void SlurmRun::submit()
{
    const SlurmCall call{QStringLiteral("sbatch"),
                         {QStringLiteral("--parsable"), QStringLiteral("job.sh")},
                         QString::fromStdString(m_folder.path().string()),
                         kSubmitPatienceMs};
    callSlurm(this, call, [this](const SlurmAnswer& answer) { submitted(answer); });
}

void SlurmRun::submitted(const SlurmAnswer& answer)
{
    const std::string job = parseJobId(answer.output.toStdString());
    if (answer.isGood() && !job.empty())
        watch(job);
    else if (answer.kind == SlurmAnswer::Kind::TimedOut)
        searchForJob();
    else
        refused(answer);
}

void SlurmRun::refused(const SlurmAnswer& answer)
{
    const std::string words = answer.kind == SlurmAnswer::Kind::Ended ? answer.errors.toStdString() : "";
    if (words.empty()) {
        retrySubmission("sbatch: " + answer.problem());
        return;
    }
    queryClusterNodes(this, [this, words](const std::vector<ClusterNode>& nodes) {
        const SubmitError error = submitError(words, m_request, nodes);
        if (error.mayPass) {
            retrySubmission(error.message);
            return;
        }
        WorkerExit exit;
        exit.failure = study::Failure{"refused", error.message};
        end(exit);
    });
}

void SlurmRun::retrySubmission(const std::string& problem)
{
    if (!m_sinceRefused.isValid())
        m_sinceRefused.start();
    if (m_endReason) {
        end(makeWorkerExit(*m_endReason));
    } else if (m_sinceRefused.elapsed() > kRefusalPatienceMs) {
        WorkerExit exit;
        exit.failure = study::Failure{"refused", problem};
        end(exit);
    } else {
        showState("not in the queue yet: " + problem);
        m_refusalPauseMs = std::clamp(2 * m_refusalPauseMs, kFirstRefusalPauseMs, kLongestRefusalPauseMs);
        QTimer::singleShot(m_refusalPauseMs, this, &SlurmRun::searchForJob);
    }
}

void SlurmRun::watch(const std::string& job)
{
    m_job = job;
    m_stage = Stage::Watching;
    emitJobFacts();
    if (m_endReason)
        sendCancel();
    QTimer::singleShot(kFirstLookMs, m_queue.get(), &SlurmQueue::pollQueue);
}

} // namespace quadric::run
