// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace quadric::trainer {

/// Version of the worker protocol (docs/worker-protocol.md).
inline constexpr int kProtocolVersion = 1;

nlohmann::json helloEvent(const nlohmann::json& device, const nlohmann::json& versions);
/// `phase` is "warm-up" or "measure", `stage` "baseline" or "parallel"; `done` from 0 to 1 counts the whole
/// run.
nlohmann::json progressEvent(double done, const std::string& phase, const std::string& stage,
                             std::size_t samples);
/// A step of `images` on all ranks together, `seconds` after the beginning.
nlohmann::json sampleEvent(double stepMs, long images, double seconds);
nlohmann::json failureEvent(const std::string& kind, const std::string& message);

/// Writes one event as one line to standard output, at once. False when nobody reads any more.
bool printEvent(const nlohmann::json& event);

} // namespace quadric::trainer
