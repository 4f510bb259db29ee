// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <filesystem>
#include <string>
#include <vector>

namespace quadric::run {

/// Why a run was added to a study, as it was expected before it was executed.
struct RunProposal {
    enum class Purpose {
        Improvement, ///< the largest expected gain
        Confirmation ///< of the best settings
    };
    int run = 0;
    Purpose purpose = Purpose::Improvement;
    std::string settings = {};    ///< of the run when it was added, as study::writeSettings() has them
    double gain = 0.0;            ///< expected share of the best value
    double runsProbability = 1.0; ///< of giving a result
    double seconds = 0.0;         ///< expected; 0: not known
    bool isRepeat = false;        ///< settings that had run before
};

/// The run is the one that was proposed: it has the same number and settings.
bool isProposed(const RunProposal& proposal, const study::Run& run);

/// What was decided: runs to go on with, or the end.
struct ProposalRecord {
    std::vector<RunProposal> runs = {};
    std::string end = {}; ///< why there are none, in a sentence; empty: there are
    double spent = 0.0;   ///< seconds, until then
    double budget = 0.0;  ///< seconds; 0: none was given
};

/// Beside the document, in the folder of the logs; JSON lines that stay from one runner to the next.
std::filesystem::path proposalsPath(const std::filesystem::path& document);

/// Appends the record. A log that cannot be written is not worth a run: problems are ignored.
void appendProposals(const std::filesystem::path& document, const ProposalRecord& record);

/// All records, oldest first; what cannot be read is left out. At most the last mebibyte of the file.
std::vector<ProposalRecord> readProposals(const std::filesystem::path& document);

} // namespace quadric::run
