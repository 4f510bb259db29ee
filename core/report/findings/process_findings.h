// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/process/process.h"

#include <stop_token>

namespace quadric::report {

/// Which of the two predicts settings left out with the smaller error, for every response that has both, and
/// whether that says something against the polynomial; empty where none has. Takes up to 20 fits of
/// processes.
std::string compareProcesses(const study::Study& study, const std::vector<model::Fit>& fits,
                             const std::vector<model::Process>& processes);

/// Responses with a goal whose settings are better recommended from their Gaussian process, which is not
/// shown yet (model::isProcessAdvised()). Both are empty without such a response, and where more than eight
/// responses have a goal: each takes up to 20 fits.
struct ProcessAdvice {
    std::vector<std::string> responses;
    std::string sentence;
};
ProcessAdvice adviseProcesses(const study::Study& study, const std::vector<model::Fit>& fits,
                              const std::stop_token& stop = {});

} // namespace quadric::report
