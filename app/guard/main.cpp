// SPDX-License-Identifier: GPL-3.0-or-later

// quadric-guard PARENT PROGRAM [ARGUMENT...]: runs a worker so that it outlives nothing and leaks nothing.
// When the worker ends, when the guard gets SIGTERM, or when the process PARENT that started it dies in
// whatever way, the guard ends everything that the worker started, also what left the worker's process group
// or session, and then ends with the worker's own exit status or signal. After SIGTERM the worker has two
// seconds to end by itself; after the death of the parent none. Exit status 127: the program cannot be
// executed (the reason stands on standard error), 126: the guard itself cannot work.
//
// The guard is two processes, the second one the child and charge of the first: each of them ends everything
// when the other is killed, also together with PARENT.

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <initializer_list>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int kGraceSeconds = 2; ///< between SIGTERM and SIGKILL
constexpr int kOuterGraceSeconds =
    kGraceSeconds + 3; ///< the first process waits for the second one to end everything
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
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
        sigaddset(&set, signal);
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

/// Reaps what has ended; remembers the worker's status. False when no child is left.
bool reap(pid_t worker, int& status, bool& hasEnded)
{
    for (;;) {
        int childStatus = 0;
        const pid_t child = waitpid(-1, &childStatus, WNOHANG);
        if (child < 0)
            return errno != ECHILD;
        if (child == 0)
            return true;
        if (child == worker) {
            status = childStatus;
            hasEnded = true;
        }
    }
}

void killEverything(pid_t worker, int& status, bool& hasEnded)
{
    for (int round = 0; round < kMostKillRounds; ++round) {
        if (!hasEnded)
            kill(-worker, SIGKILL); // the worker is not reaped yet, so the number is still its own
        killChildren();
        if (!reap(worker, status, hasEnded))
            return;
        const timespec pause{0, 1'000'000};
        nanosleep(&pause, nullptr);
    }
}

/// Waits until the worker ends, or until it is to be ended.
void waitForEnd(pid_t worker, pid_t parent, int graceSeconds, int& status, bool& hasEnded)
{
    const sigset_t caught = guardSignals();
    const timespec grace{graceSeconds, 0};
    bool isStopping = false;
    timespec deadline{};
    while (!hasEnded) {
        const int signal =
            isStopping ? sigtimedwait(&caught, nullptr, &grace) : sigwaitinfo(&caught, nullptr);
        reap(worker, status, hasEnded);
        if (getppid() != parent)
            return;
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (isStopping && now.tv_sec >= deadline.tv_sec)
            return;
        if (signal > 0 && signal != SIGCHLD && !isStopping && !hasEnded) {
            isStopping = true;
            deadline = {now.tv_sec + graceSeconds, 0};
            if (kill(-worker, SIGTERM) != 0) // it may have no group of its own yet
                kill(worker, SIGTERM);
        }
    }
}

[[noreturn]] void endLike(int status)
{
    if (WIFSIGNALED(status)) {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        resetSignals();
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

[[noreturn]] void guard(pid_t worker, pid_t parent, int graceSeconds)
{
    // The worker's output must end with the worker, and nothing of the parent's may be held open here.
    close_range(0, ~0U, 0);
    int status = 0;
    bool hasEnded = false;
    waitForEnd(worker, parent, graceSeconds, status, hasEnded);
    killEverything(worker, status, hasEnded);
    endLike(status);
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
template <typename Start> [[noreturn]] void guardChild(pid_t parent, int graceSeconds, Start start)
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
    guard(child, parent, graceSeconds);
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
    guardChild(parent, kOuterGraceSeconds, [command](pid_t outer) {
        guardChild(outer, kGraceSeconds, [command](pid_t inner) { execute(inner, command); });
    });
}
