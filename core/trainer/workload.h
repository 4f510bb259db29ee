// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::trainer {

/// What is to be measured and how. One struct for the launcher and every rank.
struct Workload {
    int ranks = 1;
    int batchPerRank = 16; ///< images that a rank computes at once
    std::string network = "resnet8";
    int imageSize = 32;          ///< pixels, square
    double bucketMib = 4.0;      ///< gradients that are exchanged as one message
    int threadsPerRank = 1;      ///< compute threads
    bool overlap = true;         ///< exchange buckets while the backward pass goes on
    int aggregation = 1;         ///< micro-batches whose gradients are added before they are exchanged
    double maxSeconds = 60.0;    ///< for the whole run, from its start
    double warmupSeconds = 30.0; ///< at most, per stage
    double intervalPct = 0.5;    ///< wanted half width of the 95 % interval of the median step
    bool baseline = true;        ///< measure one rank alone first
    bool oversubscribe = false;  ///< allow more threads than cores
    double learningRate = 0.01;
    double momentum = 0.9;
    int seed = 1;
};

/// What a request is checked against.
struct MachineLimits {
    int cores = 1;
    std::int64_t availableBytes = 0; ///< 0: unknown, not checked
};

/// One setting of a workload, by the name that studies use.
struct Knob {
    std::string name;
    std::string help;
    /// Sets the value from text; returns what was expected when the text is no such value.
    std::function<std::optional<std::string>(Workload&, const std::string&)> set;
    std::function<std::string(const Workload&)> get;
};

/// All knobs. Their names have underscores: `batch_per_rank`.
const std::vector<Knob>& knobs();

/// The knob of that name; `gpu_count` and `batch_per_gpu` are understood as `ranks` and `batch_per_rank`.
/// Null when there is none.
const Knob* findKnob(std::string_view name);

/// Sets one knob. Throws Failure (bad-settings) naming the knob, the value and what was expected.
void setKnob(Workload& workload, const Knob& knob, const std::string& text);

/// Reads settings from a JSON object of numbers, strings and booleans. Returns the names that are no knobs.
/// Throws Failure (bad-settings) for text that is no such object and for values that a knob does not take.
std::vector<std::string> applySettings(Workload& workload, std::string_view json);

/// All knobs as a JSON object that applySettings() reads back.
std::string settingsJson(const Workload& workload);

/// Refuses what cannot be measured honestly here: throws Failure (bad-settings or out-of-memory) that names
/// setting, value and limit.
void validate(const Workload& workload, const MachineLimits& limits);

} // namespace quadric::trainer
