// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <cstdint>

namespace quadric::optimize {

/// Standard deviations in use of the settings of numeric factors, by name, in actual units.
using Variation = std::map<std::string, double, std::less<>>;

/// Settings that vary in use, independently and normally around what was chosen.
class VaryingSettings {
public:
    /// Throws std::invalid_argument for a name that is no numeric factor of the study, and for a standard
    /// deviation that is negative or not finite.
    VaryingSettings(const study::Study& study, const Variation& sds);

    bool isNone() const { return m_varying.empty(); }

    /// So many equally likely points of the distribution around a nominal one, which alone is returned where
    /// nothing varies: the quantiles of a Kronecker sequence (quasi Monte Carlo). They may lie outside the
    /// region; a factor on the log2 scale stays above 0.
    std::vector<study::CodedPoint> around(const study::CodedPoint& nominal, int points) const;

private:
    struct Varying {
        std::size_t factor = 0;
        double sd = 0.0;
    };
    study::Coding m_coding;
    std::vector<Varying> m_varying;
};

/// How the user says that settings vary (`view.optimize` of the document); nothing that the study cannot
/// vary.
Variation variationOf(const study::Study& study);

/// The study with another standard deviation of one factor; 0: it is set exactly.
study::Study withVariation(study::Study study, const std::string& factor, double sd);

/// "learning_rate 0.02, bucket_mb 1 MB": what varies, for a sentence.
std::string describeVariation(const study::Study& study, const Variation& sds);

} // namespace quadric::optimize
