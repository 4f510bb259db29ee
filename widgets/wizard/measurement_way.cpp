// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/measurement_way.h"

#include "core/templates/templates.h"
#include "widgets/wizard/forms/knob_offers.h"

#include <QCoreApplication>

namespace quadric::widgets {

namespace {

bool isBuiltin(MeasurementWay way)
{
    return way == MeasurementWay::Builtin || way == MeasurementWay::Simulated;
}

/// Settings of the built-in workload go aside, or come back from there.
void moveKnobs(study::Study& study, bool isNeeded, study::Settings& aside)
{
    study::Settings& from = isNeeded ? aside : study.fixed;
    study::Settings& to = isNeeded ? study.fixed : aside;
    std::erase_if(from, [&](const auto& item) {
        const bool isMoved = workload::findKnob(item.first) && !study::findFactor(study, item.first);
        if (isMoved)
            to.insert(item);
        return isMoved;
    });
}

} // namespace

MeasurementWay measurementWayOf(const study::Study& study)
{
    if (study.benchmark.workload == "none")
        return MeasurementWay::Typed;
    if (study.benchmark.workload == "command")
        return MeasurementWay::Command;
    return knobSetOf(study) == KnobSet::Simulated ? MeasurementWay::Simulated : MeasurementWay::Builtin;
}

QString measurementName(MeasurementWay way)
{
    static const char* const names[] = {QT_TRANSLATE_NOOP("wizard", "Built-in training step, measured"),
                                        QT_TRANSLATE_NOOP("wizard", "Built-in training step, simulated"),
                                        QT_TRANSLATE_NOOP("wizard", "Your own script or program"),
                                        QT_TRANSLATE_NOOP("wizard", "Results typed by hand")};
    return QCoreApplication::translate("wizard", names[int(way)]);
}

study::Study withMeasurement(study::Study study, MeasurementWay way, study::Settings& aside)
{
    study.benchmark.workload = way == MeasurementWay::Typed     ? "none"
                               : way == MeasurementWay::Command ? "command"
                                                                : "builtin";
    moveKnobs(study, isBuiltin(way), aside);
    const bool isFresh = study.benchmark.argv.empty() && study.benchmark.parse == study::ParseSpec{};
    if (way == MeasurementWay::Command && isFresh)
        study.benchmark.parse = templates::studyFrom("own-command", 1).benchmark.parse;
    if (way == MeasurementWay::Simulated)
        study.fixed["engine"] = std::string("simulated");
    else if (way == MeasurementWay::Builtin && knobSetOf(study) == KnobSet::Simulated)
        study.fixed.erase("engine");
    return study;
}

} // namespace quadric::widgets
