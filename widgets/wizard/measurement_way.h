// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QString>

namespace quadric::widgets {

/// How the results of runs come about.
enum class MeasurementWay { Builtin, Simulated, Command, Typed };

MeasurementWay measurementWayOf(const study::Study& study);

/// "Built-in training step, measured", …
QString measurementName(MeasurementWay way);

/// The study measured in another way. Settings of the built-in workload that another way has no use for are
/// put aside, and taken from there again when it is chosen again; everything else stays.
study::Study withMeasurement(study::Study study, MeasurementWay way, study::Settings& aside);

} // namespace quadric::widgets
