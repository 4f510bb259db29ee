// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/report/finding.h"

namespace quadric::report {

/// The report card of a fit: the checks below in their order, runs that are left out, and the source of the
/// results. A fit that is not Ok gives one red finding.
std::vector<Finding> findInFit(const model::Fit& fit);

/// Those that are amber or red: what `analyze --json` lists as `warnings`.
std::vector<Finding> pickWarnings(std::vector<Finding> findings);

/// The same without those that follow from another one: of copied center points no lack of fit can be tested.
std::vector<Finding> pickCauses(std::vector<Finding> findings);

/// The same findings, those that are OK as one at the end: "8 checks passed: Fit, Prediction, …".
std::vector<Finding> foldPassed(std::vector<Finding> findings);

/// One thing that deserves a look before the models are relied upon.
struct Warning {
    std::vector<std::string> responses; ///< that it is about
    std::size_t fit = 0;                ///< place of the first of them
    Finding finding;                    ///< of the first
};

/// The causes for caution, each once for all responses. None while runs of the design are missing. That
/// results are simulated is said of the study, not here.
std::vector<Warning> findWarnings(const study::Study& study, const std::vector<model::Fit>& fits);

/// What is said of a drift with the run order.
Finding describeDrift(const std::string& response, double p);

/// p of a drift with the run order; empty where that cannot be tested, or from too few degrees of freedom.
std::optional<double> findDriftP(const model::Fit& fit);

/// Whether, and how far, a fit may be relied upon: the one verdict on it, wherever it is shown.
struct Verdict {
    Severity severity = Severity::Red; ///< that of `reason`
    Finding reason;
    std::string sentence; ///< "Good model. Predicted R² = 0.974 …"
};

/// The worst of what is found about prediction, degrees of freedom, significance, curvature at the center
/// points, lack of fit and copies; the first of several, and what is found about prediction when all are
/// green. A run far from all others is the reason of any verdict, and makes it fair at best
/// (docs/methods/residuals.md).
Verdict judgeFit(const model::Fit& fit);

/// "good", "fair", "poor".
std::string_view nameOf(const Verdict& verdict);

/// "The model of throughput is poor: Predicted R² = …", beside whatever is computed from it, or that a run is
/// far from all others; empty for any other.
std::string describePoorModel(const model::Fit& fit);

/// The checks of a fit that is Ok, each empty where nothing can be said of it.
std::optional<Finding> checkOutliers(const model::Fit& fit);
std::optional<Finding> checkDegreesOfFreedom(const model::Fit& fit);
std::optional<Finding> checkCopies(const model::Fit& fit);
/// Terms that the runs cannot separate from those in the model.
std::optional<Finding> checkAliases(const model::Fit& fit);
std::optional<Finding> checkCollinearity(const model::Fit& fit);
/// Whether the model explains the response at all.
std::optional<Finding> checkSignificance(const model::Fit& fit);
std::optional<Finding> checkPrediction(const model::Fit& fit);
std::optional<Finding> checkCenterCurvature(const model::Fit& fit);
std::optional<Finding> checkLackOfFit(const model::Fit& fit);
std::optional<Finding> checkDrift(const model::Fit& fit);
std::optional<Finding> checkEqualVariance(const model::Fit& fit);
/// Terms that are constant within each block.
std::optional<Finding> checkBlocks(const model::Fit& fit);

} // namespace quadric::report
