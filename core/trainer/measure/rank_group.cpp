// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/rank_group.h"

#include "core/trainer/workload/knobs.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <span>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quadric::trainer {

namespace {

using machine::Core;

bool haveSeveralNodes(const std::vector<Core>& cores)
{
    return std::ranges::any_of(cores, [&](const Core& core) { return core.node != cores.front().node; });
}

std::vector<int> cpusOf(std::span<const Core> cores)
{
    std::vector<int> cpus;
    for (const Core& core : cores)
        cpus.insert(cpus.end(), core.cpus.begin(), core.cpus.end());
    return cpus;
}

/// Part `index` of `parts` of nearly equal size, in order.
template <typename Item>
std::span<const Item> part(const std::vector<Item>& all, std::size_t index, std::size_t parts)
{
    const std::size_t begin = index * all.size() / parts;
    return std::span(all).subspan(begin, (index + 1) * all.size() / parts - begin);
}

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kPollInterval = 50ms;
constexpr auto kGrace =
    300ms; ///< after the first failure, so that its cause can be told from its consequences
constexpr double kOverrunSeconds = 120.0;   ///< beyond twice the time limit: something hangs
constexpr double kTrainingSeconds = 1800.0; ///< more for training, whose steps no limit counts
constexpr std::size_t kLongestLine = 1 << 20;
constexpr int kExecFailed = 127;

std::string makeRendezvous()
{
    std::string path = (std::filesystem::temp_directory_path() / "quadric-trainer-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr)
        throw Failure(kInternal,
                      "cannot make a folder for the rendezvous (" + path + "): " + std::strerror(errno));
    return path;
}

std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> list;
    list.reserve(texts.size() + 1);
    for (std::string& text : texts)
        list.push_back(text.data());
    list.push_back(nullptr);
    return list;
}

/// Runs in the child between fork and exec: only calls that are safe there.
[[noreturn]] void becomeRank(pid_t launcher, int output, const machine::CpuMask* cpus, char* const* arguments,
                             char* const* environment)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != launcher)
        _exit(kExecFailed);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    dup2(output, STDOUT_FILENO);
    if (cpus != nullptr)
        cpus->apply(); // where the kernel refuses, the rank may use all
    execve("/proc/self/exe", arguments, environment);
    _exit(kExecFailed);
}

std::string describeStatus(int status)
{
    if (WIFSIGNALED(status))
        return "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
               strsignal(WTERMSIG(status)) + ")";
    return "ended with status " + std::to_string(WEXITSTATUS(status));
}

/// The command-line options with which the launcher starts a rank, and how a rank reads them.
std::vector<std::string> rankArguments(const RankPlace& place)
{
    std::vector<std::string> arguments = {"--rank", std::to_string(place.rank), "--started",
                                          std::to_string(place.started.time_since_epoch().count())};
    if (!place.rendezvous.empty()) {
        arguments.emplace_back("--rendezvous");
        arguments.push_back(place.rendezvous);
    }
    return arguments;
}

bool isInherited(std::string_view variable)
{
    if (variable.starts_with("OMP_PROC_BIND=") || variable.starts_with("OMP_PLACES="))
        return true;
    return !variable.starts_with("OMP_") && !variable.starts_with("GOMP_") &&
           !variable.starts_with("QUADRIC_SETTINGS=") && !variable.starts_with("CUDA_DEVICE_ORDER=");
}

} // namespace

RankCpus distributeCores(const Workload& workload, std::vector<Core> cores, bool userBinds)
{
    std::ranges::stable_sort(cores, {}, &Core::node);
    const std::vector<int> cpus = cpusOf(cores);
    const auto ranks = static_cast<std::size_t>(workload.ranks);
    const auto threads = static_cast<std::size_t>(workload.threadsPerRank);
    if (ranks * threads > cpus.size() || (!userBinds && !haveSeveralNodes(cores)))
        return {};
    RankCpus shares;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const std::span<const int> some = part(cpus, rank, ranks);
        shares.push_back(ranks * threads <= cores.size() ? cpusOf(part(cores, rank, ranks))
                                                         : std::vector<int>(some.begin(), some.end()));
    }
    return shares;
}

