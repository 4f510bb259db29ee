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
    try {
        readJobFile(written("names.csv", "name,gpus\na,1\n"));
        FAIL();
    } catch (const ImportError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("names.csv: expected a column ElapsedRaw"));
    }
}

} // namespace
} // namespace quadric::exchange
