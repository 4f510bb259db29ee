// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/cluster/slurm_call.h"
#include "core/study/node_size.h"
#include "core/study/study.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace quadric::run {

/// How many ranks the run has by that factor or a setting `ranks`; empty where neither says it. Throws
/// RecipeError for anything but a whole number from 1.
std::optional<int> readRankCount(const study::Study& study, const study::Run& run);

/// GPUs that a rank of a Slurm job has: as the study says it, otherwise 1 where ranks are GPUs and none
/// elsewhere.
int gpusPerRank(const study::Study& study, const study::SlurmOptions& options);

using study::NodeSize;

/// What is known of nodes beside the study.
struct NodesSeen {
    int gpusHere = 0;                      ///< of this machine
    std::vector<ClusterNode> cluster = {}; ///< empty: none, or Slurm has not answered
};

/// Of the nodes that the study's runs will be on. Of Slurm jobs: their ranks per node, or fewer where the
/// GPUs of the partition's nodes allow only these. Otherwise what the study says (study::nodeSizeOf()), this
/// machine with its GPUs, or what is assumed.
std::optional<NodeSize> nodeSizeFor(const study::Study& study, const NodesSeen& seen);

/// A factor whose values are all counts that can be scheduled, and why just these.
struct CountProposal {
    study::Factor factor = {};
    /// That the Slurm jobs must have for it; empty: as they are.
    std::optional<int> ranksPerNode = {};
    std::string title = {};  ///< "Multiples of 8: 8, 16, 24, … 64"
    std::string reason = {}; ///< one sentence
};

/// Whole nodes (multiples of their size) and powers of two within the range of the factor that sets the
/// ranks, the first one the better choice; those with fewer than two values are left out. Empty without such
/// a factor.
std::vector<CountProposal> proposeCounts(const study::Study& study, const std::optional<NodeSize>& node);

/// The study with the proposed factor in place of its own.
study::Study withCounts(study::Study study, const CountProposal& proposal);

/// The study with factors for tensor and pipeline parallelism in powers of two, up to a node and to eight
/// stages, and the constraint that their product divides the ranks: what is left is data parallelism. As it
/// is where it has them already or no factor sets the ranks.
study::Study withParallelism(study::Study study, const std::optional<NodeSize>& node);

inline constexpr const char* kTensorParallel = "tp";
inline constexpr const char* kPipelineParallel = "pp";

/// The response that is asked for where runs need a baseline, and the result that a baseline is measured for.
inline constexpr const char* kScalingEfficiency = "scaling_efficiency";
inline constexpr const char* kBaselineSpeed = "images_per_sec";

/// Whether runs of the study are related to a baseline that quadric-trainer could measure in each of them.
bool asksForBaselines(const study::Study& study);

// Runs of a command of the user's own are related to a run with the same settings and one rank, as those of
// the built-in workload are. Whether that is weak or strong scaling, the settings say: weak where they set
// the work of each rank, strong where they set that of all.

inline constexpr const char* kSpeedUp = "speed_up";
/// The fixed setting that says from how many ranks on a job can be measured, where one is too few.
inline constexpr const char* kBaselineRanks = "baseline_ranks";

using study::rankFactorOf;

/// The response by which runs of different ranks are compared: the first that is a speed, by its name
/// ("…_per_sec") or its unit ("…/s"). Empty where there is none.
std::string speedResponse(const study::Study& study);

/// The result that a baseline of the study is measured for.
std::string baselineSpeed(const study::Study& study);

/// Whether the study runs a command, asks for scaling_efficiency or speed_up, and has what they are made of.
bool computesScaling(const study::Study& study);

/// Whether the runner adds this result to those of a command.
bool isScalingResult(const study::Study& study, std::string_view result);

/// Whether the run has this speed, above 0.
bool hasSpeed(const study::Run& run, const std::string& speed);

/// By id of the run: the settings of the run of one rank that its efficiency is related to. Runs with equal
/// ones share a baseline. Of the built-in workload only what one rank executes (workload::OneRank), under the
/// trainer's own names. Empty where the study does not share baselines.
std::map<int, study::Settings> findBaselineNeeds(const study::Study& study);

/// The run with scaling_efficiency, 100 X_N n / (N X_n) in per cent, and speed_up, X_N / X_n, from its speed
/// X_N with N ranks and that of its baseline with n; errors of both speeds add as independent ones (delta
/// method). As it is where either is not known.
study::Run withScaling(const study::Study& study, study::Run run, const study::Run* baseline);

} // namespace quadric::run
