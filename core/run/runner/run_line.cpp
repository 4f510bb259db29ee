// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/run_line.h"

#include "core/machine/processor.h"
#include "core/run/launch/launch.h"
#include "core/run/recipe/recipe.h"
#include "core/run/slurm/slurm_launcher.h"
#include "core/run/worker/run_policy.h"
#include "core/study/document/document.h"
#include "core/study/run_records.h"

#include <sstream>

namespace quadric::run {

std::optional<int> RunQueue::takeFirst()
{
    if (m_ids.empty())
        return std::nullopt;
    const int id = m_ids.front();
    m_ids.pop_front();
    return id;
}

namespace {

using study::RunStatus;

bool isSelected(const study::Run& run, const RunnerOptions& options)
{
    if (!options.only.empty() && !options.only.contains(run.id))
        return false;
    // A run that is "running" here was in the hands of a runner that died: this process holds the lock.
    return run.status == RunStatus::Pending || run.status == RunStatus::Running ||
           (run.status == RunStatus::Failed && options.retryFailed);
}

bool saysNothing(const study::Run& ended)
{
    if (ended.status != study::RunStatus::Failed && ended.status != study::RunStatus::Done)
        return true;
    return study::isCancelled(ended) || study::isTakenByCluster(ended);
}

/// Without the words that have digits: addresses, times and settings differ from run to run.
std::string makeSignature(const std::string& text)
{
    std::string signature;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const bool hasDigit = std::ranges::any_of(word, [](char c) { return c >= '0' && c <= '9'; });
        signature += ' ' + (hasDigit ? std::string("#") : word);
    }
    return signature;
}

std::string asSentenceEnd(const std::string& message)
{
    return message.ends_with('.') ? message : message + '.';
}

using study::RunKind;

constexpr const char* kVisibleGpus = "CUDA_VISIBLE_DEVICES";

/// Which GPUs the runs may use: by the option, the study's own command, the environment; not set: all.
std::optional<std::string> visibleGpus(const study::Study& study, const std::string& asked)
{
    const auto own = study.benchmark.env.find(kVisibleGpus);
    if (own != study.benchmark.env.end() && !placeholdersOf(own->second).empty())
        throw RecipeError(std::string("benchmark.env.") + kVisibleGpus + ": found \"" + own->second +
                          "\", which gives each run its GPUs; runs at once are given theirs, expected no "
                          "placeholder, or one run at a time");
    if (!asked.empty())
        return asked;
    if (own != study.benchmark.env.end())
        return own->second;
    const char* variable = std::getenv(kVisibleGpus);
    return variable ? std::optional<std::string>(variable) : std::nullopt;
}

/// Parts of a GPU cannot be told apart by what NVML lists.
void refuseParts(const std::optional<std::string>& visible)
{
    if (visible && visible->find("MIG-") != std::string::npos)
        throw RecipeError(std::string(kVisibleGpus) + ": found \"" + *visible +
                          "\"; parts of a GPU (MIG) cannot be shared out among runs at once, expected whole "
                          "GPUs, or one run at a time");
}

devices::Inventory thisMachinesDevices(const study::Study& study, const std::string& askedGpus)
{
    devices::InventoryOptions options;
    options.visibleGpus = visibleGpus(study, askedGpus);
    refuseParts(options.visibleGpus);
    options.cpus = machine::allowedCpus();
    options.mostCpus = static_cast<std::size_t>(thisMachine().cores);
    return devices::readInventory(options);
}

std::unique_ptr<Launcher> localLauncher(const study::Study& study, const LauncherChoice& asked, int runs)
{
    if (runs < 1 || runs > study::kMostParallelRuns)
        throw RecipeError("--parallel: found " + std::to_string(runs) +
                          ", expected a whole number from 1 to " + std::to_string(study::kMostParallelRuns));
    return runs == 1 ? makeLocalLauncher()
                     : makeParallelLauncher(runs, thisMachinesDevices(study, asked.devices));
}

} // namespace

void checkRuns(const study::Study& study, const RunnerOptions& options)
{
    for (const study::Run& run : study.runs)
        checkRunSettings(study, run);
    for (const int id : options.only) {
        if (!study::findRun(study, id))
            throw RecipeError("run " + std::to_string(id) + ": the study has no such run");
    }
}

std::vector<int> selectRuns(const study::Study& study, const RunnerOptions& options)
{
    std::vector<int> ids;
    for (const study::Run* run : study::inRunOrder(study)) {
        if (isSelected(*run, options))
            ids.push_back(run->id);
    }
    for (const study::Run* run : study::inRunOrder(study)) {
        const bool isAmong = options.only.empty() || options.only.contains(run->id);
        if (isAmong && needsRepetition(*run))
            ids.push_back(run->id);
    }
    return ids;
}

