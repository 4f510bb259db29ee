// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/base/protocol.h"

#include <cstdio>

#include <unistd.h>

namespace quadric::trainer {

using nlohmann::json;

json helloEvent(const json& device, const json& versions)
{
    return {{"event", "hello"}, {"protocol", kProtocolVersion}, {"device", device}, {"versions", versions}};
}

json progressEvent(double done, const std::string& phase, const std::string& stage, std::size_t samples)
{
    return {{"event", "progress"}, {"done", done}, {"phase", phase}, {"stage", stage}, {"samples", samples}};
}

json sampleEvent(double stepMs, long images, double seconds)
{
    return {
        {"event", "sample"}, {"step_ms", stepMs}, {"items", images}, {"unit", "img"}, {"seconds", seconds}};
}

json failureEvent(const std::string& kind, const std::string& message)
{
    return {{"event", "failure"}, {"kind", kind}, {"message", message}};
}

bool printEvent(const json& event)
{
    const bool isForTerminal = isatty(STDOUT_FILENO) == 1; // which would obey some of what is not ASCII
    const std::string line = event.dump(-1, ' ', isForTerminal, json::error_handler_t::replace) + '\n';
    const bool written = std::fwrite(line.data(), 1, line.size(), stdout) == line.size();
    return std::fflush(stdout) == 0 && written;
}

} // namespace quadric::trainer
