// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/recognize.h"

#include "core/design/base/design_type.h"
#include "core/exchange/import/design_rows.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace quadric::exchange {

namespace {

std::string titleOf(const std::string& type)
{
    const design::DesignType* known = design::findDesignType(type);
    return std::string(known != nullptr ? known->importTitle : "custom design");
}

bool isSame(double a, double b, double range)
{
    return std::abs(a - b) <= kLevelTolerance * range / 2;
}

/// Low and high of a factor whose runs lie on five levels, symmetric about the middle one.
std::optional<std::pair<double, double>> innerLevels(const std::set<double>& values)
{
    if (values.size() != 5)
        return {};
    const std::vector<double> v(values.begin(), values.end());
    const double range = v[4] - v[0];
    const bool isSymmetric =
        isSame(v[2] - v[0], v[4] - v[2], range) && isSame(v[2] - v[1], v[3] - v[2], range);
    return isSymmetric ? std::optional(std::pair(v[1], v[3])) : std::nullopt;
}

void setRange(study::Factor& factor, const std::vector<study::Run>& runs, bool useInner)
{
    std::set<double> values;
    for (const study::Run& run : runs) {
        if (isOfDesign(run))
            values.insert(study::numberOf(run.settings.at(factor.name)));
    }
    factor.low = *values.begin();
    factor.high = *values.rbegin();
    if (const auto inner = innerLevels(values); inner && useInner)
        std::tie(factor.low, factor.high) = *inner;
}

void setRanges(study::Study& study, bool useInner)
{
    for (study::Factor& factor : study.factors) {
        if (factor.isNumeric() && factor.type != study::FactorType::Discrete)
            setRange(factor, study.runs, useInner);
    }
}

/// Runs that the table itself calls center runs: with a category, or rounded, their settings do not tell.
int countCalledCenters(const study::Study& study)
{
    return static_cast<int>(std::ranges::count(study.runs, study::RunKind::Center, &study::Run::kind));
}

bool hasRanges(const study::Study& study)
{
    return std::ranges::all_of(study.factors, [](const study::Factor& factor) {
        return !factor.isNumeric() || factor.low < factor.high;
    });
}

} // namespace

void setRangesFromRuns(study::Study& study)
{
    if (std::ranges::none_of(study.runs, isOfDesign))
        return;
    setRanges(study, true);
    if (!hasRanges(study) || recognize(study).type != "central-composite")
        setRanges(study, false);
}

RecognizedDesign recognize(const study::Study& study)
{
    RecognizedDesign design;
    const Parts parts = partsOf(study);
    design.type = typeOf(parts);
    design.centerRuns =
        design.type == "custom" ? std::max(parts.centers, countCalledCenters(study)) : parts.centers;
    design.replicates = design.type == "custom" ? 1 : std::max(1, parts.least);
    const auto others = static_cast<std::size_t>(parts.runs - design.centerRuns);
    design.sentence = titleOf(design.type) + " for " + text::formatCount(parts.factors, "factor") + ": " +
                      text::formatCount(others, "run") + " and " +
                      text::formatCount(design.centerRuns, "center run");
    if (design.replicates > 1)
        design.sentence += ", every setting " + std::to_string(design.replicates) + " times";
    return design;
}

void applyRecognized(study::Study& study, const RecognizedDesign& design)
{
    const std::vector<Row> rows = codedRows(study);
    const bool isNumeric = std::ranges::all_of(study.factors, &study::Factor::isNumeric);
    const bool hasAxials = design.type == "central-composite";
    std::size_t i = 0;
    for (study::Run& run : study.runs) {
        if (!isOfDesign(run))
            continue;
        const Row& row = rows[i++];
        run.kind = isNumeric && isCenter(row)               ? study::RunKind::Center
                   : isNumeric && hasAxials && isAxial(row) ? study::RunKind::Axial
                                                            : study::RunKind::Design;
    }
    study.design.type = design.type;
    study.design.centerRuns = design.centerRuns;
    study.design.replicates = design.replicates;
}

} // namespace quadric::exchange
