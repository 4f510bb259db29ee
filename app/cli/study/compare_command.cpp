// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/output/interval_output.h"
#include "app/cli/output/study_output.h"
#include "core/plan/words/comparison_tables.h"
#include "core/text/visible_text.h"

#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct CompareOptions {
    StudyOption first;
    std::string second;
    double confidence = 0.95;
};

Json differenceJson(const plan::ResponseDifference& each)
{
    return {{"response", each.response},
            {"verdict", plan::describeDifference(each)},
            {"kind", each.isRatio ? "ratio" : "difference"},
            {"estimate", each.settings > 0 ? Json(each.estimate) : Json()},
            {"interval", intervalJson(each.interval)},
            {"p", jsonOf(each.p)},
            {"adjusted_p", jsonOf(each.adjustedP)},
            {"settings", each.settings},
            {"runs", {each.firstRuns, each.secondRuns}},
            {"range", each.settings > 0 ? Json{each.smallest, each.largest} : Json()},
            {"message", each.message}};
}

Json changeJson(const plan::ChangedFact& fact)
{
    return {{"name", fact.name}, {"first", fact.first}, {"second", fact.second}};
}

Json studyComparisonJson(const plan::StudyComparison& comparison)
{
    return {{"first", comparison.first},
            {"second", comparison.second},
            {"confidence", comparison.confidence},
            {"responses", listOf(comparison.responses, differenceJson)},
            {"settings", listOf(comparison.settings, changeJson)},
            {"provenance", listOf(comparison.provenance, changeJson)},
            {"cautions", comparison.cautions}};
}

void printStudyComparison(const plan::StudyComparison& comparison)
{
    for (const plan::ResponseDifference& each : comparison.responses)
        std::cout << text::makeVisible(plan::describeResponse(each, comparison.confidence)) << '\n';
    std::cout << '\n';
    printTable(plan::makeDifferenceTable(comparison));
    printTable(plan::makeChangeTable(comparison));
    for (const std::string& caution : comparison.cautions)
        std::cout << caution << '\n';
}

/// What differs is an answer, not a failure; studies without a common setting cannot be compared.
void compare(const CompareOptions& options)
{
    if (!(options.confidence > 0.0 && options.confidence < 1.0))
        throw UsageError("--confidence is " + study::toText(options.confidence) +
                         ", expected a number between 0 and 1");
    const plan::StudyComparison comparison =
        plan::compareStudies(readStudy(options.first.path), readStudy(options.second), options.confidence);
    if (!comparison.message.empty())
        throw UsageError(options.first.path + " and " + options.second + ": " + comparison.message);
    options.first.json ? printJson(studyComparisonJson(comparison)) : printStudyComparison(comparison);
}

} // namespace

void addCompare(CommandLine& line)
{
    auto options = std::make_shared<CompareOptions>();
    CLI::App* command = line.app.add_subcommand(
        "compare", "Compare two studies at the settings that both have measured: faster, slower, or no "
                   "difference shown, and what changed on the machine");
    addStudyOption(*command, options->first);
    command->add_option("second", options->second, "The study that is held against the first")
        ->required()
        ->type_name("STUDY");
    command->add_option("--confidence", options->confidence, "Of intervals, and of all verdicts together")
        ->capture_default_str()
        ->type_name("SHARE");
    command->callback([options] { compare(*options); });
}

} // namespace quadric::app
