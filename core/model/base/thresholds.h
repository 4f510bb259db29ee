// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Everything that a fit, a design and a measurement are judged by: no other file decides from where on a
/// number is good or poor. Sources as in docs/methods.md.
namespace quadric::model {

/// Below this p a test is significant, and a finding amber; below kCertain it is red. The usual levels.
inline constexpr double kSignificance = 0.05;
inline constexpr double kCertain = 0.01;

/// With fewer residual degrees of freedom the error is hardly known: t(0.975) is 4.3 with two and 12.7 with
/// one.
inline constexpr int kFewResidualDf = 3;

/// Mean leverage from which on leaving a run out says more of the design than of new runs: a Box–Behnken
/// design of 15 runs has 0.67.
inline constexpr double kHighMeanLeverage = 0.6;

/// The verdict on a model is about its error for runs left out over the standard deviation of the results,
/// √(1 − predicted R²): up to 45 % (about an eighth of their range) settings are told apart well, from 71 %
/// on less than half of their variation is predicted.
inline constexpr double kGoodPrediction = 0.8;
inline constexpr double kPoorPrediction = 0.5;

/// Curvature at the center points below this share of the range of the results decides nothing, however
/// certain it is: repeats of a machine within 0.1 % make every curvature significant.
inline constexpr double kSmallCurvature = 0.1;

/// Residuals are tested where they are not mostly shaped by the model: up to this share of coefficients in
/// the runs (Shapiro and Wilk's test is wrong in 6.5 % of studies instead of 5 % at 0.67, in all of them at
/// 0.8), and for a drift from so many residual degrees of freedom on.
inline constexpr double kMostTestedShare = 0.7;
inline constexpr int kFewestDfOfOrder = 8;

/// An outlier this many times beyond Bonferroni's limit is no chance of any study: it is spoken of first.
inline constexpr double kFarOutlier = 2.0;

/// Variance inflation above which terms are collinear (Montgomery, Peck & Vining: 10).
inline constexpr double kLargestVif = 10.0;

/// Largest over smallest result from where on a scatter that grows with the value does harm before a test
/// sees it (Stat-Ease, Design-Expert: above 10 a transform is usually needed).
inline constexpr double kWideRange = 10.0;

/// Half width of a result's interval over the result above which the spread inside a run is wide: effects of
/// ten percent can then not be seen in single runs.
inline constexpr double kWideSpread = 0.05;

/// Power that a design is usually asked for (Cohen 1988).
inline constexpr double kUsualPower = 0.8;

/// Eigenvalues below this part of the largest make the stationary point a point of a ridge.
inline constexpr double kNearRidge = 0.05;

/// Correlations of terms up to this come from rounding to settings that can be run and do no harm.
inline constexpr double kHarmlessCorrelation = 0.05;

/// Differences of AICc (Burnham & Anderson 2002): models this far apart are as good as each other; this far,
/// one has considerably less support.
inline constexpr double kEqualSupport = 2.0;
inline constexpr double kLittleSupport = 4.0;

} // namespace quadric::model
