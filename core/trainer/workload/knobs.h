// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload/workload.h"
#include "core/workload/knob_table.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::trainer {

/// A knob of the vocabulary (core/workload/knob_table.h) at its place in a workload.
struct KnobAccess {
    const workload::Knob& knob;
    /// Sets the value from text; returns what was expected when the text is no such value.
    std::function<std::optional<std::string>(Workload&, const std::string&)> set;
    std::function<std::string(const Workload&)> get;
};

/// All knobs, in the order of the vocabulary.
std::span<const KnobAccess> knobs();

/// The knob of that name or alias. Null when there is none.
const KnobAccess* findKnob(std::string_view name);

/// Sets one knob. Throws Failure (bad-settings) naming the knob, the value and what was expected.
void setKnob(Workload& workload, const KnobAccess& access, const std::string& text);

/// Reads settings from a JSON object of numbers, strings and booleans. Returns the names that are no knobs.
/// Throws Failure (bad-settings) for text that is no such object and for values that a knob does not take.
std::vector<std::string> applySettings(Workload& workload, std::string_view json);

/// All knobs as a JSON object that applySettings() reads back.
std::string settingsJson(const Workload& workload);

} // namespace quadric::trainer
