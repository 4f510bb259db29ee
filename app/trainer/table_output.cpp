// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_output.h"

#include "core/workload/response_table.h"

#include <cstdio>
#include <string>

#include <unistd.h>

namespace quadric::app {

using nlohmann::json;

namespace {

void clearLine()
{
    if (isatty(STDOUT_FILENO) == 1)
        std::fputs("\r\033[K", stdout);
}

void printResponse(const workload::Response& response, const json& event)
{
    const std::string name(response.name);
    const json& values = event.at("responses");
    if (!values.contains(name))
        return;
    std::printf("  %-26s %14.6g", std::string(response.title).c_str(), values.at(name).get<double>());
    if (event.at("spread").contains(name))
        std::printf(" ± %-10.3g", event.at("spread").at(name).get<double>());
    std::printf(" %s\n", std::string(response.unit).c_str());
}

void printResult(const json& event)
{
    clearLine();
    for (const workload::Response& response : workload::kResponses)
        printResponse(response, event);
    const json& from = event.at("provenance");
    std::printf("  %s with %s, %s; %s scaling; %zu steps; stopped because %s\n",
                from.at("source").get<std::string>().c_str(), from.at("compute").get<std::string>().c_str(),
                from.at("collectives").get<std::string>().c_str(),
                from.at("scaling").at("kind").get<std::string>().c_str(),
                from.at("samples").get<std::size_t>(), from.at("stopped_because").get<std::string>().c_str());
    if (from.contains("disturbed_because"))
        std::printf("  disturbed: %s\n", from.at("disturbed_because").get<std::string>().c_str());
    for (const json& warning : from.at("warnings"))
        std::printf("  warning: %s\n", warning.get<std::string>().c_str());
}

void printHello(const json& event)
{
    const json& device = event.at("device");
    if (device.value("kind", "") == "simulated") {
        std::printf("simulated: %d × %s\n", device.at("gpus").get<int>(),
                    device.at("name").get<std::string>().c_str());
        return;
    }
    if (device.value("kind", "") == "gpu") {
        std::printf("%s, %s\n", device.at("name").get<std::string>().c_str(),
                    event.at("versions").at("compute").get<std::string>().c_str());
        return;
    }
    std::printf("%s, %d cores, %s\n", device.at("name").get<std::string>().c_str(),
                device.at("cores").get<int>(), event.at("versions").at("compute").get<std::string>().c_str());
}

void printProgress(const json& event)
{
    if (isatty(STDOUT_FILENO) != 1)
        return;
    clearLine();
    std::printf("  %3.0f %%  %s, %s, %zu steps", 100.0 * event.at("done").get<double>(),
                event.at("stage").get<std::string>().c_str(), event.at("phase").get<std::string>().c_str(),
                event.at("samples").get<std::size_t>());
}

} // namespace

void printReadable(const json& event)
{
    const std::string kind = event.value("event", "");
    if (kind == "hello") {
        printHello(event);
    } else if (kind == "progress") {
        printProgress(event);
    } else if (kind == "result") {
        printResult(event);
    } else if (kind == "failure") {
        clearLine();
        std::fflush(stdout);
        std::fprintf(stderr, "quadric-trainer: %s (%s)\n", event.value("message", "").c_str(),
                     event.value("kind", "").c_str());
    }
    std::fflush(stdout);
}

} // namespace quadric::app
