// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/reader.h"

#include "core/machine/contention.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>

namespace quadric::machine {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostClocks = 16; ///< files read for one mean
constexpr double kKhzPerMhz = 1000.0;
constexpr double kMilliPerUnit = 1000.0;
constexpr std::array kZones = {"x86_pkg_temp", "cpu", "soc", "TCPU"};
constexpr std::array kChips = {"coretemp", "k10temp", "zenpower", "cpu"};

std::vector<fs::path> entriesOf(const fs::path& folder)
{
    std::vector<fs::path> entries;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(folder, missing))
        entries.push_back(entry.path());
    std::ranges::sort(entries);
    return entries;
}

bool startsWithAny(const std::string& text, const std::array<const char*, 4>& starts)
{
    return std::ranges::any_of(starts, [&text](const char* start) { return text.starts_with(start); });
}

std::set<std::string> numbersOf(const std::vector<int>& cpus)
{
    std::set<std::string> numbers;
    for (const int cpu : cpus)
        numbers.insert(std::to_string(cpu));
    return numbers;
}

bool isWanted(const std::string& number, const std::set<std::string>& wanted)
{
    return wanted.empty() || wanted.contains(number);
}

std::vector<fs::path> clockFiles(const fs::path& folder, const std::set<std::string>& wanted)
{
    constexpr std::size_t kPrefix = 3; // "cpu"
    std::vector<fs::path> all;
    for (const fs::path& cpu : entriesOf(folder)) {
        const fs::path clock = cpu / "cpufreq/scaling_cur_freq";
        const std::string name = cpu.filename().string();
        if (name.size() > kPrefix && isWanted(name.substr(kPrefix), wanted) && fs::exists(clock))
            all.push_back(clock);
    }
    const std::size_t stride = (all.size() + kMostClocks - 1) / kMostClocks;
    std::vector<fs::path> chosen;
    for (std::size_t i = 0; i < all.size(); i += stride)
        chosen.push_back(all[i]);
    return chosen;
}

/// The first of these zones or chips, in this order of preference, that has a temperature.
fs::path temperatureFile(const fs::path& root)
{
    for (const fs::path& zone : entriesOf(root / "sys/class/thermal")) {
        if (startsWithAny(readSmallFile(zone / "type"), kZones) && readNumber(zone / "temp"))
            return zone / "temp";
    }
    for (const fs::path& chip : entriesOf(root / "sys/class/hwmon")) {
        if (startsWithAny(readSmallFile(chip / "name"), kChips) && readNumber(chip / "temp1_input"))
            return chip / "temp1_input";
    }
    return {};
}

std::optional<double> meanOf(const std::vector<double>& values)
{
    double sum = 0.0;
    for (const double value : values)
        sum += value;
    return values.empty() ? std::nullopt : std::optional(sum / static_cast<double>(values.size()));
}

std::optional<double> meanOfCpuinfo(const fs::path& path, const std::set<std::string>& wanted)
{
    std::vector<double> clocks;
    std::ifstream file(path);
    std::string number;
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        double mhz = 0.0;
        if (line.starts_with("processor") && colon != line.npos)
            number = line.substr(colon + 2);
        if (line.starts_with("cpu MHz") && isWanted(number, wanted) && colon != line.npos &&
            std::from_chars(line.data() + colon + 2, line.data() + line.size(), mhz).ec == std::errc())
            clocks.push_back(mhz);
    }
    return meanOf(clocks);
}

bool isChosen(const DeviceIdentity& device, const std::vector<std::string>& wanted)
{
    return wanted.empty() || std::ranges::any_of(wanted, [&device](const std::string& entry) {
               return machine::isMeant(entry, device.index, device.uuid);
           });
}

} // namespace

CpuSensors::CpuSensors(const fs::path& root, const std::vector<int>& cpus)
    : m_cpus(numbersOf(cpus))
    , m_clocks(clockFiles(root / "sys/devices/system/cpu", m_cpus))
    , m_cpuinfo(root / "proc/cpuinfo")
    , m_temperature(temperatureFile(root))
    , m_throttle(root / "sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_total_time_ms")
{
}

std::optional<double> CpuSensors::clockMhz() const
{
    if (m_clocks.empty())
        return meanOfCpuinfo(m_cpuinfo, m_cpus);
    std::vector<double> clocks;
    for (const fs::path& path : m_clocks) {
        if (const auto khz = readNumber(path))
            clocks.push_back(*khz / kKhzPerMhz);
    }
    return meanOf(clocks);
}

std::optional<double> CpuSensors::temperatureC() const
{
    const auto milli = m_temperature.empty() ? std::nullopt : readNumber(m_temperature);
    return milli ? std::optional(*milli / kMilliPerUnit) : std::nullopt;
}

std::optional<double> CpuSensors::throttleSeconds() const
{
    const auto milli = readNumber(m_throttle);
    return milli ? std::optional(*milli / kMilliPerUnit) : std::nullopt;
}

Reader::Reader(ReaderOptions options)
    : m_options(std::move(options))
    , m_sensors(m_options.root, m_options.cpus)
    , m_nvml(m_options.nvmlLibrary)
{
    for (const DeviceIdentity& device : m_nvml.devices()) {
        if (isChosen(device, m_options.devices))
            m_devices.push_back(device);
    }
}

std::vector<int> Reader::ownProcesses() const
{
    std::vector<int> own = machine::processTree(m_options.root, m_options.ownPid);
    if (!m_options.ownJob.empty()) {
        const std::vector<int> job = processesOfJob(m_options.root, m_options.ownJob);
        own.insert(own.end(), job.begin(), job.end());
        std::ranges::sort(own);
        own.erase(std::unique(own.begin(), own.end()), own.end());
    }
    return own;
}

Sample Reader::read()
{
    Sample sample;
    sample.cpu.machine = machine::readCpuTimes(m_options.root, m_options.cpus).value_or(CpuTimes{});
    sample.cpu.ownSeconds = machine::processSeconds(m_options.root, ownProcesses());
    sample.cpu.load = machine::readLoad(m_options.root);
    sample.cpu.clockMhz = m_sensors.clockMhz();
    sample.cpu.temperatureC = m_sensors.temperatureC();
    sample.cpu.throttleSeconds = m_sensors.throttleSeconds();
    for (const DeviceIdentity& device : m_devices)
        sample.devices.push_back(m_nvml.read(device.index));
    return sample;
}

DeviceUsers Reader::users(int index, const std::vector<GpuProcess>& before) const
{
    DeviceUsers users;
    const std::vector<int> own = ownProcesses();
    for (GpuProcess process : m_nvml.processes(index)) {
        const auto isSame = [&process](const GpuProcess& other) { return other.pid == process.pid; };
        process.name = machine::processName(m_options.root, process.pid);
        if (std::ranges::find(own, process.pid) != own.end())
            users.hasOwn = true;
        else if (!process.name.empty() || std::ranges::any_of(before, isSame))
            users.foreign.push_back(process);
    }
    return users;
}

std::string usersNow(const ReaderOptions& options)
{
    const Reader reader(options);
    std::string text;
    for (const DeviceIdentity& device : reader.devices()) {
        std::vector<GpuProcess> users = reader.nvml().processes(device.index);
        for (GpuProcess& process : users)
            process.name = machine::processName(options.root, process.pid);
        machine::addReason(text, machine::describeUsers(device.index, users));
    }
    return text;
}

} // namespace quadric::machine
