// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/enum_names.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>

/// What a study may have at most. A file that is within these limits opens, runs and is exported; each of
/// them is far above what an experiment has, and small enough that no list is long because of a mistake.

namespace quadric::study {

/// Values in one document, counted while it is read: a value takes about a hundred bytes of memory, so that a
/// file of 64 MiB that has nothing but brackets stays below half a gigabyte.
inline constexpr std::size_t kMostValues = 5'000'000;

/// Every run has a setting of each factor; saturated screens have some hundred.
inline constexpr std::size_t kMostFactors = 1'000;

/// Every response gets a model of its own.
inline constexpr std::size_t kMostResponses = 1'000;

/// Of one factor: the step of a setting that is as good as continuous.
inline constexpr std::size_t kMostLevels = 100'000;

/// A design has at most as many.
inline constexpr std::size_t kMostRuns = 100'000;

/// Problems of one study that are listed one by one: nobody reads more, and every run can have one with every
/// factor.
inline constexpr std::size_t kMostProblems = 1'000;

/// Significant digits of a level, at most.
inline constexpr int kMostDigits = 12;

/// How the runs were laid out. `type` is a design name of the command line ("box-behnken", "custom", …;
/// empty: none yet). What a type has no use for is left alone.
struct DesignSpec {
    std::string type = {};
    int centerRuns = 3;
    int replicates = 1;
    int blocks = 1;
    bool randomize = true;
    std::uint64_t seed = 42;
    std::string alpha = {}; ///< central composite: "rotatable", "face", "orthogonal", "practical" or a
                            ///< number; empty: the type's own choice
    int runs = 0;           ///< runs before replication and without center runs; 0: the type's own choice
    std::vector<std::string> generators = {}; ///< "D=AB": factors by letter, see letterOf()
    int resolution = 0;                       ///< least resolution of a fraction; 0: the type's own choice
    std::string model = {};                   ///< of optimal designs; empty: quadratic
    std::optional<int> digits = {}; ///< optimal designs: of the levels of continuous factors; 0: as found;
                                    ///< empty: the fewest that cost next to nothing
    std::map<std::string, int, std::less<>> levels = {}; ///< full factorial: factor name → number of levels
    UnknownKeys unknown = {};
    bool operator==(const DesignSpec&) const = default;
};

/// Letter of the factor at this place of the study: A, B, C … without I, which stands for the mean; '?' from
/// the 26th factor on.
char letterOf(std::size_t factor);
/// The reverse, capital or small; empty for what is no letter of a factor.
std::optional<std::size_t> factorOfLetter(char letter);

/// The number in an alpha that is one, above 0; empty for the words and for anything else.
std::optional<double> alphaNumber(std::string_view alpha);

/// A key of the specification ("replicates") and what is wrong with its value.
struct SpecProblem {
    std::string key = {};
    std::string message = {};
};

/// Everything in the specification that no study could be laid out with.
std::vector<SpecProblem> checkDesignSpec(const DesignSpec& spec);

/// Every choice as if nothing had been said but the seed, which is as good for any type.
DesignSpec withDefaults(const DesignSpec& spec);

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

} // namespace quadric::study
