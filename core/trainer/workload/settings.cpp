// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/base/failure.h"
#include "core/trainer/workload/knobs.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace quadric::trainer {

namespace {

constexpr std::size_t kLongestSettings = 1 << 20;

std::string settingText(const nlohmann::json& value, const std::string& name)
{
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_number() || value.is_boolean())
        return value.dump();
    throw Failure(kBadSettings, name + ": expected a number or a string, found " + value.type_name());
}

} // namespace

const KnobAccess* findKnob(std::string_view name)
{
    const auto found = std::ranges::find(knobs(), workload::knobName(name),
                                         [](const KnobAccess& access) { return access.knob.name; });
    return found == knobs().end() ? nullptr : &*found;
}

void setKnob(Workload& workload, const KnobAccess& access, const std::string& text)
{
    constexpr std::size_t kShown = 40;
    if (const std::optional<std::string> expected = access.set(workload, text))
        throw Failure(kBadSettings, std::string(access.knob.name) + ": " + *expected + ", found \"" +
                                        text.substr(0, kShown) + '"');
}

std::vector<std::string> applySettings(Workload& workload, std::string_view text)
{
    if (text.size() > kLongestSettings)
        throw Failure(kBadSettings, "the settings are longer than 1 MiB");
    const nlohmann::json settings = nlohmann::json::parse(text, nullptr, false);
    if (!settings.is_object())
        throw Failure(kBadSettings, "the settings must be a JSON object of numbers and strings");
    std::vector<std::string> unknown;
    for (const auto& [name, value] : settings.items()) {
        if (const KnobAccess* access = findKnob(name))
            setKnob(workload, *access, settingText(value, name));
        else
            unknown.push_back(name);
    }
    return unknown;
}

std::string settingsJson(const Workload& workload)
{
    nlohmann::json settings = nlohmann::json::object();
    for (const KnobAccess& access : knobs()) {
        const std::string text = access.get(workload);
        const nlohmann::json number = nlohmann::json::parse(text, nullptr, false);
        settings[std::string(access.knob.name)] = number.is_number() ? number : nlohmann::json(text);
    }
    return settings.dump();
}

} // namespace quadric::trainer
