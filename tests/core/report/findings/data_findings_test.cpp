// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/data_findings.h"

#include <gmock/gmock.h>

namespace quadric::report {

/// A central composite plan of 8 to 64 GPUs has computed axial runs at −3.6 and 75.6.
TEST(DataFindingsTest, namesSettingsThatCannotBe)
{
    study::Study study;
    study.factors = {{.name = "gpus", .low = 8, .high = 64}, {.name = "shift", .low = -1, .high = 1}};
    study.runs = {{.id = 1, .settings = {{"gpus", 8.0}, {"shift", -1.4}}},
                  {.id = 2, .kind = study::RunKind::Axial, .settings = {{"gpus", -3.6}, {"shift", 0.0}}}};
    const std::vector<Finding> findings = findInData(study);
    const auto found = std::ranges::find(findings, "impossible-settings", &Finding::code);
    ASSERT_NE(found, findings.end());
    EXPECT_EQ(found->runs, std::vector<int>{2});
    EXPECT_EQ(found->sentence, "Run 2 has gpus at 0 or below, though its range begins at 8.");
}

} // namespace quadric::report
