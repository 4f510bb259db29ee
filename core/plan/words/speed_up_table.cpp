// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words/speed_up_table.h"

#include "core/text/numbers.h"

namespace quadric::plan {

namespace {

std::string scalingAdvice(ScalingKind kind)
{
    return kind == ScalingKind::Unknown ? "A fixed setting scaling = weak or strong says it. " : "";
}

std::string baselineWords(const SpeedUp& speedUp)
{
    const std::string count = study::toText(speedUp.baseline);
    return "Speeds are relative to " + count + (speedUp.baseline == 1.0 ? " GPU" : " GPUs") +
           " at the same other settings. ";
}

std::string sourceWords(const SpeedUp& speedUp)
{
    const std::string level = text::formatPercent(speedUp.confidence, 0);
    return speedUp.isModeled
               ? "Values and " + level + " intervals are of the model at the settings that are held."
               : "Values are geometric means of the runs, whatever their other settings, with " + level +
                     " t intervals; of a single run the interval is that inside the run.";
}

report::Cell rangeCell(const std::optional<model::Interval>& interval, double scale)
{
    return interval ? report::Cell(report::Range{interval->low * scale, interval->high * scale})
                    : report::Cell(std::string());
}

} // namespace

std::string describeScaling(ScalingKind kind)
{
    switch (kind) {
    case ScalingKind::Weak:
        return "Weak scaling: the work of each GPU stays the same";
    case ScalingKind::Strong:
        return "Strong scaling: the work of all GPUs together stays the same";
    case ScalingKind::Either:
        return "Weak or strong scaling, as the factor scaling says";
    case ScalingKind::Unknown:
        break;
    }
    return "Weak or strong scaling: the settings do not say which";
}

report::Table makeSpeedUpTable(const SpeedUp& speedUp)
{
    const std::string interval = text::formatPercent(speedUp.confidence, 0) + " interval";
    report::Table table{
        .id = "speed_up",
        .caption = "Speed-up over GPUs",
        .columns = {{"GPUs", {}, report::ColumnKind::Number, "gpus"},
                    {"Runs", "Runs at this count.", report::ColumnKind::Number, "runs"},
                    {"Speed-up", {}, report::ColumnKind::Number, "speed_up"},
                    {interval, {}, report::ColumnKind::Number, "speed_up_interval"},
                    {"Ideal", "Without any loss.", report::ColumnKind::Number, "ideal"},
                    {"Efficiency", "Speed-up / ideal.", report::ColumnKind::Number, "efficiency"},
                    {interval, {}, report::ColumnKind::Number, "efficiency_interval", "%"}},
        .note = describeScaling(speedUp.scaling) + ". " + scalingAdvice(speedUp.scaling) +
                baselineWords(speedUp) + sourceWords(speedUp)};
    for (const SpeedUpPoint& point : speedUp.counts) {
        const double ideal = idealSpeedUp(speedUp, point.count);
        const auto half =
            point.interval ? std::optional((point.interval->high - point.interval->low) / 2.0) : std::nullopt;
        table.rows.push_back({report::makeCell(point.count), point.runs,
                              report::makeEstimateCell(point.speedUp, half), rangeCell(point.interval, 1.0),
                              report::makeCell(ideal), text::formatPercent(point.speedUp / ideal),
                              rangeCell(point.interval, 100.0 / ideal)});
    }
    return table;
}

} // namespace quadric::plan
