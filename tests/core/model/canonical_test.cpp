// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/canonical.h"
#include "expectations.h"
#include "oracle_study.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::model::test {

namespace {

void compareCanonical(const Canonical& canonical, const nlohmann::json& expected)
{
    EXPECT_EQ(nameOf(canonical.kind), expected["nature"].get<std::string>());
    expectRelative(canonical.response, expected["predicted_at_stationary"], "response");
    for (Eigen::Index i = 0; i < canonical.point.size(); ++i) {
        const auto row = static_cast<std::size_t>(i);
        expectRelative(canonical.point[i], expected["stationary_coded"][row], "point");
        expectRelative(canonical.actual[row], expected["stationary_actual"][row], "actual");
        expectRelative(canonical.eigenvalues[i], expected["eigenvalues"][row], "eigenvalue");
        for (Eigen::Index j = 0; j < canonical.point.size(); ++j)
            expectRelative(canonical.eigenvectors(i, j),
                           expected["eigenvectors_columns"][row][static_cast<std::size_t>(j)], "eigenvector");
    }
}

} // namespace

TEST(Canonical, agreesWithRsm)
{
    for (const std::string file : {"01_chemreact_ccd_blocks", "03_codata_3x3_replicated", "04_trebuchet_bbd3",
                                   "05_tire_tread_derringer_suich"}) {
        const nlohmann::json oracle = readOracle(file);
        for (const nlohmann::json& analysis : oracle["analyses"]) {
            SCOPED_TRACE(file + " " + analysis["response"].get<std::string>());
            const study::Study study = studyOf(oracle);
            const Fit fit = fitResponse(study, analysis["response"].get<std::string>());
            const std::optional<Canonical> canonical =
                canonicalAnalysis(fit, study::Coding(study.factors).center());
            ASSERT_TRUE(canonical.has_value());
            compareCanonical(*canonical, analysis["expected"]["canonical"]);
        }
    }
}

TEST(Canonical, risingRidgeIsMarked)
{
    const study::Study study = studyOf(readOracle("03_codata_3x3_replicated"));
    const std::optional<Canonical> canonical =
        canonicalAnalysis(fitResponse(study, "y"), study::Coding(study.factors).center());
    ASSERT_TRUE(canonical.has_value());
    EXPECT_TRUE(canonical->isNearRidge);
    EXPECT_FALSE(canonical->isInsideRegion);
}

TEST(Canonical, firstOrderModelsHaveNoStationaryPoint)
{
    const study::Study study = studyOf(readOracle("04_trebuchet_bbd3"));
    const study::CodedPoint center = study::Coding(study.factors).center();
    EXPECT_FALSE(canonicalAnalysis(fitResponse(study, "y", {.model = "linear"}), center).has_value());
    EXPECT_FALSE(canonicalAnalysis(fitResponse(study, "y", {.model = "A_arm_length^2"}), center).has_value());
}

} // namespace quadric::model::test
