// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/findings/fit_findings.h"

namespace quadric::report {

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

/// What a fit that is not Ok lacks.
Finding findMissingModel(const model::Fit& fit);

} // namespace quadric::report
