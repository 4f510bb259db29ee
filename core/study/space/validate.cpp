// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/response.h"
#include "core/study/run_records.h"
#include "core/study/space/constraint.h"
#include "core/study/study.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <unordered_set>

namespace quadric::study {
namespace {

/// Collects problems; `where` is the path in the document. The first ones of each kind are listed, further
/// ones counted.
class Problems {
public:
    void error(std::string where, std::string message)
    {
        if (++m_errors <= kMostProblems)
            m_problems.push_back({std::move(where), std::move(message), true});
    }
    void warning(std::string where, std::string message)
    {
        if (++m_warnings <= kMostProblems)
            m_problems.push_back({std::move(where), std::move(message), false});
    }
    bool hasErrors() const { return m_errors > 0; }
    std::vector<Problem> take()
    {
        for (const auto& [count, isError] : {std::pair{m_errors, true}, std::pair{m_warnings, false}}) {
            if (count > kMostProblems)
                m_problems.push_back(
                    {"study", std::to_string(count - kMostProblems) + " more of this kind", isError});
        }
        return std::move(m_problems);
    }

private:
    std::vector<Problem> m_problems;
    std::size_t m_errors = 0, m_warnings = 0;
};

void checkSize(const std::string& list, std::size_t size, std::size_t most, Problems& problems)
{
    if (size > most)
        problems.error(list, "has " + std::to_string(size) + " entries, expected at most " +
                                 std::to_string(most) + "; divide the study");
}

void checkSizes(const Study& study, Problems& problems)
{
    checkSize("factors", study.factors.size(), kMostFactors, problems);
    checkSize("responses", study.responses.size(), kMostResponses, problems);
    checkSize("runs", study.runs.size() + study.baselines.size(), kMostRuns, problems);
    for (const Factor& factor : study.factors)
        checkSize("levels of " + factor.name, std::max(factor.levels.size(), factor.categories.size()),
                  kMostLevels, problems);
}

std::string at(const std::string& list, std::size_t index)
{
    return list + "[" + std::to_string(index) + "]";
}

std::string inQuotes(std::string_view text)
{
    return "\"" + std::string(text) + "\"";
}

bool isDigitOfNumber(char c)
{
    return c >= '0' && c <= '9';
}

bool isPlain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigitOfNumber(c) || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

/// Why formulas and constraints cannot use a name, and which one they could; empty: they can.
std::string whyNotPlain(const std::string& name)
{
    if (name == "and" || name == "or" || name == "not")
        return "the word is an operator there, expected another name";
    if (isDigitOfNumber(name.front()))
        return "expected a letter or an underscore first, such as " + inQuotes("x" + name);
    if (std::ranges::all_of(name, isPlain))
        return {};
    std::string plain = name;
    std::ranges::replace_if(
        plain, [](char c) { return !isPlain(c); }, '_');
    return "expected letters, digits and underscores, such as " + inQuotes(plain);
}

/// Works for factors and responses.
template <class Item>
void checkNames(const std::vector<Item>& items, const std::string& list, Problems& problems)
{
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string where = at(list, i) + ".name";
        if (items[i].name.empty())
            problems.error(where,
                           list.substr(0, list.size() - 1) + " " + std::to_string(i + 1) + " has no name");
        else if (!seen.insert(items[i].name).second)
            problems.error(where, "the name " + inQuotes(items[i].name) +
                                      " is used twice, expected different names");
        else if (const std::string why = whyNotPlain(items[i].name); !why.empty())
            problems.warning(where,
                             inQuotes(items[i].name) + " cannot be used in formulas and constraints: " + why);
    }
}

/// Levels are numbers or texts.
template <class Level>
void checkLevels(const std::vector<Level>& levels, const std::string& factor, const std::string& where,
                 Problems& problems)
{
    if (levels.size() < 2)
        problems.error(where, factor + " has " + text::formatCount(levels.size(), "level") +
                                  ", expected at least two");
    std::set<Level> seen;
    for (const Level& level : levels) {
        if (!seen.insert(level).second)
            problems.error(where, "the level " + toText(level) + " of " + factor +
                                      " appears twice, expected different levels");
    }
}

void checkLegalValues(const Factor& factor, const std::string& where, Problems& problems)
{
    if (factor.type == FactorType::Integer && factor.multipleOf < 1)
        problems.error(where + ".multiple_of", "the step of " + factor.name + ", " +
                                                   std::to_string(factor.multipleOf) + ", is less than 1");
    if (factor.type != FactorType::Integer && factor.type != FactorType::Discrete)
        return;
    for (const auto& [key, value] : {std::pair{".low", factor.low}, std::pair{".high", factor.high}}) {
        const double legal = snapToLegal(factor, value);
        if (legal != value)
            problems.warning(where + key, "the " + std::string(key + 1) + " of " + factor.name + ", " +
                                              toText(value) + ", is not an allowed value, the nearest is " +
                                              toText(legal));
    }
}

void checkNumericFactor(const Factor& factor, const std::string& where, Problems& problems)
{
    if (factor.type == FactorType::Discrete)
        checkLevels(factor.levels, factor.name, where + ".levels", problems);
    if (!std::isfinite(factor.low) || !std::isfinite(factor.high))
        problems.error(where + ".low", "low and high of " + factor.name + " must be finite numbers");
    else if (factor.low >= factor.high)
        problems.error(where + ".low", "the low of " + factor.name + ", " + toText(factor.low) +
                                           ", is not less than its high, " + toText(factor.high));
    const double least = factor.levels.empty() ? factor.low : std::min(factor.low, factor.levels.front());
    if (factor.scale == Scale::Log2 && !(least > 0.0))
        problems.error(where + ".scale",
                       "the value " + toText(least) + " of " + factor.name +
                           " has no logarithm, expected values above 0 or the linear scale");
    else
        checkLegalValues(factor, where, problems);
}

void checkFactor(const Factor& factor, const std::string& where, Problems& problems)
{
    if (factor.isNumeric())
        checkNumericFactor(factor, where, problems);
    else
        checkLevels(factor.categories, factor.name, where + ".levels", problems);
    if (!factor.binds.empty() && factor.binds != "ranks")
        problems.warning(where + ".binds", inQuotes(factor.binds) + ", expected \"ranks\"");
    else if (factor.binds == "ranks" && (!factor.isNumeric() || factor.low < 1.0))
        problems.warning(where + ".binds",
                         factor.name + " sets the number of ranks, expected whole numbers from 1");
}

void checkFactors(const Study& study, Problems& problems)
{
    checkNames(study.factors, "factors", problems);
    for (std::size_t i = 0; i < study.factors.size(); ++i) {
        const Factor& factor = study.factors[i];
        checkFactor(factor, at("factors", i), problems);
        if (study.fixed.contains(factor.name))
            problems.warning("fixed." + factor.name, "is a factor too; the runs' own value is used");
    }
}

void checkLimits(const Response& response, const std::string& where, Problems& problems)
{
    if (response.low && response.high && *response.low >= *response.high)
        problems.warning(where + ".low", "the lower limit of " + response.name + ", " +
                                             toText(*response.low) + ", is not less than its upper limit, " +
                                             toText(*response.high));
    const bool isBelow = response.low && response.target < *response.low;
    const bool isAbove = response.high && response.target > *response.high;
    if (response.goal == Goal::Target && (isBelow || isAbove))
        problems.warning(where + ".target", "the target of " + response.name + ", " +
                                                toText(response.target) + ", is outside its limits");
}

void checkBounds(const Response& response, const std::string& where, Problems& problems)
{
    const std::string problem = response.bounds ? problemOf(*response.bounds) : std::string();
    const std::string refusal = whyNotWithinBounds(response, effectiveTransform(response));
    if (!problem.empty())
        problems.error(where + ".bounds", "of " + response.name + ": " + problem);
    else if (!refusal.empty())
        problems.warning(where + ".transform", refusal);
}

void checkResponse(const Response& response, const std::string& where, Problems& problems)
{
    const bool finite = std::isfinite(response.target) && std::isfinite(response.low.value_or(0.0)) &&
                        std::isfinite(response.high.value_or(0.0)) &&
                        std::isfinite(response.transform.lambda);
    if (!finite)
        problems.error(where, "target, limits and transform of " + response.name + " must be finite numbers");
    if (!(response.weight >= 0.0) || !std::isfinite(response.weight))
        problems.error(where + ".weight", "the weight of " + response.name + " is " +
                                              toText(response.weight) + ", expected 0 or more");
    const auto isExponent = [](double shape) { return shape > 0.0 && std::isfinite(shape); };
    const bool sized = response.shape.size() == 1 || response.shape.size() == 2;
    if (!sized || !std::all_of(response.shape.begin(), response.shape.end(), isExponent))
        problems.error(where + ".shape", "of " + response.name + ", expected one or two exponents above 0");
    checkLimits(response, where, problems);
    checkBounds(response, where, problems);
}

void checkResponses(const Study& study, Problems& problems)
{
    checkNames(study.responses, "responses", problems);
    for (std::size_t i = 0; i < study.responses.size(); ++i) {
        const Response& response = study.responses[i];
        checkResponse(response, at("responses", i), problems);
        if (findFactor(study, response.name))
            problems.warning(at("responses", i) + ".name",
                             "the name " + inQuotes(response.name) +
                                 " is used by a factor too, expected different names");
    }
    for (const auto& [response, choice] : study.model) {
        if (!findResponse(study, response))
            problems.warning("model." + response, "there is no such response");
    }
}

void checkConstraints(const Study& study, Problems& problems)
{
    for (std::size_t i = 0; i < study.constraints.size(); ++i) {
        try {
            const Constraint constraint(study.constraints[i]);
            for (const std::string& name : constraint.names()) {
                if (!findFactor(study, name) && !study.fixed.contains(name))
                    problems.warning(at("constraints", i),
                                     inQuotes(name) + " is neither a factor nor a fixed setting");
            }
        } catch (const std::invalid_argument& reason) {
            problems.warning(at("constraints", i), inQuotes(study.constraints[i]) + ": " + reason.what());
        }
    }
}

void checkDesign(const Study& study, Problems& problems)
{
    for (const SpecProblem& problem : checkDesignSpec(study.design))
        problems.error("design." + problem.key, problem.message);
    for (const auto& [name, count] : study.design.levels) {
        if (!findFactor(study, name))
            problems.warning("design.levels." + name, "is not a factor");
    }
    if (!(study.benchmark.timeoutSeconds > 0.0) || !std::isfinite(study.benchmark.timeoutSeconds))
        problems.error("benchmark.timeout_seconds",
                       toText(study.benchmark.timeoutSeconds) + ", expected seconds above 0");
}

/// What settings are called, for looking up those of many runs.
struct KnownNames {
    std::unordered_set<std::string_view> settings;            ///< factors and fixed settings
    std::vector<std::unordered_set<std::string_view>> levels; ///< of each factor
};

KnownNames namesOf(const Study& study)
{
    KnownNames names;
    for (const Factor& factor : study.factors) {
        names.settings.insert(factor.name);
        names.levels.emplace_back(factor.categories.begin(), factor.categories.end());
    }
    for (const auto& [name, value] : study.fixed)
        names.settings.insert(name);
    return names;
}

void checkNumericSetting(const Factor& factor, const Value& value, const std::string& where,
                         Problems& problems)
{
    const double number = numberOf(value);
    if (!std::isfinite(number))
        problems.error(where, inQuotes(toText(value)) + ", expected a number");
    else if (factor.scale == Scale::Log2 && number <= 0.0)
        problems.error(where, toText(value) + ", expected more than 0 on the log2 scale");
    else if (snapToLegal(factor, number) != number)
        problems.warning(where, toText(value) + " is not a value that can be run, the nearest is " +
                                    toText(snapToLegal(factor, number)));
}

void checkCategory(const std::unordered_set<std::string_view>& levels, const Value& value,
                   const std::string& where, Problems& problems)
{
    const auto* level = std::get_if<std::string>(&value);
    if (!level)
        problems.error(where, toText(value) + ", expected the name of a level in quotes");
    else if (!levels.contains(*level))
        problems.warning(where, inQuotes(*level) + " is not one of the factor's levels");
}

void checkSettings(const Study& study, const KnownNames& names, const Run& run, const std::string& where,
                   Problems& problems)
{
    const std::string prefix = where + ".settings.";
    for (std::size_t i = 0; i < study.factors.size(); ++i) {
        const Factor& factor = study.factors[i];
        const auto setting = run.settings.find(factor.name);
        if (setting == run.settings.end())
            problems.warning(where + ".settings", "has no value for " + factor.name);
        else if (factor.isNumeric())
            checkNumericSetting(factor, setting->second, prefix + factor.name, problems);
        else
            checkCategory(names.levels[i], setting->second, prefix + factor.name, problems);
    }
    for (const auto& [name, value] : run.settings) {
        if (!names.settings.contains(name))
            problems.warning(prefix + name, "is neither a factor nor a fixed setting");
    }
}

void checkResults(const Study& study, const Run& run, const std::string& where, Problems& problems)
{
    const auto checkFinite = [&](const auto& values, const std::string& prefix) {
        for (const auto& [name, value] : values) {
            if (!std::isfinite(value))
                problems.error(prefix + name, "not a finite number");
        }
    };
    checkFinite(run.results, where + ".results.");
    checkFinite(run.spread, where + ".spread.");
    const auto isMissing = [&](const Response& response) { return !run.results.contains(response.name); };
    if (run.status == RunStatus::Done && !study.responses.empty() &&
        std::all_of(study.responses.begin(), study.responses.end(), isMissing))
        problems.warning(where + ".results", "the run is done and has no result for any response");
}

void checkRuns(const Study& study, Problems& problems)
{
    const KnownNames names = namesOf(study);
    std::set<int> ids;
    std::set<int> orders;
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const Run& run = study.runs[i];
        const std::string where = at("runs", i);
        if (run.id < 1)
            problems.error(where + ".id", std::to_string(run.id) + ", expected at least 1");
        else if (!ids.insert(run.id).second)
            problems.error(where + ".id",
                           std::to_string(run.id) + " is used twice, expected an id of its own");
        if (!orders.insert(run.order).second)
            problems.warning(where + ".order",
                             std::to_string(run.order) + " is used twice, expected a place of its own");
        if (run.block < 1)
            problems.error(where + ".block", std::to_string(run.block) + ", expected at least 1");
        checkSettings(study, names, run, where, problems);
        checkResults(study, run, where, problems);
    }
    for (const Run& baseline : study.baselines) {
        if (!ids.insert(baseline.id).second)
            problems.error("runs", "the id " + std::to_string(baseline.id) +
                                       " of a baseline is used twice, expected an id of its own");
    }
}

} // namespace

std::vector<Problem> validate(const Study& study)
{
    Problems problems;
    checkSizes(study, problems);
    if (problems.hasErrors())
        return problems.take();
    checkFactors(study, problems);
    checkResponses(study, problems);
    checkConstraints(study, problems);
    checkDesign(study, problems);
    checkRuns(study, problems);
    return problems.take();
}

} // namespace quadric::study
