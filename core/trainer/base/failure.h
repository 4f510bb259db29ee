// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>

namespace quadric::trainer {

/// Kinds of failure that the worker protocol names.
inline constexpr const char* kBadSettings = "bad-settings";
inline constexpr const char* kOutOfMemory = "out-of-memory";
inline constexpr const char* kRankLost = "rank-lost";
inline constexpr const char* kCommunication = "communication";
inline constexpr const char* kTimeOut = "time-out";
inline constexpr const char* kCancelled = "cancelled";
inline constexpr const char* kInternal = "internal";

/// A run that cannot go on, with the kind that is reported to whoever started it.
class Failure : public std::runtime_error {
public:
    Failure(std::string kind, const std::string& message)
        : std::runtime_error(message)
        , m_kind(std::move(kind))
    {
    }
    const std::string& kind() const { return m_kind; }

private:
    std::string m_kind;
};

} // namespace quadric::trainer
