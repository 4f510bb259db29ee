// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch_ranks.h"

#include "app/shell/lack_of_memory.h"
#include "app/shell/visible_output.h"
#include "core/trainer/base/openmp_place.h"
#include "core/trainer/measure/validation.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

namespace {

int start(const quadric::app::Options& options, std::chrono::steady_clock::time_point started)
{
    if (options.exitStatus) {
        (*options.exitStatus == 0 ? std::cout : std::cerr) << options.message;
        return *options.exitStatus;
    }
    if (options.listsDevices)
        return quadric::app::listDevices(options);
    if (options.place)
        return quadric::app::runRank(options);
    quadric::trainer::leaveOpenMpPlace(); // ranks are bound, not who starts them
    const auto environment = [](const char* name) -> const char* { return std::getenv(name); };
    if (const auto place = quadric::trainer::clusterPlace(environment, quadric::trainer::readMachine().host))
        return quadric::app::runClusterRank(options, *place, started);
    return quadric::app::launch(options, started);
}

/// After a failure a thread may be left in a library that waits for other ranks (NCCL): it must not find what
/// a program takes down at its end. Everything has been said and given back by now.
int endWith(int status)
{
    if (status != 0) {
        std::fflush(nullptr);
        std::_Exit(status);
    }
    return status;
}

} // namespace

int main(int argc, char** argv)
{
    const auto started = std::chrono::steady_clock::now();
    quadric::app::endWithoutMemory("quadric-trainer");
    quadric::app::VisibleOutput output("quadric-trainer");
    try {
        return endWith(output.finish(start(quadric::app::readCommandLine(argc, argv), started)));
    } catch (const std::bad_alloc&) {
        std::terminate();
    } catch (const std::exception& failure) {
        std::cerr << "quadric-trainer: " << failure.what() << '\n';
        return output.finish(2);
    }
}
