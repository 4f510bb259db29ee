// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study_output.h"

#include "app/cli/text_table.h"
#include "core/study/document.h"

#include <cmath>
#include <iostream>

namespace quadric::app {

namespace {

TextTable::Cell cellOf(const study::Settings& settings, const std::string& name)
{
    const auto value = settings.find(name);
    if (value == settings.end())
        return std::string("–");
    if (const auto* number = std::get_if<double>(&value->second))
        return *number;
    return std::get<std::string>(value->second);
}

TextTable::Cell cellOf(const study::Run& run, const study::Response& response)
{
    const auto value = run.results.find(response.name);
    return value == run.results.end() ? TextTable::Cell(std::string("–")) : TextTable::Cell(value->second);
}

} // namespace

void printJson(const Json& json)
{
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

Json jsonOf(const std::optional<double>& value)
{
    return value && std::isfinite(*value) ? Json(*value) : Json();
}

Json jsonOf(const study::Settings& settings)
{
    return Json::parse(study::writeSettings(settings));
}

std::string settingsText(const study::Study& study, const study::Settings& settings)
{
    std::string text;
    for (const study::Factor& factor : study.factors) {
        const auto value = settings.find(factor.name);
        if (value == settings.end())
            continue;
        const auto* number = std::get_if<double>(&value->second);
        text += (text.empty() ? "" : ", ") + factor.name + "=" +
                (number ? numberText(*number, 6) : study::toText(value->second));
    }
    return text;
}

void printRuns(const study::Study& study)
{
    std::vector<std::string> headings = {"order", "run", "kind", "status"};
    for (const study::Factor& factor : study.factors)
        headings.push_back(factor.name);
    for (const study::Response& response : study.responses)
        headings.push_back(response.name);
    TextTable table(headings);
    for (const study::Run* run : study::inRunOrder(study)) {
        std::vector<TextTable::Cell> row = {static_cast<double>(run->order), static_cast<double>(run->id),
                                            std::string(study::nameOf(run->kind)),
                                            std::string(study::nameOf(run->status))};
        for (const study::Factor& factor : study.factors)
            row.push_back(cellOf(run->settings, factor.name));
        for (const study::Response& response : study.responses)
            row.push_back(cellOf(*run, response));
        table.addRow(std::move(row));
    }
    table.print(std::cout);
}

std::string countsText(const study::Study& study)
{
    std::string text;
    for (const study::RunStatus status :
         {study::RunStatus::Done, study::RunStatus::Running, study::RunStatus::Failed,
          study::RunStatus::Pending, study::RunStatus::Excluded}) {
        const int count = study::countRuns(study, status);
        if (count > 0)
            text +=
                (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(study::nameOf(status));
    }
    return text.empty() ? "no runs" : text;
}

} // namespace quadric::app
