// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/new_run.h"

#include "core/model/base/distributions.h"
#include "core/model/fit/prediction_error.h"
#include "core/model/fit/random_blocks.h"
#include "core/model/predict/predictor.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

double NewRun::probabilityBelow(double z) const
{
    if (!(scale > 0.0) || std::isinf(z))
        return z > location ? 1.0 : z < location ? 0.0 : 0.5;
    const double t = (z - location) / scale;
    const double outside = tProbability(t, df);
    return t < 0.0 ? outside / 2.0 : 1.0 - outside / 2.0;
}

double NewRun::quantile(double p) const
{
    const double t = tLimit(2.0 * std::min(p, 1.0 - p), df);
    return location + (p < 0.5 ? -t : t) * scale;
}

NewRun predictNewRun(const Fit& fit, const study::CodedPoint& point)
{
    if (fit.predictor)
        return fit.predictor->predictNewRuns(point, 1);
    const double leverage = PredictionError(fit).varianceFactorAt(point);
    const NewRunError error = computeNewRunError(fit, leverage, 1);
    return {predictOnModelScale(fit, point), std::sqrt(error.variance), error.df};
}

} // namespace quadric::model
