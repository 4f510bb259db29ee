// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/node_findings.h"

#include "core/report/findings/standing.h"
#include "core/report/table_text.h"
#include "core/report/tables/answer_tables.h"
#include "core/report/tables/plan_tables.h"

#include <gmock/gmock.h>

namespace quadric::report {
namespace {

study::Study onNodesOfEight()
{
    study::Study study;
    study.factors = {{.name = "gpus", .type = study::FactorType::Integer, .low = 8, .high = 64}};
    study.responses = {{.name = "speed"}};
    study.fixed["ranks_per_node"] = 8.0;
    return study;
}

study::Settings gpus(double count)
{
    return {{"gpus", count}};
}

/// The cell below this heading; empty without such a column.
std::string cellOf(const Table& table, const std::string& heading, std::size_t row)
{
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].title == heading)
            return formatCell(table.rows[row][i]);
    return "";
}

constexpr const char* kOf59 = "gpus = 59 needs 8 nodes of 8 and leaves 5 of 64 places idle (setting "
                              "ranks_per_node). gpus = 56 or 64 fills whole nodes.";

} // namespace

TEST(NodeFindings, AreSaidOfARecommendedSetting)
{
    const study::Study study = onNodesOfEight();
    EXPECT_EQ(describeIdleRanks(study, gpus(59)), kOf59);
    EXPECT_EQ(describeIdleRanks(study, gpus(56)), "");
    const Standing standing = judgeSetting(study, {}, gpus(59), {});
    EXPECT_EQ(standing.severity, Severity::Amber);
    EXPECT_THAT(standing.reasons, testing::ElementsAre(kOf59));
    EXPECT_EQ(judgeSetting(study, {}, gpus(64), {}).severity, Severity::Green);
}

TEST(NodeFindings, AreOnePerCount)
{
    const auto findings = findIdleRanks(onNodesOfEight(), {gpus(59), gpus(56), gpus(60), gpus(59)});
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(findings[0].code, "idle-gpus");
    EXPECT_THAT(findings[1].sentence, testing::HasSubstr("gpus = 60 needs 8 nodes of 8 and leaves 4 of 64"));
}

TEST(NodeFindings, AreAColumnOfRankedAndProposedSettings)
{
    const study::Study study = onNodesOfEight();
    const Table ranked = makeSolutionTable(study, {{.settings = gpus(59)}, {.settings = gpus(56)}});
    EXPECT_EQ(cellOf(ranked, "Idle", 0), "5 of 64");
    EXPECT_EQ(cellOf(ranked, "Idle", 1), "0");
    EXPECT_THAT(ranked.note, testing::HasSubstr("on nodes of 8 (setting ranks_per_node)."));
    EXPECT_EQ(cellOf(makeSolutionTable(study, {{.settings = gpus(56)}}), "Idle", 0), "") << "nothing to say";
    const Table next = makeNextRunTable(study, {{.settings = gpus(60)}}, optimize::RunCriterion::Improvement);
    EXPECT_EQ(cellOf(next, "Idle", 0), "4 of 64");
    optimize::RunPlan plan;
    plan.runs = {{.settings = gpus(17)}};
    EXPECT_EQ(cellOf(makePlanTable(study, plan), "Idle", 0), "7 of 24");
}

TEST(NodeFindings, AreSaidOfCountsOfAForecast)
{
    const study::NodeSize node{8, "as chosen"};
    EXPECT_EQ(findIdleCounts({59, 118, 64}, node)->sentence,
              "Part of a node of 8 (as chosen) stays idle with 59 and 118.");
    EXPECT_FALSE(findIdleCounts({4, 8, 64}, node).has_value());
}

} // namespace quadric::report
