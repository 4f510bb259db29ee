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

/// A test of lack of fit says something where it finds a mean square of kSeenLackOfFit times the pure error
/// at least this often; that takes about 4 degrees of freedom of pure error, what Stat-Ease asks of a
/// design.
inline constexpr double kSeenLackOfFit = 5.0;
inline constexpr double kTellingPower = 0.4;

/// Mean leverage from which on leaving a run out says more of the design than of new runs: a Box–Behnken
/// design of 15 runs has 0.67.
inline constexpr double kHighMeanLeverage = 0.6;

/// Predicted R² from where on new runs are predicted well; below kPoorPrediction the model explains less than
/// half of their variation.
inline constexpr double kGoodPrediction = 0.8;
inline constexpr double kPoorPrediction = 0.5;

/// How far R² may be above the predicted R² (Stat-Ease: "reasonable agreement").
inline constexpr double kLargestR2Gap = 0.2;

/// Range of the predictions over their average error below which they differ by little more than their error
/// (Myers, Montgomery & Anderson-Cook, chapter 2: 4). Noise alone is often above: it proves nothing.
inline constexpr double kAdequatePrecision = 4.0;

/// Variance inflation above which terms are collinear (Montgomery, Peck & Vining: 10).
inline constexpr double kLargestVif = 10.0;

/// Cook's distance above which a run decides much of the fit (Cook & Weisberg 1982: 1).
inline constexpr double kLargestCook = 1.0;

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
/// one has next to no support.
inline constexpr double kEqualSupport = 2.0;
inline constexpr double kNoSupport = 10.0;

} // namespace quadric::model
