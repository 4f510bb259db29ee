// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/outliers.h"

#include "core/model/base/distributions.h"
#include "core/model/base/thresholds.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

/// The internally studentized residual of a run whose externally studentized one is t.
double toInternal(double t, double dfResidual)
{
    return t * std::sqrt(dfResidual / (dfResidual - 1 + t * t));
}

} // namespace

std::optional<OutlierTest> testOutliers(const Fit& fit)
{
    if (fit.dfResidual < 2 || std::ranges::none_of(fit.diagnostics, [](const Diagnostic& row) {
            return row.externallyStudentized.has_value();
        }))
        return std::nullopt;
    const double limit = tLimit(kSignificance / fit.n, fit.dfResidual - 1);
    OutlierTest test{.ofOneRun = toInternal(tLimit(kSignificance, fit.dfResidual - 1), fit.dfResidual),
                     .ofAllRuns = toInternal(limit, fit.dfResidual),
                     .outliers = {}};
    for (const Diagnostic& row : fit.diagnostics)
        if (row.externallyStudentized && std::abs(*row.externallyStudentized) > limit)
            test.outliers.push_back(row.run);
    return test;
}

} // namespace quadric::model
