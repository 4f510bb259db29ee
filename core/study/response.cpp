// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/response.h"

#include "core/study/study.h"
#include "core/workload/response_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace quadric::study {

namespace {

constexpr std::string_view kModelFlopsUtilization = "mfu_pct"; ///< of quadric-torch
constexpr std::string_view kAtLeast = "≥";

/// The logit between the response's own bounds, whatever those of the transform are.
Transform logitBetween(const Bounds& bounds, double inset)
{
    return {TransformKind::Logit, 1.0, bounds.low, bounds.high.value_or(1.0), inset};
}

bool hasTwo(const std::optional<Bounds>& bounds)
{
    return bounds && bounds->high;
}

constexpr double kWhole = 100.0; ///< per cent

constexpr auto kTimeUnits = std::to_array<std::string_view>(
    {"ns", "us", "µs", "ms", "s", "sec", "seconds", "min", "minutes", "h", "hours", "days"});
constexpr auto kMemoryUnits =
    std::to_array<std::string_view>({"b", "bytes", "kb", "kib", "mb", "mib", "gb", "gib", "tb", "tib"});
constexpr auto kEnergyUnits =
    std::to_array<std::string_view>({"j", "kj", "mj", "wh", "kwh", "w", "kw", "j/img", "j/token"});

/// What a name without a unit says; the first that is found counts.
constexpr auto kWords = std::to_array<std::pair<std::string_view, Quantity>>({{"per_s", Quantity::Speed},
                                                                              {"per sec", Quantity::Speed},
                                                                              {"throughput", Quantity::Speed},
                                                                              {"tput", Quantity::Speed},
                                                                              {"speed", Quantity::Speed},
                                                                              {"bandwidth", Quantity::Speed},
                                                                              {"flops", Quantity::Speed},
                                                                              {"latency", Quantity::Time},
                                                                              {"duration", Quantity::Time},
                                                                              {"runtime", Quantity::Time},
                                                                              {"time", Quantity::Time},
                                                                              {"seconds", Quantity::Time},
                                                                              {"memory", Quantity::Memory},
                                                                              {"vram", Quantity::Memory},
                                                                              {"energy", Quantity::Energy},
                                                                              {"joules", Quantity::Energy},
                                                                              {"watts", Quantity::Energy}});

std::string lowered(std::string_view text)
{
    std::string result(text);
    for (char& letter : result) {
        if (letter >= 'A' && letter <= 'Z')
            letter = static_cast<char>(letter - 'A' + 'a');
    }
    return result;
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// The number that a text is from its first to its last character.
std::optional<double> wholeNumber(std::string_view text)
{
    text = trimmed(text);
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isWhole = error == std::errc{} && end == text.data() + text.size();
    return isWhole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

} // namespace

Transform effectiveTransform(const Response& response)
{
    const Transform& own = response.transform;
    return own.kind == TransformKind::Logit && hasTwo(response.bounds)
               ? logitBetween(*response.bounds, own.inset)
               : own;
}

Quantity quantityOf(const Response& response)
{
    const std::string unit = lowered(response.unit);
    if (unit == "%")
        return Quantity::Percent;
    if (unit.ends_with("/s") || unit.ends_with("/sec") || unit.ends_with("/min") || unit.ends_with("flops"))
        return Quantity::Speed;
    if (std::ranges::count(kTimeUnits, unit) > 0)
        return Quantity::Time;
    if (std::ranges::count(kMemoryUnits, unit) > 0)
        return Quantity::Memory;
    if (std::ranges::count(kEnergyUnits, unit) > 0)
        return Quantity::Energy;
    if (!unit.empty())
        return Quantity::Other;
    const std::string name = lowered(response.name);
    const auto said = std::ranges::find_if(
        kWords, [&](const auto& each) { return name.find(each.first) != std::string::npos; });
    return said == kWords.end() ? Quantity::Other : said->second;
}

std::optional<Bounds> physicalBounds(const Response& response, double smallestMeasured,
                                     double largestMeasured)
{
    if (response.bounds)
        return response.bounds;
    const Quantity quantity = quantityOf(response);
    const bool isPositive = quantity != Quantity::Other || lowered(response.name).starts_with("loss");
    if (!isPositive || smallestMeasured < 0.0)
        return std::nullopt;
    return quantity == Quantity::Percent ? Bounds{0.0, std::max(kWhole, largestMeasured)} : Bounds{};
}

std::string whyNotWithinBounds(const Response& response, const Transform& transform)
{
    return transform.kind == TransformKind::Logit && !hasTwo(response.bounds)
               ? "the transform logit needs two bounds of " + response.name + ", such as 0 … 100"
               : "";
}

std::string problemOf(const Bounds& bounds)
{
    if (!std::isfinite(bounds.low) || !std::isfinite(bounds.high.value_or(0.0)))
        return "expected finite numbers";
    if (bounds.high && bounds.low >= *bounds.high)
        return "the lower bound " + toText(bounds.low) + " is not less than the upper bound " +
               toText(*bounds.high);
    if (!bounds.high && bounds.low != 0.0)
        return "the only bound is " + toText(bounds.low) +
               ", expected 0 (0 and above) or an upper bound beside it";
    return {};
}

std::string describeBounds(const Bounds& bounds)
{
    return bounds.high ? toText(bounds.low) + " … " + toText(*bounds.high) : "≥ " + toText(bounds.low);
}

std::optional<Bounds> knownBounds(std::string_view response)
{
    if (response == kModelFlopsUtilization)
        return Bounds{0.0, 100.0};
    const workload::Response* known = workload::findResponse(response);
    if (known == nullptr || known->range == workload::Range::Free)
        return std::nullopt;
    return known->range == workload::Range::Percent ? Bounds{0.0, 100.0} : Bounds{};
}

std::optional<Bounds> boundsFrom(std::string_view text)
{
    text = trimmed(text);
    if (text.starts_with(kAtLeast)) {
        const auto low = wholeNumber(text.substr(kAtLeast.size()));
        return low ? std::optional(Bounds{*low, std::nullopt}) : std::nullopt;
    }
    for (const std::string_view separator : {"..", "…", "–"}) {
        const std::size_t at = text.find(separator);
        if (at == std::string_view::npos)
            continue;
        const std::string_view after = trimmed(text.substr(at + separator.size()));
        const auto low = wholeNumber(text.substr(0, at)), high = wholeNumber(after);
        return low && (high || after.empty()) ? std::optional(Bounds{*low, high}) : std::nullopt;
    }
    return std::nullopt;
}

} // namespace quadric::study
