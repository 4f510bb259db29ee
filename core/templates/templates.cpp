// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/templates/templates.h"

#include "core/study/document/document.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace quadric::templates {

namespace {

constexpr std::string_view kThisMachine = "this-machine";
constexpr std::string_view kSlowNetwork = "slow-network";

constexpr Template kTemplates[] = {
    {kThisMachine, "Distributed training on this machine",
     "Measures a real data-parallel training step on the cores of this machine. Ready to run."},
    {"enter-results", "Enter results by hand",
     "Blank, for any field. You measure wherever you like, and type or paste the results."},
    {"own-command", "Your own script or program",
     "Blank. Starts your program with the settings of each run and reads the results that it prints."},
    {kSlowNetwork, "Compression on a slow network",
     "Measures when sending fewer gradients pays on an emulated network. Two minutes."},
    {"plan-64-gpus", "Plan for 64 GPUs",
     "Calculates a training step of ResNet-50 on GPUs that are not here. All results are marked as "
     "simulated."},
    {"blank", "Blank study",
     "An empty study. Choose later, on the page Measurement, how the runs are measured."}};

/// resources/templates and resources/examples.
struct StudyText {
    std::string_view name, text;
};
constexpr StudyText kTexts[] = {
#include "study_texts.inc"
};

constexpr std::string_view kExamples[] = {"cpu-ranks", "h200-resnet18", "resnet50-scaling"};

/// Three distinct numbers of ranks need at least four cores: 1, 2, 4.
constexpr int kCoresForRankFactor = 4;

/// Varies the ranks in place of the buckets where there are cores enough.
void fitThisMachine(study::Study& study, int cores)
{
    const auto most = static_cast<double>(std::bit_floor(static_cast<unsigned>(cores)));
    if (cores < kCoresForRankFactor) {
        study.fixed["ranks"] = most;
        return;
    }
    study.fixed.erase("ranks");
    study.fixed["bucket_mib"] = 1.0;
    std::erase_if(study.factors, [](const study::Factor& factor) { return factor.name == "bucket_mib"; });
    study.factors.insert(study.factors.begin(), {.name = "ranks",
                                                 .unit = "ranks",
                                                 .type = study::FactorType::Integer,
                                                 .low = 1.0,
                                                 .high = most,
                                                 .scale = study::Scale::Log2,
                                                 .binds = "ranks"});
}

constexpr WorkerFile kWorkerFiles[] = {
#include "worker_texts.inc"
};

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

std::span<const Template> templates()
{
    return kTemplates;
}

std::span<const std::string_view> examples()
{
    return kExamples;
}

study::Study studyFrom(std::string_view name, int cores)
{
    const auto found = std::ranges::find(kTexts, name, &StudyText::name);
    if (found == std::end(kTexts))
        throw std::out_of_range("no template " + std::string(name));
    study::Study study = study::parseStudy(found->text, "template " + std::string(name)).study;
    if (name == kThisMachine)
        fitThisMachine(study, std::max(1, cores));
    if (name == kSlowNetwork && cores < 2)
        study.fixed["oversubscribe"] = "on";
    return study;
}

std::span<const WorkerFile> workerFiles()
{
    return kWorkerFiles;
}

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
