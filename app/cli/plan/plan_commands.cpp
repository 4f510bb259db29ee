// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan/plan_commands.h"

#include "app/cli/base/commands.h"
#include "core/exchange/table/delimited.h"
#include "core/plan/jobs.h"
#include "core/report/table.h"
#include "core/study/files/file.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace quadric::app {

namespace {

std::string textOf(const Json& value)
{
    if (value.is_number())
        return text::formatNumber(value.get<double>());
    if (value.is_string())
        return value.get<std::string>();
    return value.is_null() ? "none" : value.dump();
}

/// What an element of a list is called: each text in it, the first number, and its position.
std::vector<std::string> namesOf(const Json& list, std::size_t position)
{
    std::vector<std::string> names;
    for (const Json& value : list[position])
        if (value.is_string())
            names.push_back(value.get<std::string>());
    const auto number =
        std::ranges::find_if(list[position], [](const Json& value) { return value.is_number(); });
    if (number != list[position].end())
        names.push_back(text::formatExactly(number->get<double>()));
    names.push_back(std::to_string(position));
    return names;
}

/// The member or element that a word names. Throws UsageError naming those that there are.
const Json& step(const Json& from, const std::string& word)
{
    std::vector<std::string> names;
    if (from.is_object()) {
        for (const auto& [key, value] : from.items())
            if (names.emplace_back(key) == word)
                return value;
    } else if (from.is_array()) {
        for (std::size_t i = 0; i < from.size(); ++i) {
            const std::vector<std::string> known = namesOf(from, i);
            if (std::ranges::find(known, word) != known.end())
                return from[i];
            names.push_back(known.front());
        }
    }
    throw UsageError(text::describeUnknown(word, names));
}

/// The number or text at a place such as "models/lasso/mae".
const Json& valueAt(const Json& answer, const std::string& place)
{
    const Json* found = &answer;
    for (const std::string& word : split(place, '/'))
        found = &step(*found, word);
    if (found->is_structured())
        throw UsageError("expected the place of one number or text, such as models/lasso/mae");
    return *found;
}

void printPublished(const std::vector<PublishedNumber>& numbers)
{
    report::Table table{.columns = {{.title = "number", .kind = report::ColumnKind::Text},
                                    {.title = "published", .kind = report::ColumnKind::Text},
                                    {.title = "here", .kind = report::ColumnKind::Text}}};
    for (const PublishedNumber& each : numbers)
        table.rows.push_back({each.name, each.published, textOf(each.ours)});
    std::cout << '\n' << report::renderTerminal(table) << '\n';
    std::string last;
    for (const PublishedNumber& each : numbers)
        if (!each.reason.empty() && each.reason != last) {
            std::cout << "- " << each.name << ": " << each.reason << '\n';
            last = each.reason;
        }
}

void addWorkOptions(Command& command, WorkOptions& options)
{
    command.option("--work", options.kind, Kind::oneOf({"whole", "per-unit", "speed"}), "TEXT",
                   "What the response is: the time of the whole work, of a unit of it (an epoch), or a "
                   "speed; default: by its unit");
    command.option("--amount", options.amount, Kind::number(), "N",
                   "How many epochs, images, … are to be done");
    command.option("--fixed-time", options.fixedTime, Kind::freeText(), "TIME",
                   "Time before and after the work that is measured");
}

/// The numbers of a table with the columns number, published and, if there is one, reason, beside those of
/// the answer. Of a list the place names an element by a text or the first number in it, or by its position,
/// counted from 0. Throws exchange::ImportError, and UsageError naming the line and what the answer has.
std::vector<PublishedNumber> readPublished(const std::string& path, const Json& answer)
{
    const exchange::TextGrid grid = exchange::readDelimited(study::readTextFile(path), path);
    const auto number = plan::findColumn(grid.headers, {"number"});
    const auto published = plan::findColumn(grid.headers, {"published"});
    const auto reason = plan::findColumn(grid.headers, {"reason"});
    if (!number || !published)
        throw exchange::ImportError(path + ": the columns are " + text::joinWords(grid.headers) +
                                    ", expected number, published and reason");
    std::vector<PublishedNumber> numbers;
    for (std::size_t i = 0; i < grid.rows.size(); ++i) {
        const std::vector<std::string>& row = grid.rows[i];
        try {
            numbers.push_back(
                {row[*number], row[*published], valueAt(answer, row[*number]), reason ? row[*reason] : ""});
        } catch (const UsageError& error) {
            throw UsageError(path + ": number of line " + std::to_string(grid.lines[i]) + ": \"" +
                             row[*number] + "\": " + error.what());
        }
    }
    return numbers;
}

} // namespace

void addPublishedOption(Command& command, std::string& path)
{
    command.option("--published", path, Kind::file(), "FILE",
                   "Numbers to print beside these: a table with the columns number (its place in the JSON "
                   "document: models/lasso/mae), published and reason");
}

