// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
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

} // namespace quadric::study
