// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/finding.h"
#include "core/report/table.h"
#include "core/run/words/events.h"
#include "core/study/study.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace quadric::app {

using Json = nlohmann::ordered_json;

/// JSON text on standard output: as it is, and on a terminal as jsonForTerminal() gives it.
void printJsonText(const std::string& text);

/// One JSON document on standard output.
void printJson(const Json& json);

/// The value, or null where there is none. Never NaN.
Json jsonOf(const std::optional<double>& value);
Json jsonOf(const study::Settings& settings);

/// A JSON list with an entry for each item.
template <typename Items, typename ToJson> Json listOf(const Items& items, ToJson toJson)
{
    Json list = Json::array();
    for (const auto& item : items)
        list.push_back(toJson(item));
    return list;
}

/// The table under its caption, with an empty line before.
void printTable(const report::Table& table);

/// "failed (crash): Ended by SIGSEGV", on one line.
std::string failureText(const study::Failure& failure);

/// "a=1, b=2" in the study's order of factors.
std::string settingsText(const study::Study& study, const study::Settings& settings,
                         const std::vector<std::string>& indifferent = {});

/// Table of the runs in run order: settings, status, results.
void printRuns(const study::Study& study);

/// "12 done, 1 failed, 2 pending".
std::string countsText(const study::Study& study);

/// {"code", "topic", "verdict", "sentence", "what_to_do"}.
Json findingJson(const report::Finding& finding);

/// The sentences alone.
Json sentencesJson(const std::vector<report::Finding>& findings);

/// The measurement card of the study, the sentences that the window shows: a line each, and what to do.
void printMeasurement(const study::Study& study);

/// The same: [{"code", "topic", "verdict", "sentence", "what_to_do"}].
Json measurementJson(const study::Study& study);

/// "batch_per_rank=64, image_size=32": the batch of a baseline, and what else of the factors one rank depends
/// on.
std::string baselineText(const study::Study& study, const study::Run& baseline);

/// "2 done, 1 pending"; empty without baselines.
std::string baselineCounts(const study::Study& study);

/// Number, status and settings of each, and why one has failed.
Json baselinesJson(const study::Study& study);

/// "about 12 min left", with the interval where it is wide: "about 12 min left (9 min to 20 min)".
std::string timeLeftText(const run::TimeLeft& left);

} // namespace quadric::app
