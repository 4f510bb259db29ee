// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/disturbance.h"

#include <nlohmann/json.hpp>

namespace quadric::study {

namespace {

nlohmann::json provenanceEntry(const Run& run, std::string_view key)
{
    const auto found = run.provenance.details.find(std::string(key));
    return found == run.provenance.details.end() ? nlohmann::json()
                                                 : nlohmann::json::parse(found->second, nullptr, false);
}

} // namespace

bool isDisturbed(const Run& run)
{
    const nlohmann::json entry = provenanceEntry(run, "disturbed");
    return entry.is_boolean() && entry.get<bool>();
}

std::string disturbanceOf(const Run& run)
{
    return isDisturbed(run) ? provenanceString(run, "disturbed_because") : std::string();
}

std::string provenanceString(const Run& run, std::string_view key)
{
    const nlohmann::json entry = provenanceEntry(run, key);
    return entry.is_string() ? entry.get<std::string>() : std::string();
}

std::optional<double> provenanceNumber(const Run& run, std::string_view key)
{
    const nlohmann::json entry = provenanceEntry(run, key);
    return entry.is_number() ? std::optional(entry.get<double>()) : std::nullopt;
}

} // namespace quadric::study
