// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/knobs.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kUsualMaxSeconds = 60.0;
constexpr double kUsualCompressionPct = 90.0;
constexpr double kSlowLinkGbit = 0.1;
constexpr double kFastLinkGbit = 1.0;
/// Starting the ranks, building the network and ending them, beside the limit that the trainer keeps.
constexpr double kStartSeconds = 3.0;
constexpr double kSimulatedSeconds = 0.2; ///< for a run, however long its limit is

QString words(const char* text)
{
    return QCoreApplication::translate("knobs", text);
}

Knob number(std::string name, const char* label, const char* explanation, std::string unit,
            study::FactorType type, double least, double most, double usual)
{
    return {std::move(name), words(label), words(explanation), std::move(unit), type, least, most, usual, {}};
}

Knob choice(std::string name, const char* label, const char* explanation, std::vector<std::string> choices)
{
    const std::string usual = choices.front();
    return {std::move(name), words(label),      words(explanation), {}, study::FactorType::Categorical, 0, 1,
            usual,           std::move(choices)};
}

using enum study::FactorType;

/// The smallest network keeps about this much for an image of 32 px.
constexpr double kMibPerImage = 3.0;

double mostImages(const run::Machine& machine)
{
    constexpr double kMost = 4096.0;
    if (machine.memoryMib <= 0.0)
        return kMost;
    return std::clamp(std::floor(0.9 * machine.memoryMib / kMibPerImage), 1.0, kMost);
}

Knob engineKnob()
{
    return choice("engine", "Engine",
                  "Measure on processors (cpu) or on GPUs (cuda; auto where there are some), or "
                  "calculate for GPUs that are not here.",
                  {"cpu", "cuda", "auto", "simulated"});
}

void addWork(std::vector<Knob>& all, KnobSet set, const run::Machine& machine)
{
    const bool isMeasured = set == KnobSet::Measured;
    const double cores = std::max(1, machine.cores);
    all.push_back(engineKnob());
    all.push_back(number("ranks", "Ranks",
                         "Processes that train together, each with its own copy of the network.", "ranks",
                         Integer, 1, isMeasured ? cores : 65536.0, isMeasured ? 1.0 : 8.0));
    all.push_back(number("batch_per_rank", "Batch per rank", "Images that each rank computes in a step.",
                         "images", Integer, 1, isMeasured ? mostImages(machine) : 4096.0,
                         isMeasured ? 8.0 : 64.0));
    all.push_back(choice("network", "Network", "What is trained; larger networks exchange more gradients.",
                         {"resnet8", "resnet18", "resnet34", "resnet50"}));
    all.push_back(
        number("image_size", "Image size", "Height and width of the images.", "px", Integer, 8, 512, 32));
    if (isMeasured) {
        all.push_back(choice("precision", "Precision",
                             "Number format of the activations; bf16 needs a processor that has it, "
                             "fp16 a GPU.",
                             {"fp32", "bf16", "fp16"}));
        all.push_back(number("threads_per_rank", "Threads per rank",
                             "Compute threads of each rank; ranks × threads must not exceed the cores.",
                             "threads", Integer, 1, cores, 1));
    }
    all.push_back(choice("scaling", "Scaling",
                         "Weak keeps the batch of each rank, strong shares the global batch out.",
                         {"weak", "strong"}));
    all.push_back(number("global_batch", "Global batch",
                         "Images of all ranks in a step; for strong scaling only.", "images", Integer, 0,
                         65536, 0));
}

void addExchange(std::vector<Knob>& all, KnobSet set)
{
    all.push_back(number("gradient_compression", "Gradient compression",
                         "Share of the gradients that a rank does not send in a step.", "%", Continuous, 0,
                         99.9, 0));
    all.push_back(choice("compression_method", "Compression method",
                         "Each rank sends its own largest gradients, or all ranks the same chunks.",
                         {"topk", "aligned"}));
    all.push_back(choice("wire_dtype", "Wire format", "Number format in which gradients travel.",
                         {"fp32", "bf16", "fp16"}));
    all.push_back(number("bucket_mib", "Bucket", "Gradients that are exchanged as one message.", "MiB",
                         Continuous, 0.01, 1024, 4));
    all.push_back(number("aggregation", "Aggregation",
                         "Micro-batches that are computed between two exchanges.", "batches", Integer, 1, 64,
                         1));
    all.push_back(choice("overlap", "Overlap", "Exchange gradients while the backward pass still runs.",
                         {"on", "off"}));
    if (set == KnobSet::Simulated)
        return;
    all.push_back(number("link_gbit", "Link speed", "Emulates a slower network; 0 leaves it as it is.",
                         "Gbit/s", Continuous, 0, 1000, 0));
    all.push_back(number("link_latency_us", "Link latency", "Emulated latency of each message.", "µs",
                         Continuous, 0, 100000, 0));
}

