// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/job_file.h"

#include "core/exchange/table/delimited.h"

#include <gmock/gmock.h>

#include <fstream>

namespace quadric::exchange {
namespace {

std::filesystem::path written(const std::string& name, const std::string& text)
{
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / name;
    std::ofstream(path) << text;
    return path;
}

TEST(JobFile, IsATableOrWhatSacctPrints)
{
    const plan::JobRecords own = readJobFile(written("jobs.csv", "seconds,gpus\n90,1\n120.5,4\n"));
    EXPECT_EQ(own.tasks, (std::vector<plan::Task>{{90.0, 1}, {120.5, 4}}));
    const plan::JobRecords printed = readJobFile(
        written("sacct.txt", "JobID|Submit|ElapsedRaw|AllocTRES\n"
                             "7|2026-01-31T12:00:00|60|cpu=2,gres/gpu=2\n8|2026-01-31T12:01:00|30|cpu=2\n"));
    EXPECT_EQ(printed.tasks, (std::vector<plan::Task>{{60.0, 2}, {30.0, 1}}));
    EXPECT_DOUBLE_EQ(*printed.rate, 1.0 / 60.0);
}

TEST(JobFile, SaysWhatItLacks)
{
    const auto complaint = [](const std::string& name, const std::string& text) {
        try {
            readJobFile(written(name, text));
        } catch (const ImportError& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    EXPECT_THAT(
        complaint("names.csv", "name,gpus\na,1\n"),
        testing::HasSubstr("names.csv: the columns are name, gpus; expected one of times: ElapsedRaw"));
    EXPECT_THAT(complaint("late.csv", "seconds\n60\n-5\n"),
                testing::HasSubstr("late.csv: seconds of row 2: \"-5\", expected seconds, or days-hours"));
    EXPECT_THAT(complaint("nan.csv", "Seconds\r\nnan\r\n"),
                testing::HasSubstr("nan.csv: Seconds of row 1: \"nan\", expected seconds"));
    EXPECT_THAT(complaint("many.csv", "seconds,gpus\n60,two\n"),
                testing::HasSubstr("many.csv: gpus of row 1: \"two\", expected a whole number"));
    EXPECT_THAT(
        complaint("waiting.csv", "seconds,gpus\n0,1\n,2\n"),
        testing::HasSubstr("waiting.csv: seconds is empty or 0 in all 2 rows, expected a time above 0"));
}

/// Lines of a file that went through two systems.
TEST(JobFile, MayHaveBothLineEndings)
{
    const plan::JobRecords mixed = readJobFile(written("mixed.csv", "seconds,gpus\r\n90,1\n120,4\r\n"));
    EXPECT_EQ(mixed.tasks, (std::vector<plan::Task>{{90.0, 1}, {120.0, 4}}));
}

} // namespace
} // namespace quadric::exchange
