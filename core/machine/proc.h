// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace quadric::machine {

/// Processor time since the machine was started, summed over its cores, in seconds. Only differences mean
/// something.
struct CpuTimes {
    double busySeconds = 0.0;  ///< without idling, waiting for disks, and what the host took
    double totalSeconds = 0.0; ///< everything
    double stealSeconds = 0.0; ///< taken by the host of a virtual machine
};
CpuTimes operator+(const CpuTimes& one, const CpuTimes& other);
CpuTimes operator-(const CpuTimes& after, const CpuTimes& before);

// Readers of /proc below `root`, the root of the file system or of a recorded tree.

/// Where the time of these processors, empty: of all, went; nothing where /proc/stat has another form.
std::optional<CpuTimes> readCpuTimes(const std::filesystem::path& root, const std::vector<int>& cpus = {});

/// Load average over one minute; 0 where it cannot be read.
double readLoad(const std::filesystem::path& root);

/// Direct children of a process, whichever of its threads started them; none where there is no such process.
/// A child may be missed while another one ends: who wants all looks again.
std::vector<int> childrenOf(const std::filesystem::path& root, int pid);

/// The process and everything that descends from it.
std::vector<int> processTree(const std::filesystem::path& root, int pid);

/// Processor time of these processes and of their children that have ended, in seconds.
double processSeconds(const std::filesystem::path& root, const std::vector<int>& pids);

/// Main memory that these processes use, MiB, each page counted in every process that has it: never less than
/// proportionalMemoryMib(), and quick.
double residentMemoryMib(const std::filesystem::path& root, const std::vector<int>& pids);

/// Main memory that would be free without these processes, MiB: of a page that several have (after a fork, in
/// shared memory) each has its share (/proc/PID/smaps_rollup, Pss_Anon + Pss_Shmem). Pages of files are not
/// counted. Where the kernel does not tell the shares, what a process shares with nobody, or with no file. It
/// takes some milliseconds for each GiB.
double proportionalMemoryMib(const std::filesystem::path& root, const std::vector<int>& pids);

/// Most memory that this process has had since the last resetPeakMemory(), MiB.
double peakMemoryMib();

/// Forgets earlier peaks where the system allows it (Linux 4.0).
void resetPeakMemory();

/// Name of the program; empty without such a process.
std::string processName(const std::filesystem::path& root, int pid);

/// The whole small file; empty where it cannot be read.
std::string readSmallFile(const std::filesystem::path& path);

/// The number that a file holds; nothing where it cannot be read.
std::optional<double> readNumber(const std::filesystem::path& path);

/// What follows "key:" in a file, of its first line that begins so; empty where there is none.
std::string readValue(const std::filesystem::path& path, const std::string& key);

/// Processes of a job of Slurm on this node, by its number: those that start its steps ("slurmstepd:
/// [12.0]", as Slurm names them) and everything that descends from them.
std::vector<int> processesOfJob(const std::filesystem::path& root, const std::string& job);

} // namespace quadric::machine
