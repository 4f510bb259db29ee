// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/workload.h"

#include "core/trainer/failure.h"
#include "core/trainer/network.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace quadric::trainer {

namespace {

using Expected = std::optional<std::string>;

constexpr std::size_t kLongestSettings = 1 << 20;
constexpr double kMemoryShare = 0.9; ///< of what is available may be claimed

std::optional<double> numberFrom(const std::string& text)
{
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::string textOf(double value)
{
    std::ostringstream text;
    text.precision(12);
    text << value;
    return text.str();
}

template <typename Number> struct Range {
    Number lowest;
    Number highest;
    std::string words(const std::string& kind) const
    {
        return "expected " + kind + " from " + textOf(lowest) + " to " + textOf(highest);
    }
};

Knob integerKnob(std::string name, std::string help, int Workload::*member, Range<int> range)
{
    const auto set = [member, range](Workload& workload, const std::string& text) -> Expected {
        const std::optional<double> value = numberFrom(text);
        if (!value || *value != std::floor(*value) || *value < range.lowest || *value > range.highest)
            return range.words("a whole number");
        workload.*member = static_cast<int>(*value);
        return std::nullopt;
    };
    return {std::move(name), std::move(help), set,
            [member](const Workload& workload) { return std::to_string(workload.*member); }};
}

Knob realKnob(std::string name, std::string help, double Workload::*member, Range<double> range)
{
    const auto set = [member, range](Workload& workload, const std::string& text) -> Expected {
        const std::optional<double> value = numberFrom(text);
        if (!value || *value < range.lowest || *value > range.highest)
            return range.words("a number");
        workload.*member = *value;
        return std::nullopt;
    };
    return {std::move(name), std::move(help), set,
            [member](const Workload& workload) { return textOf(workload.*member); }};
}

Knob switchKnob(std::string name, std::string help, bool Workload::*member)
{
    const auto set = [member](Workload& workload, const std::string& text) -> Expected {
        const bool on = text == "on" || text == "true" || text == "1";
        if (!on && text != "off" && text != "false" && text != "0")
            return "expected on or off";
        workload.*member = on;
        return std::nullopt;
    };
    return {std::move(name), std::move(help), set,
            [member](const Workload& workload) { return std::string(workload.*member ? "on" : "off"); }};
}

std::string joined(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

Knob networkKnob()
{
    const auto set = [](Workload& workload, const std::string& text) -> Expected {
        if (!makeNetwork(text))
            return "expected one of " + joined(networkNames());
        workload.network = text;
        return std::nullopt;
    };
    return {"network", "network that is trained: " + joined(networkNames()), set,
            [](const Workload& workload) { return workload.network; }};
}

/// A knob of other engines: known, so that a study with it is not silently measured without it, but with one
/// value only.
Knob singleValueKnob(std::string name, const std::string& only)
{
    const auto set = [only](Workload&, const std::string& text) -> Expected {
        if (text == only || (numberFrom(text) && numberFrom(text) == numberFrom(only)))
            return std::nullopt;
        return "this program can do " + only + " only";
    };
    std::string help = "accepted for studies of other workers; only " + only;
    return {std::move(name), std::move(help), set, [only](const Workload&) { return only; }};
}

std::vector<Knob> makeKnobs()
{
    using W = Workload;
    return {
        integerKnob("ranks", "processes that train together", &W::ranks, {1, 4096}),
        integerKnob("batch_per_rank", "images that a rank computes at once", &W::batchPerRank, {1, 65536}),
        networkKnob(),
        integerKnob("image_size", "height and width of the images in pixels", &W::imageSize, {8, 1024}),
        realKnob("bucket_mib", "gradients exchanged as one message, in MiB", &W::bucketMib, {0.001, 65536.0}),
        integerKnob("threads_per_rank", "compute threads of a rank", &W::threadsPerRank, {1, 4096}),
        switchKnob("overlap", "exchange gradients while the backward pass goes on (on, off)", &W::overlap),
        integerKnob("aggregation", "micro-batches per exchange", &W::aggregation, {1, 1024}),
        realKnob("max_seconds", "limit for the whole run", &W::maxSeconds, {0.1, 86400.0}),
        realKnob("warmup_seconds", "limit for the warm-up of a stage", &W::warmupSeconds, {0.0, 3600.0}),
        realKnob("interval_pct",
                 "stop when the 95 % interval of the median step is within ± this many per cent",
                 &W::intervalPct, {0.01, 50.0}),
        switchKnob("baseline", "measure one rank alone first, for the scaling efficiency (on, off)",
                   &W::baseline),
        switchKnob("oversubscribe", "allow more threads than cores (on, off)", &W::oversubscribe),
        realKnob("learning_rate", "step of the gradient descent", &W::learningRate, {0.0, 10.0}),
        realKnob("momentum", "momentum of the gradient descent", &W::momentum, {0.0, 0.9999}),
        integerKnob("seed", "start of the random numbers (images, parameters)", &W::seed, {0, 2147483647}),
        singleValueKnob("engine", "cpu"),
        singleValueKnob("precision", "fp32"),
        singleValueKnob("wire_dtype", "fp32"),
        singleValueKnob("gradient_compression", "0"),
        singleValueKnob("scaling", "weak"),
    };
}

std::string settingText(const nlohmann::json& value, const std::string& name)
{
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_number() || value.is_boolean())
        return value.dump();
    throw Failure(kBadSettings, name + ": expected a number or a string, found " + value.type_name());
}

void checkThreads(const Workload& workload, const MachineLimits& limits)
{
    const long threads = static_cast<long>(workload.ranks) * workload.threadsPerRank;
    if (threads <= limits.cores || workload.oversubscribe)
        return;
    throw Failure(kBadSettings, "ranks × threads_per_rank = " + std::to_string(threads) +
                                    " is more than the " + std::to_string(limits.cores) +
                                    " cores that this process may use; set oversubscribe to on to allow it");
}

void checkMemory(const Workload& workload, const MachineLimits& limits, const Network& network)
{
    const Shape image{3, workload.imageSize, workload.imageSize};
    const std::int64_t wanted = workload.ranks * estimatedBytes(network, image, workload.batchPerRank);
    if (limits.availableBytes == 0 ||
        static_cast<double>(wanted) <= kMemoryShare * static_cast<double>(limits.availableBytes))
        return;
    constexpr std::int64_t kMib = 1 << 20;
    throw Failure(kOutOfMemory, "this run needs about " + std::to_string(wanted / kMib) + " MiB, " +
                                    std::to_string(limits.availableBytes / kMib) + " MiB are available");
}

} // namespace

const std::vector<Knob>& knobs()
{
    static const std::vector<Knob> all = makeKnobs();
    return all;
}

const Knob* findKnob(std::string_view name)
{
    if (name == "gpu_count")
        name = "ranks";
    if (name == "batch_per_gpu")
        name = "batch_per_rank";
    const auto found = std::ranges::find(knobs(), name, &Knob::name);
    return found == knobs().end() ? nullptr : &*found;
}

void setKnob(Workload& workload, const Knob& knob, const std::string& text)
{
    constexpr std::size_t kShown = 40;
    if (const Expected expected = knob.set(workload, text))
        throw Failure(kBadSettings,
                      knob.name + ": " + *expected + ", found \"" + text.substr(0, kShown) + '"');
}

std::vector<std::string> applySettings(Workload& workload, std::string_view json)
{
    if (json.size() > kLongestSettings)
        throw Failure(kBadSettings, "the settings are longer than 1 MiB");
    const nlohmann::json settings = nlohmann::json::parse(json, nullptr, false);
    if (!settings.is_object())
        throw Failure(kBadSettings, "the settings must be a JSON object of numbers and strings");
    std::vector<std::string> unknown;
    for (const auto& [name, value] : settings.items()) {
        if (const Knob* knob = findKnob(name))
            setKnob(workload, *knob, settingText(value, name));
        else
            unknown.push_back(name);
    }
    return unknown;
}

std::string settingsJson(const Workload& workload)
{
    nlohmann::json settings = nlohmann::json::object();
    for (const Knob& knob : knobs()) {
        const std::string text = knob.get(workload);
        const nlohmann::json number = nlohmann::json::parse(text, nullptr, false);
        settings[knob.name] = number.is_number() ? number : nlohmann::json(text);
    }
    return settings.dump();
}

void validate(const Workload& workload, const MachineLimits& limits)
{
    const std::optional<Network> network = makeNetwork(workload.network);
    if (!network)
        throw Failure(kBadSettings, "network: expected one of " + joined(networkNames()));
    try {
        inferShapes(*network, {3, workload.imageSize, workload.imageSize});
    } catch (const std::invalid_argument& error) {
        throw Failure(kBadSettings, "image_size " + std::to_string(workload.imageSize) + ": " + error.what());
    }
    checkThreads(workload, limits);
    checkMemory(workload, limits, *network);
}

} // namespace quadric::trainer
