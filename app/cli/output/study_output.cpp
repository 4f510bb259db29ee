// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/study_output.h"

#include "app/shell/visible_output.h"
#include "core/report/table_text.h"
#include "core/report/tables/study_tables.h"
#include "core/study/document/document.h"
#include "core/study/outcome.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace quadric::app {

std::string jsonForTerminal(std::string_view text)
{
    std::string safe;
    while (!text.empty()) {
        std::size_t size = 1;
        while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U)
            ++size;
        const std::string letter(text.substr(0, size));
        if (text::makeVisible(letter, text::LineBreaks::Keep) == letter) {
            safe += letter;
        } else {
            const std::string escaped = Json(letter).dump(-1, ' ', true, Json::error_handler_t::replace);
            safe += escaped.substr(1, escaped.size() - 2);
        }
        text.remove_prefix(size);
    }
    return safe;
}

void printJsonText(const std::string& text)
{
    printData(printsToTerminal() ? jsonForTerminal(text) : text);
}

void printJson(const Json& json)
{
    printJsonText(json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

Json jsonOf(const std::optional<double>& value)
{
    return value && std::isfinite(*value) ? Json(*value) : Json();
}

Json jsonOf(const study::Settings& settings)
{
    return Json::parse(study::writeSettings(settings));
}

void printTable(const report::Table& table)
{
    std::cout << '\n' << text::makeVisible(table.caption) << '\n' << renderTerminal(table);
}

std::string failureText(const study::Failure& failure)
{
    const std::string what = failure.kind == "cancelled" ? failure.kind : "failed (" + failure.kind + ")";
    return text::makeVisible(what + ": " + failure.message);
}

std::string settingsText(const study::Study& study, const study::Settings& settings,
                         const std::vector<std::string>& indifferent)
{
    std::string text;
    for (const study::Factor& factor : study.factors) {
        const auto value = settings.find(factor.name);
        if (value == settings.end())
            continue;
        const auto* number = std::get_if<double>(&value->second);
        text += (text.empty() ? "" : ", ") + factor.name + "=" +
                (std::ranges::count(indifferent, factor.name) > 0 ? "any"
                 : number                                         ? text::formatDigits(*number, 6)
                                                                  : study::toText(value->second));
    }
    return text::makeVisible(text);
}

void printRuns(const study::Study& study)
{
    std::cout << renderTerminal(report::makeRunTable(study));
}

std::string countsText(const study::Study& study)
{
    using study::RunStatus;
    std::string text;
    const auto add = [&text](int count, std::string_view what) {
        if (count > 0)
            text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(what);
    };
    for (const RunStatus status : {RunStatus::Done, RunStatus::Running})
        add(study::countRuns(study, status), study::nameOf(status));
    add(study::countFailed(study), study::nameOf(RunStatus::Failed));
    add(study::countCancelled(study), "cancelled");
    for (const RunStatus status : {RunStatus::Pending, RunStatus::Excluded})
        add(study::countRuns(study, status), study::nameOf(status));
    return text.empty() ? "no runs" : text;
}

} // namespace quadric::app
