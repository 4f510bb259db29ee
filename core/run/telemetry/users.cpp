// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/telemetry/users.h"

#include "core/run/telemetry/proc.h"

#include <cstdio>

namespace quadric::telemetry {

namespace {

std::string inWords(const ForeignProcess& process)
{
    const std::string number = "process " + std::to_string(process.pid);
    std::string memory;
    if (process.memoryMib > 0.0) {
        char text[32];
        std::snprintf(text, sizeof(text), "%.1f GiB", process.memoryMib / 1024.0);
        memory = text;
    }
    if (process.name.empty())
        return number + (memory.empty() ? "" : " (" + memory + ")");
    return process.name + " (" + number + (memory.empty() ? "" : ", " + memory) + ")";
}

} // namespace

std::string usersNow(const ReaderOptions& options)
{
    const Reader reader(options);
    std::string text;
    for (const DeviceIdentity& device : reader.devices()) {
        std::string users;
        for (ForeignProcess process : reader.nvml().processes(device.index)) {
            process.name = processName(options.root, process.pid);
            users += (users.empty() ? "" : ", ") + inWords(process);
        }
        if (!users.empty())
            text +=
                (text.empty() ? "GPU " : "; GPU ") + std::to_string(device.index) + " is used by " + users;
    }
    return text;
}

} // namespace quadric::telemetry
