// SPDX-License-Identifier: GPL-3.0-or-later
// Files beside a study while they grow, and where they are.
#include "core/run/follow/runner_news.h"
#include "core/run/words/control.h"
#include "core/run/words/events.h"
#include "core/run/words/file_tail.h"
#include "core/run/words/records_elsewhere.h"
#include "core/run/words/run_files.h"
#include "core/run/words/run_log.h"
#include "core/run/words/study_key.h"

#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace quadric::run {
namespace {

namespace fs = std::filesystem;

class Companion : public ::testing::Test {
protected:
    void append(const std::string& name, const std::string& text) const
    {
        std::ofstream(path(name), std::ios::app) << text;
    }
    fs::path path(const std::string& name) const { return fs::path(m_folder.path().toStdString()) / name; }
    FileTail tail(std::size_t most = 100) const
    {
        return FileTail(path("file"), {}, {most, static_cast<std::int64_t>(most)});
    }

    QTemporaryDir m_folder;
};

TEST_F(Companion, IsReadOnFromWhereTheLastReadingEnded)
{
    FileTail read = tail();
    EXPECT_TRUE(read.readLines().isStart);
    append("file", "one\ntw");
    FileTail::News news = read.readLines();
    EXPECT_EQ(news.text, "one\n");
    append("file", "o\n");
    news = read.readLines();
    EXPECT_EQ(news.text, "two\n");
    EXPECT_FALSE(news.isStart);
    fs::rename(path("file"), path("former"));
    append("file", "1\n");
    news = read.readLines();
    EXPECT_EQ(news.text, "1\n");
    EXPECT_TRUE(news.isStart);
    append("file", "2\n");
    read.skipToEnd();
    append("file", "3\n");
    EXPECT_EQ(read.readLines().text, "3\n");
}

TEST_F(Companion, BeyondItsBoundIsReadFromTheEnd)
{
    append("file", std::string(1000, 'x') + "\nlast\n");
    EXPECT_EQ(tail(10).readLines().text, "xxxx\nlast\n");
    EXPECT_EQ(tail(10).read().text, "xxxx\nlast\n");
}

TEST_F(Companion, WithoutLineEndsHoldsNobodyUp)
{
    append("file", std::string(100, 'x'));
    FileTail read(path("file"), {}, {10, 1000});
    for (int i = 0; i < 10; ++i)
        EXPECT_TRUE(read.readLines().isFull);
    append("file", "\nend\n");
    EXPECT_EQ(read.readLines().text, "\nend\n");
}

TEST_F(Companion, ThatIsNoneOfOursHasNothingInIt)
{
    append("victim", "text\n");
    fs::create_symlink("victim", path("file"));
    EXPECT_EQ(tail().read().text, "");
    fs::remove(path("file"));
    ASSERT_EQ(::mkfifo(path("file").c_str(), 0600), 0);
    EXPECT_EQ(tail().read().text, "");
}

TEST_F(Companion, OfGigabytesIsReadInAMoment)
{
    const fs::path document = path("s.quadric");
    fs::create_directory(logFolder(document));
    for (const fs::path& file : {logPath(document, 1), samplesPath(document, 1), eventsPath(document)}) {
        std::ofstream(file).close();
        ASSERT_EQ(::truncate(file.c_str(), off_t{20} << 30), 0);
        std::ofstream(file, std::ios::app) << "\nlast\n";
    }
    EXPECT_EQ(RunFiles(document, 1).read().log.right(6), QStringLiteral("\nlast\n"));
    EXPECT_EQ(readRunnerNews(document), RunnerNews());
}

/// As where a new file gets the inode of the one that was removed.
TEST_F(Companion, OfOtherContentIsReadFromItsStart)
{
    append("log", "first\nsecond\n");
    FileTail tail(path("log"), {}, {1000, 1000});
    EXPECT_EQ(tail.readLines().text, "first\nsecond\n");
    {
        std::fstream file(path("log"), std::ios::in | std::ios::out);
        file << "other\nlines1\nand more\n";
    }
    const FileTail::News news = tail.readLines();
    EXPECT_TRUE(news.isStart);
    EXPECT_EQ(news.text, "other\nlines1\nand more\n");
    EXPECT_FALSE(tail.readLines().isStart);
}

TEST_F(Companion, LogsAreNewFilesWhateverHadTheirName)
{
    const fs::path document = path("s.quadric");
    fs::create_directory(logFolder(document));
    append("victim", "text\n");
    fs::create_hard_link(path("victim"), logPath(document, 1));
    RunLog(logPath(document, 1)).write("ours");
    EXPECT_EQ(fs::file_size(path("victim")), 5U);
    EXPECT_EQ(fs::file_size(logPath(document, 1)), 5U);
    EXPECT_EQ(fs::hard_link_count(logPath(document, 1)), 1U);
}

TEST_F(Companion, IsTheSameByEveryPathToTheStudy)
{
    fs::create_directory(path("real"));
    fs::create_directory_symlink("real", path("linked"));
    fs::create_symlink("real/s.quadric", path("alias.quadric"));
    append("real/s.quadric", "{}");
    const QString key = studyKey(path("real/s.quadric"));
    for (const char* other : {"linked/s.quadric", "./real/../linked/./s.quadric", "alias.quadric"}) {
        EXPECT_EQ(studyKey(path(other)), key) << other;
        EXPECT_EQ(controlSocket(path(other)), controlSocket(path("real/s.quadric"))) << other;
        EXPECT_EQ(journalElsewhere(path(other)), journalElsewhere(path("real/s.quadric"))) << other;
    }
    fs::remove(path("real/s.quadric"));
    EXPECT_EQ(studyKey(path("linked/s.quadric")), key);
}

} // namespace
} // namespace quadric::run
