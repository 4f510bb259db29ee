// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/benchmark.h"
#include "core/study/response.h"
#include "core/study/run.h"

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>

namespace quadric::study {

template <class Enum> struct EnumName {
    Enum value;
    std::string_view name;
};

/// The names of an enumeration's values in files, on the command line and on the screen, in the order in
/// which messages list them; empty: it has none.
template <class Enum> inline constexpr std::array<EnumName<Enum>, 0> kEnumNames = {};
template <>
inline constexpr auto
    kEnumNames<FactorType> = std::to_array<EnumName<FactorType>>({{FactorType::Continuous, "continuous"},
                                                                  {FactorType::Integer, "integer"},
                                                                  {FactorType::Discrete, "discrete"},
                                                                  {FactorType::Categorical, "categorical"}});
template <>
inline constexpr auto kEnumNames<Scale> = std::to_array<EnumName<Scale>>({{Scale::Linear, "linear"},
                                                                          {Scale::Log2, "log2"}});
template <>
inline constexpr auto kEnumNames<Goal> = std::to_array<EnumName<Goal>>({{Goal::Maximize, "maximize"},
                                                                        {Goal::Minimize, "minimize"},
                                                                        {Goal::Target, "target"},
                                                                        {Goal::None, "none"}});
template <>
inline constexpr auto
    kEnumNames<RunKind> = std::to_array<EnumName<RunKind>>({{RunKind::Design, "design"},
                                                            {RunKind::Center, "center"},
                                                            {RunKind::Axial, "axial"},
                                                            {RunKind::Baseline, "baseline"},
                                                            {RunKind::Confirmation, "confirmation"},
                                                            {RunKind::Augment, "augment"}});
template <>
inline constexpr auto
    kEnumNames<RunStatus> = std::to_array<EnumName<RunStatus>>({{RunStatus::Pending, "pending"},
                                                                {RunStatus::Running, "running"},
                                                                {RunStatus::Done, "done"},
                                                                {RunStatus::Failed, "failed"},
                                                                {RunStatus::Excluded, "excluded"}});
template <>
inline constexpr auto kEnumNames<Source> = std::to_array<EnumName<Source>>({{Source::Measured, "measured"},
                                                                            {Source::Simulated, "simulated"},
                                                                            {Source::Imported, "imported"},
                                                                            {Source::Typed, "typed"},
                                                                            {Source::Unknown, "unknown"}});
template <>
inline constexpr auto kEnumNames<BaselineMode> = std::to_array<EnumName<BaselineMode>>(
    {{BaselineMode::Shared, "shared"}, {BaselineMode::Own, "own"}, {BaselineMode::Off, "off"}});
template <>
inline constexpr auto kEnumNames<LauncherKind> =
    std::to_array<EnumName<LauncherKind>>({{LauncherKind::Local, "local"}, {LauncherKind::Slurm, "slurm"}});
template <>
inline constexpr auto kEnumNames<SlurmOptions::Start> = std::to_array<EnumName<SlurmOptions::Start>>(
    {{SlurmOptions::Start::Ranks, "ranks"}, {SlurmOptions::Start::Once, "once"}});

/// Without BoxCox, whose name has a number.
template <>
inline constexpr auto
    kEnumNames<TransformKind> = std::to_array<EnumName<TransformKind>>({{TransformKind::None, "none"},
                                                                        {TransformKind::Log, "log"},
                                                                        {TransformKind::Sqrt, "sqrt"},
                                                                        {TransformKind::Inverse, "inverse"},
                                                                        {TransformKind::Logit, "logit"}});

template <class Enum>
concept NamedEnum = std::is_enum_v<Enum> &&(kEnumNames<Enum>.size() > 0);

template <NamedEnum Enum> constexpr std::string_view nameOf(Enum value)
{
    for (const auto& [candidate, name] : kEnumNames<Enum>) {
        if (candidate == value)
            return name;
    }
    return {};
}

/// Empty for a name that is none.
template <NamedEnum Enum> constexpr std::optional<Enum> valueNamed(std::string_view name)
{
    for (const auto& [value, candidate] : kEnumNames<Enum>) {
        if (candidate == name)
            return value;
    }
    return std::nullopt;
}

inline constexpr auto factorTypeFrom = &valueNamed<FactorType>;
inline constexpr auto scaleFrom = &valueNamed<Scale>;
inline constexpr auto goalFrom = &valueNamed<Goal>;
inline constexpr auto runKindFrom = &valueNamed<RunKind>;
inline constexpr auto runStatusFrom = &valueNamed<RunStatus>;
inline constexpr auto sourceFrom = &valueNamed<Source>;

/// "none", "log", "sqrt", "inverse", "logit" or "boxcox:λ".
std::string nameOf(const Transform& transform);
/// Reads what nameOf() writes; empty for anything else.
std::optional<Transform> transformFrom(std::string_view text);

} // namespace quadric::study
