// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/study_output.h"

#include "app/shell/visible_output.h"
#include "core/model/select/model_choice.h"
#include "core/report/findings/measurement_findings.h"
#include "core/report/tables/study_tables.h"
#include "core/study/document/document.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>

namespace quadric::app {

namespace {

/// Without fits where the study's models cannot be read: the card says what it can.
std::vector<model::Fit> fitsOf(const study::Study& study)
{
    try {
        return model::fitStudy(model::withChosenModels(study));
    } catch (const std::exception&) {
        return {};
    }
}

constexpr const char* kBatch = "batch_per_rank";

/// Ranks are one, and the batch is named as the trainer names it.
bool isSaidAlready(const study::Factor& factor)
{
    const std::string name = study::trainerSettingOf(factor);
    return name == "ranks" || name == kBatch;
}

/// JSON text for a terminal: what that would obey, or a reader not see, as \u escapes of JSON. It says the
/// same.
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

} // namespace

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

Json findingJson(const report::Finding& finding)
{
    return {{"code", finding.code},
            {"topic", finding.topic},
            {"verdict", nameOf(finding.severity)},
            {"sentence", finding.sentence},
            {"what_to_do", finding.advice}};
}

Json sentencesJson(const std::vector<report::Finding>& findings)
{
    return listOf(findings, [](const report::Finding& finding) { return finding.sentence; });
}

void printMeasurement(const study::Study& study)
{
    for (const report::Finding& finding : report::findInMeasurement(study, fitsOf(study))) {
        const char* mark = finding.severity == report::Severity::Green ? "  " : "! ";
        std::cout << mark << finding.topic << ": " << finding.sentence
                  << (finding.advice.empty() ? "" : " " + finding.advice) << '\n';
    }
}

Json measurementJson(const study::Study& study)
{
    return listOf(report::findInMeasurement(study, fitsOf(study)), findingJson);
}

std::string baselineText(const study::Study& study, const study::Run& baseline)
{
    std::vector<std::pair<std::string, study::Value>> shown;
    if (const auto batch = baseline.settings.find(kBatch); batch != baseline.settings.end())
        shown.emplace_back(*batch);
    for (const study::Factor& factor : study.factors) {
        const study::Value* value = study::findBaselineSetting(baseline, factor);
        if (value && !isSaidAlready(factor))
            shown.emplace_back(factor.name, *value);
    }
    std::string text;
    for (const auto& [name, value] : shown) {
        const auto* number = std::get_if<double>(&value);
        text += (text.empty() ? "" : ", ") + name + "=" +
                (number ? text::formatDigits(*number, 6) : study::toText(value));
    }
    return text;
}

std::string baselineCounts(const study::Study& study)
{
    std::map<study::RunStatus, int> counts;
    for (const study::Run& baseline : study.baselines)
        ++counts[baseline.status];
    return text::joinWords(counts, ", ", [](const auto& entry) {
        return std::to_string(entry.second) + ' ' + std::string(study::nameOf(entry.first));
    });
}

Json baselinesJson(const study::Study& study)
{
    Json list = Json::array();
    for (const study::Run& baseline : study.baselines) {
        list.push_back({{"run", baseline.id},
                        {"status", study::nameOf(baseline.status)},
                        {"settings", jsonOf(baseline.settings)}});
        if (baseline.failure)
            list.back()["failure"] = {{"kind", baseline.failure->kind},
                                      {"message", baseline.failure->message}};
    }
    return list;
}

std::string timeLeftText(const run::TimeLeft& left)
{
    const std::string text = "about " + text::formatRoughDuration(left.seconds) + " left";
    const std::string low = text::formatRoughDuration(left.low), high = text::formatRoughDuration(left.high);
    return left.isUncertain() && low != high ? text + " (" + low + " to " + high + ")" : text;
}

} // namespace quadric::app
