// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/users.h"

#include "core/machine/judge.h"

namespace quadric::machine {

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
