// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/space/feasible_grid.h"

#include <cmath>
#include <stdexcept>

namespace quadric::study {

namespace {

std::optional<ConstraintProgram> programOf(const Study& study)
{
    try {
        ConstraintProgram program(study);
        return program.isEmpty() ? std::nullopt : std::optional(std::move(program));
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

/// What the words for a violation need of a study, and nothing of its runs.
Study rulesOf(const Study& study)
{
    Study rules;
    rules.factors = study.factors;
    rules.constraints = study.constraints;
    rules.fixed = study.fixed;
    return rules;
}

Settings settingsOf(const std::vector<Factor>& factors, const std::vector<double>& values)
{
    Settings settings;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (factors[i].isNumeric())
            settings[factors[i].name] = values[i];
        else
            settings[factors[i].name] = factors[i].categories.at(static_cast<std::size_t>(values[i] + 0.5));
    }
    return settings;
}

/// Where between two places the line reaches its level, on the factor's scale.
double boundaryBetween(const Factor& factor, const std::vector<double>& places, const FeasibleLine& line,
                       std::size_t i)
{
    const double a = line.value[i] - line.level, b = line.value[i + 1] - line.level;
    const double share = a / (a - b);
    if (factor.scale != Scale::Log2)
        return std::lerp(places[i], places[i + 1], share);
    return std::exp2(std::lerp(std::log2(places[i]), std::log2(places[i + 1]), share));
}

std::vector<Range> infeasibleLevels(const std::vector<double>& places, const FeasibleLine& line)
{
    std::vector<Range> ranges;
    for (std::size_t i = 0; i < line.value.size(); ++i)
        if (line.value[i] < line.level)
            ranges.push_back({places[i] - 0.5, places[i] + 0.5});
    return ranges;
}

} // namespace

FeasibleGrid feasibleGrid(const Study& study, const MapAxis& x, const MapAxis& y, std::vector<double> at)
{
    FeasibleGrid grid;
    const std::optional<ConstraintProgram> program = programOf(study);
    if (!program)
        return grid;
    grid.reason = [rules = rulesOf(study), at, xFactor = x.factor, yFactor = y.factor](double u, double v) {
        std::vector<double> values = at;
        values[xFactor] = u;
        values[yFactor] = v;
        return describeViolation(rules, settingsOf(rules.factors, values));
    };
    grid.value.resize(std::ssize(x.values), std::ssize(y.values));
    for (Eigen::Index j = 0; j < grid.value.cols(); ++j)
        for (Eigen::Index i = 0; i < grid.value.rows(); ++i) {
            at[x.factor] = x.values[static_cast<std::size_t>(i)];
            at[y.factor] = y.values[static_cast<std::size_t>(j)];
            grid.value(i, j) = program->boundaryMargin(at, {x.factor, y.factor});
        }
    if (grid.value.minCoeff() >= grid.level)
        grid.value.resize(0, 0);
    return grid;
}

FeasibleLine feasibleLine(const Study& study, const MapAxis& along, std::vector<double> at)
{
    FeasibleLine line;
    const std::optional<ConstraintProgram> program = programOf(study);
    if (!program)
        return line;
    for (const double value : along.values) {
        at[along.factor] = value;
        line.value.push_back(program->boundaryMargin(at, {along.factor}));
    }
    return line;
}

std::vector<Range> infeasibleRanges(const Factor& factor, const std::vector<double>& places,
                                    const FeasibleLine& line)
{
    if (!factor.isNumeric())
        return infeasibleLevels(places, line);
    std::vector<Range> ranges;
    for (std::size_t i = 0; i < line.value.size(); ++i) {
        if (line.value[i] >= line.level)
            continue;
        const bool begins = i == 0 || line.value[i - 1] >= line.level;
        if (begins)
            ranges.push_back({i == 0 ? places[i] : boundaryBetween(factor, places, line, i - 1), 0.0});
        const bool isLast = i + 1 == line.value.size();
        ranges.back().high = isLast ? places[i] : places[i + 1];
        if (!isLast && line.value[i + 1] >= line.level)
            ranges.back().high = boundaryBetween(factor, places, line, i);
    }
    return ranges;
}

std::vector<double> programValues(const Coding& coding, const CodedPoint& point)
{
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(point.size()));
    for (Eigen::Index i = 0; i < point.size(); ++i)
        values.push_back(coding.toActual(static_cast<std::size_t>(i), point[i]));
    return values;
}

} // namespace quadric::study
