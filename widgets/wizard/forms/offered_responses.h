// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QString>

#include <vector>

namespace quadric::widgets {

/// A response that the runner can tell of any command.
struct OfferedResponse {
    QString title;
    study::Response response;
    std::string expression = {}; ///< empty: the runner sees it itself
};

/// Energy, power, memory, time, scaling efficiency, and what is computed from them and the study's speed;
/// those that it does not have. None for other workloads than a command.
std::vector<OfferedResponse> offeredResponses(const study::Study& study);

} // namespace quadric::widgets