bool isStartFailure(const study::Run& ended, const WorkerExit& exit)
{
    // Of a shell: a command that it cannot execute, or does not find.
    constexpr int kNotExecutable = 126, kNotFound = 127;
    if (ended.status != study::RunStatus::Failed || !ended.failure)
        return false;
    return ended.failure->kind == "not-found" || ended.failure->kind == "setup-failed" ||
           (exit.kind == WorkerExit::Kind::Exited && (exit.code == kNotExecutable || exit.code == kNotFound));
}

int AlikeInARow::count(const std::string& text)
{
    const std::string signature = makeSignature(text);
    m_count = signature.empty() ? 0 : signature == m_last ? m_count + 1 : 1;
    m_last = signature;
    return m_count;
}

std::string FailureWatch::note(const study::Run& ended, bool willRepeat)
{
    if (saysNothing(ended))
        return {};
    const int count =
        m_alike.count(ended.failure ? ended.failure->kind + ' ' + ended.failure->message : std::string());
    if (count == 0 || m_accepted.contains(m_alike.last()))
        return {};
    if (willRepeat)
        return "Run " + std::to_string(ended.id) +
               " failed, and the others would fail in the same way: " + asSentenceEnd(ended.failure->message);
    return count < kMostAlike
               ? std::string()
               : std::to_string(count) +
                     " runs in a row failed in the same way: " + asSentenceEnd(ended.failure->message);
}

void FailureWatch::accept()
{
    m_accepted.insert(m_alike.last());
    m_alike = {};
}

void RunLine::findBaselines()
{
    m_baselines = Baselines(m_study, baselineConditions(m_study, *m_options.launcher), m_options.retryFailed);
    m_study.runs.insert(m_study.runs.end(), m_study.baselines.begin(), m_study.baselines.end());
    m_study.baselines.clear();
}

std::optional<int> RunLine::baselineDueBefore(int id)
{
    const auto due = m_baselines.findDueBaseline(id, m_study);
    if (!due)
        return std::nullopt;
    if (!study::findRun(m_study, due->id))
        m_study.runs.push_back(*due);
    return due->id;
}

void RunLine::enqueue(int id)
{
    if (const auto due = baselineDueBefore(id); due && !m_queue.contains(*due))
        m_queue.append(*due);
    m_queue.append(id);
}

bool RunLine::bringBaselineForward(const std::function<bool(int)>& isActive)
{
    const int first = m_queue.ids().front();
    if (const auto due = baselineDueBefore(first); due && !isActive(*due) && !m_queue.contains(*due))
        m_queue.prepend(*due);
    const study::Run* baseline = m_baselines.findBaseline(first, m_study);
    if (!baseline)
        return true;
    if (isActive(baseline->id))
        return false;
    if (m_queue.remove(baseline->id))
        m_queue.prepend(baseline->id);
    return true;
}

void RunLine::requeue(const study::Run& run)
{
    if (run.kind == RunKind::Baseline)
        m_queue.prepend(run.id);
    else
        m_queue.append(run.id);
}

bool RunLine::noteEnded(const study::Run& ended)
{
    if (ended.kind != RunKind::Baseline)
        return false;
    if (ended.status != RunStatus::Done)
        giveUp(ended.id);
    return ended.status == RunStatus::Done;
}

int RunLine::countRuns() const
{
    int runs = 0;
    for (const int id : m_queue.ids())
        runs += study::findRun(m_study, id)->kind == RunKind::Baseline ? 0 : 1;
    return runs;
}

std::unique_ptr<Launcher> launcherFor(const study::Study& study, const std::filesystem::path& document,
                                      const LauncherChoice& asked)
{
    if (!asked.name.empty() && asked.name != "local" && asked.name != "slurm")
        throw RecipeError("--launcher: found " + asked.name + ", expected local or slurm");
    refuseUnreadable(study.benchmark, {"parallel"}); // also where it is not needed
    if (asked.name.empty())
        refuseUnreadable(study.benchmark, {"launcher"});
    const bool isSlurm =
        asked.name.empty() ? study.benchmark.launcher == study::LauncherKind::Slurm : asked.name == "slurm";
    if (!isSlurm)
        return localLauncher(study, asked, asked.parallel.value_or(study.benchmark.parallel));
    if (asked.parallel)
        throw RecipeError("--parallel: found " + std::to_string(*asked.parallel) +
                          ", but the runs are jobs of Slurm, of which benchmark.slurm.most_jobs (now " +
                          std::to_string(study.benchmark.slurm.mostJobs) +
                          ") are in its queue at once; --parallel is for runs on this machine");
    return makeSlurmLauncher(study, document);
}

} // namespace quadric::run
