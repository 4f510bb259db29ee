// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/replicate.h"
#include "design_fixture.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace quadric::design {
namespace {

using study::RunKind;

study::Study boxBehnken()
{
    study::Study study = test::continuousStudy(3, "box-behnken");
    study.design.centerRuns = 3;
    return layOut(std::move(study));
}

TEST(Replicate, RepeatsEachRunAfterAllOthers)
{
    study::Study before = boxBehnken();
    before.design.randomize = true;
    before.runs[0].status = study::RunStatus::Excluded;
    before.runs[1].results["y"] = 1;
    const std::vector<int> ids = runsOfDesign(before);
    ASSERT_EQ(ids.size(), before.runs.size() - 1) << "an excluded run is no part of the design";
    const study::Study after = withReplicates(before, ids, 2);
    ASSERT_EQ(after.runs.size(), before.runs.size() + 2 * ids.size());
    std::map<study::Settings, int> counts;
    std::set<int> known, orders;
    for (std::size_t i = 0; i < after.runs.size(); ++i) {
        const study::Run& run = after.runs[i];
        EXPECT_TRUE(known.insert(run.id).second && orders.insert(run.order).second) << run.id;
        if (i < before.runs.size()) {
            EXPECT_EQ(run, before.runs[i]);
            continue;
        }
        EXPECT_GT(run.order, static_cast<int>(before.runs.size()));
        EXPECT_EQ(run.status, study::RunStatus::Pending);
        EXPECT_TRUE(run.results.empty());
        EXPECT_TRUE(run.kind == RunKind::Augment || run.kind == RunKind::Center);
        ++counts[run.settings];
    }
    for (const int id : ids)
        EXPECT_EQ(counts[study::findRun(before, id)->settings] % 2, 0);
}

TEST(Replicate, KeepsBlocksAndIgnoresUnknownRuns)
{
    study::Study study = boxBehnken();
    study.runs[4].block = 2;
    const study::Study after = withReplicates(study, {study.runs[4].id, study.runs[0].id, 4711}, 1);
    ASSERT_EQ(after.runs.size(), study.runs.size() + 2);
    for (const std::size_t place : {study.runs.size(), study.runs.size() + 1}) {
        const study::Run& run = after.runs[place];
        EXPECT_EQ(run.block, run.settings == study.runs[4].settings ? 2 : 1);
    }
}

} // namespace
} // namespace quadric::design
