// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/derived.h"

#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

namespace quadric::study {

namespace {

/// What the runner sees of any program, and adds to its results where the study asks for it; `power_w` of all
/// GPUs of the run, `gpu_memory_peak_mib` of the fullest.
constexpr auto kTelemetryResults =
    std::to_array<std::string_view>({"run_seconds", "energy_joules", "power_w", "gpu_memory_peak_mib"});

/// The devices of this machine and of all nodes of a job.
std::vector<const Meters*> collectDevices(const Telemetry& telemetry)
{
    std::vector<const Meters*> devices;
    for (const Meters& device : telemetry.devices)
        devices.push_back(&device);
    for (const Telemetry& node : telemetry.nodes) {
        const std::vector<const Meters*> more = collectDevices(node);
        devices.insert(devices.end(), more.begin(), more.end());
    }
    return devices;
}

/// A number of a device, or one of its smallest, mean and largest.
std::optional<double> readDeviceMeter(const Meters& device, const char* name, const char* which)
{
    const auto found = device.unknown.find(name);
    if (found == device.unknown.end())
        return std::nullopt;
    nlohmann::json value = nlohmann::json::parse(found->second, nullptr, false);
    if (value.is_object() && value.contains(which))
        value = value[which];
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

/// Nothing unless every GPU tells it: a sum over some of them would look like the sum over all.
std::optional<std::vector<double>> readDeviceMeters(const Run& run, const char* name, const char* which = "")
{
    std::vector<double> values;
    if (!run.provenance.telemetry)
        return std::nullopt;
    for (const Meters* device : collectDevices(*run.provenance.telemetry)) {
        const std::optional<double> value = readDeviceMeter(*device, name, which);
        if (!value)
            return std::nullopt;
        values.push_back(*value);
    }
    return values.empty() ? std::nullopt : std::optional(values);
}

double sumOf(const std::vector<double>& values)
{
    double sum = 0.0;
    for (const double value : values)
        sum += value;
    return sum;
}

std::optional<double> telemetryOf(const Run& run, std::string_view name)
{
    if (name == "run_seconds")
        return run.provenance.seconds;
    if (name == "gpu_memory_peak_mib") {
        const auto values = readDeviceMeters(run, "memory_mib", "max");
        return values ? std::optional(*std::ranges::max_element(*values)) : std::nullopt;
    }
    const auto values =
        name == "power_w" ? readDeviceMeters(run, "power_w", "mean") : readDeviceMeters(run, "energy_joules");
    return values ? std::optional(sumOf(*values)) : std::nullopt;
}

/// Names that the study asks for: its responses, and what its expressions are made of.
std::set<std::string, std::less<>> wantedNames(const Study& study, const std::vector<DerivedResult>& derived)
{
    std::set<std::string, std::less<>> names;
    for (const Response& response : study.responses)
        names.insert(response.name);
    for (const DerivedResult& result : derived) {
        const Expression expression(result.expression);
        names.insert(expression.names().begin(), expression.names().end());
    }
    return names;
}

/// Settings before results: they are what was asked for.
Settings numbersOf(const Study& study, const Run& run)
{
    Settings numbers = run.settings;
    numbers.insert(study.fixed.begin(), study.fixed.end());
    numbers.insert(study.benchmark.options.begin(), study.benchmark.options.end());
    for (const auto& [name, value] : run.results)
        numbers.emplace(name, value);
    return numbers;
}

/// Half the difference of the expression at both ends of the number's spread.
std::optional<double> halfDifference(const Expression& expression, Settings numbers, const std::string& name,
                                     double spread)
{
    const double middle = std::get<double>(numbers[name]);
    numbers[name] = middle + spread;
    const std::optional<double> above = expression.value(numbers);
    numbers[name] = middle - spread;
    const std::optional<double> below = expression.value(numbers);
    return above && below ? std::optional((*above - *below) / 2.0) : std::nullopt;
}

/// Nothing where none of its numbers has a spread, or one of them makes it undefined.
std::optional<double> propagatedSpread(const Expression& expression, const Settings& numbers, const Run& run)
{
    std::optional<double> squares;
    for (const std::string& name : expression.names()) {
        const auto spread = run.spread.find(name);
        if (spread == run.spread.end() || run.settings.contains(name))
            continue;
        const std::optional<double> half = halfDifference(expression, numbers, name, spread->second);
        if (!half)
            return std::nullopt;
        squares = squares.value_or(0.0) + *half * *half;
    }
    return squares ? std::optional(std::sqrt(*squares)) : std::nullopt;
}

void addDerived(const Study& study, const DerivedResult& result, Run& run)
{
    const Expression expression(result.expression);
    const Settings numbers = numbersOf(study, run);
    run.results.erase(result.name);
    run.spread.erase(result.name);
    const std::optional<double> value = expression.value(numbers);
    if (!value)
        return;
    run.results[result.name] = *value;
    if (const auto spread = propagatedSpread(expression, numbers, run))
        run.spread[result.name] = *spread;
}

/// Empty for a text that is none.
std::optional<Expression> readExpression(const std::string& text)
{
    try {
        return Expression(text);
    } catch (const std::invalid_argument&) {
        return std::nullopt; // is complained about where it is typed
    }
}

/// Those that others are made of come first.
std::vector<DerivedResult> dependenciesFirst(std::vector<DerivedResult> left)
{
    std::vector<DerivedResult> ordered;
    while (!left.empty()) {
        const auto waits = [&left](const DerivedResult& result) {
            const Expression expression(result.expression);
            return std::ranges::any_of(left, [&](const DerivedResult& other) {
                return std::ranges::find(expression.names(), other.name) != expression.names().end();
            });
        };
        auto next = std::ranges::find_if_not(left, waits);
        if (next == left.end())
            return ordered; // the rest is made of itself
        ordered.push_back(*next);
        left.erase(next);
    }
    return ordered;
}

std::vector<std::string> knownNames(const Study& study)
{
    std::set<std::string> names(kTelemetryResults.begin(), kTelemetryResults.end());
    for (const Factor& factor : study.factors)
        names.insert(factor.name);
    for (const auto& [name, value] : study.fixed)
        names.insert(name);
    for (const Response& response : study.responses)
        names.insert(response.name);
    for (const DerivedResult& derived : derivedResults(study))
        names.insert(derived.name);
    for (const Run& run : study.runs)
        for (const auto& [name, value] : run.results)
            names.insert(name);
    return {names.begin(), names.end()};
}

} // namespace

Expression::Expression(const std::string& text)
    : m_comparison("(" + text + ") >= 0")
{
}

std::optional<double> Expression::value(const Settings& numbers) const
{
    for (const std::string& name : names()) {
        const auto found = numbers.find(name);
        if (found == numbers.end() || !std::holds_alternative<double>(found->second))
            return std::nullopt;
    }
    const auto sides = m_comparison.findSides(numbers);
    return sides ? std::optional(sides->leftValue) : std::nullopt;
}

std::vector<DerivedResult> derivedResults(const Study& study)
{
    std::vector<DerivedResult> derived;
    for (const auto& [name, expression] : study.derived) {
        if (readExpression(expression))
            derived.push_back({name, expression});
    }
    return dependenciesFirst(std::move(derived));
}

std::string expressionOf(const Study& study, std::string_view name)
{
    const auto found = study.derived.find(std::string(name));
    return found == study.derived.end() ? std::string() : found->second;
}

void removeDerived(Study& study, const std::string& name)
{
    study.derived.erase(name);
}

void renameDerived(Study& study, const std::map<std::string, std::string>& names,
                   const std::function<void(std::string& expression)>& rename)
{
    std::map<std::string, std::string> renamed;
    for (auto& [name, expression] : study.derived) {
        rename(expression);
        const auto found = names.find(name);
        renamed.insert_or_assign(found == names.end() ? name : found->second, expression);
    }
    study.derived = std::move(renamed);
}

void setDerived(Study& study, const std::string& name, const std::string& expression)
{
    const Expression read(expression);
    if (std::ranges::find(read.names(), name) != read.names().end())
        throw std::invalid_argument(name + " cannot be computed from itself");
    study.derived[name] = expression;
}

bool isComputed(const Study& study, std::string_view result)
{
    const auto pattern = study.benchmark.parse.patterns.find(std::string(result));
    if (pattern != study.benchmark.parse.patterns.end() && !pattern->second.empty())
        return false;
    const std::vector<DerivedResult> derived = derivedResults(study);
    return std::ranges::find(kTelemetryResults, result) != kTelemetryResults.end() ||
           std::ranges::find(derived, result, &DerivedResult::name) != derived.end();
}

Run withComputedResults(const Study& study, Run run)
{
    if (run.results.empty())
        return run;
    const std::vector<DerivedResult> derived = derivedResults(study);
    const auto wanted = wantedNames(study, derived);
    for (const std::string_view name : kTelemetryResults) {
        const std::optional<double> value = telemetryOf(run, name);
        if (value && wanted.contains(name) && !numbersOf(study, run).contains(std::string(name)))
            run.results[std::string(name)] = *value;
    }
    for (const DerivedResult& result : derived)
        addDerived(study, result, run);
    return run;
}

std::string describeUnknownNames(const Study& study, const std::string& response)
{
    const std::string expression = expressionOf(study, response);
    if (expression.empty())
        return {};
    const std::vector<std::string> known = knownNames(study);
    const std::optional<Expression> read = readExpression(expression);
    std::vector<std::string> unknown = read ? read->names() : std::vector<std::string>();
    std::erase_if(unknown,
                  [&known](const std::string& name) { return std::ranges::binary_search(known, name); });
    if (unknown.empty())
        return {};
    const bool isMeasured = countRuns(study, RunStatus::Done) > 0;
    const std::string words = text::formatList(unknown) + (unknown.size() > 1 ? " are" : " is");
    const std::string meant = text::suggestNearest(unknown.front(), known);
    return words + " no factor, fixed setting or response" +
           (isMeasured ? ", and no run reports " + std::string(unknown.size() > 1 ? "them" : "it")
                       : "; add a fixed setting, unless the program reports it") +
           (meant.empty() ? meant : "." + meant);
}

} // namespace quadric::study
