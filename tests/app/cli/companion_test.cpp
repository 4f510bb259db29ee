// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody may have put in the place of the files that Quadric keeps beside a study, against every
// command that reads or writes them.
#include "command_fixture.h"

#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "tests/support/test_paths.h"

#include <fstream>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

using quadric::builtPath;
using quadric::test::CommandResult;
using quadric::test::CommandTest;

namespace study = quadric::study;
namespace fs = std::filesystem;

namespace {

constexpr const char* kOwnText = "the user's own\n";

struct Impostor {
    const char* name;
    const char* words; ///< of the refusal, where there is one
    void (*plant)(const fs::path& path, const fs::path& victim);
};

const Impostor kImpostors[] = {
    {"link", "a link to",
     [](const fs::path& path, const fs::path& victim) { fs::create_symlink(victim, path); }},
    {"link to a device", "a link to",
     [](const fs::path& path, const fs::path&) { fs::create_symlink("/dev/zero", path); }},
    {"pipe", "a pipe",
     [](const fs::path& path, const fs::path&) { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); }},
    {"giant", "",
     [](const fs::path& path, const fs::path&) {
         std::ofstream(path).close();
         ASSERT_EQ(::truncate(path.c_str(), off_t{20} << 30), 0);
     }},
};

const char* const kCompanions[] = {"-journal", "-events", "-logs/run-1.log", "-logs/run-1.samples"};

class Companions : public CommandTest {
protected:
    void SetUp() override
    {
        CommandTest::SetUp();
        ::setenv("XDG_RUNTIME_DIR", (m_folder / "runtime").c_str(), 1);
        fs::create_directory(m_folder / "runtime");
        fs::permissions(m_folder / "runtime", fs::perms::owner_all);
        write(quadric::test::fakeWorkerStudy({"work"}), "s.quadric");
        fs::create_directory(m_folder / "elsewhere");
        std::ofstream(m_folder / "elsewhere" / "victim") << kOwnText;
    }

    void TearDown() override
    {
        for (const char* name : {"TMPDIR", "XDG_STATE_HOME"})
            ::unsetenv(name);
        CommandTest::TearDown();
    }

    /// Neither the session's folder nor the one that Qt takes instead is the user's alone.
    void linkRuntimeFolders() const
    {
        fs::create_directory_symlink("runtime", m_folder / "link");
        ::setenv("XDG_RUNTIME_DIR", (m_folder / "link").c_str(), 1);
        fs::create_directory(m_folder / "tmp");
        fs::create_directory_symlink(
            "../runtime", m_folder / "tmp" / (std::string("runtime-") + ::getpwuid(::geteuid())->pw_name));
        ::setenv("TMPDIR", (m_folder / "tmp").c_str(), 1);
    }

    /// Whatever it opens, it does not wait for ever, nor take much memory.
    CommandResult bounded(std::vector<std::string> arguments) const
    {
        std::string command = std::string("ulimit -v 4000000; exec timeout 60 ") + builtPath("bin/quadric");
        for (const std::string& argument : arguments)
            command += " " + argument;
        return program("/bin/sh", {"-c", command});
    }

    /// Nobody's files but Quadric's are changed, and none is made elsewhere.
    void expectNothingTouched() const
    {
        EXPECT_EQ(content("elsewhere/victim"), kOwnText);
        EXPECT_EQ(std::distance(fs::directory_iterator(m_folder / "elsewhere"), fs::directory_iterator()), 1);
    }

    static void expectBounded(const CommandResult& result)
    {
        EXPECT_NE(result.status, 124) << "waits for ever";
        EXPECT_GE(result.status, 0) << "ended by a signal";
        EXPECT_EQ(result.err.find("memory"), std::string::npos) << result.err;
    }

    /// Either the run is refused by name before anything is measured, or it is measured.
    void expectRefusedOrDone(const CommandResult& run, const Impostor& impostor,
                             const std::string& companion) const
    {
        const auto status = study::parseStudy(content("s.quadric"), "s").study.runs[0].status;
        if (run.status == 0) {
            EXPECT_EQ(status, study::RunStatus::Done);
            return;
        }
        EXPECT_EQ(status, study::RunStatus::Pending);
        EXPECT_NE(run.err.find(companion), std::string::npos) << run.err;
        const bool isNamed = run.err.find(impostor.words) != std::string::npos;
        EXPECT_TRUE(isNamed || run.err.find("not an ordinary file") != std::string::npos) << run.err;
    }
};

} // namespace

