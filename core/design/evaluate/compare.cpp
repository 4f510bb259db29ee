// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/evaluate/compare.h"

#include "core/design/base/design.h"
#include "core/design/base/design_space.h"
#include "core/design/base/design_type.h"
#include "core/design/base/information.h"
#include "core/design/evaluate/aliasing.h"
#include "core/design/optimal/optimal.h"
#include "core/study/space/constraint.h"

#include <algorithm>
#include <cmath>
#include <map>

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

/// Coded distances below this are rounding of the code.
constexpr double kSamePlace = 1e-6;

/// The study with every run at the point that the design asks for.
study::Study asDesigned(study::Study study, const std::vector<DesignPoint>& points)
{
    const study::Coding coding(study.factors);
    for (std::size_t i = 0; i < points.size(); ++i) {
        study.runs[i].settings = coding.toSettings(points[i].point);
        study.runs[i].status = study::RunStatus::Pending;
    }
    return study;
}

/// The runs that the design laid out, in standard order; empty where they are not all there.
std::vector<study::Run> designRuns(const study::Study& study, const std::vector<DesignPoint>& points)
{
    const study::RunIndex index(study);
    std::vector<study::Run> runs;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const study::Run* run = index.find(static_cast<int>(i) + 1);
        if (run == nullptr || run->kind != points[i].kind || run->block != points[i].block)
            return {};
        runs.push_back(*run);
        runs.back().status = study::RunStatus::Pending;
    }
    return runs;
}

void addShifts(const study::Study& actual, const std::vector<DesignPoint>& points, LegalReport& report)
{
    const study::Coding coding(actual.factors);
    const std::vector<study::Settings> laidOut = legalSettings(actual, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const study::Settings rounded = coding.toLegalSettings(points[i].point);
        const study::Run& run = actual.runs[i];
        for (std::size_t f = 0; f < actual.factors.size(); ++f) {
            const auto row = static_cast<Eigen::Index>(f);
            const double shift = std::abs(coding.toCoded(run.settings)[row] - points[i].point[row]);
            if (actual.factors[f].isNumeric() && shift > report.largestShift) {
                report.largestShift = shift;
                report.largestShiftRun = run.id;
            }
        }
        const bool isAtPoint =
            (coding.toCoded(run.settings).x - points[i].point.x).cwiseAbs().maxCoeff() < kSamePlace;
        if (run.settings != rounded && !isAtPoint) {
            report.repairedRuns.push_back(run.id);
            if (run.settings != laidOut[i])
                report.editedRuns.push_back(run.id);
        } else if (!isAtPoint) {
            report.roundedRuns.push_back(run.id);
        }
    }
}

/// Runs of one block with equal settings that the design has at different points.
void addEqualRuns(const study::Study& actual, const std::vector<DesignPoint>& points, LegalReport& report)
{
    std::map<std::pair<int, study::Settings>, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < actual.runs.size(); ++i)
        places[{actual.runs[i].block, actual.runs[i].settings}].push_back(i);
    for (const auto& place : places) {
        const std::vector<std::size_t>& runs = place.second;
        const bool areDifferent = std::any_of(runs.begin(), runs.end(), [&](std::size_t i) {
            return (points[i].point.x - points[runs.front()].point.x).norm() > kSamePlace;
        });
        if (!areDifferent)
            continue;
        std::vector<int>& ids = report.equalRuns.emplace_back();
        for (const std::size_t i : runs)
            ids.push_back(actual.runs[i].id);
    }
}

double worstCorrelation(const Information& information)
{
    NamedMatrix map = computeTermCorrelations(information);
    map.values.diagonal().setZero();
    return map.values.size() > 0 ? map.values.cwiseAbs().maxCoeff() : 0.0;
}

void addLosses(const study::Study& designed, const study::Study& actual, std::string_view model,
               LegalReport& report)
{
    const Information before = computeInformation(designed, model);
    const Information after = computeInformation(actual, model);
    report.dEfficiencyBefore = computeDEfficiency(before);
    report.worstCorrelationBefore = worstCorrelation(before);
    report.worstCorrelationAfter = worstCorrelation(after);
    for (const model::Column& column : after.leftOut) {
        const bool wasThere = std::any_of(before.columns.begin(), before.columns.end(),
                                          [&](const model::Column& c) { return c.name == column.name; });
        if (wasThere)
            report.lostTerms.push_back(column.name);
    }
    report.dEfficiencyAfter = report.lostTerms.empty() ? computeDEfficiency(after) : 0.0;
}

constexpr int kStarts = 10;

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

std::optional<LegalReport> legalReport(const study::Study& study, std::string_view model)
{
    const DesignType* type = findDesignType(study.design.type);
    if (type == nullptr || type->isSlow())
        return std::nullopt;
    try {
        const std::vector<DesignPoint> points = designPoints(study);
        study::Study actual = study;
        actual.runs = designRuns(study, points);
        if (actual.runs.empty())
            return std::nullopt;
        LegalReport report;
        report.model = model;
        report.runs = static_cast<int>(points.size());
        addShifts(actual, points, report);
        addEqualRuns(actual, points, report);
        addLosses(asDesigned(actual, points), actual, model, report);
        return report;
    } catch (const DesignError&) {
        return std::nullopt; // what the design cannot do is said where it is laid out
    } catch (const std::invalid_argument&) {
        return std::nullopt; // so are settings that cannot be coded
    }
}

std::optional<double> computeRelativeDEfficiency(const study::Study& study, std::string_view model)
{
    const Information information = computeInformation(study, model);
    if (!information.leftOut.empty())
        return std::nullopt;
    OptimalRequest request;
    request.model = model;
    request.runs = static_cast<int>(information.n());
    request.blocks = 1 + static_cast<int>(information.blocks.cols());
    request.starts = kStarts;
    return 100.0 * computeDEfficiency(information) / optimalDesign(study, request).value;
}

} // namespace quadric::design
