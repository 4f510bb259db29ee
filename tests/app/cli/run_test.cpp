// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"

#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

using quadric::builtPath;
using quadric::test::CommandResult;
using quadric::test::Json;
using ::testing::ContainsRegex;

namespace study = quadric::study;

namespace {

class RunCommand : public quadric::test::CommandTest {
protected:
    /// Two pending runs whose worker is the fake one; `behave` is what it does in the second.
    void writeStudy(const std::string& behave) const
    {
        write(quadric::test::fakeWorkerStudy({"work", behave}), "two.quadric");
    }

    /// What `quadric run two.quadric` writes to a terminal of 60 columns; a "slow" run 2 works until the row
    /// has told its time.
    std::string runOnTerminal() const
    {
        const int ours = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        EXPECT_TRUE(ours >= 0 && ::grantpt(ours) == 0 && ::unlockpt(ours) == 0);
        const winsize size = {.ws_row = 24, .ws_col = 60, .ws_xpixel = 0, .ws_ypixel = 0};
        const int theirs = ::open(::ptsname(ours), O_RDWR | O_NOCTTY);
        ::ioctl(theirs, TIOCSWINSZ, &size);
        const std::string path = file("two.quadric");
        const std::string hold = file("hold");
        std::ofstream(hold) << "hold";
        const char* executable = builtPath("bin/quadric");
        const pid_t child = ::fork();
        if (child == 0) {
            ::setenv("TERM", "xterm", 1);
            ::setenv("FAKE_WORKER_HOLD", hold.c_str(), 1);
            ::dup2(theirs, STDOUT_FILENO);
            ::_exit(::execl(executable, executable, "run", path.c_str(), nullptr));
        }
        ::close(theirs);
        std::string text;
        char bytes[4096];
        for (ssize_t count = 1; count > 0;) {
            count = ::read(ours, bytes, sizeof bytes); // an error when the last writer has gone
            text.append(bytes, bytes + std::max<ssize_t>(count, 0));
            const std::size_t row = text.find("run 2 for ");
            if (row != text.npos && text.find(" · about ", row) != text.npos)
                ::unlink(hold.c_str());
        }
        ::close(ours);
        ::waitpid(child, nullptr, 0);
        return text;
    }

    void waitForRunning(int id) const
    {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (std::chrono::steady_clock::now() < deadline &&
               study::findRun(study::loadStudy(file("two.quadric")).study, id)->status !=
                   study::RunStatus::Running)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
};

} // namespace

TEST_F(RunCommand, PrintsEventsAndFillsTheStudy)
{
    writeStudy("simulated");
    const CommandResult result = quadric({"run", "two.quadric", "--events"});
    ASSERT_EQ(result.status, 0) << result.err;
    std::vector<std::string> events;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);)
        events.push_back(Json::parse(line)["event"]);
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events.front(), "started");
    EXPECT_EQ(events.back(), "ended");
    EXPECT_EQ(std::count(events.begin(), events.end(), "run-done"), 2);
    EXPECT_EQ(std::count(events.begin(), events.end(), "sample"), 1);
    const Json runs = readJson("two.quadric")["runs"];
    EXPECT_EQ(runs[0]["results"]["speed"], 13);
    EXPECT_EQ(runs[1]["results"]["speed"], 23);
    EXPECT_EQ(runs[0]["provenance"]["source"], "measured");
    EXPECT_EQ(runs[1]["provenance"]["source"], "simulated");
}

TEST_F(RunCommand, SaysWhatWasDisturbedAndIsMeasuredAgain)
{
    writeStudy("disturbed");
    const CommandResult result = quadric({"run", "two.quadric"});
    EXPECT_EQ(result.status, 0) << result.err;
    const std::size_t first = result.out.find("[2/2] run 2: ");
    const std::size_t disturbed = result.out.find("      run 2: speed 23.00 ± 0.50, disturbed\n", first);
    const std::size_t told = result.out.find("      run 2 will be measured again\n", disturbed);
    const std::size_t again = result.out.find("[3/3] run 2 again: a=2, b=3, behave=disturbed\n", told);
    ASSERT_NE(again, std::string::npos) << result.out;
    EXPECT_NE(result.out.find("      run 2: speed 23.00 ± 0.50\n", again), std::string::npos) << result.out;
    EXPECT_EQ(result.out.find("Disturbed: "), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("1 of 2 runs finished, about "), std::string::npos) << result.out;
    EXPECT_EQ(result.out.find('\x1b'), std::string::npos) << "not on a terminal";
}