TEST_F(Companions, OfWhateverKindAreNeitherWrittenThroughNorWaitedFor)
{
    const std::string document = content("s.quadric");
    for (const std::string companion : kCompanions) {
        for (const Impostor& impostor : kImpostors) {
            SCOPED_TRACE(companion + " is a " + impostor.name);
            fs::create_directory(m_folder / "s.quadric-logs");
            impostor.plant(m_folder / ("s.quadric" + companion), m_folder / "elsewhere" / "victim");
            for (const std::string command : {"status", "control", "run --test", "run"}) {
                if (companion.starts_with("-logs") && !command.starts_with("run"))
                    continue;
                SCOPED_TRACE(command);
                const bool asks = command == "control";
                const CommandResult result = bounded({command, "s.quadric", asks ? "status" : ""});
                expectBounded(result);
                expectNothingTouched();
                if (command == "run")
                    expectRefusedOrDone(result, impostor, companion);
            }
            for (const char* left : {"-journal", "-events", "-logs"})
                fs::remove_all(m_folder / (std::string("s.quadric") + left));
            std::ofstream(m_folder / "s.quadric") << document;
        }
    }
}

TEST_F(Companions, AreNotWaitedForByWhatDraws)
{
    for (const char* companion : {"s.quadric-journal", "s.quadric-events"}) {
        SCOPED_TRACE(companion);
        ASSERT_EQ(::mkfifo((m_folder / companion).c_str(), 0600), 0);
        expectBounded(bounded({"report", "s.quadric", "-o", "r.html"}));
        expectBounded(bounded({"plot", "s.quadric", "runs.order", "-o", "p.svg"}));
        fs::remove(m_folder / companion);
    }
}

TEST_F(Companions, AreNotLookedForInAFolderOfLogsThatIsNone)
{
    const fs::path logs = m_folder / "s.quadric-logs";
    for (const std::string words : {"a link to elsewhere", "a link to nowhere", "a pipe", "a file"}) {
        SCOPED_TRACE(words);
        if (words.starts_with("a link to "))
            fs::create_symlink(words.substr(10), logs);
        else if (words == "a file")
            std::ofstream(logs).close();
        else
            ASSERT_EQ(::mkfifo(logs.c_str(), 0600), 0);
        for (const char* command : {"run", "run --test", "status"}) {
            const CommandResult result = bounded({command, "s.quadric"});
            expectBounded(result);
            const bool reads = std::string(command) == "status";
            EXPECT_EQ(result.status == 0, reads);
            EXPECT_EQ(result.err.find("s.quadric-logs: " + words + ", expected a folder") ==
                          std::string::npos,
                      reads)
                << result.err;
            expectNothingTouched();
            EXPECT_TRUE(fs::exists(fs::symlink_status(logs)));
        }
        fs::remove(logs);
    }
}

TEST_F(Companions, OfABuiltInStudyHoldNothingOfItsChoiceElsewhere)
{
    ::unsetenv("QUADRIC_TRAINER");
    std::ofstream(m_folder / "b.quadric")
        << R"({"quadric": 1, "name": "b", "factors": [{"name": "ranks", "low": 1, "high": 8, "binds": "ranks"}],
               "responses": [{"name": "images_per_sec"}], "fixed": {"x\nssh-ed25519 AAAA attacker\n": 1},
               "benchmark": {"workload": "builtin", "engine": "simulated"},
               "runs": [{"id": 1, "order": 1, "status": "pending", "settings": {"ranks": 2}}]})";
    fs::create_directory(m_folder / "b.quadric-logs");
    fs::create_symlink("../elsewhere/victim", m_folder / "b.quadric-logs" / "run-1.log");
    const CommandResult result = bounded({"run", "b.quadric"});
    EXPECT_EQ(result.status, 0) << result.err;
    expectNothingTouched();
    const std::string log = content("b.quadric-logs/run-1.log");
    EXPECT_NE(log.find("unknown setting \"x\\nssh-ed25519 AAAA attacker\\n\" is not used"), std::string::npos)
        << log;
    EXPECT_EQ(log.find("\nssh-ed25519"), std::string::npos) << log;
}

