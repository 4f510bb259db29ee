// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::plan {

/// Settings with their reason where there are none.
struct FastestSettings {
    study::Settings settings;
    std::string message;
};

/// The settings that are given; the factors that are not, as the model predicts the fastest run: the largest
/// value of a speed, the smallest of a time (`isSpeed`).
FastestSettings findFastest(const study::Study& study, const model::Fit& fit, const study::Settings& given,
                            bool isSpeed);

} // namespace quadric::plan
