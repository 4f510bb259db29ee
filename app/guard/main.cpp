// SPDX-License-Identifier: GPL-3.0-or-later

// quadric-guard PARENT PROGRAM [ARGUMENT...]: runs a worker so that it outlives nothing and leaks nothing.
// When the worker ends, when the guard gets SIGTERM, or when the process PARENT that started it dies in
// whatever way, the guard ends everything that the worker started, also what left the worker's process group
// or session, and then ends with the worker's own exit status or signal. After SIGTERM the worker has two
// seconds to end by itself; after the death of the parent none. Exit status 127: the program cannot be
// executed (the reason stands on standard error), 126: the guard itself cannot work.
//
// The guard is two processes, the second one the child and charge of the first: each of them ends everything
// when the other is killed, also together with PARENT, in whatever order. For that the first one never kills
// the second before this has had the time to end everything itself: it tells it to (kEndAtOnce), and stays
// until it has ended. PARENT does the same. So there is always one of them that nobody has killed yet and
// that is the reaper of all that is left.

#include "core/machine/ending_signals.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int kGraceSeconds = 2; ///< between SIGTERM and SIGKILL
constexpr int kOuterGraceSeconds =
    kGraceSeconds + 3;              ///< the first process waits for the second one to end everything
constexpr int kEndAtOnce = SIGUSR1; ///< from the first process to the second: without the grace of SIGTERM
constexpr int kCannotGuard = 126;
constexpr int kCannotExecute = 127;
constexpr int kMostKillRounds =
    2000; ///< of one millisecond each; a process in the kernel's hands cannot be killed

constexpr const char* kHelp =
    "Runs a worker so that nothing of it outlives the worker, the guard or the process that started the "
    "guard.\n"
    "Usage: quadric-guard PARENT PROGRAM [ARGUMENT...]\n\n"
    "  PARENT        Number of the process that started the guard\n"
    "  PROGRAM       Program to run, with its arguments\n\n"
    "Options, in place of all these:\n"
    "  -h, --help    Print this help and exit\n"
    "  --version     Print the version and exit\n\n"
    "Exit status: that of the program; 126 the guard cannot work, 127 the program cannot be executed.\n"
    "quadric run starts it for every run.\n";

/// Prints what a person may ask of the guard; false: nothing was asked.
bool answers(const char* argument)
{
    const bool wantsVersion = std::strcmp(argument, "--version") == 0;
    const bool wantsHelp = std::strcmp(argument, "--help") == 0 || std::strcmp(argument, "-h") == 0;
    if (wantsVersion || wantsHelp)
        std::fputs(wantsVersion ? "quadric-guard " QUADRIC_VERSION "\n" : kHelp, stdout);
    return wantsVersion || wantsHelp;
}

sigset_t guardSignals()
{
    sigset_t set = quadric::machine::endingSignals();
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, kEndAtOnce);
    return set;
}

