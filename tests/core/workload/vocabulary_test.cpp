// SPDX-License-Identifier: GPL-3.0-or-later
// Both tables of the vocabulary, and those in docs/trainer.md that are written from them.
#include "core/workload/knob_table.h"
#include "core/workload/response_table.h"

#include "document_table.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace quadric::workload {
namespace {

using ::testing::ElementsAre;

void expectWords(std::string_view name, std::string_view title, std::string_view help)
{
    EXPECT_FALSE(title.empty() || help.empty()) << name;
    EXPECT_FALSE(help.ends_with('.')) << name << ": whoever shows the sentence ends it";
}

TEST(Vocabulary, EveryKnobHasItsOwnNameAndWords)
{
    std::set<std::string_view> names;
    for (const Knob& each : kKnobs) {
        expectWords(each.name, each.title, each.help);
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
        EXPECT_TRUE(each.alias.empty() || names.insert(each.alias).second) << each.alias;
        EXPECT_EQ(findKnob(each.name), &each);
    }
    EXPECT_EQ(findKnob("gpu_count"), &knob("ranks"));
    EXPECT_EQ(findKnob("batch_per_gpu"), &knob("batch_per_rank"));
    EXPECT_EQ(findKnob(""), nullptr);
    EXPECT_EQ(findKnob("batch_pre_rank"), nullptr);
    EXPECT_EQ(knobName("gpu_count"), "ranks");
    EXPECT_EQ(knobName("dataset"), "dataset");
    EXPECT_TRUE(knobNames().starts_with("engine, ranks, batch_per_rank, "));
}

TEST(Vocabulary, EveryKnobHasARangeOrChoices)
{
    for (const Knob& each : kKnobs) {
        EXPECT_EQ(isNumber(each), choicesOf(each).empty()) << each.name;
        EXPECT_EQ(isNumber(each), each.values.lowest < each.values.highest) << each.name;
        EXPECT_FALSE(each.usual.empty()) << each.name;
    }
    EXPECT_THAT(choicesOf(knob("overlap")), ElementsAre("on", "off"));
    EXPECT_THAT(choicesOf(knob("scaling")), ElementsAre("weak", "strong"));
    EXPECT_EQ(rangeWords(knob("precision")), "fp32, tf32, bf16, fp16");
    EXPECT_EQ(rangeWords(knob("gradient_compression")), "0 to 99.999 %");
    EXPECT_EQ(rangeWords(knob("baseline_rate")), "1e-06 to 1000000000 img/s, or none");
}

TEST(Vocabulary, SuggestedFactorsAreLegal)
{
    for (const Knob& each : kKnobs) {
        const Offer& offer = each.offer;
        if (offer.kind != Offer::Kind::Factor || !isNumber(each))
            continue;
        EXPECT_LT(offer.low, offer.high) << each.name;
        EXPECT_TRUE(offer.low >= each.values.lowest && offer.high <= each.values.highest) << each.name;
        EXPECT_TRUE(offer.spacing == Spacing::Linear || offer.low > 0.0) << each.name;
    }
}

TEST(Vocabulary, EveryResponseHasItsOwnNameAndWords)
{
    std::set<std::string_view> names;
    for (const Response& each : kResponses) {
        expectWords(each.name, each.title, each.help);
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
        EXPECT_EQ(findResponse(each.name), &each);
        EXPECT_FALSE(needsWords(each.needs).empty()) << each.name;
    }
    EXPECT_EQ(findResponse("speed"), nullptr);
    EXPECT_TRUE(responseNames().starts_with("images_per_sec, scaling_efficiency, "));
}

std::string cell(std::string_view text)
{
    return std::string(text) + " | ";
}

std::string code(std::string_view text)
{
    return '`' + std::string(text) + '`';
}

std::string knobTable()
{
    std::string table = "| setting | values | default | meaning |\n| --- | --- | --- | --- |\n";
    for (const Knob& each : kKnobs)
        table += "| " + cell(code(each.name)) + cell(rangeWords(each)) + cell(each.usual) +
                 std::string(each.help) + " |\n";
    return table;
}

std::string responseTable()
{
    std::string table = "| name | unit | reported | meaning |\n| --- | --- | --- | --- |\n";
    for (const Response& each : kResponses)
        table += "| " + cell(code(each.name)) + cell(each.unit) + cell(needsWords(each.needs)) +
                 std::string(each.help) + " |\n";
    return table;
}

TEST(Vocabulary, TheTablesOfTheTrainersPageAreWrittenFromIt)
{
    const std::string test = "tests/core/workload/vocabulary_test.cpp";
    expectTableInDocument(sourcePath("docs/trainer.md"), "settings", test, knobTable());
    expectTableInDocument(sourcePath("docs/trainer.md"), "responses", test, responseTable());
}

} // namespace
} // namespace quadric::workload
