// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/desirability.h"

#include <functional>
#include <stop_token>

namespace quadric::optimize {

/// Where to search, in coded units: low…high of each factor ("box"), a larger cube, or a sphere.
enum class RegionKind { Box, Cube, Sphere };
struct Region {
    RegionKind kind = RegionKind::Box;
    double radius = 1.0;
};

struct OptimizeOptions {
    Region region;
    study::Settings fixed; ///< factors held at a value
    int starts = 64;       ///< starting points for continuous factors
    int solutions = 5;     ///< ranked, distinct
    std::uint64_t seed = 1;
    std::stop_token stop;
    /// ResponseAtOptimum::bestAlone where it is known from an earlier call with the same fits, region and
    /// fixed factors (it does not depend on goals' limits and weights); saves most of the time.
    std::map<std::string, double> bestAlone;
    /// Settings worth starting from besides those that the search finds itself; ones that cannot be run are
    /// passed over.
    std::vector<study::Settings> hints;
};

enum class OptimumStatus { Ok, NoModel, NoLegalSetting, ZeroDesirability, Stopped };

struct ResponseAtOptimum {
    std::string response;
    study::Goal goal = study::Goal::None; ///< in whose sense bestAlone is meant
    double target = 0.0;                  ///< Goal::Target only
    model::Prediction predicted;
    double desirability = 0.0;
    double bestAlone =
        0.0; ///< this response's own best prediction over the same region, in the sense of its goal
    double sacrifice = 0.0; ///< what the compromise gives up against it, ≥ 0, response's own unit
};

struct Solution {
    double overall = 0.0;
    study::Settings settings;
};

struct Optimum {
    OptimumStatus status = OptimumStatus::NoModel;
    std::string message;
    double overall = 0.0;
    study::Settings settings; ///< can be run as they are
    std::vector<ResponseAtOptimum> responses;
    std::vector<Solution> solutions;
    bool isOk() const { return status == OptimumStatus::Ok; }
};

/// One prediction at least lies where no run supports it (model::Prediction::isExtrapolation).
bool isExtrapolation(const Optimum& optimum);

/// The best settings that can really be run (integers, multiples, levels, constraints), by overall
/// desirability of the study's responses with weights above 0. `fits` as fitStudy() returns them; responses
/// without a usable fit are left out and named in the message.
Optimum findOptimum(const study::Study& study, const std::vector<model::Fit>& fits,
                    const OptimizeOptions& options = {});

/// The best settings after goals, weights or limits of the study have changed, for drags: findOptimum() that
/// starts from the solutions of `previous` and takes over its own bests. `previous` comes from findOptimum()
/// or refineOptimum() with the same fits, region and fixed factors.
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

} // namespace quadric::optimize
