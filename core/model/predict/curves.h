// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"
#include "core/study/study.h"

#include <array>
#include <optional>

namespace quadric::model {

/// Coded positions along a factor in equal steps from low to high; of a categorical factor its levels.
std::vector<double> positionsAlong(const study::Factor& factor, int points, double low = -1.0,
                                   double high = 1.0);

/// Actual value; of a categorical factor the index of the level.
double actualAt(const study::Coding& coding, std::size_t factor, double coded);

/// A curve without points: what its axes are called.
EffectCurve emptyCurve(const study::Factor& factor, const std::string& response, const std::string& unit);

/// Adds a point at an actual value; of a prediction without an interval the band has none.
void appendPoint(const Prediction& prediction, double actual, EffectCurve& curve);

/// What the axes of a surface, or of a map over two factors, are called.
void nameAxes(const study::Factor& x, const study::Factor& y, auto& plane)
{
    plane.xName = x.name;
    plane.xUnit = x.unit;
    plane.yName = y.name;
    plane.yUnit = y.unit;
    plane.xIsLog2 = x.scale == study::Scale::Log2;
    plane.yIsLog2 = y.scale == study::Scale::Log2;
}

/// The curve along one factor at one level of a second factor.
struct InteractionLine {
    std::string level;  ///< "batch = 32", "precision = bf16"
    double coded = 0.0; ///< of the second factor
    EffectCurve curve;  ///< adjusted means: of runs at that level of the second factor only
};

/// Curves along `factor` at low and high (categorical: every level) of `by`; lines that are not parallel
/// show an interaction.
struct InteractionPlot {
    std::string factor, by;
    std::vector<InteractionLine> lines;
};

InteractionPlot interactionPlot(const Fit& fit, const study::Study& study, std::size_t factor, std::size_t by,
                                const study::CodedPoint& at, int points = 41, Span span = Span::Region);

/// The response along every numeric factor through one point, over the coded distance from it.
struct PerturbationCurve {
    std::string factor, unit;
    std::vector<double> coded;           ///< distance from the point, coded units
    std::vector<double> actual;          ///< value of the factor there
    std::vector<double> mean, low, high; ///< low and high empty without residual degrees of freedom
};

std::vector<PerturbationCurve> perturbationPlot(const Fit& fit, const study::CodedPoint& at, int points = 41);

/// A corner of the cube of three factors.
struct CubeCorner {
    std::array<double, 3> coded{};  ///< −1 or +1; categorical: index of the first or last level
    std::array<double, 3> actual{}; ///< actual value; categorical: index of the level
    Prediction prediction;
    /// Adjusted mean of the runs there, as in EffectCurve; empty without such a run.
    std::optional<double> adjusted;
    std::string violation; ///< why it cannot be run, with the numbers; empty where it can
};

/// Predictions at the corners spanned by three factors, the first fastest. Throws std::invalid_argument
/// unless the three factors are different ones of the study.
struct CubePlot {
    std::array<std::string, 3> factors;
    std::string response, responseUnit;
    std::vector<CubeCorner> corners;
};

CubePlot cubePlot(const Fit& fit, const study::Study& study, const std::array<std::size_t, 3>& factors,
                  const study::CodedPoint& at);

/// A point of a normal or half-normal plot.
struct ScorePoint {
    std::string label;  ///< term, or number of the run
    double value = 0.0; ///< sorted ascending; half-normal: size of the effect
    double score = 0.0; ///< standard normal quantile: Φ⁻¹((i − ½)/m), half-normal Φ⁻¹(½ + ½(i − ½)/m)
    bool isActive = false; ///< effects only: beyond the limit
    int sign = 1;          ///< effects only: sign of the effect
    int run = 0;           ///< residuals only
};

/// Half-normal plot of the effects, in the order and with the limits of the Pareto chart: |t| where the model
/// leaves degrees of freedom for error, otherwise orthogonalized effects with Lenth's limits. Effects that
/// are noise lie near value = slope × score.
struct HalfNormalPlot {
    std::vector<ScorePoint> points;
    bool isStandardized = false; ///< values are |t|
    std::optional<double> slope; ///< 1 of |t|, otherwise the pseudo standard error; empty without a limit
    std::optional<double> marginOfError, simultaneous; ///< t and Bonferroni's limit; ME and SME
};

HalfNormalPlot halfNormalPlot(const Fit& fit);

/// Normal plot of the residuals: internally studentized where they exist, else raw. The line of a normal
/// sample is value = mean + sd × score.
struct NormalPlot {
    std::vector<ScorePoint> points;
    bool isStudentized = true;
    double mean = 0.0, sd = 0.0;
};

NormalPlot normalPlot(const Fit& fit);

/// Residuals against the order of execution with the fitted drift, ascending by order.
struct OrderPlot {
    std::vector<int> runs, orders;
    std::vector<double> residuals; ///< as in NormalPlot
    bool isStudentized = true;
    std::optional<double> driftLow, driftHigh; ///< the drift line at the first and last order, same unit
};

OrderPlot orderPlot(const Fit& fit);

/// A run of the fit that the study has, with its coded settings.
struct ObservedRun {
    const study::Run* run = nullptr;
    study::CodedPoint point;
    double value = 0.0;    ///< response's own unit
    double residual = 0.0; ///< on the model's scale
};

std::vector<ObservedRun> observedRuns(const Fit& fit, const study::Study& study);

/// Mean of the residuals of some runs, added to the prediction at a point: what they show there. Response's
/// own unit.
double adjustedMean(const Fit& fit, const study::CodedPoint& point, const std::vector<double>& residuals);

/// Adds to the curve through `at` the adjusted means of the runs at each level of the factor, in ascending
/// order; coded values within 1e-9 are one level.
void addAdjustedMeans(const Fit& fit, const std::vector<ObservedRun>& runs, std::size_t factor,
                      const study::CodedPoint& at, EffectCurve& curve);

/// The same as far as the span reaches.
std::vector<double> positionsAlong(const Fit& fit, std::size_t factor, int points, Span span);

/// Median, quartiles and whiskers of a sample. Quartiles are quantiles of type 7 (Hyndman & Fan 1996), R's
/// default; whiskers end at the outermost values within 1.5 interquartile ranges of the quartiles.
struct BoxStatistics {
    double lowerWhisker = 0.0, lowerQuartile = 0.0, median = 0.0, upperQuartile = 0.0, upperWhisker = 0.0;
};

/// Quantile of type 7 of ascending values, at least one of them; `share` from 0 to 1.
double computeQuantile(const std::vector<double>& ascending, double share);

/// The runs at one level of a factor, or at neighboring levels; response's own unit.
struct LevelGroup {
    std::string level;            ///< "32", "bf16", "8–36"
    double low = 0.0, high = 0.0; ///< actual values of the runs; categorical: index of the level
    std::vector<int> runs;        ///< ids, in the order of `values`
    std::vector<double> values;
    std::vector<bool> isDisturbed; ///< per run
    BoxStatistics box;
    double mean = 0.0, smallest = 0.0, largest = 0.0;
    std::optional<double> sd; ///< sample standard deviation; empty for a single run
};

/// What was observed at each level of a factor, whatever the other factors were set to.
struct LevelSummary {
    std::string factor, factorUnit, response, responseUnit;
    std::vector<LevelGroup>
        groups; ///< ascending; categories in the factor's order, those without runs left out
    int testedLevels = 0;
    bool isGrouped =
        false; ///< more tested levels than can be told apart: ranges of about equal numbers of runs
};

/// Factors with more tested levels than this are shown by ranges.
inline constexpr int kMostLevels = 8;
/// Into how many they are grouped at most.
inline constexpr int kMostRanges = 5;

/// Of the runs that a model of the response is fitted to: done, with a result, neither excluded nor
/// confirming. No groups where there are no such runs. Throws std::invalid_argument for settings that cannot
/// be coded.
LevelSummary summarizeLevels(const study::Study& study, const study::Response& response, std::size_t factor);

/// The same for every factor.
std::vector<LevelSummary> summarizeLevels(const study::Study& study, std::string_view response);

} // namespace quadric::model