TEST_F(RunCommand, AScriptThatPrintsANumberIsMeasuredAfterTwoCommands)
{
    std::ofstream(file("train.py")) << "import sys\nlr, batch = map(float, sys.argv[1:])\n"
                                       "print('loading')\nprint(f'throughput: {batch * 1e3:.1e} img/s')\n"
                                       "print(f'loss = {-lr}')\n";
    const std::vector<std::string> question = {
        "new",        "train.quadric",        "--factor",   "lr:0.001:0.1:::log2",
        "--factor",   "batch:16:64::integer", "--response", "throughput:maximize:img/s",
        "--response", "loss:minimize"};
    const auto with = [&question](const std::vector<std::string>& more) {
        std::vector<std::string> all = question;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const CommandResult misspelled = quadric(with({"--command", "python3 train.py {lr} {bacth}"}));
    EXPECT_EQ(misspelled.status, 2);
    EXPECT_NE(misspelled.err.find("{bacth}"), std::string::npos) << misspelled.err;
    EXPECT_FALSE(std::filesystem::exists(file("train.quadric")));
    const CommandResult made = quadric(with({"--command", "python3 'train.py' {lr} {batch}", "--read",
                                             "loss=loss = {number}", "--type", "full-factorial"}));
    ASSERT_EQ(made.status, 0) << made.err;
    const CommandResult tried = quadric({"run", "train.quadric", "--test"});
    EXPECT_EQ(tried.status, 0) << tried.err;
    EXPECT_NE(tried.out.find("loss = -"), std::string::npos) << tried.out;
    const CommandResult run = quadric({"run", "train.quadric"});
    ASSERT_EQ(run.status, 0) << "whoever typed the command is not asked: " << run.err;
    const Json trained = readJson("train.quadric");
    for (const Json& each : trained["runs"]) {
        EXPECT_EQ(each["results"]["throughput"], each["settings"]["batch"].get<double>() * 1000.0);
        EXPECT_EQ(each["results"]["loss"], -each["settings"]["lr"].get<double>());
    }
}

TEST_F(RunCommand, NamesTheRunsThatStayDisturbed)
{
    writeStudy("disturbed");
    study::Study once = study::loadStudy(file("two.quadric")).study;
    once.benchmark.retry.disturbed = 0;
    write(once, "two.quadric");
    const CommandResult result = quadric({"run", "two.quadric"});
    EXPECT_EQ(result.out.find("measured again"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("Disturbed: run 2."), std::string::npos) << result.out;
}

TEST_F(RunCommand, ATerminalHasARowThatIsDrawnOver)
{
    writeStudy("slow");
    const std::string text = runOnTerminal();
    constexpr const char* kErased = "\r\x1b[K";
    EXPECT_NE(text.find(std::string(kErased) + "0 of 2 runs finished · run 1"), std::string::npos) << text;
    EXPECT_THAT(text, ContainsRegex("\r\x1b\\[K1 of 2 runs finished · run 2 for [0-9]+ s · about "));
    EXPECT_NE(text.find(std::string(kErased) + "      run 2: speed 23"), std::string::npos)
        << "the row is gone before a line is printed: " << text;
    EXPECT_EQ(text.find("finished, about"), std::string::npos) << "the row says it already: " << text;
    EXPECT_TRUE(text.ends_with("\nFinished: 2 runs done\r\n") || text.ends_with("\nFinished: 2 runs done\n"))
        << text;
}

TEST_F(RunCommand, NamesWhoUsesItsGpusBeforeTheFirstRun)
{
    writeStudy("work");
    ASSERT_EQ(setenv("LD_LIBRARY_PATH", builtPath("tests/core/machine/driver"), 1), 0);
    const CommandResult used = quadric({"run", "two.quadric", "--devices", "2"});
    EXPECT_NE(used.err.find("quadric: before the first run, GPU 2 is used by "), std::string::npos)
        << used.err;
    EXPECT_NE(used.err.find("11.5 GiB"), std::string::npos) << used.err;
    writeStudy("work");
    const CommandResult free = quadric({"run", "two.quadric", "--devices", "0,1"});
    EXPECT_EQ(free.err.find("is used by"), std::string::npos) << free.err;
    study::Study onProcessor = study::loadStudy(file("two.quadric")).study;
    onProcessor.benchmark.engine = "cpu";
    for (study::Run& run : onProcessor.runs)
        run.status = study::RunStatus::Pending;
    write(onProcessor, "cpu.quadric");
    const CommandResult processor = quadric({"run", "cpu.quadric", "--devices", "2"});
    EXPECT_EQ(processor.err.find("is used by"), std::string::npos) << processor.err;
    unsetenv("LD_LIBRARY_PATH");
}

TEST_F(RunCommand, MeasuresABaselineOnceAndCountsItNowhere)
{
    ::unsetenv("QUADRIC_TRAINER");
    study::Study three;
    three.name = "ranks";
    study::Factor ranks = quadric::test::numericFactor("gpus", 1, 8);
    ranks.type = study::FactorType::Integer;
    ranks.binds = "ranks";
    three.factors = {ranks};
    three.responses = {quadric::test::response("images_per_sec"),
                       quadric::test::response("scaling_efficiency")};
    three.benchmark.engine = "simulated";
    three.benchmark.options = {{"batch_per_rank", 64.0}};
    three =
        study::withRuns(three, {{{"gpus", 1.0}}, {{"gpus", 4.0}}, {{"gpus", 8.0}}}, study::RunKind::Design);
    write(three, "ranks.quadric");
    const CommandResult result = quadric({"run", "ranks.quadric"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("baseline 1 of 1 (run 4): one rank, batch_per_rank=64\n"), std::string::npos)
        << result.out;
    EXPECT_NE(result.out.find("[3/3] run 3: gpus=8\n"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("Finished: 3 runs done, 1 baseline\n"), std::string::npos) << result.out;
    const Json runs = readJson("ranks.quadric")["runs"];
    ASSERT_EQ(runs.size(), 4U);
    EXPECT_EQ(runs[3]["kind"], "baseline");
    EXPECT_EQ(runs[2]["provenance"]["baseline_run"], 4);
    const Json status = ask({"status", "ranks.quadric"});
    EXPECT_EQ(status["total"], 3);
    EXPECT_EQ(status["done"], 3);
    EXPECT_EQ(status["baselines"][0]["run"], 4);
    EXPECT_EQ(status["baselines"][0]["status"], "done");
    EXPECT_NE(quadric({"status", "ranks.quadric"}).out.find("Baselines: 1 done"), std::string::npos);
    const Json info = ask({"info", "ranks.quadric"});
    EXPECT_EQ(info["runs"].size(), 3U);
    EXPECT_EQ(info["baselines"].size(), 1U);
    EXPECT_EQ(
        quadric({"analyze", "ranks.quadric", "--json", "--model", "linear"}).json()["responses"][0]["n"], 3);
    const CommandResult csv = quadric({"export", "ranks.quadric", "-o", "ranks.csv"});
    EXPECT_EQ(csv.status, 0) << csv.err;
    std::ifstream file(m_folder / "ranks.csv");
    const std::string table((std::istreambuf_iterator<char>(file)), {});
    EXPECT_EQ(table.find("baseline"), std::string::npos) << table;
}

TEST_F(RunCommand, AFailedRunIsMeasuredAgainThenStatusOneAndKept)
{
    writeStudy("crash");
    const CommandResult result = quadric({"run", "two.quadric"});
    EXPECT_EQ(result.status, 1);
    const std::size_t first = result.out.find("[2/2] run 2: ");
    const std::size_t told = result.out.find("run 2 failed and will be measured again: ", first);
    const std::size_t again = result.out.find("[3/3] run 2 again: ", told);
    EXPECT_NE(result.out.find("run 2 failed (crash)", again), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("SIGSEGV"), std::string::npos) << result.out;
    const Json status = ask({"status", "two.quadric"});
    EXPECT_EQ(status["done"], 1);
    EXPECT_EQ(status["failed"], 1);
    EXPECT_EQ(status["failures"][0]["kind"], "crash");
    EXPECT_EQ(status["measurement"][1]["topic"], "Failed");
    EXPECT_EQ(status["measurement"][1]["verdict"], "red");
    EXPECT_EQ(status["running"], false);
    EXPECT_EQ(quadric({"run", "two.quadric", "--json"}).json()["runs"].size(), 0U)
        << "a failed run was repeated";
    EXPECT_EQ(quadric({"run", "two.quadric", "--retry-failed", "--json"}).json()["failed"], 1);
}

TEST_F(RunCommand, RefusesWhatItMayNotExecute)
{
    expectWrong({"run", example("resnet50-scaling.quadric")}, {"nothing to execute"});
    writeStudy("work");
    study::Study own = study::loadStudy(file("two.quadric")).study;
    own.benchmark.workload = "command";
    own.benchmark.argv = {"/bin/sh", "-c", "touch touched; echo '{\"speed\": 5}'", "{a}"};
    own.benchmark.parse.kind = study::ParseSpec::Kind::LastJson;
    write(own, "own.quadric");
    const CommandResult refused = quadric({"run", "own.quadric"});
    EXPECT_EQ(refused.status, 2);
    for (const char* word : {"/bin/sh", "touch touched", "--approve"})
        EXPECT_NE(refused.err.find(word), std::string::npos) << refused.err;
    EXPECT_FALSE(std::filesystem::exists(file("touched")));
    EXPECT_EQ(quadric({"run", "own.quadric", "--approve"}).status, 0);
    EXPECT_TRUE(std::filesystem::exists(file("touched")));
    EXPECT_EQ(readJson("own.quadric")["runs"][1]["results"]["speed"], 5);
}

TEST_F(RunCommand, NothingRunsThatWasNotApprovedWhateverARunSays)
{
    writeStudy("work");
    study::Study own = study::loadStudy(file("two.quadric")).study;
    own.benchmark.workload = "command";
    own.benchmark.argv = {"{program}", "{level}", "{a}"};
    own.benchmark.parse.kind = study::ParseSpec::Kind::LastJson;
    own.fixed["program"] = std::string("/bin/echo");
    own.factors.push_back(
        {.name = "level", .type = study::FactorType::Categorical, .categories = {"x", "y"}});
    for (study::Run& run : own.runs)
        run.settings["level"] = std::string("x");
    std::ofstream(file("evil.sh")) << "#!/bin/sh\ntouch PWNED\n";
    std::filesystem::permissions(file("evil.sh"), std::filesystem::perms::owner_all);
    write(own, "own.quadric");
    const CommandResult approved = quadric({"run", "own.quadric", "--test", "--approve"});
    EXPECT_NE(approved.err.find("Fixed setting: program=/bin/echo"), std::string::npos) << approved.err;
    const auto refuse = [&](const study::Study& study, const char* why) {
        write(study, "own.quadric");
        for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
                 {"run", "own.quadric", "--test"}, {"run", "own.quadric"}}) {
            const CommandResult result = quadric(arguments);
            EXPECT_EQ(result.status, 2) << why << result.out;
            EXPECT_FALSE(std::filesystem::exists(file("PWNED"))) << why;
        }
    };
    study::Study changed = own;
    changed.runs[0].settings["program"] = std::string("./evil.sh");
    refuse(changed, "over a fixed setting");
    changed = own;
    changed.benchmark.options["program"] = std::string("./evil.sh");
    refuse(changed, "an option over a fixed setting");
    changed = own;
    changed.runs[0].settings["level"] = std::string("z");
    refuse(changed, "a level that is in no list");
    write(own, "own.quadric");
    study::Run planted = own.runs[0];
    planted.settings["program"] = std::string("./evil.sh");
    std::ofstream(study::journalPath(file("own.quadric"))) << study::writeRun(planted) << '\n';
    EXPECT_THAT(quadric({"run", "own.quadric", "--test"}).err, testing::HasSubstr("own.quadric-journal"));
    EXPECT_EQ(quadric({"run", "own.quadric"}).status, 2);
    EXPECT_FALSE(std::filesystem::exists(file("PWNED"))) << "a planted journal";
}

TEST_F(RunCommand, StatusTellsTheTimeLeftWithItsInterval)
{
    writeStudy("work");
    const study::StudyLock runner(file("two.quadric"));
    const auto remaining = [this](const std::string& fields) {
        std::ofstream(file("two.quadric-events")) << R"({"event": "remaining", )" << fields << "}\n";
    };
    remaining(R"("seconds": 720, "low": 600, "high": 1000)");
    const Json json = ask({"status", "two.quadric"});
    EXPECT_EQ(json["remaining_seconds"], 720.0);
    EXPECT_EQ(json["remaining_interval"], Json({600.0, 1000.0}));
    const std::string uncertain = quadric({"status", "two.quadric"}).out;
    EXPECT_NE(uncertain.find(", about 12 min left (10 min to 17 min)\n"), std::string::npos) << uncertain;
    remaining(R"("seconds": 720, "low": 700, "high": 740)");
    const std::string certain = quadric({"status", "two.quadric"}).out;
    EXPECT_NE(certain.find(", about 12 min left\n"), std::string::npos) << certain;
}

TEST_F(RunCommand, RefusesWhatTheTrainerDoesNotHaveBeforeTheFirstRun)
{
    ::unsetenv("QUADRIC_TRAINER");
    const CommandResult made =
        quadric({"new", "odd.quadric", "--factor", "ranks:1:2::integer", "--factor", "color:1:2",
                 "--response", "throughput:maximize", "--fixed", "engine=simulated", "--workload", "builtin",
                 "--type", "full-factorial"});
    EXPECT_EQ(made.status, 0);
    EXPECT_NE(made.err.find("cannot be run as it is: factors[1]: "), std::string::npos) << made.err;
    for (const char* option : {"--events", "--test"}) {
        const CommandResult refused = quadric({"run", "odd.quadric", option});
        EXPECT_EQ(refused.status, 2) << refused.err;
        for (const char* part : {"factors[1]: the built-in workload has no setting \"color\"",
                                 "responses[0]: the built-in workload does not report \"throughput\"",
                                 "Its settings are engine, ranks, ", "It reports images_per_sec, "})
            EXPECT_NE(refused.err.find(part), std::string::npos) << refused.err;
    }
    const Json odd = readJson("odd.quadric");
    for (const Json& run : odd["runs"])
        EXPECT_EQ(run["status"], "pending");
    EXPECT_FALSE(std::filesystem::exists(study::journalPath(file("odd.quadric"))));
}

TEST_F(RunCommand, SeveralAtOnceAreRefusedWhereTheyMakeNoSense)
{
    writeStudy("work");
    for (const char* nonsense : {"0", "-3", "1.5", "two", "1000"}) {
        expectWrong({"run", "two.quadric", "--parallel", nonsense}, {"--parallel"});
    }
    expectWrong({"run", "two.quadric", "--parallel", "2", "--launcher", "slurm"}, {"most_jobs"});
    study::Study two = study::loadStudy(file("two.quadric")).study;
    two.benchmark.unknown["parallel"] = "\"many\"";
    write(two, "many.quadric");
    const CommandResult many = quadric({"run", "many.quadric"});
    EXPECT_EQ(many.status, 2);
    EXPECT_NE(many.err.find("benchmark.parallel: found \"many\""), std::string::npos) << many.err;
    EXPECT_EQ(quadric({"run", "many.quadric", "--parallel", "1"}).status, 2)
        << "nonsense in the study is told, whatever the option says";
}

TEST_F(RunCommand, StatusSaysOnWhichDevicesRunsAre)
{
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
        GTEST_SKIP() << "one processor: no two runs at once";
    writeStudy("hang");
    study::Study two = study::loadStudy(file("two.quadric")).study;
    two.runs[0].settings["behave"] = std::string("hang");
    two.benchmark.engine = "cpu";
    write(two, "two.quadric");
    CommandResult result;
    std::thread runner([&] { result = quadric({"run", "two.quadric", "--parallel", "2"}); });
    waitForRunning(1);
    waitForRunning(2);
    const Json active = ask({"status", "two.quadric"})["active"];
    const std::string words = quadric({"status", "two.quadric"}).out;
    quadric({"control", "two.quadric", "stop"});
    runner.join();
    ASSERT_EQ(active.size(), 2U);
    EXPECT_NE(active[0]["cpus"], "");
    EXPECT_NE(active[0]["cpus"], active[1]["cpus"]);
    EXPECT_EQ(active[0]["gpus"], Json::array());
    for (const Json& each : active)
        EXPECT_NE(words.find("on CPU " + each["cpus"].get<std::string>()), std::string::npos) << words;
}

TEST_F(RunCommand, IsControlledFromElsewhere)
{
    writeStudy("hang");
    EXPECT_EQ(quadric({"control", "two.quadric", "pause"}).status, 1) << "there is no runner";
    EXPECT_EQ(quadric({"control", "two.quadric", "halt"}).status, 2);
    CommandResult result;
    std::thread runner([&] { result = quadric({"run", "two.quadric"}); });
    waitForRunning(2);
    EXPECT_EQ(quadric({"control", "two.quadric", "pause"}).status, 0);
    const Json status = ask({"status", "two.quadric"});
    EXPECT_EQ(status["paused"], true);
    EXPECT_EQ(status["active"][0]["run"], 2);
    EXPECT_EQ(status["current"]["run"], 2);
    EXPECT_EQ(quadric({"control", "two.quadric", "retry:1"}).status, 0);
    EXPECT_EQ(ask({"status", "two.quadric"})["queue"], Json({1}));
    const CommandResult refused = quadric({"control", "two.quadric", "cancel:1"});
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("Run 1 is done"), std::string::npos) << refused.err;
    EXPECT_EQ(quadric({"control", "two.quadric", "cancel:2", "--json"}).json()["done"], true);
    EXPECT_EQ(quadric({"control", "two.quadric", "stop"}).status, 0);
    runner.join();
    EXPECT_NE(result.out.find("run 2 cancelled: "), std::string::npos) << result.out;
    EXPECT_EQ(readJson("two.quadric")["runs"][1]["failure"]["kind"], "cancelled");
}

/// A misspelled program costs one run, and nothing else.
TEST_F(RunCommand, StopsWhereAllRunsWouldFail)
{
    writeStudy("work");
    study::Study own = study::loadStudy(file("two.quadric")).study;
    own.benchmark.workload = "command";
    own.benchmark.argv = {"./no_such_program", "{a}"};
    own.benchmark.parse = {.kind = study::ParseSpec::Kind::Regex, .patterns = {{"speed", "speed=([0-9.]+)"}}};
    write(own, "own.quadric");
    const CommandResult stopped = quadric({"run", "own.quadric", "--approve"});
    EXPECT_EQ(stopped.status, 1);
    EXPECT_NE(
        stopped.out.find("Stopped: 0 runs done, 1 failed, 1 pending. Run 1 failed, and the others would "
                         "fail in the same way: "),
        std::string::npos)
        << stopped.out;
    EXPECT_NE(stopped.err.find("--keep-going goes on all the same"), std::string::npos) << stopped.err;
    EXPECT_EQ(readJson("own.quadric")["runs"][1]["status"], "pending");

    const Json told = quadric({"run", "own.quadric", "--retry-failed", "--json"}).json();
    EXPECT_EQ(told["stopped"], true);
    EXPECT_TRUE(told["stopped_because"].is_string());
    const CommandResult all = quadric({"run", "own.quadric", "--retry-failed", "--keep-going", "--json"});
    EXPECT_EQ(all.status, 1);
    EXPECT_EQ(all.json()["failed"], 2);
    EXPECT_EQ(all.json()["stopped_because"], nullptr);
}

/// As the window does, which asks.
TEST_F(RunCommand, PausesWhereAllRunsWouldFail)
{
    writeStudy("work");
    study::Study own = study::loadStudy(file("two.quadric")).study;
    own.benchmark.workload = "command";
    own.benchmark.argv = {"./no_such_program", "{a}"};
    write(own, "two.quadric");
    CommandResult result;
    std::thread runner([&] { result = quadric({"run", "two.quadric", "--approve", "--pause-on-failures"}); });
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    Json status = Json::object();
    while (std::chrono::steady_clock::now() < deadline && status.value("paused", false) == false)
        status = ask({"status", "two.quadric"});
    EXPECT_EQ(status["paused"], true);
    EXPECT_NE(status["paused_because"].get<std::string>().find("Run 1 failed"), std::string::npos);
    const std::string words = quadric({"status", "two.quadric"}).out;
    EXPECT_NE(words.find("Run 1 failed, and the others would fail in the same way: "), std::string::npos)
        << words;
    EXPECT_EQ(quadric({"control", "two.quadric", "resume"}).status, 0);
    runner.join();
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(readJson("two.quadric")["runs"][1]["failure"]["kind"], "not-found");
}

TEST_F(RunCommand, TriesOneSettingAndKeepsNothing)
{
    writeStudy("work");
    study::Study own = study::loadStudy(file("two.quadric")).study;
    own.benchmark.workload = "command";
    own.benchmark.argv = {"/bin/sh", "-c", "echo working on $0 >&2; echo speed=12$0; echo on >> made", "{a}"};
    own.benchmark.parse = {.kind = study::ParseSpec::Kind::Regex, .patterns = {{"speed", "speed=([0-9.]+)"}}};
    own.benchmark.writes = {"made"};
    write(own, "own.quadric");
    EXPECT_EQ(quadric({"run", "own.quadric", "--test"}).status, 2) << "nothing runs that is not approved";
    EXPECT_FALSE(std::filesystem::exists(file("made")));
    const CommandResult first = quadric({"run", "own.quadric", "--test", "--approve"});
    EXPECT_EQ(first.status, 0) << first.err;
    EXPECT_NE(first.out.find("read: speed 121"), std::string::npos) << first.out;
    EXPECT_NE(first.out.find("working on 1"), std::string::npos) << first.out;
    const Json second = quadric({"run", "own.quadric", "--test", "--only", "2", "--json"}).json();
    EXPECT_EQ(second["run"]["results"]["speed"], 122);
    for (const study::Run& run : study::loadStudy(file("own.quadric")).study.runs)
        EXPECT_EQ(run.status, study::RunStatus::Pending) << "the test got into the study";
    EXPECT_FALSE(std::filesystem::exists(file("own.quadric-logs"))) << "a log was left";

    own.benchmark.parse.patterns = {{"speed", "velocity=([0-9.]+)"}};
    write(own, "own.quadric");
    const CommandResult unread = quadric({"run", "own.quadric", "--test", "--approve"});
    EXPECT_EQ(unread.status, 1);
    EXPECT_NE(unread.out.find("failed (missing-result)"), std::string::npos) << unread.out;
    EXPECT_NE(unread.out.find("speed=121"), std::string::npos) << "what was printed is not shown";
    EXPECT_EQ(quadric({"run", "own.quadric", "--test", "--only", "9"}).status, 2);
}
