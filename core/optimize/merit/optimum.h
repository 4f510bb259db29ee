// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/desirability.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace quadric::model {
class Feasibility;
}

namespace quadric::optimize {

/// Where to search, in coded units: low…high of each factor ("box"), a larger cube, or a sphere.
enum class RegionKind { Box, Cube, Sphere };
struct Region {
    RegionKind kind = RegionKind::Box;
    double radius = 1.0;
};

/// What is asked for where nothing is said.
inline constexpr double kUsualRunsProbability = 0.9;

struct OptimizeOptions {
    Region region;
    study::Settings fixed;    ///< factors held at a value
    std::size_t starts = 12;  ///< points from which the search climbs
    std::size_t boxes = 4000; ///< most boxes of settings looked at to prove that nothing is better
    int solutions = 5;        ///< at most so many, ranked, distinct
    /// Settings beside the best are listed too, the best with one factor at another category or half a coded
    /// unit away, and the setting with fewer digits is looked for. What is listed does not depend on how many
    /// are asked for: a shorter list is the beginning of a longer one.
    bool hasAlternatives = true;
    std::uint64_t seed = 1;
    bool staysNearRuns = false; ///< only settings that are no extrapolation in any model
    /// Only settings that give a result with at least this probability (model::Feasibility), or where a run
    /// gave one. Settings where runs failed for a reason that repeats are left out even with 0.
    double leastRunsProbability = kUsualRunsProbability;
    /// What is known of failures where it does not come from the study: its results may be simulated ones.
    std::shared_ptr<const model::Feasibility> feasibility = {};
    std::stop_token stop;
    /// ResponseAtOptimum::bestAlone where it is known from an earlier call with the same fits, region and
    /// fixed factors (it does not depend on goals' limits and weights); saves most of the time.
    std::map<std::string, double> bestAlone;
    /// Settings worth starting from besides those that the search finds itself; ones that cannot be run are
    /// passed over.
    std::vector<study::Settings> hints;
    /// Climbs from the hints only, where there are any that can be run: for what has to be there within a
    /// frame. Neither global nor proven.
    bool isLocal = false;
};

/// More responses with a goal are not weighed against each other: the search takes a second with so many, and
/// grows faster than their number.
inline constexpr std::ptrdiff_t kMostGoals = 50;

enum class OptimumStatus { Ok, NoModel, TooManyGoals, NoLegalSetting, ZeroDesirability, Stopped };

struct ResponseAtOptimum {
    std::string response;
    study::Goal goal = study::Goal::None; ///< in whose sense bestAlone is meant
    double target = 0.0;                  ///< Goal::Target only
    model::Prediction predicted;
    double desirability = 0.0;
    double bestAlone = 0.0; ///< own best prediction over the same region, in the sense of its goal; at a
                            ///< setting that cannot be run it may be worse than the prediction there
    double sacrifice = 0.0; ///< what the compromise gives up against it, ≥ 0, response's own unit
};

struct Solution {
    double overall = 0.0;
    study::Settings settings;
    /// No legal neighbor is better (search/local_search.h); false: a different setting worth knowing.
    bool isOptimum = true;
    bool isRounded = false;                                                ///< the best one with fewer digits
    std::vector<std::pair<std::string, model::Prediction>> predicted = {}; ///< by response
};

struct Optimum {
    OptimumStatus status = OptimumStatus::NoModel;
    std::string message;
    double overall = 0.0;
    /// No setting of the region has a larger overall desirability (to 1e-7). False where the region was cut
    /// by what may fail: that is a guess.
    bool isProven = false;
    double bound = 1.0;       ///< no setting of the region has a larger overall desirability than this
    study::Settings settings; ///< can be run as they are
    /// Factors in no model of the study and in no constraint: any value is as good as the one in `settings`,
    /// which is the nearest to the center.
    std::vector<std::string> indifferent;
    std::vector<ResponseAtOptimum> responses;
    std::vector<Solution> solutions;
    /// The best setting with as few digits as its flat surroundings allow (rounding.h); empty where it has
    /// no digit too many.
    std::optional<Solution> rounded = {};
    bool isOk() const { return status == OptimumStatus::Ok; }
};

/// One prediction at least lies where no run supports it (model::Prediction::isExtrapolation).
bool isExtrapolation(const Optimum& optimum);

/// The best settings that can really be run (integers, multiples, levels, constraints), by overall
/// desirability of the study's responses with weights above 0: the one answer of all commands and pages. Once
/// follow-ups have searched, it is the best run that was measured, and the best predictions are among the
/// solutions. `fits` as fitStudy() returns them; responses
/// without a usable fit are left out and named in the message.
Optimum findOptimum(const study::Study& study, const std::vector<model::Fit>& fits,
                    const OptimizeOptions& options = {});

/// The best settings after goals, weights or limits of the study have changed, for drags: findOptimum() that
/// starts from the solutions of `previous`, takes over its own bests and leaves alternatives out. `previous`
/// comes from findOptimum() or refineOptimum() with the same fits, region and fixed factors. Where the answer
/// is proven (Optimum::isProven) it is as good as that of findOptimum(); otherwise call that when the drag
/// has ended.
Optimum refineOptimum(const study::Study& study, const std::vector<model::Fit>& fits, const Optimum& previous,
                      OptimizeOptions options = {});

/// Predictions and desirabilities at given settings (for the profiler and `predict`); status Ok unless there
/// is no model. The sacrifice is told for responses whose bestAlone is given; the others have their own
/// prediction as bestAlone and no sacrifice. Throws std::invalid_argument for settings that cannot be coded.
Optimum assess(const study::Study& study, const std::vector<model::Fit>& fits,
               const study::Settings& settings, const std::map<std::string, double>& bestAlone = {});

struct FrontPoint {
    study::Settings settings;
    std::vector<std::pair<std::string, double>> responses;
};

/// Nondominated legal settings of the predicted responses that have a goal, sorted by the first response. At
/// most `most` points, spread along the front.
std::vector<FrontPoint> tradeOffFront(const study::Study& study, const std::vector<model::Fit>& fits,
                                      const OptimizeOptions& options = {}, int most = 60);

/// Overall desirability of every setting of a front by the study's goals, limits and weights, none of which
/// the front itself depends on. Empty where no response takes part in the compromise.
std::vector<double> frontDesirability(const study::Study& study, const std::vector<model::Fit>& fits,
                                      const std::vector<FrontPoint>& front);

} // namespace quadric::optimize