void addHardware(std::vector<Knob>& all)
{
    all.push_back(choice("gpu", "GPU", "The simulated GPU with the links in its node.",
                         {"h100", "h200", "a100", "v100"}));
    all.push_back(choice("node_network", "Network of the nodes", "The simulated links between nodes.",
                         {"ndr400", "edr100", "ethernet100", "ethernet10"}));
    all.push_back(number("ranks_per_node", "GPUs per node", "Simulated GPUs that share the fast links.",
                         "GPUs", Integer, 1, 1024, 8));
    all.push_back(number("one_gpu_images_per_sec", "Speed of one GPU",
                         "ResNet-50 at 224 px and batch 256; 0 takes the published speed.", "images/s",
                         Continuous, 0, 1e6, 0));
    all.push_back(
        number("noise_pct", "Noise", "Standard deviation of a simulated step.", "%", Continuous, 0, 50, 0));
}

void addLimits(std::vector<Knob>& all)
{
    all.push_back(number("max_seconds", "Time limit per run",
                         "A run ends when its result is precise enough, and after this time at the latest.",
                         "s", Continuous, 1, 3600, kUsualMaxSeconds));
    all.push_back(number("price_per_rank_hour", "Price of a rank", "For the cost of an epoch; 0 is unknown.",
                         "per hour", Continuous, 0, 1000, 0));
}

/// A number with room for three levels that changes the training step.
bool suitsAsFactor(const Knob& knob)
{
    constexpr std::string_view kNoFactors[] = {"global_batch", "max_seconds", "price_per_rank_hour"};
    return knob.choices.empty() && knob.most >= knob.least + 2.0 &&
           std::ranges::find(kNoFactors, knob.name) == std::end(kNoFactors);
}

/// Both sets, for names that a study may hold.
const std::vector<Knob>& allKnobs()
{
    static const std::vector<Knob> all = [] {
        std::vector<Knob> list = knobs();
        addHardware(list);
        return list;
    }();
    return all;
}

} // namespace

std::vector<Knob> knobsOf(KnobSet set, const run::Machine& machine)
{
    std::vector<Knob> all;
    addWork(all, set, machine);
    addExchange(all, set);
    if (set == KnobSet::Simulated)
        addHardware(all);
    addLimits(all);
    return all;
}

KnobSet knobSetOf(const study::Study& study)
{
    const auto found = study.fixed.find("engine");
    const bool isSimulated = found != study.fixed.end() && study::toText(found->second) == "simulated";
    return isSimulated ? KnobSet::Simulated : KnobSet::Measured;
}

const std::vector<Knob>& knobs()
{
    static const std::vector<Knob> all = [] {
        std::vector<Knob> list = knobsOf(KnobSet::Measured, run::thisMachine());
        std::stable_partition(list.begin(), list.end(), suitsAsFactor);
        return list;
    }();
    return all;
}

const Knob* findKnob(std::string_view name)
{
    const auto found = std::ranges::find(allKnobs(), name, &Knob::name);
    return found == allKnobs().end() ? nullptr : &*found;
}

study::Factor factorFrom(const Knob& knob)
{
    study::Factor factor;
    factor.name = knob.name;
    factor.unit = knob.unit;
    factor.type = knob.type;
    factor.categories = knob.choices;
    if (!factor.isNumeric())
        return factor;
    const double usual = study::numberOf(knob.usual);
    factor.low = std::max(knob.least, usual / 2.0);
    factor.high = std::min(knob.most, std::max(usual * 2.0, factor.low + 2.0));
    if (knob.name == "gradient_compression")
        factor.high = kUsualCompressionPct;
    if (knob.name == "link_gbit") {
        factor.low = kSlowLinkGbit;
        factor.high = kFastLinkGbit;
    }
    factor.scale =
        factor.low > 0.0 && factor.high >= 4.0 * factor.low ? study::Scale::Log2 : study::Scale::Linear;
    if (knob.name == "ranks")
        factor.binds = "ranks";
    return factor;
}

const std::vector<Measure>& measures()
{
    static const std::vector<Measure> all = {
        {"images_per_sec", "img/s", study::Goal::Maximize},
        {"scaling_efficiency", "%", study::Goal::Maximize},
        {"step_ms", "ms", study::Goal::Minimize},
        {"step_ms_p95", "ms", study::Goal::Minimize},
        {"comm_exposed_pct", "%", study::Goal::Minimize},
        {"bytes_per_step", "bytes", study::Goal::Minimize},
        {"selection_ms", "ms", study::Goal::Minimize},
        {"memory_peak_mib", "MiB", study::Goal::Minimize},
        {"loss_end", "", study::Goal::Minimize},
        {"seconds_per_epoch", "s", study::Goal::Minimize},
        {"cost_per_epoch", "", study::Goal::Minimize},
    };
    return all;
}

double expectedSeconds(const study::Study& study)
{
    if (study.benchmark.workload != "builtin")
        return -1.0;
    const double pending = study::countRuns(study, study::RunStatus::Pending);
    if (knobSetOf(study) == KnobSet::Simulated)
        return pending * kSimulatedSeconds;
    const auto found = study.fixed.find("max_seconds");
    const double limit = found == study.fixed.end() ? kUsualMaxSeconds : study::numberOf(found->second);
    if (!(limit > 0.0))
        return -1.0;
    return pending * (limit + kStartSeconds);
}

} // namespace quadric::widgets
