// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/study_output.h"
#include "core/model/fit/model_candidates.h"
#include "core/model/predict/canonical.h"
#include "core/model/predict/curves.h"
#include "core/model/select/boxcox.h"
#include "core/model/select/center_runs.h"
#include "core/model/select/cross_validation.h"
#include "core/plan/speed_up.h"
#include "core/report/findings/fit_findings.h"

namespace quadric::app {

/// What `analyze` is asked for beyond the fit.
struct FitReportOptions {
    int folds = 0; ///< of the cross-validation; 0: none
    std::uint64_t seed = 1;
    bool paths = false;  ///< stationary point, ridge analysis and steepest ascent
    bool isFull = false; ///< print every table, not only what decides
};

/// One response as `analyze` shows it: the fit and everything that is computed from it.
struct FitReport {
    model::Fit fit;
    std::optional<model::Canonical> canonical;
    std::vector<model::Interval> eigenvalueIntervals; ///< of `canonical`
    std::optional<model::BoxCox> boxCox;
    std::optional<model::CurvatureTest> curvature;
    std::vector<model::OrderSummary> orders;
    report::Verdict verdict;
    std::vector<report::Finding> findings; ///< the report card
    std::vector<std::string> anovaWords, coefficientWords;
    std::optional<model::CrossValidation> crossValidation;
    std::vector<model::LevelSummary> levels; ///< per factor
    std::optional<plan::SpeedUp> speedUp;    ///< of the response that tells it
    std::optional<model::Path> ridgeAscent, ridgeDescent, steepestAscent;
};

/// `fit` is usable.
FitReport reportOf(const study::Study& study, model::Fit fit, const FitReportOptions& options);

/// One entry of `responses` in `analyze --json`.
Json reportJson(const FitReport& report);

/// What a person has to know of it: verdict, what is not in order, significant effects, coefficients and
/// equation; what else was asked for. With `isFull` every table and sentence, and how the terms were chosen.
void printReport(const FitReport& report, const FitReportOptions& options);

} // namespace quadric::app
