// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/new_run.h"
#include "core/model/predict/predict.h"

namespace quadric::model {

/// A model of another kind that stands in place of a fit's polynomial: predict(), predictMean(),
/// predictNewRun() and all that is drawn or searched by them ask it. Values of the model are on the scale of
/// the fit's transform.
class Predictor {
public:
    virtual ~Predictor() = default;

    /// The mean at a coded point, on the model's scale.
    virtual double meanAt(const Eigen::VectorXd& x) const = 0;
    virtual Prediction predict(const study::CodedPoint& point, int futureRuns,
                               std::optional<double> confidence) const = 0;
    /// The mean of so many new runs.
    virtual NewRun predictNewRuns(const study::CodedPoint& point, int futureRuns) const = 0;
    /// No run supports a prediction there.
    virtual bool isOutside(const Eigen::VectorXd& x) const = 0;

protected:
    Predictor() = default;
    Predictor(const Predictor&) = default;
    Predictor(Predictor&&) = default;
    Predictor& operator=(const Predictor&) = default;
    Predictor& operator=(Predictor&&) = default;
};

} // namespace quadric::model
