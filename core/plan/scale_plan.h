// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/links.h"
#include "core/plan/plan_choices.h"
#include "core/plan/scaling_forecast.h"
#include "core/study/node_size.h"

namespace quadric::plan {

/// What larger clusters would give, as it is chosen.
struct ScalePlan {
    std::vector<ScalingPoint> points = {}; ///< what the runs show (scalingPointsOf())
    std::vector<LawScore> laws = {};       ///< best first
    std::vector<ForecastRow> rows = {};    ///< at the measured counts and at each doubling beyond them
    std::vector<ForecastRow> curve = {};   ///< at many counts, ascending, all between the ends
    double confidence = 0.9;
    std::vector<LinkSpeed> links = {}; ///< over the chosen links, at the counts of the rows; empty: none
    int lastWorthwhile = 1;            ///< to which doubling pays
    std::optional<study::NodeSize> node = {}; ///< that the GPUs are on, where it is known
    std::string message = {};                 ///< why there is nothing else
};

/// What takes longest of a plan, and depends on neither prices, links nor the counts that are asked for.
struct ScaleModel {
    std::size_t factor = 0; ///< the number of GPUs
    std::vector<ScalingPoint> points = {};
    ForecastModel forecast = {}; ///< without laws where `message` says why
    std::string message = {};
};

/// `factor`: the number of GPUs; the others as in `settings`.
ScaleModel modelScale(const study::Study& study, const model::Fit& fit, std::size_t factor,
                      const study::Settings& settings, int perNode);

/// The forecast at many counts up to so many doublings beyond the measured ones, for ScalePlan::curve.
std::vector<ForecastRow> curveOf(const ScaleModel& scale, int doublings);

/// `scale`: of the same study, fit and settings, with the GPUs of a node that are chosen. `curve`: its
/// curveOf() with the doublings that are chosen.
ScalePlan planScale(const ScaleModel& scale, std::vector<ForecastRow> curve, const study::Study& study,
                    const model::Fit& fit, const study::Settings& settings, const PlanChoices& choices);
/// The same with a curve of its own.
ScalePlan planScale(const ScaleModel& scale, const study::Study& study, const model::Fit& fit,
                    const study::Settings& settings, const PlanChoices& choices);

/// Nodes with so many GPUs each; empty of 1, which says that all links are alike.
std::optional<study::NodeSize> chosenNode(int perNode);

/// The chosen nodes, otherwise those of the study. Empty where the factor counts something else.
std::optional<study::NodeSize> plannedNode(const study::Study& study, std::size_t factor,
                                           const study::Settings& settings, int perNode);

/// The links that are chosen; empty where none is.
std::optional<Exchange> exchangeOf(const PlanChoices& choices);

/// Units of work of a GPU in a step where none are chosen: the setting of the first numeric factor whose name
/// begins with "batch", otherwise 32.
double usualBatch(const study::Study& study, const study::Settings& settings);

/// Of a million units of work, at a price of a GPU's hour.
double costOfMillion(double gpuHour, int count, double unitsPerSecond);
/// The same with the interval of the forecast. `unitSeconds`: of the unit of time in that of the speed.
Estimate costOfMillion(double gpuHour, const ForecastRow& row, double unitSeconds);

/// Units of work a second at this speed: 1/60 of it for img/min; speeds from times are a second's.
double perSecond(const model::Fit& fit, double speed);

} // namespace quadric::plan
