// SPDX-License-Identifier: GPL-3.0-or-later
// Forecasts held against published measurements (tests/references/scaling): laws see the smaller half of the
// counts, at least three, and predict the others. The test fails when the table of docs/methods/planning.md
// is not what it finds; QUADRIC_WRITE_TABLES=1 writes it.
#include "core/plan/scaling_forecast.h"
#include "core/text/numbers.h"
#include "document_table.h"
#include "tests/support/test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

namespace quadric::plan {
namespace {

constexpr std::ptrdiff_t kFewestCounts = 3;

struct PublishedCurve {
    std::string source, name;
    int perNode = 1;
    std::vector<ScalingPoint> points;
};

std::vector<PublishedCurve> publishedCurves()
{
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(sourcePath("tests/references/scaling")))
        if (entry.path().extension() == ".json")
            files.insert(entry.path());
    std::vector<PublishedCurve> curves;
    for (const std::filesystem::path& file : files) {
        const nlohmann::json document = nlohmann::json::parse(std::ifstream(file));
        for (const nlohmann::json& each : document.at("curves")) {
            PublishedCurve& curve = curves.emplace_back();
            curve.source = document.at("source");
            curve.name = each.at("name");
            curve.perNode = each.at("per_node");
            for (const nlohmann::json& point : each.at("points"))
                curve.points.push_back({point.at(0), point.at(1)});
        }
    }
    return curves;
}

/// What the smaller counts said of the larger ones.
struct Checked {
    std::string law, seen;
    std::vector<std::string> counts, errors;
    double absoluteError = 0.0;
    int predicted = 0, inside = 0;
};

Checked check(const PublishedCurve& curve)
{
    const auto seen = std::max(kFewestCounts, std::ssize(curve.points) / 2);
    const std::vector<ScalingPoint> points(curve.points.begin(), curve.points.begin() + seen);
    std::vector<int> counts;
    for (auto point = curve.points.begin() + seen; point != curve.points.end(); ++point)
        counts.push_back(point->count);
    const ScalingForecast forecast = forecastScaling(points, counts, {.perNode = curve.perNode});
    Checked checked;
    checked.law = nameOf(forecast.laws.at(0).law.kind);
    for (const ScalingPoint& point : points)
        checked.seen += (checked.seen.empty() ? "" : ", ") + std::to_string(point.count);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double speed = curve.points[static_cast<std::size_t>(seen) + i].speed;
        const ForecastRow& row = forecast.rows[i];
        const double error = row.speed.value / speed - 1.0;
        const bool isInside = row.speed.low <= speed && speed <= row.speed.high;
        checked.absoluteError += std::abs(error);
        checked.inside += isInside ? 1 : 0;
        ++checked.predicted;
        checked.counts.push_back(std::to_string(counts[i]));
        checked.errors.push_back((error < 0.0 ? "−" : "+") + text::formatPercent(std::abs(error)) +
                                 (isInside ? "" : " (outside)"));
    }
    return checked;
}

TEST(PublishedScaling, IsForecastFromSmallerCounts)
{
    std::string table = "| curve | seen | law | predicted | error |\n| --- | --- | --- | --- | --- |\n";
    double absoluteError = 0.0;
    int predicted = 0, inside = 0;
    std::string source;
    const std::vector<PublishedCurve> curves = publishedCurves();
    for (const PublishedCurve& curve : curves) {
        const Checked checked = check(curve);
        if (curve.source != source)
            table += "| *" + curve.source + "* | | | | |\n";
        source = curve.source;
        table += "| " + curve.name + " | " + checked.seen + " | " + checked.law + " | " +
                 text::joinWords(checked.counts) + " | " + text::joinWords(checked.errors) + " |\n";
        absoluteError += checked.absoluteError;
        predicted += checked.predicted;
        inside += checked.inside;
    }
    const double mean = absoluteError / predicted, covered = static_cast<double>(inside) / predicted;
    table += "\n" + text::formatCount(curves.size(), "curve") + ", " +
             text::formatCount(predicted, "prediction") + ": mean absolute error " +
             text::formatPercent(mean) + ", the 90 % interval contained " + text::formatPercent(covered, 0) +
             " of them.\n";
    std::printf("%s", table.c_str());
    EXPECT_GE(curves.size(), 10U);
    EXPECT_LE(mean, 0.10);
    EXPECT_GE(covered, 0.85);
    expectTableInDocument(sourcePath("docs/methods/planning.md"), "published scaling", "plan_test", table);
}

} // namespace
} // namespace quadric::plan
