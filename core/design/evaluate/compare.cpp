// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/design.h"

#include <algorithm>
#include <cmath>

namespace quadric::design {

namespace {

enum class Better { More, Less, Neither };

/// Numbers that differ by less than this share are equal: rounding of two calculations.
constexpr double kSame = 1e-9;

int betterOf(const std::optional<double>& first, const std::optional<double>& second, Better better)
{
    if (better == Better::Neither || !first || !second ||
        std::abs(*first - *second) <= kSame * std::max(std::abs(*first), std::abs(*second)))
        return 0;
    return (*first > *second) == (better == Better::More) ? 1 : 2;
}

/// Standard error that a prediction has at most over this share of the region.
std::optional<double> seAt(const Evaluation& evaluation, double fraction)
{
    for (const FdsPoint& point : evaluation.fds) {
        if (point.fraction >= fraction - kSame)
            return point.se;
    }
    return std::nullopt;
}

std::optional<double> largestCorrelation(const Evaluation& evaluation)
{
    const Eigen::MatrixXd& values = evaluation.correlation.values;
    double largest = 0.0;
    for (Eigen::Index j = 0; j < values.cols(); ++j)
        for (Eigen::Index i = 0; i < j; ++i)
            largest = std::max(largest, std::abs(values(i, j)));
    return values.size() > 0 ? std::optional(largest) : std::nullopt;
}

std::optional<double> powerOf(const Evaluation& evaluation, const std::string& term)
{
    const auto found = std::find_if(evaluation.power.begin(), evaluation.power.end(),
                                    [&](const PowerRow& row) { return row.term == term; });
    return found == evaluation.power.end() ? std::nullopt : std::optional(found->power);
}

class ComparisonTable {
public:
    void add(std::string name, std::string unit, std::optional<double> first, std::optional<double> second,
             Better better)
    {
        m_rows.push_back({std::move(name), std::move(unit), first, second, betterOf(first, second, better)});
    }
    std::vector<ComparisonRow> take() { return std::move(m_rows); }

private:
    std::vector<ComparisonRow> m_rows;
};

void addPower(ComparisonTable& table, const Evaluation& first, const Evaluation& second)
{
    for (const PowerRow& row : first.power)
        table.add("Power " + row.term, "", row.power, powerOf(second, row.term), Better::More);
    for (const PowerRow& row : second.power) {
        if (!powerOf(first, row.term))
            table.add("Power " + row.term, "", std::nullopt, row.power, Better::More);
    }
}

} // namespace

std::vector<ComparisonRow> compare(const Evaluation& first, const Evaluation& second)
{
    ComparisonTable table;
    const auto add = [&](const char* name, const char* unit, const auto& of, Better better) {
        table.add(name, unit, of(first), of(second), better);
    };
    add(
        "Runs", "runs", [](const Evaluation& e) { return std::optional<double>(e.runs); }, Better::Less);
    add(
        "Coefficients", "", [](const Evaluation& e) { return std::optional<double>(e.dfModel + 1); },
        Better::Neither);
    add(
        "Degrees of freedom, lack of fit", "",
        [](const Evaluation& e) { return std::optional<double>(e.dfLackOfFit); }, Better::Neither);
    add(
        "Degrees of freedom, pure error", "",
        [](const Evaluation& e) { return std::optional<double>(e.dfPureError); }, Better::Neither);
    add(
        "D efficiency", "%", [](const Evaluation& e) { return std::optional(e.dEfficiency); }, Better::More);
    add(
        "A efficiency", "%", [](const Evaluation& e) { return std::optional(e.aEfficiency); }, Better::More);
    add(
        "G efficiency", "%", [](const Evaluation& e) { return std::optional(e.gEfficiency); }, Better::More);
    add(
        "Average prediction variance", "σ²", [](const Evaluation& e) { return std::optional(e.iValue); },
        Better::Less);
    add(
        "Prediction error, half of the region", "σ", [](const Evaluation& e) { return seAt(e, 0.5); },
        Better::Less);
    add(
        "Prediction error, 90 % of the region", "σ", [](const Evaluation& e) { return seAt(e, 0.9); },
        Better::Less);
    add(
        "Prediction error, largest", "σ", [](const Evaluation& e) { return seAt(e, 1.0); }, Better::Less);
    add(
        "Condition number", "", [](const Evaluation& e) { return std::optional(e.condition); }, Better::Less);
    add(
        "Largest leverage", "", [](const Evaluation& e) { return std::optional(e.maxLeverage); },
        Better::Less);
    add("Largest correlation of two terms", "", largestCorrelation, Better::Less);
    addPower(table, first, second);
    return table.take();
}

} // namespace quadric::design
