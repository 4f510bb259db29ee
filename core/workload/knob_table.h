// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace quadric::workload {

enum class KnobKind {
    Integer,
    Real,
    OptionalReal, ///< a number, or "none"
    Switch,       ///< "on" or "off"
    Choice        ///< one of some names
};

using Choices = std::array<std::string_view, 4>;

/// What a knob takes.
struct Values {
    KnobKind kind;
    double lowest = 0.0, highest = 0.0; ///< legal range of a number, ends included
    std::string_view unit = {};         ///< empty where there is none
    Choices choices = {};               ///< see choicesOf()
};

constexpr Values whole(double lowest, double highest, std::string_view unit = {})
{
    return {KnobKind::Integer, lowest, highest, unit};
}
constexpr Values real(double lowest, double highest, std::string_view unit = {})
{
    return {KnobKind::Real, lowest, highest, unit};
}
constexpr Values realOrNone(double lowest, double highest, std::string_view unit = {})
{
    return {KnobKind::OptionalReal, lowest, highest, unit};
}
constexpr Values onOff()
{
    return {KnobKind::Switch, 0.0, 0.0, {}, {"on", "off"}};
}
constexpr Values oneOf(const Choices& choices)
{
    return {KnobKind::Choice, 0.0, 0.0, {}, choices};
}

/// Engines of the trainer that a knob is for.
enum class Engines {
    All,
    Measured, ///< cpu and cuda
    Simulated
};

/// Whether the speed of one rank alone depends on a knob. Runs that differ only in what one rank ignores can
/// share a baseline.
enum class OneRank { Executes, Ignores };

/// What of a machine bounds a knob, beside its legal range, where runs are measured on that machine.
enum class MachineBound {
    None,
    Cores,
    Memory ///< images that fit into it
};

enum class Spacing { Linear, Log2 };

/// What the wizard makes of a knob.
struct Offer {
    enum class Kind {
        None,
        Setting, ///< a fixed setting
        Factor   ///< a fixed setting, or a factor: it changes how fast the same work is done
    };
    Kind kind = Kind::None;
    double low = 0.0, high = 0.0; ///< suggested ends of the factor; numbers only
    Spacing spacing = Spacing::Linear;
    MachineBound bound = MachineBound::None;
};

constexpr Offer asSetting()
{
    return {Offer::Kind::Setting};
}
constexpr Offer asFactor(double low = 0.0, double high = 0.0, Spacing spacing = Spacing::Linear,
                         MachineBound bound = MachineBound::None)
{
    return {Offer::Kind::Factor, low, high, spacing, bound};
}

/// A setting of the built-in workload.
struct Knob {
    std::string_view name; ///< as studies and QUADRIC_SETTINGS have it: "batch_per_rank"
    std::string_view title;
    std::string_view help; ///< one sentence without its end
    Values values;
    std::string_view usual; ///< the default, as text
    Engines engines;
    OneRank oneRank;
    Offer offer = {};
    std::string_view alias = {}; ///< another name that is understood; empty where there is none
};

constexpr bool isNumber(const Knob& knob)
{
    return knob.values.kind != KnobKind::Switch && knob.values.kind != KnobKind::Choice;
}

/// The names that the knob takes; empty for numbers.
std::span<const std::string_view> choicesOf(const Knob& knob);

/// What values are legal: "1 to 4096 images", "1e-06 to 1000 s, or none", "on, off".
std::string rangeWords(const Knob& knob);

/// The knob of that name or alias; null where there is none.
const Knob* findKnob(std::string_view name);

/// The name that the trainer has for a setting: that of the knob with this name or alias, or else the name
/// itself.
std::string_view knobName(std::string_view name);

/// The names of all knobs: "engine, ranks, …".
std::string knobNames();

