// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/report/table.h"

#include <vector>

/// The models of several responses side by side. Fits that are not usable (Fit::isOk()) are left out.

namespace quadric::report {

/// A row for each response: terms, degrees of freedom, R² and its kin, RMSE, p of the lack of fit.
Table makeJointFitTable(const std::vector<model::Fit>& fits);

/// A row for each term of any model in the order in which models name them, an estimate in coded units and
/// its p for each response.
Table makeJointCoefficientTable(const std::vector<model::Fit>& fits);

/// How the residuals of each two responses go together over the runs that both have; no rows with fewer than
/// two models.
Table makeResidualCorrelationTable(const std::vector<model::Fit>& fits);

} // namespace quadric::report
