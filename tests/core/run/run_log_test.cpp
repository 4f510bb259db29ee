// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/follow/runner_news.h"
#include "core/run/proposal/renames.h"
#include "core/run/words/control.h"
#include "core/run/words/events.h"
#include "core/run/words/run_files.h"

#include <QTemporaryDir>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace quadric::run {
namespace {

std::vector<std::string> linesOf(const std::filesystem::path& path)
{
    std::vector<std::string> lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

/// A log of numbered lines, each of about `bytes`.
class LongLog : public testing::Test {
protected:
    void write(int lines, std::size_t bytes)
    {
        RunLog log(path());
        for (int i = 0; i < lines; ++i)
            log.write(std::to_string(i) + std::string(bytes, '.'));
    }

    std::filesystem::path document() const { return folder.path().toStdString() + "/s.quadric"; }
    std::filesystem::path path() const { return logPath(document(), 1); }

    QTemporaryDir folder;
};

TEST_F(LongLog, KeepsItsBeginningAndItsEnd)
{
    constexpr int kWritten = 200'000;
    write(kWritten, 50);
    EXPECT_LE(std::filesystem::file_size(path()), RunLog::kMostBytes);
    const std::vector<std::string> lines = linesOf(path());
    EXPECT_TRUE(lines.front().starts_with("0."));
    EXPECT_TRUE(lines.back().starts_with(std::to_string(kWritten - 1)));
    const auto isMark = [](const std::string& line) { return line.starts_with("…"); };
    ASSERT_EQ(std::ranges::count_if(lines, isMark), 1);
    const auto mark = std::ranges::find_if(lines, isMark);
    // What stands before and after it says how many lines are missing between the two.
    const int missing = std::stoi(mark[1]) - std::stoi(mark[-1]) - 1;
    std::string digits;
    std::ranges::copy_if(mark->substr(0, mark->find("line")), std::back_inserter(digits),
                         [](char letter) { return letter >= '0' && letter <= '9'; });
    EXPECT_EQ(std::stoi(digits), missing);
    EXPECT_EQ(static_cast<int>(lines.size()) - 1 + missing, kWritten);
}

TEST_F(LongLog, IsWholeWhereItIsShort)
{
    write(1000, 1000);
    const std::vector<std::string> lines = linesOf(path());
    ASSERT_EQ(lines.size(), 1000U);
    EXPECT_TRUE(lines[999].starts_with("999."));
}

TEST_F(LongLog, HasNoMoreLinesThanCanBeShown)
{
    write(1'000'000, 0);
    const std::vector<std::string> lines = linesOf(path());
    EXPECT_LE(lines.size(), RunLog::kMostLines);
    EXPECT_EQ(lines.back(), "999999");
}

TEST_F(LongLog, ReadsTheSameWhileItGrows)
{
    RunLog log(path());
    RunFiles reader(document(), 1);
    QString shown;
    for (int i = 0; i < 100'000; ++i) {
        log.write(std::to_string(i) + std::string(80, '.'));
        if (i % 5000 == 4999) {
            const RunFiles::News news = reader.read();
            shown = news.isNewLog ? news.log : shown + news.log;
        }
    }
    QString whole;
    for (const std::string& line : linesOf(path()))
        whole += QString::fromStdString(line) + QLatin1Char('\n');
    EXPECT_EQ(shown.size(), whole.size());
    EXPECT_TRUE(shown == whole);
}

using ::testing::ElementsAre;

study::Study fullStudy()
{
    study::Study study;
    study.factors = {{.name = "a"}, {.name = "b"}};
    study.responses = {{.name = "y"}};
    study.constraints = {"a * b <= 100", "b == \"a b\" or not a > aa"};
    study.design.levels = {{"a", 3}};
    study.design.model = "a*b";
    study.model = {{"y", "a + a*b + b^2"}};
    study.benchmark.argv = {"run", "--a={a}", "{{a}}", "{b}{a}", "{aa}", "{"};
    study.benchmark.env = {{"A", "{a}"}};
    study.benchmark.parse = {
        .kind = study::ParseSpec::Kind::Regex, .patterns = {{"y", "y: {number}"}}, .file = "{a}.json"};
    study.runs = {
        {.id = 1, .settings = {{"a", 1.0}, {"b", 2.0}}, .results = {{"y", 3.0}}, .spread = {{"y", 0.1}}}};
    return study;
}

TEST(Renames, CarryAFactorThroughEverything)
{
    const study::Study after = withFactorsRenamed(fullStudy(), {{"a", "rate"}});
    EXPECT_THAT(after.benchmark.argv, ElementsAre("run", "--a={rate}", "{{a}}", "{b}{rate}", "{aa}", "{"));
    EXPECT_EQ(after.benchmark.env.at("A"), "{rate}");
    EXPECT_EQ(after.benchmark.parse.file, "{rate}.json");
    EXPECT_THAT(after.constraints, ElementsAre("rate * b <= 100", "b == \"a b\" or not rate > aa"));
    EXPECT_EQ(after.design.levels.at("rate"), 3);
    EXPECT_EQ(after.design.model, "rate*b");
    EXPECT_EQ(after.model.at("y"), "rate + rate*b + b^2");
    EXPECT_EQ(after.runs[0].settings, (study::Settings{{"rate", 1.0}, {"b", 2.0}}));
}

TEST(Renames, MayExchangeTwoNames)
{
    const study::Study after = withFactorsRenamed(fullStudy(), {{"a", "b"}, {"b", "a"}});
    EXPECT_THAT(after.benchmark.argv, ElementsAre("run", "--a={b}", "{{a}}", "{a}{b}", "{aa}", "{"));
    EXPECT_EQ(after.runs[0].settings, (study::Settings{{"b", 1.0}, {"a", 2.0}}));
    EXPECT_EQ(withFactorsRenamed(after, {{"a", "b"}, {"b", "a"}}), fullStudy()) << "and back";
}

TEST(Renames, CarryAResponseThroughEverything)
{
    const study::Study after = withResponsesRenamed(fullStudy(), {{"y", "speed"}});
    EXPECT_EQ(after.benchmark.parse.patterns.at("speed"), "y: {number}");
    EXPECT_EQ(after.runs[0].results.at("speed"), 3.0);
    EXPECT_EQ(after.runs[0].spread.at("speed"), 0.1);
    EXPECT_EQ(after.model.at("speed"), "a + a*b + b^2");
    EXPECT_FALSE(after.model.contains("y"));
}

TEST(RenameTracker, WaitsForANameOfItsOwn)
{
    RenameTracker names;
    names.show({"a", "b"});
    EXPECT_EQ(names.take({"", "b"}), Names());
    EXPECT_EQ(names.take({"b", "b"}), Names());
    EXPECT_EQ(names.take({"b", "a"}), (Names{{"a", "b"}, {"b", "a"}}));
    names.show({"b", "a"});
    EXPECT_EQ(names.take({"b", "c"}), (Names{{"a", "c"}}));
    EXPECT_EQ(names.take({"b"}), Names()) << "a row that went is no rename";
    EXPECT_EQ(names.take({"x"}), (Names{{"b", "x"}}));
}

// Files beside a study while they grow, and where they are.

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
    }
    fs::remove(path("real/s.quadric"));
    EXPECT_EQ(studyKey(path("linked/s.quadric")), key);
}

} // namespace
} // namespace quadric::run
