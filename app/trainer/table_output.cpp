// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_output.h"

#include <cstdio>
#include <string>

#include <unistd.h>

namespace quadric::app {

using nlohmann::json;

namespace {

struct Row {
    const char* name;
    const char* label;
    const char* unit;
};

constexpr Row kRows[] = {
    {"images_per_sec", "speed of all ranks", "images/s"},
    {"step_ms", "step, median", "ms"},
    {"step_ms_p95", "step, 95 of 100 below", "ms"},
    {"scaling_efficiency", "scaling efficiency", "%"},
    {"comm_exposed_pct", "waiting for the exchange", "%"},
    {"bytes_per_step", "sent by a rank per step", "bytes"},
    {"selection_ms", "choosing what is sent", "ms"},
    {"joules_per_image", "energy of the GPUs per image", "J"},
    {"loss_end", "loss at the end", ""},
    {"memory_peak_mib", "memory of all ranks", "MiB"},
    {"seconds_per_epoch", "time for an epoch", "s"},
    {"cost_per_epoch", "cost of an epoch", ""},
};

void clearLine()
{
    if (isatty(STDOUT_FILENO) == 1)
        std::fputs("\r\033[K", stdout);
}

void printRow(const Row& row, const json& event)
{
    const json& responses = event.at("responses");
    if (!responses.contains(row.name))
        return;
    std::printf("  %-26s %14.6g", row.label, responses.at(row.name).get<double>());
    if (event.at("spread").contains(row.name))
        std::printf(" ± %-10.3g", event.at("spread").at(row.name).get<double>());
    std::printf(" %s\n", row.unit);
}

void printResult(const json& event)
{
    clearLine();
    for (const Row& row : kRows)
        printRow(row, event);
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
