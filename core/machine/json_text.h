// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace quadric::machine {

/// On one line; bytes that are not UTF-8 become U+FFFD.
inline std::string textOf(const nlohmann::ordered_json& json)
{
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// The text under a name; empty where there is none.
inline std::string stringIn(const nlohmann::ordered_json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace quadric::machine
