// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/file.h"
#include "core/study/files/output_file.h"
#include "study_fixtures.h"

#include <gmock/gmock.h>

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

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

TEST_F(SaveTest, ALinkIsFollowedWhereItComesInAndRefusedLater)
{
    saveStudy(smallStudy(), m_document);
    const std::filesystem::path link = m_folder / "link.quadric";
    std::filesystem::create_symlink("s.quadric", link);
    Study changed = smallStudy();
    changed.name = "through the link";
    saveStudy(changed, resolved(link));
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_FALSE(std::filesystem::is_symlink(m_document));
    EXPECT_EQ(loadStudy(m_document).study.name, "through the link");
    EXPECT_THAT(saveError(smallStudy(), link), HasSubstr("link.quadric: a link to s.quadric by now"));
    EXPECT_THAT(messageOf<DocumentError>([&] { loadStudy(link); }), HasSubstr("a link to s.quadric by now"));
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

/// What the function returns in a process of its own, whose rights and limits it may lower.
template <typename Function> int inChild(Function function)
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(function());
    int status = 0;
    return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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
    EXPECT_EQ(inChild([&] { return saveToAFullDisk(changed, m_document); }), 0);
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
    const int status = inChild([&] { return saveAsOrdinaryUser(smallStudy(), m_document); });
    ::chmod(m_folder.path().c_str(), 0755);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(contentOf(m_document), before);
}

