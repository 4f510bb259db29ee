// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/confirmation.h"
#include "core/report/finding.h"

namespace quadric::report {

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
