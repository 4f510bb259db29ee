// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quadric::machine {

/// Numbers of the processors that this process may use (its affinity mask), ascending.
std::vector<int> allowedCpus();

/// A set of processors that a process can be confined to.
class CpuMask {
public:
    explicit CpuMask(const std::vector<int>& cpus);

    /// Confines the calling thread, and what it starts, to these processors. Async-signal-safe, so that it
    /// can be called between fork and exec. False when the kernel refuses.
    bool apply() const noexcept;

private:
    std::vector<unsigned long> m_bits; ///< as sched_setaffinity(2) takes them
};

/// "0-3,8": processors as Linux lists them.
std::string cpuListText(std::vector<int> cpus);

/// Reads what cpuListText() and files of /sys say; what is no list of processors ends it. Each one
/// is there once, in order.
std::vector<int> parseCpuList(std::string_view text);

} // namespace quadric::machine
