// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/memory_kills.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <unistd.h>

using namespace quadric;
using run::MemoryKillCounter;
using run::MemoryKills;

namespace {

namespace fs = std::filesystem;

/// A machine made of files, in a folder of its own.
class MemoryKillsOf : public ::testing::Test {
protected:
    void SetUp() override { write("proc/vmstat", "nr_free_pages 9\noom_kill 5\n"); }
    void TearDown() override { fs::remove_all(m_root); }

    void write(const std::string& path, const std::string& text) const
    {
        fs::create_directories((m_root / path).parent_path());
        std::ofstream(m_root / path) << text;
    }

    MemoryKills after(const std::string& path, const std::string& text) const
    {
        const MemoryKillCounter counter(m_root);
        write(path, text);
        return counter.sinceThen();
    }

    fs::path m_root = fs::temp_directory_path() / ("quadric-kills-" + std::to_string(::getpid()));
};

constexpr const char* kNewGroup = "sys/fs/cgroup/user.slice/session-2.scope/memory.events";
constexpr const char* kOldGroup = "sys/fs/cgroup/memory/jobs/7/memory.oom_control";

} // namespace

TEST_F(MemoryKillsOf, ItsOwnGroupOfVersion2)
{
    write("proc/self/cgroup", "0::/user.slice/session-2.scope\n");
    write(kNewGroup, "low 0\nhigh 2\nmax 8\noom 3\noom_kill 3\noom_group_kill 0\n");
    EXPECT_EQ(MemoryKillCounter(m_root).sinceThen(), MemoryKills::None);
    // The limit was met, and nobody was ended for it.
    EXPECT_EQ(after(kNewGroup, "low 0\nhigh 9\nmax 9\noom 9\noom_kill 3\n"), MemoryKills::None);
    EXPECT_EQ(after(kNewGroup, "low 0\nhigh 9\nmax 9\noom 9\noom_kill 4\n"), MemoryKills::InGroup);
}

TEST_F(MemoryKillsOf, ItsOwnGroupOfVersion1)
{
    write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/jobs/7\n0::/\n");
    write(kOldGroup, "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
    EXPECT_EQ(after(kOldGroup, "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n"), MemoryKills::InGroup);
}

TEST_F(MemoryKillsOf, AnotherGroupIsOnlyTheMachine)
{
    write("proc/self/cgroup", "0::/user.slice/session-2.scope\n");
    write(kNewGroup, "oom_kill 3\n");
    EXPECT_EQ(after("proc/vmstat", "nr_free_pages 9\noom_kill 6\n"), MemoryKills::OnMachine);
}

TEST_F(MemoryKillsOf, NothingIsKnownWithoutCounters)
{
    fs::remove_all(m_root);
    EXPECT_EQ(MemoryKillCounter(m_root).sinceThen(), MemoryKills::None);
    write("proc/self/cgroup", "rubbish\n4:memory\n::\n");
    EXPECT_EQ(MemoryKillCounter(m_root).sinceThen(), MemoryKills::None);
}
