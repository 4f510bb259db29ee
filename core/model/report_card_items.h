// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/report_card.h"

namespace quadric::model {

using Card = std::vector<ReportCardItem>;

/// Below the first a finding is amber, below the second red.
constexpr double kSuspicious = 0.05;
constexpr double kCertain = 0.01;

Verdict verdictOf(double p);

/// Each adds its line, or none where the fit has nothing to say about it. The fit is Ok.
void addRuns(const Fit& fit, Card& card);
void addLeftOut(const Fit& fit, Card& card);
void addTerms(const Fit& fit, Card& card);
void addFit(const Fit& fit, Card& card);
void addPrediction(const Fit& fit, Card& card);
void addCurvature(const Fit& fit, Card& card);
void addLackOfFit(const Fit& fit, Card& card);
void addOutliers(const Fit& fit, Card& card);
void addDrift(const Fit& fit, Card& card);
void addNormality(const Fit& fit, Card& card);
void addScales(const Fit& fit, Card& card);
void addExtrapolation(const Fit& fit, Card& card);

} // namespace quadric::model
