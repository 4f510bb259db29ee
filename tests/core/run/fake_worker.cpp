// SPDX-License-Identifier: GPL-3.0-or-later
// A worker for tests: does what the setting "behave" in QUADRIC_SETTINGS says. A good result is a known
// function of the settings: speed = 10 a + b.
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using Json = nlohmann::json;

Json settings()
{
    const char* text = std::getenv("QUADRIC_SETTINGS");
    return text ? Json::parse(text) : Json::object();
}

void say(const std::string& line)
{
    std::cout << line << std::endl;
}

void sleepMs(int ms)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

/// Judges the machine itself, unless told otherwise: what else is computed here makes no run of a test a
/// disturbed one.
void sayResult(const Json& provenance = Json::object())
{
    Json told = {{"disturbed", false}};
    told.update(provenance);
    const Json given = settings();
    const double speed = 10.0 * given.at("a").get<double>() + given.at("b").get<double>();
    say(Json{{"event", "result"},
             {"responses", {{"speed", speed}, {"extra", 7}}},
             {"spread", {{"speed", 0.5}}},
             {"provenance", told}}
            .dump());
}

int work()
{
    say(R"({"event": "hello", "protocol": 1, "device": {"name": "fake"}})");
    say("plain text is log");
    say(R"({"event": "progress", "done": 0.25, "phase": "warm-up"})");
    say(R"({"event": "sample", "step_ms": 41.5})");
    std::cerr << "a word on standard error" << std::endl;
    sleepMs(settings().value("milliseconds", 0));
    sayResult();
    return 0;
}

[[noreturn]] void hang()
{
    for (;;)
        pause();
}

int hangDeafly()
{
    std::signal(SIGTERM, SIG_IGN);
    say("deaf");
    hang();
}

/// A child and, from it, a grandchild in a session of its own; both would live on for ever.
void fork2()
{
    if (fork() != 0)
        return;
    if (fork() == 0) {
        setsid();
        std::signal(SIGTERM, SIG_IGN);
    }
    hang();
}

int leaveChildren()
{
    fork2();
    return work();
}

int hangWithChildren()
{
    fork2();
    say("hanging");
    say(R"({"event": "sample", "step_ms": 12.5})");
    hang();
}

int flood()
{
    const std::string line(1000, 'x');
    for (int i = 0; i < 20000; ++i)
        std::cout << line << '\n';
    std::cout << std::string(1 << 20, 'y') << std::endl;
    for (int i = 0; i < 2000; ++i)
        std::cout << R"({"event": "sample", "step_ms": 1.5})" << '\n';
    sayResult();
    return 0;
}

/// Slow enough for a test to do something in the meantime: as long as the file is there that FAKE_WORKER_HOLD
/// names (WorkerHold makes one).
int workSlowly()
{
    if (const char* hold = std::getenv("FAKE_WORKER_HOLD")) {
        while (access(hold, F_OK) == 0)
            sleepMs(10);
    } else {
        sleepMs(700);
    }
    return work();
}

/// True in the first attempt at this run; leaves a file in the working folder.
bool isFirstAttempt()
{
    const std::string mark = "attempted-" + std::string(std::getenv("QUADRIC_RUN_ID"));
    if (access(mark.c_str(), F_OK) == 0)
        return false;
    std::ofstream(mark) << "once";
    return true;
}

int goodOnce()
{
    return isFirstAttempt() ? work() : 3;
}

int disturbedOnce()
{
    sayResult({{"disturbed", isFirstAttempt()}});
    return 0;
}

/// With a share that differs from run to run.
int disturbedAlways()
{
    const std::string share = std::getenv("QUADRIC_RUN_ID");
    sayResult({{"disturbed", true}, {"disturbed_because", "others used " + share + " % of it"}});
    return 0;
}

int crashOnce()
{
    if (isFirstAttempt())
        std::raise(SIGSEGV);
    return work();
}

int eatMemory()
{
    std::vector<std::string> eaten;
    for (;;) {
        eaten.emplace_back(std::size_t{8} << 20, 'm');
        sleepMs(10);
    }
}

