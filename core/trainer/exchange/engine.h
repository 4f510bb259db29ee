// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/gpu.h"
#include "core/trainer/base/hash.h"
#include "core/trainer/exchange/collective.h"
#include "core/trainer/workload/workload.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quadric::trainer {

/// Which plans of cuDNN an engine computes its convolutions with.
struct PlanRecord {
    std::uint64_t hash = 0;             ///< of all problems and the names of their engines, in their order
    std::map<std::string, int> engines; ///< how many problems each engine of cuDNN computes
    int timed = 0;                      ///< problems whose plans this run has timed
    int kept = 0;                       ///< problems whose plans an earlier run had timed
    bool areEqualOnAllRanks = true;

    bool empty() const { return engines.empty(); }
    /// Notes one problem, and its engine by "NUMBER_settings".
    void add(const std::string& problem, const std::string& engine)
    {
        Hash all;
        all.add(hash);
        all.add(problem);
        all.add(engine);
        hash = all.value();
        ++engines[engine.substr(0, engine.find('_'))];
    }
    /// The hash as 16 hexadecimal digits.
    std::string hashText() const { return hexText(hash); }
};

/// What is known of an engine once it is ready.
struct EngineFacts {
    std::string name;        ///< "cpu"
    std::string compute;     ///< library, version and instruction set
    std::string collectives; ///< library and version
    std::vector<std::string> warnings;
    std::uint64_t layoutHash = 0;   ///< equal on all ranks, or their gradients cannot be added
    std::int64_t gradientBytes = 0; ///< of one rank
    std::size_t buckets = 0;
    std::size_t preparingSteps = 1; ///< first ones, which do what later ones need not: never measured
    std::string device = {};        ///< the GPU that computes; empty for processors
    std::string exchangePaths = {}; ///< how this rank reaches others; empty where that is not known
    std::optional<double> exchangeMemoryMib = {}; ///< of this rank, that the library of the exchange took
    PlanRecord plans = {};                        ///< of cuDNN; empty for processors
    std::string whyNoEnergy = {};                 ///< why energyJoules() is empty, where that needs a word
};

/// One training step as it was measured.
struct StepReport {
    double stepMs = 0.0;
    double exposedMs = 0.0;   ///< waiting for the exchange after the backward pass
    double selectionMs = 0.0; ///< choosing and packing what a compression sends
    double bytesSent = 0.0;   ///< by this rank
    double loss = 0.0;        ///< mean over the images of this rank, before the update
};

enum class Peers { Exchange, Alone };

/// Something that carries out data-parallel training steps: real hardware or a model of it. Every rank has
/// one.
class Engine {
public:
    virtual ~Engine() = default;
    virtual EngineFacts facts() const = 0;

    /// Back to the first parameters, which are equal on all ranks.
    virtual void reset() = 0;

    /// From now on every micro-batch is the next one of TrainingBatches, or again the one that it was at
    /// first.
    virtual void useTrainingBatches(bool /*areUsed*/) {}

    /// Forward, backward, exchange with the other ranks unless alone, update.
    virtual StepReport step(Peers peers) = 0;

    /// Hash of all parameters, bit by bit: equal on all ranks after steps that exchanged, or something is
    /// wrong.
    virtual std::uint64_t parameterHash() = 0;

    /// Most memory that this rank has had so far, MiB: of its GPU, or of its process.
    virtual double peakMemoryMib() const = 0;

    /// Reading of a counter of the energy that the device uses, in joules; only differences mean something.
    /// Nothing where there is no counter.
    virtual std::optional<double> energyJoules() const { return std::nullopt; }

    /// What has held the clocks of the device down so far. No time where nobody can say.
    virtual machine::ClockReading clocks() const { return {}; }
};

} // namespace quadric::trainer
