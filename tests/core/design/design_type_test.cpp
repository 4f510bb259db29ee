// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/design_type.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace quadric::design {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The names are those of the study format, which files of today contain.
TEST(DesignTypes, HaveTheNamesOfTheStudyFormat)
{
    EXPECT_THAT(designTypes(), ElementsAre("box-behnken", "central-composite", "full-factorial",
                                           "fractional-factorial", "plackett-burman", "definitive-screening",
                                           "latin-hypercube", "i-optimal", "d-optimal"));
    EXPECT_EQ(findDesignType("custom"), nullptr);
}

TEST(DesignTypes, SayWhatTheyAreCalledAndWhatTheyAreGoodFor)
{
    std::set<std::string_view> titles, purposes;
    for (const DesignType& type : allDesignTypes()) {
        EXPECT_NE(type.title, "") << type.name;
        EXPECT_TRUE(type.purpose.ends_with('.')) << type.name;
        EXPECT_TRUE(type.mainEffects.ends_with('.')) << type.name;
        titles.insert(type.title);
        purposes.insert(type.purpose);
    }
    EXPECT_EQ(titles.size(), allDesignTypes().size());
    EXPECT_EQ(purposes.size(), allDesignTypes().size());
}

TEST(DesignTypes, AreAllInTheDocument)
{
    std::ostringstream page;
    page << std::ifstream(sourcePath("docs/methods/designs.md")).rdbuf();
    for (const DesignType& type : allDesignTypes())
        EXPECT_THAT(page.str(), HasSubstr("`" + std::string(type.name) + "`"));
}

TEST(DesignTypes, TakeTheKeysThatMeanSomethingForThem)
{
    EXPECT_THAT(typesThatTake("alpha"), ElementsAre("central-composite"));
    EXPECT_THAT(typesThatTake("generators"), ElementsAre("fractional-factorial"));
    EXPECT_THAT(typesThatTake("model"), ElementsAre("i-optimal", "d-optimal"));
    EXPECT_THAT(typesThatTake("runs"),
                ElementsAre("fractional-factorial", "plackett-burman", "definitive-screening",
                            "latin-hypercube", "i-optimal", "d-optimal"));
    EXPECT_THAT(typesThatTake("seed"), IsEmpty()) << "suits every type";
}

} // namespace
} // namespace quadric::design
