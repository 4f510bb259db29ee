// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"

#include <gmock/gmock.h>

#include <fstream>

namespace quadric::test {

namespace {

using ::testing::HasSubstr;

class Compare : public CommandTest {
protected:
    /// Speeds at 1, 2, 4 and 8 GPUs.
    void writeStudy(const std::string& name, const std::vector<double>& speeds,
                    const std::string& kernel) const
    {
        Json study = {{"quadric", 1},
                      {"name", name},
                      {"factors", {{{"name", "gpus"}, {"type", "integer"}, {"low", 1}, {"high", 8}}}},
                      {"responses", {{{"name", "tokens_per_sec"}, {"unit", "tok/s"}, {"goal", "maximize"}}}},
                      {"runs", Json::array()}};
        for (std::size_t i = 0; i < speeds.size(); ++i)
            study["runs"].push_back({{"id", i + 1},
                                     {"order", i + 1},
                                     {"settings", {{"gpus", 1 << i}}},
                                     {"status", "done"},
                                     {"results", {{"tokens_per_sec", speeds[i]}}},
                                     {"provenance", {{"source", "measured"}, {"kernel", kernel}}}});
        std::ofstream(file(name + ".quadric")) << study;
    }
};

} // namespace

TEST_F(Compare, SaysWhichIsFasterAndWhatChanged)
{
    writeStudy("before", {100, 195, 380, 700}, "6.1");
    writeStudy("after", {110, 216, 415, 775}, "6.12");
    const CommandResult told = quadric({"compare", "before.quadric", "after.quadric"});
    ASSERT_EQ(told.status, 0) << told.err;
    EXPECT_THAT(told.out, HasSubstr("tokens_per_sec: faster"));
    EXPECT_THAT(told.out, HasSubstr("6.12"));
    const Json json = quadric({"compare", "before.quadric", "after.quadric", "--json"}).json();
    EXPECT_EQ(json["responses"][0]["verdict"], "faster");
    EXPECT_EQ(json["responses"][0]["settings"], 4);
    EXPECT_NEAR(json["responses"][0]["estimate"].get<double>(), 1.1, 0.01);
    EXPECT_EQ(json["provenance"][0]["name"], "kernel");
    EXPECT_EQ(
        quadric({"compare", "after.quadric", "before.quadric", "--json"}).json()["responses"][0]["verdict"],
        "slower");
}

TEST_F(Compare, WhatCannotBeComparedIsWrongUse)
{
    writeStudy("before", {100, 195, 380, 700}, "6.1");
    writeStudy("empty", {}, "6.1");
    const CommandResult refused = quadric({"compare", "before.quadric", "empty.quadric"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("No setting has a result"));
    EXPECT_EQ(quadric({"compare", "before.quadric"}).status, 2);
    EXPECT_EQ(quadric({"compare", "before.quadric", "before.quadric", "--confidence", "95"}).status, 2);
}

} // namespace quadric::test