void printAnswer(bool asJson, const Json& answer, const std::string& publishedPath,
                 const std::function<void()>& printWords)
{
    std::vector<PublishedNumber> numbers;
    if (!publishedPath.empty())
        numbers = readPublished(publishedPath, answer);
    if (!asJson) {
        printWords();
        if (!numbers.empty())
            printPublished(numbers);
        return;
    }
    Json document = answer;
    if (!publishedPath.empty())
        document["published"] = listOf(numbers, [](const PublishedNumber& each) {
            return Json{{"number", each.name},
                        {"published", each.published},
                        {"here", each.ours},
                        {"reason", each.reason}};
        });
    printJson(document);
}

Json estimateJson(const std::optional<plan::Estimate>& estimate)
{
    return estimate ? Json{{"value", estimate->value}, {"low", estimate->low}, {"high", estimate->high}}
                    : Json();
}

double requirePositive(const std::string& option, double value)
{
    if (!(value > 0.0) || std::isinf(value))
        throw UsageError(option + ": " + text::formatExactly(value) + ", expected more than 0" +
                         (std::isfinite(value) ? "" : ", as a number"));
    return value;
}

double readDuration(const std::string& option, const std::string& text)
{
    const auto seconds = plan::readSpan(text);
    if (!seconds)
        throw UsageError(option + ": \"" + text + "\", expected a time such as 90, 30min or 1.5h");
    return *seconds;
}

void addPlannedRunOptions(Command& command, PlannedRunOptions& options)
{
    addStudyOption(command, options.study);
    addWorkOptions(command, options.work);
    command.option(
        "--at", options.at, Kind::settings(), "SETTINGS",
        "Values of factors: name=value,name=value; the others as they are predicted to be the fastest");
    addFitOptions(command, options.selection);
}

bool isSpeed(const WorkOptions& options, const model::Fit& fit)
{
    return options.kind.empty() ? plan::isRateUnit(fit.unit) : options.kind == "speed";
}

plan::Work readWorkOptions(const WorkOptions& options, const model::Fit& fit)
{
    const bool isPart = options.kind.empty() ? options.amount.has_value() : options.kind == "per-unit";
    plan::Work work;
    work.kind = isSpeed(options, fit) ? plan::WorkKind::Speed
                : isPart              ? plan::WorkKind::PerUnit
                                      : plan::WorkKind::Whole;
    if (work.kind == plan::WorkKind::Speed && !options.amount)
        throw UsageError("--amount is missing: " + fit.response + " is a speed, how much is to be done");
    if (work.kind == plan::WorkKind::Whole && options.amount)
        throw UsageError("--amount: " + fit.response + " is the time of all of the work");
    work.amount = requirePositive("--amount", options.amount.value_or(1.0));
    work.fixedSeconds = options.fixedTime.empty() ? 0.0 : readDuration("--fixed-time", options.fixedTime);
    const std::size_t slash = work.kind == plan::WorkKind::Speed ? fit.unit.find('/') : fit.unit.npos;
    work.unitSeconds =
        plan::requireTimeUnit(fit.response, slash == fit.unit.npos ? fit.unit : fit.unit.substr(slash + 1));
    return work;
}

model::Fit requireFit(const study::Study& study, const FitSelection& selection)
{
    if (selection.response.empty() && study.responses.size() != 1)
        throw UsageError("--response is missing: which of " + text::joinWords(namesOf(study.responses)));
    std::vector<model::Fit> fits = decidingFitsOf(study, fitsOf(study, selection), selection);
    if (!fits.front().isOk())
        throw WorkError(fits.front().response + ": " + fits.front().message);
    if (fits.front().dfResidual == 0)
        throw WorkError(fits.front().response +
                        ": the model leaves no degrees of freedom to estimate its error");
    return std::move(fits.front());
}

model::Fit requireTimedFit(const study::Study& study, FitSelection selection)
{
    std::vector<std::string> timed;
    for (const study::Response& response : study.responses)
        if (plan::secondsPerUnit(response.unit))
            timed.push_back(response.name);
    if (selection.response.empty() && timed.size() == 1)
        selection.response = timed.front();
    return requireFit(study, selection);
}

study::Settings completeSettings(const study::Study& study, const model::Fit& fit,
                                 const study::Settings& given, bool isFastLarge)
{
    plan::FastestSettings fastest = plan::findFastest(study, fit, given, isFastLarge);
    if (fastest.settings.empty())
        throw WorkError(fastest.message);
    return std::move(fastest.settings);
}

void addPlan(CommandLine& line)
{
    Command& plan = line.program.addCommand("plan", "Plan with what the runs have shown: deadlines, queues, "
                                                    "larger clusters, costs, and a second opinion");
    plan.requireCommand();
    addPlanDeadline(plan);
    addPlanQueue(plan);
    addPlanScale(plan);
    addPlanCost(plan);
    addPlanOpinion(plan);
}

} // namespace quadric::app
