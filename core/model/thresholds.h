// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::model {

/// What warnings, sentences and the report card judge by.
inline constexpr double kSignificance = 0.05;
/// With fewer residual degrees of freedom than this the error is hardly known.
inline constexpr int kFewResidualDf = 3;
/// How far R² may lie above the predicted R².
inline constexpr double kLargestR2Gap = 0.2;
/// Variance inflation above which terms count as changing together.
inline constexpr double kLargestVif = 10.0;

} // namespace quadric::model
