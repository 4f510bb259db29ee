// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/doehelper_config.h"

#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::exchange {

using study::Json;

const Json* find(const Json& object, std::initializer_list<const char*> keys)
{
    for (const char* key : keys) {
        if (object.is_object() && object.contains(key))
            return &object[key];
    }
    return nullptr;
}

std::string textOf(const Json* value)
{
    return value && value->is_string() ? value->get<std::string>() : std::string();
}

std::optional<double> numberOf(const Json& value)
{
    if (value.is_number())
        return value.get<double>();
    return value.is_string() ? numberIn(value.get<std::string>(), false) : std::nullopt;
}

study::Value valueOf(const Json& value)
{
    if (const auto number = numberOf(value))
        return *number;
    return value.is_string() ? value.get<std::string>() : study::toLine(study::OrderedJson(value));
}

namespace {

/// Names what is not taken over; `known` are the keys that are, or that mean nothing here.
void warnOfUnknown(const Json& object, const std::string& where, const std::set<std::string>& known,
                   std::vector<std::string>& warnings)
{
    std::vector<std::string> unknown;
    for (const auto& [key, value] : object.items()) {
        if (!known.contains(key))
            unknown.push_back(key + " (" + study::describe(value) + ")");
    }
    if (!unknown.empty())
        warnings.push_back(where + text::formatList(unknown) + (unknown.size() == 1 ? " is" : " are") +
                           " ignored");
}

class ConfigReader {
public:
    ConfigReader(std::string name, std::vector<std::string>& warnings)
        : m_name(std::move(name))
        , m_warnings(warnings)
    {
    }

    study::Study read(const Json& config)
    {
        study::Study study;
        const Json* metadata = find(config, {"metadata"});
        study.name = textOf(metadata ? find(*metadata, {"name"}) : nullptr);
        study.description = textOf(metadata ? find(*metadata, {"description"}) : nullptr);
        if (metadata)
            warnOfUnknown(*metadata, "metadata: ", {"name", "description"}, m_warnings);
        for (const Json& entry : list(config, "factors"))
            study.factors.push_back(factor(entry));
        for (const Json& entry : list(config, "responses"))
            study.responses.push_back(response(entry));
        readFixed(config, study);
        readDesign(config, study);
        study.benchmark.workload = "none";
        warnOfUnknown(config, m_name + ": ",
                      {"metadata", "factors", "responses", "fixed", "fixed_factors", "design", "settings"},
                      m_warnings);
        return study;
    }

private:
    [[noreturn]] void fail(const std::string& what) const { throw ImportError(m_name + ": " + what); }

    const Json& list(const Json& config, const char* key) const
    {
        const Json* entries = find(config, {key});
        if (!entries || !entries->is_array() || entries->empty())
            fail(std::string(key) + ": " + (entries ? study::describe(*entries) : "nothing") +
                 ", expected a list with at least one entry");
        return *entries;
    }

    std::string nameIn(const Json& entry, const std::string& list) const
    {
        std::string name = textOf(find(entry, {"name"}));
        if (name.empty())
            fail(list + ": an entry has no name, expected a text in \"name\"");
        return name;
    }

    study::Factor factor(const Json& entry)
    {
        study::Factor factor;
        factor.name = nameIn(entry, "factors");
        factor.unit = textOf(find(entry, {"unit"}));
        const Json* levels = find(entry, {"levels"});
        if (!levels || !levels->is_array() || levels->size() < 2)
            fail("factor \"" + factor.name + "\": levels is " +
                 (levels ? study::describe(*levels) : std::string("missing")) +
                 ", expected a list with at least two values");
        const std::string type = textOf(find(entry, {"type"}));
        if (type == "categorical" || !readNumbers(*levels, factor)) {
            factor.type = study::FactorType::Categorical;
            for (const Json& level : *levels)
                factor.categories.push_back(study::toText(valueOf(level)));
        } else if (type == "ordinal" || type == "discrete" || levels->size() > 2)
            factor.type = study::FactorType::Discrete;
        else
            factor.levels.clear();
        warnOfUnknown(entry, "factor \"" + factor.name + "\": ", {"name", "unit", "levels", "type"},
                      m_warnings);
        return factor;
    }

    /// False where a level is no number.
    static bool readNumbers(const Json& levels, study::Factor& factor)
    {
        std::vector<double> numbers;
        for (const Json& level : levels) {
            const auto number = numberOf(level);
            if (!number)
                return false;
            numbers.push_back(*number);
        }
        std::ranges::sort(numbers);
        factor.levels = numbers;
        factor.low = numbers.front();
        factor.high = numbers.back();
        return true;
    }

    study::Response response(const Json& entry)
    {
        study::Response response;
        response.name = nameIn(entry, "responses");
        response.unit = textOf(find(entry, {"unit"}));
        const Json* objective = find(entry, {"objective", "optimize"});
        const auto goal = study::goalFrom(textOf(objective));
        if (objective && !goal)
            m_warnings.push_back("response \"" + response.name + "\": the goal " +
                                 study::describe(*objective) + " is ignored");
        response.goal = goal.value_or(study::Goal::None);
        readNumber(entry, "target", response.target, response.name);
        readNumber(entry, "weight", response.weight, response.name);
        warnOfUnknown(entry, "response \"" + response.name + "\": ",
                      {"name", "unit", "objective", "optimize", "target", "weight"}, m_warnings);
        return response;
    }

    void readNumber(const Json& entry, const char* key, double& number, const std::string& response)
    {
        const Json* value = find(entry, {key});
        if (const auto found = value ? numberOf(*value) : std::nullopt)
            number = *found;
        else if (value)
            m_warnings.push_back("response \"" + response + "\": " + key +
                                 " is ignored: " + study::describe(*value) + ", expected a number");
    }

    void readFixed(const Json& config, study::Study& study)
    {
        const Json* fixed = find(config, {"fixed", "fixed_factors"});
        if (fixed && !fixed->is_object())
            m_warnings.push_back("fixed is ignored: " + study::describe(*fixed) + ", expected an object");
        if (!fixed || !fixed->is_object())
            return;
        for (const auto& [key, value] : fixed->items())
            study.fixed[key] = valueOf(value);
    }

    void readDesign(const Json& config, study::Study& study)
    {
        const Json* settings = find(config, {"settings"});
        const Json* operation = settings ? find(*settings, {"operation"}) : nullptr;
        const Json* design = find(config, {"design"});
        std::string type = textOf(design && design->is_string() ? design : operation);
        std::ranges::replace(type, '_', '-');
        study.design.type = type;
        const auto integer = [&](const char* key, int fallback) {
            const Json* value = settings ? find(*settings, {key}) : nullptr;
            const auto number = value ? numberOf(*value) : std::nullopt;
            return number && *number >= 0 && *number < 1e6 ? static_cast<int>(*number) : fallback;
        };
        study.design.blocks = std::max(1, integer("block_count", 1));
        study.design.replicates = std::max(1, integer("replicates", 1));
        if (const Json* randomize = settings ? find(*settings, {"randomize"}) : nullptr)
            study.design.randomize = *randomize != Json(false);
        study.design.seed = static_cast<std::uint64_t>(integer("seed", 42));
        if (settings)
            warnOfUnknown(*settings,
                          "settings: ", {"replicates", "randomize", "seed", "block_count", "operation"},
                          m_warnings);
    }

    std::string m_name;
    std::vector<std::string>& m_warnings;
};

} // namespace

study::Study readDoehelperConfig(const Json& config, const std::string& name,
                                 std::vector<std::string>& warnings)
{
    return ConfigReader(name, warnings).read(config);
}

} // namespace quadric::exchange
