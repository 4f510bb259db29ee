// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
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

/// A physical core, with those of its hardware threads that may be used.
struct Core {
    std::vector<int> cpus = {};
    int node = 0;    ///< NUMA node
    int package = 0; ///< socket
    bool operator==(const Core&) const = default;
};

// Readers of /sys below `root`, the root of the file system or of a recorded tree.

/// The cores of these processors, by their lowest processor. Where /sys says nothing, each is a core of one
/// NUMA node.
std::vector<Core> readCores(const std::filesystem::path& root, const std::vector<int>& cpus);

/// NUMA node of a PCI device such as "00000000:3B:00.0"; -1 where it is not told.
int readNodeOfPci(const std::filesystem::path& root, std::string busId);

// What the machine below `root` (see proc.h) has for programs.

/// Model name of the processor; on ARM, which has numbers instead of a name, implementer and part; "unknown"
/// where the system has neither.
std::string readProcessorName(const std::filesystem::path& root = "/");

/// Name of this machine in its network; "unknown" where it has none.
std::string readHostName();

/// Logical processors that this process may use.
int countUsableCores();

/// Those of `cores` whose time a container's quota leaves; all without a quota, at least one.
int limitToQuota(int cores, const std::filesystem::path& root = "/");

/// Main memory, or what a container may use of it, MiB.
double readMemoryMib(const std::filesystem::path& root = "/");

/// Memory that new programs can get without swapping, in bytes; 0 where it is unknown.
std::int64_t readAvailableBytes(const std::filesystem::path& root = "/");

} // namespace quadric::machine
