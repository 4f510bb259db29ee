// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan/published_numbers.h"

#include "core/exchange/table/delimited.h"
#include "core/plan/table_columns.h"
#include "core/report/table_text.h"
#include "core/study/files/file.h"
#include "core/text/find_nearest.h"
#include "core/text/numbers.h"

#include <algorithm>
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

} // namespace

void addPublishedOption(CLI::App& command, std::string& path)
{
    command
        .add_option("--published", path,
                    "Numbers to print beside these: a table with the columns number (its place in the JSON "
                    "document: models/lasso/mae), published and reason")
        ->type_name("FILE");
}

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

} // namespace quadric::app
