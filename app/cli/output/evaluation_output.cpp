// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/evaluation_output.h"

#include "app/cli/output/finding_output.h"
#include "core/design/evaluate/remarks.h"
#include "core/report/findings/design_findings.h"
#include "core/report/table_text.h"
#include "core/report/tables/design_tables.h"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace quadric::app {

namespace {

/// Pairs of terms whose correlation is named on the terminal: the strongest, from this size on.
constexpr double kWorthNaming = 0.1;
constexpr std::size_t kMostPairs = 6;

/// Chains of terms that are shown on the terminal.
constexpr std::size_t kMostChains = 12;

Json matrixJson(const design::NamedMatrix& matrix)
{
    Json values = Json::array();
    for (const auto& row : matrix.values.rowwise())
        values.push_back(std::vector<double>(row.begin(), row.end()));
    return {{"rows", matrix.rows}, {"columns", matrix.columns}, {"values", values}};
}

struct Pair {
    std::string text;
    double correlation = 0.0;
};

std::vector<Pair> strongestPairs(const design::NamedMatrix& map)
{
    std::vector<Pair> pairs;
    for (std::size_t j = 0; j < map.columns.size(); ++j)
        for (std::size_t i = 0; i < j; ++i) {
            const double r = map.values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
            if (std::abs(r) >= kWorthNaming)
                pairs.push_back({map.columns[i] + " with " + map.columns[j], r});
        }
    std::ranges::stable_sort(pairs, [](const Pair& a, const Pair& b) {
        return std::abs(a.correlation) > std::abs(b.correlation);
    });
    if (pairs.size() > kMostPairs)
        pairs.resize(kMostPairs);
    return pairs;
}

std::string figure(design::DesignNumber kind, double value)
{
    return report::formatDesignNumber(kind, value);
}

std::string predictionError(const design::Evaluation& evaluation, double fraction)
{
    const auto last = static_cast<double>(evaluation.fds.size() - 1);
    return figure(design::DesignNumber::StandardError,
                  evaluation.fds[static_cast<std::size_t>(std::lround(fraction * last))].se);
}

void printSummary(const design::Evaluation& e)
{
    std::cout << e.runs << " runs for the model \"" << e.model << "\". Degrees of freedom: " << e.dfModel
              << " model, " << e.dfBlocks << " blocks, " << e.dfLackOfFit << " lack of fit, " << e.dfPureError
              << " pure error\n"
              << "Efficiency: D " << figure(design::DesignNumber::Efficiency, e.dEfficiency) << ", A "
              << figure(design::DesignNumber::Efficiency, e.aEfficiency) << ", G "
              << figure(design::DesignNumber::Efficiency, e.gEfficiency)
              << " (100 %: an orthogonal design, which a model with squares cannot have)\n"
              << "Condition number " << figure(design::DesignNumber::Plain, e.condition)
              << ", largest leverage " << figure(design::DesignNumber::Plain, e.maxLeverage) << '\n';
    if (e.resolution) {
        std::cout << "Resolution " << *e.resolution << ", defining relation I";
        for (const std::string& word : e.definingRelation)
            std::cout << " = " << word;
        std::cout << '\n';
    }
}

void printRegion(const design::Evaluation& e)
{
    std::cout << e.region << ":\n  average variance " << figure(design::DesignNumber::Variance, e.iValue);
    if (!e.fds.empty())
        std::cout << "; standard error at most " << predictionError(e, 0.5) << " over half of it, "
                  << predictionError(e, 0.9) << " over 90 %, " << predictionError(e, 1.0) << " anywhere";
    std::cout << '\n';
}

void printAliases(const design::Evaluation& e)
{
    for (const Pair& pair : strongestPairs(e.correlation))
        std::cout << "Correlation " << text::formatDecimals(pair.correlation, 2) << ": " << pair.text << '\n';
    for (std::size_t i = 0; i < std::min(kMostChains, e.aliases.size()); ++i) {
        std::cout << "Aliased: ";
        for (std::size_t j = 0; j < e.aliases[i].size(); ++j)
            std::cout << (j > 0 ? " = " : "") << e.aliases[i][j];
        std::cout << '\n';
    }
    if (e.aliases.size() > kMostChains)
        std::cout << "… and " << e.aliases.size() - kMostChains << " more groups (--json lists all)\n";
}

Json optionalNumber(const std::optional<double>& value)
{
    return value ? Json(*value) : Json();
}

} // namespace

