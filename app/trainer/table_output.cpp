// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_output.h"

#include "app/shell/visible_output.h"
#include "core/workload/response_table.h"

#include <cmath>
#include <iomanip>
#include <iostream>
#include <string>

namespace quadric::app {

using nlohmann::json;

namespace {

void clearLine()
{
    if (printsToTerminal())
        printControl("\r\033[K");
}

void printResponse(const workload::Response& response, const json& event)
{
    const std::string name(response.name);
    const json& values = event.at("responses");
    if (!values.contains(name))
        return;
    std::cout << "  " << std::left << std::setw(26) << response.title << ' ' << std::right << std::setw(14)
              << std::setprecision(6) << values.at(name).get<double>();
    if (event.at("spread").contains(name))
        std::cout << " ± " << std::left << std::setw(10) << std::setprecision(3)
                  << event.at("spread").at(name).get<double>();
    std::cout << ' ' << response.unit << '\n';
}

std::string textAt(const json& object, const char* name)
{
    return object.at(name).get<std::string>();
}

void printResult(const json& event)
{
    clearLine();
    for (const workload::Response& response : workload::kResponses)
        printResponse(response, event);
    const json& from = event.at("provenance");
    std::cout << "  " << textAt(from, "source") << " with " << textAt(from, "compute") << ", "
              << textAt(from, "collectives") << "; " << textAt(from.at("scaling"), "kind") << " scaling; "
              << from.at("samples") << " steps; stopped because " << textAt(from, "stopped_because") << '\n';
    if (from.contains("disturbed_because"))
        std::cout << "  disturbed: " << textAt(from, "disturbed_because") << '\n';
    for (const json& warning : from.at("warnings"))
        std::cout << "  warning: " << warning.get<std::string>() << '\n';
}

void printHello(const json& event)
{
    const json& device = event.at("device");
    const std::string kind = device.value("kind", "");
    if (kind == "simulated") {
        std::cout << "simulated: " << device.at("gpus") << " × " << textAt(device, "name") << '\n';
        return;
    }
    std::cout << textAt(device, "name");
    if (kind != "gpu")
        std::cout << ", " << device.at("cores") << " cores";
    std::cout << ", " << textAt(event.at("versions"), "compute") << '\n';
}

void printProgress(const json& event)
{
    if (!printsToTerminal())
        return;
    clearLine();
    std::cout << "  " << std::right << std::setw(3) << std::lround(100.0 * event.at("done").get<double>())
              << " %  " << textAt(event, "stage") << ", " << textAt(event, "phase") << ", "
              << event.at("samples") << " steps";
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
        std::cerr << "quadric-trainer: " << event.value("message", "") << " (" << event.value("kind", "")
                  << ")\n";
    }
    std::cout.flush();
}

} // namespace quadric::app