/// All settings of the built-in workload, most used first: work, exchange, simulated hardware, measurement.
/// The trainer binds each to a member of its Workload (core/trainer/workload/knobs.cpp); help, wizard,
/// completions, messages and the table in docs/trainer.md follow.
inline constexpr auto kKnobs = std::to_array<Knob>({
    {"engine", "Engine",
     "What computes: cpu measures on processors, cuda on GPUs, auto takes GPUs where there are some; "
     "simulated calculates from a model and says so",
     oneOf({"cpu", "cuda", "auto", "simulated"}), "cpu", Engines::All, OneRank::Executes, asSetting()},
    {"ranks", "Ranks", "Processes that train together, each with its own copy of the network",
     whole(1, 65536, "ranks"), "1", Engines::All, OneRank::Executes,
     asFactor(1, 3, Spacing::Linear, MachineBound::Cores), "gpu_count"},
    {"batch_per_rank", "Batch per rank", "Images that each rank computes at once (weak scaling)",
     whole(1, 65536, "images"), "16", Engines::All, OneRank::Executes,
     asFactor(4, 16, Spacing::Log2, MachineBound::Memory), "batch_per_gpu"},
    {"network", "Network", "Network that is trained; larger networks exchange more gradients",
     oneOf({"resnet8", "resnet18", "resnet34", "resnet50"}), "resnet8", Engines::All, OneRank::Executes,
     asSetting()},
    {"image_size", "Image size", "Height and width of the images", whole(8, 1024, "px"), "32", Engines::All,
     OneRank::Executes, asFactor(16, 64, Spacing::Log2)},
    {"precision", "Precision",
     "Number format of the activations; bf16 needs a GPU or a processor with instructions for it, fp16 a "
     "GPU, and so does tf32: fp32 whose products round to 10 bits",
     oneOf({"fp32", "tf32", "bf16", "fp16"}), "fp32", Engines::Measured, OneRank::Executes, asFactor()},
    {"threads_per_rank", "Threads per rank",
     "Compute threads of each rank; ranks × threads must not exceed the cores", whole(1, 4096, "threads"),
     "1", Engines::Measured, OneRank::Executes, asFactor(1, 3, Spacing::Linear, MachineBound::Cores)},
    {"scaling", "Scaling", "Weak keeps the batch of each rank, strong divides global_batch among the ranks",
     oneOf({"weak", "strong"}), "weak", Engines::All, OneRank::Ignores, asFactor()},
    {"global_batch", "Global batch", "Images of all ranks in a step; for strong scaling only",
     whole(0, 16777216, "images"), "0", Engines::All, OneRank::Ignores, asSetting()},

    {"gradient_compression", "Gradient compression",
     "Share of the gradients that a rank does not send in a step", real(0, 99.999, "%"), "0", Engines::All,
     OneRank::Ignores, asFactor(0, 90)},
    {"compression_method", "Compression method",
     "Each rank sends its own largest gradients (topk), or all ranks the same chunks (aligned)",
     oneOf({"topk", "aligned"}), "topk", Engines::All, OneRank::Ignores, asFactor()},
    {"wire_dtype", "Wire format", "Number format in which gradients travel", oneOf({"fp32", "bf16", "fp16"}),
     "fp32", Engines::All, OneRank::Ignores, asFactor()},
    {"bucket_mib", "Bucket", "Gradients that are exchanged as one message", real(0.001, 65536, "MiB"), "4",
     Engines::All, OneRank::Ignores, asFactor(2, 8, Spacing::Log2)},
    {"aggregation", "Aggregation", "Micro-batches that are computed between two exchanges",
     whole(1, 1048576, "batches"), "1", Engines::All, OneRank::Executes, asFactor(1, 3)},
    {"overlap", "Overlap", "Exchange gradients while the backward pass still runs", onOff(), "on",
     Engines::All, OneRank::Ignores, asFactor()},
    {"link_gbit", "Link speed", "Emulated speed at which a rank sends; 0 leaves the network as it is",
     real(0, 10000, "Gbit/s"), "0", Engines::Measured, OneRank::Ignores, asFactor(0.1, 1, Spacing::Log2)},
    {"link_latency_us", "Link latency", "Emulated latency of each message", real(0, 1e6, "µs"), "0",
     Engines::Measured, OneRank::Ignores, asFactor(0, 2)},

    {"gpu", "GPU", "Simulated GPU with the links in its node", oneOf({"h100", "h200", "a100", "v100"}),
     "h100", Engines::Simulated, OneRank::Executes, asFactor()},
    {"node_network", "Network between nodes", "Simulated links between nodes",
     oneOf({"ndr400", "edr100", "ethernet100", "ethernet10"}), "ndr400", Engines::Simulated, OneRank::Ignores,
     asFactor()},
    {"ranks_per_node", "GPUs per node", "Simulated GPUs that share the fast links of a node",
     whole(1, 1024, "GPUs"), "8", Engines::Simulated, OneRank::Ignores, asFactor(4, 16, Spacing::Log2)},
    {"one_gpu_images_per_sec", "Speed of one GPU",
     "Measured speed of one simulated GPU with ResNet-50 at 224 px and batch 256; 0 takes the preset's",
     real(0, 1e7, "img/s"), "0", Engines::Simulated, OneRank::Executes, asSetting()},
    {"step_overhead_ms", "Step overhead", "Time of a simulated step that only several GPUs pay",
     real(0, 10000, "ms"), "0", Engines::Simulated, OneRank::Ignores},
    {"noise_pct", "Noise", "Standard deviation of a simulated step", real(0, 50, "%"), "0",
     Engines::Simulated, OneRank::Executes, asSetting()},

    {"max_seconds", "Time limit per run",
     "A run ends when its result is precise enough, and this long after its set-up at the latest",
     real(0.1, 86400, "s"), "60", Engines::All, OneRank::Executes, asSetting()},
    {"min_seconds", "Least measured time",
     "Measured for at least this long; none takes 10 s on GPUs, whose clocks settle over seconds, 1 s on "
     "processors",
     realOrNone(0, 3600, "s"), "none", Engines::Measured, OneRank::Executes},
    {"warmup_least_seconds", "Least warm-up",
     "Warm-up of a stage with all its ranks, at least; none takes half of min_seconds",
     realOrNone(0, 3600, "s"), "none", Engines::Measured, OneRank::Executes},
    {"warmup_seconds", "Time limit of the warm-up", "Limit for the warm-up of a stage", real(0, 3600, "s"),
     "30", Engines::All, OneRank::Executes},
    {"interval_pct", "Precision of the median",
     "Stop when the 95 % interval of the median step is within ± this much of it", real(0.01, 50, "%"), "0.5",
     Engines::All, OneRank::Executes},
    {"baseline", "Baseline", "Measure one rank alone first, for the scaling efficiency", onOff(), "on",
     Engines::All, OneRank::Ignores},
    {"baseline_rate", "Speed of the baseline",
     "Speed of one rank alone that is known already; it is not measured then", realOrNone(1e-6, 1e9, "img/s"),
     "none", Engines::All, OneRank::Ignores},
    {"baseline_half_width", "Half width of the baseline", "Half width of the 95 % interval of baseline_rate",
     realOrNone(0, 1e9, "img/s"), "none", Engines::All, OneRank::Ignores},
    {"oversubscribe", "Oversubscribe", "Allow more threads than cores, and ranks that share a GPU", onOff(),
     "off", Engines::All, OneRank::Executes},
    {"learning_rate", "Learning rate", "Step of the gradient descent", real(0, 10), "0.01", Engines::All,
     OneRank::Executes},
    {"momentum", "Momentum", "Momentum of the gradient descent", real(0, 0.9999), "0.9", Engines::All,
     OneRank::Executes},
    {"seed", "Seed", "Start of the random numbers: images, parameters, simulated noise", whole(0, 2147483647),
     "1", Engines::All, OneRank::Executes},
    {"loss_training", "Training for the loss",
     "Train 50 steps on images that change before the measurement, for loss_after_50_steps; max_seconds does "
     "not count them",
     onOff(), "off", Engines::Measured, OneRank::Ignores},
    {"dataset_images", "Images of an epoch", "Images of an epoch, for seconds_per_epoch",
     real(1, 1e12, "images"), "1281167", Engines::All, OneRank::Ignores},
    {"price_per_rank_hour", "Price of a rank",
     "Price of one rank for an hour, for cost_per_epoch; 0 is unknown", real(0, 1e6, "per hour"), "0",
     Engines::All, OneRank::Ignores, asSetting()},
});

/// The knob of that name. A name that the table does not have does not compile.
consteval const Knob& knob(std::string_view name)
{
    for (const Knob& each : kKnobs) {
        if (each.name == name)
            return each;
    }
    throw "the table has no knob of this name";
}

} // namespace quadric::workload
