// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

#include <optional>

namespace quadric::study {

enum class Source { Unknown, Measured, Simulated, Imported, Typed };

/// Why a run failed: a short kind ("out-of-memory", "timeout", "crash", "bad-output", "cancelled", …) and a
/// sentence.
struct Failure {
    std::string kind = {};
    std::string message = {};
    UnknownKeys unknown = {};
    bool operator==(const Failure&) const = default;
};

/// What a worker or the system tells of a run before anybody has read it: JSON text by key.
using Facts = std::map<std::string, std::string>;

/// Share of the time in which something held itself back, per cent, by the reason; under the empty name where
/// no reason is told.
using ThrottledPct = std::map<std::string, double>;

/// JSON of any kind, in the form that toLine() writes.
struct JsonText {
    std::string text = {};
    bool operator==(const JsonText&) const = default;
};

/// A GPU that a run had for itself.
struct ReservedGpu {
    int index = 0;
    std::string uuid = {};
    std::string name = {};
    UnknownKeys unknown = {};
    bool operator==(const ReservedGpu&) const = default;
};

/// What a run was measured on, as its worker says.
struct WorkerDevice {
    std::string name = {};
    UnknownKeys unknown = {};
    bool operator==(const WorkerDevice&) const = default;
};

/// The baseline of the scaling efficiency, as the trainer says.
struct WorkerBaseline {
    std::string ownBecause = {}; ///< why it measured its own although it was given one
    UnknownKeys unknown = {};
    bool operator==(const WorkerBaseline&) const = default;
};

/// A measurement that ended early, because its setting is worse than the best one with 99.9 % certainty. It
/// tells that, and is no final answer.
struct ShortLook {
    std::string response = {};            ///< by which it was judged
    std::optional<double> worseThan = {}; ///< the value that it does not reach, in the unit of the response
    UnknownKeys unknown = {};
    bool operator==(const ShortLook&) const = default;
};

/// A job of Slurm in whose hands a run is or was.
struct SlurmJob {
    std::string name = {};
    std::string job = {};      ///< its number; empty where the runner died before it could note it
    std::string request = {};  ///< in words
    std::string settings = {}; ///< what the worker was given, as JSON
    std::string nodes = {};
    UnknownKeys unknown = {};
    bool operator==(const SlurmJob&) const = default;
};

/// The git repository in which a command was executed.
struct CodeState {
    std::string commit = {};
    std::optional<bool> isChanged = {}; ///< tracked files differ from the commit; empty: not looked for
    UnknownKeys unknown = {};
    bool operator==(const CodeState&) const = default;
};

/// What a processor or a GPU did while a run was measured.
struct Meters {
    ThrottledPct throttledPct = {};
    UnknownKeys unknown = {};
    bool operator==(const Meters&) const = default;
};

/// What a machine did meanwhile, or each node of a job.
struct Telemetry {
    std::optional<Meters> cpu = {};
    std::vector<Meters> devices = {};
    std::vector<Telemetry> nodes = {};
    UnknownKeys unknown = {};
    bool operator==(const Telemetry&) const = default;
};

/// Where a result comes from (docs/worker-protocol.md). A fact that is not of the type that its member has
/// stays among the unknown ones, and counts as not told.
struct Provenance {
    Source source = Source::Unknown;

    std::vector<std::string> command = {}; ///< program and arguments
    std::string log = {};                  ///< path, seen from the document
    std::string host = {};
    std::string kernel = {};
    std::map<std::string, std::string> environment = {};
    std::optional<CodeState> code = {};
    std::string file = {}; ///< from which the results were imported

    std::vector<ReservedGpu> devices = {}; ///< that the run had for itself
    std::string cpus = {};                 ///< the same, as Linux lists them ("0-3,8")
    std::optional<WorkerDevice> device = {};
    std::optional<SlurmJob> slurm = {};

    std::string started = {};                ///< ISO 8601, UTC
    std::optional<double> seconds = {};      ///< from start to end
    std::optional<int> attempt = {};         ///< its number, from 1
    std::map<std::string, int> repeats = {}; ///< repetitions that were granted or asked for, by cause
    std::optional<Failure> earlierFailure = {};

    std::optional<bool> disturbed = {};
    std::string disturbedBecause = {}; ///< in words
    ThrottledPct throttledPct = {};    ///< as the worker says
    std::optional<Telemetry> telemetry = {};
    std::string spreadIs = {}; ///< what the spread of the results is ("half width of the 95 % interval")

    std::optional<ShortLook> shortLook = {}; ///< empty: measured in full
    /// Memory that all ranks together were expected to need, MiB, as the worker says; of runs that fail, too.
    std::optional<double> memoryEstimateMib = {};

    std::optional<WorkerBaseline> baseline = {};
    std::optional<int> baselineRun = {};      ///< the run that the scaling efficiency is related to
    std::string noSharedBaselineBecause = {}; ///< why there is none
    JsonText baselineConditions = {};         ///< of a baseline: under which it counts

    UnknownKeys unknown = {};
    bool operator==(const Provenance&) const = default;
};

/// Takes facts in, each in the place of what was known under its key. An environment of another type is not
/// kept.
void setProvenanceFact(Provenance& provenance, const std::string& key, const std::string& json);
void setProvenanceFacts(Provenance& provenance, const Facts& facts);

/// Every fact but the source as people read it ("name: value, name: value"), by its key in the document.
std::map<std::string, std::string> factsInWords(const Provenance& provenance);

enum class RunKind { Design, Center, Axial, Baseline, Confirmation, Augment };
enum class RunStatus { Pending, Running, Done, Failed, Excluded };

/// One execution of one setting. Settings and results live in the same object and are never joined by
/// position or number.
struct Run {
    int id = 0;    ///< standard order, unique in the study
    int order = 0; ///< run order, unique in the study
    int block = 1;
    RunKind kind = RunKind::Design;
    Settings settings = {};
    RunStatus status = RunStatus::Pending;
    std::optional<Failure> failure = {}; ///< RunStatus::Failed only
    std::string reason = {};             ///< RunStatus::Excluded only
    std::map<std::string, double, std::less<>> results = {};
    std::map<std::string, double, std::less<>> spread = {};
    Provenance provenance = {};
    UnknownKeys unknown = {};

    bool operator==(const Run&) const = default;
};

/// The run was throttled or shared the machine while it was measured: its result is no fair comparison.
bool isDisturbed(const Run& run);

/// Why, in words; empty when it was not disturbed or nobody says why.
std::string disturbanceOf(const Run& run);

} // namespace quadric::study
