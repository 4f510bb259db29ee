// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/study_output.h"
#include "core/model/fit/model_candidates.h"
#include "core/model/predict/canonical.h"
#include "core/model/predict/curves.h"
#include "core/model/process/process.h"
#include "core/model/select/boxcox.h"
#include "core/model/select/cross_validation.h"
#include "core/model/select/recommendation.h"
#include "core/model/select/run_order_effects.h"
#include "core/plan/speed_up.h"
#include "core/report/findings/fit_findings.h"

namespace quadric::app {

/// What `analyze` is asked for beyond the fit.
struct FitReportOptions {
    int folds = 0; ///< of the cross-validation; 0: none
    std::uint64_t seed = 1;
    bool paths = false; ///< ridge analysis and steepest ascent
};

/// One response as `analyze` shows it: the fit and everything that is computed from it.
struct FitReport {
    model::Fit fit;
    std::optional<model::Canonical> canonical;
    std::vector<model::Interval> eigenvalueIntervals; ///< of `canonical`
    std::optional<model::BoxCox> boxCox;
    std::optional<model::CurvatureTest> curvature;
    model::ModelSummary orders;
    model::Recommendation recommendation;
    report::Verdict verdict;
    std::vector<report::Finding> findings; ///< the report card
    std::vector<std::string> anovaWords, coefficientWords;
    std::optional<model::CrossValidation> crossValidation;
    std::vector<model::LevelSummary> levels; ///< per factor
    std::optional<plan::SpeedUp> speedUp;    ///< of the response that tells it
    std::optional<model::Path> ridgeAscent, ridgeDescent, steepestAscent;
    std::shared_ptr<const model::Process> process; ///< where it is shown; null otherwise
    std::string processWords;                      ///< how the two compare
};

/// `fit` is usable; `scales` are recommended for its response.
FitReport reportOf(const study::Study& study, model::Fit fit, const model::Recommendation& scales,
                   const FitReportOptions& options);

/// One entry of `responses` in `analyze --json`.
Json reportJson(const FitReport& report);

/// The same as tables and sentences.
void printReport(const FitReport& report);

} // namespace quadric::app
