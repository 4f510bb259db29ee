// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/rank_device.h"

#include "core/machine/processor.h"
#include "core/trainer/base/hash.h"
#include "core/trainer/cuda/kernels/check.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

namespace quadric::trainer::cuda {

namespace {

std::uint64_t hashOf(const std::string& text)
{
    Hash hash;
    hash.add(text);
    return hash.value();
}

std::string pciIdOf(int device)
{
    std::array<char, 32> text{};
    QUADRIC_CHECKED(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device));
    return text.data();
}

} // namespace

std::vector<std::uint64_t> gatherNumbers(Collective& collective, std::uint64_t mine)
{
    std::vector<std::uint64_t> all(static_cast<std::size_t>(collective.size()));
    collective.gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    return all;
}

int placeAmongEqual(const std::vector<std::uint64_t>& numbers, int rank)
{
    const auto mine = numbers.begin() + rank;
    return static_cast<int>(std::count(numbers.begin(), mine, *mine));
}

RankDevice takeDevice(Collective& collective)
{
    int count = 0;
    QUADRIC_CHECKED(cudaGetDeviceCount(&count));
    const std::string host = machine::readHostName();
    const std::vector<std::uint64_t> hosts = gatherNumbers(collective, hashOf(host));
    const int place = placeAmongEqual(hosts, collective.rank());
    RankDevice device;
    device.ranksOnHost = static_cast<int>(std::ranges::count(hosts, hashOf(host)));
    device.index = place % count;
    QUADRIC_CHECKED(cudaSetDevice(device.index));
    cudaDeviceProp properties{};
    QUADRIC_CHECKED(cudaGetDeviceProperties(&properties, device.index));
    device.name = properties.name;
    device.isPart = device.name.find(" MIG ") != std::string::npos;
    device.pciId = pciIdOf(device.index);
    const auto all = gatherNumbers(collective, hashOf(host + ' ' + device.pciId));
    device.ranksOnIt = static_cast<int>(std::ranges::count(all, hashOf(host + ' ' + device.pciId)));
    device.anyIsShared = std::set(all.begin(), all.end()).size() < all.size();
    return device;
}

} // namespace quadric::trainer::cuda
