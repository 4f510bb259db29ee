// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/catalogue.h"

#include <gmock/gmock.h>

namespace quadric::report {
namespace {

constexpr Entry kEntry{"some-code", Severity::Amber, "Topic", "{Runs} {is|are} near {place}.",
                       "Check {runs}{| and all others}."};

Finding coded(std::string code, Severity severity)
{
    Finding finding;
    finding.code = std::move(code);
    finding.severity = severity;
    return finding;
}

TEST(Catalogue, fillsPlaceholdersAndChoosesTheFormOfWords)
{
    EXPECT_EQ(fill("{n} run{|s} failed", {{"n", "1"}}, 1), "1 run failed");
    EXPECT_EQ(fill("{n} run{|s} failed", {{"n", "3"}}, 3), "3 runs failed");
    EXPECT_EQ(fill("no placeholder", {}), "no placeholder");
    EXPECT_EQ(fill("{unknown} stays", {}), "{unknown} stays");
}

TEST(Catalogue, aBraceInANameIsNoPlaceholder)
{
    EXPECT_EQ(fill("{response} and {other}", {{"response", "{other}"}, {"other", "y|z"}}), "{other} and y|z");
}

TEST(Catalogue, findingsNameTheirRuns)
{
    const Finding one = makeFinding(kEntry, {{"place", "A"}}, {7});
    EXPECT_EQ(one.code, "some-code");
    EXPECT_EQ(one.severity, Severity::Amber);
    EXPECT_EQ(one.sentence, "Run 7 is near A.");
    EXPECT_EQ(one.advice, "Check run 7.");
    EXPECT_THAT(one.runs, testing::ElementsAre(7));
    const Finding two = makeFinding(kEntry, {{"place", "A"}}, {7, 9});
    EXPECT_EQ(two.sentence, "Runs 7 and 9 are near A.");
    EXPECT_EQ(two.advice, "Check runs 7 and 9 and all others.");
}

TEST(Catalogue, theWorstFindingIsTheFirstOfItsSeverity)
{
    EXPECT_EQ(findWorst({}), nullptr);
    const std::vector<Finding> findings{coded("a", Severity::Green), coded("b", Severity::Red),
                                        coded("c", Severity::Amber), coded("d", Severity::Red)};
    EXPECT_EQ(findWorst(findings)->code, "b");
    EXPECT_EQ(judgeP(0.05), Severity::Green);
    EXPECT_EQ(judgeP(0.049), Severity::Amber);
    EXPECT_EQ(judgeP(0.0099), Severity::Red);
}

} // namespace
} // namespace quadric::report
