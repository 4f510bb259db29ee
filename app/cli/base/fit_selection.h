// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/command.h"
#include "core/model/fit/fit.h"

namespace quadric::app {

/// Which responses a command looks at, and how sure it is to be.
struct FitSelection {
    std::string response; ///< empty: all
    double confidence = 0.95;
};

/// Adds --response.
void addFitOptions(Command& command, FitSelection& selection);

/// The study as it is analyzed (model::withChosenModels()), so that everything after it uses the same models.
/// Throws UsageError naming the option.
study::Study withSelection(const study::Study& study, const FitSelection& selection);

/// The same of the study in a file.
study::Study readAnalyzedStudy(const std::string& path, const FitSelection& selection);

/// A model that the user chooses by hand: `analyze` tries it, and `analyze --keep` makes it the study's.
struct HandChoice {
    std::string model;                   ///< empty: as it is
    std::vector<std::string> transforms; ///< "log" for all, "response=log" for one
    std::vector<std::string> scales;     ///< "factor=log2" or "factor=linear"
    bool keeps = false;
};

/// Adds --model, --transform, --scale and --keep.
void addHandChoiceOptions(Command& command, HandChoice& choice);

/// The study with the choice in place of what would be chosen, for the response of the selection or for all.
/// Throws UsageError naming the option.
study::Study withHandChoice(study::Study study, const HandChoice& choice, const FitSelection& selection);

/// One fit per response of the selection, usable or not. Throws UsageError for a model that cannot be read.
std::vector<model::Fit> fitsOf(const study::Study& study, const FitSelection& selection);

/// Says on standard error which responses have no usable model and why.
void reportUnusable(const std::vector<model::Fit>& fits);

} // namespace quadric::app
