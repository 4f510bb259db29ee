// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace quadric::study {

/// Keys of the study file that this version does not know, as JSON text. They are kept and written back.
using UnknownKeys = std::map<std::string, std::string>;

/// The value of one factor in one run, in its own unit: a number, or the name of a categorical level.
using Value = std::variant<double, std::string>;

/// Factor name → actual value. What a run is started with, after rounding to what can be run.
using Settings = std::map<std::string, Value, std::less<>>;

enum class FactorType { Continuous, Integer, Discrete, Categorical };
enum class Scale { Linear, Log2 };

/// Something that the experiment varies. Like all structs of a study it initializes every member, so that
/// designated initializers may leave any of them out.
struct Factor {
    std::string name = {};
    std::string unit = {};
    FactorType type = FactorType::Continuous;
    double low = 0.0;                         ///< actual value coded −1 (numeric factors)
    double high = 1.0;                        ///< actual value coded +1
    Scale scale = Scale::Linear;              ///< the scale on which the coded value is taken
    std::int64_t multipleOf = 1;              ///< integer factors: legal values are multiples of this
    std::vector<double> levels = {};          ///< discrete factors: the legal values, ascending
    std::vector<std::string> categories = {}; ///< categorical factors: the level names
    std::string binds = {};                   ///< "ranks" marks the number of GPUs or ranks; empty otherwise
    UnknownKeys unknown = {};

    bool isNumeric() const { return type != FactorType::Categorical; }
    bool operator==(const Factor&) const = default;
};

/// The value on the factor's scale: itself, or its logarithm to the base 2.
double onScale(const Factor& factor, double actual);

/// Text of a value in the C locale, shortest form that reads back exactly ("36", "0.5", "bf16").
std::string toText(const Value& value);

/// The number in `value`; NaN for a categorical level.
double numberOf(const Value& value);

/// The nearest value that can really be run, measured on the factor's scale: integers, multiples, listed
/// levels. Stays inside [low, high] when a legal value lies there. Continuous values are returned unchanged.
double snapToLegal(const Factor& factor, double actual);

/// Every legal value between `from` and `to` (actual units), ascending; empty for continuous factors and for
/// ranges with more than `most` values.
std::vector<double> legalValues(const Factor& factor, double from, double to, std::size_t most = 100000);

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
