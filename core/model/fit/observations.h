// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/base/copies.h"
#include "core/model/fit/fit.h"

namespace quadric::model {

/// Box–Cox powers nearer to 0 than this are the logarithm.
inline constexpr double kZeroPower = 1e-8;

/// The logarithm, under its own name or as the Box–Cox power 0.
bool isLogarithm(const study::Transform& transform);

/// False where the inverse of the transform has a pole or overflows: the response is then unbounded above.
bool isInvertible(const study::Transform& transform, double z);

/// Derivative of invertTransform() by z; 0 where the response sits at a bound.
double inverseSlope(const study::Transform& transform, double z);

/// The transform that the values y of a response are modeled on: `asked`, else its own.
/// With values exactly at a bound, logit and log get the `inset` that these count as: half of the smallest
/// distance from a bound among the other values, as for zeros among proportions (Warton & Hui 2011, Ecology
/// 92). Throws std::domain_error of a logit where the response has no two bounds.
study::Transform transformFor(const study::Response& response, const std::optional<study::Transform>& asked,
                              const Eigen::VectorXd& y);

/// A limit of the response on the model's scale; of a logit −∞ and ∞ for limits at its bounds and beyond,
/// which no value passes. Empty where the transform is not defined.
std::optional<double> limitOnModelScale(const study::Transform& transform, double y);

/// The runs that a model of one response is fitted to, and how many were left out for which reason.
struct Observations {
    std::vector<int> runs; ///< ids
    std::vector<int> blocks;
    std::vector<int> orders;  ///< places in the order of execution
    bool isOrderKnown = true; ///< false: they are the lines of an imported table (study::isRunOrderKnown())
    std::vector<study::CodedPoint> points;
    Eigen::VectorXd y; ///< response's own unit
    Eigen::VectorXd z; ///< transformed
    /// σ_b²/σ² of blocks that are taken as drawn at random (block_variance.h); empty: their effects are
    /// fixed.
    std::optional<double> blockRatio;
    std::vector<int> failed, excluded, missing; ///< ids of runs left out
    Copies copies;                              ///< of each group only the first run is here
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
std::vector<std::pair<double, double>> codedRanges(const Observations& data, std::size_t factors);

/// Per categorical factor, which of its levels occur.
std::vector<std::vector<bool>> seenLevels(const Observations& data,
                                          const std::vector<study::Factor>& factors);

/// Whether this coded level of a category is among the ones that occur.
bool isSeen(const std::vector<bool>& seenLevels, double coded);

} // namespace quadric::model
