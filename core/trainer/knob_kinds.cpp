// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/knob_kinds.h"

#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

namespace quadric::trainer {

namespace {

using Expected = std::optional<std::string>;

std::optional<double> numberFrom(const std::string& text)
{
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::string textOf(double value)
{
    std::ostringstream text;
    text.precision(12);
    text << value;
    return text.str();
}

/// The shortest text that is read back as the same number.
std::string exactTextOf(double value)
{
    std::array<char, 32> text{};
    const auto [end, error] = std::to_chars(text.begin(), text.end(), value);
    return {text.begin(), end};
}

template <typename Number> std::string wordsOf(const KnobRange<Number>& range)
{
    return textOf(range.lowest) + " to " + textOf(range.highest);
}

} // namespace

std::string joined(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

Knob integerKnob(const KnobWords& words, Member<int> member, KnobRange<int> range)
{
    const auto set = [=](Workload& workload, const std::string& text) -> Expected {
        const std::optional<double> value = numberFrom(text);
        if (!value || *value != std::floor(*value) || *value < range.lowest || *value > range.highest)
            return "expected a whole number from " + wordsOf(range);
        member(workload) = static_cast<int>(*value);
        return std::nullopt;
    };
    const auto get = [=](Workload workload) { return std::to_string(member(workload)); };
    return {words.name, words.help, words.unit, wordsOf(range), set, get};
}

Knob realKnob(const KnobWords& words, Member<double> member, KnobRange<double> range)
{
    const auto set = [=](Workload& workload, const std::string& text) -> Expected {
        const std::optional<double> value = numberFrom(text);
        if (!value || *value < range.lowest || *value > range.highest)
            return "expected a number from " + wordsOf(range);
        member(workload) = *value;
        return std::nullopt;
    };
    const auto get = [=](Workload workload) { return textOf(member(workload)); };
    return {words.name, words.help, words.unit, wordsOf(range), set, get};
}

Knob switchKnob(const KnobWords& words, Member<bool> member)
{
    const auto set = [=](Workload& workload, const std::string& text) -> Expected {
        const bool on = text == "on" || text == "true" || text == "1";
        if (!on && text != "off" && text != "false" && text != "0")
            return "expected on or off";
        member(workload) = on;
        return std::nullopt;
    };
    const auto get = [=](Workload workload) { return std::string(member(workload) ? "on" : "off"); };
    return {words.name, words.help, words.unit, "on, off", set, get};
}

Knob optionalKnob(const KnobWords& words, Member<std::optional<double>> member, KnobRange<double> range)
{
    const std::string legal = wordsOf(range) + ", or none";
    const auto set = [=](Workload& workload, const std::string& text) -> Expected {
        const std::optional<double> value = numberFrom(text);
        const bool isLegal = value ? *value >= range.lowest && *value <= range.highest : text == "none";
        if (!isLegal)
            return "expected a number from " + legal;
        member(workload) = value;
        return std::nullopt;
    };
    const auto get = [=](Workload workload) {
        const std::optional<double> value = member(workload);
        return value ? exactTextOf(*value) : std::string("none");
    };
    return {words.name, words.help, words.unit, legal, set, get};
}

Knob nameKnob(const KnobWords& words, Member<std::string> member, const std::vector<std::string>& names)
{
    const std::string range = joined(names);
    const auto set = [=](Workload& workload, const std::string& text) -> Expected {
        if (std::ranges::find(names, text) == names.end())
            return "expected one of " + range;
        member(workload) = text;
        return std::nullopt;
    };
    const auto get = [=](Workload workload) { return member(workload); };
    return {words.name, words.help, words.unit, range, set, get};
}

} // namespace quadric::trainer
