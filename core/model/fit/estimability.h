// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/observations.h"

#include <string>

namespace quadric::model {

/// What the runs can tell of the model that was asked for: a setting is estimable where its row is a
/// combination of the rows of the runs, terms that are aliased included. Not counted are aliases that are the
/// structure of a design: interactions that equal another term, or fixed blocks, in all runs. Between two
/// levels of a factor the straight line stands for its square; beyond them nothing is known.
class Estimability {
public:
    /// `terms`: those that were asked for, or where they were chosen by the runs (`isChosen`) those in the
    /// model; then any factor may matter, and bend. `hasAliases`: some of the terms are not in the fit.
    Estimability(const Observations& data, const std::vector<study::Factor>& factors,
                 const std::vector<Term>& terms, bool isChosen, bool hasAliases);

    bool isEstimable(const study::CodedPoint& point) const;

    /// Whether the runs tell the difference between two settings: what they cannot tell is the same at both.
    bool isDifferenceEstimable(const study::CodedPoint& a, const study::CodedPoint& b) const;

    /// Per factor the coded settings outside of which nothing is known; empty: no limit.
    const std::vector<std::optional<std::pair<double, double>>>& limits() const { return m_limits; }

    /// Factors, by index, of terms that other terms or fixed blocks explain in all runs, and of those terms:
    /// only some combinations of their settings are estimable.
    std::vector<std::size_t> aliasedFactors() const;

    /// Why a setting is not estimable and which runs would tell, as a sentence; empty where it is.
    std::string describe(const study::CodedPoint& point) const;

private:
    /// A column that others explain in all runs.
    struct Alias {
        Column column;
        Eigen::VectorXd ofTerms, ofBlocks; ///< weights of m_columns and of the contrasts of the blocks
    };

    void findLimits(const Observations& data, const std::vector<Term>& terms, bool isChosen);
    void findAliases(const Observations& data, const std::vector<Column>& columns);
    bool isWithinLimits(const study::CodedPoint& point, std::size_t factor) const;
    double missing(const Alias& alias, const study::CodedPoint& point) const;
    bool isMissing(const Alias& alias, const study::CodedPoint& point) const;
    std::string namePartners(const Alias& alias) const;
    std::string nameSetting(const std::vector<std::size_t>& factors, const study::CodedPoint& point) const;
    std::string nameTellingBlock(const std::vector<const Alias*>& broken,
                                 const study::CodedPoint& point) const;

    std::vector<study::Factor> m_factors;
    std::vector<std::optional<std::pair<double, double>>> m_limits;
    std::vector<std::vector<double>> m_levels; ///< of limited factors, coded
    std::vector<std::vector<bool>> m_seen;     ///< per factor: which categories the runs have
    std::vector<bool> m_isAsked;
    std::vector<int> m_blocks; ///< ids of fixed blocks
    std::vector<Column> m_columns;
    std::vector<Alias> m_aliases;
};

} // namespace quadric::model
