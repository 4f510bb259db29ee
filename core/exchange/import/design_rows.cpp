// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/design_rows.h"

#include <algorithm>
#include <cmath>

namespace quadric::exchange {

namespace {

double settled(double coded)
{
    for (const double level : {-1.0, 0.0, 1.0}) {
        if (std::abs(coded - level) <= kLevelTolerance)
            return level;
    }
    return coded;
}

} // namespace

bool isOfDesign(const study::Run& run)
{
    return run.kind != study::RunKind::Confirmation && run.kind != study::RunKind::Baseline &&
           run.kind != study::RunKind::Augment;
}

std::vector<Row> codedRows(const study::Study& study)
{
    const study::Coding coding(study.factors);
    std::vector<Row> rows;
    for (const study::Run& run : study.runs) {
        if (!isOfDesign(run))
            continue;
        const study::CodedPoint point = coding.toCoded(run.settings);
        Row row;
        for (std::size_t i = 0; i < study.factors.size(); ++i) {
            const double value = point[static_cast<Eigen::Index>(i)];
            row.push_back(study.factors[i].isNumeric() ? settled(value) : value);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

int zeros(const Row& row)
{
    return static_cast<int>(std::ranges::count(row, 0.0));
}

bool isCenter(const Row& row)
{
    return zeros(row) == static_cast<int>(row.size());
}

bool isAxial(const Row& row)
{
    return row.size() > 1 && zeros(row) == static_cast<int>(row.size()) - 1;
}

bool isCorner(const Row& row)
{
    return std::ranges::all_of(row, [](double x) { return std::abs(x) == 1.0; });
}

Parts partsOf(const study::Study& study)
{
    Parts parts;
    const std::vector<Row> rows = codedRows(study);
    parts.factors = study.factors.size();
    parts.isNumeric = std::ranges::all_of(study.factors, &study::Factor::isNumeric);
    parts.runs = static_cast<int>(rows.size());
    for (const Row& row : rows) {
        if (parts.isNumeric && isCenter(row)) {
            ++parts.centers;
            continue;
        }
        if (parts.isNumeric && isAxial(row))
            ++parts.axials;
        else
            parts.others.push_back(row);
        ++parts.points[row];
    }
    const auto [least, most] =
        std::ranges::minmax_element(parts.points, {}, [](const auto& entry) { return entry.second; });
    if (!parts.points.empty()) {
        parts.least = least->second;
        parts.most = most->second;
    }
    return parts;
}

} // namespace quadric::exchange
