// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace quadric::workload {

enum class KnobKind {
    Integer,
    Real,
    OptionalReal, ///< a number, or "none"
    Switch,       ///< "on" or "off"
    Choice        ///< one of some names
};

using Choices = std::array<std::string_view, 4>;

/// What a knob takes.
struct Values {
    KnobKind kind;
    double lowest = 0.0, highest = 0.0; ///< legal range of a number, ends included
    std::string_view unit = {};         ///< empty where there is none
    Choices choices = {};               ///< see choicesOf()
};

constexpr Values whole(double lowest, double highest, std::string_view unit = {})
{
    return {KnobKind::Integer, lowest, highest, unit};
}
constexpr Values real(double lowest, double highest, std::string_view unit = {})
{
    return {KnobKind::Real, lowest, highest, unit};
}
constexpr Values realOrNone(double lowest, double highest, std::string_view unit = {})
{
    return {KnobKind::OptionalReal, lowest, highest, unit};
}
constexpr Values onOff()
{
    return {KnobKind::Switch, 0.0, 0.0, {}, {"on", "off"}};
}
constexpr Values oneOf(const Choices& choices)
{
    return {KnobKind::Choice, 0.0, 0.0, {}, choices};
}

/// Engines of the trainer that a knob is for.
enum class Engines {
    All,
    Measured, ///< cpu and cuda
    Simulated
};

/// Whether the speed of one rank alone depends on a knob. Runs that differ only in what one rank ignores can
/// share a baseline.
enum class OneRank { Executes, Ignores };

/// What of a machine bounds a knob, beside its legal range, where runs are measured on that machine.
enum class MachineBound {
    None,
    Cores,
    Memory ///< images that fit into it
};

enum class Spacing { Linear, Log2 };

/// What the wizard makes of a knob.
struct Offer {
    enum class Kind {
        None,
        Setting, ///< a fixed setting
        Factor   ///< a fixed setting, or a factor: it changes how fast the same work is done
    };
    Kind kind = Kind::None;
    double low = 0.0, high = 0.0; ///< suggested ends of the factor; numbers only
    Spacing spacing = Spacing::Linear;
    MachineBound bound = MachineBound::None;
};

constexpr Offer asSetting()
{
    return {Offer::Kind::Setting};
}
constexpr Offer asFactor(double low = 0.0, double high = 0.0, Spacing spacing = Spacing::Linear,
                         MachineBound bound = MachineBound::None)
{
    return {Offer::Kind::Factor, low, high, spacing, bound};
}

/// A setting of the built-in workload.
struct Knob {
    std::string_view name; ///< as studies and QUADRIC_SETTINGS have it: "batch_per_rank"
    std::string_view title;
    std::string_view help; ///< one sentence without its end
    Values values;
    std::string_view usual; ///< the default, as text
    Engines engines;
    OneRank oneRank;
    Offer offer = {};
    std::string_view alias = {}; ///< another name that is understood; empty where there is none
};

constexpr bool isNumber(const Knob& knob)
{
    return knob.values.kind != KnobKind::Switch && knob.values.kind != KnobKind::Choice;
}

/// The names that the knob takes; empty for numbers.
std::span<const std::string_view> choicesOf(const Knob& knob);

/// What values are legal: "1 to 4096 images", "1e-06 to 1000 s, or none", "on, off".
std::string rangeWords(const Knob& knob);

/// The knob of that name or alias; null where there is none.
const Knob* findKnob(std::string_view name);

/// The name that the trainer has for a setting: that of the knob with this name or alias, or else the name
/// itself.
std::string_view knobName(std::string_view name);

/// The names of all knobs: "engine, ranks, …".
std::string knobNames();

} // namespace quadric::workload
