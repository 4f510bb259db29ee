// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/design.h"
#include "core/study/constraint_program.h"

namespace quadric::design {

/// The settings between low and high of every factor that can be run, in coded units.
class LegalSet {
public:
    /// Throws DesignError for a factor without a legal value and for a constraint that cannot be read.
    explicit LegalSet(const study::Study& study);

    const std::vector<study::Factor>& factors() const { return m_coding.factors(); }
    std::size_t size() const { return m_axes.size(); }
    bool hasConstraints() const { return !m_constraints.isEmpty(); }

    /// Whether a factor can take every value between −1 and +1.
    bool isContinuous(std::size_t factor) const { return m_axes[factor].isContinuous; }

    /// About `wanted` (at least 2) coded values of a factor, evenly spread from −1 to +1 and taken to legal
    /// values; all levels of a categorical factor.
    std::vector<double> spread(std::size_t factor, int wanted) const;

    /// The legal coded values next to `coded` on both sides at a distance of about `step`.
    std::vector<double> neighbours(std::size_t factor, double coded, double step) const;

    /// The legal coded value of one factor nearest to `coded`.
    double snap(std::size_t factor, double coded) const;

    /// Whether the constraints hold; every coordinate must be a legal value of its factor.
    bool isLegal(const Eigen::RowVectorXd& point) const;

    /// The point nearest to `target` (coordinates that can be run) in coded units for which the constraints
    /// hold; a change of category counts as 2. Only factors that a constraint names are moved, continuous
    /// ones in steps of 1/50. Empty where none was found.
    std::optional<Eigen::RowVectorXd> nearest(const Eigen::RowVectorXd& target) const;

private:
    struct Axis {
        bool isContinuous = true;
        std::vector<double> coded;  ///< ascending legal values; empty for continuous factors
        std::vector<double> actual; ///< the same in the factor's unit (index of the level)
    };
    static Axis axisOf(const study::Coding& coding, std::size_t factor);
    std::size_t nearestIndex(const Axis& axis, double coded) const;
    double actualAt(std::size_t factor, double coded) const;
    std::vector<double> fromNearToFar(std::size_t factor, double target) const;

    study::Coding m_coding;
    std::vector<Axis> m_axes;
    std::vector<bool> m_isConstrained; ///< factors that a constraint names
    study::ConstraintProgram m_constraints;
};

/// Legal points for a model whose highest power of factor i is `powers[i]`: all combinations of evenly spread
/// levels, at least one more than the power for each factor and as many as keep the number below `most`;
/// where even those are more, a random part of them, drawn from `seed`. points × factors, coded. Throws
/// DesignError when no point is legal.
Eigen::MatrixXd legalCandidates(const study::Study& study, const std::vector<int>& powers,
                                std::size_t most = 4000, std::uint64_t seed = 1);

} // namespace quadric::design
