// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/optimize/confirmation.h"
#include "core/optimize/merit/optimum.h"
#include "core/report/finding.h"

namespace quadric::report {

/// What the program can do about a finding.
enum class Remedy {
    None,
    ShowRuns, ///< those of the finding
    AddRuns,  ///< to the design
};

Remedy findRemedy(const Finding& finding);

/// What to do next, the most urgent first: runs that are left, what the findings of the worst severity advise
/// (each advice once, at most `most` of them), a confirmation that is missing or refuted. Never empty.
std::vector<std::string> findNextSteps(const study::Study& study, const std::vector<model::Fit>& fits,
                                       const optimize::Optimum& best,
                                       const std::vector<optimize::Confirmation>& confirmations,
                                       std::size_t most = 3);

/// What speaks for relying on the models: verdicts that are good.
std::vector<std::string> findEvidence(const std::vector<model::Fit>& fits);

/// What speaks against it: verdicts that are not good, warnings (each once, with all responses that it is
/// about), failed, disturbed and missing runs.
std::vector<std::string> findCautions(const study::Study& study, const std::vector<model::Fit>& fits);

/// What is said where the best setting is an extrapolation.
std::string extrapolationCaution();

/// What is known of a setting beyond its predictions: whether it can be run, what confirming runs said of it,
/// and how far the models may be relied upon.
struct Standing {
    Severity severity = Severity::Green; ///< red: not to be used
    /// What comes before everything else; empty where nothing is known. "Not confirmed: do not use this
    /// setting."
    std::string verdict;
    std::vector<std::string> reasons; ///< for the verdict, and what else speaks against the setting

    bool isRejected() const { return severity == Severity::Red; }
};

Standing judgeSetting(const study::Study& study, const std::vector<model::Fit>& fits,
                      const study::Settings& settings,
                      const std::vector<optimize::Confirmation>& confirmations);

} // namespace quadric::report
