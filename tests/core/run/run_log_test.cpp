// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/run_log.h"

#include "core/run/words/run_files.h"

#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

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

} // namespace
} // namespace quadric::run
