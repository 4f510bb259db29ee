// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/failure.h"
#include "core/trainer/measure/validation.h"
#include "options.h"

#include <nlohmann/json.hpp>

#include <functional>

namespace quadric::app {

/// Takes an event of the worker protocol. Throws trainer::Failure when nobody reads any more.
using Sink = std::function<void(const nlohmann::json&)>;

/// Prints events as lines or as a table, as the options and the terminal want it.
Sink makeSink(OutputFormat format);
bool isForPeople(OutputFormat format);

nlohmann::json hello(const trainer::Machine& machine);

/// What the launcher adds to the result of the ranks.
struct RunNotes {
    std::string commandLine;
    double foreignLoadPct = 0.0;            ///< before the run
    nlohmann::json gpus = {};               ///< of the ranks, see describeSettings(); null: none
    std::vector<std::string> rankCpus = {}; ///< processors that each rank was confined to; empty: none was
    int cores = 0;                          ///< of this host; of a rank that is confined they are fewer
    std::string gpuUse = {};                ///< who used the GPUs before the run; empty: nobody
    std::string engineChoice = {};          ///< why the automatic engine is not what one would expect
    std::string ownBaseline = {};           ///< why the given baseline does not count
};
nlohmann::json withNotes(nlohmann::json event, const RunNotes& notes);

} // namespace quadric::app
