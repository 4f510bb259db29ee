// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/knobs.h"

#include <QCoreApplication>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kUsualMaxSeconds = 60.0;
/// Starting the ranks, building the network and ending them, beside the limit that the trainer keeps.
constexpr double kStartSeconds = 3.0;

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

std::vector<Knob> makeKnobs()
{
    using enum study::FactorType;
    return {
        number("ranks", "Ranks", "Processes that train together, each with its own copy of the network.",
               "ranks", Integer, 1, 1024, 1),
        number("batch_per_rank", "Batch per rank", "Images that each rank computes in a step.", "images",
               Integer, 1, 4096, 8),
        choice("network", "Network", "What is trained; larger networks exchange more gradients.",
               {"resnet8", "resnet18", "resnet34", "resnet50"}),
        number("image_size", "Image size", "Height and width of the images.", "px", Integer, 8, 512, 32),
        number("bucket_mib", "Bucket", "Gradients that are exchanged as one message.", "MiB", Continuous,
               0.01, 1024, 4),
        number("threads_per_rank", "Threads per rank",
               "Compute threads of each rank; ranks × threads should not exceed the cores.", "threads",
               Integer, 1, 512, 1),
        number("aggregation", "Aggregation", "Micro-batches that are computed between two exchanges.",
               "batches", Integer, 1, 64, 1),
        choice("overlap", "Overlap", "Exchange gradients while the backward pass still runs.", {"on", "off"}),
        number("max_seconds", "Time limit per run",
               "A run ends when its result is precise enough, and after this time at the latest.", "s",
               Continuous, 1, 3600, kUsualMaxSeconds),
    };
}

} // namespace

const std::vector<Knob>& knobs()
{
    static const std::vector<Knob> all = makeKnobs();
    return all;
}

const Knob* findKnob(std::string_view name)
{
    const auto found =
        std::find_if(knobs().begin(), knobs().end(), [&](const Knob& knob) { return knob.name == name; });
    return found == knobs().end() ? nullptr : &*found;
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
        {"memory_peak_mib", "MiB", study::Goal::Minimize},
        {"loss_end", "", study::Goal::Minimize},
    };
    return all;
}

double expectedSeconds(const study::Study& study)
{
    if (study.benchmark.workload != "builtin")
        return -1.0;
    const auto found = study.fixed.find("max_seconds");
    const double limit = found == study.fixed.end() ? kUsualMaxSeconds : study::numberOf(found->second);
    if (!(limit > 0.0))
        return -1.0;
    return study::countRuns(study, study::RunStatus::Pending) * (limit + kStartSeconds);
}

} // namespace quadric::widgets
