// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/select/recommendation.h"
#include "core/report/finding.h"

namespace quadric::report {

/// The report card of a fit: degrees of freedom, runs left out, copies, terms, significance, prediction,
/// curvature, lack of fit, outliers, influence, drift, independence, equal variance, normality, transform,
/// weights, blocks, extrapolation and source, in this order, each where the fit can say something about it. A
/// fit that is not Ok gives one red finding. Searches for better scales and predicts at every corner of the
/// region: costs some milliseconds.
std::vector<Finding> findInFit(const model::Fit& fit);

/// The same with the scales that are recommended for all responses together (model::recommendTogether()).
std::vector<Finding> findInModel(const model::Fit& fit, const model::Recommendation& scales);

/// Those among the findings of findInFit() that `analyze --json` lists as `warnings`, in its order.
std::vector<Finding> pickWarnings(std::vector<Finding> findings);

/// The warnings among them but for `other-scales`, so that it is cheap. Empty for a fit that is not Ok.
std::vector<Finding> warningsOf(const model::Fit& fit);

struct ResponseFinding {
    std::string response;
    Finding finding;
};

/// Everything that deserves a look before the models are relied upon, by response; entry i of `scales`
/// belongs to fit i, and an empty list means that nothing is recommended. That results are simulated is said
/// of the study, not here.
std::vector<ResponseFinding> findWarnings(const std::vector<model::Fit>& fits,
                                          const std::vector<model::Recommendation>& scales);

/// What is said of lack of fit; empty where there is no error to judge it by.
std::optional<Finding> lackOfFitFinding(const model::Fit& fit);

/// Whether the model explains the response at all; empty where neither test nor exact fit can tell.
std::optional<Finding> significanceFinding(const model::Fit& fit);

/// Whether the results drift with the run order; empty where that cannot be tested.
std::optional<Finding> driftFinding(const model::Fit& fit);

/// Terms that the runs cannot separate from those in the model; empty without any.
std::optional<Finding> aliasFinding(const model::Fit& fit);

/// How much results vary inside runs, between runs and between blocks; empty where the runs tell only one of
/// these.
std::optional<Finding> varianceFinding(const model::Fit& fit);

/// Whether, and how far, a fit may be relied upon: the one verdict on it, wherever it is shown.
struct Verdict {
    Severity severity = Severity::Red; ///< that of `reason`
    Finding reason;
    std::string sentence; ///< "Good model. Predicted R² = 0.974 …"
};

/// The worst of what is found about degrees of freedom, copies, significance, prediction, precision,
/// curvature at the center points and lack of fit; the first of several, and what is found about prediction
/// when all are green (docs/methods.md).
Verdict judgeFit(const model::Fit& fit);

/// "good", "fair", "poor".
std::string_view nameOf(const Verdict& verdict);

/// "The model of throughput is poor: Predicted R² = …", beside whatever is computed from it; empty for any
/// other.
std::string describePoorModel(const model::Fit& fit);

using Findings = std::vector<Finding>;

/// Each adds what it finds in a fit that is Ok, or nothing where the fit has nothing to say about it.
void addDegreesOfFreedom(const model::Fit& fit, Findings& findings);
void addRunsLeftOut(const model::Fit& fit, Findings& findings);
void addCopies(const model::Fit& fit, Findings& findings);
void addTerms(const model::Fit& fit, Findings& findings);
void addUntestable(const model::Fit& fit, Findings& findings);
void addSignificance(const model::Fit& fit, Findings& findings);
void addPrediction(const model::Fit& fit, Findings& findings);
void addPrecision(const model::Fit& fit, Findings& findings);
void addModeledCurvature(const model::Fit& fit, Findings& findings);
void addCenterCurvature(const model::Fit& fit, Findings& findings);
void addLackOfFit(const model::Fit& fit, Findings& findings);
void addOutliers(const model::Fit& fit, Findings& findings);
void addInfluence(const model::Fit& fit, Findings& findings);
void addDrift(const model::Fit& fit, Findings& findings);
void addIndependence(const model::Fit& fit, Findings& findings);
void addEqualVariance(const model::Fit& fit, Findings& findings);
void addNormality(const model::Fit& fit, Findings& findings);
void addScales(const model::Fit& fit, const model::Recommendation& recommendation, Findings& findings);
void addExtrapolation(const model::Fit& fit, Findings& findings);
void addWeights(const model::Fit& fit, Findings& findings);
void addBlocks(const model::Fit& fit, Findings& findings);
void addSource(const model::Fit& fit, Findings& findings);

} // namespace quadric::report
