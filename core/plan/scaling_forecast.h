// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/queue_simulation.h"
#include "core/plan/scaling_law.h"

#include <cstdint>

namespace quadric::plan {

/// A law and how it predicted the largest counts from the smaller ones.
struct LawScore {
    ScalingLaw law;
    double heldOutError = 0.0; ///< mean |ln X − ln X̂| of the points left out, about a share
    double growth = 0.0;       ///< root mean square of that error for each doubling beyond the points kept
    double weight = 0.0;       ///< of the law in the interval, 1/error², all together 1
    double sd = 0.0;           ///< residualSd()
};

struct ForecastRow {
    int count = 1;
    Estimate speed;          ///< of the best law, with the interval of all laws
    double speedUp = 1.0;    ///< over the smallest count that was measured, by the best law
    double efficiency = 1.0; ///< speed of a GPU over that at the smallest count
    bool isMeasured = false; ///< the count is among the points
};

struct ForecastOptions {
    int perNode = 1;
    double confidence = 0.9;
    int draws = 400;
    std::uint64_t seed = 1;
};

struct ScalingForecast {
    std::vector<LawScore> laws; ///< best first; empty where `message` says what is missing
    std::vector<ForecastRow> rows;
    std::string message;
};

/// Fits all laws that the points allow, chooses the one that predicts the largest half of the counts best
/// from the others (left out one, two, … at a time), and tells the speed at `counts`. The interval has three
/// parts: the parameters of each law (refits of points drawn from it), the spread of the laws, drawn by their
/// weights, and an error that grows with each doubling beyond the points as it did for those left out.
ScalingForecast forecastScaling(const std::vector<ScalingPoint>& points, const std::vector<int>& counts,
                                const ForecastOptions& options = {});

/// The largest count, `from` times 1, 2, 4, … up to `most`, to which doubling still multiplies the speed by
/// `worth`: beyond it twice the machines cost more than they bring.
int lastWorthwhile(const ScalingLaw& law, double worth, int from, int most);

/// Counts in ascending order, each once.
std::vector<int> countsOf(const std::vector<ScalingPoint>& points);

} // namespace quadric::plan