RankCpus assignCoresNearGpus(int ranks, const std::vector<int>& nodesOfGpus, const std::vector<Core>& cores)
{
    if (nodesOfGpus.empty() || !haveSeveralNodes(cores))
        return {};
    RankCpus shares;
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank) {
        const int node = nodesOfGpus[rank % nodesOfGpus.size()];
        std::vector<Core> near;
        std::ranges::copy_if(cores, std::back_inserter(near),
                             [node](const Core& core) { return core.node == node; });
        shares.push_back(cpusOf(near.empty() ? cores : near));
    }
    return shares;
}

bool userBindsThreads()
{
    return std::getenv("OMP_PROC_BIND") != nullptr || std::getenv("OMP_PLACES") != nullptr;
}

std::vector<std::string> rankEnvironment(const Workload& workload)
{
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        if (isInherited(text))
            variables.emplace_back(text);
    }
    variables.emplace_back("CUDA_DEVICE_ORDER=PCI_BUS_ID"); // as the driver and nvidia-smi count
    variables.push_back("OMP_NUM_THREADS=" + std::to_string(workload.threadsPerRank));
    variables.emplace_back("OMP_WAIT_POLICY=passive");
    variables.emplace_back("OMP_DYNAMIC=false");
    variables.push_back("QUADRIC_SETTINGS=" + settingsJson(workload));
    return variables;
}

RankGroup::RankGroup(const Workload& workload, RankCpus cpus)
    : m_workload(workload)
    , m_cpus(std::move(cpus))
    , m_rendezvous(workload.ranks > 1 ? makeRendezvous() : std::string())
    , m_members(static_cast<std::size_t>(workload.ranks))
{
}

RankGroup::~RankGroup()
{
    endAll();
    for (const Member& member : m_members) {
        if (member.output >= 0)
            close(member.output);
    }
    std::error_code ignored;
    if (!m_rendezvous.empty())
        std::filesystem::remove_all(m_rendezvous, ignored);
}

void RankGroup::run(Clock::time_point started, const Line& line, const volatile std::sig_atomic_t* signal)
{
    for (int rank = 0; rank < m_workload.ranks; ++rank) {
        m_members[static_cast<std::size_t>(rank)].rank = rank;
        start(m_members[static_cast<std::size_t>(rank)], {rank, m_rendezvous, started});
    }
    const double training = m_workload.trainsForLoss ? kTrainingSeconds : 0.0;
    const auto limit =
        started + std::chrono::duration<double>(2.0 * m_workload.maxSeconds + kOverrunSeconds + training);
    while (!allEnded()) {
        readAll(line);
        reap();
        if (*signal != 0)
            throw Failure(kCancelled, std::string("ended by signal ") + strsignal(*signal));
        if (oneFailed()) {
            collectCauses(line);
            throw findFailureCause(ends(), m_failures);
        }
        if (Clock::now() > limit)
            throw Failure(kTimeOut, "the ranks did not end in time");
    }
    readAll(line);
}

void RankGroup::start(Member& member, const RankPlace& place)
{
    std::array<int, 2> pipe{};
    if (pipe2(pipe.data(), O_CLOEXEC) != 0)
        throw Failure(kInternal, std::string("cannot make a pipe: ") + std::strerror(errno));
    std::vector<std::string> arguments = rankArguments(place);
    arguments.insert(arguments.begin(), "quadric-trainer");
    std::vector<std::string> environment = rankEnvironment(m_workload);
    const std::vector<char*> argumentList = pointers(arguments);
    const std::vector<char*> environmentList = pointers(environment);
    std::optional<machine::CpuMask> mask;
    if (!m_cpus.empty())
        mask.emplace(m_cpus.at(static_cast<std::size_t>(member.rank)));
    const pid_t launcher = getpid();
    const pid_t process = fork();
    if (process == 0)
        becomeRank(launcher, pipe[1], mask ? &*mask : nullptr, argumentList.data(), environmentList.data());
    close(pipe[1]);
    member.output = pipe[0];
    if (process < 0)
        throw Failure(kInternal, std::string("cannot start a rank: ") + std::strerror(errno));
    member.process = process;
}

