// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/study/space/feasible_grid.h"

namespace quadric::model {

/// What one run that is still to be made gives, on the scale of the model: location + scale × t(df). In a
/// study with blocks it is in a block of its own.
struct NewRun {
    double location = 0.0, scale = 0.0, df = 0.0;

    /// Probability to stay below z, ±infinity included; a step where the scale is 0.
    double probabilityBelow(double z) const;
    /// The value that it stays below with probability p, 0 < p < 1.
    double quantile(double p) const;
};

/// `fit` is Ok and leaves degrees of freedom for error.
NewRun predictNewRun(const Fit& fit, const study::CodedPoint& point);

/// Whether the runs tell what a model predicts at a setting, whatever the terms that they cannot tell apart
/// are (Estimability).
bool isEstimable(const Fit& fit, const study::CodedPoint& point);

/// Why a setting is not estimable and which runs would tell, as a sentence; empty where it is.
std::string describeUnknown(const Fit& fit, const study::CodedPoint& point);

struct Interval {
    double low = 0.0, high = 0.0;
};

/// A prediction in the response's own unit. With a transform the mean is the back-transformed value, a
/// median. Without residual degrees of freedom there are no intervals.
struct Prediction {
    double mean = 0.0;
    /// Of the mean, response's own unit; through a transform by its slope (delta method), empty at a pole.
    std::optional<double> se;
    std::optional<Interval> confidence;
    std::optional<Interval> prediction; ///< for the mean of `futureRuns` runs in the average block
    /// For the mean of `futureRuns` runs that are a block of their own; only where the study has blocks.
    std::optional<Interval> newBlock;
    double leverage = 0.0;
    bool isEstimable = true;      ///< the runs tell the mean (isEstimable()); false: there is no interval
    bool isExtrapolation = false; ///< not estimable, leverage above the runs' largest, or above 3p/n
    bool isMedian = false;        ///< a transform was inverted

    /// The interval for runs that are still to be made: in a study with blocks they are one more block.
    const std::optional<Interval>& ofNewRuns() const { return newBlock ? newBlock : prediction; }
};

/// `futureRuns` m: the prediction interval is for the mean of m runs, ŷ ± t √(s²(1/m + h)). `confidence` of
/// all intervals; default: the fit's. `blockShare`: Σ (mⱼ/m)² where mⱼ of the runs are in the new block j.
Prediction predict(const Fit& fit, const study::CodedPoint& point, int futureRuns = 1,
                   std::optional<double> confidence = {}, double blockShare = 1.0);

/// What the model is there: the mean on the scale of the response's transform.
double predictOnModelScale(const Fit& fit, const study::CodedPoint& point);

/// Only the mean, for search loops; response's own unit.
double predictMean(const Fit& fit, const study::CodedPoint& point);

/// Gradient of predictMean() by the coded numeric factors (0 for categorical ones).
Eigen::VectorXd predictGradient(const Fit& fit, const study::CodedPoint& point);

/// The fitted response along one factor, all others as in `at`, with its confidence band. Plain values for a
/// plot, response's own unit.
struct EffectCurve {
    std::string factor, unit, response, responseUnit;
    bool isLog2 = false;
    std::vector<double> actual;          ///< numeric factor: actual values; categorical: 0, 1, …
    std::vector<std::string> categories; ///< categorical factor: level names
    std::vector<double> mean, low, high; ///< low and high empty without residual degrees of freedom
    std::vector<bool> isExtrapolation;
    /// What the runs at each of their levels of the factor show of it, others held as in the curve: the curve
    /// there plus the mean of their residuals, taken on the model's scale (partial residuals, Larsen &
    /// McCleary 1972). Raw means would show the other settings of these runs too.
    std::vector<double> adjustedAt, adjustedMean;
    std::vector<int> adjustedRuns; ///< how many runs each mean is of
};

/// How far curves and surfaces reach: from low to high of each factor, or on to the outermost runs where
/// those lie outside (axial runs of a central composite design).
enum class Span { Region, Runs };

EffectCurve effectCurve(const Fit& fit, std::size_t factor, const study::CodedPoint& at, int points = 41,
                        Span span = Span::Region);
/// With adjusted means of the study's runs.
EffectCurve effectCurve(const Fit& fit, const study::Study& study, std::size_t factor,
                        const study::CodedPoint& at, int points = 41, Span span = Span::Region);

struct ObservedPoint {
    int run = 0;
    double x = 0.0, y = 0.0, z = 0.0; ///< actual values of both factors, observed response
    double fitted = 0.0;              ///< the surface under or over it (model at the run's own settings)
};

/// The fitted response over two factors; `z(i, j)` belongs to `x[i]`, `y[j]`. Plain values for a plot,
/// response's own unit.
struct SurfaceGrid {
    std::string xName, xUnit, yName, yUnit, response, responseUnit;
    bool xIsLog2 = false, yIsLog2 = false;
    std::vector<double> x, y;
    Eigen::MatrixXd z;
    Eigen::MatrixXd se;        ///< standard error of the mean; empty without residual degrees of freedom
    Eigen::MatrixXd low, high; ///< confidence interval of the mean; empty without residual degrees of freedom
    Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> isExtrapolation;
    study::FeasibleGrid feasible; ///< by the study's constraints
    std::vector<ObservedPoint> observed;
};

SurfaceGrid surfaceGrid(const Fit& fit, const study::Study& study, std::size_t xFactor, std::size_t yFactor,
                        const study::CodedPoint& at, int points = 41, Span span = Span::Region);

} // namespace quadric::model
