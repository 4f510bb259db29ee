// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/templates/change_template.h"

#include <algorithm>

namespace quadric::templates {

namespace {

/// Members that count as one: mine where the user has changed it.
template <class Whole, class Member>
void keepChanged(Whole& result, const Whole& mine, const Whole& before, Member Whole::*member)
{
    if (mine.*member != before.*member)
        result.*member = mine.*member;
}

/// The template's items, each replaced by mine of the same name where I have changed that, then those that
/// only I have.
template <class Item>
std::vector<Item> mergeNamed(const std::vector<Item>& mine, const std::vector<Item>& before,
                             std::vector<Item> after)
{
    for (const Item& item : mine) {
        if (std::ranges::find(before, item) != before.end())
            continue;
        const auto same = std::ranges::find(after, item.name, &Item::name);
        if (same == after.end())
            after.push_back(item);
        else
            *same = item;
    }
    return after;
}

void keepFixed(study::Study& result, const study::Study& mine, const study::Study& before)
{
    for (const auto& [name, value] : mine.fixed) {
        const auto given = before.fixed.find(name);
        if (given == before.fixed.end() || given->second != value)
            result.fixed[name] = value;
    }
    std::erase_if(result.fixed, [&](const auto& item) { return study::findFactor(result, item.first); });
}

void keepConstraints(study::Study& result, const study::Study& mine, const study::Study& before)
{
    const auto contains = [](const std::vector<std::string>& texts, const std::string& text) {
        return std::ranges::find(texts, text) != texts.end();
    };
    for (const std::string& text : mine.constraints) {
        if (!contains(before.constraints, text) && !contains(result.constraints, text))
            result.constraints.push_back(text);
    }
}

void keepBenchmark(study::Benchmark& result, const study::Benchmark& mine, const study::Benchmark& before)
{
    const auto keep = [&](auto... members) { (keepChanged(result, mine, before, members), ...); };
    using B = study::Benchmark;
    keep(&B::engine, &B::options, &B::argv, &B::env, &B::cwd, &B::parse, &B::timeoutSeconds, &B::memoryMib,
         &B::outputMib, &B::retry, &B::baseline, &B::launcher, &B::parallel, &B::slurm, &B::unknown);
}

} // namespace

study::Study changeTemplate(const study::Study& mine, const study::Study& before, const study::Study& after)
{
    study::Study result = after;
    keepChanged(result, mine, before, &study::Study::name);
    keepChanged(result, mine, before, &study::Study::description);
    keepChanged(result, mine, before, &study::Study::design);
    keepChanged(result, mine, before, &study::Study::model);
    result.factors = mergeNamed(mine.factors, before.factors, after.factors);
    result.responses = mergeNamed(mine.responses, before.responses, after.responses);
    keepFixed(result, mine, before);
    keepConstraints(result, mine, before);
    keepBenchmark(result.benchmark, mine.benchmark, before.benchmark);
    result.runs.clear();
    return result;
}

} // namespace quadric::templates
