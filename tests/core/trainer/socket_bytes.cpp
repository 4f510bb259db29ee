// SPDX-License-Identifier: GPL-3.0-or-later
#include "socket_bytes.h"

#include <filesystem>
#include <string>

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace quadric::trainer::testing {

double bytesAcknowledged()
{
    double total = 0.0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        tcp_info info{};
        socklen_t size = sizeof(info);
        if (getsockopt(std::stoi(entry.path().filename()), IPPROTO_TCP, TCP_INFO, &info, &size) == 0)
            total += static_cast<double>(info.tcpi_bytes_acked);
    }
    return total;
}

} // namespace quadric::trainer::testing
