// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"

#include <array>

namespace quadric::model {

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

} // namespace quadric::model
