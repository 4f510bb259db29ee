// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::exchange {

/// A program that holds the runs of the study, codes the factors, fits every usable model again, prints its
/// summary and stops with an error where a coefficient differs from the one here by more than 1e-8 of the
/// largest. It needs nothing but the language: no files, no network; texts of the study are quoted.
/// R: base R, with lm(). Python: numpy and statsmodels, with OLS.
std::string rScript(const study::Study& study, const std::vector<model::Fit>& fits);
std::string pythonScript(const study::Study& study, const std::vector<model::Fit>& fits);

} // namespace quadric::exchange
