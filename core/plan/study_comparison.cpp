// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/study_comparison.h"

#include "core/model/base/distributions.h"
#include "core/model/fit/effects.h"
#include "core/plan/jobs.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace quadric::plan {

namespace {

constexpr std::size_t kMostValues = 3; ///< of a fact that are written out

/// The values of a response at one setting, in both studies.
struct PairedValues {
    std::vector<double> first, second;
};

using ValuesBySetting = std::map<std::vector<std::string>, PairedValues>;

std::vector<std::string> factorNames(const study::Study& first, const study::Study& second)
{
    std::set<std::string> names;
    for (const study::Study* study : {&first, &second}) {
        for (const study::Factor& factor : study->factors)
            names.insert(factor.name);
    }
    return {names.begin(), names.end()};
}

/// The run's values of these settings, fixed ones where it has none of its own.
std::vector<std::string> placeOf(const study::Study& study, const study::Run& run,
                                 const std::vector<std::string>& names)
{
    std::vector<std::string> place;
    for (const std::string& name : names) {
        const auto own = run.settings.find(name);
        const auto fixed = study.fixed.find(name);
        place.push_back(own != run.settings.end()    ? study::toText(own->second)
                        : fixed != study.fixed.end() ? study::toText(fixed->second)
                                                     : std::string());
    }
    return place;
}

ValuesBySetting valuesOf(const study::Study& first, const study::Study& second, const std::string& response)
{
    const std::vector<std::string> names = factorNames(first, second);
    ValuesBySetting values;
    const auto add = [&](const study::Study& study, std::vector<double> PairedValues::*side) {
        for (const study::Run& run : study.runs) {
            const auto result = run.results.find(response);
            if (run.status == study::RunStatus::Done && result != run.results.end() &&
                std::isfinite(result->second))
                (values[placeOf(study, run, names)].*side).push_back(result->second);
        }
    };
    add(first, &PairedValues::first);
    add(second, &PairedValues::second);
    std::erase_if(values,
                  [](const auto& each) { return each.second.first.empty() || each.second.second.empty(); });
    return values;
}

double meanOf(const std::vector<double>& values)
{
    double sum = 0.0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

/// Variance of the mean of these.
double errorVariance(const std::vector<double>& values)
{
    const double mean = meanOf(values);
    double squares = 0.0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    const auto n = static_cast<double>(values.size());
    return squares / (n - 1.0) / n;
}

/// A mean with the variance of its error and the degrees of freedom of that.
struct EstimatedMean {
    double mean = 0.0, variance = 0.0, df = 0.0;
};

/// Welch's difference of the repeated runs of one setting; none where a side has a single run.
std::optional<EstimatedMean> welch(const PairedValues& values)
{
    if (values.first.size() < 2 || values.second.size() < 2)
        return std::nullopt;
    const double a = errorVariance(values.first), b = errorVariance(values.second);
    const double df = (a + b) * (a + b) /
                      (a * a / static_cast<double>(values.first.size() - 1) +
                       b * b / static_cast<double>(values.second.size() - 1));
    return EstimatedMean{meanOf(values.second) - meanOf(values.first), a + b, df};
}

std::optional<EstimatedMean> paired(const std::vector<double>& differences)
{
    if (differences.size() < 2)
        return std::nullopt;
    return EstimatedMean{meanOf(differences), errorVariance(differences),
                         static_cast<double>(differences.size() - 1)};
}

bool isPositive(const ValuesBySetting& values)
{
    return std::ranges::all_of(values, [](const auto& each) {
        const auto above = [](double value) { return value > 0.0; };
        return std::ranges::all_of(each.second.first, above) &&
               std::ranges::all_of(each.second.second, above);
    });
}

void takeLogarithms(ValuesBySetting& values)
{
    for (auto& [place, sides] : values) {
        for (std::vector<double>* side : {&sides.first, &sides.second}) {
            for (double& value : *side)
                value = std::log(value);
        }
    }
}

bool isSpeed(const study::Response& response)
{
    return isRateUnit(response.unit) || response.name.ends_with("_per_sec") ||
           (secondsPerUnit(response.unit).has_value() && !response.unit.empty());
}

void estimate(ValuesBySetting values, double confidence, ResponseDifference& result)
{
    if (result.isRatio)
        takeLogarithms(values);
    std::vector<double> differences;
    for (const auto& [place, sides] : values)
        differences.push_back(meanOf(sides.second) - meanOf(sides.first));
    const auto back = [&result](double value) { return result.isRatio ? std::exp(value) : value; };
    const auto [least, most] = std::ranges::minmax(differences);
    result.smallest = back(least);
    result.largest = back(most);
    result.estimate = back(meanOf(differences));
    const auto mean = differences.size() > 1 ? paired(differences) : welch(values.begin()->second);
    if (!mean || !(mean->variance > 0.0)) {
        result.message = !mean ? "one setting without repeated runs in both studies has no interval"
                               : "all differences are exactly the same: copied results?";
        return;
    }
    const double error = std::sqrt(mean->variance);
    const double half = model::tLimit(1.0 - confidence, mean->df) * error;
    result.interval = model::Interval{back(mean->mean - half), back(mean->mean + half)};
    result.p = model::tProbability(std::abs(mean->mean) / error, mean->df);
}

/// Both studies have it, in the same unit.
ResponseDifference compareResponse(const study::Study& first, const study::Study& second,
                                   const study::Response& response, double confidence)
{
    ResponseDifference result{.response = response.name, .unit = response.unit, .goal = response.goal};
    result.isSpeed = isSpeed(response);
    const study::Response& other = *study::findResponse(second, response.name);
    if (other.unit != response.unit) {
        result.message = "measured in " + response.unit + " and in " + other.unit;
        return result;
    }
    const ValuesBySetting values = valuesOf(first, second, response.name);
    result.settings = static_cast<int>(values.size());
    for (const auto& [place, sides] : values) {
        result.firstRuns += static_cast<int>(sides.first.size());
        result.secondRuns += static_cast<int>(sides.second.size());
    }
    result.isRatio = isPositive(values);
    if (values.empty())
        result.message = "no setting has a result in both studies";
    else
        estimate(values, confidence, result);
    return result;
}

Difference verdictOf(const ResponseDifference& result, double level)
{
    if (!result.adjustedP || *result.adjustedP >= level)
        return Difference::NotShown;
    const bool isHigher = result.estimate > (result.isRatio ? 1.0 : 0.0);
    if (result.goal == study::Goal::Maximize)
        return isHigher ? Difference::Better : Difference::Worse;
    if (result.goal == study::Goal::Minimize)
        return isHigher ? Difference::Worse : Difference::Better;
    return isHigher ? Difference::Higher : Difference::Lower;
}

void judge(StudyComparison& comparison)
{
    std::vector<std::optional<double>> p;
    for (const ResponseDifference& result : comparison.responses)
        p.push_back(result.p);
    const std::vector<std::optional<double>> adjusted = model::adjustByHolm(p);
    for (std::size_t i = 0; i < adjusted.size(); ++i) {
        ResponseDifference& result = comparison.responses[i];
        result.adjustedP = adjusted[i];
        result.verdict = verdictOf(result, 1.0 - comparison.confidence);
    }
}

/// The values that runs have of each fact.
std::map<std::string, std::set<std::string>> factsOf(const study::Study& study)
{
    std::map<std::string, std::set<std::string>> facts;
    for (const study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Done)
            continue;
        for (const auto& [key, value] : study::factsInWords(run.provenance))
            facts[key].insert(value);
    }
    return facts;
}

/// What differs from run to run anyway, or is about the measurement rather than the machine.
bool isOfSingleRuns(const std::string& fact)
{
    static const std::set<std::string> kOfRuns{"log",           "started",
                                               "seconds",       "command",
                                               "attempt",       "slurm",
                                               "telemetry",     "earlier_failure",
                                               "disturbed",     "disturbed_because",
                                               "throttled_pct", "baseline_run",
                                               "baseline",      "baseline_conditions",
                                               "cpus",          "repeats",
                                               "file",          "spread_is"};
    return kOfRuns.contains(fact);
}

std::string wordsOf(const std::set<std::string>& values)
{
    if (values.empty())
        return "not known";
    if (values.size() > kMostValues)
        return text::formatCount(values.size(), "different value");
    std::string words;
    for (const std::string& value : values)
        words += (words.empty() ? "" : "; ") + value;
    return words;
}

std::vector<ChangedFact> changedFacts(const study::Study& first, const study::Study& second)
{
    auto before = factsOf(first), after = factsOf(second);
    std::set<std::string> names;
    for (const auto* facts : {&before, &after}) {
        for (const auto& [name, values] : *facts)
            names.insert(name);
    }
    std::vector<ChangedFact> changed;
    for (const std::string& name : names) {
        const std::set<std::string>&a = before[name], &b = after[name];
        const bool isOfRuns = a.size() > kMostValues && b.size() > kMostValues;
        if (a != b && !isOfSingleRuns(name) && !isOfRuns)
            changed.push_back({name, wordsOf(a), wordsOf(b)});
    }
    return changed;
}

std::vector<ChangedFact> changedSettings(const study::Study& first, const study::Study& second)
{
    std::set<std::string> names;
    for (const auto* settings : {&first.fixed, &second.fixed}) {
        for (const auto& [name, value] : *settings)
            names.insert(name);
    }
    const auto textIn = [](const study::Study& study, const std::string& name) {
        const auto found = study.fixed.find(name);
        return found == study.fixed.end() ? std::string("not set") : study::toText(found->second);
    };
    std::vector<ChangedFact> changed;
    for (const std::string& name : names) {
        const bool isFactor =
            study::findFactor(first, name) != nullptr || study::findFactor(second, name) != nullptr;
        if (!isFactor && textIn(first, name) != textIn(second, name))
            changed.push_back({name, textIn(first, name), textIn(second, name)});
    }
    return changed;
}

/// First and last start of the measured runs; empty where no run tells it.
std::pair<std::string, std::string> timesOf(const study::Study& study)
{
    std::pair<std::string, std::string> times;
    for (const study::Run& run : study.runs) {
        const std::string& started = run.provenance.started;
        if (run.status != study::RunStatus::Done || started.empty())
            continue;
        if (times.first.empty() || started < times.first)
            times.first = started;
        times.second = std::max(times.second, started);
    }
    return times;
}

std::vector<std::string> cautionsOf(const study::Study& first, const study::Study& second)
{
    std::vector<std::string> cautions;
    const auto a = timesOf(first), b = timesOf(second);
    const bool isApart = !a.first.empty() && !b.first.empty() && (a.second < b.first || b.second < a.first);
    if (isApart)
        cautions.emplace_back("All runs of one study were measured before those of the other: whatever else "
                              "changed on the machine meanwhile is part of the difference. Measure some "
                              "settings of the first study again to rule that out.");
    if (study::hasSimulatedResults(first) || study::hasSimulatedResults(second))
        cautions.emplace_back("Some results are simulated, not measured.");
    return cautions;
}

} // namespace

StudyComparison compareStudies(const study::Study& first, const study::Study& second, double confidence)
{
    StudyComparison comparison{.first = first.name, .second = second.name, .confidence = confidence};
    for (const study::Response& response : first.responses) {
        if (study::findResponse(second, response.name) != nullptr)
            comparison.responses.push_back(compareResponse(first, second, response, confidence));
    }
    judge(comparison);
    comparison.settings = changedSettings(first, second);
    comparison.provenance = changedFacts(first, second);
    comparison.cautions = cautionsOf(first, second);
    if (comparison.responses.empty())
        comparison.message = "The studies have no response in common.";
    else if (std::ranges::all_of(comparison.responses,
                                 [](const ResponseDifference& each) { return each.settings == 0; }))
        comparison.message = "No setting has a result of the same response in both studies: their factors, "
                             "or the values of these, differ.";
    return comparison;
}

} // namespace quadric::plan
