// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"
#include "core/model/process/kriging.h"

namespace quadric::model {

struct ProcessOptions {
    int starts = 3; ///< points from which the likelihood is climbed
    /// Default: the response's own; where it has none, the better one of none and the logarithm at settings
    /// left out.
    std::optional<study::Transform> transform = {};
};

/// The surface at a point on the model's scale, without noise.
struct SurfaceValue {
    double mean = 0.0, deviation = 0.0;
};

/// A Gaussian process fitted to one response: mean by generalized least squares, surface with Matérn 5/2
/// correlation (kriging.h), noise.
class Process {
public:
    FitStatus status = FitStatus::NoData;
    std::string message; ///< what is missing, when status is not Ok
    std::string response;
    study::Transform transform;
    std::vector<study::Factor> factors;
    double smallestObserved = 0.0, largestObserved = 0.0; ///< response's own unit
    double sigma = 0.0; ///< standard deviation of a single run about the surface, model's scale

    bool isOk() const { return status == FitStatus::Ok; }

    /// On the model's scale: the surface's mean and its standard deviation, without noise. That of the
    /// parameters is in it (to second order around the likeliest).
    double meanAt(const Eigen::VectorXd& x) const;
    SurfaceValue surfaceAt(const Eigen::VectorXd& x) const;

    /// In the response's own unit. The interval contains one new run, by Student's t with n − p degrees of
    /// freedom.
    double predictMean(const study::CodedPoint& point) const;
    Interval predictNewRun(const study::CodedPoint& point, double confidence = 0.95) const;
    double toResponseUnit(double z) const;

    /// The process after one more run at x whose result is what it predicts: only the uncertainty falls.
    Process withRun(const Eigen::VectorXd& x) const;

private:
    friend Process fitProcess(const study::Study& study, std::string_view response,
                              const ProcessOptions& options);
    friend class ProcessChooser;
    Eigen::VectorXd trendAt(const Eigen::VectorXd& x) const;
    void solveAround();

    KrigingData m_data;
    std::optional<Kriging> m_kriging;
    double m_spread = 1.0; ///< mean square of errors at settings left out over what was expected, at least 1
    Eigen::MatrixXd m_steps;       ///< parameterSteps()
    std::vector<Kriging> m_around; ///< solutions a step up and a step down each
    std::vector<Column> m_columns; ///< of the mean, intercept first
    Eigen::Index m_blockColumns = 0;
};

/// Fits the runs that a polynomial would be fitted to (collect()).
Process fitProcess(const study::Study& study, std::string_view response, const ProcessOptions& options = {});

/// One for each response; those without a usable process are in the list with their status.
std::vector<Process> fitProcesses(const study::Study& study, const ProcessOptions& options = {});

} // namespace quadric::model