TEST_F(Companions, KeepARunFromBeingCalledFailedWhereTheRunnerLacksFiles)
{
    const CommandResult result = program(
        "/bin/sh", {"-c", std::string("ulimit -n 20; exec ") + builtPath("bin/quadric") + " run s.quadric"});
    EXPECT_EQ(result.status, 1) << result.out;
    EXPECT_NE(result.err.find("ulimit -n"), std::string::npos) << result.err;
    EXPECT_EQ(study::loadStudy(file("s.quadric")).study.runs[0].status, study::RunStatus::Pending);
}

TEST_F(Companions, ThatMayNotGrowEndTheRunnerWithASentence)
{
    const CommandResult result = program("/bin/sh", {"-c", std::string("ulimit -f 1; exec timeout 60 ") +
                                                               builtPath("bin/quadric") + " run s.quadric"});
    EXPECT_EQ(result.status, 1) << result.out;
    EXPECT_NE(result.err.find("ulimit -f"), std::string::npos) << result.err;
    EXPECT_EQ(study::loadStudy(file("s.quadric")).study.runs[0].status, study::RunStatus::Pending);
}

TEST_F(Companions, ThatCannotBeLockedComeWithAdvice)
{
    const CommandResult result = program(
        "/bin/sh", {"-c", std::string("LD_PRELOAD=") + builtPath("tests/core/run/libno_lock_shim.so") +
                              " exec " + builtPath("bin/quadric") + " run s.quadric"});
    EXPECT_NE(result.status, 0);
    EXPECT_NE(result.err.find("s.quadric-journal: cannot be locked, because"), std::string::npos)
        << result.err;
    EXPECT_NE(result.err.find("move the study"), std::string::npos) << result.err;
}

TEST_F(Companions, AreRefusedInAFolderWhoseNameNoProgramCouldBeTold)
{
    const fs::path folder = m_folder / "caf\xe9";
    fs::create_directory(folder);
    fs::copy_file(m_folder / "s.quadric", folder / "s.quadric");
    for (const char* command : {"run", "run --test"}) {
        const CommandResult result = bounded({command, "caf\xe9/s.quadric"});
        EXPECT_NE(result.status, 0);
        EXPECT_NE(result.err.find("expected a path in UTF-8"), std::string::npos) << result.err;
    }
    EXPECT_EQ(study::loadStudy(folder / "s.quadric").study.runs[0].status, study::RunStatus::Pending);
}

TEST_F(Companions, AreReachedByAnyPathToTheStudyAndWithoutARuntimeFolder)
{
    linkRuntimeFolders();
    ::setenv("XDG_STATE_HOME", (m_folder / "state").c_str(), 1);
    fs::create_directory(m_folder / "real");
    fs::create_directory_symlink("real", m_folder / "linked");
    write(quadric::test::fakeWorkerStudy({"hang"}), "real/h.quadric");
    ASSERT_EQ(std::system(("cd '" + m_folder.string() + "' && " + builtPath("bin/quadric") +
                           " run real/h.quadric >o 2>e &")
                              .c_str()),
              0);
    for (int i = 0; i < 600 && !study::lockOwner(m_folder / "real" / "h.quadric"); ++i)
        ::usleep(100'000);
    CommandResult result;
    for (int i = 0; i < 100 && result.status != 0; ++i, ::usleep(100'000))
        result = bounded({"control", "linked/h.quadric", "stop"});
    EXPECT_EQ(result.status, 0) << result.err;
    for (int i = 0; i < 600 && study::lockOwner(m_folder / "real" / "h.quadric"); ++i)
        ::usleep(100'000);
}

TEST_F(Companions, ThatCannotBeControlledAreSaidSo)
{
    linkRuntimeFolders();
    ::setenv("XDG_STATE_HOME", (m_folder / "state").c_str(), 1);
    const CommandResult silent = bounded({"run", "s.quadric"});
    EXPECT_EQ(silent.status, 0) << silent.err;
    EXPECT_EQ(silent.err.find("cannot be controlled"), std::string::npos) << silent.err;
    EXPECT_EQ(fs::status(m_folder / "state" / "quadric").permissions(), fs::perms::owner_all);
    ::setenv("XDG_STATE_HOME", (m_folder / std::string(100, 's')).c_str(), 1);
    const CommandResult told = bounded({"run", "s.quadric"});
    EXPECT_EQ(told.status, 0) << told.err;
    EXPECT_NE(told.err.find("cannot be controlled while it works"), std::string::npos) << told.err;
}
