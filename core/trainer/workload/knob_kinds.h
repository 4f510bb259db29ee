// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload/knobs.h"

#include <algorithm>
#include <initializer_list>

namespace quadric::trainer {

/// Where a workload keeps the value of a knob.
template <typename Value> using Member = Value& (*)(Workload&);

KnobAccess makeAccess(const workload::Knob& knob, Member<int> member);
KnobAccess makeAccess(const workload::Knob& knob, Member<double> member);
KnobAccess makeAccess(const workload::Knob& knob, Member<bool> member);
/// A number, or "none".
KnobAccess makeAccess(const workload::Knob& knob, Member<std::optional<double>> member);
/// One of the names of the knob.
KnobAccess makeAccess(const workload::Knob& knob, Member<std::string> member);

/// One of some values that have the names of the knob's choices.
template <typename Value>
KnobAccess makeChoice(const workload::Knob& knob, Member<Value> member,
                      std::initializer_list<std::pair<const char*, Value>> choices)
{
    const std::vector<std::pair<std::string, Value>> values(choices.begin(), choices.end());
    const auto set = [&knob, member, values](Workload& workload,
                                             const std::string& text) -> std::optional<std::string> {
        const auto found = std::ranges::find(values, text, &std::pair<std::string, Value>::first);
        if (found == values.end())
            return "expected one of " + workload::rangeWords(knob);
        member(workload) = found->second;
        return std::nullopt;
    };
    const auto get = [member, values](Workload workload) {
        return std::ranges::find(values, member(workload), &std::pair<std::string, Value>::second)->first;
    };
    return {knob, set, get};
}

} // namespace quadric::trainer
