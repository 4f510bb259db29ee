// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/output/study_output.h"
#include "app/cli/study/typed_study.h"
#include "core/design/base/information.h"
#include "core/design/evaluate/checks.h"
#include "core/design/evaluate/compare.h"
#include "core/design/generate/augment.h"
#include "core/exchange/export/formats.h"
#include "core/report/findings/data_findings.h"
#include "core/report/tables/study_tables.h"
#include "core/study/files/journal.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>

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
              << "Efficiency: D " << figure(design::DesignNumber::Efficiency, e.dEfficiency)
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

/// What moving a design to legal settings did; null where nothing is known of it.
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

/// The documented keys of `evaluate --json`, and: blocks' degrees of freedom, region, leverage, correlation,
/// alias_matrix, legal. `isModelAsked`: the model was named by the user (design::isRemark()).
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

/// The sentences of a report on legal settings; nothing where nothing was moved.
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
                        {"first", jsonOf(row.values[0])},
                        {"second", jsonOf(row.values[1])},
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

struct DesignCommandOptions {
    StudyOption study;
    DesignOptions design;
    std::string augment;
};

std::string augmentationsText()
{
    return text::joinWords(design::augmentations());
}

study::Study augmented(const DesignCommandOptions& options, study::Study study)
{
    const auto augmentation = design::augmentationFrom(options.augment);
    if (!augmentation)
        throw UsageError("--augment: " + text::describeUnknown(options.augment, design::augmentations()));
    design::AugmentOptions augment{.alpha = options.design.alpha, .model = options.design.model};
    augment.runs = options.design.runs.value_or(augment.runs);
    return design::augmented(std::move(study), *augmentation, augment);
}

study::Study laidOut(const DesignCommandOptions& options, study::Study study)
{
    if (const std::string reason = applyDesignOptions(options.design, study); !reason.empty())
        std::cerr << "quadric: " << reason << '\n';
    return laidOutByCommand(std::move(study));
}

void print(const DesignCommandOptions& options, const study::Study& study, std::size_t runsBefore)
{
    const auto legal = design::legalReport(study, design::largestModel(study));
    if (options.study.json) {
        Json json = exchange::studyJson(study);
        json["legal"] = legalJson(legal);
        printJson(json);
        return;
    }
    std::cout << options.study.path << ": " << study.design.type << ", " << study.runs.size() << " runs";
    if (!options.augment.empty())
        std::cout << ", " << study.runs.size() - runsBefore << " of them new";
    std::cout << "\n\n";
    printRuns(study);
    printLegal(legal);
}

void design(const DesignCommandOptions& options)
{
    if (options.design.type.empty() == options.augment.empty())
        throw UsageError("design: expected either --type or --augment");
    const std::string& path = options.study.path;
    readStudy(path); // says what is wrong with the file before anything is touched
    if (options.augment.empty())
        static_cast<void>(study::StudyLock{path}); // throws: a runner has the runs that a new layout replaces
    std::size_t runsBefore = 0;
    const study::Study changed = study::editStudy(path, [&](study::Study study) {
        runsBefore = study.runs.size();
        return options.augment.empty() ? laidOut(options, std::move(study))
                                       : augmented(options, std::move(study));
    });
    print(options, changed, runsBefore);
}

struct EvaluateCommand {
    StudyOption study;
    std::string model = "quadratic";
    std::string effectSd = "2";
    std::string other;
    bool isModelAsked = false;
    bool isRelative = false;
};

design::EvaluateOptions optionsOf(const EvaluateCommand& command)
{
    design::EvaluateOptions options;
    options.effectSd = readNumber("--effect-sd", command.effectSd);
    if (!(options.effectSd > 0.0))
        throw UsageError("--effect-sd: \"" + command.effectSd + "\", expected a number above 0");
    return options;
}

bool isSound(const design::Evaluation& evaluation, const EvaluateCommand& command)
{
    return std::ranges::all_of(evaluation.checks, [&](const design::Check& check) {
        return check.ok || design::isRemark(check, command.isModelAsked);
    });
}

int evaluateOne(const EvaluateCommand& command)
{
    const study::Study study = readStudy(command.study.path);
    const design::Evaluation evaluation = design::evaluate(study, command.model, optionsOf(command));
    const std::optional<double> relative =
        command.isRelative ? design::computeRelativeDEfficiency(study, command.model) : std::nullopt;
    if (command.study.json) {
        Json json = evaluationJson(evaluation, command.isModelAsked);
        if (command.isRelative)
            json["d_efficiency_relative"] = jsonOf(relative);
        printJson(json);
    } else {
        printEvaluation(evaluation, command.isModelAsked);
        if (relative)
            std::cout << "D-efficiency relative to the best design of this size that a search finds: "
                      << text::formatPercent(*relative / 100.0) << '\n';
    }
    return isSound(evaluation, command) ? kDone : kWorkFailed;
}

/// "A" and "B" of /x/A.quadric and /y/B.quadric; the paths where the names are equal.
std::pair<std::string, std::string> titlesOf(const std::string& first, const std::string& second)
{
    const std::string a = std::filesystem::path(first).stem().string();
    const std::string b = std::filesystem::path(second).stem().string();
    return a == b ? std::pair(first, second) : std::pair(a, b);
}

int compareTwo(const EvaluateCommand& command)
{
    const design::EvaluateOptions options = optionsOf(command);
    const design::Evaluation first = design::evaluate(readStudy(command.study.path), command.model, options);
    const design::Evaluation second = design::evaluate(readStudy(command.other), command.model, options);
    const std::vector<design::ComparisonRow> rows = design::compare({&first, &second});
    if (command.study.json) {
        printJson({{"first", evaluationJson(first, command.isModelAsked)},
                   {"second", evaluationJson(second, command.isModelAsked)},
                   {"comparison", comparisonJson(rows)}});
    } else {
        const auto [a, b] = titlesOf(command.study.path, command.other);
        printComparison(a, b, rows);
    }
    return isSound(first, command) && isSound(second, command) ? kDone : kWorkFailed;
}

} // namespace

void addDesign(CommandLine& line)
{
    auto options = std::make_shared<DesignCommandOptions>();
    Command& command = line.program.addCommand("design", "Create the runs of a study, or add runs to it");
    addStudyOption(command, options->study);
    addDesignOptions(command, options->design);
    command.option("--augment", options->augment, Kind::suggested(design::augmentations()), "HOW",
                   "Keep all runs and add more, one of: " + augmentationsText() +
                       "; --runs says how many center or optimal runs");
    command.whenCalled([options] { design(*options); });
}

void addEvaluate(CommandLine& line)
{
    auto options = std::make_shared<EvaluateCommand>();
    Command& command = line.program.addCommand("evaluate", "Evaluate the design before the first run");
    addStudyOption(command, options->study);
    command.option("--model", options->model, Kind::model(), "MODEL", "The model to be fitted later")
        .showDefault();
    command
        .option("--effect-sd", options->effectSd, Kind::number(), "X",
                "Size of the effects to detect, in standard deviations of the noise")
        .showDefault();
    command.flag("--relative", options->isRelative,
                 "Compare with the best design of this size (searches for it)");
    command.option("--compare", options->other, Kind::studyFile(), "STUDY",
                   "Compare with this study, side by side");
    command.whenCalled([&line, &command, options] {
        options->isModelAsked = command.isGiven("--model");
        line.exitStatus = options->other.empty() ? evaluateOne(*options) : compareTwo(*options);
    });
}

} // namespace quadric::app
