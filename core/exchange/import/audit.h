// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/import/claims.h"

namespace quadric::exchange {

enum class Verdict { Agrees, Differs, CannotTell };

/// One claim beside what the runs of the study say.
struct AuditItem {
    Verdict verdict = Verdict::CannotTell;
    std::string claim;
    std::string data;
};

/// Holds claims against the study's runs, each result taken with its own settings:
/// - R² and adjusted R² against the same model fitted here; a negative adjusted R² is no fit at all;
/// - coefficients against those fitted here; where the claimed mean is the mean of the results and the slopes
///   differ, the results were joined to other rows;
/// - values at a setting against the runs with that setting, or against the prediction interval of the
///   quadratic model;
/// - weak or strong scaling against which batch is held: constant work for each rank is weak scaling.
/// A number agrees when it is the same to the digits that were printed (a relative 0.5 %).
std::vector<AuditItem> audit(const study::Study& study, const Claims& claims);

std::string_view nameOf(Verdict verdict);

} // namespace quadric::exchange
