// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/launch.h"
#include "core/study/study.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace quadric::widgets {

/// A setting of the built-in workload as the wizard offers it: as a fixed setting or as a factor.
struct Knob {
    std::string name;
    QString label;
    QString explanation;
    std::string unit;
    study::FactorType type = study::FactorType::Integer; ///< categorical: one of `choices`
    double least = 1.0, most = 1.0;
    study::Value usual;
    std::vector<std::string> choices;
};

/// The knobs of the built-in workload with ranges for a machine, most used first: those that measure here, or
/// those that plan for GPUs which are not here.
enum class KnobSet { Measured, Simulated };
std::vector<Knob> knobsOf(KnobSet set, const run::Machine& machine);

/// Which knobs a study has: its fixed `engine` tells.
KnobSet knobSetOf(const study::Study& study);

/// The measured knobs with ranges for this machine, those that suit as factors first.
const std::vector<Knob>& knobs();

/// The knob of that name in either set. Null when there is none.
const Knob* findKnob(std::string_view name);

/// The knob as a factor around its usual value.
study::Factor factorFrom(const Knob& knob);

/// A quantity that the built-in workload reports.
struct Measure {
    const char* name;
    const char* unit;
    study::Goal goal;
};
const std::vector<Measure>& measures();

/// Expected seconds until all waiting runs of the built-in workload are done; negative: not known.
double expectedSeconds(const study::Study& study);

} // namespace quadric::widgets
