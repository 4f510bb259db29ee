// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/typed_text.h"
#include "core/text/visible_text.h"

#include <gtest/gtest.h>

namespace quadric::text::test {
namespace {

using namespace std::string_literals;

TEST(MakeVisible, leavesWhatCanBeReadAsItIs)
{
    const std::string text = "naïve 温度 μm² −1 234 ± 5 “x” 😀 قيمة \\ C:\\new";
    EXPECT_EQ(makeVisible(text), text);
    EXPECT_EQ(makeVisible(""), "");
}

TEST(MakeVisible, escapesEveryControlCharacter)
{
    EXPECT_EQ(makeVisible("\x1b[1A\r\x1b[2K"), "\\x1b[1A\\r\\x1b[2K");
    EXPECT_EQ(makeVisible("a\0b"s), "a\\x00b");
    EXPECT_EQ(makeVisible("\a\b\v\f\x7f"), "\\x07\\x08\\x0b\\x0c\\x7f");
    EXPECT_EQ(makeVisible("\u0080\u009b2J\u009f"), "\\u{80}\\u{9b}2J\\u{9f}"); // C1: CSI without ESC
    EXPECT_EQ(makeVisible("\u00a0\u00e9"), "\u00a0\u00e9");
}

TEST(MakeVisible, keepsOnlyLineBreaksAndTabsWhenAsked)
{
    EXPECT_EQ(makeVisible("a\n\tb\rc"), "a\\n\\tb\\rc");
    EXPECT_EQ(makeVisible("a\n\tb\rc\x1b", LineBreaks::Keep), "a\n\tb\\rc\\x1b");
    EXPECT_EQ(makeVisible("a\u2028b\u0085", LineBreaks::Keep), "a\\u{2028}b\\u{85}");
}

TEST(MakeVisible, escapesWhatReordersText)
{
    for (const char* mark : {"\u061c", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e",
                             "\u2066", "\u2067", "\u2068", "\u2069"})
        EXPECT_EQ(makeVisible(mark).substr(0, 3), "\\u{") << mark;
    EXPECT_EQ(makeVisible("\u202edlrow olleh"), "\\u{202e}dlrow olleh");
}

TEST(MakeVisible, escapesWhatTakesNoRoomOrIsBlank)
{
    for (const char* mark :
         {"\u00ad",     "\u034f",     "\u115f",     "\u1160",     "\u17b4",     "\u180e",     "\u200b",
          "\u200c",     "\u200d",     "\u2060",     "\u2063",     "\u2064",     "\u206f",     "\u2800",
          "\u3164",     "\ufe00",     "\ufe0f",     "\ufeff",     "\uffa0",     "\ufff9",     "\ufffe",
          "\U0001bca0", "\U0001d173", "\U000e0001", "\U000e0041", "\U000e007f", "\U000e0100", "\U000e01ef"})
        EXPECT_EQ(makeVisible(mark).substr(0, 3), "\\u{") << makeVisible(mark);
    EXPECT_EQ(makeVisible("./tra\u200bin.sh\U000e0041"), "./tra\\u{200b}in.sh\\u{e0041}");
}

TEST(MakeVisible, escapesBytesThatAreNoUtf8)
{
    EXPECT_EQ(makeVisible("a\xff\xfe"), "a\\xff\\xfe");
    EXPECT_EQ(makeVisible("\x9b"), "\\x9b");          // a C1 control of an 8-bit terminal
    EXPECT_EQ(makeVisible("\xc1\x8a"), "\\xc1\\x8a"); // overlong line feed
    EXPECT_EQ(makeVisible("\xe0\x80\x8a"), "\\xe0\\x80\\x8a");
    EXPECT_EQ(makeVisible("\xed\xa0\x80"), "\\xed\\xa0\\x80");          // a surrogate
    EXPECT_EQ(makeVisible("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80"); // above U+10FFFF
    EXPECT_EQ(makeVisible("\xe2\x82"), "\\xe2\\x82");                   // cut off
    EXPECT_EQ(makeVisible("\xe2\x1b["), "\\xe2\\x1b[");                 // the escape is not swallowed
}

} // namespace

TEST(EditDistanceTest, IsTheKnownOneOfTextbookPairs)
{
    EXPECT_EQ(computeEditDistance("kitten", "sitting"), 3U);
    EXPECT_EQ(computeEditDistance("saturday", "sunday"), 3U);
    EXPECT_EQ(computeEditDistance("ca", "abc"), 3U) << "optimal string alignment edits no part twice";
    EXPECT_EQ(computeEditDistance("lr", "rl"), 1U) << "two neighbors swapped";
    EXPECT_EQ(computeEditDistance("", "abc"), 3U);
    EXPECT_EQ(computeEditDistance("Batch", "bATCH"), 0U);
}

TEST(FindNearestTest, FindsWhatWasMeant)
{
    const std::vector<std::string> names = {"lr", "batch", "workers", "optimizer"};
    EXPECT_EQ(findNearest("optimiser", names), "optimizer");
    EXPECT_EQ(findNearest("bacth", names), "batch");
    EXPECT_EQ(findNearest("Workers", names), "workers");
    EXPECT_EQ(findNearest("rl", names), "lr");
    EXPECT_EQ(findNearest("opt", names), "optimizer") << "the only one that begins so";
    EXPECT_EQ(findNearest("learning_rate", names), std::nullopt);
    EXPECT_EQ(findNearest("x", names), std::nullopt);
    EXPECT_EQ(findNearest("", names), std::nullopt);
    EXPECT_EQ(findNearest("anything", {}), std::nullopt);
}

TEST(FindNearestTest, NeverReplacesEveryLetter)
{
    EXPECT_EQ(findNearest("a", {"b"}), std::nullopt);
    EXPECT_EQ(findNearest("wor", {"workers", "worlds"}), std::nullopt) << "two begin so";
}

TEST(FindNearestTest, AsksInASentence)
{
    EXPECT_EQ(suggestNearest("optimiser", {"lr", "optimizer"}, "{", "}"), " Did you mean {optimizer}?");
    EXPECT_EQ(suggestNearest("nothing_near", {"lr"}), "");
}

} // namespace quadric::text::test
