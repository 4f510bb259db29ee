// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/report/finding.h"

namespace quadric::report {

/// The report card of a fit: outliers, degrees of freedom, runs left out, copies, terms, significance,
/// prediction, curvature at the center points, lack of fit, drift, equal variance, transform, blocks,
/// impossible predictions and source, in this order, each where the fit can say something about it. A fit
/// that is not Ok gives one red finding.
std::vector<Finding> findInFit(const model::Fit& fit);

/// Those that are amber or red: what `analyze --json` lists as `warnings`.
std::vector<Finding> pickWarnings(std::vector<Finding> findings);

/// The same without those that follow from another one: of copied center points no lack of fit can be tested.
std::vector<Finding> pickCauses(std::vector<Finding> findings);

/// The same findings, those that are OK as one at the end: "8 checks passed: Fit, Prediction, …".
std::vector<Finding> foldPassed(std::vector<Finding> findings);

/// The warnings of a fit. Empty for a fit that is not Ok.
std::vector<Finding> warningsOf(const model::Fit& fit);

/// One thing that deserves a look before the models are relied upon.
struct Warning {
    std::vector<std::string> responses; ///< that it is about
    std::size_t fit = 0;                ///< place of the first of them
    Finding finding;                    ///< of the first
};

/// The causes for caution, each once for all responses. None while runs of the design are missing. That
/// results are simulated is said of the study, not here.
std::vector<Warning> findWarnings(const study::Study& study, const std::vector<model::Fit>& fits);

/// What is said of lack of fit; empty where there is no error to judge it by.
std::optional<Finding> lackOfFitFinding(const model::Fit& fit);

/// Whether the model explains the response at all; empty where neither test nor exact fit can tell.
std::optional<Finding> significanceFinding(const model::Fit& fit);

/// p of a drift with the run order; empty where that cannot be tested, or from too few degrees of freedom.
std::optional<double> findDriftP(const model::Fit& fit);

/// What is said of it; empty likewise.
std::optional<Finding> driftFinding(const model::Fit& fit);

/// Terms that the runs cannot separate from those in the model; empty without any.
std::optional<Finding> aliasFinding(const model::Fit& fit);

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

using Findings = std::vector<Finding>;

/// Each adds what it finds in a fit that is Ok, or nothing where the fit has nothing to say about it.
void addDegreesOfFreedom(const model::Fit& fit, Findings& findings);
void addTerms(const model::Fit& fit, Findings& findings);
void addSignificance(const model::Fit& fit, Findings& findings);
void addPrediction(const model::Fit& fit, Findings& findings);
void addCenterCurvature(const model::Fit& fit, Findings& findings);
void addLackOfFit(const model::Fit& fit, Findings& findings);
void addOutliers(const model::Fit& fit, Findings& findings);
void addDrift(const model::Fit& fit, Findings& findings);
void addEqualVariance(const model::Fit& fit, Findings& findings);
void addTransform(const model::Fit& fit, Findings& findings);
void addImpossiblePredictions(const model::Fit& fit, Findings& findings);
void addBlocks(const model::Fit& fit, Findings& findings);

} // namespace quadric::report
