// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/study_output.h"
#include "app/cli/text_table.h"
#include "core/design/design.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct EvaluateOptions {
    StudyOption study;
    std::string model = "quadratic";
};

Json matrixJson(const design::NamedMatrix& matrix)
{
    Json values = Json::array();
    for (const auto& row : matrix.values.rowwise())
        values.push_back(std::vector<double>(row.begin(), row.end()));
    return {{"rows", matrix.rows}, {"columns", matrix.columns}, {"values", values}};
}

Json evaluationJson(const design::Evaluation& evaluation)
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
    json["checks"] = Json::array();
    for (const design::Check& check : evaluation.checks)
        json["checks"].push_back({{"name", check.name}, {"ok", check.ok}, {"detail", check.detail}});
    json["warnings"] = evaluation.warnings;
    return json;
}

void printEvaluation(const design::Evaluation& evaluation)
{
    std::cout << evaluation.runs << " runs for a " << evaluation.model << " model: " << evaluation.dfModel
              << " degrees of freedom for the model, " << evaluation.dfLackOfFit << " for lack of fit, "
              << evaluation.dfPureError << " for pure error\n"
              << "Efficiency: D " << numberText(evaluation.dEfficiency, 4) << " %, A "
              << numberText(evaluation.aEfficiency, 4) << " %, G " << numberText(evaluation.gEfficiency, 4)
              << " %; average prediction variance " << numberText(evaluation.iValue, 4) << " σ²\n"
              << "Condition number " << numberText(evaluation.condition, 4) << ", largest leverage "
              << numberText(evaluation.maxLeverage, 4) << "\n\n";
    TextTable table({"term", "VIF", "power at 2 σ"});
    for (const design::PowerRow& row : evaluation.power) {
        const auto vif = std::ranges::find(evaluation.vif, row.term, &std::pair<std::string, double>::first);
        table.addRow({row.term, vif == evaluation.vif.end() ? std::string("–") : numberText(vif->second, 4),
                      numberText(row.power, 3)});
    }
    table.print(std::cout);
    std::cout << '\n';
    for (const design::Check& check : evaluation.checks)
        std::cout << (check.ok ? "ok   " : "FAIL ") << check.name << ": " << check.detail << '\n';
    for (const std::string& warning : evaluation.warnings)
        std::cout << "Warning: " << warning << '\n';
}

int evaluate(const EvaluateOptions& options)
{
    const design::Evaluation evaluation = design::evaluate(readStudy(options.study.path), options.model);
    if (options.study.json)
        printJson(evaluationJson(evaluation));
    else
        printEvaluation(evaluation);
    return std::ranges::all_of(evaluation.checks, &design::Check::ok) ? kDone : kWorkFailed;
}

} // namespace

void addEvaluate(CommandLine& line)
{
    auto options = std::make_shared<EvaluateOptions>();
    CLI::App* command = line.app.add_subcommand("evaluate", "Judge the design before anything is run");
    addStudyOption(*command, options->study);
    command->add_option("--model", options->model, "The model that is to be fitted later")
        ->capture_default_str()
        ->type_name("MODEL");
    command->callback([&line, options] { line.exitStatus = evaluate(*options); });
}

} // namespace quadric::app
