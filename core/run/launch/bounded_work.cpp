// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launch/bounded_work.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quadric::run {

namespace {

/// The copy may have to wait for a processor; one that never gets any is not waited for.
constexpr double kLongestWait = 20.0; ///< in units of the processor time

void limitProcessorTime(double seconds)
{
    std::signal(SIGPROF, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
    itimerval limit = {};
    limit.it_value.tv_sec = static_cast<time_t>(seconds);
    limit.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds)));
    setitimer(ITIMER_PROF, &limit, nullptr);
}

void writeAll(int file, const std::string& text)
{
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t written = ::write(file, text.data() + done, text.size() - done);
        if (written <= 0)
            return;
        done += static_cast<std::size_t>(written);
    }
}

[[noreturn]] void workAsCopy(int output, double seconds, const std::function<void(const Say&)>& work)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limitProcessorTime(seconds);
    constexpr int kKept = 0;
    ::dup2(output, kKept);
    ::close_range(kKept + 1, ~0U, 0); // nothing of the original's is held open longer than by it
    try {
        work([](const std::string& text) { writeAll(kKept, text); });
    } catch (...) {
        ::_exit(1);
    }
    ::_exit(0);
}

/// Until the other end is closed or nobody waits any longer.
std::string readAll(int file, double patienceSeconds)
{
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::duration<double>(patienceSeconds);
    std::string text;
    std::array<char, 4096> buffer = {};
    for (;;) {
        const std::chrono::duration<double, std::milli> left = deadline - Clock::now();
        pollfd waiting = {file, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, std::max(0, static_cast<int>(left.count())));
        if (ready < 0 && errno == EINTR)
            continue;
        const ssize_t size = ready > 0 ? ::read(file, buffer.data(), buffer.size()) : 0;
        if (size <= 0)
            return text;
        text.append(buffer.data(), static_cast<std::size_t>(size));
    }
}

} // namespace

BoundedAnswer doBounded(double seconds, const std::function<void(const Say&)>& work)
{
    std::array<int, 2> ends = {-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return {{}, std::strerror(errno)};
    const pid_t copy = ::fork();
    if (copy == 0)
        workAsCopy(ends[1], seconds, work);
    const int error = errno;
    ::close(ends[1]);
    BoundedAnswer answer;
    if (copy < 0)
        answer.problem = std::strerror(error);
    else
        answer.text = readAll(ends[0], kLongestWait * seconds);
    ::close(ends[0]);
    if (copy > 0) {
        ::kill(copy, SIGKILL);
        while (::waitpid(copy, nullptr, 0) < 0 && errno == EINTR)
            ;
    }
    return answer;
}

} // namespace quadric::run