Json legalJson(const std::optional<design::LegalReport>& report)
{
    if (!report)
        return nullptr;
    return {{"runs", report->runs},
            {"rounded_runs", report->roundedRuns},
            {"repaired_runs", report->repairedRuns},
            {"equal_runs", report->equalRuns},
            {"largest_shift", report->largestShift},
            {"d_efficiency", {{"designed", report->dEfficiencyBefore}, {"legal", report->dEfficiencyAfter}}},
            {"worst_correlation",
             {{"designed", report->worstCorrelationBefore}, {"legal", report->worstCorrelationAfter}}},
            {"lost_terms", report->lostTerms},
            {"sentences", sentencesJson(report::findInMovedRuns(*report))}};
}

Json evaluationJson(const design::Evaluation& evaluation, bool isModelAsked)
{
    Json json = {{"runs", evaluation.runs},
                 {"model", evaluation.model},
                 {"df",
                  {{"model", evaluation.dfModel},
                   {"blocks", evaluation.dfBlocks},
                   {"lack_of_fit", evaluation.dfLackOfFit},
                   {"pure_error", evaluation.dfPureError}}},
                 {"d_efficiency", evaluation.dEfficiency},
                 {"a_efficiency", evaluation.aEfficiency},
                 {"g_efficiency", evaluation.gEfficiency},
                 {"i_value", evaluation.iValue},
                 {"condition", evaluation.condition},
                 {"max_leverage", evaluation.maxLeverage}};
    json["vif"] = Json::object();
    for (const auto& [term, vif] : evaluation.vif)
        json["vif"][term] = vif;
    json["power"] = Json::array();
    for (const design::PowerRow& row : evaluation.power)
        json["power"].push_back({{"term", row.term}, {"effect_sd", row.effectSd}, {"power", row.power}});
    json["fds"] = Json::array();
    for (const design::FdsPoint& point : evaluation.fds)
        json["fds"].push_back({{"fraction", point.fraction}, {"se", point.se}});
    json["region"] = {{"sentence", evaluation.region}, {"share", evaluation.regionShare}};
    json["leverage"] = Json::array();
    for (const design::LeverageRow& row : evaluation.leverage)
        json["leverage"].push_back({{"run", row.run}, {"leverage", row.leverage}});
    json["correlation"] = matrixJson(evaluation.correlation);
    json["alias_matrix"] = matrixJson(evaluation.aliasMatrix);
    json["aliases"] = evaluation.aliases;
    json["defining_relation"] = evaluation.definingRelation;
    json["resolution"] = evaluation.resolution ? Json(*evaluation.resolution) : Json();
    json["legal"] = legalJson(evaluation.legal);
    json["checks"] = Json::array();
    for (const design::Check& check : evaluation.checks)
        json["checks"].push_back({{"name", check.name},
                                  {"ok", check.ok},
                                  {"remark", !check.ok && design::isRemark(check, isModelAsked)},
                                  {"detail", check.detail}});
    json["warnings"] = sentencesJson(report::findInDesign(evaluation));
    return json;
}

void printEvaluation(const design::Evaluation& evaluation, bool isModelAsked)
{
    printSummary(evaluation);
    printRegion(evaluation);
    printTable(report::makePowerTable(evaluation));
    printAliases(evaluation);
    std::cout << '\n';
    for (const design::Check& check : evaluation.checks)
        std::cout << (check.ok                                ? "ok   "
                      : design::isRemark(check, isModelAsked) ? "note "
                                                              : "FAIL ")
                  << check.name << ": " << check.detail << '\n';
    for (const report::Finding& finding : report::findInDesign(evaluation))
        std::cout << "Warning: " << finding.sentence << (finding.advice.empty() ? "" : " → " + finding.advice)
                  << '\n';
}

void printLegal(const std::optional<design::LegalReport>& report)
{
    if (!report)
        return;
    if (report->isMoved())
        std::cout << '\n';
    for (const report::Finding& finding : report::findInMovedRuns(*report))
        std::cout << finding.sentence << '\n';
}

Json comparisonJson(const std::vector<design::ComparisonRow>& rows)
{
    Json json = Json::array();
    for (const design::ComparisonRow& row : rows) {
        const bool areEqual = row.isBest[0] == row.isBest[1];
        json.push_back({{"name", row.key},
                        {"unit", row.unit},
                        {"first", optionalNumber(row.values[0])},
                        {"second", optionalNumber(row.values[1])},
                        {"better", areEqual        ? 0
                                   : row.isBest[0] ? 1
                                                   : 2}});
    }
    return json;
}

void printComparison(const std::string& first, const std::string& second,
                     const std::vector<design::ComparisonRow>& rows)
{
    std::cout << renderTerminal(report::makeComparisonTable({first, second}, rows));
}

} // namespace quadric::app
