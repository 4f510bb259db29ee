// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/workload/knobs.h"

#include "core/text/numbers.h"
#include "core/trainer/base/failure.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>

namespace quadric::trainer {

using W = Workload;
using workload::knob;

namespace {

/// Where a workload keeps the value of a knob.
template <typename Value> using Member = Value& (*)(Workload&);

KnobAccess makeAccess(const workload::Knob& knob, Member<double> member);

KnobAccess makeAccess(const workload::Knob& knob, Member<bool> member);

KnobAccess makeAccess(const workload::Knob& knob, Member<std::optional<double>> member);

KnobAccess makeAccess(const workload::Knob& knob, Member<std::string> member);

/// One of some values that have the names of the knob's choices.
template <typename Value>
KnobAccess makeChoice(const workload::Knob& knob, Member<Value> member,
                      std::initializer_list<std::pair<const char*, Value>> choices)
{
    const std::vector<std::pair<std::string, Value>> values(choices.begin(), choices.end());
    const auto set = [&knob, member, values](Workload& workload,
                                             const std::string& text) -> std::optional<std::string> {
        const auto found = std::ranges::find(values, text, &std::pair<std::string, Value>::first);
        if (found == values.end())
            return "expected one of " + workload::rangeWords(knob);
        member(workload) = found->second;
        return std::nullopt;
    };
    const auto get = [member, values](Workload workload) {
        return std::ranges::find(values, member(workload), &std::pair<std::string, Value>::second)->first;
    };
    return {knob, set, get};
}

using Expected = std::optional<std::string>;

std::optional<double> numberFrom(const std::string& text)
{
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

bool isWithin(double value, const workload::Knob& knob)
{
    return value >= knob.values.lowest && value <= knob.values.highest;
}

KnobAccess makeAccess(const workload::Knob& knob, Member<int> member)
{
    const auto set = [&knob, member](Workload& workload, const std::string& text) -> Expected {
        const std::optional<double> value = numberFrom(text);
        if (!value || *value != std::floor(*value) || !isWithin(*value, knob))
            return "expected a whole number from " + rangeWords(knob);
        member(workload) = static_cast<int>(*value);
        return std::nullopt;
    };
    const auto get = [member](Workload workload) { return std::to_string(member(workload)); };
    return {knob, set, get};
}

KnobAccess makeAccess(const workload::Knob& knob, Member<double> member)
{
    const auto set = [&knob, member](Workload& workload, const std::string& text) -> Expected {
        const std::optional<double> value = numberFrom(text);
        if (!value || !isWithin(*value, knob))
            return "expected a number from " + rangeWords(knob);
        member(workload) = *value;
        return std::nullopt;
    };
    const auto get = [member](Workload workload) { return text::formatExactly(member(workload)); };
    return {knob, set, get};
}

KnobAccess makeAccess(const workload::Knob& knob, Member<bool> member)
{
    const auto set = [member](Workload& workload, const std::string& text) -> Expected {
        const bool on = text == "on" || text == "true" || text == "1";
        if (!on && text != "off" && text != "false" && text != "0")
            return "expected on or off";
        member(workload) = on;
        return std::nullopt;
    };
    const auto get = [member](Workload workload) { return std::string(member(workload) ? "on" : "off"); };
    return {knob, set, get};
}

/// A number, or "none".
KnobAccess makeAccess(const workload::Knob& knob, Member<std::optional<double>> member)
{
    const auto set = [&knob, member](Workload& workload, const std::string& text) -> Expected {
        const std::optional<double> value = numberFrom(text);
        if (value ? !isWithin(*value, knob) : text != "none")
            return "expected a number from " + rangeWords(knob);
        member(workload) = value;
        return std::nullopt;
    };
    const auto get = [member](Workload workload) {
        const std::optional<double> value = member(workload);
        return value ? text::formatExactly(*value) : std::string("none");
    };
    return {knob, set, get};
}

/// One of the names of the knob.
KnobAccess makeAccess(const workload::Knob& knob, Member<std::string> member)
{
    const auto set = [&knob, member](Workload& workload, const std::string& text) -> Expected {
        const auto names = workload::choicesOf(knob);
        if (std::ranges::find(names, text) == names.end())
            return "expected one of " + rangeWords(knob);
        member(workload) = text;
        return std::nullopt;
    };
    const auto get = [member](Workload workload) { return member(workload); };
    return {knob, set, get};
}

constexpr std::size_t kLongestSettings = 1 << 20;

std::string settingText(const nlohmann::json& value, const std::string& name)
{
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_number() || value.is_boolean())
        return value.dump();
    throw Failure(kBadSettings, name + ": expected a number or a string, found " + value.type_name());
}

} // namespace

/// One for each knob of the vocabulary: a missing or an unknown one does not compile.
std::span<const KnobAccess> knobs()
{
    static const std::array<KnobAccess, workload::kKnobs.size()> all = {
        makeChoice<EngineKind>(knob("engine"), [](W& w) -> EngineKind& { return w.engine; },
                               {{"cpu", EngineKind::Cpu},
                                {"cuda", EngineKind::Cuda},
                                {"auto", EngineKind::Automatic},
                                {"simulated", EngineKind::Simulated}}),
        makeAccess(knob("ranks"), [](W& w) -> int& { return w.ranks; }),
        makeAccess(knob("batch_per_rank"), [](W& w) -> int& { return w.batchPerRank; }),
        makeAccess(knob("network"), [](W& w) -> std::string& { return w.network; }),
        makeAccess(knob("image_size"), [](W& w) -> int& { return w.imageSize; }),
        makeChoice<Precision>(knob("precision"), [](W& w) -> Precision& { return w.precision; },
                              {{"fp32", Precision::Fp32},
                               {"tf32", Precision::Tf32},
                               {"bf16", Precision::Bf16},
                               {"fp16", Precision::Fp16}}),
        makeAccess(knob("threads_per_rank"), [](W& w) -> int& { return w.threadsPerRank; }),
        makeChoice<Scaling>(knob("scaling"), [](W& w) -> Scaling& { return w.scaling; },
                            {{"weak", Scaling::Weak}, {"strong", Scaling::Strong}}),
        makeAccess(knob("global_batch"), [](W& w) -> int& { return w.globalBatch; }),

        makeAccess(knob("gradient_compression"), [](W& w) -> double& { return w.exchange.compressionPct; }),
        makeChoice<CompressionMethod>(
            knob("compression_method"), [](W& w) -> CompressionMethod& { return w.exchange.method; },
            {{"topk", CompressionMethod::Topk}, {"aligned", CompressionMethod::Aligned}}),
        makeChoice<WireType>(knob("wire_dtype"), [](W& w) -> WireType& { return w.exchange.wire; },
                             {{"fp32", WireType::Fp32}, {"bf16", WireType::Bf16}, {"fp16", WireType::Fp16}}),
        makeAccess(knob("bucket_mib"), [](W& w) -> double& { return w.bucketMib; }),
        makeAccess(knob("aggregation"), [](W& w) -> int& { return w.aggregation; }),
        makeAccess(knob("overlap"), [](W& w) -> bool& { return w.overlap; }),
        makeAccess(knob("link_gbit"), [](W& w) -> double& { return w.link.gbit; }),
        makeAccess(knob("link_latency_us"), [](W& w) -> double& { return w.link.latencyUs; }),

        makeAccess(knob("gpu"), [](W& w) -> std::string& { return w.hardware.gpu; }),
        makeAccess(knob("node_network"), [](W& w) -> std::string& { return w.hardware.network; }),
        makeAccess(knob("ranks_per_node"), [](W& w) -> int& { return w.hardware.ranksPerNode; }),
        makeAccess(knob("one_gpu_images_per_sec"),
                   [](W& w) -> double& { return w.hardware.oneGpuImagesPerSec; }),
        makeAccess(knob("step_overhead_ms"), [](W& w) -> double& { return w.hardware.stepOverheadMs; }),
        makeAccess(knob("noise_pct"), [](W& w) -> double& { return w.hardware.noisePct; }),

        makeAccess(knob("max_seconds"), [](W& w) -> double& { return w.maxSeconds; }),
        makeAccess(knob("min_seconds"), [](W& w) -> std::optional<double>& { return w.minSeconds; }),
        makeAccess(knob("warmup_least_seconds"),
                   [](W& w) -> std::optional<double>& { return w.warmupLeastSeconds; }),
        makeAccess(knob("warmup_seconds"), [](W& w) -> double& { return w.warmupSeconds; }),
        makeAccess(knob("interval_pct"), [](W& w) -> double& { return w.intervalPct; }),
        makeAccess(knob("baseline"), [](W& w) -> bool& { return w.baseline; }),
        makeAccess(knob("baseline_rate"), [](W& w) -> std::optional<double>& { return w.baselineRate; }),
        makeAccess(knob("baseline_half_width"),
                   [](W& w) -> std::optional<double>& { return w.baselineHalfWidth; }),
        makeAccess(knob("oversubscribe"), [](W& w) -> bool& { return w.oversubscribe; }),
        makeAccess(knob("learning_rate"), [](W& w) -> double& { return w.learningRate; }),
        makeAccess(knob("momentum"), [](W& w) -> double& { return w.momentum; }),
        makeAccess(knob("seed"), [](W& w) -> int& { return w.seed; }),
        makeAccess(knob("loss_training"), [](W& w) -> bool& { return w.trainsForLoss; }),
        makeAccess(knob("dataset_images"), [](W& w) -> double& { return w.datasetImages; }),
        makeAccess(knob("price_per_rank_hour"), [](W& w) -> double& { return w.pricePerRankHour; })};
    return all;
}

const KnobAccess* findKnob(std::string_view name)
{
    const auto found = std::ranges::find(knobs(), workload::knobName(name),
                                         [](const KnobAccess& access) { return access.knob.name; });
    return found == knobs().end() ? nullptr : &*found;
}

void setKnob(Workload& workload, const KnobAccess& access, const std::string& text)
{
    constexpr std::size_t kShown = 40;
    if (const std::optional<std::string> expected = access.set(workload, text))
        throw Failure(kBadSettings, std::string(access.knob.name) + ": " + *expected + ", found \"" +
                                        text.substr(0, kShown) + '"');
}

std::vector<std::string> applySettings(Workload& workload, std::string_view text)
{
    if (text.size() > kLongestSettings)
        throw Failure(kBadSettings, "the settings are longer than 1 MiB");
    const nlohmann::json settings = nlohmann::json::parse(text, nullptr, false);
    if (!settings.is_object())
        throw Failure(kBadSettings, "the settings must be a JSON object of numbers and strings");
    std::vector<std::string> unknown;
    for (const auto& [name, value] : settings.items()) {
        if (const KnobAccess* access = findKnob(name))
            setKnob(workload, *access, settingText(value, name));
        else
            unknown.push_back(name);
    }
    return unknown;
}

std::string settingsJson(const Workload& workload)
{
    nlohmann::json settings = nlohmann::json::object();
    for (const KnobAccess& access : knobs()) {
        const std::string text = access.get(workload);
        const nlohmann::json number = nlohmann::json::parse(text, nullptr, false);
        settings[std::string(access.knob.name)] = number.is_number() ? number : nlohmann::json(text);
    }
    return settings.dump();
}

} // namespace quadric::trainer