TEST_F(SaveTest, AWriteProtectedFileIsNotReplaced)
{
    saveStudy(smallStudy(), m_document);
    ASSERT_EQ(::chmod(m_document.c_str(), 0444), 0);
    ASSERT_EQ(::chmod(m_folder.path().c_str(), 0777), 0);
    EXPECT_EQ(inChild([&] { return saveAsOrdinaryUser(smallStudy(), m_document); }), 0);
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

class OutputFileTest : public ::testing::Test {
protected:
    void put(const std::string& name, const std::string& text) const
    {
        std::ofstream(m_folder / name) << text;
    }

    TemporaryFolder m_folder;
};

TEST(DocumentKindTest, KnowsStudiesByTheirContent)
{
    const std::string text = writeStudy(smallStudy());
    EXPECT_EQ(documentKindOf(text), DocumentKind::Study);
    EXPECT_EQ(documentKindOf("\n  " + text), DocumentKind::Study);
    EXPECT_EQ(documentKindOf(text.substr(0, text.size() - 5)), DocumentKind::Study) << "torn";
    EXPECT_EQ(documentKindOf(R"({"name": "last", "quadric": 1})"), DocumentKind::Study);
    EXPECT_EQ(documentKindOf(R"({"quadric": 1, "runs": [{"id": 1, "coded": {}}]})"), DocumentKind::Export);
    EXPECT_EQ(documentKindOf(R"({"quadric": 1, "runs": [{"id": 1, "coded": {}}, {"id": 2}]})"),
              DocumentKind::Study);
    EXPECT_EQ(documentKindOf(R"({"name": "package", "inner": {"quadric": 1}})"), DocumentKind::Other);
    EXPECT_EQ(documentKindOf("[1]"), DocumentKind::Other);
    EXPECT_EQ(documentKindOf(""), DocumentKind::Other);
}

TEST_F(OutputFileTest, FindsStudiesAndTheirFiles)
{
    put("s.quadric", "");
    put("s.txt", writeStudy(smallStudy()));
    std::filesystem::create_symlink("s.txt", m_folder / "link");
    EXPECT_EQ(findProtected(m_folder / "s.quadric"), "a study") << "by its name";
    EXPECT_EQ(findProtected(m_folder / "s.txt"), "a study");
    EXPECT_EQ(findProtected(m_folder / "link"), "a study");
    EXPECT_EQ(findProtected(m_folder / "s.quadric-journal"), "the journal of a study");
    EXPECT_EQ(findProtected(m_folder / "gone.quadric-events"), "the events of a study");
    EXPECT_EQ(findProtected(m_folder / "s.txt-events"), "the events of a study");
    EXPECT_EQ(findProtected(m_folder / "notes-journal"), "");
    EXPECT_EQ(findProtected(m_folder / "new.quadric"), "");
    EXPECT_EQ(findProtected("/dev/null"), "");
}

TEST_F(OutputFileTest, RefusesThemAndWritesTheRest)
{
    put("s.txt", writeStudy(smallStudy()));
    EXPECT_THAT(messageOf<DocumentError>([&] { writeOutput(m_folder / "s.txt", "table"); }),
                HasSubstr("s.txt: a study, expected another file"));
    EXPECT_EQ(contentOf(m_folder / "s.txt"), writeStudy(smallStudy()));
    put("t.csv", "old");
    writeOutput(m_folder / "t.csv", "new");
    EXPECT_EQ(contentOf(m_folder / "t.csv"), "new");
}

TEST_F(OutputFileTest, WritesIntoAPipeAndReplacesNone)
{
    const std::filesystem::path pipe = m_folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const FileHandle reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
    writeOutput(pipe, "text");
    char text[8] = {};
    EXPECT_EQ(::read(reader.get(), text, sizeof text), 4);
    EXPECT_STREQ(text, "text");
    EXPECT_THAT(messageOf<DocumentError>([&] { saveStudy(smallStudy(), pipe); }),
                HasSubstr("pipe: cannot be written: not an ordinary file"));
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

class DocumentStateTest : public ::testing::Test {
protected:
    DocumentStateTest() { m_state = saveStudy(smallStudy(), m_document); }

    std::string saveError(const DocumentState& expected) const
    {
        Study study = smallStudy();
        study.description = "mine";
        return messageOf<DocumentChanged>([&] { saveStudy(study, m_document, expected); });
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_document = m_folder / "s.quadric";
    DocumentState m_state;
};

TEST_F(DocumentStateTest, WhatWasSavedOrLoadedIsExpected)
{
    EXPECT_TRUE(hasSameContent(loadStudy(m_document).state, m_state));
    EXPECT_EQ(loadStudy(m_document).state.identity, m_state.identity);
    EXPECT_EQ(saveError(m_state), "");
    EXPECT_EQ(loadStudy(m_document).study.description, "mine");
}

TEST_F(DocumentStateTest, AFileOfTheSameContentIsExpectedWhoeverWroteIt)
{
    const std::string text = contentOf(m_document);
    std::filesystem::remove(m_document);
    writeFile(m_document, text);
    EXPECT_EQ(saveError(m_state), "");
}

TEST_F(DocumentStateTest, AChangedFileIsNotOverwritten)
{
    std::string text = contentOf(m_document);
    text.replace(text.find("small"), 5, "SMALL"); // as long as before, and its time put back
    struct stat before = {};
    ASSERT_EQ(::stat(m_document.c_str(), &before), 0);
    writeFile(m_document, text);
    const timespec times[] = {before.st_atim, before.st_mtim};
    ASSERT_EQ(::utimensat(AT_FDCWD, m_document.c_str(), times, 0), 0);
    EXPECT_THAT(saveError(m_state), HasSubstr("another program has changed the file"));
    EXPECT_EQ(contentOf(m_document), text);
    EXPECT_EQ(saveError(readState(m_document)), "");
}

TEST_F(DocumentStateTest, AMissingFileIsAChange)
{
    std::filesystem::remove(m_document);
    EXPECT_NE(saveError(m_state), "");
    EXPECT_FALSE(std::filesystem::exists(m_document));
    EXPECT_EQ(saveError(DocumentState{}), "");
    EXPECT_NE(saveError(DocumentState{}), "") << "there is one now";
}

TEST_F(DocumentStateTest, TwoWritersNeverOverwriteEachOther)
{
    constexpr int kEdits = 40;
    const auto write = [&](const char* key) {
        for (int i = 0; i < kEdits;) {
            const LoadedStudy loaded = loadStudy(m_document);
            Study study = loaded.study;
            study.unknown[key] = std::to_string(++i);
            try {
                saveStudy(study, m_document, loaded.state);
            } catch (const DocumentChanged&) {
                --i;
            }
        }
    };
    std::thread other([&] { write("theirs"); });
    for (int i = 0; i < kEdits;) {
        const LoadedStudy loaded = loadStudy(m_document);
        const auto known = loaded.study.unknown.find("mine");
        ASSERT_EQ(known == loaded.study.unknown.end() ? "0" : known->second, std::to_string(i))
            << "an edit is lost";
        Study study = loaded.study;
        study.unknown["mine"] = std::to_string(i + 1);
        try {
            saveStudy(study, m_document, loaded.state);
            ++i;
        } catch (const DocumentChanged&) { // the other one was faster
        }
    }
    other.join();
    EXPECT_EQ(loadStudy(m_document).study.unknown.at("theirs"), std::to_string(kEdits));
    EXPECT_EQ(loadStudy(m_document).study.unknown.at("mine"), std::to_string(kEdits));
}

TEST_F(DocumentStateTest, WhoHoldsTheFolderKeepsNobodyFromSaving)
{
    const FileHandle folder(::open(m_folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ASSERT_EQ(::flock(folder.get(), LOCK_EX), 0);
    EXPECT_EQ(saveError(m_state), "");
    EXPECT_EQ(::flock(folder.get(), LOCK_UN), 0);
}

TEST_F(DocumentStateTest, ANewStudyHasNoLogsOfTheOneBefore)
{
    const std::filesystem::path logs = m_folder / "s.quadric-logs", events = m_folder / "s.quadric-events";
    std::filesystem::create_directory(logs);
    writeFile(logs / "run-1.log", "loss of the old study: 0.123\n");
    writeFile(events, "{}\n");
    EXPECT_THROW(saveNewStudy(smallStudy(), m_document), DocumentChanged) << "there is one";
    EXPECT_TRUE(std::filesystem::exists(logs));
    std::filesystem::remove(m_document);
    saveNewStudy(smallStudy(), m_document);
    EXPECT_FALSE(std::filesystem::exists(logs) || std::filesystem::exists(events));
    EXPECT_TRUE(std::filesystem::exists(m_folder / "s.quadric-logs.former" / "run-1.log"));
}

TEST_F(DocumentStateTest, OtherVersionsAreKeptUnderNamesOfTheirOwn)
{
    EXPECT_EQ(keepBeside(m_document, "one"), m_folder / "s (conflict).quadric");
    EXPECT_EQ(keepBeside(m_document, "two"), m_folder / "s (conflict 2).quadric");
    EXPECT_EQ(contentOf(m_folder / "s (conflict).quadric"), "one");
    EXPECT_EQ(contentOf(m_folder / "s (conflict 2).quadric"), "two");
}

} // namespace
} // namespace quadric::study
