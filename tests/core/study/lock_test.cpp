// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/file.h"
#include "core/study/files/journal.h"

#include "study_fixtures.h"

#include <gmock/gmock.h>

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <thread>

namespace quadric::study {
namespace {

using ::testing::HasSubstr;
using testing::messageOf;
using testing::TemporaryFolder;

/// A process that holds the lock of a study until it is killed.
class OwnerProcess {
public:
    explicit OwnerProcess(const std::filesystem::path& document)
    {
        int ends[2];
        if (::pipe(ends) != 0)
            return;
        m_pid = ::fork();
        if (m_pid == 0)
            own(document, ends[1]);
        ::close(ends[1]);
        char byte = 0;
        m_ready = ::read(ends[0], &byte, 1) == 1;
        ::close(ends[0]);
    }
    ~OwnerProcess() { kill(); }
    OwnerProcess(const OwnerProcess&) = delete;
    OwnerProcess& operator=(const OwnerProcess&) = delete;

    pid_t pid() const { return m_pid; }
    bool isReady() const { return m_ready; }
    void kill()
    {
        if (m_pid <= 0)
            return;
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
        m_pid = 0;
    }

private:
    [[noreturn]] static void own(const std::filesystem::path& document, int ready)
    {
        const StudyLock lock(document);
        if (::write(ready, "x", 1) != 1)
            ::_exit(1);
        for (;;)
            ::pause();
    }

    pid_t m_pid = 0;
    bool m_ready = false;
};

class LockTest : public ::testing::Test {
protected:
    TemporaryFolder m_folder;
    std::filesystem::path m_document = m_folder / "s.quadric";
};

TEST_F(LockTest, NamesItsOwnerAndGoesAway)
{
    EXPECT_FALSE(lockOwner(m_document));
    {
        const StudyLock lock(m_document);
        const auto owner = lockOwner(m_document);
        ASSERT_TRUE(owner);
        EXPECT_EQ(owner->pid, ::getpid());
        EXPECT_NE(owner->host, "");
    }
    EXPECT_FALSE(lockOwner(m_document));
    EXPECT_FALSE(std::filesystem::exists(journalPath(m_document)));
}

TEST_F(LockTest, ASecondLockOfTheSameProcessIsRefused)
{
    const StudyLock lock(m_document);
    EXPECT_THROW(StudyLock{m_document}, DocumentError);
    EXPECT_TRUE(lockOwner(m_document));
}

TEST_F(LockTest, ALockOfAnotherProcessIsRefusedNamingIt)
{
    OwnerProcess owner(m_document);
    ASSERT_TRUE(owner.isReady());
    EXPECT_EQ(lockOwner(m_document)->pid, owner.pid());
    EXPECT_THAT(messageOf<DocumentError>([&] { StudyLock{m_document}; }),
                HasSubstr("is being run by process " + std::to_string(owner.pid()) + " on "));
    std::filesystem::create_symlink(m_document, m_folder / "link.quadric");
    testing::writeFile(m_document, "{}");
    EXPECT_EQ(lockOwner(resolved(m_folder / "link.quadric"))->pid, owner.pid());
}

TEST_F(LockTest, TheLockOfADeadProcessIsFree)
{
    OwnerProcess owner(m_document);
    ASSERT_TRUE(owner.isReady());
    owner.kill();
    EXPECT_TRUE(std::filesystem::exists(journalPath(m_document)));
    EXPECT_FALSE(lockOwner(m_document));
    const StudyLock lock(m_document);
    EXPECT_EQ(lockOwner(m_document)->pid, ::getpid());
}

TEST_F(LockTest, AskingForTheOwnerDoesNotKeepOthersOut)
{
    std::atomic<bool> done = false;
    std::thread asking([&] {
        while (!done)
            static_cast<void>(lockOwner(m_document));
    });
    for (int i = 0; i < 500; ++i)
        EXPECT_NO_THROW(StudyLock{m_document}) << i;
    done = true;
    asking.join();
}

/// Holds the journal as `operation` says, for longer than a new owner waits for a living one.
std::thread holdForAWhile(const std::filesystem::path& document, int operation)
{
    const int file = ::open(journalPath(document).c_str(), O_RDONLY | O_CREAT, 0600);
    EXPECT_EQ(::flock(file, operation), 0);
    return std::thread([file] {
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
        ::close(file);
    });
}

TEST_F(LockTest, WhoStopsWhileAskingKeepsNobodyOut)
{
    std::thread asking = holdForAWhile(m_document, LOCK_SH);
    EXPECT_NO_THROW(StudyLock{m_document});
    asking.join();
}

TEST_F(LockTest, AChildOfADeadOwnerIsWaitedFor)
{
    OwnerProcess owner(m_document);
    ASSERT_TRUE(owner.isReady());
    owner.kill(); // the file still names it
    std::thread child = holdForAWhile(m_document, LOCK_EX);
    EXPECT_NO_THROW(StudyLock{m_document});
    child.join();
}

TEST_F(LockTest, OnlyOneOfManyGetsIt)
{
    std::atomic<int> inside = 0;
    std::atomic<int> taken = 0;
    const auto compete = [&] {
        for (int i = 0; i < 50; ++i) {
            try {
                const StudyLock lock(m_document);
                EXPECT_EQ(inside++, 0);
                ++taken;
                --inside;
            } catch (const DocumentError&) {
                continue;
            }
        }
    };
    std::thread first(compete);
    std::thread second(compete);
    compete();
    first.join();
    second.join();
    EXPECT_GT(taken, 0);
}

TEST_F(LockTest, AFolderThatIsNotThereSaysSo)
{
    EXPECT_THAT(messageOf<DocumentError>([&] { StudyLock{m_folder / "none" / "s.quadric"}; }),
                HasSubstr("cannot be written: No such file or directory"));
}

/// A process that sleeps, with the journal open or not, and without having locked it.
class Bystander {
public:
    explicit Bystander(const std::filesystem::path& open)
        : m_file(::open(open.c_str(), O_RDONLY))
        , m_pid(::fork())
    {
        if (m_pid == 0)
            for (;;)
                ::pause();
    }
    ~Bystander()
    {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    Bystander(const Bystander&) = delete;
    Bystander& operator=(const Bystander&) = delete;

    pid_t pid() const { return m_pid; }

private:
    FileHandle m_file;
    pid_t m_pid;
};

/// In a folder that others write, the journal may name any process of the user's.
TEST_F(LockTest, OnlyAProcessThatHoldsTheLockIsItsOwner)
{
    const OwnerProcess owner(m_document);
    ASSERT_TRUE(owner.isReady());
    const std::optional<LockOwner> told = lockOwner(m_document);
    ASSERT_TRUE(told);
    EXPECT_TRUE(isOwnerOurs(m_document, *told));
    const Bystander reader(journalPath(m_document)), stranger("/dev/null");
    for (const pid_t pid : {reader.pid(), stranger.pid(), ::getpid(), pid_t{1}, pid_t{0}, pid_t{-1}})
        EXPECT_FALSE(isOwnerOurs(m_document, {pid, told->host})) << pid;
    EXPECT_FALSE(isOwnerOurs(m_document, {told->pid, "another computer"}));
    EXPECT_FALSE(isOwnerOurs(m_folder / "none.quadric", *told));
}

} // namespace
} // namespace quadric::study
