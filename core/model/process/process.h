// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"
#include "core/model/process/kriging.h"

namespace quadric::model {

struct ProcessOptions {
    double confidence = 0.95;
    int starts = 3; ///< points from which the likelihood is climbed
    /// Default: the response's own; where it has none, the better one of none and the logarithm at settings
    /// left out.
    std::optional<study::Transform> transform = {};
    std::optional<Order> mean = {}; ///< Mean, Linear or Quadratic; default: the best at settings left out
};

/// How well a model predicts runs at settings that it has not seen: each run by the runs at other settings.
struct LeaveSettingOut {
    double error = 0.0;    ///< root mean square, response's own unit
    double relative = 0.0; ///< over the mean of the response's magnitude
    double logScore = 0.0; ///< log density of the values
    double spread = 1.0;   ///< mean square of the errors over what they were expected to be
    int settings = 0;
};

/// The surface at a point on the model's scale, without noise.
struct SurfaceValue {
    double mean = 0.0, deviation = 0.0;
};

/// A Gaussian process fitted to one response: mean by generalized least squares, surface with Matérn 5/2
/// correlation (kriging.h), noise.
class Process : public Predictor {
public:
    FitStatus status = FitStatus::NoData;
    std::string message; ///< what is missing, when status is not Ok
    std::string response, unit;
    study::Transform transform;
    std::vector<study::Factor> factors;
    Order mean = Order::Mean;                     ///< of the polynomial under the surface
    std::vector<std::pair<double, double>> reach; ///< per factor: smallest and largest coded setting
    std::vector<std::vector<bool>> seen;          ///< per categorical factor: which levels the runs have
    int n = 0;
    double confidence = 0.95;
    double smallestObserved = 0.0, largestObserved = 0.0; ///< response's own unit
    double sigma = 0.0;               ///< standard deviation of a single run about the surface, model's scale
    std::vector<double> lengthScales; ///< per factor, coded units; categorical: correlation between levels
    LeaveSettingOut leftOut;
    std::vector<int> runs; ///< ids of the fitted ones
    /// Of each: what all runs at other settings predict, and the standard deviation of its result about that;
    /// model's scale.
    Eigen::VectorXd leftOutMean, leftOutDeviation;

    bool isOk() const { return status == FitStatus::Ok; }
    int df() const { return m_kriging->df(); }

    /// On the model's scale: the surface's mean and its standard deviation, without noise. That of the
    /// parameters is in it (to second order around the likeliest).
    double meanAt(const Eigen::VectorXd& x) const override;
    double deviationAt(const Eigen::VectorXd& x) const { return surfaceAt(x).deviation; }
    SurfaceValue surfaceAt(const Eigen::VectorXd& x) const;

    /// In the response's own unit; intervals by Student's t with n − p degrees of freedom.
    Prediction predict(const study::CodedPoint& point, int futureRuns = 1,
                       std::optional<double> asked = {}) const override;
    NewRun predictNewRuns(const study::CodedPoint& point, int futureRuns = 1) const override;
    bool isOutside(const Eigen::VectorXd& x) const override;
    double predictMean(const study::CodedPoint& point) const;
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
    Eigen::MatrixXd m_steps;       ///< parameterSteps()
    std::vector<Kriging> m_around; ///< solutions a step up and a step down each
    std::vector<Column> m_columns; ///< of the mean, intercept first
    Eigen::Index m_blockColumns = 0;
};

/// Fits the runs that a polynomial would be fitted to (collect()).
Process fitProcess(const study::Study& study, std::string_view response, const ProcessOptions& options = {});

/// One for each response; those without a usable process are in the list with their status.
std::vector<Process> fitProcesses(const study::Study& study, const ProcessOptions& options = {});

/// The same measure for a polynomial as it is: its terms are taken as given.
std::optional<LeaveSettingOut> leaveSettingOut(const Fit& fit);

} // namespace quadric::model
