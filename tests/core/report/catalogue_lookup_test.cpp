// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/catalogue.h"
#include "core/report/catalogue_lookup.h"

#include <gtest/gtest.h>

#include <map>

using namespace quadric::report;

namespace {

constexpr Entry kEntry{"late-runs", Severity::Amber, "Runs", "{n} run{ is|s are} late: {runs}.", "Wait."};

std::string inGerman(std::string_view pattern)
{
    static const std::map<std::string_view, std::string> kTexts = {
        {"Runs", "Läufe"},
        {"{n} run{ is|s are} late: {runs}.", "{runs}: {n} {Lauf verspätet sich|Läufe verspäten sich}."}};
    const auto text = kTexts.find(pattern);
    return text == kTexts.end() ? std::string(pattern) : text->second;
}

} // namespace

/// A translator may move the placeholders and choose other words by number; what has no translation stays.
TEST(CatalogueLookup, PatternsAreSaidInAnotherLanguage)
{
    setPatternLookup(&inGerman);
    const Finding finding = makeFinding(kEntry, {{"n", "2"}}, {3, 4});
    setPatternLookup(nullptr);
    EXPECT_EQ(finding.code, "late-runs");
    EXPECT_EQ(finding.topic, "Läufe");
    EXPECT_EQ(finding.sentence, "runs 3 and 4: 2 Läufe verspäten sich.");
    EXPECT_EQ(finding.advice, "Wait.");
    EXPECT_EQ(makeFinding(kEntry, {{"n", "1"}}, {3}).sentence, "1 run is late: run 3.");
}
