// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/finding.h"

/// What is found about a fitted model.
namespace quadric::report::catalogue {

inline constexpr Entry kNoModel{"no-model", Severity::Red, "Model", "{message}",
                                "Add runs, or choose a smaller model or another transform."};

// Runs
inline constexpr Entry kSimulated{"simulated", Severity::Amber, "Source",
                                  "The results are simulated, not measured.",
                                  "Confirm on real hardware before deciding."};
inline constexpr Entry kFailedRuns{"failed-runs-left-out", Severity::Amber, "Failed runs",
                                   "{Runs} failed and {is|are} not part of the fit.",
                                   "Check why: failures at one end of a factor may limit its range."};
inline constexpr Entry kExcludedRuns{"excluded-runs-left-out", Severity::Amber, "Excluded runs",
                                     "{Runs} {is|are} excluded by hand.",
                                     "Check that the reason for excluding {it|each} still applies."};
inline constexpr Entry kMissingResults{"missing-results", Severity::Amber, "Missing results",
                                       "{Runs} {has|have} no usable result of {response}.",
                                       "Check the log of {runs} and measure {it|them} again."};
inline constexpr Entry kValuesAtBound{
    "values-at-bound", Severity::Amber, "Values at a bound",
    "{Runs} {has|have} {response} exactly at a bound and {counts|count} as {inset} inside of it, half of the "
    "smallest distance of the others.",
    "Check whether {it is|they are} measured that exactly: a run at a bound weighs heavily in the model."};

// Degrees of freedom and terms
inline constexpr Entry kResidualDf{"residual-df", Severity::Green, "Degrees of freedom",
                                   "{n} for {p} leave {df} of freedom for error."};
inline constexpr Entry kFewResidualDf{
    "few-residual-df", Severity::Amber, "Degrees of freedom",
    "{n} for {p} leave only {df} of freedom for error: intervals are wide and uncertain.",
    "Add runs or choose a smaller model."};
inline constexpr Entry kNoResidualDf{
    "few-residual-df", Severity::Red, "Degrees of freedom",
    "{n} for {p} leave no degrees of freedom for error: no intervals and no tests.",
    "Replicate the center point, add runs, or choose a smaller model."};
inline constexpr Entry kAliasedTerms{
    "aliased-terms", Severity::Amber, "Collinearity",
    "Aliased with other terms and therefore not in the model: {terms}.",
    "Augment the design to separate them, or read each estimate as the sum of both."};
inline constexpr Entry kCollinearTerms{
    "collinear-terms", Severity::Amber, "Collinearity",
    "These terms change together in the runs (VIF above {limit}), so their coefficients are uncertain: "
    "{terms}.",
    "Add runs that change one term without the other; until then predict only near the runs."};

// Significance
inline constexpr Entry kConstantResponse{
    "constant-response", Severity::Red, "Fit", "The response is the same in every run.",
    "Check that the response is really measured, or vary the factors more."};
inline constexpr Entry kNoResidualError{
    "no-residual-error", Severity::Amber, "Fit",
    "The model reproduces every run exactly, so the error cannot be estimated.",
    "Check the source of the results: values from a formula and copies look like this."};
inline constexpr Entry kSignificantModel{
    "significant-model", Severity::Green, "Fit",
    "The model{chosen} is significant ({p}{after}) and explains {r2} of the variation between the runs."};
inline constexpr Entry kNoSignificantModel{
    "no-significant-model", Severity::Red, "Fit",
    "The model{chosen} is not significant ({p}{after}): these runs show no effect of the factors beyond "
    "chance.",
    "Widen the factor ranges, replicate runs, or look for an uncontrolled influence."};
inline constexpr std::string_view kChosenModel = ", chosen by these data,";
inline constexpr std::string_view kAfterChoice = " after the choice of terms";

// Prediction
inline constexpr std::string_view kLeaveOneOut = "leave-one-out";
inline constexpr std::string_view kLeaveOneOutOfChoice = "leave-one-out, terms chosen by these data";
inline constexpr std::string_view kErrorLeftOut =
    ", with an error of {error} for settings left out ({share} of the range of the results)";
inline constexpr Entry kPredictsWell{
    "prediction", Severity::Green, "Prediction",
    "Predicted R² = {predicted} ({basis}): new runs are predicted well{error}."};
inline constexpr Entry kPredictsFairly{
    "fair-prediction", Severity::Amber, "Prediction",
    "Predicted R² = {predicted} ({basis}): new runs are predicted fairly{error}.",
    "Add runs, and confirm the setting that you choose."};
inline constexpr Entry kPredictsPoorly{
    "low-predicted-r2", Severity::Red, "Prediction",
    "Predicted R² = {predicted} ({basis}): new runs are predicted poorly{error}.",
    "Add runs, or look for an uncontrolled influence."};
inline constexpr Entry kWorseThanMean{
    "poor-prediction", Severity::Red, "Prediction",
    "Predicted R² is negative: the mean of the runs predicts new runs better than the model.",
    "Add runs or choose a smaller model."};
inline constexpr Entry kLeveragedPrediction{
    "poor-prediction", Severity::Amber, "Prediction",
    "How well new runs are predicted is not known: {n} for {p} are so few (mean leverage {leverage}) that "
    "leaving one out loses part of the model.",
    "Judge the model by confirmation runs, or add runs."};
inline constexpr Entry kUndefinedPrediction{"press-undefined", Severity::Amber, "Prediction",
                                            "Predicted R² is not defined, so prediction cannot be judged: at "
                                            "least one run alone decides a coefficient (leverage 1).",
                                            "Replicate the runs of leverage 1 or choose a smaller model."};

// Curvature and lack of fit
inline constexpr Entry kCurvature{
    "curvature", Severity::Red, "Curvature",
    "Curvature is significant ({p}): the center points differ from what a first-order model predicts by "
    "{share} of the range of the results.",
    "Add axial runs and fit a quadratic model."};
inline constexpr Entry kNoCurvature{"no-curvature", Severity::Green, "Curvature",
                                    "No significant curvature at the center points ({p})."};
inline constexpr Entry kLackOfFit{
    "lack-of-fit", Severity::Amber, "Lack of fit",
    "Significant lack of fit ({p}; {df} of pure error): the model misses the runs by more than replicates "
    "differ{error}.",
    "Try a higher order, and check the runs with large residuals."};
inline constexpr std::string_view kErrorOfRange =
    "; the error for settings left out is {share} of the range of the results";
inline constexpr Entry kNoLackOfFit{"no-lack-of-fit", Severity::Green, "Lack of fit",
                                    "No significant lack of fit ({p}; {df} of pure error)."};
inline constexpr Entry kNoReplicates{"no-replicates", Severity::Amber, "Lack of fit",
                                     "No replicates{blocks}: lack of fit cannot be tested.",
                                     "Replicate the center point a few times{blocks}."};
inline constexpr std::string_view kWithinBlocks = " within a block";
inline constexpr Entry kEqualReplicates{
    "zero-pure-error", Severity::Amber, "Lack of fit",
    "All replicates have identical results, so the pure error is zero and lack of fit cannot be tested.",
    "Check whether the results were copied or made with one random seed, and measure the replicates again."};

// Residuals
inline constexpr Entry kOutliers{
    "outliers", Severity::Red, "Outliers", "Outlier{|s}: {runs} (beyond Bonferroni's limit).",
    "Check the log{|s} of {runs} and repeat {it|them} before excluding {it|any}."};
inline constexpr Entry kFarOutlierRun{
    "outliers", Severity::Red, "Outliers",
    "{Runs} is far from all others: without it R² is {r2 without} instead of {r2}, and the residual standard "
    "deviation {sigma without} instead of {sigma}.",
    "Check the log of {runs} and repeat it before excluding it."};
inline constexpr Entry kNoOutliers{"no-outliers", Severity::Green, "Outliers",
                                   "No run is beyond Bonferroni's limit."};
inline constexpr Entry kDrift{
    "drift", Severity::Red, "Drift", "{response} drifts with the run order ({p}).",
    "Look for what warmed up, filled up or was shared meanwhile; run again in random order or in blocks."};
inline constexpr Entry kNoDrift{"no-drift", Severity::Green, "Drift",
                                "No significant drift with the run order ({p})."};
inline constexpr Entry kUnequalVariance{
    "unequal-variance", Severity::Amber, "Equal variance",
    "The residuals scatter more at {much} {response} (Breusch–Pagan {p}): intervals are too narrow there and "
    "too wide at {little} {response}.",
    "Replicate runs at {much} {response}."};
inline constexpr Entry kUnseenScatter{"unequal-variance", Severity::Amber, "Equal variance",
                                      "{response} spans a factor of {factor} on its own scale: where the "
                                      "scatter grows with it, intervals are too narrow at high {response}.",
                                      "Take the logarithm, or replicate runs at both ends."};
inline constexpr Entry kEqualVariance{
    "equal-variance", Severity::Green, "Equal variance",
    "No significant change of the scatter with {response} (Breusch–Pagan {p})."};

// The verdict, by the severity of the finding that decides it
inline constexpr std::string_view kVerdicts[] = {"Good model. {finding}", "Fair model. {finding}",
                                                 "Poor model. {finding}"};
inline constexpr std::string_view kNoModelVerdict = "No model. {finding}";

inline constexpr Entry kPassed{"passed", Severity::Green, "Passed", "{n} passed: {topics}."};

} // namespace quadric::report::catalogue
