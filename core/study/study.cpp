// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study.h"

#include "core/study/run_records.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace quadric::study {
namespace {

template <class Item> const Item* findNamed(const std::vector<Item>& items, std::string_view name)
{
    const auto found =
        std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
    return found == items.end() ? nullptr : &*found;
}

template <class Runs> auto findById(Runs& runs, int id) -> decltype(runs.data())
{
    const auto usual = static_cast<std::size_t>(id) - 1;
    if (usual < runs.size() && runs[usual].id == id)
        return &runs[usual];
    const auto found = std::ranges::find(runs, id, &Run::id);
    return found == runs.end() ? nullptr : &*found;
}

} // namespace

const Factor* findFactor(const Study& study, std::string_view name)
{
    return findNamed(study.factors, name);
}

const Response* findResponse(const Study& study, std::string_view name)
{
    return findNamed(study.responses, name);
}

const Factor* rankFactorOf(const Study& study)
{
    constexpr auto kNames =
        std::to_array<std::string_view>({"ranks", "gpus", "gpu_count", "num_gpus", "n_gpus", "ngpus", "nproc",
                                         "nproc_per_node", "world_size"});
    const auto bound = std::ranges::find(study.factors, "ranks", &Factor::binds);
    if (bound != study.factors.end())
        return &*bound;
    const auto named = std::ranges::find_if(study.factors, [&](const Factor& factor) {
        return factor.isNumeric() && std::ranges::find(kNames, factor.name) != kNames.end();
    });
    return named == study.factors.end() ? nullptr : &*named;
}

const Run* findRun(const Study& study, int id)
{
    return findById(study.runs, id);
}

Run* findRun(Study& study, int id)
{
    return findById(study.runs, id);
}

RunIndex::RunIndex(const Study& study)
    : m_study(study)
{
    m_positions.reserve(study.runs.size());
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        m_positions.emplace(study.runs[i].id, i);
}

const Run* RunIndex::find(int id) const
{
    const auto position = findPosition(id);
    return position ? &m_study.runs[*position] : nullptr;
}

std::optional<std::size_t> RunIndex::findPosition(int id) const
{
    const auto found = m_positions.find(id);
    return found == m_positions.end() ? std::nullopt : std::optional(found->second);
}

namespace {

int blockForNewRuns(const Study& study)
{
    int last = 1;
    for (const Run& run : study.runs)
        last = std::max(last, run.block);
    const bool hasBegun = std::ranges::any_of(
        study.runs, [last](const Run& run) { return run.block == last && run.status != RunStatus::Pending; });
    return last > 1 && hasBegun ? last + 1 : last;
}

} // namespace

Study withRuns(Study study, const std::vector<Settings>& settings, RunKind kind)
{
    const int block = blockForNewRuns(study);
    int id = largestRunId(study);
    int order = 0;
    for (const Run& run : study.runs)
        order = std::max(order, run.order);
    for (const Settings& each : settings) {
        Run run;
        run.id = ++id;
        run.order = ++order;
        run.kind = kind;
        run.block = block;
        run.settings = each;
        study.runs.push_back(std::move(run));
    }
    return study;
}

std::vector<const Run*> inRunOrder(const Study& study)
{
    std::vector<const Run*> runs;
    runs.reserve(study.runs.size());
    for (const Run& run : study.runs)
        runs.push_back(&run);
    std::stable_sort(runs.begin(), runs.end(), [](const Run* a, const Run* b) {
        return std::tie(a->order, a->id) < std::tie(b->order, b->id);
    });
    return runs;
}

int countRuns(const Study& study, RunStatus status)
{
    return static_cast<int>(std::count_if(study.runs.begin(), study.runs.end(),
                                          [status](const Run& run) { return run.status == status; }));
}

bool hasSimulatedResults(const Study& study)
{
    return std::any_of(study.runs.begin(), study.runs.end(), [](const Run& run) {
        return run.status == RunStatus::Done && run.provenance.source == Source::Simulated;
    });
}

} // namespace quadric::study
