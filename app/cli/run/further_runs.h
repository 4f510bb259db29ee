// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/process/process.h"
#include "core/optimize/merit/optimum.h"
#include "core/run/words/run_proposals.h"

#include <filesystem>

namespace quadric::app {

/// Chooses the runs with which a runner goes on by itself: those that are worth most for their time, until it
/// is spent or no run is expected to gain enough; then runs that confirm the best settings. Settings whose
/// confirmation fails are not recommended any more, so that others are asked about and confirmed.
class FurtherRuns {
public:
    /// `budget`: seconds of runs from now on. `confirming`: runs at the best settings; 0: none.
    FurtherRuns(std::filesystem::path document, double budget, int confirming);

    /// The next ones of this study, all runs of which have ended; none: that is the end. Notes them, and why
    /// there are none, in the log of proposals.
    std::vector<study::Run> next(const study::Study& study);

    /// Why it ended, in a sentence; empty before.
    const std::string& end() const { return m_end; }

private:
    std::vector<study::Run> spent();
    std::vector<study::Run> improving(const study::Study& study,
                                      const std::vector<model::Process>& processes);
    std::vector<study::Run> confirming(const study::Study& study,
                                       const std::vector<model::Process>& processes);
    std::vector<study::Run> noted(const study::Study& study, study::RunKind kind,
                                  std::vector<study::Settings> settings,
                                  std::vector<run::RunProposal> proposals);
    void noteEnd();

    std::filesystem::path m_document;
    double m_budget, m_before, m_spent = 0.0;
    int m_confirming;
    int m_asked = 0; ///< settings that were to be confirmed
    std::string m_end;
};

} // namespace quadric::app
