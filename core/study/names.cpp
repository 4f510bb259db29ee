// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace quadric::study {
namespace {

template <class Enum, std::size_t n> using NameTable = std::array<std::pair<Enum, std::string_view>, n>;

constexpr NameTable<FactorType, 4> kFactorTypes{{{FactorType::Continuous, "continuous"},
                                                 {FactorType::Integer, "integer"},
                                                 {FactorType::Discrete, "discrete"},
                                                 {FactorType::Categorical, "categorical"}}};
constexpr NameTable<Scale, 2> kScales{{{Scale::Linear, "linear"}, {Scale::Log2, "log2"}}};
constexpr NameTable<Goal, 4> kGoals{{{Goal::None, "none"},
                                     {Goal::Maximize, "maximize"},
                                     {Goal::Minimize, "minimize"},
                                     {Goal::Target, "target"}}};
constexpr NameTable<Weights, 2> kWeights{{{Weights::Equal, "equal"}, {Weights::Spread, "spread"}}};
constexpr NameTable<RunKind, 6> kRunKinds{{{RunKind::Design, "design"},
                                           {RunKind::Center, "center"},
                                           {RunKind::Axial, "axial"},
                                           {RunKind::Baseline, "baseline"},
                                           {RunKind::Confirmation, "confirmation"},
                                           {RunKind::Augment, "augment"}}};
constexpr NameTable<RunStatus, 5> kRunStatuses{{{RunStatus::Pending, "pending"},
                                                {RunStatus::Running, "running"},
                                                {RunStatus::Done, "done"},
                                                {RunStatus::Failed, "failed"},
                                                {RunStatus::Excluded, "excluded"}}};
constexpr NameTable<Source, 5> kSources{{{Source::Unknown, "unknown"},
                                         {Source::Measured, "measured"},
                                         {Source::Simulated, "simulated"},
                                         {Source::Imported, "imported"},
                                         {Source::Typed, "typed"}}};
constexpr NameTable<BaselineMode, 3> kBaselineModes{
    {{BaselineMode::Shared, "shared"}, {BaselineMode::Own, "own"}, {BaselineMode::Off, "off"}}};
constexpr NameTable<LauncherKind, 2> kLaunchers{
    {{LauncherKind::Local, "local"}, {LauncherKind::Slurm, "slurm"}}};
constexpr NameTable<TransformKind, 5> kTransforms{{{TransformKind::None, "none"},
                                                   {TransformKind::Log, "log"},
                                                   {TransformKind::Sqrt, "sqrt"},
                                                   {TransformKind::Inverse, "inverse"},
                                                   {TransformKind::Logit, "logit"}}};
constexpr std::string_view kBoxCox = "boxcox:";

template <class Enum, std::size_t n> std::string_view nameIn(const NameTable<Enum, n>& table, Enum value)
{
    for (const auto& [candidate, name] : table) {
        if (candidate == value)
            return name;
    }
    return {};
}

template <class Enum, std::size_t n>
std::optional<Enum> valueIn(const NameTable<Enum, n>& table, std::string_view name)
{
    for (const auto& [value, candidate] : table) {
        if (candidate == name)
            return value;
    }
    return std::nullopt;
}

} // namespace

std::string_view nameOf(FactorType type)
{
    return nameIn(kFactorTypes, type);
}
std::string_view nameOf(Scale scale)
{
    return nameIn(kScales, scale);
}
std::string_view nameOf(Weights weights)
{
    return nameIn(kWeights, weights);
}
std::string_view nameOf(Goal goal)
{
    return nameIn(kGoals, goal);
}
std::string_view nameOf(RunKind kind)
{
    return nameIn(kRunKinds, kind);
}
std::string_view nameOf(RunStatus status)
{
    return nameIn(kRunStatuses, status);
}
std::string_view nameOf(Source source)
{
    return nameIn(kSources, source);
}
std::string_view nameOf(BaselineMode mode)
{
    return nameIn(kBaselineModes, mode);
}
std::string_view nameOf(LauncherKind launcher)
{
    return nameIn(kLaunchers, launcher);
}

std::string nameOf(const Transform& transform)
{
    if (transform.kind == TransformKind::BoxCox)
        return std::string(kBoxCox) + toText(transform.lambda);
    return std::string(nameIn(kTransforms, transform.kind));
}

std::optional<FactorType> factorTypeFrom(std::string_view name)
{
    return valueIn(kFactorTypes, name);
}
std::optional<Scale> scaleFrom(std::string_view name)
{
    return valueIn(kScales, name);
}
std::optional<Weights> weightsFrom(std::string_view name)
{
    return valueIn(kWeights, name);
}
std::optional<Goal> goalFrom(std::string_view name)
{
    return valueIn(kGoals, name);
}
std::optional<RunKind> runKindFrom(std::string_view name)
{
    return valueIn(kRunKinds, name);
}
std::optional<RunStatus> runStatusFrom(std::string_view name)
{
    return valueIn(kRunStatuses, name);
}
std::optional<Source> sourceFrom(std::string_view name)
{
    return valueIn(kSources, name);
}
std::optional<BaselineMode> baselineModeFrom(std::string_view name)
{
    return valueIn(kBaselineModes, name);
}
std::optional<LauncherKind> launcherFrom(std::string_view name)
{
    return valueIn(kLaunchers, name);
}

std::optional<Transform> transformFrom(std::string_view text)
{
    if (const auto kind = valueIn(kTransforms, text))
        return Transform{*kind, 1.0};
    if (!text.starts_with(kBoxCox))
        return std::nullopt;
    text.remove_prefix(kBoxCox.size());
    double lambda = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), lambda);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(lambda))
        return std::nullopt;
    return Transform{TransformKind::BoxCox, lambda};
}

} // namespace quadric::study
