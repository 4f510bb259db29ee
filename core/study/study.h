// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/benchmark.h"
#include "core/study/coding.h"
#include "core/study/design_spec.h"
#include "core/study/response.h"
#include "core/study/run.h"

#include <unordered_map>

namespace quadric::study {

inline constexpr int kFormatVersion = 1;

/// How a page's views are arranged: nothing about the experiment. What is none is the page's to repair.
struct PageView {
    std::vector<std::vector<std::string>> views = {}; ///< rows of names
    std::vector<double> heights = {};                 ///< of the rows, relative
    std::vector<std::vector<double>> widths = {};     ///< of the views in each row, relative
    UnknownKeys unknown = {};
    bool operator==(const PageView&) const = default;
};

/// A study is a value: a copy is a snapshot, an undo step and the input of a background job.
struct Study {
    std::string name = {};
    std::string id = {}; ///< given once, when the study is made (makeStudyId()); empty in older documents
    std::string description = {};
    std::vector<Factor> factors = {};
    Settings fixed = {};
    std::vector<Response> responses = {};
    std::vector<std::string> constraints = {};
    DesignSpec design = {};
    std::map<std::string, std::string> model = {}; ///< response name → model choice or formula
    /// Name of a result that no program reports → the expression that it is computed by (derived.h).
    std::map<std::string, std::string> derived = {};
    Benchmark benchmark = {};
    std::vector<Run> runs = {};
    /// Runs of one rank that the scaling efficiency of others is related to (RunKind::Baseline), by id. In
    /// the document they stand among the runs; apart from them nothing that reads runs can take one for an
    /// observation.
    std::vector<Run> baselines = {};
    std::map<std::string, PageView> view = {}; ///< by page
    UnknownKeys unknown = {};

    bool operator==(const Study&) const = default;
};

const Factor* findFactor(const Study& study, std::string_view name);
const Response* findResponse(const Study& study, std::string_view name);
/// The factor that sets how many ranks work: the one that is marked so, or one with a usual name ("gpus",
/// "ranks", "world_size", …); null where there is none.
const Factor* rankFactorOf(const Study& study);
/// At once where the run with the id n is the nth, as it usually is; otherwise all runs are looked through.
const Run* findRun(const Study& study, int id);
Run* findRun(Study& study, int id);

/// Finds many runs of a study that stays as it is while this is used, whatever their order.
class RunIndex {
public:
    explicit RunIndex(const Study& study);
    /// Null where there is no such run.
    const Run* find(int id) const;
    /// Where it stands among the runs.
    std::optional<std::size_t> findPosition(int id) const;

private:
    const Study& m_study;
    std::unordered_map<int, std::size_t> m_positions;
};

/// The study with one more waiting run at each of these settings, last in run order. In a study with blocks
/// they are a block of their own as soon as the last one has begun: what differs between blocks may differ
/// once more. In a study without, where nothing is known to differ, they stay comparable.
Study withRuns(Study study, const std::vector<Settings>& settings, RunKind kind);

/// Pointers to the runs in the order in which they are executed.
std::vector<const Run*> inRunOrder(const Study& study);

/// How many runs have this status.
int countRuns(const Study& study, RunStatus status);

/// True when at least one run that is done has simulated results: everything drawn from it must carry the
/// mark.
bool hasSimulatedResults(const Study& study);

/// One thing that is wrong with a study: where ("factors[1].low"), what, and what was expected.
struct Problem {
    std::string where = {};
    std::string message = {};
    bool isError = true; ///< false: the study can be used and saved as it is, but the point deserves a look
    bool operator==(const Problem&) const = default;
};

/// Everything that is wrong with the study; empty when it is sound: names, ranges, levels, limits, settings
/// of the runs.
std::vector<Problem> validate(const Study& study);

/// Names used in files, on the command line and on the screen.
std::string_view nameOf(FactorType type);
std::string_view nameOf(Scale scale);
std::string_view nameOf(Goal goal);
std::string_view nameOf(Weights weights);
std::string_view nameOf(RunKind kind);
std::string_view nameOf(RunStatus status);
std::string_view nameOf(Source source);
std::string_view nameOf(BaselineMode mode);
std::string_view nameOf(LauncherKind launcher);
/// "none", "log", "sqrt", "inverse", "logit" or "boxcox:λ".
std::string nameOf(const Transform& transform);
std::optional<FactorType> factorTypeFrom(std::string_view name);
std::optional<Scale> scaleFrom(std::string_view name);
std::optional<Goal> goalFrom(std::string_view name);
std::optional<Weights> weightsFrom(std::string_view name);
std::optional<RunKind> runKindFrom(std::string_view name);
std::optional<RunStatus> runStatusFrom(std::string_view name);
std::optional<Source> sourceFrom(std::string_view name);
std::optional<BaselineMode> baselineModeFrom(std::string_view name);
std::optional<LauncherKind> launcherFrom(std::string_view name);
/// Reads what nameOf() writes; empty for anything else.
std::optional<Transform> transformFrom(std::string_view text);

} // namespace quadric::study
