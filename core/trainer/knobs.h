// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::trainer {

/// One setting of a workload, by the name that studies use.
struct Knob {
    std::string name;
    std::string help;  ///< one sentence
    std::string unit;  ///< empty where there is none
    std::string range; ///< what values are legal: "1 to 4096", "on, off"
    /// Sets the value from text; returns what was expected when the text is no such value.
    std::function<std::optional<std::string>(Workload&, const std::string&)> set;
    std::function<std::string(const Workload&)> get;
};

/// All knobs. Their names have underscores: `batch_per_rank`.
const std::vector<Knob>& knobs();

/// The knob of that name; `gpu_count` and `batch_per_gpu` are understood as `ranks` and `batch_per_rank`.
/// Null when there is none.
const Knob* findKnob(std::string_view name);

/// Sets one knob. Throws Failure (bad-settings) naming the knob, the value and what was expected.
void setKnob(Workload& workload, const Knob& knob, const std::string& text);

/// Reads settings from a JSON object of numbers, strings and booleans. Returns the names that are no knobs.
/// Throws Failure (bad-settings) for text that is no such object and for values that a knob does not take.
std::vector<std::string> applySettings(Workload& workload, std::string_view json);

/// All knobs as a JSON object that applySettings() reads back.
std::string settingsJson(const Workload& workload);

} // namespace quadric::trainer
