// SPDX-License-Identifier: GPL-3.0-or-later
// What the program says, held against simulated studies whose truth is known: few of each kind here, with
// QUADRIC_STUDIES=2000 QUADRIC_WRITE_TABLES=1 as many and the table of docs/methods/answers.md written anew.
#include "claims.h"
#include "document_table.h"

#include "core/text/numbers.h"
#include "tests/support/test_paths.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::answers {
namespace {

/// Standard errors by which so few studies may miss.
constexpr double kChance = 4.0;

int countStudies()
{
    const char* asked = std::getenv("QUADRIC_STUDIES");
    return asked != nullptr ? std::atoi(asked) : 100;
}

/// How far the share may lie beyond a bound by chance.
double slackAt(double bound, const Claim& claim)
{
    const double error = claim.isShare ? std::sqrt(bound * (1.0 - bound) / claim.studies) : claim.error;
    return kChance * error;
}

std::string formatValue(const Claim& claim, double value)
{
    return claim.isShare ? text::formatPercent(value) : text::formatDecimals(value, 2) + claim.unit;
}

std::string rowOf(const Claim& claim)
{
    const std::string bounds = claim.low == claim.high
                                   ? formatValue(claim, claim.low)
                                   : formatValue(claim, claim.low) + " … " + formatValue(claim, claim.high);
    return "| " + claim.subject + " | " + std::to_string(claim.studies) + " | " +
           formatValue(claim, claim.value) + " ± " + formatValue(claim, claim.error) + " | " + bounds +
           " |\n";
}

TEST(AnswersTest, WhatIsSaidIsTrueAsOftenAsItShouldBe)
{
    std::string table = "| claim | studies | true | expected |\n| --- | --- | --- | --- |\n";
    for (const Claim& claim : simulateAll(countStudies())) {
        EXPECT_GE(claim.value, claim.low - slackAt(claim.low, claim)) << claim.subject;
        EXPECT_LE(claim.value, claim.high + slackAt(claim.high, claim)) << claim.subject;
        table += rowOf(claim);
    }
    if (std::getenv("QUADRIC_WRITE_TABLES") != nullptr)
        expectTableInDocument(sourcePath("docs/methods/answers.md"), "answers",
                              "tests/answers/answers_test.cpp", table);
}

} // namespace
} // namespace quadric::answers
