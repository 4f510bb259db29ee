// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/knobs.h"

#include <algorithm>

namespace quadric::trainer {

/// Name, sentence and unit of a knob.
struct KnobWords {
    std::string name;
    std::string help;
    std::string unit = {};
};

template <typename Number> struct KnobRange {
    Number lowest;
    Number highest;
};

/// Where a workload keeps the value of a knob.
template <typename Value> using Member = Value& (*)(Workload&);

Knob integerKnob(const KnobWords& words, Member<int> member, KnobRange<int> range);
Knob realKnob(const KnobWords& words, Member<double> member, KnobRange<double> range);
Knob switchKnob(const KnobWords& words, Member<bool> member);
/// A number, or "none".
Knob optionalKnob(const KnobWords& words, Member<std::optional<double>> member, KnobRange<double> range);
/// One of some names.
Knob nameKnob(const KnobWords& words, Member<std::string> member, const std::vector<std::string>& names);

std::string joined(const std::vector<std::string>& names);

/// One of some values that have names.
template <typename Value>
Knob choiceKnob(const KnobWords& words, Member<Value> member,
                const std::vector<std::pair<std::string, Value>>& choices)
{
    std::vector<std::string> names;
    names.reserve(choices.size());
    for (const auto& [name, value] : choices)
        names.push_back(name);
    const std::string range = joined(names);
    const auto set = [=](Workload& workload, const std::string& text) -> std::optional<std::string> {
        const auto found = std::ranges::find(choices, text, &std::pair<std::string, Value>::first);
        if (found == choices.end())
            return "expected one of " + range;
        member(workload) = found->second;
        return std::nullopt;
    };
    const auto get = [=](const Workload& workload) {
        Workload copy = workload;
        return std::ranges::find(choices, member(copy), &std::pair<std::string, Value>::second)->first;
    };
    return {words.name, words.help, words.unit, range, set, get};
}

} // namespace quadric::trainer