void resetSignals()
{
    for (int signal = 1; signal < NSIG; ++signal)
        std::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Kills the direct children. The orphans of killed processes become children too, because the guard is their
/// reaper, so that repeating this ends the whole tree.
void killChildren()
{
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/children", static_cast<int>(getpid()));
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    char text[4096];
    const ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    if (size <= 0)
        return;
    text[size] = '\0';
    char* position = text;
    for (char* end = nullptr;; position = end) {
        const long pid = std::strtol(position, &end, 10);
        // A number at the very end of a full buffer may be cut: it comes again in the next round.
        if (end == position || pid <= 1 || end == text + sizeof text - 1)
            return;
        kill(static_cast<pid_t>(pid), SIGKILL);
    }
}

/// The child of a guard: the worker, or of the first guard the second one.
struct Charge {
    pid_t pid = 0;
    bool isGuard = false;
    int graceSeconds = 0; ///< between telling it to end and killing it
    int status = 0;
    bool hasEnded = false;
};

/// Reaps what has ended; remembers the status of the charge. False when no child is left.
bool reap(Charge& charge)
{
    for (;;) {
        int status = 0;
        const pid_t child = waitpid(-1, &status, WNOHANG);
        if (child < 0)
            return errno != ECHILD;
        if (child == 0)
            return true;
        if (child == charge.pid) {
            charge.status = status;
            charge.hasEnded = true;
        }
    }
}

void killEverything(Charge& charge)
{
    for (int round = 0; round < kMostKillRounds; ++round) {
        if (!charge.hasEnded)
            kill(-charge.pid, SIGKILL); // it is not reaped yet, so the number is still its own
        killChildren();
        if (!reap(charge))
            return;
        const timespec pause{0, 1'000'000};
        nanosleep(&pause, nullptr);
    }
}

/// The charge and its group, which it may not have made yet.
void tell(const Charge& charge, int signal)
{
    if (kill(-charge.pid, signal) != 0)
        kill(charge.pid, signal);
}

time_t monotonicSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/// Waits until the charge has ended, or has to be killed.
void waitForEnd(Charge& charge, pid_t parent)
{
    enum class Told { Nothing, ToEnd, ToEndAtOnce };
    const sigset_t caught = guardSignals();
    Told told = Told::Nothing;
    time_t deadline = 0;
    while (!charge.hasEnded) {
        const timespec patience{charge.graceSeconds, 0};
        const int signal =
            told == Told::Nothing ? sigwaitinfo(&caught, nullptr) : sigtimedwait(&caught, nullptr, &patience);
        reap(charge);
        const bool isAtOnce = getppid() != parent || signal == kEndAtOnce;
        if ((isAtOnce && !charge.isGuard) || (told != Told::Nothing && monotonicSeconds() >= deadline))
            return;
        const Told next = isAtOnce                          ? Told::ToEndAtOnce
                          : signal > 0 && signal != SIGCHLD ? Told::ToEnd
                                                            : Told::Nothing;
        if (next <= told || charge.hasEnded)
            continue;
        told = next;
        deadline = monotonicSeconds() + charge.graceSeconds;
        tell(charge, isAtOnce ? kEndAtOnce : SIGTERM);
    }
}

[[noreturn]] void exitWithStatus(int status)
{
    if (WIFSIGNALED(status)) {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        resetSignals();
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

[[noreturn]] void guard(Charge charge, pid_t parent)
{
    // The worker's output must end with the worker, and nothing of the parent's may be held open here.
    close_range(0, ~0U, 0);
    waitForEnd(charge, parent);
    killEverything(charge);
    exitWithStatus(charge.status);
}

[[noreturn]] void execute(pid_t guardPid, char** command)
{
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != guardPid)
        _exit(kCannotGuard);
    resetSignals();
    execvp(command[0], command);
    std::fprintf(stderr, "quadric-guard: cannot execute %s: %s\n", command[0], std::strerror(errno));
    _exit(kCannotExecute);
}

/// Makes this process a guard of a child of its own, which does `start`.
template <typename Start> [[noreturn]] void guardChild(pid_t parent, Charge charge, Start start)
{
    setsid();
    const sigset_t caught = guardSignals();
    sigprocmask(SIG_BLOCK, &caught, nullptr);
    std::signal(SIGCHLD, SIG_DFL); // ignored, as it may be inherited, the end of the child would go unseen
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(kCannotGuard);
    const pid_t guardPid = getpid();
    const pid_t child = fork();
    if (child < 0)
        _exit(kCannotGuard);
    if (child == 0)
        start(guardPid);
    charge.pid = child;
    guard(charge, parent);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc == 2 && answers(argv[1]))
        return 0;
    if (argc < 3) {
        std::fputs("usage: quadric-guard PARENT PROGRAM [ARGUMENT...]\n", stderr);
        return kCannotGuard;
    }
    const auto parent = static_cast<pid_t>(std::strtol(argv[1], nullptr, 10));
    char** const command = argv + 2;
    guardChild(parent, {.isGuard = true, .graceSeconds = kOuterGraceSeconds}, [command](pid_t outer) {
        guardChild(outer, {.graceSeconds = kGraceSeconds},
                   [command](pid_t inner) { execute(inner, command); });
    });
}
