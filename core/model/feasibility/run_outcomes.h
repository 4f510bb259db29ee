// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <optional>

namespace quadric::model {

/// What became of the runs, setting by setting. A setting that ran and also failed is here twice.
struct RunOutcomes {
    Eigen::MatrixXd points;             ///< a row of coded settings each
    std::vector<bool> hasRun;           ///< false: failed by what was run
    std::vector<std::vector<int>> runs; ///< ids of the runs that say so
    std::map<std::string, int> causes;  ///< of failed runs, by their kind

    std::size_t size() const { return hasRun.size(); }
    int countFailed() const; ///< settings
    int countRun() const;
};

/// The coded settings; empty where they have none, as those of a factor that was changed since.
std::optional<Eigen::VectorXd> findPlace(const study::Coding& coding, const study::Settings& settings);

/// Runs that are done, and those that failed for a reason that repeats (study::isFailureOfSettings()), of
/// every kind; runs whose settings have no coded value are left out. Throws std::invalid_argument for factors
/// that are not sound.
RunOutcomes outcomesOf(const study::Study& study);

} // namespace quadric::model
