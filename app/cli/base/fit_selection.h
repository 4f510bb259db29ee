// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/command.h"
#include "core/model/process/process.h"

namespace quadric::app {

/// What `analyze`, `predict` and `optimize` let the user choose about the models.
struct FitSelection {
    std::string response;                ///< empty: all
    std::string model;                   ///< empty: the study's own choice
    std::vector<std::string> transforms; ///< "log" for all, "response=log" for one; empty: the responses' own
    std::string weights;                 ///< empty: the response's own
    std::vector<std::string> scales;     ///< "factor=log2" or "factor=linear"; empty: the study's own
    bool reduce = false;                 ///< leave terms out by AICc
    bool usesRecommended = false;        ///< the models that the runs recommend for all responses
    double confidence = 0.95;
    bool fitsConfirmation = false; ///< confirmation runs are fitted like others, instead of judging
};

/// Adds --response, --model, --transform, --weights, --scale, --reduce, --recommended-models and
/// --include-confirmation.
void addFitOptions(Command& command, FitSelection& selection);

/// The study with the selection put in its place, so that everything after it uses the same models. Throws
/// UsageError naming the option.
study::Study withSelection(study::Study study, const FitSelection& selection);

/// One fit per response of the selection, usable or not. Throws UsageError for a model that cannot be read.
std::vector<model::Fit> fitsOf(const study::Study& study, const FitSelection& selection);

/// The fits from which settings are recommended: Gaussian processes predict where the study or the selection
/// says so. Throws WorkError where the selection asks for processes and none is usable.
std::vector<model::Fit> decidingFitsOf(const study::Study& study, const std::vector<model::Fit>& fits,
                                       const FitSelection& selection);

/// A process for each response of the selection. Throws WorkError where none is usable; says on standard
/// error which are not.
std::vector<model::Process> processesOf(const study::Study& study, const FitSelection& selection);

/// The processes that predict in these fits.
std::vector<model::Process> processesBehind(const study::Study& study, const std::vector<model::Fit>& fits);

/// Says on standard error which responses have no usable model and why.
void reportUnusable(const std::vector<model::Fit>& fits);

} // namespace quadric::app
