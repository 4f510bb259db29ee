// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"

#include "app/shell/output_channel.h"
#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quadric::test {
namespace {

using ::testing::EndsWith;

constexpr std::chrono::seconds kLongest{60};

template <typename Condition> bool waitUntil(Condition condition)
{
    const auto end = std::chrono::steady_clock::now() + kLongest;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return true;
}

/// A pipe that takes nothing more until it is read.
class FullPipe {
public:
    FullPipe()
    {
        EXPECT_EQ(::pipe2(m_ends, O_CLOEXEC), 0);
        ::fcntl(m_ends[1], F_SETPIPE_SZ, 4096);
        ::fcntl(m_ends[1], F_SETFL, O_NONBLOCK);
        while (::write(m_ends[1], "x", 1) == 1) {
        }
        ::fcntl(m_ends[1], F_SETFL, 0);
    }
    ~FullPipe()
    {
        closeInput();
        ::close(m_ends[0]);
    }
    FullPipe(const FullPipe&) = delete;
    FullPipe& operator=(const FullPipe&) = delete;

    int input() const { return m_ends[1]; }
    int output() const { return m_ends[0]; }

    void closeInput()
    {
        if (m_ends[1] >= 0)
            ::close(std::exchange(m_ends[1], -1));
    }

    /// Everything until the last writer has closed it.
    std::string readAll()
    {
        closeInput();
        std::string text;
        char bytes[4096];
        for (ssize_t count = 1; count > 0;) {
            count = ::read(m_ends[0], bytes, sizeof bytes);
            text.append(bytes, bytes + std::max<ssize_t>(count, 0));
        }
        return text;
    }

private:
    int m_ends[2] = {-1, -1};
};

class StalledReaderTest : public CommandTest {
protected:
    void writeRuns(const std::string& lastBehavior) const
    {
        write(fakeWorkerStudy({"work", lastBehavior}), "s.quadric");
    }

    /// The runner, whose standard output and error nobody reads.
    pid_t startRunner(const std::string& option = {}) const
    {
        const std::string study = file("s.quadric");
        const char* executable = builtPath("bin/quadric");
        const pid_t child = ::fork();
        if (child == 0) {
            ::dup2(m_output.input(), STDOUT_FILENO);
            ::dup2(m_output.input(), STDERR_FILENO);
            const char* last = option.empty() ? nullptr : option.c_str();
            ::_exit(::execl(executable, executable, "run", study.c_str(), last, nullptr));
        }
        return child;
    }

    /// Its wait status; −1 where it does not end.
    static int waitFor(pid_t child)
    {
        int status = -1;
        if (!waitUntil([&] { return ::waitpid(child, &status, WNOHANG) == child; })) {
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
            return -1;
        }
        return status;
    }

    study::RunStatus statusOf(int id) const
    {
        return study::findRun(study::loadStudy(file("s.quadric")).study, id)->status;
    }

    FullPipe m_output;
};

TEST_F(StalledReaderTest, TheRunnerWorksAndAnswersWhileNobodyReads)
{
    for (const char* option : {"", "--events"}) {
        writeRuns("hang");
        const pid_t runner = startRunner(option);
        ASSERT_TRUE(waitUntil([&] { return statusOf(2) == study::RunStatus::Running; })) << option;
        const CommandResult paused = quadric({"control", "s.quadric", "pause"});
        EXPECT_EQ(paused.status, 0) << paused.err;
        ::kill(runner, SIGTERM);
        const int status = waitFor(runner);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
        EXPECT_EQ(statusOf(1), study::RunStatus::Done);
        EXPECT_EQ(statusOf(2), study::RunStatus::Pending);
    }
}

TEST_F(StalledReaderTest, AFinishedRunnerLeavesTheStudyAndWaitsForItsReader)
{
    writeRuns("work");
    const pid_t runner = startRunner();
    ASSERT_TRUE(waitUntil([&] {
        return statusOf(2) == study::RunStatus::Done && !study::lockOwner(file("s.quadric")) &&
               !std::filesystem::exists(file("s.quadric-journal"));
    }));
    EXPECT_EQ(::waitpid(runner, nullptr, WNOHANG), 0) << "its last words were thrown away";
    EXPECT_THAT(m_output.readAll(), EndsWith("Finished: 2 runs done\n"));
    EXPECT_EQ(waitFor(runner), 0);
}

TEST_F(StalledReaderTest, ASignalEndsARunnerThatWaitsForItsReader)
{
    writeRuns("work");
    const pid_t runner = startRunner();
    ASSERT_TRUE(waitUntil(
        [&] { return statusOf(2) == study::RunStatus::Done && !study::lockOwner(file("s.quadric")); }));
    ::kill(runner, SIGTERM);
    const int status = waitFor(runner);
    EXPECT_TRUE(WIFSIGNALED(status) || WIFEXITED(status)) << status;
}

TEST(OutputChannelTest, LeavesLinesOutAndSaysSoAndKeepsTheLast)
{
    FullPipe pipe;
    app::OutputChannel channel(pipe.input());
    channel.writeInBackground([](std::size_t count) { return std::to_string(count) + " missing\n"; });
    const std::string line(1023, 'y');
    constexpr std::size_t kLines = 3 * app::OutputChannel::kMostWaiting / 1024;
    for (std::size_t i = 0; i < kLines; ++i)
        channel.write(line + '\n');
    channel.keepEverything();
    channel.write("the end\n");
    channel.finish(std::chrono::milliseconds(0));
    EXPECT_EQ(channel.error(), ETIMEDOUT);
    std::string text;
    std::thread reader([&] {
        char bytes[4096];
        while (!text.ends_with("the end\n")) {
            const ssize_t count = ::read(pipe.output(), bytes, sizeof bytes);
            text.append(bytes, bytes + std::max<ssize_t>(count, 0));
        }
    });
    channel.finish({});
    reader.join();
    const auto kept = static_cast<std::size_t>(std::ranges::count(text, '\n')) - 2;
    EXPECT_GE(kept, app::OutputChannel::kMostWaiting / 1024 - 1);
    EXPECT_LE(kept, app::OutputChannel::kMostWaiting / 1024 + 1);
    EXPECT_TRUE(text.ends_with("\n" + std::to_string(kLines - kept) + " missing\nthe end\n"));
}

TEST(OutputChannelTest, WaitsWhereTheOpenFileDoesNot)
{
    FullPipe pipe;
    ::fcntl(pipe.input(), F_SETFL, O_NONBLOCK);
    std::thread writer([&] {
        app::OutputChannel channel(pipe.input());
        channel.write(std::string(100'000, 'z') + '\n');
        EXPECT_EQ(channel.error(), 0);
        pipe.closeInput();
    });
    std::string text;
    char bytes[4096];
    for (ssize_t count = 1; count > 0;) {
        count = ::read(pipe.output(), bytes, sizeof bytes);
        text.append(bytes, bytes + std::max<ssize_t>(count, 0));
    }
    writer.join();
    EXPECT_EQ(std::ranges::count(text, 'z'), 100'000);
}

} // namespace
} // namespace quadric::test
