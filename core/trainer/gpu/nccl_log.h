// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace quadric::trainer::cuda {

/// How NCCL reaches other ranks, as it says itself with NCCL_DEBUG=INFO.
struct NcclPaths {
    std::map<std::string, int> channels; ///< by transport: "P2P/CUMEM", "SHM/direct", "NET/IB/0"
    bool usesNvls = false;               ///< sums in the switches of NVLink
    std::set<std::string> messages;      ///< how they go: "AllReduce by RING with LL128 on 24 channels"

    bool empty() const { return channels.empty() && !usesNvls && messages.empty(); }
    /// "24 channels over P2P/CUMEM, NVLink SHARP, AllReduce by RING with LL128 on 24 channels"; empty where
    /// NCCL said nothing.
    std::string words() const;
    /// Some channels pass through the memory of the host or a network. Between GPUs of one host that is far
    /// slower than between the GPUs themselves.
    bool leavesGpus() const;
};

/// Reads lines such as "host:12:34 [0] NCCL INFO Channel 03/0 : 0[0] -> 1[1] via P2P/CUMEM/read" and, of the
/// first rank since NCCL 2.24, "… AllReduce: 4194304 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..23}".
NcclPaths readNcclLog(std::string_view text);

} // namespace quadric::trainer::cuda
