// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

namespace quadric::run {

/// What the kernel's counters say about processes that it has ended because memory ran out.
enum class MemoryKills {
    None,      ///< the counters stand where they stood
    OnMachine, ///< somewhere on this machine one was ended
    InGroup    ///< one was ended in the control group of this process
};

/// Watches the counters of the kernel's out-of-memory killer from its making on: of the control group of this
/// process (version 2: `memory.events`, version 1: `memory.oom_control`), where its workers are too, and of
/// the whole machine (`/proc/vmstat`).
class MemoryKillCounter {
public:
    /// `root`: where proc and sys are.
    explicit MemoryKillCounter(const std::filesystem::path& root = "/");

    MemoryKills sinceThen() const;

private:
    std::filesystem::path m_machineFile, m_groupFile; ///< of the group: empty where the kernel does not count
    std::int64_t m_onMachine = 0, m_inGroup = 0;
};

} // namespace quadric::run
