// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/workload/knob_kinds.h"

#include "core/text/numbers.h"

#include <charconv>
#include <cmath>

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

bool isWithin(double value, const workload::Knob& knob)
{
    return value >= knob.values.lowest && value <= knob.values.highest;
}

} // namespace

KnobAccess makeAccess(const workload::Knob& knob, Member<int> member)
{
    const auto set = [&knob, member](Workload& workload, const std::string& text) -> Expected {
        const std::optional<double> value = numberFrom(text);
        if (!value || *value != std::floor(*value) || !isWithin(*value, knob))
            return "expected a whole number from " + rangeWords(knob);
        member(workload) = static_cast<int>(*value);
        return std::nullopt;
    };
    const auto get = [member](Workload workload) { return std::to_string(member(workload)); };
    return {knob, set, get};
}

KnobAccess makeAccess(const workload::Knob& knob, Member<double> member)
{
    const auto set = [&knob, member](Workload& workload, const std::string& text) -> Expected {
        const std::optional<double> value = numberFrom(text);
        if (!value || !isWithin(*value, knob))
            return "expected a number from " + rangeWords(knob);
        member(workload) = *value;
        return std::nullopt;
    };
    const auto get = [member](Workload workload) { return text::formatExactly(member(workload)); };
    return {knob, set, get};
}

KnobAccess makeAccess(const workload::Knob& knob, Member<bool> member)
{
    const auto set = [member](Workload& workload, const std::string& text) -> Expected {
        const bool on = text == "on" || text == "true" || text == "1";
        if (!on && text != "off" && text != "false" && text != "0")
            return "expected on or off";
        member(workload) = on;
        return std::nullopt;
    };
    const auto get = [member](Workload workload) { return std::string(member(workload) ? "on" : "off"); };
    return {knob, set, get};
}

KnobAccess makeAccess(const workload::Knob& knob, Member<std::optional<double>> member)
{
    const auto set = [&knob, member](Workload& workload, const std::string& text) -> Expected {
        const std::optional<double> value = numberFrom(text);
        if (value ? !isWithin(*value, knob) : text != "none")
            return "expected a number from " + rangeWords(knob);
        member(workload) = value;
        return std::nullopt;
    };
    const auto get = [member](Workload workload) {
        const std::optional<double> value = member(workload);
        return value ? text::formatExactly(*value) : std::string("none");
    };
    return {knob, set, get};
}

KnobAccess makeAccess(const workload::Knob& knob, Member<std::string> member)
{
    const auto set = [&knob, member](Workload& workload, const std::string& text) -> Expected {
        const auto names = workload::choicesOf(knob);
        if (std::ranges::find(names, text) == names.end())
            return "expected one of " + rangeWords(knob);
        member(workload) = text;
        return std::nullopt;
    };
    const auto get = [member](Workload workload) { return member(workload); };
    return {knob, set, get};
}

} // namespace quadric::trainer
