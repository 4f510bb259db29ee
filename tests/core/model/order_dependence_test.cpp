// SPDX-License-Identifier: GPL-3.0-or-later
// Replicates made in a row, and run orders that follow the factors.
#include "core/model/select/order_dependence.h"

#include <gmock/gmock.h>

namespace quadric::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Runs of a 3×3 grid and three center runs, done in this order of ids 1 … 12.
study::Study madeInOrder(const std::vector<int>& ids)
{
    study::Study study;
    for (const char* name : {"a", "b"})
        study.factors.push_back({.name = name, .low = -1, .high = 1});
    study.responses = {{.name = "y"}};
    for (int i = 0; i < 12; ++i) {
        study::Run run{.id = i + 1};
        run.settings = {{"a", i < 9 ? i % 3 - 1.0 : 0.0}, {"b", i < 9 ? i / 3 - 1.0 : 0.0}};
        run.status = study::RunStatus::Done;
        run.results = {{"y", 10.0 + 0.37 * i * i}};
        study.runs.push_back(run);
    }
    for (std::size_t place = 0; place < ids.size(); ++place)
        study::findRun(study, ids[place])->order = static_cast<int>(place) + 1;
    return study;
}

const std::vector<int> kStandard{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
const std::vector<int> kRandom{7, 10, 2, 9, 5, 1, 11, 6, 3, 12, 8, 4};

} // namespace

TEST(RunOrder, ReplicatesInARowAreFound)
{
    const std::vector<int> inARow{7, 2, 9, 5, 10, 11, 12, 1, 6, 3, 8, 4}; // 4!9!/12! = 0.018
    EXPECT_THAT(findConsecutiveReplicates(madeInOrder(inARow)), ElementsAre(5, 10, 11, 12));
    EXPECT_THAT(findConsecutiveReplicates(madeInOrder(kRandom)), IsEmpty());
}

TEST(RunOrder, APairInARowIsChance)
{
    study::Study study = madeInOrder({7, 2, 9, 5, 10, 1, 6, 3, 8, 4, 11, 12}); // 2!9!/10! = 0.2
    for (const int id : {11, 12})
        study::findRun(study, id)->status = study::RunStatus::Excluded;
    EXPECT_THAT(findConsecutiveReplicates(study), IsEmpty());
}

TEST(RunOrder, TheTimeOfTheStartCountsWhereEveryRunTellsIt)
{
    study::Study study = madeInOrder(kRandom);
    const std::vector<int> made{7, 2, 9, 5, 10, 11, 12, 1, 6, 3, 8, 4};
    for (std::size_t i = 0; i < made.size(); ++i)
        study::findRun(study, made[i])->provenance.started =
            "2026-05-01T1" + std::to_string(i / 6) + ":0" + std::to_string(i % 6) + ":00Z";
    EXPECT_THAT(findConsecutiveReplicates(study), ElementsAre(5, 10, 11, 12));
    study.runs[0].provenance.started.clear();
    EXPECT_THAT(findConsecutiveReplicates(study), IsEmpty());
}

// R 4.2: a <- c(rep(-1:1, 3), 0, 0, 0); b <- c(rep(-1:1, each = 3), 0, 0, 0)
// o <- 1:12 or match(1:12, c(7, 10, 2, 9, 5, 1, 11, 6, 3, 12, 8, 4)); summary(lm(o ~ a + b + I(a^2) +
// I(b^2)))
TEST(RunOrder, DependsOnTheFactorsInStandardOrder)
{
    const OrderDependence standard = computeOrderDependence(madeInOrder(kStandard)).value();
    EXPECT_NEAR(standard.r2, 0.702797202797203, 1e-9);
    EXPECT_NEAR(standard.p, 0.049514784069431, 1e-9);
    EXPECT_TRUE(standard.isConfounded);
    const OrderDependence random = computeOrderDependence(madeInOrder(kRandom)).value();
    EXPECT_NEAR(random.r2, 0.0862470862470863, 1e-9);
    EXPECT_NEAR(random.p, 0.9494379724535604, 1e-9);
    EXPECT_FALSE(random.isConfounded);
}

TEST(RunOrder, IsConfoundedWhereItWasNotRandomized)
{
    study::Study study = madeInOrder(kStandard);
    study.runs.resize(9);
    for (study::Run& run : study.runs) // as rows of an imported table are numbered
        run.settings = madeInOrder(kStandard).runs[static_cast<std::size_t>(run.id * 7 % 9)].settings;
    EXPECT_FALSE(computeOrderDependence(study).value().isConfounded);
    study.design.randomize = false;
    EXPECT_TRUE(computeOrderDependence(study).value().isConfounded);
}

TEST(RunOrder, NeedsRunsToJudgeBy)
{
    EXPECT_FALSE(computeOrderDependence({}));
    study::Study study = madeInOrder(kStandard);
    study.runs.resize(4);
    EXPECT_FALSE(computeOrderDependence(study));
    EXPECT_THAT(findConsecutiveReplicates({}), IsEmpty());
}

} // namespace quadric::model
