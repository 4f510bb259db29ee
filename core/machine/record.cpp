// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/record.h"

#include "core/machine/json_text.h"
#include "core/machine/units_of_measure.h"

#include <algorithm>
#include <cmath>

namespace quadric::machine {

namespace {

using Json = nlohmann::ordered_json;

/// Three decimals are finer than any of the meters.
double rounded(double value)
{
    constexpr double kSteps = 1000.0;
    return std::round(value * kSteps) / kSteps;
}

void put(Json& object, const char* name, const std::optional<double>& value)
{
    if (value)
        object[name] = rounded(*value);
}

void put(Json& object, const char* name, const Range& range)
{
    if (range.count > 0)
        object[name] = {
            {"min", rounded(range.min)}, {"mean", rounded(range.mean)}, {"max", rounded(range.max)}};
}

/// The sensors of a GPU: their values in a sample, their ranges in a summary.
template <typename Device> void putSensors(Json& json, const Device& device)
{
    put(json, "clock_mhz", device.clockMhz);
    put(json, "memory_clock_mhz", device.memoryClockMhz);
    put(json, "power_w", device.powerW);
    put(json, "temperature_c", device.temperatureC);
    put(json, "memory_mib", device.memoryMib);
    put(json, "busy_pct", device.busyPct);
}

Json deviceJson(const DeviceSample& sample)
{
    Json json = {{"index", sample.index}};
    putSensors(json, sample);
    if (sample.throttle != 0)
        json["throttled"] = machine::namesOf(sample.throttle);
    if (sample.isLost)
        json["lost"] = true;
    return json;
}

Json usersJson(const DeviceSummary& device)
{
    Json list = Json::array();
    const auto add = [&list](const std::vector<GpuProcess>& processes, const char* when) {
        for (const GpuProcess& process : processes)
            list.push_back(
                {{"pid", process.pid},
                 {"name", process.name},
                 {"memory_mib", rounded(static_cast<double>(process.memoryBytes) / machine::kBytesPerMib)},
                 {"when", when}});
    };
    add(device.before, "before");
    add(device.during, "during");
    return list;
}

Json deviceJson(const DeviceSummary& device)
{
    Json json = {
        {"index", device.identity.index}, {"uuid", device.identity.uuid}, {"name", device.identity.name}};
    putSensors(json, device);
    put(json, "energy_joules", device.energyJoules);
    for (const auto& [reason, pct] : device.throttledPct)
        json["throttled_pct"][reason] = rounded(pct);
    if (device.isLost)
        json["lost"] = true;
    if (const Json users = usersJson(device); !users.empty())
        json["foreign_processes"] = users;
    return json;
}

std::optional<double> numberOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

/// The numbers of this name that the devices tell.
std::vector<double> valuesOf(const Json& devices, const char* name)
{
    std::vector<double> values;
    for (const Json& device : devices) {
        if (const auto value = device.is_object() ? numberOf(device, name) : std::nullopt)
            values.push_back(*value);
    }
    return values;
}

double sumOf(const std::vector<double>& values)
{
    double sum = 0.0;
    for (const double value : values)
        sum += value;
    return sum;
}

void takeDevices(const Json& devices, Reading& reading)
{
    const std::vector<double> clocks = valuesOf(devices, "clock_mhz");
    const std::vector<double> powers = valuesOf(devices, "power_w");
    const std::vector<double> temperatures = valuesOf(devices, "temperature_c");
    if (!clocks.empty())
        reading.clockMhz = sumOf(clocks) / static_cast<double>(clocks.size());
    if (!powers.empty())
        reading.powerW = sumOf(powers);
    if (!temperatures.empty())
        reading.temperatureC = *std::ranges::max_element(temperatures);
}

/// What is said of a node that says anything, behind what is said of others.
void add(std::string& text, const std::string& node, const std::string& more)
{
    if (!more.empty())
        text += (text.empty() ? "" : "; ") + node + ": " + more;
}

bool isRecord(const Json& json)
{
    return json.is_object() && !stringIn(json, "node").empty() && json.contains("telemetry") &&
           json["telemetry"].is_object();
}

} // namespace

std::string sampleText(const Sample& before, const Sample& now)
{
    const machine::CpuShares shares = sharesBetween(before, now);
    Json cpu = {{"busy_pct", rounded(shares.busyPct)},
                {"foreign_pct", rounded(shares.foreignPct)},
                {"load", now.cpu.load}};
    put(cpu, "clock_mhz", now.cpu.clockMhz);
    put(cpu, "temperature_c", now.cpu.temperatureC);
    Json json = {{"seconds", rounded(now.seconds)}, {"cpu", cpu}};
    for (const DeviceSample& device : now.devices)
        json["devices"].push_back(deviceJson(device));
    return textOf(json);
}

std::optional<Reading> parseReading(std::string_view line)
{
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("cpu") || !json["cpu"].is_object())
        return std::nullopt;
    const Json& cpu = json["cpu"];
    const auto seconds = numberOf(json, "seconds");
    if (!seconds)
        return std::nullopt;
    Reading reading{.seconds = *seconds,
                    .node = stringIn(json, "node"),
                    .clockMhz = numberOf(cpu, "clock_mhz"),
                    .powerW = {},
                    .temperatureC = numberOf(cpu, "temperature_c"),
                    .busyPct = numberOf(cpu, "busy_pct"),
                    .foreignPct = numberOf(cpu, "foreign_pct")};
    if (json.contains("devices") && json["devices"].is_array())
        takeDevices(json["devices"], reading);
    return reading;
}

