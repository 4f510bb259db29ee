// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"
#include "core/model/process/process.h"
#include "core/optimize/answer/optimism.h"
#include "core/optimize/merit/optimum.h"
#include "core/optimize/next/run_plan.h"
#include "core/report/finding.h"
#include "core/study/node_size.h"
#include "core/text/numbers.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace quadric::report {

/// That settings need nodes which they do not fill, one finding for each count, in the order of the
/// settings; empty where all are filled.
std::vector<Finding> findIdleRanks(const study::Study& study, const std::vector<study::Settings>& settings);

/// Sentence and advice of the finding at one setting; empty where the nodes are filled.
std::string describeIdleRanks(const study::Study& study, const study::Settings& settings);

/// Of counts that are looked at without other settings: those that leave part of such a node idle.
std::optional<Finding> findIdleCounts(const std::vector<int>& counts, const study::NodeSize& node);

/// Where the settings that fail begin, and how sure that is; empty where no run failed for a reason that
/// repeats.
std::optional<Finding> describeBoundary(const study::Study& study,
                                        double asked = optimize::kUsualRunsProbability);

/// The probability of giving a result at settings, in a sentence; empty where nothing is known against them.
std::string describeRunProbability(const study::Study& study, const study::Settings& settings);

/// What failures mean for recommended settings: which were left out, and that a confirmation that failed has
/// moved the answer.
std::vector<std::string> describeAvoidance(const study::Study& study, const study::Settings& recommended,
                                           double asked = optimize::kUsualRunsProbability);

/// Which of the two predicts settings left out with the smaller error, for every response that has both, and
/// whether that says something against the polynomial; empty where none has. Takes up to 20 fits of
/// processes.
std::string compareProcesses(const study::Study& study, const std::vector<model::Fit>& fits,
                             const std::vector<model::Process>& processes);

/// Responses with a goal whose settings are better recommended from their Gaussian process, which is not
/// shown yet (model::isProcessAdvised()). Both are empty without such a response, and where more than eight
/// responses have a goal: each takes up to 20 fits.
struct ProcessAdvice {
    std::vector<std::string> responses;
    std::string sentence;
};
ProcessAdvice adviseProcesses(const study::Study& study, const std::vector<model::Fit>& fits,
                              const std::stop_token& stop = {});

/// "throughput: 27 000 img/s, and 26 200 after correction for selecting the best setting (24 100 – 28 300 for
/// a new run).", for every response with a goal whose prediction at the optimum the correction changes in the
/// digits that are shown. Empty without a correction.
std::vector<std::string> describeCorrection(const study::Study& study, const optimize::Optimum& optimum,
                                            const optimize::OptimumCorrection& correction,
                                            text::Typography typography = text::Typography::Plain);

/// Why no further run is taken after a plan: "No further run is expected to gain more than 0.4 %." For a plan
/// that nobody has made any more the time is spent.
std::string describePlanEnd(const optimize::RunPlan& plan, double leastGain);

/// That so many added runs failed one after the other.
std::string describeFailedRow(int runs);

/// How many runs there are and how long they take together.
std::string describePlanTime(const optimize::RunPlan& plan);

} // namespace quadric::report
