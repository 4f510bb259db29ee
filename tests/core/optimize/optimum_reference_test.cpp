// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixtures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace quadric::optimize {
namespace {

Region regionOf(const nlohmann::json& entry)
{
    const std::string type = entry.at("type");
    return {type == "sphere" ? RegionKind::Sphere : RegionKind::Cube, entry.at("size")};
}

TEST(TireTread, EveryScenarioAndRegionReachesTheReferenceOptimum)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    for (const auto& scenario : file.at("desirability").at("scenarios")) {
        const Fitted fitted = tireTread(file, scenario);
        const study::Coding coding(fitted.study.factors);
        for (const auto& expected : scenario.at("optima")) {
            SCOPED_TRACE(scenario.at("name").dump() + expected.at("region").dump());
            OptimizeOptions options;
            options.region = regionOf(expected.at("region"));
            const Optimum optimum = findOptimum(fitted.study, fitted.fits, options);
            ASSERT_TRUE(optimum.isOk()) << optimum.message;
            EXPECT_NEAR(optimum.overall, expected.at("best").at("overall").get<double>(), 1e-6);
            const study::CodedPoint x = coding.toCoded(optimum.settings);
            for (std::size_t i = 0; expected.at("best").at("unique") && i < 3; ++i)
                EXPECT_NEAR(x[static_cast<Eigen::Index>(i)],
                            expected.at("best").at("coded").at(i).get<double>(), 1e-3);
        }
    }
}

/// Derringer & Suich 1980 print x = (−0.05, 0.145, −0.868), d = 0.189, 1, 0.656, 0.932 and D = 0.583.
TEST(TireTread, PublishedCompromise)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    const Fitted fitted = tireTread(file, file.at("desirability").at("scenarios").at(0));
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    EXPECT_NEAR(optimum.overall, 0.583, 5e-4);
    const study::CodedPoint x = study::Coding(fitted.study.factors).toCoded(optimum.settings);
    EXPECT_NEAR(x[0], -0.05, 5e-3);
    EXPECT_NEAR(x[1], 0.145, 5e-3);
    EXPECT_NEAR(x[2], -0.868, 5e-3);
}

TEST(TireTread, SolutionsAreRankedAndDistinct)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    const Fitted fitted = tireTread(file, file.at("desirability").at("scenarios").at(0));
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    ASSERT_FALSE(optimum.solutions.empty());
    EXPECT_EQ(optimum.solutions.front().settings, optimum.settings);
    EXPECT_NEAR(optimum.solutions.front().overall, optimum.overall, 1e-9);
    for (std::size_t i = 1; i < optimum.solutions.size(); ++i)
        EXPECT_LE(optimum.solutions[i].overall, optimum.solutions[i - 1].overall);
}

/// Own bests against a dense grid; a quadratic over a cube has its extremes in corners, on edges or inside.
TEST(TireTread, OwnBestsAndSacrifices)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    const Fitted fitted = tireTread(file, file.at("desirability").at("scenarios").at(0));
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    for (const ResponseAtOptimum& row : optimum.responses) {
        const study::Response& response = *study::findResponse(fitted.study, row.response);
        const auto fit = std::find_if(fitted.fits.begin(), fitted.fits.end(),
                                      [&](const model::Fit& f) { return f.response == row.response; });
        double onGrid = -1e300;
        const auto quality = [&](double y) {
            return response.goal == study::Goal::Target ? -std::abs(y - response.target) : y;
        };
        for (double a = -1.0; a <= 1.001; a += 0.05)
            for (double b = -1.0; b <= 1.001; b += 0.05)
                for (double c = -1.0; c <= 1.001; c += 0.05)
                    onGrid = std::max(onGrid, quality(model::predictMean(
                                                  *fit, study::CodedPoint(Eigen::Vector3d(a, b, c)))));
        EXPECT_GE(quality(row.bestAlone), onGrid - 1e-6) << row.response;
        EXPECT_GE(row.sacrifice, 0.0);
        EXPECT_NEAR(row.sacrifice, quality(row.bestAlone) - quality(row.predicted.mean), 1e-9);
    }
}

TEST(TireTread, KnownOwnBestsGiveTheSameAnswer)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    const Fitted fitted = tireTread(file, file.at("desirability").at("scenarios").at(0));
    const Optimum first = findOptimum(fitted.study, fitted.fits);
    OptimizeOptions options;
    for (const ResponseAtOptimum& row : first.responses)
        options.bestAlone[row.response] = row.bestAlone;
    const Optimum second = findOptimum(fitted.study, fitted.fits, options);
    const Optimum assessed = assess(fitted.study, fitted.fits, first.settings, options.bestAlone);
    for (std::size_t i = 0; i < first.responses.size(); ++i) {
        EXPECT_EQ(second.responses[i].sacrifice, first.responses[i].sacrifice);
        EXPECT_EQ(assessed.responses[i].sacrifice, first.responses[i].sacrifice);
    }
    EXPECT_EQ(assessed.overall, first.overall);
}

/// A drag of one weight and one limit: the warm start ends where the cold one does, own bests included.
TEST(TireTread, WarmStartsEndWhereColdOnesDo)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    Fitted fitted = tireTread(file, file.at("desirability").at("scenarios").at(0));
    Optimum warm = findOptimum(fitted.study, fitted.fits);
    for (int step = 0; step < 20; ++step) {
        fitted.study.responses[0].weight = 0.2 + 0.2 * step;
        *fitted.study.responses[1].low += 5.0;
        fitted.study.responses[2].target += 1.0;
        warm = refineOptimum(fitted.study, fitted.fits, warm);
        const Optimum cold = findOptimum(fitted.study, fitted.fits);
        EXPECT_NEAR(warm.overall, cold.overall, 1e-9) << "step " << step;
        for (std::size_t i = 0; i < cold.responses.size(); ++i)
            EXPECT_NEAR(warm.responses[i].bestAlone, cold.responses[i].bestAlone,
                        1e-6 * std::abs(cold.responses[i].bestAlone))
                << cold.responses[i].response << ", step " << step;
    }
}

} // namespace
} // namespace quadric::optimize
