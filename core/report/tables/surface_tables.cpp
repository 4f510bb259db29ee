// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/model_tables.h"

#include "core/text/numbers.h"

#include <cmath>

namespace quadric::report {

Table makeStationaryTable(const model::Canonical& canonical, const std::vector<model::Interval>& eigenvalues)
{
    Table table{.id = "canonical",
                .caption = "Stationary point and canonical axes",
                .columns = {{"Factor", {}, ColumnKind::Text}, {"Actual", {}}, {"Coded", {}}}};
    for (Eigen::Index axis = 0; axis < canonical.eigenvalues.size(); ++axis)
        table.columns.push_back({"Axis " + std::to_string(axis + 1), {}});
    for (std::size_t i = 0; i < canonical.factors.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        std::vector<Cell>& cells = table.rows.emplace_back();
        cells = {canonical.factors[i], makeCell(canonical.actual[i]), makeCell(canonical.point[row])};
        for (Eigen::Index axis = 0; axis < canonical.eigenvectors.cols(); ++axis)
            cells.push_back(makeCell(canonical.eigenvectors(row, axis)));
    }
    std::vector<Cell>& values = table.rows.emplace_back();
    values = {"Eigenvalue", "", ""};
    for (const double value : canonical.eigenvalues)
        values.push_back(makeCell(value));
    if (eigenvalues.empty())
        return table;
    std::vector<Cell>& ranges = table.rows.emplace_back();
    ranges = {"95 % interval", "", ""};
    for (const model::Interval& each : eigenvalues)
        ranges.push_back(Range{each.low, each.high});
    return table;
}

std::string describeStationary(const model::Canonical& canonical,
                               const std::vector<model::Interval>& eigenvalues, text::Typography typography)
{
    std::string text;
    for (std::size_t i = 0; i < canonical.factors.size(); ++i) {
        const double coded = canonical.point[static_cast<Eigen::Index>(i)];
        if (std::abs(coded) > 1.0)
            text += (text.empty() ? "" : ", ") + canonical.factors[i] + " " +
                    text::formatNumber(canonical.actual[i], {}, typography);
    }
    if (!text.empty())
        return "The stationary point is outside the region (" + text +
               "): it is an extrapolation, not a finding. Look for the best setting at the edge of the "
               "region.";
    if (eigenvalues.empty())
        return "Without an error estimate it is unknown how certain the kind of the stationary point is.";
    if (!model::isKindCertain(eigenvalues))
        return "Its kind is not certain: the interval of an eigenvalue contains 0, so that the response may "
               "be flat or bend the other way along that axis.";
    return "The runs establish its kind: no interval of an eigenvalue contains 0.";
}

Table makePathTable(const model::Path& path)
{
    Table table{.id = "path", .columns = {{"Radius", "Distance from the center in coded units."}}};
    for (const std::string& factor : path.factors)
        table.columns.push_back({factor, {}});
    table.columns.push_back({"Predicted", {}});
    table.columns.push_back({"Std. error", {}});
    table.columns.push_back({"", {}, ColumnKind::Text});
    for (const model::PathPoint& point : path.points) {
        std::vector<Cell>& cells = table.rows.emplace_back();
        cells = {makeCell(point.distance)};
        for (const double value : point.actual)
            cells.push_back(makeCell(value, Digits::Setting));
        cells.push_back(makeCell(point.prediction.mean));
        cells.push_back(makeCell(point.prediction.se));
        cells.push_back(point.prediction.isExtrapolation ? "extrapolated" : "");
    }
    return table;
}

} // namespace quadric::report
