// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/numbers.h"
#include "core/workload/knob_table.h"
#include "core/workload/response_table.h"

#include <algorithm>
#include <string>

namespace quadric::workload {

std::span<const std::string_view> choicesOf(const Knob& knob)
{
    const Choices& choices = knob.values.choices;
    return {choices.begin(), std::ranges::find(choices, std::string_view())};
}

std::string rangeWords(const Knob& knob)
{
    if (!isNumber(knob))
        return text::joinWords(choicesOf(knob));
    const Values& values = knob.values;
    std::string words = text::formatExactly(values.lowest) + " to " + text::formatExactly(values.highest);
    if (!values.unit.empty())
        words.append(" ").append(values.unit);
    return words + (values.kind == KnobKind::OptionalReal ? ", or none" : "");
}

const Knob* findKnob(std::string_view name)
{
    const auto found = std::ranges::find_if(kKnobs, [name](const Knob& each) {
        return each.name == name || (!name.empty() && each.alias == name);
    });
    return found == kKnobs.end() ? nullptr : &*found;
}

std::string_view knobName(std::string_view name)
{
    const Knob* found = findKnob(name);
    return found ? found->name : name;
}

std::string knobNames()
{
    return text::joinWords(kKnobs, ", ", &Knob::name);
}

const Response* findResponse(std::string_view name)
{
    const auto found = std::ranges::find(kResponses, name, &Response::name);
    return found == kResponses.end() ? nullptr : &*found;
}

std::string responseNames()
{
    return text::joinWords(kResponses, ", ", &Response::name);
}

std::string_view needsWords(Needs needs)
{
    switch (needs) {
    case Needs::Nothing:
        return "always";
    case Needs::Baseline:
        return "with a baseline";
    case Needs::Price:
        return "with a price";
    case Needs::Training:
        return "where it trains";
    case Needs::Learning:
        return "with loss_training on";
    case Needs::Gpus:
        return "on GPUs";
    }
    return {};
}

} // namespace quadric::workload
