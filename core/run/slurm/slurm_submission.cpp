// SPDX-License-Identifier: GPL-3.0-or-later
// How a run gets into the queue, or is found there again.
#include "core/run/cluster/node_question.h"
#include "core/run/cluster/slurm_call.h"
#include "core/run/slurm/slurm_run.h"
#include "core/run/slurm/submit_error.h"

#include <QTimer>

#include <algorithm>

namespace quadric::run {

namespace {

/// sbatch may have to wait for a busy controller.
constexpr int kSubmitPatienceMs = 90'000;
/// For how long a request is repeated that the cluster refuses for now, and how long to wait in between:
/// twice as long each time.
constexpr qint64 kRefusalPatienceMs = 600'000;
constexpr int kFirstRefusalPauseMs = 2'000;
constexpr int kLongestRefusalPauseMs = 60'000;
constexpr int kFirstLookMs = 300;

} // namespace

/// sbatch may have been at work when the former runner died, or has not answered.
void SlurmRun::lookForJob()
{
    if (m_stage == Stage::Ended)
        return;
    m_stage = Stage::Looking;
    showState("looking for its job in the queue of Slurm");
    m_queue->lookNow();
}

void SlurmRun::lookForName(const QueueLook& look)
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
        lookInVain(look.problem);
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
            end(exitOf(*m_endReason));
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
    const std::string job = jobIdFrom(answer.output.toStdString());
    if (answer.isGood() && !job.empty())
        watch(job);
    else if (answer.kind == SlurmAnswer::Kind::TimedOut)
        lookForJob();
    else
        refused(answer);
}

void SlurmRun::refused(const SlurmAnswer& answer)
{
    const std::string words = answer.kind == SlurmAnswer::Kind::Ended ? answer.errors.toStdString() : "";
    if (words.empty()) {
        tryAgain("sbatch: " + answer.problem());
        return;
    }
    askForNodes(this, [this, words](const std::vector<ClusterNode>& nodes) {
        const SubmitError error = submitError(words, m_request, nodes);
        if (error.mayPass) {
            tryAgain(error.message);
            return;
        }
        WorkerExit exit;
        exit.failure = study::Failure{"refused", error.message};
        end(exit);
    });
}

void SlurmRun::tryAgain(const std::string& problem)
{
    if (!m_sinceRefused.isValid())
        m_sinceRefused.start();
    if (m_endReason) {
        end(exitOf(*m_endReason));
    } else if (m_sinceRefused.elapsed() > kRefusalPatienceMs) {
        WorkerExit exit;
        exit.failure = study::Failure{"refused", problem};
        end(exit);
    } else {
        showState("not in the queue yet: " + problem);
        m_refusalPauseMs = std::clamp(2 * m_refusalPauseMs, kFirstRefusalPauseMs, kLongestRefusalPauseMs);
        QTimer::singleShot(m_refusalPauseMs, this, &SlurmRun::lookForJob);
    }
}

void SlurmRun::watch(const std::string& job)
{
    m_job = job;
    m_stage = Stage::Watching;
    tellFacts();
    if (m_endReason)
        sendCancel();
    QTimer::singleShot(kFirstLookMs, m_queue.get(), &SlurmQueue::lookNow);
}

} // namespace quadric::run
