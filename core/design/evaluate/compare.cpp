// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/design.h"

#include <algorithm>
#include <cmath>

namespace quadric::design {

namespace {

using Values = std::vector<std::optional<double>>;

enum class Better { More, Less, Neither };

/// Numbers that differ by less than this share are equal: rounding of two calculations.
constexpr double kSame = 1e-9;

bool areSame(double a, double b)
{
    return std::abs(a - b) <= kSame * std::max(std::abs(a), std::abs(b));
}

std::vector<bool> findBest(const Values& values, Better better)
{
    std::vector<bool> isBest(values.size(), false);
    std::vector<double> known;
    for (const std::optional<double>& value : values)
        if (value)
            known.push_back(*value);
    if (better == Better::Neither || known.size() < 2)
        return isBest;
    const auto [least, most] = std::ranges::minmax(known);
    if (areSame(least, most))
        return isBest;
    for (std::size_t i = 0; i < values.size(); ++i)
        isBest[i] = values[i] && areSame(*values[i], better == Better::More ? most : least);
    return isBest;
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
    const auto found = std::ranges::find(evaluation.power, term, &PowerRow::term);
    return found == evaluation.power.end() ? std::nullopt : std::optional(found->power);
}

struct NumberKind {
    const char* key;
    const char* name;
    const char* unit;
    DesignNumber kind;
    Better better;
    std::optional<double> (*of)(const Evaluation&);
};

constexpr NumberKind kNumbers[] = {
    {"Runs", "Runs", "runs", DesignNumber::Count, Better::Less,
     [](const Evaluation& e) { return std::optional<double>(e.runs); }},
    {"Coefficients", "Coefficients", "", DesignNumber::Count, Better::Neither,
     [](const Evaluation& e) { return std::optional<double>(e.dfModel + 1); }},
    {"Degrees of freedom, lack of fit", "Lack-of-fit df", "", DesignNumber::Count, Better::Neither,
     [](const Evaluation& e) { return std::optional<double>(e.dfLackOfFit); }},
    {"Degrees of freedom, pure error", "Pure-error df", "", DesignNumber::Count, Better::Neither,
     [](const Evaluation& e) { return std::optional<double>(e.dfPureError); }},
    {"D efficiency", "D-efficiency", "%", DesignNumber::Efficiency, Better::More,
     [](const Evaluation& e) { return std::optional(e.dEfficiency); }},
    {"A efficiency", "A-efficiency", "%", DesignNumber::Efficiency, Better::More,
     [](const Evaluation& e) { return std::optional(e.aEfficiency); }},
    {"G efficiency", "G-efficiency", "%", DesignNumber::Efficiency, Better::More,
     [](const Evaluation& e) { return std::optional(e.gEfficiency); }},
    {"Average prediction variance", "Mean prediction variance", "σ²", DesignNumber::Variance, Better::Less,
     [](const Evaluation& e) { return std::optional(e.iValue); }},
    {"Prediction error, half of the region", "Prediction error, 50 % of region", "σ",
     DesignNumber::StandardError, Better::Less, [](const Evaluation& e) { return seAt(e, 0.5); }},
    {"Prediction error, 90 % of the region", "Prediction error, 90 % of region", "σ",
     DesignNumber::StandardError, Better::Less, [](const Evaluation& e) { return seAt(e, 0.9); }},
    {"Prediction error, largest", "Prediction error, largest", "σ", DesignNumber::StandardError, Better::Less,
     [](const Evaluation& e) { return seAt(e, 1.0); }},
    {"Condition number", "Condition number", "", DesignNumber::Plain, Better::Less,
     [](const Evaluation& e) { return std::optional(e.condition); }},
    {"Largest leverage", "Largest leverage", "", DesignNumber::Plain, Better::Less,
     [](const Evaluation& e) { return std::optional(e.maxLeverage); }},
    {"Largest correlation of two terms", "Largest correlation of terms", "", DesignNumber::Plain,
     Better::Less, &largestCorrelation},
};

/// Efficiencies and errors of a smaller model are better without being any: they are not compared.
Values comparable(const ComparisonRow& row, const std::vector<const Evaluation*>& designs)
{
    Values values = row.values;
    int most = 0;
    for (const Evaluation* design : designs)
        most = std::max(most, design->dfModel);
    if (row.kind != DesignNumber::Count && row.kind != DesignNumber::Power)
        for (std::size_t i = 0; i < values.size(); ++i)
            if (designs[i]->dfModel < most)
                values[i].reset();
    return values;
}

void addPower(const std::vector<const Evaluation*>& designs, std::vector<ComparisonRow>& rows)
{
    std::vector<std::string> terms;
    for (const Evaluation* design : designs)
        for (const PowerRow& row : design->power)
            if (std::ranges::count(terms, row.term) == 0)
                terms.push_back(row.term);
    for (const std::string& term : terms) {
        ComparisonRow row{"Power " + term, "Power " + term, "", DesignNumber::Power};
        for (const Evaluation* design : designs)
            row.values.push_back(powerOf(*design, term));
        row.isBest = findBest(row.values, Better::More);
        rows.push_back(std::move(row));
    }
}

} // namespace

std::vector<ComparisonRow> compare(const std::vector<const Evaluation*>& designs)
{
    std::vector<ComparisonRow> rows;
    for (const NumberKind& number : kNumbers) {
        ComparisonRow row{number.key, number.name, number.unit, number.kind};
        for (const Evaluation* design : designs)
            row.values.push_back(number.of(*design));
        row.isBest = findBest(comparable(row, designs), number.better);
        rows.push_back(std::move(row));
    }
    addPower(designs, rows);
    return rows;
}

} // namespace quadric::design
