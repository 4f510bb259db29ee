// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/base/copies.h"
#include "core/model/fit/fit.h"

namespace quadric::model {

/// The runs that a model of one response is fitted to, and how many were left out for which reason.
struct Observations {
    std::vector<int> runs; ///< ids
    std::vector<int> blocks;
    std::vector<int> orders; ///< places in the order of execution
    std::vector<study::CodedPoint> points;
    Eigen::VectorXd y; ///< response's own unit
    Eigen::VectorXd z; ///< transformed
    /// Standard error of each value inside its run, response's own unit, as its spread tells (a half width of
    /// an interval is divided by the normal quantile); NaN without a spread.
    Eigen::VectorXd errors;
    Eigen::VectorXd rootWeights; ///< √ of the weights of the runs; empty: all 1
    std::vector<int> failed, excluded, missing, confirmation; ///< ids of runs left out
    Copies copies;                                            ///< of each group only the first run is here
    bool isSimulated = false;

    Eigen::Index size() const { return y.size(); }
};

/// Takes every run that is done and has a finite value of the response; confirmation runs, which judge the
/// model, and all but the first of runs that are copies (findCopies()) stay out. Throws std::invalid_argument
/// naming the run when its settings cannot be coded.
Observations collect(const study::Study& study, std::string_view response);

/// Fills `z`. Throws std::domain_error naming run and value where the transform is not defined.
void transformObservations(const study::Transform& transform, std::string_view response, Observations& data);

/// For every run the number of its group of replicates: same settings of all factors, same block.
std::vector<int> replicateGroups(const Observations& data, const std::vector<study::Factor>& factors);

/// Per factor the smallest and largest coded setting.
std::vector<std::pair<double, double>> reachOf(const Observations& data, std::size_t factors);

/// Per categorical factor, which of its levels occur.
std::vector<std::vector<bool>> seenLevels(const Observations& data,
                                          const std::vector<study::Factor>& factors);

} // namespace quadric::model