std::map<std::string, std::string> makeProvenanceEntries(const Summary& summary)
{
    Json cpu = {{"busy_pct", rounded(summary.busyPct)}, {"foreign_pct", rounded(summary.foreignPct)}};
    put(cpu, "load", summary.load);
    put(cpu, "clock_mhz", summary.clockMhz);
    put(cpu, "temperature_c", summary.temperatureC);
    put(cpu, "throttled_pct", summary.throttledPct);
    Json json = {{"samples", summary.samples}, {"seconds", rounded(summary.seconds)}, {"cpu", cpu}};
    for (const DeviceSummary& device : summary.devices)
        json["devices"].push_back(deviceJson(device));
    if (summary.devices.empty() && !summary.noDevicesBecause.empty())
        json["no_devices_because"] = summary.noDevicesBecause;
    std::map<std::string, std::string> entries = {{"telemetry", textOf(json)}};
    if (!summary.driver.empty())
        entries["driver"] = textOf(Json{{"version", summary.driver}, {"cuda", summary.cudaVersion}});
    return entries;
}

Findings summarizeFindings(const Summary& summary)
{
    return {.entries = makeProvenanceEntries(summary),
            .disturbance = disturbance(summary),
            .foreignLoad = foreignLoad(summary),
            .loss = lostDevice(summary)};
}

std::string nodeRecord(const std::string& node, const Summary& summary)
{
    const Findings findings = summarizeFindings(summary);
    Json json = {{"node", node}};
    for (const auto& [key, text] : findings.entries)
        json[key] = Json::parse(text);
    json["disturbance"] = findings.disturbance;
    json["foreign_load"] = findings.foreignLoad;
    json["loss"] = findings.loss;
    return textOf(json);
}

Findings mergeNodeFindings(const std::vector<std::string>& records)
{
    Findings all;
    Json nodes = Json::array();
    for (const std::string& record : records) {
        const Json json = Json::parse(record, nullptr, false);
        if (!isRecord(json))
            continue;
        const std::string node = stringIn(json, "node");
        Json entry = {{"node", node}};
        entry.update(json["telemetry"]);
        nodes.push_back(entry);
        if (json.contains("driver"))
            all.entries.try_emplace("driver", textOf(json["driver"]));
        add(all.disturbance, node, stringIn(json, "disturbance"));
        add(all.foreignLoad, node, stringIn(json, "foreign_load"));
        add(all.loss, node, stringIn(json, "loss"));
    }
    if (!nodes.empty())
        all.entries["telemetry"] = textOf(Json{{"nodes", nodes}});
    return all;
}

} // namespace quadric::machine
