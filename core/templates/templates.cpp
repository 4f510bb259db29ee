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

constexpr std::string_view kExamples[] = {"cpu-ranks", "resnet50-scaling"};

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

} // namespace quadric::templates
