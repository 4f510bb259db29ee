// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/display_names.h"

#include <gtest/gtest.h>

using namespace quadric::study;

namespace {

/// One numeric and one categorical factor, a response, a run, a formula and a constraint that use `name`.
Study studyWith(const std::string& name, const std::string& level)
{
    Study study;
    study.factors.resize(2);
    study.factors[0].name = name;
    study.factors[1].name = "kind";
    study.factors[1].type = FactorType::Categorical;
    study.factors[1].categories = {level, "other"};
    study.responses.resize(1);
    study.responses[0].name = "y\n" + name;
    study.model[study.responses[0].name] = name + " + " + name + "^2";
    study.constraints = {name + " <= 4"};
    study.runs.resize(1);
    study.runs[0].settings = {{name, 1.0}, {"kind", level}};
    study.runs[0].results[study.responses[0].name] = 7.0;
    study.runs[0].spread[study.responses[0].name] = 0.5;
    return study;
}

} // namespace

TEST(ShownText, KeepsWhatCanBeRead)
{
    EXPECT_EQ(shownText("größte Länge µ ≥ 3"), "größte Länge µ ≥ 3");
}

TEST(ShownText, ReplacesWhatCannotBeSeen)
{
    EXPECT_EQ(shownText(std::string("a\0b\x1b[31m\x7f", 9)), "a b [31m ");
    EXPECT_EQ(shownText("exe\u202Efdp\u2066"), "exe fdp ");
    EXPECT_EQ(shownText("next\u0085line\u2028"), "next line ");
}

TEST(ShownText, ShortensBetweenCharacters)
{
    EXPECT_EQ(shownText("ääää", 3), "äää…");
    EXPECT_EQ(shownText("äää", 3), "äää");
}

TEST(DisplayNames, LeaveAnOrdinaryStudyAsItIs)
{
    Study study = studyWith("batch", "bf16");
    study.responses[0].name = "y";
    study.runs[0].results = {{"y", 7.0}};
    study.runs[0].spread.clear();
    study.model.clear();
    EXPECT_EQ(withDisplayNames(study), study);
}

TEST(DisplayNames, AreUsedWhereverTheStudyUsesTheName)
{
    const std::string longName(5000, 'x');
    const Study shown = withDisplayNames(studyWith(longName, "level\n" + longName));
    const std::string name = shown.factors[0].name;
    EXPECT_EQ(name, std::string(kLongestShown, 'x') + "…");
    const std::string level = shown.factors[1].categories[0];
    EXPECT_EQ(shown.runs[0].settings, (Settings{{name, 1.0}, {"kind", level}}));
    const std::string response = shown.responses[0].name;
    EXPECT_EQ(shown.runs[0].results.at(response), 7.0);
    EXPECT_EQ(shown.runs[0].spread.at(response), 0.5);
    EXPECT_EQ(shown.model.at(response), name + " + " + name + "^2");
    EXPECT_EQ(shown.constraints[0], name + " <= 4");
}

TEST(DisplayNames, OfDifferentFactorsStayDifferent)
{
    Study study;
    study.factors.resize(3);
    study.factors[0].name = "a b";
    study.factors[1].name = "a\nb";
    study.factors[2].name = "a\tb";
    const Study shown = withDisplayNames(study);
    EXPECT_EQ(shown.factors[0].name, "a b");
    EXPECT_EQ(shown.factors[1].name, "a b (2)");
    EXPECT_EQ(shown.factors[2].name, "a b (3)");
}
