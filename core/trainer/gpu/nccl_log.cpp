// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/nccl_log.h"

#include "core/text/numbers.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace quadric::trainer::cuda {

namespace {

/// The first two parts of "P2P/CUMEM/read", the first three of "NET/IB/0/GDRDMA".
std::string transportIn(std::string_view line)
{
    constexpr std::string_view kVia = " via ";
    const std::size_t at = line.find(kVia);
    if (line.find(" Channel ") == line.npos || at == line.npos)
        return {};
    std::string_view path = line.substr(at + kVia.size());
    path = path.substr(0, path.find_first_of(" \t\r"));
    const int parts = path.starts_with("NET/") ? 3 : 2;
    std::size_t end = path.find('/');
    for (int part = 1; part < parts && end != path.npos; ++part)
        end = path.find('/', end + 1);
    return std::string(path.substr(0, end));
}

/// The word that follows `key`; empty where the line does not have it.
std::string_view wordAfter(std::string_view line, std::string_view key)
{
    const std::size_t at = line.find(key);
    if (at == line.npos)
        return {};
    const std::string_view rest = line.substr(at + key.size());
    return rest.substr(0, rest.find_first_of(" }\r"));
}

/// "{0..23}" has 24.
int channelsIn(std::string_view range)
{
    int first = 0, last = -1;
    const std::size_t dots = range.find("..");
    std::from_chars(range.data(), range.data() + range.size(), first);
    if (dots != range.npos)
        std::from_chars(range.data() + dots + 2, range.data() + range.size(), last);
    return last - first + 1;
}

std::string messageIn(std::string_view line)
{
    const std::size_t bytes = line.find(" Bytes -> Algo ");
    const std::string_view algorithm = wordAfter(line, " Algo ");
    const int channels = channelsIn(wordAfter(line, "channel{Lo..Hi}={"));
    if (bytes == line.npos || algorithm.empty() || channels < 1)
        return {};
    const std::string_view kind = wordAfter(line, "NCCL INFO ");
    return std::string(kind.substr(0, kind.find(':'))) + " by " + std::string(algorithm) + " with " +
           std::string(wordAfter(line, " proto ")) + " on " + text::formatCount(channels, "channel");
}

} // namespace

std::string NcclPaths::words() const
{
    std::vector<std::string> parts;
    for (const auto& [transport, count] : channels)
        parts.push_back(text::formatCount(count, "channel") + " over " + transport);
    if (usesNvls)
        parts.emplace_back("NVLink SHARP");
    parts.insert(parts.end(), messages.begin(), messages.end());
    return text::joinWords(parts);
}

bool NcclPaths::leavesGpus() const
{
    return std::ranges::any_of(channels, [](const auto& each) {
        return each.first.starts_with("SHM") || each.first.starts_with("NET");
    });
}

NcclPaths readNcclLog(std::string_view text)
{
    NcclPaths paths;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text = end == text.npos ? std::string_view() : text.substr(end + 1);
        if (const std::string transport = transportIn(line); !transport.empty())
            ++paths.channels[transport];
        if (const std::string message = messageIn(line); !message.empty())
            paths.messages.insert(message);
        paths.usesNvls = paths.usesNvls || line.find("NVLS comm") != line.npos;
    }
    return paths;
}

} // namespace quadric::trainer::cuda
