// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/optimum.h"

#include <memory>

namespace quadric::optimize {

class RegionTest;

/// The values of one factor at which a setting may be the best.
struct FactorRange {
    std::string factor;
    double low = 0.0, high = 0.0;    ///< numeric: actual values
    std::vector<std::string> levels; ///< categorical: those levels
    bool isWhole = false;            ///< every value that the search may choose
};

/// The settings that cannot be told from the best one: a confidence region of the place of the optimum over
/// the settings that can be run (after Peterson, Cahya & del Castillo 2002). A setting belongs to it unless
/// some other setting is significantly better: the largest difference of predicted worth over its standard
/// error, over a sample of rival settings, exceeds what it exceeds by chance in 5 %, simulated for that
/// setting. Terms and limits are taken as given.
class OptimumRegion {
public:
    OptimumRegion() = default;

    double confidence() const { return 0.95; }
    /// What is missing where there is no region.
    const std::string& message() const { return m_message; }
    bool isEmpty() const { return m_test == nullptr; }
    const std::vector<FactorRange>& factors() const { return m_factors; }
    /// Part of the settings that can be run.
    double share() const { return m_share; }
    /// Whether a setting belongs to it; false for one that cannot be coded or run, or without a region.
    bool contains(const study::Settings& settings) const;

private:
    friend OptimumRegion findOptimumRegion(const study::Study&, const std::vector<model::Fit>&,
                                           const Optimum&, const OptimizeOptions&);
    std::shared_ptr<const RegionTest> m_test;
    std::vector<FactorRange> m_factors;
    double m_share = 0.0;
    std::string m_message;
};

/// A job of some tens of milliseconds. `best` comes from findOptimum() with the same options. Never throws.
OptimumRegion findOptimumRegion(const study::Study& study, const std::vector<model::Fit>& fits,
                                const Optimum& best, const OptimizeOptions& options = {});

} // namespace quadric::optimize
