// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace quadric::test {

/// A machine made of files: /proc, /sys and the script of the fake NVML, in a folder of its own. It has no
/// GPU until a script gives it one.
class MachineFixture {
public:
    MachineFixture();
    ~MachineFixture();
    MachineFixture(const MachineFixture&) = delete;
    MachineFixture& operator=(const MachineFixture&) = delete;

    const std::filesystem::path& root() const { return m_root; }

    void write(const std::string& path, const std::string& text) const;

    /// Ticks (of a hundredth of a second) that the machine was busy and idle since its start.
    void setMachine(int busyTicks, int idleTicks) const;
    /// A process with its processor time in ticks, a name and its children.
    void setProcess(int pid, const std::string& name, int ticks, const std::vector<int>& children = {}) const;
    /// What the fake NVML answers from now on.
    void setScript(const nlohmann::json& script) const;

private:
    std::filesystem::path m_root;
};

/// A script with one GPU that goes through these moments.
nlohmann::json oneGpu(const nlohmann::json& moments);

} // namespace quadric::test
