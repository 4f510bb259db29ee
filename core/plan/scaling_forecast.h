// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan_choices.h"
#include "core/plan/queue/queue_plan.h"
#include "core/plan/scaling_law.h"
#include "core/study/node_size.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quadric::plan {

/// So many draws of so many independent numbers, spread more evenly than by chance: the points of Sobol'
/// (directions of Joe & Kuo 2008), shifted by random numbers (Cranley & Patterson 1976). A quantile of 512 of
/// them errs about as one of 1500 random draws. A draw has the same numbers whatever is made of the others.
/// Powers of two are spread best.
class SpreadDraws {
public:
    SpreadDraws(int draws, std::size_t numbers, std::uint64_t seed);

    /// All are inside 0 … 1.
    double unit(int draw, std::size_t number) const;
    /// Of a standard normal distribution.
    double normal(int draw, std::size_t number) const;
    /// Of Student's t distribution.
    double student(int draw, std::size_t number, double df) const;
    /// √(df/χ²): what an error may really be that was estimated with so many degrees of freedom, over the
    /// estimate.
    double errorOverEstimate(int draw, std::size_t number, double df) const;

private:
    std::size_t m_numbers;
    std::vector<double> m_units; ///< draw by draw
};

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

inline constexpr double kForecastConfidence = 0.9; ///< of the intervals of speeds

struct ForecastRow {
    int count = 1;
    Estimate speed;          ///< what all laws together predict, with its interval
    double speedUp = 1.0;    ///< over the smallest count that was measured
    double efficiency = 1.0; ///< speed of a GPU over that at the smallest count
    bool isMeasured = false; ///< the count is among the points
};

struct ForecastOptions {
    int perNode = 1; ///< GPUs of a node; 1: all links are alike, as where no count is beyond one node
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
    std::vector<int> measured = {};  ///< counts of the points
    std::vector<LawScore> laws = {}; ///< best first; empty where `message` says what is missing
    std::vector<DrawnLaw> draws = {};
    std::string message = {};
};

/// Fits all laws that the points allow, weighs them by how well each predicts the largest half of the counts
/// from the others (left out one, two, … at a time). The interval of a forecast has three
/// parts: the parameters of each law (refits of points drawn from it), the spread of the laws, drawn by their
/// weights, and an error that grows with each doubling beyond the points as it did for those left out, of
/// which few are known (Student's t).
ForecastModel fitForecast(const std::vector<ScalingPoint>& points, const ForecastOptions& options = {});

/// What all laws together predict at these counts; the model has laws. Takes a small part of the time of the
/// fit.
std::vector<ForecastRow> forecastAt(const ForecastModel& model, const std::vector<int>& counts);

/// The largest count, `from` times 1, 2, 4, … up to `most`, to which doubling still multiplies the speed by
/// `worth`: beyond it twice the machines cost more than they bring.
int lastWorthwhile(const std::vector<LawScore>& laws, double worth, int from, int most);

/// Counts in ascending order, each once.
std::vector<int> distinctCounts(const std::vector<ScalingPoint>& points);

/// What larger clusters would give by the runs of a study.
struct ScaleModel {
    std::vector<ScalingPoint> points = {}; ///< what the runs show (makeScalingPoints())
    ForecastModel forecast = {};           ///< without laws where its message says why
    double unitSeconds = 1.0;              ///< of the unit of time in that of the speeds: 60 for img/min
};

/// `factor`: the number of GPUs; the others as in `settings`. `perNode`: GPUs of a node where the study's own
/// node is not meant. Takes longest, and depends on no other choices.
ScaleModel modelScale(const study::Study& study, const model::Fit& fit, std::size_t factor,
                      const study::Settings& settings, std::optional<int> perNode = {});

/// The same at the counts that are asked for; empty without laws.
struct ScalePlan {
    std::vector<ForecastRow> rows = {};  ///< at the measured counts and at those asked for
    std::vector<ForecastRow> curve = {}; ///< at many counts, ascending, all between the ends
    int lastWorthwhile = 1;              ///< to which doubling pays
};
/// `asked`: other counts than the doublings that are chosen.
ScalePlan planScale(const ForecastModel& forecast, const PlanChoices& choices,
                    const std::vector<int>& asked = {});

/// study::nodeSizeOf(); empty where the factor counts something else than GPUs or ranks.
std::optional<study::NodeSize> plannedNode(const study::Study& study, std::size_t factor,
                                           const study::Settings& settings);

/// Of a million units of work, at a price of a GPU's hour, with the interval of the forecast. `unitSeconds`:
/// of the unit of time in that of the speed.
Estimate costOfMillion(double gpuHour, const ForecastRow& row, double unitSeconds);

} // namespace quadric::plan
