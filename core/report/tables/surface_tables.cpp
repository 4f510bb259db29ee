// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/model_tables.h"

namespace quadric::report {

Table makeStationaryTable(const model::Canonical& canonical)
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
    return table;
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
