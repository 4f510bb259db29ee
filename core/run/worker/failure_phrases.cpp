// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/failure_phrases.h"

#include <algorithm>
#include <array>

namespace quadric::run {

namespace {

struct Phrase {
    std::string_view text;
    std::string_view kind;
};

constexpr auto kPhrases = std::to_array<Phrase>({
    {"out of memory", "out-of-memory"},
    {"OUT_OF_MEMORY", "out-of-memory"},
    {"Cannot allocate memory", "out-of-memory"},
    {"std::bad_alloc", "out-of-memory"},
    {"MemoryError", "out-of-memory"},
    {"No space left on device", "disk-full"},
    {"Disk quota exceeded", "disk-full"},
    {"fallen off the bus", "device-lost"},
    {"GPU is lost", "device-lost"},
    {"DEVICE_UNAVAILABLE", "device-lost"},
    {"device lost", "device-lost"},
    {"Unable to determine the device handle", "device-lost"},
    {"uncorrectable ECC error", "device-lost"},
    {"uncorrectable NVLink error", "device-lost"},
    {"slurmstepd: error: execve(): ", "not-found"},
    {"ncclSystemError", kCommunication},
    {"ncclRemoteError", kCommunication},
    {"NCCL operations have failed or timed out", kCommunication},
    {"caught collective operation timeout", kCommunication},
});

/// Messages about failures are short; the beginning of a long line is enough.
constexpr std::size_t kMostLookedAt = 500;

} // namespace

std::optional<std::string> kindOfPhrase(std::string_view line)
{
    const std::string_view start = line.substr(0, kMostLookedAt);
    const auto found = std::ranges::find_if(
        kPhrases, [start](const Phrase& phrase) { return start.find(phrase.text) != start.npos; });
    return found == kPhrases.end() ? std::nullopt : std::optional(std::string(found->kind));
}

} // namespace quadric::run