void RankGroup::readAll(const Line& line)
{
    std::vector<pollfd> ready;
    std::vector<Member*> open;
    for (Member& member : m_members) {
        if (member.output < 0)
            continue;
        ready.push_back({member.output, POLLIN, 0});
        open.push_back(&member);
    }
    if (ready.empty()) {
        std::this_thread::sleep_for(1ms);
        return;
    }
    if (poll(ready.data(), ready.size(), static_cast<int>(kPollInterval.count())) <= 0)
        return;
    for (std::size_t i = 0; i < ready.size(); ++i) {
        if (ready[i].revents != 0 && !readSome(*open[i], line)) {
            close(open[i]->output);
            open[i]->output = -1;
        }
    }
}

bool RankGroup::readSome(Member& member, const Line& line)
{
    std::array<char, 65536> buffer;
    const ssize_t count = read(member.output, buffer.data(), buffer.size());
    if (count < 0)
        return errno == EINTR;
    if (count == 0)
        return false;
    member.pending.append(buffer.data(), static_cast<std::size_t>(count));
    deliver(member, line);
    if (member.pending.size() > kLongestLine)
        member.pending.clear();
    return true;
}

void RankGroup::deliver(Member& member, const Line& line)
{
    for (std::size_t end = member.pending.find('\n'); end != std::string::npos;
         end = member.pending.find('\n')) {
        const std::string text = member.pending.substr(0, end);
        member.pending.erase(0, end + 1);
        const nlohmann::json event = nlohmann::json::parse(text, nullptr, false);
        if (event.is_object() && event.value("event", "") == "failure")
            m_failures.push_back({event.value("kind", kInternal), event.value("message", "")});
        else
            line(text);
    }
}

void RankGroup::reap()
{
    for (Member& member : m_members) {
        int status = 0;
        if (member.process > 0 && !member.status &&
            waitpid(member.process, &status, WNOHANG) == member.process)
            member.status = status;
    }
}

void RankGroup::endAll()
{
    for (const Member& member : m_members) {
        if (member.process > 0 && !member.status)
            kill(member.process, SIGKILL);
    }
    for (Member& member : m_members) {
        int status = 0;
        if (member.process > 0 && !member.status && waitpid(member.process, &status, 0) == member.process)
            member.status = status;
    }
}

bool RankGroup::allEnded() const
{
    return std::ranges::all_of(m_members,
                               [](const Member& member) { return member.status == 0 && member.output < 0; });
}

bool RankGroup::oneFailed() const
{
    const auto failed = [](const Member& member) { return member.status && *member.status != 0; };
    return !m_failures.empty() || std::ranges::any_of(m_members, failed);
}

void RankGroup::collectCauses(const Line& line)
{
    const Clock::time_point end = Clock::now() + kGrace;
    while (Clock::now() < end) {
        readAll(line);
        reap();
    }
}

std::vector<RankEnd> RankGroup::ends() const
{
    std::vector<RankEnd> ends;
    for (const Member& member : m_members)
        ends.push_back({member.rank, member.status});
    return ends;
}

Failure findFailureCause(const std::vector<RankEnd>& ends, const std::vector<RankFailure>& failures)
{
    for (const RankFailure& failure : failures) {
        if (failure.kind != kCommunication)
            return {failure.kind, failure.message};
    }
    const auto lost = [](const RankEnd& end) {
        return Failure(kRankLost, "rank " + std::to_string(end.rank) + ' ' + describeStatus(*end.status));
    };
    for (const RankEnd& end : ends) {
        if (end.status && WIFSIGNALED(*end.status))
            return lost(end);
    }
    if (!failures.empty())
        return {failures.front().kind, failures.front().message};
    for (const RankEnd& end : ends) {
        if (end.status && *end.status != 0)
            return lost(end);
    }
    return {kInternal, "a rank failed without a reason"};
}

} // namespace quadric::trainer
