// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

#include <Eigen/Core>

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace quadric::study {

/// A point in coded units, one entry per factor in the study's order: −1…+1 between low and high for numeric
/// factors, the index of the level (0, 1, …) for categorical ones. A type of its own, so that coded and
/// actual values cannot be mixed.
struct CodedPoint {
    Eigen::VectorXd x;
    CodedPoint() = default;
    explicit CodedPoint(Eigen::VectorXd values)
        : x(std::move(values))
    {
    }
    double operator[](Eigen::Index i) const { return x[i]; }
    double& operator[](Eigen::Index i) { return x[i]; }
    Eigen::Index size() const { return x.size(); }
};

/// The only way between actual settings and coded points. Coded value of a numeric factor:
/// (s(v) − (s(high)+s(low))/2) / ((s(high)−s(low))/2) with s the identity or log2.
class Coding {
public:
    /// Throws std::invalid_argument naming the factor when low is not less than high, or not above 0 on the
    /// log2 scale.
    explicit Coding(std::vector<Factor> factors);

    const std::vector<Factor>& factors() const { return m_factors; }
    Eigen::Index size() const { return static_cast<Eigen::Index>(m_factors.size()); }

    /// Index of the factor with this name, −1 where there is none.
    int indexOf(std::string_view name) const;

    /// Actual → coded and back for one factor. A categorical factor's value is the index of its level in
    /// both. Throws std::invalid_argument when `actual` is not above 0 on the log2 scale.
    double toCoded(std::size_t factor, double actual) const;
    double toActual(std::size_t factor, double coded) const;

    /// Throws std::invalid_argument naming the factor when a value is missing, not a number or not a level.
    CodedPoint toCoded(const Settings& settings) const;

    /// The settings exactly at the coded point, without rounding to what can be run.
    Settings toSettings(const CodedPoint& point) const;

    /// The settings nearest to the coded point, factor by factor, that can really be run (constraints between
    /// factors are not looked at).
    Settings toLegalSettings(const CodedPoint& point) const;

    /// All numeric factors at 0, categorical ones at their first level.
    CodedPoint center() const;

private:
    double codedCategory(std::size_t factor, const Value& value) const;

    std::vector<Factor> m_factors;
    /// Per factor the index of each level by name; empty where the levels are few or numbers.
    std::vector<std::unordered_map<std::string, double>> m_places;
};

} // namespace quadric::study
