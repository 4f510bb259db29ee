// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/launch/launch.h"
#include "core/study/study.h"
#include "core/workload/knob_table.h"

#include <vector>

namespace quadric::widgets {

/// The knobs that the wizard offers: those for runs that are measured, or those that plan for GPUs which are
/// not here.
enum class KnobSet { Measured, Simulated };

/// Which knobs a study has: its fixed `engine` tells.
KnobSet knobSetOf(const study::Study& study);

/// The offered knobs in the order of the vocabulary.
std::vector<const workload::Knob*> knobsOf(KnobSet set);

struct KnobRange {
    double least = 0.0, most = 0.0;
};

/// What a number can be set to: what the trainer takes, and for measured runs no more than the machine has.
KnobRange rangeOn(const run::Machine& machine, KnobSet set, const workload::Knob& knob);

/// What the trainer takes where a study says nothing.
study::Value usualValue(const workload::Knob& knob);

/// The knob as a factor between its suggested ends, which it has within the range.
study::Factor factorFrom(const workload::Knob& knob, const KnobRange& range);

/// The next knob that is worth to be varied and is not varied yet, as a factor; nothing: there is none left.
/// Numbers with room for three levels go first.
std::optional<study::Factor> suggestedFactor(const study::Study& study, const run::Machine& machine);

} // namespace quadric::widgets
