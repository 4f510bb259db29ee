// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::optimize {

/// A run that was measured, with the overall desirability of what it gave.
struct MeasuredRun {
    int run = 0; ///< id
    double overall = 0.0;
    study::Settings settings;
    std::vector<std::pair<std::string, double>> results; ///< of the responses with a goal
    bool isConfirming = false, isDisturbed = false;
};

/// The best runs by the overall desirability of their measured results, with the limits that the search for
/// the best setting has; confirming runs are among them. Runs that lack a result of a response with a goal, a
/// weight above 0 and a usable model are left out, and short looks.
std::vector<MeasuredRun> findBestMeasured(const study::Study& study, const std::vector<model::Fit>& fits,
                                          std::size_t most = 5);

/// The best measured run of a study that follow-ups have searched: from five of them with a result on its
/// setting is recommended, not that with the best prediction. Follow-ups stand close together where the best
/// setting was expected, and polynomials that span all runs recommend settings far below those that were
/// measured (simulated: docs/methods/next-runs.md). A setting that can be run and where no run failed. Empty
/// before.
std::optional<MeasuredRun> findBestOfFollowUps(const study::Study& study,
                                               const std::vector<model::Fit>& fits);

/// One run that has ended.
struct BestStep {
    int run = 0;
    study::RunKind kind = study::RunKind::Design;
    std::optional<double> value = {}; ///< measured; none: it failed, or a result is missing
    std::optional<double> best = {};  ///< of the runs up to this one
    bool isBetter = false;            ///< than all before
    std::string failure = {};         ///< kind; empty: it did not fail
};

/// The best measured value over the runs in their order. Of one response to be maximized or minimized it is
/// that response; otherwise the overall desirability of what was measured.
struct BestSoFar {
    std::string title = {}; ///< the response, or "D"
    std::string unit = {};
    bool isSmallerBetter = false;
    std::vector<BestStep> steps = {};
};

/// Runs that failed, and runs that are done, excluded ones left out. Without a goal there are no steps.
BestSoFar findBestSoFar(const study::Study& study, const std::vector<model::Fit>& fits);

} // namespace quadric::optimize
