// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::report {

/// The model in actual units on one line that R or a spreadsheet computes: `throughput = exp(3.2 + 0.51 *
/// log2(gpus) + 0.12 * (precision == "bf16"))`, a comparison counting 1 where it is true, otherwise 0; first
/// levels have none. Names that are more than letters, digits, _ and . stand between backticks. Coefficients
/// have as many digits as keep every prediction in the region of the runs within a thousandth of the half
/// width of the 95 % interval of a new run (without an error estimate within 10⁻⁶ of its size), on the scale
/// of the transform. Empty without a usable fit.
std::string writeEquation(const model::Fit& fit);

/// How the line is to be read: units, scales, transform and digits.
std::string describeEquation(const model::Fit& fit);

/// The scales of a model, of the factors that it contains, and its size in one line: "log · gpu_count,
/// batch_per_gpu on log₂ · 7 terms", the intercept not counted; of a fit that is not Ok its message.
std::string describeModel(const model::Fit& fit);

} // namespace quadric::report
