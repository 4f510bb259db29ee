// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/queue/queue_simulation.h"
#include "core/plan/scaling_law.h"

#include <cstdint>

namespace quadric::plan {

/// A law and how it predicted the largest counts from the smaller ones.
struct LawScore {
    ScalingLaw law;
    double heldOutError = 0.0; ///< mean |ln X − ln X̂| of the points left out, about a share
    /// Root mean square of that error for each doubling beyond the points kept; 5 % of two errors are taken
    /// into it, so that one lucky count promises little.
    double growth = 0.0;
    double growthErrors = 0.0; ///< how many errors it is of
    double weight = 0.0;       ///< of the law in the forecast, 1/error², all together 1
    double sd = 0.0;           ///< residualSd()
};

struct ForecastRow {
    int count = 1;
    Estimate speed;          ///< forecastSpeed() with its interval
    double speedUp = 1.0;    ///< over the smallest count that was measured
    double efficiency = 1.0; ///< speed of a GPU over that at the smallest count
    bool isMeasured = false; ///< the count is among the points
};

struct ForecastOptions {
    int perNode = 1;
    double confidence = 0.9;
    int draws = 512;
    std::uint64_t seed = 1;
};

/// A law that the points might have come from, and how far beside it larger counts may be, on the log scale.
struct DrawnLaw {
    ScalingLaw law;
    double growth = 0.0; ///< at one doubling beyond the points; it grows with the root of the doublings
    double noise = 0.0;  ///< of one more measurement
};

/// What a forecast at any count comes from.
struct ForecastModel {
    std::vector<int> measured; ///< counts of the points
    double confidence = 0.9;
    std::vector<LawScore> laws; ///< best first; empty where `message` says what is missing
    std::vector<DrawnLaw> draws = {};
    std::string message = {};
};

/// Fits all laws that the points allow, weighs them by how well each predicts the largest half of the counts
/// from the others (left out one, two, … at a time). The interval of a forecast has three
/// parts: the parameters of each law (refits of points drawn from it), the spread of the laws, drawn by their
/// weights, and an error that grows with each doubling beyond the points as it did for those left out, of
/// which few are known (Student's t).
ForecastModel fitForecast(const std::vector<ScalingPoint>& points, const ForecastOptions& options = {});
/// Takes a small part of the time of the fit. The model has laws.
std::vector<ForecastRow> forecastAt(const ForecastModel& model, const std::vector<int>& counts);

struct ScalingForecast {
    std::vector<LawScore> laws; ///< as those of the model
    std::vector<ForecastRow> rows;
    std::string message;
};

/// Both in one.
ScalingForecast forecastScaling(const std::vector<ScalingPoint>& points, const std::vector<int>& counts,
                                const ForecastOptions& options = {});

/// What all laws together predict: the mean of the logarithms of their speeds, by their weights.
double forecastSpeed(const std::vector<LawScore>& laws, int count);

/// The largest count, `from` times 1, 2, 4, … up to `most`, to which doubling still multiplies the speed by
/// `worth`: beyond it twice the machines cost more than they bring.
int lastWorthwhile(const std::vector<LawScore>& laws, double worth, int from, int most);

/// Counts in ascending order, each once.
std::vector<int> countsOf(const std::vector<ScalingPoint>& points);

} // namespace quadric::plan
