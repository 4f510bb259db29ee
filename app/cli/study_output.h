// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/table.h"
#include "core/study/study.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace quadric::app {

using Json = nlohmann::ordered_json;

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

/// "a=1, b=2" in the study's order of factors.
std::string settingsText(const study::Study& study, const study::Settings& settings);

/// Table of the runs in run order: settings, status, results.
void printRuns(const study::Study& study);

/// "12 done, 1 failed, 2 pending".
std::string countsText(const study::Study& study);

} // namespace quadric::app
