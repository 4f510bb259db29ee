// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace quadric::workload {

/// What a knob takes.
enum class KnobKind {
    Integer,
    Real,
    OptionalReal, ///< a number, or "none"
    Switch,       ///< "on" or "off"
    Choice        ///< one of some names
};

/// Engines of the trainer that a knob is for.
enum class Engines {
    All,
    Measured, ///< cpu and cuda
    Simulated
};

/// What the wizard makes of a knob.
enum class Offer {
    None,
    Setting, ///< a fixed setting
    Factor   ///< a fixed setting, or a factor: it changes how fast the same work is done
};

/// What of a machine bounds a knob, beside its legal range, where runs are measured on that machine.
enum class MachineBound {
    None,
    Cores,
    Memory ///< images that fit into it
};

/// How the wizard offers a knob.
struct WizardOffer {
    Offer offer = Offer::None;
    MachineBound bound = MachineBound::None;
    double low = 0.0, high = 0.0; ///< ends of a factor that is made from it; numbers only
    bool isLog2 = false;          ///< scale of that factor
};

inline constexpr std::size_t kMostChoices = 4;

/// A setting of the built-in workload.
struct Knob {
    std::string_view name = {};  ///< as studies and QUADRIC_SETTINGS have it: "batch_per_rank"
    std::string_view alias = {}; ///< another name that is understood; empty where there is none
    std::string_view title = {};
    std::string_view help = {}; ///< one sentence without its end
    std::string_view unit = {}; ///< empty where there is none
    KnobKind kind = KnobKind::Choice;
    double lowest = 0.0, highest = 0.0;                      ///< legal range of a number, ends included
    std::array<std::string_view, kMostChoices> choices = {}; ///< see choicesOf()
    std::string_view usual = {};                             ///< the default, as text
    Engines engines = Engines::All;
    /// Whether the speed of one rank alone depends on the knob. Runs that differ only in knobs for which this
    /// is false can share a baseline.
    bool actsOnBaseline = true;
    WizardOffer wizard = {};
};

constexpr bool isNumber(const Knob& knob)
{
    return knob.kind != KnobKind::Switch && knob.kind != KnobKind::Choice;
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
