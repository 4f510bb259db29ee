// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_fixture.h"

#include <cstdlib>
#include <fstream>

namespace quadric::test {

namespace fs = std::filesystem;

MachineFixture::MachineFixture()
{
    std::string pattern = (fs::temp_directory_path() / "quadric-machine-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
        throw std::runtime_error("no temporary folder");
    m_root = pattern;
    setMachine(0, 0);
    setProcess(100, "quadric", 0);
    setScript({{"driver", "550.54.15"}, {"cuda", 12040}, {"devices", nlohmann::json::array()}});
}

MachineFixture::~MachineFixture()
{
    std::error_code ignored;
    fs::remove_all(m_root, ignored);
}

void MachineFixture::write(const std::string& path, const std::string& text) const
{
    fs::create_directories((m_root / path).parent_path());
    std::ofstream(m_root / path) << text;
}

void MachineFixture::setMachine(int busyTicks, int idleTicks) const
{
    write("proc/stat", "cpu  " + std::to_string(busyTicks) + " 0 0 " + std::to_string(idleTicks) +
                           " 0 0 0 0 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n");
}

void MachineFixture::setProcess(int pid, const std::string& name, int ticks,
                                const std::vector<int>& children) const
{
    const std::string folder = "proc/" + std::to_string(pid);
    std::string list;
    for (const int child : children)
        list += std::to_string(child) + " ";
    write(folder + "/task/" + std::to_string(pid) + "/children", list);
    write(folder + "/comm", name + "\n");
    write(folder + "/stat", std::to_string(pid) + " (" + name + ") S 1 1 1 0 -1 4194304 101 0 0 0 " +
                                std::to_string(ticks) + " 0 0 0 20 0 1 0 2386562 3133440 378\n");
}

void MachineFixture::setScript(const nlohmann::json& script) const
{
    write("script.json", script.dump());
    setenv("FAKE_NVML_SCRIPT", (m_root / "script.json").c_str(), 1);
}

nlohmann::json oneGpu(const nlohmann::json& moments)
{
    return {{"driver", "550.54.15"},
            {"cuda", 12040},
            {"devices", {{{"uuid", "GPU-aaaa-1"}, {"name", "H100"}, {"moments", moments}}}}};
}

} // namespace quadric::test
