// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/file.h"
#include "study_fixtures.h"

#include <gmock/gmock.h>

#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

namespace quadric::study {
namespace {

using testing::contentOf;
using ::testing::HasSubstr;
using testing::messageOf;
using testing::smallStudy;
using testing::TemporaryFolder;
using testing::writeFile;

class SaveTest : public ::testing::Test {
protected:
    std::string saveError(const Study& study, const std::filesystem::path& path) const
    {
        return messageOf<DocumentError>([&] { saveStudy(study, path); });
    }
    std::size_t filesInFolder() const
    {
        const std::filesystem::directory_iterator files(m_folder.path());
        return static_cast<std::size_t>(std::distance(begin(files), end(files)));
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_document = m_folder / "s.quadric";
};

TEST_F(SaveTest, WhatIsSavedIsLoaded)
{
    saveStudy(smallStudy(), m_document);
    const LoadedStudy loaded = loadStudy(m_document);
    EXPECT_EQ(loaded.study, smallStudy());
    EXPECT_TRUE(loaded.warnings.empty());
    EXPECT_EQ(filesInFolder(), 1U);
}

TEST_F(SaveTest, ReplacesAndKeepsThePermissions)
{
    saveStudy(smallStudy(), m_document);
    ASSERT_EQ(::chmod(m_document.c_str(), 0640), 0);
    Study changed = smallStudy();
    changed.name = "changed";
    saveStudy(changed, m_document);
    EXPECT_EQ(loadStudy(m_document).study.name, "changed");
    struct stat status = {};
    ASSERT_EQ(::stat(m_document.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0640U);
    EXPECT_EQ(filesInFolder(), 1U);
}

TEST_F(SaveTest, ALinkStaysALink)
{
    saveStudy(smallStudy(), m_document);
    const std::filesystem::path link = m_folder / "link.quadric";
    std::filesystem::create_symlink("s.quadric", link);
    Study changed = smallStudy();
    changed.name = "through the link";
    saveStudy(changed, link);
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_FALSE(std::filesystem::is_symlink(m_document));
    EXPECT_EQ(loadStudy(m_document).study.name, "through the link");
}

TEST_F(SaveTest, AFolderThatIsNotThereSaysSo)
{
    EXPECT_THAT(saveError(smallStudy(), m_folder / "none" / "s.quadric"),
                HasSubstr("cannot be written: No such file or directory"));
}

TEST_F(SaveTest, AFolderInTheWayIsNotReplaced)
{
    std::filesystem::create_directories(m_document / "inside");
    EXPECT_THAT(saveError(smallStudy(), m_document), HasSubstr("cannot be written: "));
    EXPECT_TRUE(std::filesystem::exists(m_document / "inside"));
    EXPECT_EQ(filesInFolder(), 1U);
}

/// The number of a process that is gone.
pid_t deadProcess()
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    ::waitpid(child, nullptr, 0);
    return child;
}

TEST_F(SaveTest, WhatAKilledWriterHasLeftIsRemovedAndNothingElse)
{
    const std::string dead = std::to_string(deadProcess()), alive = std::to_string(::getppid());
    const std::vector<std::string> kept = {
        ".s.quadric." + alive + "-0.tmp",     ".s.quadric." + dead + "-x.tmp",
        ".s.quadric." + dead + "-0.tmp.mine", ".s.quadric.-1-0.tmp",
        ".other.quadric." + dead + "-0.tmp",  ".s.quadric.tmp"};
    const std::vector<std::string> left = {".s.quadric." + dead + "-0.tmp", ".s.quadric." + dead + "-12.tmp"};
    for (const auto& names : {kept, left}) {
        for (const std::string& name : names)
            writeFile(m_folder / name, "{");
    }
    saveStudy(smallStudy(), m_document);
    for (const std::string& name : kept)
        EXPECT_TRUE(std::filesystem::exists(m_folder / name)) << name;
    for (const std::string& name : left)
        EXPECT_FALSE(std::filesystem::exists(m_folder / name)) << name;
}

/// Its number says nothing where it belongs to another computer; its lock does.
TEST_F(SaveTest, WhatAWriterOnAnotherComputerStillWritesStays)
{
    const std::filesystem::path written =
        m_folder / (".s.quadric." + std::to_string(deadProcess()) + "-0.tmp");
    const FileHandle writer(::open(written.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    ASSERT_EQ(::flock(writer.get(), LOCK_EX), 0);
    saveStudy(smallStudy(), m_document);
    EXPECT_TRUE(std::filesystem::exists(written));
}

/// In a child that may only write a few bytes to any file.
int saveToAFullDisk(const Study& study, const std::filesystem::path& path)
{
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 2;
    const std::string error = messageOf<DocumentError>([&] { saveStudy(study, path); });
    return error.find("cannot be written: File too large") != std::string::npos ? 0 : 3;
}

TEST_F(SaveTest, AFullDiskLeavesTheOldFileWhole)
{
    saveStudy(smallStudy(), m_document);
    const std::string before = contentOf(m_document);
    Study changed = smallStudy();
    changed.name = "never saved";
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0)
        ::_exit(saveToAFullDisk(changed, m_document));
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(contentOf(m_document), before);
    EXPECT_EQ(filesInFolder(), 1U);
}

/// In a child without the rights of root, where there are any to give up.
int saveAsOrdinaryUser(const Study& study, const std::filesystem::path& path)
{
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && ::setuid(kNobody) != 0)
        return 2;
    const std::string error = messageOf<DocumentError>([&] { saveStudy(study, path); });
    return error.find("cannot be written: Permission denied") != std::string::npos ? 0 : 3;
}

TEST_F(SaveTest, AReadOnlyFolderLeavesTheOldFileWhole)
{
    saveStudy(smallStudy(), m_document);
    const std::string before = contentOf(m_document);
    ASSERT_EQ(::chmod(m_folder.path().c_str(), 0555), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0)
        ::_exit(saveAsOrdinaryUser(smallStudy(), m_document));
    int status = 0;
    ::waitpid(child, &status, 0);
    ::chmod(m_folder.path().c_str(), 0755);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(contentOf(m_document), before);
}

TEST_F(SaveTest, AWriteProtectedFileIsNotReplaced)
{
    saveStudy(smallStudy(), m_document);
    ASSERT_EQ(::chmod(m_document.c_str(), 0444), 0);
    ASSERT_EQ(::chmod(m_folder.path().c_str(), 0777), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0)
        ::_exit(saveAsOrdinaryUser(smallStudy(), m_document));
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(filesInFolder(), 1U);
}

TEST_F(SaveTest, AStudyThatCouldNotBeReadAgainIsNotSaved)
{
    saveStudy(smallStudy(), m_document);
    const std::string before = contentOf(m_document);
    Study twice = smallStudy();
    twice.factors.push_back(twice.factors.front());
    EXPECT_THAT(saveError(twice, m_document),
                HasSubstr("not saved: factors[1].name: the name \"a\" is used twice"));
    Study infinite = smallStudy();
    infinite.runs[0].results["y"] = HUGE_VAL;
    EXPECT_THAT(saveError(infinite, m_document),
                HasSubstr("not saved: runs[0].results.y: not a finite number"));
    EXPECT_EQ(contentOf(m_document), before);
}

} // namespace
} // namespace quadric::study