/// As loaders of data fork: six processes that have the same 200 MiB, in private and in shared memory.
int shareMemory()
{
    constexpr std::size_t kHalf = std::size_t{100} << 20;
    const std::string kept(kHalf, 'm');
    void* const shared = mmap(nullptr, kHalf, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    std::memset(shared, 1, kHalf);
    for (int i = 0; i < 5; ++i) {
        if (fork() != 0)
            continue;
        volatile char sum = 0;
        for (std::size_t at = 0; at < kHalf; at += 4096)
            sum = static_cast<char>(sum + kept[at] + static_cast<const char*>(shared)[at]);
        hang();
    }
    return work();
}

/// All bytes, broken UTF-8, no line end for long, events that are none; then a good result.
int noise()
{
    std::string bytes;
    for (int i = 0; i < 300000; ++i)
        bytes += static_cast<char>((i * 31 + i / 251) % 256);
    std::cout << bytes << std::endl;
    std::cerr << bytes << std::endl;
    say(R"({"event": "sample", "step_ms": "fast"})");
    say(std::string("{\"event\": \"result\", \"\0\xff", 24));
    sayResult();
    return 0;
}

int floodGigabyte()
{
    const std::string piece(1 << 20, 'z');
    for (int i = 0; i < 1100; ++i)
        std::cout << piece << '\n';
    sayResult();
    return 0;
}

/// As a daemon is made: two forks, a session of its own, no open files, another folder; many of them.
int leaveDaemons()
{
    for (int i = 0; i < 10; ++i) {
        if (fork() != 0)
            continue;
        setsid();
        if (fork() != 0)
            _exit(0);
        for (int file = 0; file < 64; ++file)
            close(file);
        if (chdir("/") != 0)
            _exit(1);
        std::signal(SIGTERM, SIG_IGN);
        std::signal(SIGHUP, SIG_IGN);
        hang();
    }
    return work();
}

int lie()
{
    Json claimed = settings();
    claimed["a"] = claimed["a"].get<double>() + 1.0;
    sayResult({{"settings", claimed}});
    return 0;
}

/// As the kernel ends a process for memory: its counter rises, and SIGKILL comes.
int beKilled()
{
    if (const char* counter = std::getenv("FAKE_OOM_COUNTER"))
        std::ofstream(counter) << "oom_kill 1\n";
    std::raise(SIGKILL);
    return 0;
}

int failForDisk()
{
    std::cerr << "OSError: [Errno 28] No space left on device: 'checkpoint.bin'\nbye" << std::endl;
    return 1;
}

double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The processors that this process may use, as the kernel tells.
std::string ownCpus()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("Cpus_allowed_list:\t"))
            return line.substr(line.find('\t') + 1);
    }
    return {};
}

/// Tells which devices it sees, from when and until when.
int tellDevices()
{
    const char* gpus = std::getenv("CUDA_VISIBLE_DEVICES");
    Json seen = {{"cpus", ownCpus()}, {"gpus", gpus ? gpus : ""}, {"from", now()}};
    sleepMs(settings().value("milliseconds", 0));
    seen["until"] = now();
    sayResult({{"seen", seen}});
    return 0;
}

int writeResultFile()
{
    const Json given = settings();
    std::ofstream("result.json") << Json{
        {"speed", 10.0 * given.at("a").get<double>() + given.at("b").get<double>()}};
    return 0;
}

int crash()
{
    std::cerr << "about to crash" << std::endl;
    std::signal(SIGSEGV, SIG_DFL);
    std::raise(SIGSEGV);
    return 0;
}

} // namespace

int main()
{
    const std::map<std::string, std::function<int()>> behaviors = {
        {"work", work},
        {"hang",
         [] {
             hang();
             return 0;
         }},
        {"deaf", hangDeafly},
        {"crash", crash},
        {"exit",
         [] {
             std::cerr << "no license" << std::endl;
             return 3;
         }},
        {"nan",
         [] {
             say(R"({"event": "result", "responses": {"speed": NaN}})");
             return 0;
         }},
        {"missing",
         [] {
             say(R"({"event": "result", "responses": {"pace": 1, "extra": 2}})");
             return 0;
         }},
        {"silent", [] { return 0; }},
        {"memory",
         [] {
             say(R"({"event": "failure", "kind": "out-of-memory", "message": "needs 9 GiB"})");
             return 1;
         }},
        {"simulated",
         [] {
             sayResult({{"source", "simulated"}});
             return 0;
         }},
        {"children", leaveChildren},
        {"hang with children", hangWithChildren},
        {"flood", flood},
        {"slow", workSlowly},
        {"first good", goodOnce},
        {"disturbed", disturbedOnce},
        {"in use", disturbedAlways},
        {"crash once", crashOnce},
        {"eater", eatMemory},
        {"sharer", shareMemory},
        {"noise", noise},
        {"gigabyte", floodGigabyte},
        {"daemons", leaveDaemons},
        {"liar", lie},
        {"full disk", failForDisk},
        {"killed", beKilled},
        {"result file", writeResultFile},
        {"tell devices", tellDevices},
    };
    return behaviors.at(settings().value("behave", "work"))();
}
