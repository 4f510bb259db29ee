// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// The knobs that the wizard offers, most used first.
const std::vector<Knob>& knobs();
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
